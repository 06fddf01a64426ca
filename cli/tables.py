"""Results as output: the authors' plain text, tables, CSV and JSON; knows no file.

For people (text, Markdown, LaTeX), scores are rounded percentages and sentences count from 1; for
programs (JSON, CSV), scores have full precision in [0, 1] and sentences count from 0.
"""

import csv
import io
import json
import math
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np

from ..api import count_each, join_columns
from ..counting import Statistics
from ..inputs import Corpus
from ..metrics import Values
from ..options import Options, format_number
from ..reporting.figures import SIGNIFICANCE_LEVEL, about_test, column_titles, percent, rounded
from .scoring import Scored

# The columns of tables and CSV after the score's own.
_AFTER = ("low", "high", "difference", "p_value", "holm")
_MARK = {"text": "*", "markdown": r"\*", "latex": "$^{*}$"}
_SEPARATORS = {
    "text": ("", "  ", ""),
    "markdown": ("| ", " | ", " |"),
    "latex": ("", " & ", r" \\"),
}
_BOLD = {"text": "{}", "markdown": "**{}**", "latex": r"\textbf{{{}}}"}
_TITLES = {
    "text": {},
    "markdown": {"beta": "β"},
    "latex": {"beta": r"$\beta$", "M²": "M$^2$", "p-value": "$p$-value"},
}
LINE = {"text": "{}\n", "markdown": "\n{}\n", "latex": "% {}\n"}  # below a table
_ESCAPES = {
    "text": {},
    "markdown": {character: f"\\{character}" for character in "|*_`<>[]\\"},
    "latex": {character: f"\\{character}" for character in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"},
}

Columns = dict[str, list]


def render(scored: Scored, args: Namespace, format_: str) -> str:
    """The scores in a format."""
    statistics, names = scored.statistics, list(scored.corpus.systems)
    options, with_signature = statistics[0].options, statistics if args.signature else []
    if format_ in ("json", "csv"):
        columns = join_columns(statistics, names, scored.results)
        if format_ == "csv":
            return to_csv(flat(columns, statistics), with_signature)
        extra = {"baseline": names[scored.baseline] if options.paired else None}
        return to_json(statistics, len(scored.corpus), scored.warnings, extra, results=columns)
    is_table = format_ != "text" or options.n_resamples or len(statistics) > 1
    output = ""
    if format_ == "text" and args.verbose:
        output = (order_lines if args.line_verbose else order_tables)(scored, args.digits)
    elif not is_table:
        output = plain(names, scored.results[0][options.metric], options, args.digits)
    if is_table:
        output += table(scored, format_, args.digits)
    return output + signature_lines(with_signature, format_)


def plain(names: Sequence[str], values: np.ndarray, options: Options, digits: int) -> str:
    """The authors' output: scores (beta, system), or (beta, system, sentence) line by line."""
    if options.level == "sentence":
        lines = values.reshape(-1, values.shape[-1]).T.tolist()
        return _lines([percent(value, digits, options.metric) for value in line] for line in lines)
    lines = []
    if options.betas:
        alphas, betas = zip(*(_alpha_beta(beta, digits) for beta in options.betas), strict=True)
        lines = [["alpha", *alphas], ["beta", *betas]]
    for name, line in zip(names, values.T.tolist(), strict=True):
        lines.append([name, *(percent(value, digits, options.metric) for value in line)])
    return _lines(lines)


def order_tables(scored: Scored, digits: int) -> str:
    """The counts and scores of each order, in one table per (sentence,) system and beta.

    Where references are drawn, single sentences have one table per reference.
    """
    corpus, statistics = scored.corpus, scored.statistics[0]
    options = statistics.options
    if (options.metric, options.selection, options.level) == ("gleu", "max", "sentence"):
        # Draws keep the statistics of all references.
        (statistics,) = count_each(corpus, [options.replace(selection="sample")], warn=None)
    orders = statistics.orders()
    n_betas, n_systems = statistics.rows.shape[:2]
    parts, chosen = [], statistics.chosen
    if options.level != "sentence":
        for system, beta in np.ndindex(n_systems, n_betas):
            parts.append(_heading(corpus, system, beta, options, digits))
            parts.append(_order_table(orders, (beta, system), statistics, digits))
        return "".join(parts)
    firsts = np.cumsum(statistics.n_references) - statistics.n_references
    for sentence, system, beta in np.ndindex(len(firsts), n_systems, n_betas):
        best = None if chosen is None else chosen[beta, system, sentence]
        texts, references = _texts(corpus, sentence, system, best, options)
        if statistics.metric.per_reference:
            for row, reference in enumerate(references, firsts[sentence]):
                parts += [texts, reference]
                parts.append(_order_table(orders, (beta, system, row), statistics, digits))
        else:
            parts += [_heading(corpus, system, beta, options, digits), texts, *references]
            parts.append(_order_table(orders, (beta, system, sentence), statistics, digits))
    return "".join(parts)


def _order_table(
    orders: Values, index: tuple[int, ...], statistics: Statistics, digits: int
) -> str:
    """The table at an index of the arrays, in the authors' style."""
    options, counts = statistics.options, statistics.metric.counts
    columns = [["", *map(str, range(1, options.order + 1)), "total"]]
    for name, array in orders.items():
        values = array[index].tolist()
        if name not in counts:
            cells = [percent(value, digits) for value in values]
        elif all(value == int(value) for value in values):
            cells = [str(int(value)) for value in values]
        else:  # means over draws
            cells = [rounded(value, digits) for value in values]
        columns.append([f"F{options.betas[index[0]]}" if name == "F" else name, *cells])
    lines = [*zip(*columns, strict=False)]  # not all metrics have totals
    widths = [max(map(len, column)) + 2 for column in zip(*lines, strict=True)]
    rule = f"+{'+'.join('-' * width for width in widths)}+\n"
    header, *body = [f"|{'|'.join(map(str.center, line, widths))}|\n" for line in lines]
    return "".join([rule, header, rule, *body, rule])


def _heading(corpus: Corpus, system: int, beta: int, options: Options, digits: int) -> str:
    name = list(corpus.systems)[system]
    if not options.betas:
        return f"{name}\n"
    alpha_text, beta_text = _alpha_beta(options.betas[beta], digits)
    return f"{name}\talpha={alpha_text}\tbeta={beta_text}\n"


def _texts(
    corpus: Corpus, sentence: int, system: int, chosen: int | None, options: Options
) -> tuple[str, list[str]]:
    """The lines of source and correction, and of references; the chosen one is marked."""
    number = sentence + 1
    source = "" if corpus.sources is None else f"S-{number}   \t{corpus.sources[sentence]}\n"
    letter = "H" if options.metric == "gleu" else "C"  # as its re-implementation has it
    texts = list(corpus.systems.values())[system]
    references = [
        f"R-{number}-{rank + 1}{'*' if rank == chosen else ' '}\t{text}\n"
        for rank, text in enumerate(corpus.references[sentence])
    ]
    return f"{source}{letter}-{number}-{system + 1} \t{texts[sentence]}\n", references


def order_lines(scored: Scored, digits: int) -> str:
    """Alpha, beta, precision, recall and F over all orders; one line per table of GREEN."""
    statistics = scored.statistics[0]
    heads = cycle(_alpha_beta(beta, digits) for beta in statistics.options.betas)
    orders = statistics.orders()  # (beta, system[, sentence], order); beta varies fastest
    totals = [orders[name][..., -1].T.ravel().tolist() for name in ("cumP", "cumR", "cumF")]
    return _lines(
        [*next(heads), *(percent(value, digits) for value in values)]
        for values in zip(*totals, strict=True)
    )


def _alpha_beta(beta: float, digits: int) -> tuple[str, str]:
    return rounded(1 / (beta * beta + 1), digits), rounded(beta, digits)


def _lines(rows: Iterable[Sequence[str]]) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)


