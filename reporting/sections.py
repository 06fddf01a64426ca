"""An analysis to the sections of a page: pictures and tables of one score."""

import math
from collections.abc import Iterator
from html import escape
from itertools import combinations

from ..options import Options, format_number
from . import articles, charts, figures
from .analysis import MOST_DRAWS, MOST_PAIRED, Analysis, Series
from .charts import Axis, Dot
from .figures import SIGNIFICANCE_LEVEL, percent, signed_percent, span
from .markup import Cell, folded, matrix, name_html, note, select, sortable

# Of more curves than these, only the best system's and the baseline's have a colour.
_MOST_COLORED = 6
_TESTS = ("difference", "p_value", "holm")


def make_sections(analysis: Analysis, digits: int) -> Iterator[tuple[str, str, str]]:
    """The id, the title and the content of each section that makes sense."""
    if len(analysis.names) > 1 and "low" in analysis.columns:
        yield "dots", "Scores", dots(analysis, digits)
    yield "table", "Table", table(analysis, digits)
    if analysis.pairs:
        yield "pairs", "Who beats whom", pairs(analysis, digits)
    if analysis.ranks is not None:
        yield "ranks", "Ranks", ranks(analysis)
    if analysis.by_beta:
        yield "beta", f"{analysis.title} against β", by_beta(analysis, digits)
    if analysis.by_length:
        yield "length", "By sentence length", by_length(analysis, digits)
    yield "sentences", "Sentences", articles.sentences(analysis, digits)


def _interval(analysis: Analysis, system: int, digits: int) -> str:
    bounds = (percent(analysis.columns[name][system], digits) for name in ("low", "high"))
    return f"[{', '.join(bounds)}]"


def with_interval(analysis: Analysis, system: int, digits: int) -> str:
    """A score and its interval as markup."""
    metric = analysis.statistics.options.metric
    score = f"<b>{percent(analysis.scores[system], digits, metric)}</b>"
    if "low" not in analysis.columns:
        return score
    return f'{score} <span class="interval">{_interval(analysis, system, digits)}</span>'


def dots(analysis: Analysis, digits: int) -> str:
    """The systems as dots with their intervals, the best one first."""
    columns, options, title = analysis.columns, analysis.statistics.options, analysis.title
    rows = []
    for index in analysis.order:
        values = (columns[name][index] for name in (options.metric, "low", "high"))
        rows.append(Dot(analysis.names[index], *values, with_interval(analysis, index, digits)))
    axis, line = Axis.of_scores([*columns["low"], *columns["high"]]), None
    start = "; the axis does not start at 0" if axis.low > 0 else ""
    caption = f"{title} with {figures.confidence_percent(options)} intervals, best first{start}."
    if options.paired:
        line = analysis.scores[analysis.baseline]
        caption += f" The dashed line is the baseline, {analysis.names[analysis.baseline]}."
    return charts.dots(caption, title, rows, axis, line)


def table(analysis: Analysis, digits: int) -> str:
    """All figures of `compare`, and the interval of ranks."""
    columns, options = analysis.columns, analysis.statistics.options
    names = [*analysis.statistics.metric.results, "low", *_TESTS]
    names, rows = [name for name in names if name in columns], []
    for index in analysis.order:
        cells = [Cell(analysis.names[index])]
        for name in names:
            cell = _figure(name, columns[name][index], options, digits)
            if name == "low":
                cell = cell._replace(text=_interval(analysis, index, digits))
            cells.append(cell)
        if analysis.ranks is not None:
            low, high = analysis.ranks[index].tolist()
            cells.append(Cell(span(low, high), low + high / 1000))
        rows.append(cells)
    titles = figures.column_titles(options)
    heads = ["system", *(titles.get(name, name) for name in names)]
    heads += ["ranks"] * (analysis.ranks is not None)
    return sortable(f"{analysis.title} of all systems", heads, rows, by=1) + _notes(analysis)


def _figure(name: str, value: float, options: Options, digits: int) -> Cell:
    if value != value:
        return Cell("baseline" if name == "difference" else "", value, "muted")
    if name == "difference":
        return Cell(signed_percent(value, digits), value)
    if name in ("p_value", "holm"):
        text = figures.rounded(value, len(str(options.n_resamples)))
        return Cell(text, value, "small" if value < SIGNIFICANCE_LEVEL else "")
    return Cell(percent(value, digits, options.metric), value)


def _notes(analysis: Analysis) -> str:
    """What the columns mean."""
    options, notes = analysis.statistics.options, []
    if options.confidence_level:
        notes.append("Intervals: bootstrap")
    if options.paired:
        test = figures.about_test(options, len(analysis.names))
        baseline = name_html(analysis.names[analysis.baseline])
        notes.append(f"Difference from {baseline} and its p-value: {escape(test)}")
    if analysis.ranks is not None:
        level = figures.confidence_percent(options)
        notes.append(f"Ranks: {level} interval of the rank under resampling")
    draws_references = options.selection == "sample" and options.level == "corpus"
    if draws_references and options.iterations > MOST_DRAWS:
        draws = f"the first {MOST_DRAWS} of {options.iterations:,} draws of references"
        notes.append(f"For ranks and the tests of all pairs, resamples average over {draws}")
    return note(f"{'. '.join(notes)}.")


