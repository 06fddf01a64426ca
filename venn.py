"""The Venn diagram of three texts as SVG, with n-grams written in its regions.

The letters in each region are as large as fits. Most n-grams of a sentence lie in the middle, where
a usual Venn diagram has least room, so the circles overlap more than usual. A page's fonts are not
known here, so widths of texts are estimates, rather too large. What the regions mean is not known
here, either.
"""

import math
import unicodedata
from bisect import bisect
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import takewhile
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

# Lengths are multiples of the circles' radius; x points to the right, y upwards.
_RADIUS = 133  # in pixels of the picture
_CENTRES = {"S": (-0.4, 0.23), "C": (0.4, 0.23), "R": (0, -0.46)}
_SIDE = 1.62  # half the width of the picture
_TOP, _BOTTOM = 1.46, -1.78
_STEP = 0.01
_GRID = np.arange(-_SIDE, _SIDE + _STEP, _STEP)
_MARGIN = 0.035  # between text and circles
_FONT_SIZES = np.arange(12, 5.9, -0.5) / _RADIUS
_LINE_HEIGHT = 1.25  # as a multiple of the letters' size
_MOST_CHARACTERS = 20  # of a token
_NARROW, _WIDE = set("fijlrtI.,:;!|'-()[]· \u00a0"), set("mwMW@%…")


class Lobe(NamedTuple):
    """What a region shows."""

    title: str
    labels: Sequence[str]
    outcome: str  # pages may set its colours as variables
    fill: str
    ink: str


class _Line(NamedTuple):
    """A line of text and its centre."""

    text: str
    x: float
    y: float


class _Room(NamedTuple):
    """Where the lines of a region may lie."""

    axis: float  # the best middle of a line
    rows: list[tuple[float, float]]  # where the longest line that begins in a row begins and ends


def draw(lobes: Mapping[str, Lobe], names: Mapping[str, str], order: int, description: str) -> str:
    """The picture: lobes by the circles that share them, such as "SC", and the circles' names."""
    parts = []
    for members in sorted(lobes, key=len):  # the inner ones cover the outer ones
        points = " ".join("{},{}".format(*_pixels(x, y)) for x, y in _outline(members))
        fill = _fill(lobes[members].outcome, lobes[members].fill)
        parts.append(f'<polygon points="{points}" {fill}/>')
    aside = 'fill="currentColor" font-size="12" font-style="italic"'
    for name, (x, y) in _CENTRES.items():
        cx, cy = _pixels(x, y)
        stroke = 'fill="none" stroke="currentColor" stroke-width="1.3" opacity=".75"'
        parts.append(f'<circle cx="{cx}" cy="{cy}" r="{_RADIUS}" {stroke}/>')
        parts.append(_text(_Line(names[name], x, y + (-1.08 if name == "R" else 1.08)), aside))
    parts.append(_text(_Line(f"{order}-grams", -1.35, -1.72), aside))
    for members, lobe in lobes.items():
        lines, font_size = _lay_out(members, lobe, order)
        look = f'{_fill(f"{lobe.outcome}-ink", lobe.ink)} font-size="{_RADIUS * font_size:g}"'
        for index, line in enumerate(lines):
            parts.append(_text(line, look if index else f'{look} font-weight="700"'))
    width, height = _pixels(_SIDE, _BOTTOM)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="venn" role="img" width="{width}" '
        f'viewBox="0 0 {width} {height}" style="max-width: 100%; height: auto" '
        f'font-family="sans-serif" text-anchor="middle">'
        f"<title>{escape(description)}</title>{''.join(parts)}</svg>"
    )


def _pixels(x: float, y: float) -> tuple[float, float]:
    return round(_RADIUS * (x + _SIDE), 1), round(_RADIUS * (_TOP - y), 1)


def _fill(variable: str, color: str) -> str:
    """A colour that pages may set as a variable; not all programs that show SVG know these."""
    return f'fill="{color}" style="fill: var(--green-{variable}, {color})"'


def _text(line: _Line, look: str) -> str:
    x, y = _pixels(line.x, line.y)
    return f'<text x="{x}" y="{y}" dy=".35em" {look}>{escape(line.text)}</text>'


def _outline(members: str) -> np.ndarray:
    """The intersection of circles as a polygon (point, axis)."""
    angles = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    centres = np.array([_CENTRES[name] for name in members])
    points = np.concatenate([centre + circle for centre in centres])
    within = [np.hypot(*(points - centre).T) < 1 + 1e-9 for centre in centres]
    points = points[np.all(within, axis=0)]
    middle = points.mean(axis=0)
    return points[np.argsort(np.arctan2(*(points - middle).T))]


