"""Results as reports: the authors' plain text, tables, CSV and JSON.

For people (text, Markdown, LaTeX), scores are rounded percentages and sentences count from 1; for
programs (JSON, CSV), scores have full precision in [0, 1] and sentences count from 0.
"""

import csv
import io
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..corpus import Corpus
from ..counting import Statistics
from ..explanation import visible
from ..metrics import Values
from ..options import Options, format_number
from ..reporting.figures import SMALL, about_test, level, percent, rounded, titles_of_scores

# The columns of tables and CSV; the score's own are in the middle.
_BEFORE = ("system", "beta", "sentence")
_AFTER = ("low", "high", "difference", "p_value", "holm")
_MARK = {"text": "*", "markdown": r"\*", "latex": "$^{*}$"}
_ENDING = re.compile(r"\.[A-Za-z]\w*(\.gz)?$|\.gz$")
_MARKDOWN = re.compile(r"[|*_`<>\[\]\\]")
_LATEX = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    **{"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"},
}

Columns = dict[str, list]


def plain(names: Sequence[str], values: np.ndarray, options: Options, digits: int) -> str:
    """The authors' output: scores (beta, system), or (beta, system, sentence) line by line."""
    if options.level == "sentence":
        rows = values.reshape(-1, values.shape[-1]).T.tolist()
        return _lines([percent(value, digits) for value in row] for row in rows)
    header = []
    if options.betas:
        pairs = zip(*(_alpha_beta(beta, digits) for beta in options.betas), strict=True)
        header = [[name, *row] for name, row in zip(("alpha", "beta"), pairs, strict=True)]
    rows = zip(names, values.T.tolist(), strict=True)
    return _lines(header) + _lines(
        [name, *(percent(value, digits) for value in row)] for name, row in rows
    )


def order_tables(corpus: Corpus, statistics: Statistics, digits: int) -> str:
    """The counts and scores of each order, in one table per (sentence,) system and beta.

    Where references are drawn, single sentences have one table per reference.
    """
    options, orders = statistics.options, statistics.orders()
    n_betas, n_systems = next(iter(orders.values())).shape[:2]
    tables = _tables(orders, statistics, digits)
    if options.level != "sentence":
        return "".join(
            _heading(corpus, system, beta, options, digits) + tables(beta, system)
            for system, beta in np.ndindex(n_systems, n_betas)
        )
    parts, chosen = [], statistics.chosen
    firsts = np.cumsum(statistics.n_references) - statistics.n_references
    for sentence, system, beta in np.ndindex(len(firsts), n_systems, n_betas):
        best = None if chosen is None else chosen[beta, system, sentence]
        source, correction, references = _texts(corpus, sentence, system, best, options)
        if statistics.metric.per_reference:
            for rank, reference in enumerate(references):
                parts += [source, correction, reference]
                parts.append(tables(beta, system, firsts[sentence] + rank))
        else:
            parts.append(_heading(corpus, system, beta, options, digits))
            parts += [source, correction, *references, tables(beta, system, sentence)]
    return "".join(parts)


def _tables(orders: Values, statistics: Statistics, digits: int) -> Callable[..., str]:
    """A function that makes the table at an index of the arrays."""
    options, counts = statistics.options, statistics.metric.counts

    def show(name: str, values: list[float]) -> list[str]:
        if name not in counts:
            return [percent(value, digits) for value in values]
        if all(value == int(value) for value in values):
            return [str(int(value)) for value in values]
        return [rounded(value, digits) for value in values]  # means over draws

    def draw(beta: int, *place: int) -> str:
        columns = [show(name, array[(beta, *place)].tolist()) for name, array in orders.items()]
        headers = ["", *(f"F{options.betas[beta]}" if name == "F" else name for name in orders)]
        numbers = [*map(str, range(1, options.order + 1)), "total"]
        rows = zip(numbers, *columns, strict=False)
        return _grid([headers, *rows])

    return draw


