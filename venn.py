"""The picture: a Venn diagram of three texts with n-grams written in its regions.

The letters in each region are as large as fits, and the circles overlap as much as suits all
regions: most n-grams of a sentence lie in the middle, where a usual Venn diagram has least room.
"""

import math
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ANGLES = {"S": 150, "C": 30, "R": 270}  # of the circles' centres, in degrees
_DISTANCES = (0.62, 0.54, 0.46, 0.38)  # of the centres from the middle; the circles' radius is 1
_SIZES = np.arange(12, 5.9, -0.5)  # of letters, in points
_LINE = 1.25  # the height of a line, in units of the letters' size
_STEP = 0.01
_SIDE = 1.62  # half the width of the picture
_GRID = np.arange(-_SIDE, _SIDE + _STEP, _STEP)
_MARGIN = 0.035  # between text and circles
_LONGEST = 28  # characters of a token
_UNIT = 133  # pixels of SVG
_NARROW, _WIDE = set("fijlrtI.,:;!|'()[]· \u00a0"), set("mwMW@%…")


class Lobe(NamedTuple):
    """What a region shows."""

    title: str
    labels: Sequence[str]
    outcome: str
    fill: str
    ink: str


# Names of fonts; later ones provide the characters that the first ones lack. SVG has none.
Fonts = tuple[str, ...]


class _Piece(NamedTuple):
    """Text that stays on one line, and its width at font size 1."""

    text: str
    width: float

    @staticmethod
    def of(text: str, fonts: Fonts) -> "_Piece":
        return _Piece(text, _width(text, fonts))


class _Layout(NamedTuple):
    """The lines of a region, each with its centre, and the size of their letters."""

    lines: list[tuple[str, float, float]]
    size: float
    n_left_out: int


def draw(
    lobes: Mapping[str, Lobe], names: Mapping[str, str], order: int, ax: "Axes | None" = None
) -> "Axes":
    """Draw the regions, named after the texts they belong to, and their n-grams."""
    try:
        from matplotlib.patches import Circle, Polygon
    except ImportError as error:
        raise ImportError("plotting needs matplotlib: pip install matplotlib") from error
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.figure(figsize=(6, 6)).add_axes((0, 0, 1, 1))
    ax.set(xlim=(-_SIDE, _SIDE), ylim=(-1.78, 1.46), aspect="equal")
    ax.set_axis_off()
    ax.apply_aspect()
    points = max(ax.get_window_extent().width / ax.figure.dpi * 72 / (2 * _SIDE), 1)  # in a unit
    fonts = _fonts("".join(label for lobe in lobes.values() for label in lobe.labels))
    distance, layouts = _best_layout(lobes, order, points, fonts)
    centres, small = _centres(distance), min(11, points / 12)
    for members in sorted(lobes, key=len):  # the inner ones cover the outer ones
        outline = _outline([centres[name] for name in members])
        ax.add_patch(Polygon(outline, facecolor=lobes[members].fill, edgecolor="none"))
    for name, centre in centres.items():
        ax.add_patch(Circle(centre, 1, facecolor="none", edgecolor="#495057", linewidth=1.4))
        x, y = centre[0], centre[1] + (-1.08 if name == "R" else 1.08)
        ax.text(x, y, names[name], size=small, ha="center", va="center", style="italic")
    ax.text(-1.58, -1.72, f"{order}-grams", size=small, ha="left", va="center", style="italic")
    for members, layout in layouts.items():
        look = {"size": layout.size, "color": lobes[members].ink, "family": list(fonts)}
        look |= {"ha": "center", "va": "center", "parse_math": False}
        for index, (text, x, y) in enumerate(layout.lines):
            ax.text(x, y, text, weight="normal" if index else "bold", **look)
    return ax


