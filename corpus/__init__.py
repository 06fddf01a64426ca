"""Files to sentences: plain text, M2 and JSON Lines. Errors name the file and the line.

`-` is standard input.
"""

from collections.abc import Sequence
from os import PathLike, fspath

from ..options import shown
from .files import Corpus, Path, read_lines, show_name
from .jsonl import read_jsonl
from .m2 import is_m2, parse_m2, read_m2

__all__ = ["Corpus", "is_m2", "read", "read_jsonl", "read_lines", "read_m2", "show_name"]


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
    without them are an error. The other files add references (plain text or M2) and systems.
    """
    for name, paths in (("references", references), ("systems", systems)):
        if isinstance(paths, (str, PathLike)):
            raise TypeError(f"{name} must be a list of files, not {shown(paths)}")
    given = [path for path in (source, m2, jsonl) if path is not None]
    if len(given) > 1:
        raise ValueError("the sources must come from one file: plain text, M2 or JSON Lines")
    if [fspath(path) for path in (*given, *references, *systems)].count("-") > 1:
        raise ValueError("standard input (-) can be read only once")
    if jsonl is not None:
        elsewhere = {"sources": not needs_sources, "references": references, "predictions": systems}
        found = read_jsonl(jsonl, [name for name in elsewhere if not elsewhere[name]])
    elif m2 is not None:
        sources, listed = read_m2(m2)
        found = Corpus(sources, [], listed)
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
        columns.append(_references(path, found.sources, origin, expected))
        expected = columns[-1] if expected is None else expected
    if not expected:
        raise ValueError(f"{show_name(origin)} has no sentences")
    for path in systems:
        texts = read_lines(path)
        _check_length(path, texts, origin, expected)
        found.systems.append((fspath(path), texts))
    if not found.systems:
        raise ValueError("there are no systems: no file is given")
    joined = [[text for texts in parts for text in texts] for parts in zip(*columns, strict=True)]
    return found._replace(references=joined)


def _sources(path: Path) -> list[str]:
    lines = read_lines(path)
    if is_m2(lines):
        raise ValueError(
            f"{show_name(path)} is an M2 file, not plain text; give it as m2 (--m2), not as source"
        )
    return lines


def _references(
    path: Path, sources: list[str] | None, origin: Path, expected: Sequence | None
) -> list[Sequence[str]]:
    """The references of each sentence in a file, known as M2 by its name or by its lines."""
    lines = read_lines(path)
    if fspath(path).lower().removesuffix(".gz").endswith(".m2") or is_m2(lines):
        corrected, references = parse_m2(path, lines)
    else:
        corrected, references = sources, [(line,) for line in lines]
    _check_length(path, references, origin, expected)
    if sources is None:
        return references
    for number, (theirs, ours) in enumerate(zip(corrected, sources, strict=True), 1):
        if theirs != ours and theirs.split() != ours.split():
            raise ValueError(
                f"{show_name(path)}: sentence {number} corrects {shown(theirs)}, but in "
                f"{show_name(origin)} sentence {number} is {shown(ours)}"
            )
    return references


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
