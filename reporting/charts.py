"""Numbers to pictures: HTML and SVG that need no script and are legible at any width.

Horizontal positions are percentages and vertical ones pixels, so pictures get wider, but letters
and lines do not. Colours are variables of the page's style. Names are escaped here.
"""

import math
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import accumulate
from typing import NamedTuple

# Colours and shapes repeat after different numbers of systems, so that pairs of them do not.
N_COLORS = 6
_SHAPES = (
    "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
    "M-3.6,-3.6h7.2v7.2h-7.2z",
    "M0,-5L5,0L0,5L-5,0z",
    "M0,-4.6L4.8,3.8H-4.8z",
    "M0,4.6L4.8,-3.8H-4.8z",
)
_LEAST_HEIGHT = 340
_LINE = 17  # the height of a curve's label
_ROW = 28
_WIDEST = 10.5  # a name beside a curve, as a multiple of its letters' size


class Dot(NamedTuple):
    """A row: a value with its interval, and how they are written."""

    name: str
    value: float
    low: float
    high: float
    text: str
    strong: bool = False


def name_html(name: str) -> str:
    """A system's name as markup; the writing direction of names does not affect their context."""
    return f"<bdi>{escape(name)}</bdi>"


class Axis(NamedTuple):
    """A range that ends a little beyond the values, within [0, 1], and round numbers in it."""

    low: float
    high: float
    ticks: list[float]

    @classmethod
    def of(cls, values: Iterable[float], most: int = 6) -> "Axis":
        low, high = min(values := [*values]), max(values)
        margin = 0.04 * (high - low) or abs(high) / 10 or 0.05
        low, high = max(low - margin, 0), min(high + margin, 1)
        power = 10.0 ** math.floor(math.log10((high - low) / most))
        for step in (power * factor for factor in (1, 2, 2.5, 5, 10)):
            first, last = math.ceil(low / step), math.floor(high / step)
            if last - first < most:
                break
        return cls(low, high, [n * step for n in range(first, last + 1)])

    def share(self, value: float) -> float:
        """Where a value lies, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)


def dots(
    caption: str,
    columns: tuple[str, str],
    rows: Sequence[Dot],
    axis: Axis,
    show: Callable[[float], str],
    line: float | None = None,
) -> str:
    """A table whose middle column is a picture: values as dots, intervals as lines, on one axis.

    `columns` are the titles of names and values; `line` is a value to compare with.
    """
    behind = "".join(_vertical(axis.share(tick), "grid", "100%") for tick in axis.ticks)
    behind += "" if line is None else _vertical(axis.share(line), "baseline", "100%")
    marks = "".join(_label(axis.share(tick), 14, show(tick)) for tick in axis.ticks)
    name, value = map(escape, columns)
    return (
        f'<table class="dots"><caption><span>{escape(caption)}</span></caption>'
        f'<thead><tr><th scope="col">{name}</th><td aria-hidden="true"></td>'
        f'<th scope="col">{value}</th></tr></thead>'
        f"<tbody>{''.join(_row(dot, axis, behind) for dot in rows)}</tbody>"
        f'<tfoot aria-hidden="true"><tr><td></td><td class="picture">'
        f'<svg height="20">{marks}</svg></td><td></td></tr></tfoot></table>'
    )


def _row(dot: Dot, axis: Axis, behind: str) -> str:
    value, low, high = (_across(axis.share(each)) for each in (dot.value, dot.low, dot.high))
    return (
        f'<tr{" class=strong" if dot.strong else ""}><th scope="row" title="{escape(dot.name)}">'
        f'{name_html(dot.name)}</th><td class="picture" aria-hidden="true">'
        f'<svg height="{_ROW}">{behind}'
        f'<line class="interval" x1="{low}" x2="{high}" y1="50%" y2="50%"/>'
        f'<circle cx="{value}" cy="50%" r="4.5"/></svg></td><td>{dot.text}</td></tr>'
    )


def _across(place: float) -> str:
    return f"{100 * place:.2f}%"


def _vertical(place: float, kind: str, height: float | str) -> str:
    x = _across(place)
    return f'<line class="{kind}" x1="{x}" x2="{x}" y1="0" y2="{height}"/>'


class Curve(NamedTuple):
    name: str
    values: Sequence[float]


def curves(
    title: str,
    description: str,
    places: Sequence[float],
    labels: Sequence[str],
    series: Sequence[Curve],
    show: Callable[[float], str],
    every: int = 1,
    line: float | None = None,
    axis_title: str = "",
) -> str:
    """Curves with their names at the end; on narrow pages, the names are listed below.

    `places` are from 0 to 1; those at multiples of `every` have a label, and the curves a marker;
    `line` is a place to point out.
    """
    axis = Axis.of(value for curve in series for value in curve.values)
    height = max(_LEAST_HEIGHT, _LINE * len(series))
    behind = _scale(axis, height, show)
    named_places = [*zip(places[::every], labels[::every], strict=True)]
    behind += "".join(_label(place, height + 18, label) for place, label in named_places)
    behind += _label(0.5, height + 38, axis_title)
    behind += "" if line is None else _vertical(line, "baseline", height)
    heights = [[_down(axis, value, height) for value in curve.values] for curve in series]
    ends = _spread([ys[-1] for ys in heights], _LINE, height)
    drawn, key = [], []
    for index, (curve, ys, end) in enumerate(zip(series, heights, ends, strict=True)):
        points, shape = [*zip(places, ys, strict=True)], _SHAPES[index % len(_SHAPES)]
        shape, kind = f'<path d="{shape}"/>', f'class="curve c{index % N_COLORS}"'
        markers = "".join(
            f'<svg x="{_across(x)}" y="{y}">{shape}</svg>' for x, y in points[::every]
        )
        label = _end(curve.name, ys[-1], end, shape)
        drawn.append(f"<g {kind}>{_path(points, height)}{markers}{label}</g>")
        key.append(f"<li {kind}><svg>{shape}</svg>{name_html(curve.name)}</li>")
    return (
        f'<svg class="curves" role="img" height="{height + 44}"><title>{escape(title)}</title>'
        f"<desc>{escape(description)}</desc>{behind}{''.join(drawn)}</svg>"
        f'<ul class="key">{"".join(key)}</ul>'
    )


def _down(axis: Axis, value: float, height: float) -> float:
    return round(height * (1 - axis.share(value)), 1)


def _scale(axis: Axis, height: float, show: Callable[[float], str]) -> str:
    """The vertical axis: horizontal lines and what they stand for."""
    ticks = ((_down(axis, tick, height), show(tick)) for tick in axis.ticks)
    return "".join(
        f'<line class="grid" x1="0" x2="100%" y1="{y}" y2="{y}"/>'
        f'<text x="-8" y="{y}" dy=".35em" text-anchor="end">{text}</text>'
        for y, text in ticks
    )


def _label(place: float, y: float, text: str) -> str:
    return f'<text x="{_across(place)}" y="{y}" text-anchor="middle">{escape(text)}</text>'


def _path(points: Sequence[tuple[float, float]], height: float) -> str:
    path = "L".join(f"{100 * x:.2f},{100 * y / height:.2f}" for x, y in points)
    return (
        f'<svg viewBox="0 0 100 100" height="{height}" preserveAspectRatio="none">'
        f'<path d="M{path}"/></svg>'
    )


def _end(name: str, y: float, label_y: float, shape: str) -> str:
    """A curve's name beside its end, and a line that leads there."""
    return (
        f'<svg class="end" x="100%"><title>{escape(name)}</title>'
        f'<path class="leader" d="M7,{y}L25,{label_y}"/><svg x="32" y="{label_y}">{shape}</svg>'
        f'<text x="42" y="{label_y}" dy=".35em">'
        f'<tspan unicode-bidi="isolate">{escape(_cut(name))}</tspan></text></svg>'
    )


