"""Findings to the sections of a page: pictures and tables of one score."""

import math
from html import escape
from itertools import combinations
from typing import Any

from ..options import format_number
from . import charts, figures, tables
from .charts import Axis, Curve, Dot
from .figures import SMALL
from .findings import MARKED, MOST_DRAWS, MOST_PAIRED, Findings, Series
from .tables import Cell

# Curves show the best systems, so that they can be told apart.
MOST_CURVES = 12
_MINUS = "\u2212"
_TOKENS = {"char": "characters", **dict.fromkeys(("word", "13a", "intl"), "words")}


def metric_title(findings: Findings) -> str:
    return findings.statistics.metric.title.format(n=findings.statistics.options.order)


def signed(value: float, digits: int) -> str:
    text = figures.percent(value, digits)
    return f"+{text}" if value > 0 else text.replace("-", _MINUS)


def _interval(findings: Findings, system: int, digits: int) -> str:
    bounds = (figures.percent(findings.columns[name][system], digits) for name in ("low", "high"))
    return f"[{', '.join(bounds)}]"


def with_interval(findings: Findings, system: int, digits: int) -> str:
    """A score and its interval as markup."""
    score = f"<b>{figures.percent(findings.scores[system], digits)}</b>"
    if "low" not in findings.columns:
        return score
    return f'{score} <span class="interval">{_interval(findings, system, digits)}</span>'


def _show_percent(value: float) -> str:
    return f"{100 * value:.6g}".replace("-", _MINUS)


def dots(findings: Findings, digits: int) -> str:
    """The systems as dots with their intervals, the best one first."""
    columns, title = findings.columns, metric_title(findings)
    rows = [
        Dot(
            findings.names[index],
            *(columns[name][index] for name in (findings.statistics.options.metric, "low", "high")),
            with_interval(findings, index, digits),
            index == findings.baseline,
        )
        for index in findings.order
    ]
    level = figures.level(findings.statistics.options)
    axis = Axis.of(bound for dot in rows for bound in (dot.low, dot.high))
    start = "; the axis does not start at 0" if axis.low > 0 else ""
    caption, line = f"{title} with {level} intervals, best first{start}.", None
    if findings.statistics.options.paired:
        line = findings.scores[findings.baseline]
        caption += f" The dashed line is the baseline, {findings.names[findings.baseline]}."
    return charts.dots(caption, ("system", title), rows, axis, _show_percent, line)


def table(findings: Findings, digits: int) -> str:
    """All figures of `compare`, and the interval of ranks."""
    columns, options = findings.columns, findings.statistics.options
    titles = figures.titles_of_scores(options.order)
    heads = {name: titles.get(name, name) for name in findings.statistics.metric.results}
    heads |= {"low": f"{figures.level(options)} interval", "difference": "difference"}
    heads |= {"p_value": "p-value", "holm": "Holm"}
    shown = [name for name in heads if name in columns]
    rows = []
    for index in findings.order:
        cells = [Cell(findings.names[index], findings.names[index])]
        for name in shown:
            cell = _figure(name, columns[name][index], options.n_resamples, digits)
            if name == "low":
                cell = cell._replace(text=_interval(findings, index, digits))
            cells.append(cell)
        if findings.ranks is not None:
            low, high = findings.ranks[index].tolist()
            cells.append(Cell(_span(low, high), low + high / 1000))
        rows.append(cells)
    heads_shown = ["system", *(heads[name] for name in shown)]
    heads_shown += ["ranks"] * (findings.ranks is not None)
    markup = tables.sortable(f"{metric_title(findings)} of all systems", heads_shown, rows, by=1)
    return markup + _notes(findings)


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


def _notes(findings: Findings) -> str:
    """What the columns mean."""
    options, notes = findings.statistics.options, []
    if options.confidence_level and options.n_resamples:
        notes.append("Intervals: bootstrap")
    if options.paired:
        about = figures.about_test(options, len(findings.names))
        baseline = escape(findings.names[findings.baseline])
        notes.append(f"Difference from <bdi>{baseline}</bdi> and its p-value: {escape(about)}")
    if findings.ranks is not None:
        draws = f", over {_about_draws(findings)}" if findings.has_fewer_draws else ""
        level = figures.level(options)
        notes.append(f"Ranks: {level} interval of the rank under resampling{draws}")
    return f'<p class="note">{". ".join(notes)}.</p>' if notes else ""


