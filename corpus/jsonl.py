"""JSON Lines: one sentence per line, with its source, references and predictions."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ..options import shown
from .files import Corpus, Path, read_lines, show_name


def read_jsonl(path: Path) -> Corpus:
    """The sentences of a JSON Lines file.

    Fields: "source", a string; "references", a string or a list of strings; "prediction", a string,
    or "predictions", a list of strings or an object that maps names of systems to strings. Sources,
    predictions or references may be missing, but then from all lines.
    """
    corpus = Corpus([], [], [])
    columns: dict[str, list[str]] = {}
    first, n_sentences = 0, 0
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        try:
            fields = _parse_object(line)
            n_sentences += 1
            if "source" in fields:
                corpus.sources.append(_string("source", fields["source"]))
            if "references" in fields:
                corpus.references.append(_strings("references", fields["references"]))
            predictions = _by_name(_predictions(fields))
            if not first:
                first, columns = number, {name: [] for name in predictions}
            for name in ("sources", "references"):
                if len(getattr(corpus, name)) not in (0, n_sentences):
                    raise ValueError(f"some lines have {name}, and some have none")
            if predictions.keys() != columns.keys():
                theirs, ours = ", ".join(predictions) or "none", ", ".join(columns) or "none"
                raise ValueError(f"its predictions are {theirs}; those of line {first}, {ours}")
        except ValueError as error:
            raise ValueError(f"{show_name(path)}:{number}: {error}") from None
        for name, text in predictions.items():
            columns[name].append(text)
    corpus.systems.extend(columns.items())
    return corpus if corpus.sources else corpus._replace(sources=None)


def _parse_object(line: str) -> dict[str, Any]:
    try:
        fields = json.loads(line, object_pairs_hook=_by_name)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise ValueError(f"not a JSON object: {shown(line)}")
    return fields


def _by_name(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """A dictionary of pairs; duplicate names are an error."""
    found = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"duplicate field {name!r}")
        found[name] = value
    return found


def _predictions(fields: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The names and texts of the systems in a line."""
    if "prediction" in fields:
        yield "prediction", _string("prediction", fields["prediction"])
    several = fields.get("predictions", {})
    if isinstance(several, dict):
        for name, text in several.items():
            yield _string(f"the name {name!r}", name), _string(f"predictions[{name!r}]", text)
    else:
        for index, text in enumerate(_strings("predictions", several)):
            yield f"predictions[{index}]", text


def _strings(name: str, value: Any) -> list[str]:
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not value:
        raise ValueError(f"{name} must be a string or a list of strings, not {shown(value)}")
    return [_string(f"{name}[{index}]", text) for index, text in enumerate(value)]


def _string(name: str, value: Any) -> str:
    if value is None:
        raise ValueError(f"{name} is missing")
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a string, not {shown(value)}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name} has a lone surrogate at character {error.start}") from None
    return value
