"""Results as HTML and pictures for the Space. Visitors' text never becomes markup."""

import base64
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from threading import Lock
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..cli import reports
from ..explanation import REGIONS, Explanation, chip
from .visitors import BETAS, Systems

_GREY = "#6c757d"
# Okabe and Ito's colours; lines and markers tell systems apart as well.
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = "os^Dv<>PXh"
# Text stays text, so that the browser's fonts show every language.
_STYLE = {"svg.fonttype": "none", "font.size": 10, "axes.spines.top": False}
_STYLE |= {"axes.spines.right": False, "axes.edgecolor": _GREY, "svg.hashsalt": "green"}
_drawing = Lock()  # matplotlib's settings are global

CSS = """
.green-tiles {display: flex; flex-wrap: wrap; gap: .6rem; margin: 0 0 .75rem}
.green-tiles div {flex: 1 1 5.5rem; border: 1px solid var(--border-color-primary);
  border-radius: .6rem; padding: .5rem .8rem; background: var(--background-fill-primary)}
.green-tiles dt {font-size: .85rem; opacity: .8}
.green-tiles dd {margin: 0; font-size: 1.6rem; font-weight: 650; font-variant-numeric: tabular-nums}
.green-sentences {margin-top: .8rem}
.prose .green-chip * {color: inherit}
.green-scroll {overflow-x: auto}
.green-grid {display: grid; grid-template: "texts result" auto "orders result" 1fr / 5fr 6fr}
.green-texts {grid-area: texts}
.green-result {grid-area: result}
.green-orders {grid-area: orders}
.prose .green-table {border-collapse: collapse; border: 0; width: 100%;
  font-variant-numeric: tabular-nums}
.prose .green-table :is(th, td) {padding: .35rem .5rem; text-align: right; border: 0;
  border-bottom: 1px solid var(--border-color-primary); white-space: nowrap}
.prose .green-table tr {border: 0}
.prose .green-table tr th:first-child {text-align: left !important; white-space: normal;
  overflow-wrap: anywhere}
.prose .green-table thead th {font-weight: 600; vertical-align: bottom}
.green-table caption {text-align: left; font-weight: 600; padding: .2rem 0}
.green-picture {background: white; border-radius: .6rem; width: 100%; display: block}
.green-problem {border: 2px solid #b02a37; border-radius: .6rem; padding: .7rem 1rem;
  overflow-wrap: anywhere}
.green-pair {display: flex; flex-wrap: wrap; gap: 1.5rem}
.green-pair > div {flex: 1 1 20rem; min-width: 0}
.green-links a {display: inline-block; border: 1px solid var(--border-color-primary);
  border-radius: .5rem; padding: .35rem .9rem; margin: .6rem .5rem 0 0}
.green-note {font-size: .85rem; overflow-wrap: anywhere}
.green-warning {border-left: 4px solid #E69F00; padding: .2rem 0 .2rem .7rem; margin: .6rem 0}
.green-card table {display: block; overflow-x: auto; border: 0 !important}
.green-card :is(th, td) {word-break: normal; overflow-wrap: normal; padding: .35rem .6rem;
  border-color: var(--border-color-primary) !important}
.green-card .md-header-anchor {display: none}
.green-choices .wrap {flex-direction: column; align-items: stretch}
@media (max-width: 768px) {
  .green-grid {grid-template: "texts" "result" "orders" / 100%}
}
@media (max-width: 480px) {
  .prose .green-table :is(th, td) {padding: .3rem .25rem; font-size: .8rem}
  .tab-container button {padding: 0 .45rem; font-size: .85rem}
  .green-tiles {gap: .4rem}
  .green-tiles div {flex-basis: 4.5rem; padding: .4rem .5rem}
  .green-tiles dd {font-size: 1.25rem}
}
"""


def problem(error: Exception) -> str:
    """An error, marked so that screen readers announce it."""
    return f'<div class="green-problem" role="alert"><b>Sorry:</b> {escape(str(error))}</div>'


def note(message: str) -> str:
    return f'<p class="green-note">{escape(message)}</p>'


def warning(message: str) -> str:
    return f'<p class="green-note green-warning"><b>Warning:</b> {escape(message)}.</p>'


def percent(value: float) -> str:
    return reports.percent(value, 2)


