"""Error types as output: recall by type, and GREEN where there is something to correct."""

from argparse import Namespace
from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from ..api import count_each
from ..counting import Statistics
from ..edits import match
from ..edits.types import type_columns
from ..input_warnings import WarnOnce
from ..inputs import Corpus
from ..options import Options
from ..reporting.figures import column_titles, confidence_percent, percent
from . import scoring, tables
from .tables import Columns, escaped

# Tables have room for the intervals of this many systems.
_MOST_WITH_INTERVALS = 4
# The columns of the sentences as tables have them.
_GROUPS = ("sentences", "number", "precision", "recall", "green", "low", "high")


class Types(NamedTuple):
    """The gold edits that systems found. Rows are those of the first system, then the next."""

    names: list[str]  # of the systems, as tables show them
    n_sentences: int
    statistics: list[Statistics]  # of GREEN, and of the metric that finds the edits
    columns: Columns  # by error type
    groups: Columns  # GREEN of the sentences that need edits, and of those that need none
    warnings: list[str]


def count_types(args: Namespace, corpus: Corpus, green: Options, edits: Options) -> Types:
    """Compare the systems' edits with the gold edits, and score the sentences with GREEN."""
    warnings: list[str] = []
    warn = WarnOnce(lambda warning: warnings.append(scoring.warn(args, warning)))
    matches = match(corpus, edits, warn, scoring.make_progress("comparing"))
    progress = scoring.make_progress("counting")
    (statistics,) = count_each(corpus, [green], warn=warn, progress=progress)
    names, groups = list(corpus.systems), []
    is_edited = np.array([any(each.edits.values()) for each in corpus.gold[edits.metric]])
    for group, is_selected in {"need edits": is_edited, "need none": ~is_edited}.items():
        if is_selected.any():
            part = statistics.select_sentences(is_selected)
            size = {"sentences": group, "number": int(is_selected.sum())}
            columns = {key: [value] * len(names) for key, value in size.items()}
            groups.append(columns | part.columns(names, part.results()))
    return Types(
        scoring.short_names(names, args.systems),
        len(corpus),
        [statistics, matches.statistics()],
        type_columns(names, matches, args.tier),
        {key: [*chain(*zip(*(each[key] for each in groups), strict=True))] for key in groups[0]},
        warnings,
    )


def render(types: Types, args: Namespace, format_: str) -> str:
    statistics, names = types.statistics, types.names
    green, edits = statistics
    if format_ == "csv":  # the groups of sentences have other columns
        return tables.to_csv(types.columns, [edits] if args.signature else [])
    if format_ == "json":
        columns = {"types": types.columns, "sentences": types.groups}
        return tables.to_json(statistics, types.n_sentences, types.warnings, {}, **columns)
    level = confidence_percent(green.options)
    intervals = f", with {level} intervals" * (len(names) <= _MOST_WITH_INTERVALS)
    groups = {key: types.groups[key] for key in _GROUPS}
    parts = []
    for each, caption, columns, value in (
        (edits, f"recall of gold edits by {edits.metric.title}", types.columns, "recall"),
        (green, "GREEN of the sentences", groups, "green"),
    ):
        show = partial(percent, digits=args.digits, metric=each.options.metric)
        table = _table(columns, value, names, format_, show)
        parts.append(f"{tables.LINE[format_].format(caption + intervals)}\n{table}")
    with_signature = statistics if args.signature else []
    return "\n".join(parts) + tables.signature_lines(with_signature, format_)


def _table(
    columns: Columns, value: str, names: list[str], format_: str, show: Callable[[float], str]
) -> str:
    """The columns as a table: all if there is one system, else the values side by side."""

    def to_text(cell: str | float) -> str:
        return show(cell) if isinstance(cell, float) else escaped(str(cell), format_)

    cells = {key: [*map(to_text, column)] for key, column in columns.items()}
    if len(names) <= _MOST_WITH_INTERVALS:
        bounds = zip(cells[value], cells["low"], cells["high"], strict=True)
        cells[value] = [f"{text} [{low}, {high}]" for text, low, high in bounds]
    if "gold" in columns:  # there may be nothing to find
        pairs = zip(cells[value], columns["gold"], strict=True)
        cells[value] = [text if n_gold else "" for text, n_gold in pairs]
    keys = [key for key in columns if key not in ("system", "low", "high")]
    if len(names) == 1:
        titles = column_titles(Options())
        table_columns = [[titles.get(key, key), *cells[key]] for key in keys]
    else:
        n_rows = len(cells[value]) // len(names)
        table_columns = [[key, *cells[key][:n_rows]] for key in keys[:2]]
        for system, name in enumerate(names):
            own_cells = cells[value][system * n_rows :][:n_rows]
            table_columns.append([escaped(name, format_), *own_cells])
    return tables.layout(table_columns, format_)
