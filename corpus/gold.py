"""Gold edits and systems' edits among the arguments of Python functions: they join the corpus.

This module knows the forms in which users pass them; `m2` checks what is in them.
"""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import Any

from ..inputs import Corpus
from ..options import EDIT_METRICS, check_choice, short_repr
from .m2 import Annotated, check_sentence
from .parts import Part, read_part


def corpus_with_gold(systems: Any, sources: Any, references: Any, gold: Any) -> Corpus:
    """The corpus of what a user passed, with gold edits for all scores or by score.

    Systems may be edits, and sources and references, if missing, are those of the first gold edits.
    """
    if isinstance(gold, Mapping) and gold:
        for metric in gold:
            check_choice("a key of gold", metric, EDIT_METRICS)
        parts = {metric: _read_gold(f"gold[{metric!r}]", each) for metric, each in gold.items()}
    else:
        parts = dict.fromkeys(EDIT_METRICS, _read_gold("gold", gold))
    label, edits = "systems[{!r}]", {}
    for name, column in systems.items() if isinstance(systems, Mapping) else ():
        if _are_annotated(column):
            edits[name] = _check_edits(label.format(name), column)
            systems = {**systems, name: edits[name].corrections}
    origin = next(iter(parts.values()))
    references = origin.references if references is None else references
    if sources is not None:
        origin = Part("sources", sources, is_file=False)
    corpus = Corpus.check(origin.texts, systems, references, label).to_lists()
    for part in (*parts.values(), *edits.values()):
        part.check_sources(origin._replace(texts=corpus.sources))
    return replace(
        corpus,
        gold={metric: part.edits for metric, part in parts.items()},
        edits={name: part.edits for name, part in edits.items()},
    )


def _read_gold(name: str, gold: Any) -> Part:
    """Gold edits: an M2 file or its sentences; `name` is for errors."""
    if _are_annotated(gold):
        return _check_edits(name, gold)
    if not isinstance(gold, (str, PathLike)):
        raise TypeError(
            f"{name} must be an M2 file or the sentences that corpus.read_edits returns, not "
            f"{short_repr(gold)}"
        )
    return read_part(gold, is_gold=True)


def _are_annotated(sentences: Any) -> bool:
    """Whether sentences, or the first of them, come with edits."""
    is_list = isinstance(sentences, (list, tuple)) and len(sentences) > 0
    return is_list and isinstance(sentences[0], Annotated)


def _check_edits(name: str, sentences: Any) -> Part:
    edits = [check_sentence(f"{name}[{index}]", each) for index, each in enumerate(sentences)]
    return Part.make(name, edits, is_file=False)
