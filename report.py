"""Results to what is printed or saved: the authors' plain text, tables, CSV and JSON.

Scores are shown in percent, except in JSON, which has them as they are.
"""

import csv
import io
import json
import math
from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

import numpy as np

from .corpus import Corpus
from .options import Options

_COLUMNS = (
    *("system", "beta", "sentence", "green", "precision", "recall"),
    *("low", "high", "interval", "difference", "p_value", "signature"),
)
_TABULATE = {"text": "simple", "markdown": "pipe", "latex": "latex_booktabs"}
_MANY_DIGITS = Context(prec=1000)

Columns = dict[str, list]
Arrays = dict[str, np.ndarray]


def rounded(value: float, digits: int) -> str:
    """Round half up on the decimal digits that Python shows, as the authors' tool does."""
    if math.isinf(value):
        return "inf"
    unit = Decimal(1).scaleb(-digits)
    return str(Decimal(repr(value)).quantize(unit, ROUND_HALF_UP, _MANY_DIGITS))


def percent(value: float, digits: int) -> str:
    return rounded(100 * value, digits)


def plain(names: Sequence[str], green: np.ndarray, options: Options, digits: int) -> str:
    """The authors' output: scores (beta, system), or (beta, system, sentence) line by line."""
    if options.level == "sentence":
        rows = green.reshape(-1, green.shape[-1]).T.tolist()
        return _lines([percent(value, digits) for value in row] for row in rows)
    pairs = zip(*(_alpha_beta(beta, digits) for beta in options.betas), strict=True)
    header = [[name, *values] for name, values in zip(("alpha", "beta"), pairs, strict=True)]
    of_systems = zip(names, green.T.tolist(), strict=True)
    return _lines(header) + _lines(
        [name, *(percent(value, digits) for value in values)] for name, values in of_systems
    )


def order_tables(
    corpus: Corpus, orders: Arrays, chosen: np.ndarray, options: Options, digits: int
) -> str:
    """The counts and scores of every order, a table for each (sentence,) system and beta.

    `orders` has arrays (beta, system, order), or (beta, system, sentence, order).
    """
    parts = []
    for sentence, system, index in _places(orders, options):
        beta = options.betas[index].item()
        alpha_beta = "alpha={}\tbeta={}".format(*_alpha_beta(beta, digits))
        parts.append(f"{corpus.systems[system][0]}\t{alpha_beta}\n")
        if options.level == "sentence":
            parts.append(_texts(corpus, sentence, system, chosen[index, system, sentence]))
        columns = [
            [percent(value, digits) if isinstance(value, float) else value for value in values]
            for values in _at(orders, sentence, system, index)
        ]
        headers = ["", *(f"F{beta}" if name == "F" else name for name in orders)]
        rows = zip(range(1, len(columns[0]) + 1), *columns, strict=True)
        parts.append(_grid([headers, *rows]))
    return "".join(parts)


def _grid(rows: Sequence[Sequence[Any]]) -> str:
    """The authors' kind of table. Of thousands, tabulate is slow."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) + 2 for column in zip(*cells, strict=True)]
    rule = "+".join(["", *("-" * width for width in widths), ""]) + "\n"
    header, *body = ["|".join(["", *map(str.center, row, widths), ""]) + "\n" for row in cells]
    return "".join([rule, header, rule, *body, rule])


def order_lines(orders: Arrays, options: Options, digits: int) -> str:
    """Alpha, beta, precision, recall and F over all orders, a line for each table."""
    last = {name: orders[name][..., -1:] for name in ("cumP", "cumR", "cumF")}
    return _lines(
        [
            *_alpha_beta(options.betas[index], digits),
            *(percent(value, digits) for (value,) in _at(last, sentence, system, index)),
        ]
        for sentence, system, index in _places(orders, options)
    )


def _places(orders: Arrays, options: Options) -> Iterator[tuple[int, int, int]]:
    n_betas, n_systems, *rest = orders["F"].shape
    n_sentences = rest[0] if options.level == "sentence" else 1
    yield from np.ndindex(n_sentences, n_systems, n_betas)


def _at(orders: Arrays, sentence: int, system: int, index: int) -> list[list]:
    """Each array's values, one an order."""
    values = [array[index, system] for array in orders.values()]
    return [(value if value.ndim == 1 else value[sentence]).tolist() for value in values]