def tiles(values: Mapping[str, float]) -> str:
    """A few scores in large type."""
    shown = (
        f"<div><dt>{escape(name)}</dt><dd>{percent(value)}</dd></div>"
        for name, value in values.items()
    )
    return f'<div role="status"><dl class="green-tiles">{"".join(shown)}</dl></div>'


def table(caption: str, headers: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table; the first cell of each row is its header."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in headers)
    body = "".join(
        f'<tr><th scope="row">{escape(str(name))}</th>'
        + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells)
        + "</tr>"
        for name, *cells in rows
    )
    return (
        f'<div class="green-scroll" tabindex="0" role="region" aria-label="{escape(caption)}">'
        f'<table class="green-table"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def summary(explanation: Explanation, warnings: Iterable[str]) -> str:
    """The scores and the sentences."""
    result, options = explanation.result, explanation.options
    values = {f"GREEN (F{options.beta:g})": result["green"]}
    shown = tiles({**values, "Precision": result["precision"], "Recall": result["recall"]})
    shown += "".join(map(warning, warnings))
    return shown + explanation.sentences_to_html(percent) + legend()


def systems(scored: Systems) -> str:
    """One row per system, the signature, and files to download."""
    columns, options = scored.columns, scored.statistics.options
    results = scored.statistics.scoring.results
    rows = []
    for index, name in enumerate(scored.names):
        row = {key: values[index] for key, values in columns.items()}
        tested = [f"{100 * row['difference']:+.2f}", f"{row['p_value']:.4f}"]
        tested += [f"{row['holm']:.4f}"] if "holm" in row else []
        tested = tested if index else ["(baseline)", *[""] * (len(tested) - 1)]
        interval = f"{percent(row['low'])} – {percent(row['high'])}"
        rows.append([name, *(percent(row[key]) for key in results), interval, *tested])
    titles = reports.titles_of_scores(options.order)
    headers = ["system", *(titles.get(key, key) for key in results), "95% interval"]
    headers += ["difference", "p-value", *(["Holm"] if "holm" in columns else [])]
    shown = table(f"{len(scored.texts.references):,} sentences, scores in percent", headers, rows)
    shown += "".join(map(warning, scored.warnings))
    if len(scored.names) > 1:
        about = reports.about_test(options, len(scored.names))
        shown += note(f"p-value against {scored.names[0]}: {about}")
    shown += note(scored.statistics.signature)
    in_order = reports.flat(columns, [scored.statistics])
    return shown + downloads(csv=reports.to_csv(in_order), json=scored.report)


def pair(explanations: Mapping[str, Explanation]) -> str:
    """Explanations side by side."""
    parts = (
        f"<div><h3>{escape(name)}</h3>{explanation.to_html(percent)}</div>"
        for name, explanation in explanations.items()
    )
    return f'<div class="green-pair">{"".join(parts)}</div>{legend()}'


def rows(
    of_all: Mapping[str, float], of_each: Mapping[int, Sequence[float]], warnings: Iterable[str]
) -> str:
    """The scores of a table and of its rows."""
    shown = {name.upper() if name == "green" else name.title(): of_all[name] for name in of_all}
    notes = "".join(map(warning, warnings))
    return (
        tiles(shown)
        + notes
        + table(
            "Each row alone, without the orders that are too long for it",
            ["row", *shown],
            [[number, *map(percent, values)] for number, values in of_each.items()],
        )
    )


def orders(explanation: Explanation) -> str:
    """The contribution of each order."""
    result = explanation.result
    ratios = {"P": result["precisions"], "R": result["recalls"]}
    headers = ["n", *(region.code for region in REGIONS.values()), *ratios]
    rows = []
    for order in range(1, len(explanation.orders) + 1):
        counts = explanation.region_counts(order).values()
        rows.append([order, *counts, *(percent(of_all[order - 1]) for of_all in ratios.values())])
    return table("Order by order", headers, rows)


def legend() -> str:
    """The meaning of codes and colours."""
    shown = (
        chip(f"<b>{region.code}</b> {region.meaning}", name) for name, region in REGIONS.items()
    )
    return f'<p style="line-height: 1.9"><small>{" ".join(shown)}</small></p>'


def venn(explanation: Explanation, order: int) -> str:
    counts = explanation.region_counts(order)
    numbers = ", ".join(f"{REGIONS[name].title} {n}" for name, n in counts.items())
    figure = Figure(figsize=(6, 6))
    description = f"Venn diagram of the {order}-grams: {numbers}"
    return _image(
        figure, lambda: explanation.plot(order, figure.add_axes((0, 0, 1, 1))), description
    )


def bars(scored: Systems) -> str:
    """The systems' scores with their intervals, the first system at the top."""
    names, values = scored.names, scored.columns[scored.statistics.options.metric]
    shown = ", ".join(f"{name} {percent(value)}" for name, value in zip(names, values, strict=True))
    figure = Figure(figsize=(6.4, 0.9 + 0.42 * len(names)), layout="constrained")
    description = f"Bar chart of {_title(scored)}: {shown}"
    return _image(figure, lambda: draw_bars(scored, figure.subplots()), description)


def draw_bars(scored: Systems, ax: Axes) -> None:
    names, columns = scored.names, scored.columns
    metric = scored.statistics.options.metric
    scores, low, high = (100 * np.array(columns[key]) for key in (metric, "low", "high"))
    bounds = np.maximum([scores - low, high - scores], 0)
    look = {"color": "#9cc7e3", "edgecolor": "#0072B2", "ecolor": "black", "capsize": 4}
    ax.barh(range(len(names)), scores, 0.62, xerr=bounds, **look)
    ax.set_yticks(range(len(names)), map(_cut, names), parse_math=False)
    ax.invert_yaxis()
    ax.set(xlim=(0, 100), xlabel=f"{_title(scored)} with its 95% interval")
    ax.grid(axis="x", color="#e9ecef")
    ax.set_axisbelow(True)


def curves(scored: Systems) -> str:
    """GREEN of each system as a function of beta."""
    scores = scored.beta_curves
    best = [scored.names[int(np.argmax(values))] for values in (scores[0], scores[-1])]
    spoken = f"best at beta {BETAS[0]:g}: {best[0]}; at beta {BETAS[-1]:g}: {best[1]}"
    figure = Figure(figsize=(6.4, 3.6), layout="constrained")
    description = f"GREEN of every system against beta; {spoken}"
    return _image(figure, lambda: draw_curves(scored, figure.subplots()), description)


def draw_curves(scored: Systems, ax: Axes) -> None:
    for index, values in enumerate(scored.beta_curves.T):
        look = {"color": _COLORS[index % len(_COLORS)], "marker": _MARKERS[index % 10]}
        look["linestyle"] = ("-", "--")[index // len(_COLORS) % 2]
        # Markers at different places show all systems even if their curves are equal.
        ax.plot(BETAS, 100 * values, markevery=(index % 4, 4), markersize=5, **look)
    beta = scored.statistics.options.beta
    ax.axvline(beta, color=_GREY, linewidth=1, linestyle=(0, (2, 2)))
    ax.set(xscale="log", xlabel="β: weight of recall", ylabel="GREEN")
    ax.set_xlim(BETAS[0] / 1.1, BETAS[-1] * 1.1)
    ticks = [0.25, 0.5, 1, 2, 4]
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
    ax.grid(color="#e9ecef")
    legend = ax.legend(ax.lines[:-1], map(_cut, scored.names), frameon=False, fontsize=9)
    for text in legend.get_texts():
        text.set_parse_math(False)


def _title(scored: Systems) -> str:
    return scored.statistics.scoring.title.format(n=scored.statistics.options.order)


def _cut(name: str) -> str:
    return name if len(name) <= 28 else f"{name[:27]}…"


def _image(figure: Figure, draw: Callable[[], Any], description: str) -> str:
    file = io.BytesIO()
    with _drawing, mpl.rc_context(_STYLE):
        draw()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    data = base64.b64encode(file.getvalue()).decode()
    source = f"data:image/svg+xml;base64,{data}"
    return f'<img class="green-picture" alt="{escape(description)}" src="{source}">'


def downloads(**files: str) -> str:
    """Links that contain whole files, so that nothing stays on the server."""
    kinds = {"csv": "text/csv", "json": "application/json"}
    links = []
    for kind, text in files.items():
        data = base64.b64encode(text.encode()).decode()
        links.append(
            f'<a download="green.{kind}" href="data:{kinds[kind]};base64,{data}">'
            f"Download {kind.upper()}</a>"
        )
    return f'<p class="green-links">{"".join(links)}</p>'
