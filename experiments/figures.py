"""Draw the figures: readable in print, in greyscale and for colour-blind readers.

The colours are Okabe and Ito's, and colour is never the only difference between two marks.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from itertools import product
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from . import measure, published
from .bench import KINDS, Bench, correlate
from .betas import BETAS, BetaStar, Curve
from .corpora import SEEDA_FLUENT, Corpus
from .metrics import system_scores

BLUE, ORANGE, GREEN, PURPLE, GREY = "#0072B2", "#D55E00", "#009E73", "#AA4499", "#767676"
LOOKS = {
    "wordGREEN": {"color": BLUE, "linestyle": "-"},
    "charGREEN": {"color": ORANGE, "linestyle": (0, (5, 1.5))},
    "M²": {"color": GREEN, "linestyle": (0, (1, 1))},
    "ERRANT": {"color": PURPLE, "linestyle": (0, (4, 1.5, 1, 1.5))},
}
MARKERS = {"wordGREEN": "o", "charGREEN": "s"}
STYLE = {
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.edgecolor": GREY,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E5E5E5",
    "grid.linewidth": 0.6,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": "black",
    "ytick.labelcolor": "black",
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "legend.frameon": False,
    "figure.dpi": 160,
    # Make files reproducible: the same numbers give the same file.
    "svg.hashsalt": "green",
    "svg.fonttype": "path",
}
WIDTH = 7.0  # inches, the width of a page's text


def save(name: str, figure: Figure, folder: Path) -> None:
    """Write a figure as PNG and as SVG."""
    for ending, metadata in (("png", {"Software": None}), ("svg", {"Date": None})):
        figure.savefig(folder / f"{name}.{ending}", metadata=metadata)


def style() -> AbstractContextManager:
    """The style of all figures, to be active while they are drawn and saved."""
    return mpl.rc_context(STYLE)


def _panels(n_rows: int, n_columns: int, height: float, **options) -> tuple[Figure, np.ndarray]:
    figure = Figure(figsize=(WIDTH, height), layout="constrained", facecolor="white")
    return figure, figure.subplots(n_rows, n_columns, squeeze=False, **options)


def beta_curves(curves: Sequence[Curve]) -> Figure:
    """Draw Figure 3: correlation against beta, one panel per human judgment and kind."""
    judgments = list(dict.fromkeys(curve.judgment for curve in curves))
    figure, panels = _panels(2, len(judgments), 4.6, sharex=True, sharey="row")
    for (row, kind), (column, judgment) in product(enumerate(KINDS), enumerate(judgments)):
        axes = panels[row, column]
        axes.axvline(2, color=GREY, linewidth=0.8, linestyle=":")
        axes.axhline(0, color=GREY, linewidth=0.8)
        for curve in curves:
            if curve.judgment == judgment:
                axes.plot(BETAS, curve.correlations[row], **LOOKS[curve.metric])
        if row == 0:
            axes.set_title(judgment)
        if column == 0:
            axes.set_ylabel({"r": "Pearson r", "ρ": "Spearman ρ"}[kind])
        axes.set_xlim(0, 5)
        axes.set_xticks(range(6))
    for axes in panels[-1]:
        axes.set_xlabel("β")
    beside = {"xy": (2, 0), "xytext": (4, 4), "textcoords": "offset points"}
    panels[0, 0].annotate("β = 2", fontsize=8, color=GREY, **beside)
    shown = {curve.metric for curve in curves}
    for metric in (metric for metric in LOOKS if metric in shown):
        panels[0, -1].plot([], [], label=metric, **LOOKS[metric])
    figure.legend(loc="outside lower center", ncols=len(shown), fontsize=8, handlelength=2.6)
    return figure


Panels = dict[str, np.ndarray]  # scores (system,), by what they are


def two_betas(corpus: Corpus, metric: str) -> Panels:
    """Corpus-level scores with beta 1 and with the default, 2."""
    values = system_scores(corpus, metric, beta=[1, 2])
    return {f"{metric}, β = {beta}": of_beta for beta, of_beta in zip((1, 2), values, strict=True)}


def panels_of_systems(bench: Bench) -> dict[str, Panels]:
    """The panels of Figures 4, 5 and 6; metrics whose edits are missing are left out."""
    wanted = {
        "figure5": {"M²": "corpus", "ERRANT": "corpus"},
        "figure6": {"charGREEN": "mean", "M²": "mean"},
    }
    figures = {"figure4": two_betas(bench.corpora["conll14"], "charGREEN")}
    for name, levels in wanted.items():
        found = {m: bench.system_scores("conll14", m, level) for m, level in levels.items()}
        panels = {metric: values for metric, values in found.items() if values is not None}
        if panels:
            figures[name] = panels
    return figures


def wiki(bench: Bench) -> Figure:
    """Draw Figure 2 of the first paper: M², wordGLEU and wordGREEN on Wiki."""
    panels = {}
    for metric in ("M²", "wordGLEU", "wordGREEN"):
        betas = published.BEST_BETAS.get(metric)
        options = {"beta": float(betas[-2])} if betas else {}
        values = bench.system_scores("gmeg-wiki", metric, **options)
        if values is not None:
            title = f"{metric}, β = {betas[-2]}" if betas else metric
            panels[title] = values
    return scatter(bench.corpora["gmeg-wiki"], "Wiki", panels)


def scatter(corpus: Corpus, judgment: str, panels: Panels, left_out: bool = False) -> Figure:
    """Plot human judgment against scores: one panel per title, points labelled.

    With `left_out`, the systems that correlations leave out are shown, too; the others then lie
    close together, so the panels are stacked to be wider.
    """
    shape = (len(panels), 1, 6.4) if left_out else (1, len(panels), 3.9)
    figure, grid = _panels(*shape, sharey=True, sharex=left_out)
    human = corpus.human[judgment]
    shown = corpus.counted | left_out
    names = np.array(list(corpus.systems))
    for axes, (title, values) in zip(grid.flat, panels.items(), strict=True):
        r, rho = correlate(corpus, judgment, values)
        axes.set_title(f"{title}\nr = {r:.3f},  ρ = {rho:.3f}")
        line = np.polyfit(values[corpus.counted], human[corpus.counted], 1)
        ends = np.array([values[corpus.counted].min(), values[corpus.counted].max()])
        axes.plot(100 * ends, np.polyval(line, ends), color="#CCCCCC", linewidth=1, zorder=1)
        for kind, (marker, fill, edge) in SYSTEMS.items():
            some = shown & np.array([_kind(name) == kind for name in names])
            if some.any():
                look = {"marker": marker, "facecolor": fill, "edgecolor": edge, "s": 26}
                axes.scatter(100 * values[some], human[some], label=kind, zorder=3, **look)
        axes.margins(0.14, 0.08)
    for axes in grid[-1]:
        axes.set_xlabel("score, %")
    for axes in grid[:, 0]:
        axes.set_ylabel(f"{judgment}, Expected Wins")
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), fontsize=8)
    figure.draw_without_rendering()  # computes the layout
    figure.set_layout_engine("none")
    for axes, values in zip(grid.flat, panels.values(), strict=True):
        name_points(axes, 100 * values[shown], human[shown], names[shown])
    return figure


# Marker, fill and edge of each kind of system.
SYSTEMS = {
    "system": ("o", BLUE, BLUE),
    "source, unchanged": ("D", "white", "black"),
    "rewritten for fluency": ("^", ORANGE, ORANGE),
}


def _kind(system: str) -> str:
    if system in ("INPUT", "source"):
        return "source, unchanged"
    return "rewritten for fluency" if system in SEEDA_FLUENT else "system"


Box = tuple[float, float, float, float]  # left, low, right, high


def name_points(axes: Axes, x: np.ndarray, y: np.ndarray, names: Sequence[str]) -> None:
    """Label points with names, placed where they hide as little as possible."""
    to_points = 72 / axes.figure.dpi  # independent of the resolution of the file
    points = to_points * axes.transData.transform(np.column_stack([x, y]))
    taken = [(*(point - 4), *(point + 4)) for point in points]
    frame = tuple(to_points * axes.get_window_extent().extents)
    # Points with the nearest neighbours choose first.
    distances = np.linalg.norm(points[:, None] - points, axis=-1)
    for index in np.argsort(np.sort(distances, axis=1)[:, 1:3].sum(axis=1)):
        point, place = points[index], (x[index], y[index])
        how = {"textcoords": "offset points", "fontsize": 7.5, "va": "bottom"}
        text = axes.annotate(names[index], place, (0, 0), zorder=4, **how)
        size = to_points * text.get_window_extent().size + (2, 1)  # with a margin
        boxes = [_beside(point, size, np.array(way)) for way in WAYS]
        costs = [
            10 * sum(_overlap(box, other) for other in taken)
            + 30 * (_area(box) - _overlap(box, frame))
            + rank  # all else being equal, earlier ways are better
            for rank, box in enumerate(boxes)
        ]
        best = int(np.argmin(costs))
        taken.append(boxes[best])
        text.set_position(boxes[best][:2] - point + (1, 0.5))
        if np.hypot(*WAYS[best]) > 8:
            line = {"arrowprops": {"arrowstyle": "-", "color": GREY, "linewidth": 0.6}}
            end = 0.9 * np.array(WAYS[best])
            axes.annotate("", place, end, textcoords="offset points", zorder=2, **line)


# Offsets of a name from its point, in points (1/72 inch): close ones first.
WAYS = [
    (distance * np.cos(angle), distance * np.sin(angle))
    for distance in (6, 11, 17, 24)
    for angle in np.pi / 6 * np.array([0, 6, 3, 9, 1, 11, 5, 7, 2, 10, 4, 8])
]


def _beside(point: np.ndarray, size: np.ndarray, way: np.ndarray) -> Box:
    """A box of this size whose nearest side or corner is offset from the point by `way`."""
    share = np.where(np.abs(way) < 1e-6, 0.5, np.where(way > 0, 0, 1))
    if abs(way[0]) < abs(way[1]):  # rather above or below than beside
        share[0] = 0.5 - 0.5 * way[0] / abs(way[1])
    low = point + way - share * size
    return (*low, *(low + size))


def _overlap(one: Box, other: Box) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0) * max(height, 0)


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def best_betas(stars: Sequence[BetaStar]) -> Figure:
    """Plot the best betas, printed and estimated here, with the range of random splits."""
    figure, ((axes,),) = _panels(1, 1, 0.34 * len(stars) + 1.2)
    bar = {"linewidth": 5, "alpha": 0.35, "solid_capstyle": "butt"}
    cross = {"marker": "x", "color": "black", "markersize": 7, "markeredgewidth": 1.4}
    for row, star in enumerate(stars):
        color = LOOKS[star.metric]["color"]
        axes.plot([star.low, star.high], [row, row], color=color, **bar)
        axes.plot(star.estimate, row, MARKERS[star.metric], color=color)
        axes.plot(star.printed, row, **cross)
    for metric, marker in MARKERS.items():
        color = LOOKS[metric]["color"]
        axes.plot([], [], marker, color=color, label=f"{metric}, split in order")
    axes.plot([], [], color=GREY, label="random splits", **bar)
    axes.plot([], [], linestyle="none", label="printed", **cross)
    axes.set_yticks(range(len(stars)), [f"{s.metric}, {s.judgment} {s.kind}" for s in stars])
    axes.invert_yaxis()
    axes.set_xlabel("estimate of the best β")
    figure.legend(loc="outside lower center", ncols=4, fontsize=8)
    return figure


def intervals(stability: measure.Stability) -> Figure:
    """Plot systems by score, with confidence intervals, beside the human judgment."""
    n = len(stability.names)
    figure, ((left, right),) = _panels(1, 2, 0.27 * n + 0.9, sharey=True, width_ratios=[3, 2])
    rows = np.arange(n)
    ranks = np.argsort(np.argsort(-stability.human)) + 1
    for row, name in enumerate(stability.names):
        marker, fill, edge = SYSTEMS[_kind(name)]
        left.plot(100 * stability.intervals[row], [row, row], color=edge)
        left.plot(100 * stability.scores[row], row, marker, mfc=fill, mec=edge)
        right.plot([0, stability.human[row]], [row, row], color="#D0D0D0", linewidth=1)
        right.plot(stability.human[row], row, marker, mfc=fill, mec=edge)
        place = {"xy": (stability.human[row], row), "xytext": (7, 0), "va": "center"}
        right.annotate(f"{ranks[row]}.", textcoords="offset points", fontsize=8, **place)
    left.set_yticks(rows, [f"{name}  {row + 1}." for row, name in enumerate(stability.names)])
    left.invert_yaxis()
    left.set_title("wordGREEN, %, with 95% intervals")
    right.set_title("human judgment and rank")
    right.set_xlim(0, 1.12 * stability.human.max())
    left.set_xlabel("score, %")
    right.set_xlabel("Expected Wins")
    return figure


def pairs(stability: measure.Stability) -> Figure:
    """Plot which systems differ significantly, and whether people agree which one is better."""
    n = len(stability.names)
    figure, ((axes,),) = _panels(1, 1, 0.3 * n + 0.9)
    looks = {
        "significant, people agree": {"marker": "o", "s": 55, "color": BLUE},
        "significant, people disagree": {"marker": "X", "s": 70, "color": ORANGE},
        "not significant": {"marker": ".", "s": 14, "color": GREY},
    }
    for label, look in looks.items():
        places = [
            (column, row)
            for row, column in zip(*np.triu_indices(n, 1), strict=True)
            if pair_kind(stability, row, column) == label
        ]
        x, y = np.array(places).T if places else ([], [])
        axes.scatter(x, y, label=label, **look)
    axes.set_xticks(range(1, n), stability.names[1:], rotation=45, ha="right")
    axes.set_yticks(range(n - 1), stability.names[:-1])
    axes.set_xlim(0.4, n - 0.4)
    axes.set_ylim(n - 1.4, -0.6)
    axes.set_ylabel("scores higher by wordGREEN …")
    axes.set_xlabel("… than")
    axes.legend(loc="lower left", fontsize=8)
    return figure


def pair_kind(stability: measure.Stability, better: int, worse: int) -> str:
    """Say whether two systems differ and whether people agree; the first one scores higher."""
    if not stability.differ[better, worse]:
        return "not significant"
    agree = stability.human[better] > stability.human[worse]
    return "significant, people agree" if agree else "significant, people disagree"


def ranks(stability: measure.Stability) -> Figure:
    """Plot the probability of each rank when sentences are resampled."""
    n = len(stability.names)
    figure, ((axes,),) = _panels(1, 1, 0.3 * n + 1.1)
    axes.grid(False)
    axes.imshow(stability.rank_probability, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for row, column in np.ndindex(n, n):
        probability = stability.rank_probability[row, column]
        if probability >= 0.005:
            color = "white" if probability > 0.55 else "black"
            text = f"{100 * probability:.0f}"
            axes.text(column, row, text, ha="center", va="center", fontsize=8, color=color)
    axes.set_xticks(range(n), range(1, n + 1))
    axes.set_yticks(range(n), stability.names)
    axes.set_xlabel("rank by wordGREEN when sentences are resampled; probability in %")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    return figure