def pairs(analysis: Analysis, digits: int) -> str:
    """All differences, the significant ones marked, and a list of them with p-values."""
    all_pairs, n_systems = analysis.pairs, len(analysis.names)
    names = [analysis.names[index] for index in analysis.order[:MOST_PAIRED]]
    n_resamples, n_pairs = all_pairs.n_resamples, math.comb(len(names), 2)

    def cell(row: int, column: int) -> Cell:
        if row == column:
            return Cell("", kind="same")
        text = signed_percent(all_pairs.between(row, column)[0], digits)
        if all_pairs.is_better(row, column):
            return Cell(f"{text}*", kind="better")
        if all_pairs.is_better(column, row):
            return Cell(f"{text}*", kind="worse")
        return Cell(text, kind="muted")

    title = "The row's score minus the column's; * marks significant differences"
    options = analysis.statistics.options.replace(n_resamples=n_resamples)
    test = escape(figures.about_test(options, n_systems=2))
    correction = f" after Holm's correction for {n_pairs:,} pairs" * (n_pairs > 1)
    about = f"* p < {SIGNIFICANCE_LEVEL}{correction} ({test})."
    if len(names) < n_systems:
        about += f" The {len(names)} best of {n_systems:,} systems are compared."
    rows = []
    for row, column in combinations(range(len(names)), 2):
        values = zip(_TESTS, all_pairs.between(row, column), strict=True)
        cells = [_figure(name, value, options, digits) for name, value in values]
        rows.append([Cell(names[row]), Cell(names[column], kind="name"), *cells])
    rows.sort(key=lambda cells: -cells[2].value)
    heads = ["system", "against", "difference", "p-value", "Holm"]
    p_values = sortable("All pairs of systems", heads, rows, by=2)
    return matrix(title, names, cell) + note(about) + folded("All p-values", p_values)


def ranks(analysis: Analysis) -> str:
    """The range of each system's rank when the sentences are drawn again."""
    rows = []
    for index in analysis.order:
        rank = 1 + sum(score > analysis.scores[index] for score in analysis.scores)
        low, high = analysis.ranks[index].tolist()
        rows.append(Dot(analysis.names[index], rank, low, high, span(low, high)))
    options, n = analysis.statistics.options, len(rows)
    step = 1 if n <= 12 else math.ceil(n / 8)  # that labels fit on a phone
    axis = Axis(1, n, {rank: f"{rank}" for rank in range(1, n + 1, step)})
    caption = (
        f"Rank of each system (dot) and its {figures.confidence_percent(options)} interval in "
        f"{options.n_resamples:,} bootstrap resamples of the sentences."
    )
    return charts.dots(caption, "ranks", rows, axis)


def _series(analysis: Analysis, series: Series, title: str, about: str, digits: int) -> str:
    """Curves, a note, and the figures as a table."""
    names, systems, choice, rows = analysis.names, analysis.order, "", []
    options = analysis.statistics.options
    colored = systems
    if len(systems) > _MOST_COLORED:
        colored = systems[:1]
        if options.paired and analysis.baseline not in colored:
            colored.append(analysis.baseline)
        about += f" In colour: the best system{' and the baseline' * (len(colored) > 1)}."
        systems = [*colored, *(index for index in systems if index not in colored)]
        grey = {n: names[index] for n, index in enumerate(systems) if n >= len(colored)}
        choice = select("highlight", "Highlight", {-1: "none", **grey})
    for index in analysis.order:
        values = series.values[:, index].tolist()
        cells = [Cell(percent(value, digits, options.metric), value) for value in values]
        rows.append([Cell(names[index]), *cells])
    names = [names[index] for index in systems]
    series = series._replace(values=series.values[:, systems])
    highest = [names[values.argmax()] for values in series.values]
    ends = [f"highest at {series.labels[place]}: {highest[place]}" for place in (0, -1)]
    curves = charts.curves(title, "; ".join(ends), names, series, len(colored))
    table = sortable(title, ["system", *series.labels], rows)
    return f'{choice}<figure class="chart">{curves}</figure>{note(about)}{folded("Figures", table)}'


def by_beta(analysis: Analysis, digits: int) -> str:
    """The score as a function of the weight of recall."""
    series, (beta,) = analysis.by_beta, analysis.statistics.options.betas
    line = f"; the dashed line is at β = {format_number(beta)}, which the other sections use"
    about = f"β < 1 favours precision, β > 1 recall{line if series.line is not None else ''}."
    title = f"{analysis.title} of each system as a function of β"
    return _series(analysis, series, title, about, digits)


def by_length(analysis: Analysis, digits: int) -> str:
    """The scores of short and of long sentences."""
    title = f"{analysis.title} by the number of {analysis.by_length.title}"
    about = "Each group has about the same number of sentences and is scored like a corpus."
    return _series(analysis, analysis.by_length, title, about, digits)