def signature_lines(with_signature: Sequence[Statistics], format_: str) -> str:
    """The signatures below a table."""
    return "".join(LINE[format_].format(each.signature) for each in with_signature)


def flat(columns: Columns, statistics: Sequence[Statistics]) -> Columns:
    """The columns of tables and CSV: those with one value per row."""
    names = {"system", "beta", "sentence"}
    for each in statistics:
        metric, own = each.options.metric, ("beta", *each.metric.results, *_AFTER)
        prefix = f"{metric}_" * (len(statistics) > 1)
        names |= {metric, *(f"{prefix}{name}" for name in own)}
    return {name: column for name, column in columns.items() if name in names}


def table(scored: Scored, format_: str, digits: int) -> str:
    """Results as a table in text, Markdown or LaTeX, with one or several scores."""
    statistics, names = scored.statistics, scored.names
    pairs = zip(statistics, scored.results, strict=True)
    all_columns = [each.columns(names, values) for each, values in pairs]
    options, first = statistics[0].options, all_columns[0]
    table_columns = [["system", *(escaped(name, format_) for name in first["system"])]]
    if len(options.betas) > 1:
        table_columns.append(["beta", *map(format_number, first["beta"])])
    if "sentence" in first:
        table_columns.append(["sentence", *(f"{sentence + 1}" for sentence in first["sentence"])])
    for each, columns in zip(statistics, all_columns, strict=True):
        cells, titles = _score_cells(each, columns, format_, digits), column_titles(each.options)
        if len(statistics) > 1:  # there is room for the most important ones
            kept = (each.options.metric, "low", "difference")
            cells = {name: cells[name] for name in kept if name in cells}
            titles["difference"] = "diff."
        table_columns += [[titles.get(name, name), *column] for name, column in cells.items()]
    for column in table_columns:
        column[0] = _TITLES[format_].get(column[0], escaped(column[0], format_))
    output = layout(table_columns, format_)
    if options.paired:
        note_format = "text" if format_ == "latex" else format_  # there, the note is a comment
        mark, baseline = _MARK[note_format], escaped(names[scored.baseline], note_format)
        test = about_test(options, len(names))
        note = f"{mark} p < {SIGNIFICANCE_LEVEL} against {baseline} ({test})"
        output += LINE[format_].format(note)
    return output