def _lay_out(members: str, lobe: Lobe, order: int) -> tuple[list[_Line], float]:
    """A region's title and n-grams as lines, and the size of their letters, the largest that fits.

    Where even the smallest letters are too large, as many n-grams as fit, and the number of others.
    """
    gap = "\u00a0\u00a0" if order == 1 else " "  # SVG collapses plain spaces
    for font_size in _FONT_SIZES:
        room = _room(members, math.ceil(font_size * _LINE_HEIGHT / _STEP))
        lines = _wrap(room, _pieces(lobe.title, lobe.labels, order), gap, font_size)
        if lines is not None:
            return lines, font_size
    n_labels = len(lobe.labels)

    def wrap_first(n: int) -> list[_Line] | None:
        pieces = [*_pieces(lobe.title, lobe.labels[:n], order), f"… +{n_labels - n}"]
        return _wrap(room, pieces, gap, font_size)

    n_that_fit = bisect(range(n_labels), False, key=lambda n: wrap_first(n) is None) - 1
    return wrap_first(max(n_that_fit, 0)) or [], font_size


def _pieces(title: str, labels: Sequence[str], order: int) -> list[str]:
    """The unbreakable pieces: the title, then the tokens, with dots between n-grams."""
    if order > 1:
        dotted = [*(f"{label}\u00a0·" for label in labels[:-1]), *labels[-1:]]
        labels = [token for label in dotted for token in label.split(" ")]
    most = _MOST_CHARACTERS
    return [title, *(f"{text[: most - 1]}…" if len(text) > most else text for text in labels)]


@lru_cache
def _room(members: str, n_per_line: int) -> _Room:
    x, y = np.meshgrid(_GRID, -_GRID)
    is_free = np.ones(x.shape, dtype=bool)  # well inside the region: (row, column)
    for name, (centre_x, centre_y) in _CENTRES.items():
        from_centre = np.hypot(x - centre_x, y - centre_y)
        is_free &= from_centre < 1 - _MARGIN if name in members else from_centre > 1 + _MARGIN
    fits = sliding_window_view(is_free, n_per_line, axis=0).all(axis=-1)
    columns = np.arange(1, fits.shape[1] + 1)
    lengths = columns - np.maximum.accumulate(np.where(fits, 0, columns), axis=1)
    ends = lengths.argmax(axis=1)
    longest = lengths[np.arange(len(lengths)), ends]
    # No text beside a hole: rows that a circle splits into two equal stretches have none.
    longest[(lengths == longest[:, None]).sum(axis=1) > 1] = 0
    starts = _GRID[ends] - longest * _STEP
    rows = zip(starts.tolist(), _GRID[ends].tolist(), strict=True)
    return _Room(float(np.average(_GRID, weights=is_free.sum(axis=0))), [*rows])


def _wrap(room: _Room, pieces: Sequence[str], gap: str, font_size: float) -> list[_Line] | None:
    """Lines in the middle of the region; None if they do not fit."""
    free = [row for row, (start, end) in enumerate(room.rows) if start < end]
    starts = free[:: max(1, len(free) // 40)]
    wrapped = (_wrap_from(row, room, pieces, gap, font_size) for row in starts)
    candidates = [*takewhile(bool, wrapped)]  # what does not fit does not fit further down
    heights = [lines[0].y - lines[-1].y for lines in candidates]
    most = min(heights, default=0) + _STEP / 2  # others skip rows
    closest = [lines for lines, y in zip(candidates, heights, strict=True) if y < most]
    return closest[len(closest) // 2] if closest else None


def _wrap_from(
    row: int, room: _Room, pieces: Sequence[str], gap: str, font_size: float
) -> list[_Line] | None:
    n_per_line = len(_GRID) - len(room.rows) + 1
    lines, done = [], 0
    while done < len(pieces):
        if row >= len(room.rows):
            return None
        start, end = room.rows[row]
        n_pieces, width = 0, 0.0
        most = len(pieces) - done if done else 1  # the title has a line of its own
        while n_pieces < most:
            longer = text_width(gap.join(pieces[done : done + n_pieces + 1])) * font_size
            if longer > end - start:
                break
            n_pieces, width = n_pieces + 1, longer
        if not n_pieces:
            row += 1
            continue
        x = min(max(room.axis, start + width / 2), end - width / 2)
        y = -_GRID[row] - n_per_line * _STEP / 2
        lines.append(_Line(gap.join(pieces[done : done + n_pieces]), x, y))
        done, row = done + n_pieces, row + n_per_line
    return lines


def text_width(text: str) -> float:
    """About the width of a text in bold letters of a common font, as a multiple of their size."""
    return sum(map(_character_width, text))


@lru_cache(maxsize=10_000)
def _character_width(character: str) -> float:
    if unicodedata.combining(character):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return 1
    if character in _NARROW:
        return 0.4
    return 0.95 if character in _WIDE else 0.78 if character.isupper() else 0.66
