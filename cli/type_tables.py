"""Error types as output: recall by type, and GREEN where there is something to correct."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import edits
from ..counting import Statistics
from ..edits.types import type_columns
from ..options import Options
from ..reporting.figures import column_titles, confidence_percent, percent
from . import tables
from .scoring import Scored, make_progress
from .tables import Columns, Rows

# Tables have room for the intervals of this many systems.
_MOST_WITH_INTERVALS = 4
# The columns of tables. Those after the first two are a system's own: all of them if it is the only
# one, else the one that is listed for each system.
_TYPES = ("type", "edits", "gold", "correct", "proposed", "precision", "recall", "errant")
_GROUPS = ("sentences", "number", "precision", "recall", "green")


class Types(NamedTuple):
    """The gold edits that systems found. Rows are those of the first system, then the next."""

    statistics: Statistics  # of the metric that finds the edits
    columns: Columns  # by error type
    groups: Rows  # GREEN of the sentences that need edits, and of those that need none


def count_types(scored: Scored, options: Options, tier: int) -> Types:
    """Compare the systems' edits with the gold edits."""
    corpus, (green,) = scored.corpus, scored.statistics
    names, groups = list(corpus.systems), []
    is_edited = np.array([any(each.edits.values()) for each in corpus.gold[options.metric]])
    for group, is_selected in {"need edits": is_edited, "need none": ~is_edited}.items():
        if is_selected.any():
            part = green.select_sentences(is_selected)
            columns = tables.flat(part.columns(names, part.results()), [part])
            size = {"sentences": group, "number": int(is_selected.sum())}
            groups.append([size | row for row in tables.rows(columns)])
    matches = edits.match(corpus, options, make_progress("comparing"))
    return Types(
        edits.make_statistics(matches, options),
        type_columns(names, matches, options, tier),
        [row for rows in zip(*groups, strict=True) for row in rows],
    )


def render(scored: Scored, types: Types, args: Namespace, format_: str) -> str:
    if format_ == "csv":  # the groups of sentences have other columns
        return tables.to_csv(types.columns, [types.statistics], args)
    by_type, (green,) = tables.rows(types.columns), scored.statistics
    statistics = [green, types.statistics]
    if format_ == "json":
        row_lists = {"types": by_type, "sentences": types.groups}
        return tables.to_json(statistics, len(scored.corpus), scored.warnings, {}, **row_lists)
    has_intervals = len(scored.names) <= _MOST_WITH_INTERVALS
    intervals = f", with {confidence_percent(green.options)} intervals" if has_intervals else ""
    parts = []
    for caption, rows, keys, value in (
        (f"recall of gold edits by {types.statistics.metric.title}", by_type, _TYPES, "recall"),
        ("GREEN of the sentences", types.groups, _GROUPS, "green"),
    ):
        texts = [_to_texts(row, value, has_intervals, format_, args.digits) for row in rows]
        layout = _table(texts, keys, value, scored.names, format_)
        parts.append(f"{tables.LINE[format_].format(caption + intervals)}\n{layout}")
    return "\n".join(parts) + tables.signature_lines(statistics, args, format_)


def _to_texts(
    row: dict[str, Any], value: str, has_intervals: bool, format_: str, digits: int
) -> dict[str, str]:
    """A row as people read it, with the interval beside the value."""
    texts = {}
    for key, cell in row.items():
        is_share = isinstance(cell, float)
        texts[key] = percent(cell, digits) if is_share else tables.escaped(str(cell), format_)
    if row.get("gold") == 0:  # there is nothing to find
        texts[value] = ""
    elif has_intervals:
        texts[value] += f" [{texts['low']}, {texts['high']}]"
    return texts


def _table(
    rows: Sequence[dict[str, str]], keys: Sequence[str], value: str, names: list[str], format_: str
) -> str:
    """The rows as a table, with the systems side by side."""
    n_rows = len(rows) // len(names)
    columns = [(key, [row[key] for row in rows[:n_rows]]) for key in keys[:2]]
    if len(names) == 1:
        titles = column_titles(Options())
        known = [key for key in keys[2:] if key == value or (rows and key in rows[0])]
        columns += [(titles.get(key, key), [row[key] for row in rows]) for key in known]
    else:
        for system, name in enumerate(names):
            own_rows = rows[system * n_rows :][:n_rows]
            columns.append((tables.escaped(name, format_), [row[value] for row in own_rows]))
    return tables.layout(*zip(*columns, strict=True), format_)