def _score_cells(
    statistics: Statistics, columns: Columns, format_: str, digits: int
) -> dict[str, list[str]]:
    """The cells of a score's columns; "low" has the interval."""
    options, results = statistics.options, statistics.metric.results
    cells = {
        name: [_cell(name, value, options, digits) for value in columns[name]]
        for name in (*results, *_AFTER)
        if name in columns
    }
    if options.level != "sentence" and len({*columns["system"]}) > 1:
        for name in results:
            cells[name] = _with_best_bold(cells[name], columns, name, format_)
    if "p_value" in cells:
        p_values = columns.get("holm", columns["p_value"])
        marks = [_MARK[format_] * (value < SIGNIFICANCE_LEVEL) for value in p_values]
        width = max(map(len, marks)) if format_ == "text" else 0  # keeps the digits in line
        pairs = zip(cells[results[0]], marks, strict=True)
        cells[results[0]] = [f"{cell}{mark.ljust(width)}" for cell, mark in pairs]
        cells["p_value"] = [cell or "(baseline)" for cell in cells["p_value"]]
    if format_ == "latex" and "difference" in cells:
        cells["difference"] = [cell.replace("-", "$-$") for cell in cells["difference"]]
    if "low" in cells:
        bounds = zip(cells["low"], cells.pop("high"), strict=True)
        cells["low"] = [f"[{low}, {high}]" for low, high in bounds]
    return cells


