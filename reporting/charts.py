"""Numbers to pictures: HTML and SVG that need no script and are legible at any width.

Horizontal positions are percentages and vertical ones pixels, so pictures get wider, but letters
and lines do not. Colours are variables of the page's style. Names are escaped here. What is drawn
is for `sections` to choose.
"""

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from .analysis import Series
from .markup import name_html

# Paths of the curves' markers.
_SHAPES = (
    "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
    "M-3.6,-3.6h7.2v7.2h-7.2z",
    "M0,-5L5,0L0,5L-5,0z",
    "M0,-4.6L4.8,3.8H-4.8z",
    "M0,4.6L4.8,-3.8H-4.8z",
)
_HEIGHT = 340
_ROW_HEIGHT = 28
_LEAST_SPAN = 0.01  # of an axis; smaller differences are not worth a picture
_MOST_TICKS = 6


class Axis(NamedTuple):
    """A range of values, and round numbers in it with what is written there."""

    low: float
    high: float
    ticks: dict[float, str]

    @classmethod
    def of_scores(cls, values: Sequence[float]) -> "Axis":
        """An axis in percent that ends a little beyond the values, within [0, 1]."""
        low, high = min(values), max(values)
        margin = max(0.04 * (high - low), (_LEAST_SPAN - (high - low)) / 2)
        low, high = min(low - margin, 1 - _LEAST_SPAN), max(high + margin, _LEAST_SPAN)
        low, high = max(low, 0), min(high, 1)
        power = 10.0 ** math.floor(math.log10((high - low) / _MOST_TICKS))
        for step in (power * factor for factor in (1, 2, 2.5, 5, 10)):
            first, last = math.ceil(low / step), math.floor(high / step)
            if last - first < _MOST_TICKS:
                break
        digits = len(f"{100 * step:.6g}".partition(".")[2])
        ticks = [n * step for n in range(first, last + 1)]
        return cls(low, high, {tick: f"{100 * tick:.{digits}f}" for tick in ticks})

    def share(self, value: float) -> float:
        """Where a value lies, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)


class Dot(NamedTuple):
    """A row: a value with its interval, and how they are written."""

    name: str
    value: float
    low: float
    high: float
    text: str


def dots(
    caption: str, title: str, rows: Sequence[Dot], axis: Axis, line: float | None = None
) -> str:
    """A table whose middle column is a picture: values as dots, intervals as lines, on one axis.

    `title` is that of the values; `line` is a value to compare with.
    """
    behind = "".join(_vertical(axis.share(tick), "grid", "100%") for tick in axis.ticks)
    behind += "" if line is None else _vertical(axis.share(line), "baseline", "100%")
    marks = "".join(_label(axis.share(tick), 14, text) for tick, text in axis.ticks.items())
    return (
        f'<table class="dots"><caption><span>{escape(caption)}</span></caption>'
        f'<thead><tr><th scope="col">system</th><td aria-hidden="true"></td>'
        f'<th scope="col">{escape(title)}</th></tr></thead>'
        f"<tbody>{''.join(_row(dot, axis, behind) for dot in rows)}</tbody>"
        f'<tfoot aria-hidden="true"><tr><td></td><td class="picture">'
        f'<svg height="20">{marks}</svg></td><td></td></tr></tfoot></table>'
    )


def _row(dot: Dot, axis: Axis, behind: str) -> str:
    value, low, high = (_across(axis.share(each)) for each in (dot.value, dot.low, dot.high))
    return (
        f'<tr><th scope="row">{name_html(dot.name)}</th><td class="picture" aria-hidden="true">'
        f'<svg height="{_ROW_HEIGHT}">{behind}'
        f'<line class="interval" x1="{low}" x2="{high}" y1="50%" y2="50%"/>'
        f'<circle cx="{value}" cy="50%" r="4.5"/></svg></td><td>{dot.text}</td></tr>'
    )


def _across(place: float) -> str:
    return f"{100 * place:.2f}%"


def _vertical(place: float, kind: str, height: float | str) -> str:
    x = _across(place)
    return f'<line class="{kind}" x1="{x}" x2="{x}" y1="0" y2="{height}"/>'


def _label(place: float, y: float, text: str) -> str:
    return f'<text x="{_across(place)}" y="{y}" text-anchor="middle">{escape(text)}</text>'


def curves(
    title: str, description: str, names: Sequence[str], series: Series, n_colored: int
) -> str:
    """Curves with their names below; the first one covers the others.

    Those after the first few are grey and have no names until the reader chooses one.
    """
    axis, drawn, key = Axis.of_scores(series.values.ravel()), [], []
    for look, (name, values) in enumerate(zip(names, series.values.T.tolist(), strict=True)):
        kind = f'class="curve c{look}"'
        if look >= n_colored:
            kind, look = f'class="curve c{n_colored} grey" data-curve="{look}"', n_colored
        shape = f'<path d="{_SHAPES[look % len(_SHAPES)]}"/>'
        points = [(n / (len(values) - 1), _down(axis, value)) for n, value in enumerate(values)]
        path = "L".join(f"{100 * x:.2f},{y}" for x, y in points)
        markers = "".join(
            f'<svg class="marker" x="{_across(x)}" y="{y}">{shape}</svg>' for x, y in points
        )
        drawn.append(
            f"<g {kind}><title>{escape(name)}</title>"
            f'<svg viewBox="0 0 100 {_HEIGHT}" height="{_HEIGHT}" preserveAspectRatio="none">'
            f'<path d="M{path}"/></svg>{markers}</g>'
        )
        key.append(f"<li {kind}><svg>{shape}</svg>{name_html(name)}</li>")
    return (
        f'<svg class="curves" role="img" height="{_HEIGHT + 44}"><title>{escape(title)}</title>'
        f"<desc>{escape(description)}</desc>{_background(axis, series)}"
        f"{''.join(reversed(drawn))}</svg>"
        f'<ul class="key">{"".join(key)}</ul>'
    )


def _background(axis: Axis, series: Series) -> str:
    """Both axes, and the line that points out a position."""
    parts = [_label(0.5, _HEIGHT + 38, series.title)]
    for tick, text in axis.ticks.items():
        y = _down(axis, tick)
        parts.append(f'<line class="grid" x1="0" x2="100%" y1="{y}" y2="{y}"/>')
        parts.append(f'<text x="-8" y="{y}" dy=".35em" text-anchor="end">{text}</text>')
    for n, label in enumerate(series.labels):
        parts.append(_label(n / (len(series.labels) - 1), _HEIGHT + 18, label))
    if series.line is not None:
        parts.append(_vertical(series.line, "baseline", _HEIGHT))
    return "".join(parts)


def _down(axis: Axis, value: float) -> float:
    return round(_HEIGHT * (1 - axis.share(value)), 1)