def _heading(corpus: Corpus, system: int, beta: int, options: Options, digits: int) -> str:
    name = list(corpus.systems)[system]
    if not options.betas:
        return f"{name}\n"
    shown_alpha, shown_beta = _alpha_beta(options.betas[beta], digits)
    return f"{name}\talpha={shown_alpha}\tbeta={shown_beta}\n"


def _grid(rows: Sequence[Sequence[Any]]) -> str:
    """The authors' style of table."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) + 2 for column in zip(*cells, strict=True)]
    rule = "+".join(["", *("-" * width for width in widths), ""]) + "\n"
    header, *body = ["|".join(["", *map(str.center, row, widths), ""]) + "\n" for row in cells]
    return "".join([rule, header, rule, *body, rule])


def order_lines(statistics: Statistics, digits: int) -> str:
    """Alpha, beta, precision, recall and F over all orders; one line per table of GREEN."""
    options, orders = statistics.options, statistics.orders()
    last = np.stack([orders[name][..., -1] for name in ("cumP", "cumR", "cumF")], axis=-1)
    # (sentence, system, beta, value), or without sentences
    rows = np.moveaxis(last, [1, 0], [-3, -2])
    betas = np.tile(np.arange(rows.shape[-2]), rows[..., 0].size // rows.shape[-2])
    return _lines(
        [
            *_alpha_beta(options.betas[beta], digits),
            *(percent(value, digits) for value in row),
        ]
        for beta, row in zip(betas, rows.reshape(-1, 3).tolist(), strict=True)
    )


def _texts(
    corpus: Corpus, sentence: int, system: int, chosen: int | None, options: Options
) -> tuple[str, str, list[str]]:
    """The lines of source, correction and references; the chosen reference is marked."""
    number = sentence + 1
    source = "" if corpus.sources is None else f"S-{number}   \t{corpus.sources[sentence]}\n"
    letter = "H" if options.metric == "gleu" else "C"  # as its re-implementation has it
    texts = list(corpus.systems.values())[system]
    correction = f"{letter}-{number}-{system + 1} \t{texts[sentence]}\n"
    references = [
        f"R-{number}-{rank + 1}{'*' if rank == chosen else ' '}\t{text}\n"
        for rank, text in enumerate(corpus.references[sentence])
    ]
    return source, correction, references


def _alpha_beta(beta: float, digits: int) -> tuple[str, str]:
    alpha = 1 / (float(beta) * float(beta) + 1)
    return rounded(alpha, digits), rounded(float(beta), digits)


def _lines(rows: Any) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)


def signatures(statistics: Sequence[Statistics]) -> dict[str, str]:
    """The signature of each metric."""
    return {each.options.metric: each.signature for each in statistics}


def flat(columns: Columns, statistics: Sequence[Statistics]) -> Columns:
    """The columns of tables and CSV: those with one value per row."""
    names = {*_BEFORE}
    for each in statistics:
        metric, own = each.options.metric, {*each.metric.results, *_AFTER}
        if len(statistics) > 1:
            own = {metric, *(f"{metric}_{name}" for name in {"beta", *own})}
        names |= own
    return {name: column for name, column in columns.items() if name in names}


def short_names(names: Sequence[str], files: Sequence[str]) -> list[str]:
    """The systems' names in tables: without folders and endings if they stay different."""
    for shorten in (lambda path: _ENDING.sub("", _base(path)), _base, str):
        shorter = [visible(shorten(name) if name in files else name) for name in names]
        if len(set(shorter)) == len(names) and all(shorter):
            return shorter
    return list(names)