def to_svg(
    lobes: Mapping[str, Lobe], names: Mapping[str, str], order: int, description: str
) -> str:
    """The picture as SVG, in colours that pages may set as variables.

    A page's fonts are not known here, so the widths of texts are estimates, rather too large.
    """
    distance, layouts = _best_layout(lobes, order, _UNIT, fonts=())
    centres, parts = _centres(distance), []

    def at(x: float, y: float) -> tuple[float, float]:
        return round(_UNIT * (x + _SIDE), 1), round(_UNIT * (1.46 - y), 1)

    def text(content: str, x: float, y: float, look: str) -> None:
        x, y = at(x, y)
        parts.append(f'<text x="{x}" y="{y}" dy=".35em" {look}>{escape(content)}</text>')

    for members in sorted(lobes, key=len):  # the inner ones cover the outer ones
        outline = _outline([centres[name] for name in members], n_points=120)
        points = " ".join("{},{}".format(*at(*point)) for point in outline)
        fill = f"var(--green-{lobes[members].outcome}, {lobes[members].fill})"
        parts.append(f'<polygon points="{points}" style="fill: {fill}"/>')
    aside = 'text-anchor="middle" style="fill: currentColor; font: italic 12px sans-serif"'
    for name, (x, y) in centres.items():
        cx, cy = at(x, y)
        line = 'style="fill: none; stroke: currentColor; stroke-width: 1.3; opacity: .75"'
        parts.append(f'<circle cx="{cx}" cy="{cy}" r="{_UNIT}" {line}/>')
        text(names[name], x, y + (-1.08 if name == "R" else 1.08), aside)
    text(f"{order}-grams", -1.35, -1.72, aside)
    for members, layout in layouts.items():
        ink = f"var(--green-{lobes[members].outcome}-ink, {lobes[members].ink})"
        for index, (content, x, y) in enumerate(layout.lines):
            font = f"{400 if index else 700} {layout.size:g}px sans-serif"
            look = f'text-anchor="middle" style="fill: {ink}; font: {font}; white-space: pre"'
            text(content, x, y, look)
    width, height = at(_SIDE, -1.78)
    return (
        f'<svg class="venn" role="img" viewBox="0 0 {width} {height}">'
        f"<title>{escape(description)}</title>{''.join(parts)}</svg>"
    )


def _best_layout(
    lobes: Mapping[str, Lobe], order: int, points: float, fonts: Fonts
) -> tuple[float, dict[str, _Layout]]:
    """The distance of the circles with which all texts fit best, and where they lie."""
    return max(
        ((distance, _lay_out(lobes, distance, order, points, fonts)) for distance in _DISTANCES),
        key=lambda pair: (
            -sum(layout.n_left_out for layout in pair[1].values()),
            min(layout.size for layout in pair[1].values()),
        ),
    )


def _centres(distance: float) -> dict[str, np.ndarray]:
    angles = {name: np.radians(angle) for name, angle in _ANGLES.items()}
    return {
        name: distance * np.array([np.cos(angle), np.sin(angle)]) for name, angle in angles.items()
    }


