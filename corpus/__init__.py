"""Files to sentences: plain text, M2 and JSON Lines. Errors name the file and the line.

`-` is standard input.
"""

from collections.abc import Sequence
from os import PathLike, fspath

from ..options import shown
from .files import Corpus, Path, read_lines, show_name
from .jsonl import read_jsonl
from .m2 import read_m2

__all__ = ["Corpus", "read", "read_jsonl", "read_lines", "read_m2", "show_name"]


def read(
    source: Path | None = None,
    references: Sequence[Path] = (),
    systems: Sequence[Path] = (),
    m2: Path | None = None,
    jsonl: Path | None = None,
) -> Corpus:
    """Read a corpus from several files and check that they belong together.

    At most one of `source`, `m2` and `jsonl` provides the sources. The other files add references
    (plain text, or M2 if a name ends in `.m2`) and systems.
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
    for path in references:  # without sources, the first file sets the number of sentences
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
    """The references of each sentence in a file."""
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
                f"{show_name(path)}: sentence {number} corrects {shown(theirs)}, but in "
                f"{show_name(origin)} sentence {number} is {shown(ours)}"
            )
    return references


def _check_length(path: Path, length: int, origin: Path, expected: int | None) -> None:
    if expected not in (None, length):
        raise ValueError(
            f"{show_name(path)} has {length} sentences, but {show_name(origin)} has {expected}"
        )
