"""Results as reports: the authors' plain text, tables, CSV and JSON.

For people (text, Markdown, LaTeX), scores are rounded percentages and sentences count from 1; for
programs (JSON, CSV), scores have full precision in [0, 1] and sentences count from 0.
"""

import csv
import io
import json
import math
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

import numpy as np

from ..api import Statistics
from ..corpus import Corpus
from ..options import OPTIONS, Options, format_number
from ..scores import SCORES, scoring

# The columns of tables and CSV; the score's own are in the middle.
_BEFORE = ("system", "beta", "sentence")
_AFTER = ("low", "high", "interval", "difference", "p_value", "holm", "signature")
_TESTS = {
    "ar": "approximate randomisation, two-sided",
    "bs": "paired bootstrap as in sacreBLEU, in effect one-sided",
}
_TABULATE = {"text": "simple", "markdown": "pipe", "latex": "latex_booktabs"}
_MANY_DIGITS = Context(prec=1000)

Columns = dict[str, list]
Arrays = dict[str, np.ndarray]


def rounded(value: float, digits: int) -> str:
    """Round half up, on the decimal digits that Python shows, as the authors' tool does."""
    if math.isinf(value):
        return "inf"
    unit = Decimal(1).scaleb(-digits)
    return str(Decimal(repr(value)).quantize(unit, ROUND_HALF_UP, _MANY_DIGITS))


def percent(value: float, digits: int) -> str:
    return rounded(100 * value, digits)


def plain(names: Sequence[str], values: np.ndarray, options: Options, digits: int) -> str:
    """The authors' output: scores (beta, system), or (beta, system, sentence) line by line."""
    if options.level == "sentence":
        rows = values.reshape(-1, values.shape[-1]).T.tolist()
        return _lines([percent(value, digits) for value in row] for row in rows)
    header = []
    if OPTIONS["beta"].is_of(options.metric):
        pairs = zip(*(_alpha_beta(beta, digits) for beta in options.betas), strict=True)
        header = [[name, *row] for name, row in zip(("alpha", "beta"), pairs, strict=True)]
    of_systems = zip(names, values.T.tolist(), strict=True)
    return _lines(header) + _lines(
        [name, *(percent(value, digits) for value in row)] for name, row in of_systems
    )


def order_tables(corpus: Corpus, statistics: Statistics, digits: int) -> str:
    """The counts and scores of each order, in one table per (sentence,) system and beta.

    Where references are drawn, single sentences have one table per reference.
    """
    options, orders = statistics.options, statistics.orders()
    n_betas, n_systems = next(iter(orders.values())).shape[:2]
    tables = _tables(orders, options, digits)
    if options.level != "sentence":
        return "".join(
            _title(corpus, system, beta, options, digits) + tables(beta, system)
            for system, beta in np.ndindex(n_systems, n_betas)
        )
    parts, chosen = [], statistics.chosen
    firsts = np.cumsum(statistics.n_references) - statistics.n_references
    for sentence, system, beta in np.ndindex(len(firsts), n_systems, n_betas):
        best = None if chosen is None else chosen[beta, system, sentence]
        source, correction, references = _texts(corpus, sentence, system, best, options)
        if statistics.scoring.per_reference:
            for rank, reference in enumerate(references):
                parts += [source, correction, reference]
                parts.append(tables(beta, system, firsts[sentence] + rank))
        else:
            parts.append(_title(corpus, system, beta, options, digits))
            parts += [source, correction, *references, tables(beta, system, sentence)]
    return "".join(parts)


def _tables(orders: Arrays, options: Options, digits: int) -> Callable[..., str]:
    """A function that makes the table at an index of the arrays."""
    counts = scoring(options).counts

    def show(name: str, values: list[float]) -> list[str]:
        if name not in counts:
            return [percent(value, digits) for value in values]
        if all(value == int(value) for value in values):
            return [str(int(value)) for value in values]
        return [rounded(value, digits) for value in values]  # means over draws

    def draw(beta: int, *place: int) -> str:
        columns = [show(name, array[(beta, *place)].tolist()) for name, array in orders.items()]
        label = f"F{options.betas[beta]}"
        headers = ["", *(label if name == "F" else name for name in orders)]
        numbers = [*map(str, range(1, options.order + 1)), "total"]
        rows = zip(numbers, *columns, strict=False)
        return _grid([headers, *rows])

    return draw


