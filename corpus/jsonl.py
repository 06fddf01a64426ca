"""JSON Lines: one sentence per line, with its source, references and predictions."""

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from ..inputs import COLUMNS, Corpus, name_among
from ..options import short_repr
from .files import Path, read_lines, show_name

_ARRAY = (
    "a JSON array; expected one object per line; convert it: python3 -c "
    '"import json, sys; [print(json.dumps(row)) for row in json.load(sys.stdin)]"'
)


def read_jsonl(path: Path, needed: Collection[str] = ()) -> Corpus:
    """The sentences of a JSON Lines file.

    Fields: "source", a string; "references", a string or a list of strings; "prediction", a string,
    or "predictions", a list of strings or an object that maps names of systems to strings. Common
    synonyms such as "src", "target" and "hyp" work, too. Sources, predictions or references may be
    missing, but then from all lines, and not if they are `needed`.
    """
    sources: list[str] = []
    references: list[list[str]] = []
    systems: dict[str, list[str]] = {}
    first, n_sentences = 0, 0
    first_fields: dict[str, Any] = {}
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        try:
            if not first and line.lstrip().startswith("["):
                raise ValueError(_ARRAY)
            fields = _parse_object(line)
            n_sentences += 1
            if name := name_among(fields, COLUMNS["sources"]):
                sources.append(_string(name, fields[name]))
            if name := name_among(fields, COLUMNS["references"]):
                references.append(_strings(name, fields[name]))
            predictions = _unique_fields(_predictions(fields))
            if not first:
                first, first_fields = number, fields
                systems = {name: [] for name in predictions}
            for name, column in {"sources": sources, "references": references}.items():
                if len(column) not in (0, n_sentences):
                    raise ValueError(f"some lines have {name}, and some have none")
            if predictions.keys() != systems.keys():
                theirs, ours = ", ".join(predictions) or "none", ", ".join(systems) or "none"
                raise ValueError(f"its predictions are {theirs}; those of line {first}, {ours}")
        except ValueError as error:
            raise ValueError(f"{show_name(path)}:{number}: {error}") from None
        for name, text in predictions.items():
            systems[name].append(text)
    columns = {"sources": sources, "references": references, "predictions": systems}
    missing = [name for name in (needed if any(columns.values()) else columns) if not columns[name]]
    if n_sentences and missing:
        raise ValueError(
            f"{show_name(path)} has no {' or '.join(missing)}; its fields are "
            f"{', '.join(first_fields) or 'none'}; expected source, references, prediction or "
            "predictions"
        )
    return Corpus(sources or None, systems, references)


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
    if value is None:
        raise ValueError(f"{name} is missing")
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a string, not {short_repr(value)}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name} has a lone surrogate at character {error.start}") from None
    return value
