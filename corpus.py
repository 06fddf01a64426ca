"""Files to sentences: plain text, M2 and JSON Lines.

Files are UTF-8, with or without a byte order mark, with any line ends, compressed with gzip or not;
`-` is standard input. Errors name the file and the line.
"""

import codecs
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike, fspath
from typing import Any, NamedTuple

Path = str | PathLike[str]


class Corpus(NamedTuple):
    """Sentences with all that belongs to them."""

    sources: list[str] | None
    systems: list[tuple[str, list[str]]]  # each system's name and its texts
    references: list[list[str]]  # each sentence's


def read(
    source: Path | None = None,
    references: Sequence[Path] = (),
    systems: Sequence[Path] = (),
    m2: Path | None = None,
    jsonl: Path | None = None,
) -> Corpus:
    """Read a corpus from several files and check that they belong together.

    The sources come from one of `source`, `m2` and `jsonl`, or there are none. To what M2 or JSON
    Lines have, the other files add references (plain text, or M2 if a name ends in `.m2`) and
    systems.
    """
    given = [path for path in (source, m2, jsonl) if path is not None]
    if len(given) > 1:
        raise ValueError("the sources must come from one file: plain text, M2 or JSON Lines")
    if [fspath(path) for path in (*given, *references, *systems)].count("-") > 1:
        raise ValueError("standard input (-) can be read only once")
    if jsonl is not None:
        found = read_jsonl(jsonl)
    elif m2 is not None:
        sources, listed = read_m2(m2)
        found = Corpus(sources, [], listed)
    else:
        found = Corpus(None if source is None else read_lines(source), [], [])

    known = [found.sources or [], found.references, *(texts for _, texts in found.systems)]
    n_sentences = max(map(len, known)) if given else None
    if n_sentences == 0:
        raise ValueError(f"{show_name(given[0])} has no sentences")
    none = f"{show_name(given[0])} has none, and no file is given" if given else "no file is given"
    if not found.references and not references:
        raise ValueError(f"there are no references: {none}")
    origin, *_ = [*given, *references]
    columns = [found.references] if found.references else []
    for path in references:  # where there is no other file, the first tells how many there are
        columns.append(_references(path, found.sources, origin, n_sentences))
        n_sentences = len(columns[-1])
    if not n_sentences:
        raise ValueError(f"{show_name(origin)} has no sentences")
    for path in systems:
        texts = read_lines(path)
        _check_length(path, len(texts), origin, n_sentences)
        found.systems.append((fspath(path), texts))
    if not found.systems:
        raise ValueError(f"there are no systems: {none}")
    joined = [[text for texts in parts for text in texts] for parts in zip(*columns, strict=True)]
    return found._replace(references=joined)


def _references(
    path: Path, sources: list[str] | None, origin: Path, n_sentences: int | None
) -> list[Sequence[str]]:
    """The references of each sentence that a file has."""
    if fspath(path).lower().removesuffix(".gz").endswith(".m2"):
        corrected, references = read_m2(path)
    else:
        corrected, references = sources, [(line,) for line in read_lines(path)]
    _check_length(path, len(references), origin, n_sentences)
    if sources is None:
        return references
    for number, (theirs, ours) in enumerate(zip(corrected, sources, strict=True), 1):
        if theirs != ours and theirs.split() != ours.split():
            raise ValueError(
                f"{show_name(path)}: sentence {number} corrects {_cut(theirs)}, but in "
                f"{show_name(origin)} sentence {number} is {_cut(ours)}"
            )
    return references


def _check_length(path: Path, length: int, origin: Path, expected: int | None) -> None:
    if expected not in (None, length):
        raise ValueError(
            f"{show_name(path)} has {length} sentences, but {show_name(origin)} has {expected}"
        )


def read_lines(path: Path) -> list[str]:
    """The lines of a text file, without their ends; all other whitespace stays."""
    text = _read(path)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def read_m2(path: Path) -> tuple[list[str], list[list[str]]]:
    """The sources of an M2 file, and the references of each: what its annotators make of it.

    The references are in the order of the annotators' numbers. A sentence has those annotators that
    it lists; where it lists none, the source is its reference.
    """
    sources, references = [], []
    tokens: list[str] = []
    edits: dict[int, list[_Edit]] = {}  # the current sentence's, by annotator
    for number, line in enumerate([*read_lines(path), "S"], 1):
        try:
            if line.startswith("S ") or line == "S":
                if sources:
                    of_annotators = [_apply(tokens, edits[who]) for who in sorted(edits)]
                    references.append(of_annotators or [sources[-1]])
                tokens, edits = _tokens(line[2:]), {}
                sources.append(" ".join(tokens))
            elif line.startswith("A "):
                if not sources:
                    raise ValueError("an edit before the first sentence")
                who, edit = _parse_edit(line, number, len(tokens))
                of_annotator = edits.setdefault(who, [])
                if edit:
                    of_annotator.append(edit)
            elif line.strip():
                raise ValueError(f"a line of M2 begins with 'S ' or 'A ', not like {_cut(line)}")
        except _Misplaced as error:
            raise ValueError(f"{show_name(path)}:{error.line}: {error}") from None
        except ValueError as error:
            raise ValueError(f"{show_name(path)}:{number}: {error}") from None
    return sources[:-1], references


