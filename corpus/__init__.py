"""Files to sentences: plain text, M2 and JSON Lines. Errors name the file and the line.

`-` is standard input.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath

from ..inputs import Corpus
from ..options import short_repr
from .files import Path, read_lines, show_name
from .jsonl import read_jsonl
from .m2 import (
    Annotated,
    Edit,
    check_sources,
    is_m2,
    join_annotators,
    parse_edits,
    read_edits,
    read_m2,
    texts_of,
)

__all__ = [
    "Annotated",
    "Corpus",
    "Edit",
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
    systems: Sequence[Path] | Mapping[str, Path] = (),
    m2: Path | None = None,
    jsonl: Path | None = None,
    needs_sources: bool = False,
) -> Corpus:
    """Read a corpus from several files and check that they belong together.

    At most one of `source`, `m2` and `jsonl` provides the sources; with `needs_sources`, JSON Lines
    without them are an error. The other files add references and systems, each of them as plain
    text or M2. A system has the name that a mapping gives it, or that of its file. References in M2
    are the corpus's gold edits, and a system in M2 brings its own edits.
    """
    for name, paths in (("references", references), ("systems", systems)):
        if isinstance(paths, (str, PathLike)):
            raise TypeError(f"{name} must be a list of files, not {short_repr(paths)}")
    named = _name_systems(systems)
    origins = [path for path in (source, m2, jsonl) if path is not None]
    if len(origins) > 1:
        raise ValueError("the sources must come from one file: plain text, M2 or JSON Lines")
    paths = [*origins, *references, *(path for _, path in named)]
    if [fspath(path) for path in paths].count("-") > 1:
        raise ValueError("standard input (-) can be read only once")
    elsewhere = {"sources": not needs_sources, "references": references, "predictions": named}
    needed = [name for name in elsewhere if not elsewhere[name]]
    corpus = _read_origin(source, m2, jsonl, needed)
    columns = [corpus.sources or [], corpus.references, *corpus.systems.values()]
    expected = max(columns, key=len) if origins else None  # one entry per sentence
    if origins and not expected:
        raise ValueError(f"{show_name(origins[0])} has no sentences")
    if not corpus.references and not references:
        raise ValueError("there are no references: no file is given")
    first, *_ = [*origins, *references]
    corpus = _add_references(corpus, references, first, expected)
    corpus = _add_systems(corpus, named, first)
    if not corpus.systems:
        raise ValueError("there are no systems: no file is given")
    return corpus


def _name_systems(systems: Sequence[Path] | Mapping[str, Path]) -> list[tuple[str, Path]]:
    if isinstance(systems, Mapping):
        return list(systems.items())
    return [(fspath(path), path) for path in systems]


def _read_origin(
    source: Path | None, m2: Path | None, jsonl: Path | None, needed: Sequence[str]
) -> Corpus:
    """What the file with the sources has, if there is one; `needed` must be in JSON Lines."""
    if jsonl is not None:
        return read_jsonl(jsonl, needed)
    if m2 is not None:
        gold = read_edits(m2)
        sources = [sentence.source for sentence in gold]
        return Corpus(sources, {}, [sentence.references for sentence in gold], gold)
    return Corpus(None if source is None else _read_sources(source), {}, [])


def _read_sources(path: Path) -> list[str]:
    lines = read_lines(path)
    if is_m2(lines):
        raise ValueError(
            f"{show_name(path)} is an M2 file, not plain text; give it as m2 (--m2), not as source"
        )
    return lines


def _add_references(
    corpus: Corpus, paths: Sequence[Path], origin: Path, expected: Sequence | None
) -> Corpus:
    """The corpus with the references of some files, and the gold edits of those in M2.

    Without sources, the first file sets the number of sentences.
    """
    columns, gold = [corpus.references] if corpus.references else [], corpus.gold
    for path in paths:
        lines, edits = _read_either(path, corpus.sources, origin, expected)
        if edits is None:
            columns.append([[line] for line in lines])
        else:
            columns.append([sentence.references for sentence in edits])
            gold = edits if gold is None else join_annotators(gold, edits)
        expected = columns[-1] if expected is None else expected
    if not expected:
        raise ValueError(f"{show_name(origin)} has no sentences")
    references = [[text for texts in row for text in texts] for row in zip(*columns, strict=True)]
    return replace(corpus, references=references, gold=gold)


def _add_systems(corpus: Corpus, named: Sequence[tuple[str, Path]], origin: Path) -> Corpus:
    """The corpus with the systems of some files, and the edits of those in M2."""
    systems, system_edits = dict(corpus.systems), {}
    expected = corpus.sources or corpus.references
    for name, path in named:
        if name in systems:
            raise ValueError(
                f"{show_name(name)} is given twice as a system; give each system a name of its "
                "own: a dictionary of names and files or, on the command line, name=FILE"
            )
        systems[name], edits = _read_either(path, corpus.sources, origin, expected)
        if edits is not None:
            systems[name], system_edits[name] = texts_of(show_name(path), edits), edits
    return replace(corpus, systems=systems, edits=system_edits)


def _read_either(
    path: Path, sources: Sequence[str] | None, origin: Path, expected: Sequence | None
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