def _about_draws(findings: Findings) -> str:
    n_draws = findings.statistics.options.iterations
    return f"the first {MOST_DRAWS} of {n_draws:,} draws of references"


def pairs(findings: Findings, digits: int) -> str:
    """All differences, the significant ones marked, and a list of them with p-values."""
    all_pairs, names = findings.pairs, findings.names
    order = findings.order[:MOST_PAIRED]
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
    options = findings.statistics.options.replace(n_resamples=n_resamples)
    about = figures.about_test(options, n_systems=2)
    holm = f" after Holm's correction for {n_pairs:,} pairs" * (n_pairs > 1)
    note = f"* p < {SMALL}{holm} ({escape(about)}). "
    if findings.has_fewer_draws:
        note += f"Here, each resample averages over {_about_draws(findings)}. "
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


def ranks(findings: Findings) -> str:
    """The range of each system's rank when the sentences are drawn again."""
    rows = []
    for index in findings.order:
        rank = 1 + sum(score > findings.scores[index] for score in findings.scores)
        low, high = findings.ranks[index].tolist()
        rows.append(Dot(findings.names[index], rank, low, high, _span(low, high)))
    options, n = findings.statistics.options, len(rows)
    axis = Axis(1, n, [*range(1, n + 1, math.ceil(n / 15))])
    caption = (
        f"Rank of each system (dot) and its {figures.level(options)} interval in "
        f"{options.n_resamples:,} bootstrap resamples of the sentences."
    )
    return charts.dots(caption, ("system", "ranks"), rows, axis, "{:g}".format)


def _curves(findings: Findings, series: Series, **about: Any) -> str:
    best = findings.order[:MOST_CURVES]
    lines = [Curve(findings.names[index], series.values[:, index].tolist()) for index in best]
    ends = {
        label: findings.names[best[int(values[best].argmax())]]
        for label, values in ((series.labels[n], series.values[n]) for n in (0, -1))
    }
    described = "; ".join(f"highest at {label}: {name}" for label, name in ends.items())
    picture = charts.curves(
        description=described, places=series.places, labels=series.labels, series=lines, **about
    )
    note = ""
    if len(best) < len(findings.names):
        note = f'<p class="note">The {len(best)} best of {len(findings.names):,} systems.</p>'
    return f'<figure class="chart">{picture}</figure>{note}'


def _figures(findings: Findings, series: Series, every: int, caption: str, digits: int) -> str:
    """The figures of curves as a table."""
    marked = range(0, len(series.labels), every)
    rows = [
        [
            Cell(findings.names[index], findings.names[index]),
            *(
                Cell(figures.percent(value, digits), value)
                for value in (float(series.values[n, index]) for n in marked)
            ),
        ]
        for index in findings.order
    ]
    titles = ["system", *(series.labels[n] for n in marked)]
    return _more("Figures", tables.sortable(caption, titles, rows))


def by_beta(findings: Findings, digits: int) -> str:
    """The score as a function of the weight of recall."""
    series, (beta,) = findings.by_beta, findings.statistics.options.betas
    every = MARKED if len(series.labels) > MARKED + 1 else 1
    place = (math.log2(beta) + 2) / 4 if 0.25 <= beta <= 4 else None  # from 1/4 to 4
    title = f"{metric_title(findings)} of each system as a function of β"
    where = f"; the dashed line is at β = {format_number(beta)}, which the other sections use"
    about = "β < 1 favours precision, β > 1 recall" + where * (place is not None)
    drawn = _curves(
        findings,
        series,
        title=title,
        show=_show_percent,
        every=every,
        line=place,
        axis_title="β, weight of recall",
    )
    return f'{drawn}<p class="note">{about}.</p>' + _figures(findings, series, every, title, digits)


def by_length(findings: Findings, digits: int) -> str:
    """The scores of short and of long sentences."""
    series, options = findings.by_length, findings.statistics.options
    needs_sources = findings.statistics.metric.needs_sources
    tokens = _TOKENS.get(options.tokenizer_name, "tokens")
    measured = "source" if needs_sources else "first reference"
    title = f"{metric_title(findings)} by the number of {tokens} in the {measured}"
    drawn = _curves(
        findings, series, title=title, show=_show_percent, axis_title=f"{tokens} in the {measured}"
    )
    note = "Each group has about the same number of sentences and is scored like a corpus."
    return f'{drawn}<p class="note">{note}</p>' + _figures(findings, series, 1, title, digits)