def _base(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def table(
    statistics: Sequence[Statistics],
    names: Sequence[str],
    results: Sequence[Values],
    format_: str,
    digits: int,
) -> str:
    """Results as a table in text, Markdown or LaTeX, with one or several scores."""
    all_columns = [
        each.columns(names, values) for each, values in zip(statistics, results, strict=True)
    ]
    options, is_one = statistics[0].options, len(statistics) == 1
    titled_cells = []
    for name in _BEFORE:
        if name in all_columns[0] and (name != "beta" or len(options.betas) > 1):
            cells = [_cell(name, value, options, digits) for value in all_columns[0][name]]
            titled_cells.append((name, [escaped(cell, format_) for cell in cells]))
    for each, columns in zip(statistics, all_columns, strict=True):
        cells = _cells(each, columns, format_, digits, n_systems=len(names))
        if not is_one:  # there is room for the most important ones
            kept = (each.options.metric, "interval", "difference")
            cells = {name: cells[name] for name in kept if name in cells}
        titles = titles_of_scores(each.options.order)
        titles |= {"interval": f"{level(each.options)} interval", "p_value": "p-value"}
        titles |= {"holm": "Holm", "difference": "difference" if is_one else "diff."}
        titled_cells += [(titles.get(name, name), column) for name, column in cells.items()]
    titles, cells = zip(*titled_cells, strict=True)
    return layout([_title(title, format_) for title in titles], cells, format_)


def _cells(
    statistics: Statistics, columns: Columns, format_: str, digits: int, n_systems: int
) -> dict[str, list[str]]:
    """The cells of a score's columns, in their order."""
    options, results = statistics.options, statistics.metric.results
    cells = {
        name: [_cell(name, value, options, digits) for value in columns[name]]
        for name in (*results, *_AFTER)
        if name in columns
    }
    if format_ != "text" and options.level != "sentence" and n_systems > 1:
        for name in results:
            cells[name] = _with_best_bold(cells[name], columns, name, format_)
    if "p_value" in cells:
        marks = _marks(columns.get("holm", columns["p_value"]), format_)
        with_marks = zip(cells[results[0]], marks, strict=True)
        cells[results[0]] = [f"{cell}{mark}" for cell, mark in with_marks]
        cells["p_value"] = [cell or "(baseline)" for cell in cells["p_value"]]
    if format_ == "latex" and "difference" in cells:
        cells["difference"] = [cell.replace("-", "$-$") for cell in cells["difference"]]
    if "low" in cells:
        bounds = zip(cells.pop("low"), cells.pop("high"), strict=True)
        cells["interval"] = [f"[{low}, {high}]" for low, high in bounds]
    in_order = (*results, "interval", "difference", "p_value", "holm")
    return {name: cells[name] for name in in_order if name in cells}


def _title(title: str, format_: str) -> str:
    """A column's title as a format writes it."""
    if format_ == "latex":
        known = {"beta": r"$\beta$", "M²": "M$^2$", "p-value": "$p$-value"}
        return known.get(title, escaped(title, format_))
    return {"beta": "β"}.get(title, title) if format_ == "markdown" else title


def escaped(text: str, format_: str) -> str:
    """A name as a cell of a table."""
    if format_ == "markdown":
        return _MARKDOWN.sub(r"\\\g<0>", text)
    if format_ == "latex":
        return "".join(_LATEX.get(character, character) for character in text)
    return text


def _with_best_bold(cells: list[str], columns: Columns, name: str, format_: str) -> list[str]:
    """The cells with the best system in bold, for each beta."""
    bold = {"markdown": "**{}**", "latex": r"\textbf{{{}}}"}[format_]
    betas = columns.get("beta", [None] * len(cells))
    best: dict[Any, tuple[float, str]] = {}
    for beta, value, cell in zip(betas, columns[name], cells, strict=True):
        best[beta] = max(best.get(beta, (value, cell)), (value, cell))
    return [
        bold.format(cell) if cell == best[beta][1] else cell
        for beta, cell in zip(betas, cells, strict=True)
    ]


def _marks(p_values: list[float], format_: str) -> list[str]:
    """A mark where a p-value is small; in text, spaces keep the digits in line."""
    is_small = [value < SMALL for value in p_values]  # NaN, the baseline's, is not
    no_mark = " " if format_ == "text" and any(is_small) else ""
    return [_MARK[format_] if small else no_mark for small in is_small]


def layout(titles: Sequence[str], columns: Sequence[Sequence[str]], format_: str) -> str:
    """Cells as a table in text, Markdown or LaTeX: the first column on the left."""
    widths = [max(map(len, (title, *cells))) for title, cells in zip(titles, columns, strict=True)]

    def line(cells: Sequence[str], between: str) -> str:
        first, *others = cells
        padded = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        return between.join([first.ljust(widths[0]), *padded])

    rows = [titles, *zip(*columns, strict=True)]
    if format_ == "text":
        header, *body = [line(row, "  ").rstrip() for row in rows]
        lines = [header, "  ".join("-" * width for width in widths), *body]
    elif format_ == "markdown":
        header, *body = [f"| {line(row, ' | ')} |" for row in rows]
        rule = [f":{'-' * (widths[0] + 1)}", *(f"{'-' * (width + 1)}:" for width in widths[1:])]
        lines = [header, f"|{'|'.join(rule)}|", *body]
    else:
        header, *body = [f"{line(row, ' & ')} \\\\" for row in rows]
        lines = [f"\\begin{{tabular}}{{l{'r' * (len(titles) - 1)}}}", "\\toprule", header]
        lines += ["\\midrule", *body, "\\bottomrule", "\\end{tabular}"]
    return "\n".join(lines) + "\n"


def to_csv(columns: Columns) -> str:
    """Columns as they are; NaN becomes an empty cell."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow("" if cell != cell else cell for cell in row)
    return file.getvalue()


def _cell(name: str, value: Any, options: Options, digits: int) -> str:
    """A value as a cell of a column."""
    if value is None or value != value:
        return ""
    if name == "system":
        return value
    if name == "beta":
        return format_number(value)
    if name == "sentence":
        return str(value + 1)
    if name in ("p_value", "holm"):
        return rounded(value, len(str(options.n_resamples)))
    if name == "difference":
        return f"{'+' * (value > 0)}{percent(value, digits)}"
    return percent(value, digits)


def to_json(
    columns: Columns,
    signatures: Mapping[str, str],
    settings: Sequence[Mapping[str, Any]],
    n_sentences: int,
    warnings: Sequence[str],
) -> str:
    """Everything, at full precision; one line per row."""
    options = {
        metric: {name: _to_json(value) for name, value in values.items()}
        for metric, values in zip(signatures, settings, strict=True)
    }
    if len(signatures) == 1:
        (signature,), (values,) = signatures.values(), options.values()
        head = {"signature": signature, "options": values}
    else:
        head = {"signatures": signatures, "options": options}
    head |= {"n_sentences": n_sentences, "warnings": warnings}
    lines = [f"{json.dumps(name)}: {json.dumps(value)},\n" for name, value in head.items()]
    return "".join(
        ["{\n", *lines, '"results": [\n', ",\n".join(map(json.dumps, rows(columns))), "\n]\n}\n"]
    )


def rows(columns: Columns) -> list[dict[str, Any]]:
    """Columns as rows, with values that JSON can write."""
    values = zip(*columns.values(), strict=True)
    return [dict(zip(columns, map(_to_json, row), strict=True)) for row in values]


def _to_json(value: Any) -> Any:
    """JSON has neither NaN nor infinity."""
    if isinstance(value, list):
        return [_to_json(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "inf"
    return value


def about_marks(options: Options, baseline: str, n_systems: int, format_: str) -> str:
    """What the marks of a table mean; a comment in LaTeX."""
    mark = "*" if format_ == "latex" else _MARK[format_]
    name = baseline if format_ == "latex" else escaped(baseline, format_)
    return f"{mark} p < {SMALL} against {name} ({about_test(options, n_systems)})"


def with_line(text: str, line: str, format_: str) -> str:
    """Append a line to a report in text, Markdown or LaTeX, where it is a comment."""
    before = {"text": "", "markdown": "\n", "latex": "% "}
    return f"{text}{before[format_]}{line}\n"
