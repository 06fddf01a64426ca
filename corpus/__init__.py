"""Files to a `Corpus`: plain text, M2, JSON Lines and tables. Errors name the file and the line.

This module knows which files make a corpus; their formats have modules of their own.
"""

from collections.abc import Mapping, Sequence
from os import PathLike, fspath

from ..inputs import Corpus
from ..options import EDIT_METRICS, check_choice, short_repr
from .files import Path, read_lines, show_name
from .jsonl import read_jsonl
from .m2 import Annotated, Edit, is_m2, read_edits, read_m2
from .parts import Part, read_part
from .table import read_table

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
    "read_table",
]


def read(
    source: Path | None = None,
    references: Sequence[Path] = (),
    systems: Sequence[Path] | Mapping[str, Path] = (),
    m2: Path | None = None,
    jsonl: Path | None = None,
    needs_sources: bool = False,
    gold: Mapping[str, Path] | None = None,
) -> Corpus:
    """Read a corpus from several files and check that they belong together.

    References and systems are plain text or M2; JSON Lines may have some of both. A system has the
    name that a mapping gives it, or that of its file; a system in M2 brings its own edits.

    Gold edits are those of `m2`, for all scores of edits, or of `gold`, a dictionary with a file
    per score, or of an M2 file among the references. Sources and references that are not given are
    those of the first file with gold edits.

    With `needs_sources`, JSON Lines without sources are an error.
    """
    for name, paths in (("references", references), ("systems", systems)):
        if isinstance(paths, (str, PathLike)):
            raise TypeError(f"{name} must be a list of files, not {short_repr(paths)}")
    if m2 is not None and gold is not None:
        raise ValueError("give m2, gold edits for all scores, or gold, those of each, but not both")
    if not isinstance(gold, Mapping | None):
        raise TypeError(f"gold must be a dictionary of scores and files, not {short_repr(gold)}")
    gold_paths = dict.fromkeys(EDIT_METRICS, m2) if m2 is not None else gold or {}
    for metric in gold_paths:
        check_choice("a key of gold", metric, EDIT_METRICS)
    is_named = isinstance(systems, Mapping)
    named = [*systems.items()] if is_named else [(fspath(path), path) for path in systems]
    paths = [source, jsonl, *{*gold_paths.values()}, *references, *(path for _, path in named)]
    if paths.count("-") > 1:
        raise ValueError("standard input (-) can be read only once")

    sources, reference_parts, system_parts = None, [], {}
    if source is not None:
        sources = read_part(source)
        if sources.edits is not None:
            raise ValueError(
                f"{sources.name} is an M2 file, not plain text; give it as m2 (--m2), not as source"
            )
    if jsonl is not None:
        needs = {
            "sources": needs_sources and source is None and not gold_paths,
            "references": not references and not gold_paths,
            "predictions": not named,
        }
        name, corpus = show_name(jsonl), read_jsonl(jsonl, [each for each in needs if needs[each]])
        if not (corpus.sources or corpus.references or corpus.systems):
            raise ValueError(f"{name} has no sentences")
        if sources is not None and corpus.sources:
            raise ValueError(f"{sources.name} and {name} both have the sources")
        if corpus.sources:
            sources = Part(name, corpus.sources)
        if corpus.references:
            reference_parts.append(Part(name, corpus.references))
        system_parts = {system: Part(name, texts) for system, texts in corpus.systems.items()}
    reference_parts += [read_part(path) for path in references]
    for name, path in named:
        if name in system_parts:
            raise ValueError(
                f"{system_parts[name].name} and {show_name(path)} both have a system {name!r}; "
                "give each a name of its own: a dictionary of names and files or, on the command "
                "line, name=FILE"
            )
        system_parts[name] = read_part(path)
    parts = {path: read_part(path, is_gold=True) for path in dict.fromkeys(gold_paths.values())}
    gold_parts = {metric: parts[path] for metric, path in gold_paths.items()}
    return _join(sources, reference_parts, system_parts, gold_parts)


def _join(
    sources: Part | None,
    references: Sequence[Part],
    systems: Mapping[str, Part],
    gold: Mapping[str, Part],
) -> Corpus:
    """A corpus of parts that belong together; gold edits may be among the references."""
    for part in references:
        if part.edits is not None and gold:
            first = next(iter(gold.values()))
            raise ValueError(
                f"{first.name} and {part.name} both have gold edits; leave one out, or say which "
                "score takes which: gold={'m2': …, 'errant': …}, or --gold m2=… errant=…"
            )
        if part.edits is not None:
            gold = dict.fromkeys(EDIT_METRICS, part)
    origin = sources or next(iter(gold.values()), None)
    references = references or [*gold.values()][:1]
    for name, parts in (("references", references), ("systems", systems)):
        if not parts:
            raise ValueError(f"there are no {name}: no file is given")
    first = origin or references[0]
    for part in (*gold.values(), *references, *systems.values()):
        part.check_length(first)
        if origin is not None and part.edits is not None:
            part.check_sources(origin)
    rows = zip(*(part.references for part in references), strict=True)
    return Corpus(
        None if origin is None else origin.texts,
        {name: part.corrections for name, part in systems.items()},
        [[text for texts in row for text in texts] for row in rows],
        {metric: part.edits for metric, part in gold.items()},
        {name: part.edits for name, part in systems.items() if part.edits is not None},
    )
