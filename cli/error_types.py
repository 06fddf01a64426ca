"""The report of `--types`: recall by error type, and GREEN where there is something to correct."""

import json
from collections.abc import Sequence
from typing import Any

from ..corpus import Corpus
from ..counting import Statistics
from ..edits.types import needs_edits
from ..reporting import figures
from . import reports
from .reports import Columns

Rows = list[dict[str, Any]]  # those of the first system, then those of the next one

# Tables have room for the intervals of this many systems.
_MOST_WITH_INTERVALS = 4
# What a table shows: the columns that come first, one for each system, and those that a single
# system has besides, before and after it.
_TABLE_COLUMNS = {
    "types": (
        *(("type", "edits"), "recall"),
        *(("gold", "correct", "proposed", "precision"), ("errant",)),
    ),
    "sentences": (("sentences", "number"), "green", ("precision", "recall"), ()),
}


def tables(corpus: Corpus, green: Statistics, types: Columns) -> dict[str, Rows]:
    """Rows by error type, whose columns are given, and by group of sentences."""
    names, are_edited = list(corpus.systems), needs_edits(corpus.gold)
    groups = []
    for group, is_selected in {"need edits": are_edited, "need none": ~are_edited}.items():
        if is_selected.any():
            part = green.select_sentences(is_selected)
            columns = reports.flat(part.columns(names, part.results()), [part])
            about = {"sentences": group, "number": int(is_selected.sum())}
            groups.append([about | row for row in reports.rows(columns)])
    by_system = [row for rows in zip(*groups, strict=True) for row in rows]
    return {"types": reports.rows(types), "sentences": by_system}


def to_json(
    tables: dict[str, Rows],
    statistics: Sequence[Statistics],
    n_sentences: int,
    warnings: Sequence[str],
) -> str:
    """Everything, at full precision; one line per row."""
    head = {
        "signatures": reports.signatures(statistics),
        "options": {each.options.metric: each.options.settings() for each in statistics},
        "n_sentences": n_sentences,
        "warnings": warnings,
    }
    parts = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    for name, rows in tables.items():
        lines = ",\n".join(map(json.dumps, rows))
        parts.append(f"{json.dumps(name)}: [\n{lines}\n]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def to_text(
    tables: dict[str, Rows],
    statistics: Sequence[Statistics],
    names: Sequence[str],
    format_: str,
    digits: int,
) -> str:
    """Both tables in text, Markdown or LaTeX, with the systems' names there."""
    green, edits = statistics
    has_room = len(names) <= _MOST_WITH_INTERVALS
    intervals = f", with {figures.level(green.options)} intervals" if has_room else ""
    captions = {
        "types": f"recall of gold edits by {edits.metric.title}{intervals}",
        "sentences": f"GREEN of the sentences{intervals}",
    }
    parts = []
    for name, caption in captions.items():
        table = _table(tables[name], *_TABLE_COLUMNS[name], names, format_, digits)
        parts.append(f"{reports.with_line('', caption, format_)}\n{table}")
    return "\n".join(parts)


def _table(
    rows: Rows,
    first: Sequence[str],
    value: str,
    before: Sequence[str],
    after: Sequence[str],
    names: Sequence[str],
    format_: str,
    digits: int,
) -> str:
    """A value of all systems side by side."""
    n_rows, is_one = len(rows) // len(names), len(names) == 1
    known = rows[0] if rows else {}
    titles = figures.titles_of_scores(0)

    def columns(keys: Sequence[str]) -> list[tuple[str, list[str]]]:
        return [
            (titles.get(key, key), [_cell(row[key], format_, digits) for row in rows[:n_rows]])
            for key in keys
            if key in known or key in first
        ]

    titled_cells = columns((*first, *(before if is_one else ())))
    for system, name in enumerate(names):
        own_rows = rows[system * n_rows : (system + 1) * n_rows]
        cells = [_value(row, value, len(names), format_, digits) for row in own_rows]
        title = titles.get(value, value) if is_one else reports.escaped(name, format_)
        titled_cells.append((title, cells))
    titled_cells += columns(after if is_one else ())
    return reports.layout(*zip(*titled_cells, strict=True), format_)


def _value(row: dict[str, Any], key: str, n_systems: int, format_: str, digits: int) -> str:
    """A value with its interval, if there is room; none where there is nothing to find."""
    if row.get("gold") == 0:
        return ""
    value, *bounds = (_cell(row[name], format_, digits) for name in (key, "low", "high"))
    return f"{value} [{', '.join(bounds)}]" if n_systems <= _MOST_WITH_INTERVALS else value


def _cell(value: str | float | None, format_: str, digits: int) -> str:
    if isinstance(value, str):
        return reports.escaped(value, format_)
    if isinstance(value, int):
        return str(value)
    return "" if value is None else figures.percent(value, digits)
