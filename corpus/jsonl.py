"""JSON Lines: one sentence per line, with its source, references and predictions."""

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from ..inputs import Corpus
from ..options import short_repr
from .columns import COLUMNS, name_among
from .files import Path, name_in_commands, read_lines, show_name

_ARRAY = (
    "a JSON array; expected one object per line; convert it: python3 -c "
    '"import json, sys; [print(json.dumps(row)) for row in json.load(sys.stdin)]" < {0} > {0}l'
)
# The texts of a line: by ("sources",), ("references",) and ("predictions", name of the system).
_Row = dict[tuple[str, ...], Any]


def read_jsonl(path: Path, needed: Collection[str] = ()) -> Corpus:
    """The sentences of a JSON Lines file.

    Fields: "source", a string; "references", a string or a list of strings; "prediction", a string,
    or "predictions", a list of strings or an object that maps names of systems to strings. Common
    synonyms such as "src", "target" and "hyp" work, too. Sources, predictions or references may be
    missing, but then from all lines, and not if they are `needed`.
    """
    columns: dict[tuple[str, ...], list] = {}
    first_number, first_fields = 0, {}
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        try:
            if not first_number and line.lstrip().startswith("["):
                raise ValueError(_ARRAY.format(name_in_commands(path)))
            fields = _parse_object(line)
            row = _parse_row(fields)
            if not first_number:
                first_number, first_fields, columns = number, fields, {key: [] for key in row}
            if row.keys() != columns.keys():
                ours, theirs = (", ".join(key[-1] for key in keys) for keys in (row, columns))
                raise ValueError(f"its texts are {ours}; those of line {first_number}, {theirs}")
        except ValueError as error:
            raise ValueError(f"{show_name(path)}:{number}: {error}") from None
        for key, text in row.items():
            columns[key].append(text)
    kinds = {key[0] for key in columns}
    missing = [kind for kind in (needed if columns else COLUMNS) if kind not in kinds]
    if first_number and missing:
        raise ValueError(
            f"{show_name(path)} has no {' or '.join(missing)}; its fields are "
            f"{', '.join(first_fields) or 'none'}; expected source, references, prediction or "
            "predictions"
        )
    sources, references = columns.pop(("sources",), None), columns.pop(("references",), [])
    return Corpus(sources, {name: texts for (_, name), texts in columns.items()}, references)


def _parse_object(line: str) -> dict[str, Any]:
    try:
        fields = json.loads(line, object_pairs_hook=_unique_fields)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise ValueError(f"not a JSON object: {short_repr(line)}")
    return fields


def _unique_fields(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """A dictionary of pairs; duplicate names are an error."""
    fields = {}
    for name, value in pairs:
        if name in fields:
            raise ValueError(f"duplicate field {name!r}")
        fields[name] = value
    return fields


def _parse_row(fields: dict[str, Any]) -> _Row:
    row: _Row = {}
    if name := name_among(fields, COLUMNS["sources"]):
        row["sources",] = _string(name, fields[name])
    if name := name_among(fields, COLUMNS["references"]):
        row["references",] = _strings(name, fields[name])
    for name, text in _unique_fields(_predictions(fields)).items():
        row["predictions", name] = text
    return row


def _predictions(fields: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The names and texts of the systems in a line."""
    both = [name for name in ("prediction", "predictions") if name in fields]
    for field in both or filter(None, [name_among(fields, COLUMNS["predictions"])]):
        value = fields[field]
        if isinstance(value, dict):
            for name, text in value.items():
                yield _string(f"the name {name!r}", name), _string(f"{field}[{name!r}]", text)
        elif isinstance(value, list) or field == "predictions":
            for index, text in enumerate(_strings(field, value)):
                yield f"{field}[{index}]", text
        else:
            yield field, _string(field, value)


def _strings(name: str, value: Any) -> list[str]:
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not value:
        raise ValueError(f"{name} must be a string or a list of strings, not {short_repr(value)}")
    return [_string(f"{name}[{index}]", text) for index, text in enumerate(value)]


def _string(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a string, not {short_repr(value)}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name} has a lone surrogate at character {error.start}") from None
    return value