def _texts(corpus: Corpus, sentence: int, system: int, chosen: int) -> str:
    number = sentence + 1
    return _lines(
        [
            [f"S-{number}   ", corpus.sources[sentence]],
            [f"C-{number}-{system + 1} ", corpus.systems[system][1][sentence]],
            *(
                [f"R-{number}-{rank + 1}{'*' if rank == chosen else ' '}", text]
                for rank, text in enumerate(corpus.references[sentence])
            ),
        ]
    )


def _alpha_beta(beta: float, digits: int) -> tuple[str, str]:
    alpha = 1 / (float(beta) * float(beta) + 1)
    return rounded(alpha, digits), rounded(float(beta), digits)


def _lines(rows: Any) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)


def table(columns: Columns, format_: str, options: Options, digits: int) -> str:
    """The results as CSV, or as a table to read: text, Markdown or LaTeX."""
    shown = {
        name: _cells(name, columns[name], options, digits) for name in _COLUMNS if name in columns
    }
    if format_ == "csv":
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(shown)
        writer.writerows(zip(*shown.values(), strict=True))
        return file.getvalue()

    from tabulate import tabulate

    if format_ == "markdown":
        shown["system"] = [name.replace("|", r"\|") for name in shown["system"]]
    if "low" in shown:
        bounds = zip(shown.pop("low"), shown.pop("high"), strict=True)
        shown["interval"] = [f"[{low}, {high}]" for low, high in bounds]
    if "p_value" in shown:
        shown["p_value"] = [value or "(baseline)" for value in shown["p_value"]]
    shown = {name: shown[name] for name in _COLUMNS if name in shown}
    level = np.format_float_positional(100 * (options.confidence_level or 0), 6, trim="-")
    titles = {"green": "GREEN", "interval": f"{level}% interval", "p_value": "p-value"}
    text = tabulate(
        list(zip(*shown.values(), strict=True)),
        [titles.get(name, name) for name in shown],
        tablefmt=_TABULATE[format_],
        disable_numparse=True,
        colalign=["left", *["right"] * (len(shown) - 1)],
    )
    return text + "\n"


def _cells(name: str, values: list, options: Options, digits: int) -> list[str]:
    """A column's cells."""

    def show(value: Any) -> str:
        if value is None or value != value:
            return ""
        if name in ("system", "signature"):
            return value
        if name == "beta":
            return np.format_float_positional(value, trim="-")
        if name == "sentence":
            return str(value)
        if name == "p_value":
            return rounded(value, len(str(options.n_resamples)))
        if name == "difference":
            return f"{'+' * (value > 0)}{percent(value, digits)}"
        return percent(value, digits)

    return [show(value) for value in values]


def to_json(columns: Columns, signature: str, settings: dict[str, Any], n_sentences: int) -> str:
    """Everything, in full: a line of JSON for each row."""
    rows = zip(*columns.values(), strict=True)
    results = [dict(zip(columns, map(_to_json, row), strict=True)) for row in rows]
    options = {name: _to_json(value) for name, value in settings.items()}
    return (
        f'{{\n"signature": {json.dumps(signature)},\n'
        f'"options": {json.dumps(options)},\n'
        f'"n_sentences": {n_sentences},\n'
        '"results": [\n' + ",\n".join(map(json.dumps, results)) + "\n]\n}\n"
    )


def _to_json(value: Any) -> Any:
    """JSON knows neither "not a number" nor infinity."""
    if isinstance(value, list):
        return [_to_json(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "inf"
    return value


def with_signature(text: str, signature: str, format_: str) -> str:
    """The output and the signature, where it is not part of the output: JSON and CSV."""
    before = {"text": "", "markdown": "\n", "latex": "% "}
    return f"{text}{before[format_]}{signature}\n" if format_ in before else text
