"""Findings to the sections of a page: pictures and tables of one score."""

import math
from html import escape
from itertools import combinations
from typing import Any

from ..options import format_number
from . import charts, figures, tables
from .charts import Axis, Curve, Dot
from .figures import SMALL
from .findings import MARKED, MOST_PAIRED, Findings, Series
from .tables import Cell

# Curves show the best systems, so that they can be told apart.
MOST_CURVES = 12
_MINUS = "\u2212"
_TOKENS = {"char": "characters", **dict.fromkeys(("word", "13a", "intl"), "words")}


def title_of(found: Findings) -> str:
    return found.statistics.scoring.title.format(n=found.statistics.options.order)


def signed(value: float, digits: int) -> str:
    text = figures.percent(value, digits)
    return f"+{text}" if value > 0 else text.replace("-", _MINUS)


def _interval(found: Findings, system: int, digits: int) -> str:
    bounds = (figures.percent(found.columns[name][system], digits) for name in ("low", "high"))
    return f"[{', '.join(bounds)}]"


def with_interval(found: Findings, system: int, digits: int) -> str:
    """A score and its interval as markup."""
    score = f"<b>{figures.percent(found.scores[system], digits)}</b>"
    if "low" not in found.columns:
        return score
    return f'{score} <span class="interval">{_interval(found, system, digits)}</span>'


def _show_percent(value: float) -> str:
    return f"{100 * value:.6g}".replace("-", _MINUS)


def dots(found: Findings, digits: int) -> str:
    """The systems as dots with their intervals, the best one first."""
    columns, title = found.columns, title_of(found)
    rows = [
        Dot(
            found.names[index],
            *(columns[name][index] for name in (found.statistics.options.metric, "low", "high")),
            with_interval(found, index, digits),
            index == found.baseline,
        )
        for index in found.order
    ]
    level = figures.level(found.statistics.options)
    axis = Axis.of(bound for dot in rows for bound in (dot.low, dot.high))
    start = "; the axis does not start at 0" if axis.low > 0 else ""
    caption, line = f"{title} with {level} intervals, best first{start}.", None
    if found.statistics.options.paired:
        line = found.scores[found.baseline]
        caption += f" The dashed line is the baseline, {found.names[found.baseline]}."
    return charts.dots(caption, ("system", title), rows, axis, _show_percent, line)


def table(found: Findings, digits: int) -> str:
    """All figures of `compare`, and the interval of ranks."""
    columns, options = found.columns, found.statistics.options
    titles = figures.titles_of_scores(options.order)
    heads = {name: titles.get(name, name) for name in found.statistics.scoring.results}
    heads |= {"low": f"{figures.level(options)} interval", "difference": "difference"}
    heads |= {"p_value": "p-value", "holm": "Holm"}
    shown = [name for name in heads if name in columns]
    rows = []
    for index in found.order:
        cells = [Cell(found.names[index], found.names[index])]
        for name in shown:
            cell = _figure(name, columns[name][index], options.n_resamples, digits)
            if name == "low":
                cell = cell._replace(text=_interval(found, index, digits))
            cells.append(cell)
        if found.ranks is not None:
            low, high = found.ranks[index].tolist()
            cells.append(Cell(_span(low, high), low + high / 1000))
        rows.append(cells)
    heads_shown = ["system", *(heads[name] for name in shown)]
    heads_shown += ["ranks"] * (found.ranks is not None)
    markup = tables.sortable(f"{title_of(found)} of all systems", heads_shown, rows, by=1)
    return markup + _notes(found)


def _figure(name: str, value: float, n_resamples: int, digits: int) -> Cell:
    if value != value:
        return Cell("baseline" if name == "difference" else "", value, "muted")
    if name == "difference":
        return Cell(signed(value, digits), value)
    if name in ("p_value", "holm"):
        text = figures.rounded(value, len(str(n_resamples)))
        return Cell(text, value, "small" if value < SMALL else "")
    return Cell(figures.percent(value, digits), value)


def _span(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low}–{high}"


def _notes(found: Findings) -> str:
    """What the columns mean."""
    options, notes = found.statistics.options, []
    if options.confidence_level and options.n_resamples:
        notes.append("Intervals: bootstrap")
    if options.paired:
        about = figures.about_test(options, len(found.names))
        baseline = escape(found.names[found.baseline])
        notes.append(f"Difference from <bdi>{baseline}</bdi> and its p-value: {escape(about)}")
    if found.ranks is not None:
        notes.append(f"Ranks: {figures.level(options)} interval of the rank under resampling")
    return f'<p class="note">{". ".join(notes)}.</p>' if notes else ""


