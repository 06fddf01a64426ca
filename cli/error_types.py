"""The report of `--types`: recall by error type, and GREEN where there is something to correct."""

import json
from collections.abc import Sequence
from typing import Any

from ..api import Statistics
from ..corpus import Edits
from ..edits.types import columns, needs_edits
from ..reporting import figures
from . import reports

Rows = list[dict[str, Any]]  # those of the first system, then those of the next one

# Tables have room for the intervals of this many systems.
_MOST_WITH_INTERVALS = 4
# What a table shows: the columns that come first, one for each system, and those that a single
# system has besides, before and after it.
_SHOWN = {
    "types": (
        *(("type", "edits"), "recall"),
        *(("gold", "correct", "proposed", "precision"), ("errant",)),
    ),
    "sentences": (("sentences", "number"), "green", ("precision", "recall"), ()),
}


def tables(
    names: Sequence[str], made: Sequence[Statistics], edits: Edits, tier: int
) -> dict[str, Rows]:
    """Rows by error type and by group of sentences; `made` are GREEN and a score of edits."""
    green, of_edits = made
    are_edited = needs_edits(edits.gold)
    groups = []
    for group, are_taken in {"need edits": are_edited, "need none": ~are_edited}.items():
        if are_taken.any():
            part = green.of_sentences(are_taken)
            about = {"sentences": group, "number": int(are_taken.sum())}
            of_part = reports.rows(reports.flat(part.columns(names, part.results()), [part]))
            groups.append([about | row for row in of_part])
    by_system = [row for rows in zip(*groups, strict=True) for row in rows]
    return {"types": reports.rows(columns(names, of_edits, tier)), "sentences": by_system}


def to_json(
    found: dict[str, Rows],
    made: Sequence[Statistics],
    n_sentences: int,
    warnings: Sequence[str],
) -> str:
    """Everything, at full precision; one line per row."""
    head = {
        "signatures": {each.options.metric: each.signature for each in made},
        "options": {each.options.metric: each.options.settings() for each in made},
        "n_sentences": n_sentences,
        "warnings": warnings,
    }
    parts = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    for name, rows in found.items():
        lines = ",\n".join(map(json.dumps, rows))
        parts.append(f"{json.dumps(name)}: [\n{lines}\n]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def to_text(
    found: dict[str, Rows],
    made: Sequence[Statistics],
    names: Sequence[str],
    format_: str,
    digits: int,
) -> str:
    """Both tables in text, Markdown or LaTeX; `names` are the systems' there."""
    green, of_edits = made
    has_room = len(names) <= _MOST_WITH_INTERVALS
    intervals = f", with {figures.level(green.options)} intervals" if has_room else ""
    captions = {
        "types": f"recall of gold edits by {of_edits.scoring.title}{intervals}",
        "sentences": f"GREEN of the sentences{intervals}",
    }
    parts = []
    for name, caption in captions.items():
        table = _table(found[name], *_SHOWN[name], names, format_, digits)
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

    shown = columns((*first, *(before if is_one else ())))
    for system, name in enumerate(names):
        of_system = rows[system * n_rows : (system + 1) * n_rows]
        cells = [_value(row, value, len(names), format_, digits) for row in of_system]
        title = titles.get(value, value) if is_one else reports.escaped(name, format_)
        shown.append((title, cells))
    shown += columns(after if is_one else ())
    return reports.layout(*zip(*shown, strict=True), format_)


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