def _outline(centres: Sequence[np.ndarray], n_points: int = 720) -> np.ndarray:
    """The intersection of circles as a polygon (point, axis)."""
    angles = np.linspace(0, 2 * np.pi, n_points, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    points = np.concatenate([centre + circle for centre in centres])
    within = [np.hypot(*(points - centre).T) < 1 + 1e-9 for centre in centres]
    points = points[np.all(within, axis=0)]
    middle = points.mean(axis=0)
    return points[np.argsort(np.arctan2(*(points - middle).T))]


def _lay_out(
    lobes: Mapping[str, Lobe], distance: float, order: int, points: float, fonts: Fonts
) -> dict[str, _Layout]:
    """Lay out each region's title and n-grams in the largest letters that fit."""
    gap = _Piece.of("\u00a0\u00a0" if order == 1 else " ", fonts)  # SVG collapses plain spaces
    found = {}
    for members, lobe in lobes.items():
        pieces = _pieces(lobe.title, lobe.labels, order, fonts)
        for size in _SIZES:
            rows = _rows(members, distance, math.ceil(size * _LINE / points / _STEP))
            lines = _fill(rows, pieces, gap, size / points)
            if lines is not None:
                found[members] = _Layout(lines, size, 0)
                break
        else:
            found[members] = _cut(lobe, order, rows, gap, size, points, fonts)
    return found


def _pieces(title: str, labels: Sequence[str], order: int, fonts: Fonts) -> list[_Piece]:
    """The unbreakable pieces: the title, then the tokens, with dots between n-grams."""
    if order > 1:
        dotted = [*(f"{label}\u00a0·" for label in labels[:-1]), *labels[-1:]]
        labels = [piece for label in dotted for piece in label.split(" ")]
    cut = (f"{label[: _LONGEST - 1]}…" if len(label) > _LONGEST else label for label in labels)
    return [_Piece.of(text, fonts) for text in (title, *cut)]


@lru_cache(maxsize=1024)
def _rows(members: str, distance: float, n_rows: int) -> tuple[list[float], list[float]]:
    """The length and the middle of the longest free stretch for a line, by its first row.

    A line is `n_rows` rows of the grid high.
    """
    is_free = _free(members, distance)
    n_free = np.cumsum(np.pad(is_free, ((1, 0), (0, 0))), axis=0, dtype=np.int32)
    fits = n_free[n_rows:] - n_free[:-n_rows] == n_rows  # (row, column)
    columns = np.arange(1, fits.shape[1] + 1)
    lengths = columns - np.maximum.accumulate(np.where(fits, 0, columns), axis=1)
    ends = lengths.argmax(axis=1)
    longest = lengths[np.arange(len(lengths)), ends]
    middles = _GRID[ends] - (longest - 1) * _STEP / 2
    return (longest * _STEP).tolist(), middles.tolist()


@lru_cache
def _free(members: str, distance: float) -> np.ndarray:
    """Whether each point of the grid (row, column) lies well inside a region."""
    x, y = np.meshgrid(_GRID, -_GRID)
    is_free = np.ones(x.shape, dtype=bool)
    for name, centre in _centres(distance).items():
        from_centre = np.hypot(x - centre[0], y - centre[1])
        is_free &= from_centre < 1 - _MARGIN if name in members else from_centre > 1 + _MARGIN
    return is_free


def _fill(
    rows: tuple[list[float], list[float]], pieces: Sequence[_Piece], gap: _Piece, scale: float
) -> list[tuple[str, float, float]] | None:
    """Lines with their centres, in the middle of the region; None if they do not fit."""
    free = [row for row, length in enumerate(rows[0]) if length > 0]
    candidates = []
    for first in free[:: max(1, len(free) // 40)]:
        lines = _fill_from(first, rows, pieces, gap, scale)
        if lines is None:
            break
        candidates.append(lines)
    return candidates[len(candidates) // 2] if candidates else None


def _fill_from(
    row: int,
    rows: tuple[list[float], list[float]],
    pieces: Sequence[_Piece],
    gap: _Piece,
    scale: float,
) -> list[tuple[str, float, float]] | None:
    lengths, middles = rows
    n_rows = len(_GRID) - len(lengths) + 1  # per line
    lines, done = [], 0
    while done < len(pieces):
        if row >= len(lengths):
            return None
        end, width = done, -gap.width * scale
        while end < len(pieces) and (done or end == 0):  # the title has a line of its own
            wider = width + (pieces[end].width + gap.width) * scale
            if wider > lengths[row]:
                break
            end, width = end + 1, wider
        if end == done:
            row += 1
            continue
        y = -_GRID[row] - n_rows * _STEP / 2
        text = gap.text.join(piece.text for piece in pieces[done:end])
        lines.append((text, middles[row], y))
        done, row = end, row + n_rows
    return lines


def _cut(
    lobe: Lobe,
    order: int,
    rows: tuple[list[float], list[float]],
    gap: _Piece,
    size: float,
    points: float,
    fonts: Fonts,
) -> _Layout:
    """As many n-grams as fit in small letters, and the number of those left out."""
    labels = lobe.labels
    least, most = 0, len(labels) - 1
    layout = _Layout([], size, len(labels))
    while least <= most:
        n = (least + most) // 2
        pieces = _pieces(lobe.title, labels[:n], order, fonts)
        pieces.append(_Piece.of(f"… +{len(labels) - n}", fonts))
        lines = _fill(rows, pieces, gap, size / points)
        if lines is None:
            most = n - 1
        else:
            layout, least = _Layout(lines, size, len(labels) - n), n + 1
    return layout


@lru_cache(maxsize=10_000)
def _width(text: str, fonts: Fonts) -> float:
    """The width of a text at font size 1; a character that no font has is a square.

    Without fonts, it is an estimate for bold letters.
    """
    if not fonts:
        return sum(map(_width_of_character, text))
    from matplotlib.font_manager import FontProperties, findfont
    from matplotlib.textpath import text_to_path

    paths = [findfont(FontProperties(family=[font])) for font in fonts]
    known = "".join(c for c in text if any(ord(c) in _characters(path) for path in paths))
    font = FontProperties(family=list(fonts), size=100, weight="bold")
    width, _, _ = text_to_path.get_text_width_height_descent(known or " ", font, ismath=False)
    return width / 100 + len(text) - len(known)


def _width_of_character(character: str) -> float:
    if unicodedata.combining(character):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return 1
    if character in _NARROW:
        return 0.4
    return 0.95 if character in _WIDE else 0.78 if character.isupper() else 0.66


def _fonts(text: str) -> Fonts:
    """The usual fonts and, if they lack characters, a font that has them, if any."""
    from matplotlib import font_manager, rcParams

    usual = tuple(rcParams["font.family"])
    paths = [font_manager.findfont(font_manager.FontProperties(family=[font])) for font in usual]
    missing = set(map(ord, text)).difference(*map(_characters, paths))
    others = (font for font in font_manager.fontManager.ttflist if "Last Resort" not in font.name)
    more = (font.name for font in others if missing <= _characters(font.fname))
    return (*usual, *islice(more, 1)) if missing else usual


@cache
def _characters(path: str) -> frozenset[int]:
    """The characters of a font."""
    from matplotlib.font_manager import get_font

    return frozenset(get_font(path).get_charmap())