def _title(corpus: Corpus, system: int, beta: int, options: Options, digits: int) -> str:
    name, _ = corpus.systems[system]
    if not OPTIONS["beta"].is_of(options.metric):
        return f"{name}\n"
    pair = _alpha_beta(options.betas[beta], digits)
    return "{}\talpha={}\tbeta={}\n".format(name, *pair)


def _grid(rows: Sequence[Sequence[Any]]) -> str:
    """The authors' style of table. tabulate would be slow for thousands of them."""
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
    correction = f"{letter}-{number}-{system + 1} \t{corpus.systems[system][1][sentence]}\n"
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


def flat(columns: Columns, options: Options) -> Columns:
    """The columns with one value per row, in the order of tables and CSV."""
    names = (*_BEFORE, *scoring(options).results, *_AFTER)
    return {name: columns[name] for name in names if name in columns}


def table(columns: Columns, format_: str, options: Options, digits: int) -> str:
    """Results as a table in text, Markdown or LaTeX."""
    from tabulate import tabulate

    shown = {
        name: _cells(name, values, options, digits)
        for name, values in flat(columns, options).items()
    }
    if format_ == "markdown":
        shown["system"] = [name.replace("|", r"\|") for name in shown["system"]]
    if "low" in shown:
        bounds = zip(shown.pop("low"), shown.pop("high"), strict=True)
        shown["interval"] = [f"[{low}, {high}]" for low, high in bounds]
    if "p_value" in shown:
        shown["p_value"] = [value or "(baseline)" for value in shown["p_value"]]
    shown = flat(shown, options)
    level = np.format_float_positional(100 * (options.confidence_level or 0), 6, trim="-")
    titles = titles_of_scores(options.order)
    titles |= {"interval": f"{level}% interval", "p_value": "p-value", "holm": "Holm"}
    text = tabulate(
        list(zip(*shown.values(), strict=True)),
        [titles.get(name, name) for name in shown],
        tablefmt=_TABULATE[format_],
        disable_numparse=True,
        colalign=["left", *["right"] * (len(shown) - 1)],
    )
    return text + "\n"


def titles_of_scores(order: int) -> dict[str, str]:
    return {name: kind.title.format(n=order) for name, kind in SCORES.items()}


def to_csv(columns: Columns) -> str:
    """Columns as they are; NaN becomes an empty cell."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow("" if cell != cell else cell for cell in row)
    return file.getvalue()


def _cells(name: str, values: list, options: Options, digits: int) -> list[str]:
    """The cells of a column."""

    def show(value: Any) -> str:
        if value is None or value != value:
            return ""
        if name in ("system", "signature"):
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

    return [show(value) for value in values]


def to_json(
    columns: Columns,
    signature: str,
    settings: dict[str, Any],
    n_sentences: int,
    warnings: Sequence[str],
) -> str:
    """Everything, at full precision; one line per row."""
    rows = zip(*columns.values(), strict=True)
    results = [dict(zip(columns, map(_to_json, row), strict=True)) for row in rows]
    options = {name: _to_json(value) for name, value in settings.items()}
    return (
        f'{{\n"signature": {json.dumps(signature)},\n'
        f'"options": {json.dumps(options)},\n'
        f'"n_sentences": {n_sentences},\n'
        f'"warnings": {json.dumps(warnings)},\n'
        '"results": [\n' + ",\n".join(map(json.dumps, results)) + "\n]\n}\n"
    )


def _to_json(value: Any) -> Any:
    """JSON has neither NaN nor infinity."""
    if isinstance(value, list):
        return [_to_json(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "inf"
    return value


def about_test(options: Options, baseline: str, n_systems: int) -> str:
    """Which test the p-values of a table come from."""
    from ..explanation import visible

    line = (
        f"{_TESTS[options.paired]}, {options.n_resamples:,} resamples, against {visible(baseline)}"
    )
    corrected = f"; Holm: corrected for {n_systems - 1} comparisons" if n_systems > 2 else ""
    return f"p-value: {line}{corrected}"


def with_line(text: str, line: str, format_: str) -> str:
    """Append a line to a report in text, Markdown or LaTeX."""
    before = {"text": "", "markdown": "\n", "latex": "% "}
    return f"{text}{before[format_]}{line}\n"