class _Edit(NamedTuple):
    start: int
    stop: int
    correction: list[str]
    line: int


class _Misplaced(ValueError):
    """An edit that another one contradicts, found when all of a sentence's edits are known."""

    def __init__(self, edit: _Edit, other: _Edit):
        super().__init__(f"this edit overlaps that of line {other.line}")
        self.line = edit.line


def _parse_edit(line: str, number: int, n_tokens: int) -> tuple[int, _Edit | None]:
    """The annotator and the edit of a line of M2; no edit if it says that nothing changes."""
    parts = line[2:].split("|||")
    try:
        span, kind, correction, _, _, who = parts
        start, stop = map(int, span.split())
        annotator = int(who)
    except ValueError:
        raise ValueError(
            f"an edit must read 'A start end|||type|||correction|||…|||…|||annotator', "
            f"not {_cut(line)}"
        ) from None
    if kind == "noop":
        return annotator, None
    if not 0 <= start <= stop <= n_tokens:
        raise ValueError(f"an edit from {start} to {stop} in a sentence of {n_tokens} tokens")
    # Of several corrections, separated by "||", the first counts.
    first = _tokens(correction.split("||")[0])
    return annotator, _Edit(start, stop, [] if first == ["-NONE-"] else first, number)


def _apply(tokens: list[str], edits: list[_Edit]) -> str:
    """The sentence after the edits; those at the same place come in the order given."""
    corrected: list[str] = []
    done, last = 0, None
    for edit in sorted(edits, key=lambda edit: edit[:2]):
        if edit.start < done:
            raise _Misplaced(edit, last)
        corrected += tokens[done : edit.start]
        corrected += edit.correction
        done, last = edit.stop, edit
    return " ".join(corrected + tokens[done:])


def _tokens(text: str) -> list[str]:
    return [token for token in text.split(" ") if token]


def read_jsonl(path: Path) -> Corpus:
    """The sentences of a JSON Lines file, whose lines have these fields.

    "source": a string; "references": a string or a list of strings; "prediction": a string, or
    "predictions": a list of strings or an object with a string for each system's name. Sources,
    predictions or references may be missing from all lines.
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
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise ValueError(f"not a JSON object: {_cut(line)}")
    return fields


def _by_name(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """A dictionary of pairs with different names."""
    found = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{name!r} stands there twice")
        found[name] = value
    return found


def _predictions(fields: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The names and texts of the systems that a line of JSON has."""
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
        raise ValueError(f"{name} must be a string or a list of strings, not {_cut(value)}")
    return [_string(f"{name}[{index}]", text) for index, text in enumerate(value)]


def _string(name: str, value: Any) -> str:
    if value is None:
        raise ValueError(f"{name} is missing")
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a string, not {_cut(value)}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name} has a lone surrogate at character {error.start}") from None
    return value


def _read(path: Path) -> str:
    if fspath(path) == "-" and sys.stdin is None:
        raise ValueError("standard input is closed")
    try:
        if fspath(path) == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
    except OSError as error:
        error.filename = show_name(path)  # not known when it opens but cannot be read
        raise
    if data.startswith(b"\x1f\x8b"):
        data = _unzip(path, data)
    skipped = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    try:
        return data[skipped:].decode()
    except UnicodeDecodeError as error:
        offset = skipped + error.start
        line = data.count(b"\n", 0, offset) + 1
        raise ValueError(
            f"{show_name(path)}:{line}: not UTF-8: byte 0x{data[offset]:02x} at offset {offset}"
        ) from None


def _unzip(path: Path, data: bytes) -> bytes:
    import gzip
    import zlib

    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{show_name(path)}: not a whole gzip file: {error}") from None


def show_name(path: Path) -> str:
    """What messages call a file."""
    return "standard input" if fspath(path) == "-" else fspath(path)


def _cut(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