def pairs(found: Findings, digits: int) -> str:
    """All differences, the significant ones marked, and a list of them with p-values."""
    all_pairs, names = found.pairs, found.names
    order = found.order[:MOST_PAIRED]
    n_resamples = all_pairs.n_resamples

    def show_p(value: float) -> str:
        return figures.rounded(value, len(str(n_resamples)))

    def cell(row: int, column: int) -> Cell:
        one, other = order[row], order[column]
        if one == other:
            return Cell("", kind="same")
        difference, _, holm = all_pairs.between(one, other)
        text = signed(difference, digits)
        title = f"{names[one]} against {names[other]}: {text}, corrected p = {show_p(holm)}"
        if all_pairs.is_better(one, other):
            return Cell(f"{text}*", kind="better", title=title)
        if all_pairs.is_better(other, one):
            return Cell(f"{text}*", kind="worse", title=title)
        return Cell(text, kind="muted", title=title)

    caption = "The row's score minus the column's; * marks significant differences"
    n_pairs = len(order) * (len(order) - 1) // 2
    options = found.statistics.options.replace(n_resamples=n_resamples)
    about = figures.about_test(options, n_systems=2)
    holm = f" after Holm's correction for {n_pairs:,} pairs" * (n_pairs > 1)
    note = f"* p < {SMALL}{holm} ({escape(about)}). "
    if len(order) < len(names):
        note += f"The {len(order)} best of {len(names):,} systems are compared. "
    kinds = ("difference", "p_value", "holm")
    rows = []
    for one, other in combinations(order, 2):
        values = zip(kinds, all_pairs.between(one, other), strict=True)
        shown = [_figure(kind, value, n_resamples, digits) for kind, value in values]
        cells = [Cell(names[one], names[one]), Cell(names[other], names[other], "name")]
        rows.append([*cells, *shown])
    rows.sort(key=lambda row: -row[2].value)
    listed = tables.sortable(
        *("All pairs of systems", ["system", "against", "difference", "p-value", "Holm"], rows),
        by=2,
    )
    matrix = tables.matrix(caption, [names[index] for index in order], cell)
    return f'{matrix}<p class="note">{note}</p>{_more("All p-values", listed)}'


def _more(summary: str, markup: str) -> str:
    return f"<details><summary>{escape(summary)}</summary>{markup}</details>"


def ranks(found: Findings) -> str:
    """The range of each system's rank when the sentences are drawn again."""
    rows = []
    for index in found.order:
        rank = 1 + sum(score > found.scores[index] for score in found.scores)
        low, high = found.ranks[index].tolist()
        rows.append(Dot(found.names[index], rank, low, high, _span(low, high)))
    options, n = found.statistics.options, len(rows)
    axis = Axis(1, n, [*range(1, n + 1, math.ceil(n / 15))])
    caption = (
        f"Rank of each system (dot) and its {figures.level(options)} interval in "
        f"{options.n_resamples:,} bootstrap resamples of the sentences."
    )
    return charts.dots(caption, ("system", "ranks"), rows, axis, "{:g}".format)


def _curves(found: Findings, series: Series, **about: Any) -> str:
    best = found.order[:MOST_CURVES]
    lines = [Curve(found.names[index], series.values[:, index].tolist()) for index in best]
    ends = {
        label: found.names[best[int(values[best].argmax())]]
        for label, values in ((series.labels[n], series.values[n]) for n in (0, -1))
    }
    described = "; ".join(f"highest at {label}: {name}" for label, name in ends.items())
    picture = charts.curves(
        description=described, places=series.places, labels=series.labels, series=lines, **about
    )
    note = ""
    if len(best) < len(found.names):
        note = f'<p class="note">The {len(best)} best of {len(found.names):,} systems.</p>'
    return f'<figure class="chart">{picture}</figure>{note}'


def _figures(found: Findings, series: Series, every: int, caption: str, digits: int) -> str:
    """The figures of curves as a table."""
    marked = range(0, len(series.labels), every)
    rows = [
        [
            Cell(found.names[index], found.names[index]),
            *(
                Cell(figures.percent(value, digits), value)
                for value in (float(series.values[n, index]) for n in marked)
            ),
        ]
        for index in found.order
    ]
    titles = ["system", *(series.labels[n] for n in marked)]
    return _more("Figures", tables.sortable(caption, titles, rows))


def by_beta(found: Findings, digits: int) -> str:
    """The score as a function of the weight of recall."""
    series, (beta,) = found.by_beta, found.statistics.options.betas
    every = MARKED if len(series.labels) > MARKED + 1 else 1
    place = (math.log2(beta) + 2) / 4 if 0.25 <= beta <= 4 else None  # from 1/4 to 4
    title = f"{title_of(found)} of each system as a function of β"
    where = f"; the dashed line is at β = {format_number(beta)}, which the other sections use"
    about = "β < 1 favours precision, β > 1 recall" + where * (place is not None)
    drawn = _curves(
        found,
        series,
        title=title,
        show=_show_percent,
        every=every,
        line=place,
        axis_title="β, weight of recall",
    )
    return f'{drawn}<p class="note">{about}.</p>' + _figures(found, series, every, title, digits)


def by_length(found: Findings, digits: int) -> str:
    """The scores of short and of long sentences."""
    series, options = found.by_length, found.statistics.options
    needs_sources = found.statistics.scoring.needs_sources
    tokens = _TOKENS.get(options.tokenizer_name, "tokens")
    of_text = "source" if needs_sources else "first reference"
    title = f"{title_of(found)} by the number of {tokens} in the {of_text}"
    drawn = _curves(
        found, series, title=title, show=_show_percent, axis_title=f"{tokens} in the {of_text}"
    )
    note = "Each group has about the same number of sentences and is scored like a corpus."
    return f'{drawn}<p class="note">{note}</p>' + _figures(found, series, 1, title, digits)
