"""Numbers to pictures: HTML and SVG that need no script and are legible at any width.

Horizontal positions are percentages and vertical ones pixels, so pictures get wider, but letters
and lines do not. Colours are variables of the page's style. Names are escaped here.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
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
_LONGEST = 24  # characters of a name beside a curve


class Dot(NamedTuple):
    """A row: a value with its interval, and how they are written."""

    name: str
    value: float
    low: float
    high: float
    text: str
    strong: bool = False


def named(name: str) -> str:
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

    def at(value: float) -> str:
        return f"{100 * axis.share(value):.2f}%"

    def vertical(value: float, kind: str) -> str:
        return f'<line class="{kind}" x1="{at(value)}" x2="{at(value)}" y1="0" y2="100%"/>'

    behind = "".join(vertical(tick, "grid") for tick in axis.ticks)
    behind += "" if line is None else vertical(line, "baseline")

    def picture(dot: Dot) -> str:
        return (
            f'<svg height="{_ROW}">{behind}'
            f'<line class="interval" x1="{at(dot.low)}" x2="{at(dot.high)}" y1="50%" y2="50%"/>'
            f'<circle cx="{at(dot.value)}" cy="50%" r="4.5"/></svg>'
        )

    body = "".join(
        f'<tr{" class=strong" if dot.strong else ""}><th scope="row" title="{escape(dot.name)}">'
        f'{named(dot.name)}</th><td class="picture" aria-hidden="true">{picture(dot)}</td>'
        f"<td>{dot.text}</td></tr>"
        for dot in rows
    )
    marks = "".join(
        f'<text x="{at(tick)}" y="14" text-anchor="middle">{show(tick)}</text>'
        for tick in axis.ticks
    )
    name, value = map(escape, columns)
    return (
        f'<table class="dots"><caption><span>{escape(caption)}</span></caption>'
        f'<thead><tr><th scope="col">{name}</th><td aria-hidden="true"></td>'
        f'<th scope="col">{value}</th></tr></thead><tbody>{body}</tbody>'
        f'<tfoot aria-hidden="true"><tr><td></td><td class="picture">'
        f'<svg height="20">{marks}</svg></td><td></td></tr></tfoot></table>'
    )


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
    """Curves with their names at the end.

    `places` are from 0 to 1; every so many have a label and the curves a marker; `line` is a place
    to point out.
    """
    marked = range(0, len(places), every)
    axis = Axis.of(value for curve in series for value in curve.values)
    height = max(_LEAST_HEIGHT, _LINE * len(series))

    def across(place: float) -> str:
        return f"{100 * place:.2f}%"

    def down(value: float) -> float:
        return round(height * (1 - axis.share(value)), 1)

    behind = "".join(
        f'<line class="grid" x1="0" x2="100%" y1="{down(tick)}" y2="{down(tick)}"/>'
        f'<text x="-8" y="{down(tick)}" dy=".35em" text-anchor="end">{show(tick)}</text>'
        for tick in axis.ticks
    )
    behind += "".join(
        f'<text x="{across(places[n])}" y="{height + 18}" text-anchor="middle">'
        f"{escape(labels[n])}</text>"
        for n in marked
    )
    behind += f'<text x="50%" y="{height + 38}" text-anchor="middle">{escape(axis_title)}</text>'
    if line is not None:
        x = across(line)
        behind += f'<line class="baseline" x1="{x}" x2="{x}" y1="0" y2="{height}"/>'
    ends = _spread([down(curve.values[-1]) for curve in series], _LINE, height)
    drawn = []
    for index, (curve, end) in enumerate(zip(series, ends, strict=True)):
        heights = [down(value) for value in curve.values]
        path = "L".join(
            f"{100 * x:.2f},{100 * y / height:.2f}" for x, y in zip(places, heights, strict=True)
        )
        shape = f'<path d="{_SHAPES[index % len(_SHAPES)]}"/>'
        markers = "".join(
            f'<svg x="{across(places[n])}" y="{heights[n]}">{shape}</svg>' for n in marked
        )
        drawn.append(
            f'<g class="curve c{index % N_COLORS}"><svg viewBox="0 0 100 100" height="{height}" '
            f'preserveAspectRatio="none"><path d="M{path}"/></svg>{markers}'
            f'<svg x="100%"><path class="leader" d="M7,{heights[-1]}L25,{end}"/>'
            f'<svg x="32" y="{end}">{shape}</svg>'
            f'<text x="42" y="{end}" dy=".35em">{named_text(curve.name)}</text></svg></g>'
        )
    return (
        f'<svg class="curves" role="img" height="{height + 44}"><title>{escape(title)}</title>'
        f"<desc>{escape(description)}</desc>{behind}{''.join(drawn)}</svg>"
    )


def named_text(name: str) -> str:
    """A name in a picture, cut if it is long."""
    cut = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
    return f'<tspan unicode-bidi="isolate">{escape(cut)}</tspan>'


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
    found = [0.0] * len(places)
    for n_below, (index, place) in enumerate(reversed([*zip(order, spread, strict=True)])):
        found[index] = round(min(place, most - n_below * gap), 1)
    return found