def _cut(name: str) -> str:
    """A name with an ellipsis if it is too wide; SVG cannot cut text, so widths are estimated."""
    widths = [*accumulate(map(_width, name))]
    n_letters = bisect_right(widths, _WIDEST)
    return name if n_letters == len(name) else f"{name[: n_letters - 1]}…"


def _width(letter: str) -> float:
    """About the width of a letter in common fonts, as a share of its size."""
    if letter in "mwMW@%" or unicodedata.east_asian_width(letter) in "WF":
        return 1
    return 0.4 if letter in "fijlrtI.,:;!|'-() " else 0.6


def _spread(places: Sequence[float], gap: float, most: float) -> list[float]:
    """Move labels apart, as little as possible: none covers another or lies below `most`."""
    order = sorted(range(len(places)), key=places.__getitem__)
    # Groups of labels that touch: their number and the sum of where each wants the first to be.
    groups: list[tuple[int, float]] = []
    for index in order:
        groups.append((1, places[index]))
        while len(groups) > 1:
            (n, total), (m, other) = groups[-2:]
            if total / n + n * gap <= other / m:
                break
            groups[-2:] = [(n + m, total + other - m * n * gap)]
    spread = [total / n + position * gap for n, total in groups for position in range(n)]
    moved = [0.0] * len(places)
    for n_below, (index, place) in enumerate(reversed([*zip(order, spread, strict=True)])):
        moved[index] = round(min(place, most - n_below * gap), 1)
    return moved
