"""Files to sentences: plain text, M2 and JSON Lines. Errors name the file and the line.

`-` is standard input.
"""

from collections.abc import Sequence
from os import PathLike, fspath

from ..options import shown
from .files import Corpus, Path, read_lines, show_name
from .jsonl import read_jsonl
from .m2 import (
    Annotated,
    Edit,
    Edits,
    check_sources,
    is_m2,
    joined,
    parse_edits,
    read_edits,
    read_m2,
    texts_of,
)

__all__ = [
    "Annotated",
    "Corpus",
    "Edit",
    "Edits",
    "is_m2",
    "read",
    "read_edits",
    "read_jsonl",
    "read_lines",
    "read_m2",
    "show_name",
]


def read(
    source: Path | None = None,
    references: Sequence[Path] = (),
    systems: Sequence[Path] = (),
    m2: Path | None = None,
    jsonl: Path | None = None,
    needs_sources: bool = False,
) -> Corpus:
    """Read a corpus from several files and check that they belong together.

    At most one of `source`, `m2` and `jsonl` provides the sources; with `needs_sources`, JSON Lines
    without them are an error. The other files add references and systems, each of them as plain
    text or M2.
    """
    return read_with_edits(source, references, systems, m2, jsonl, needs_sources)[0]


def read_with_edits(
    source: Path | None,
    references: Sequence[Path],
    systems: Sequence[Path],
    m2: Path | None,
    jsonl: Path | None,
    needs_sources: bool,
) -> tuple[Corpus, Edits]:
    """What `read` returns, and the edits that M2 files have."""
    for name, paths in (("references", references), ("systems", systems)):
        if isinstance(paths, (str, PathLike)):
            raise TypeError(f"{name} must be a list of files, not {shown(paths)}")
    given = [path for path in (source, m2, jsonl) if path is not None]
    if len(given) > 1:
        raise ValueError("the sources must come from one file: plain text, M2 or JSON Lines")
    if [fspath(path) for path in (*given, *references, *systems)].count("-") > 1:
        raise ValueError("standard input (-) can be read only once")
    gold: list[Annotated] | None = None
    if jsonl is not None:
        elsewhere = {"sources": not needs_sources, "references": references, "predictions": systems}
        found = read_jsonl(jsonl, [name for name in elsewhere if not elsewhere[name]])
    elif m2 is not None:
        gold = read_edits(m2)
        sources = [sentence.source for sentence in gold]
        found = Corpus(sources, [], [sentence.references for sentence in gold])
    else:
        found = Corpus(None if source is None else _sources(source), [], [])

    known = [found.sources or [], found.references, *(texts for _, texts in found.systems)]
    expected = max(known, key=len) if given else None  # one entry per sentence
    if given and not expected:
        raise ValueError(f"{show_name(given[0])} has no sentences")
    if not found.references and not references:
        raise ValueError("there are no references: no file is given")
    origin, *_ = [*given, *references]
    columns = [found.references] if found.references else []
    for path in references:  # without sources, the first file sets the number of sentences
        texts, edits = _read_either(path, found.sources, origin, expected)
        if edits is None:
            columns.append([(text,) for text in texts])
        else:
            columns.append([sentence.references for sentence in edits])
            gold = edits if gold is None else joined(gold, edits)
        expected = columns[-1] if expected is None else expected
    if not expected:
        raise ValueError(f"{show_name(origin)} has no sentences")
    of_systems: list[list[Annotated] | None] = [None] * len(found.systems)
    for path in systems:
        texts, edits = _read_either(path, found.sources, origin, expected)
        texts = texts if edits is None else texts_of(show_name(path), edits)
        found.systems.append((fspath(path), texts))
        of_systems.append(edits)
    if not found.systems:
        raise ValueError("there are no systems: no file is given")
    together = [[text for texts in parts for text in texts] for parts in zip(*columns, strict=True)]
    return found._replace(references=together), Edits(gold, of_systems)


def _sources(path: Path) -> list[str]:
    lines = read_lines(path)
    if is_m2(lines):
        raise ValueError(
            f"{show_name(path)} is an M2 file, not plain text; give it as m2 (--m2), not as source"
        )
    return lines


def _read_either(
    path: Path, sources: list[str] | None, origin: Path, expected: Sequence | None
) -> tuple[list[str], list[Annotated] | None]:
    """The lines of a file and, if it is M2, by its name or its lines, its sentences with edits."""
    lines, edits = read_lines(path), None
    if fspath(path).lower().removesuffix(".gz").endswith(".m2") or is_m2(lines):
        edits = parse_edits(path, lines)
    texts = lines if edits is None else [sentence.source for sentence in edits]
    _check_length(path, texts, origin, expected)
    if sources is not None and edits is not None:
        check_sources(show_name(path), edits, sources, show_name(origin))
    return lines, edits


def _check_length(path: Path, texts: Sequence, origin: Path, expected: Sequence | None) -> None:
    """Check the number of sentences of a file against that of the first file."""
    if expected is None or len(texts) == len(expected):
        return
    ours, theirs = show_name(path), show_name(origin)
    hint = ""
    if _ends_blank(texts, len(expected)):
        hint = "; its last line is empty: remove it"
    elif _ends_blank(expected, len(texts)):
        hint = f"; the last line of {theirs} is empty: remove it"
    raise ValueError(f"{ours} has {len(texts)} sentences, but {theirs} has {len(expected)}{hint}")


def _ends_blank(texts: Sequence[str] | Sequence[Sequence[str]], n_others: int) -> bool:
    """Whether there is one sentence too many, and the last has nothing but whitespace."""
    return len(texts) == n_others + 1 and not "".join(texts[-1]).strip()