def escaped(text: str, format_: str) -> str:
    """A name as a cell of a table."""
    return text.translate(str.maketrans(_ESCAPES[format_]))


def _with_best_bold(cells: list[str], columns: Columns, name: str, format_: str) -> list[str]:
    """The cells with the best system in bold, for each beta."""
    betas = columns.get("beta", [None] * len(cells))
    ascending = sorted(zip(betas, columns[name], cells, strict=True))
    best = {beta: cell for beta, _, cell in ascending}
    return [
        _BOLD[format_].format(cell) if cell == best[beta] else cell
        for beta, cell in zip(betas, cells, strict=True)
    ]


def _cell(name: str, value: Any, options: Options, digits: int) -> str:
    """A figure as a cell of a column."""
    if value != value:
        return ""
    if name in ("p_value", "holm"):
        return rounded(value, len(str(options.n_resamples)))
    if name == "difference":
        return f"{'+' * (value > 0)}{percent(value, digits)}"
    return percent(value, digits, options.metric)


def layout(columns: Sequence[Sequence[str]], format_: str) -> str:
    """Columns, title first, as a table in text, Markdown or LaTeX."""
    widths = [max(map(len, column)) for column in columns]
    start, between, end = _SEPARATORS[format_]
    lines = []
    for first, *others in zip(*columns, strict=True):
        cells = [first.ljust(widths[0]), *map(str.rjust, others, widths[1:])]
        lines.append(f"{start}{between.join(cells)}{end}".rstrip())
    header, *body = lines
    if format_ == "text":
        rule = between.join("-" * width for width in widths)
    elif format_ == "markdown":
        left, *right = ["-" * (width + 1) for width in widths]
        rule = "".join([f"|:{left}|", *(f"{dashes}:|" for dashes in right)])
    else:
        header = f"\\begin{{tabular}}{{l{'r' * (len(columns) - 1)}}}\n\\toprule\n{header}"
        rule = "\\midrule"
        body += ["\\bottomrule", "\\end{tabular}"]
    return "\n".join([header, rule, *body]) + "\n"


def to_csv(columns: Columns, with_signature: Sequence[Statistics] = ()) -> str:
    """Columns as they are and the signatures of some statistics; NaN becomes an empty cell."""
    signatures = {}
    for each in with_signature:
        prefix = f"{each.options.metric}_" * (len(with_signature) > 1)
        signatures[f"{prefix}signature"] = each.signature
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*columns, *signatures])
    for row in zip(*columns.values(), strict=True):
        row = (*row, *signatures.values())
        writer.writerow("" if cell != cell else cell for cell in row)
    return file.getvalue()


def to_json(
    statistics: Sequence[Statistics],
    n_sentences: int,
    warnings: Sequence[str],
    extra: Mapping[str, Any],
    **tables: Columns,
) -> str:
    """Everything, at full precision; one line per row. `extra` goes to the options."""
    signatures = {each.options.metric: each.signature for each in statistics}
    options = {
        each.options.metric: _json_value(each.options.settings() | extra) for each in statistics
    }
    head = {"signatures": signatures, "options": options}
    if len(statistics) == 1:
        metric = statistics[0].options.metric
        head = {"signature": signatures[metric], "options": options[metric]}
    head |= {"n_sentences": n_sentences, "warnings": warnings}
    parts = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    for name, columns in tables.items():
        lines = ",\n".join(map(json.dumps, rows(columns)))
        parts.append(f"{json.dumps(name)}: [\n{lines}\n]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def rows(columns: Columns) -> list[dict[str, Any]]:
    """Columns as rows, with values that JSON can write."""
    values = zip(*columns.values(), strict=True)
    return [dict(zip(columns, map(_json_value, row), strict=True)) for row in values]


def _json_value(value: Any) -> Any:
    """JSON has neither NaN nor infinity."""
    if isinstance(value, dict):
        return {name: _json_value(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json_value(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "inf"
    return value
