"""Systems and gold edits to statistics: which edits of each system are gold edits?"""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from .. import inputs
from ..corpus.m2 import Annotated, Edit, Edits, checked, read_edits, texts_of, tokens_of
from ..options import Options, shown
from ..significance import Progress, without_progress
from . import errant, maxmatch
from .maxmatch import Words

Match = maxmatch.Match | errant.Match


class Matches(NamedTuple):
    """What became of the gold edits."""

    gold: list[list[list[Edit]]]  # (sentence, annotator, edit)
    of_systems: list[list[list[Match]]]  # (system, sentence, annotator)

    @property
    def n_annotators(self) -> np.ndarray:
        """The number of annotators: (sentence,)."""
        return np.array([len(annotators) for annotators in self.gold], dtype=np.int64)

    def counts(self, n_betas: int) -> np.ndarray:
        """Correct, proposed and gold edits: (beta, system, annotator of a sentence, 3)."""
        n_gold = [len(edits) for annotators in self.gold for edits in annotators]
        counts = [
            [(len(match.found), match.n_proposed) for matches in of_system for match in matches]
            for of_system in self.of_systems
        ]
        both = np.array(counts, dtype=np.int64).reshape(len(counts), len(n_gold), 2)
        of_gold = np.broadcast_to(np.array(n_gold)[:, None], (*both.shape[:2], 1))
        return np.repeat(np.concatenate([both, of_gold], axis=-1)[None], n_betas, axis=0)


def match(
    systems: Sequence[tuple[str, Sequence[str]]],
    edits: Edits,
    options: Options,
    progress: Progress = without_progress,
) -> Matches:
    """Find the gold edits among those of the systems: pairs of a name and texts."""
    if options.metric == "errant":
        return _match_errant(systems, edits)
    return _match_m2(systems, edits, options, progress)


def _match_m2(
    systems: Sequence[tuple[str, Sequence[str]]],
    edits: Edits,
    options: Options,
    progress: Progress,
) -> Matches:
    fold = str.lower if options.ignore_case else str
    gold = [
        [_folded(sentence.tokens, some, fold) for some in sentence.edits.values()]
        for sentence in edits.gold
    ]
    of_systems: list[list[list[Match]]] = [[] for _ in systems]
    for index in progress(range(len(gold)), len(gold)):
        source = tuple(map(fold, edits.gold[index].tokens))
        known: dict[Words, list[Match]] = {}  # systems agree on many sentences
        for (name, texts), of_system in zip(systems, of_systems, strict=True):
            correction = tuple(map(fold, tokens_of(texts[index].strip())))
            if correction not in known:
                try:
                    known[correction] = _max_match(source, correction, gold[index], options)
                except ValueError as error:
                    raise ValueError(f"{name}: sentence {index + 1}: {error}") from None
            of_system.append(known[correction])
    return Matches(gold, of_systems)


def _max_match(
    source: Words, correction: Words, gold: list[list[Edit]], options: Options
) -> list[Match]:
    if source == correction:
        return [maxmatch.Match([], 0)] * len(gold)
    steps = maxmatch.align(source, correction)
    most = int(options.max_unchanged_words)
    return [maxmatch.match(source, correction, steps, edits, most) for edits in gold]


def _folded(tokens: list[str], edits: list[Edit], fold: Callable[[str], str]) -> list[Edit]:
    """Edits without regard to case: those that change nothing else are none."""
    if fold is str:
        return edits
    folded = []
    for edit in edits:
        corrections = tuple(tuple(map(fold, words)) for words in edit.corrections)
        if tuple(map(fold, tokens[edit.start : edit.stop])) not in corrections:
            folded.append(edit._replace(corrections=corrections))
    return folded


def _match_errant(systems: Sequence[tuple[str, Sequence[str]]], edits: Edits) -> Matches:
    gold = [
        [errant.corrections(some) for some in sentence.edits.values()] for sentence in edits.gold
    ]
    tokens = [sentence.tokens for sentence in edits.gold]
    of_systems = []
    for (name, texts), known in zip(systems, edits.systems, strict=True):
        annotated = errant.annotate(name, tokens, texts) if known is None else known
        matches = []
        for sentence, annotators in zip(annotated, gold, strict=True):
            (ours,) = map(errant.corrections, sentence.edits.values())
            matches.append([errant.match(ours, theirs) for theirs in annotators])
        of_systems.append(matches)
    return Matches(gold, of_systems)


def prepare(
    systems: Sequence[tuple[str, Any]], sources: Any, references: Any, gold: Any
) -> tuple[list[tuple[str, Any]], Any, Any, Edits]:
    """Complete what users pass: systems' texts from their edits, sources and references from gold.

    `gold` is a file or its sentences.
    """
    if gold is None:
        raise ValueError("gold edits are missing; give an M2 file: gold='references.m2'")
    if isinstance(gold, (str, PathLike)):
        gold = read_edits(gold)
    elif are_annotated(gold):
        gold = _checked("gold", gold)
    else:
        raise TypeError(
            "gold must be an M2 file or the sentences that corpus.read_edits returns, not "
            f"{shown(gold)}"
        )
    if not gold:
        raise ValueError("there are no sentences to score: gold has none")
    known, named = [], []
    for name, texts in systems:
        edits = _checked(name, texts) if are_annotated(texts) else None
        if edits is not None:
            _check_sources(name, [sentence.source for sentence in edits], gold)
        named.append((name, texts if edits is None else texts_of(name, edits)))
        known.append(edits)
    if sources is None:
        sources = [sentence.source for sentence in gold]
    else:
        sources = inputs.strings("sources", sources)
        _check_sources("sources", sources, gold)
    if references is None:
        references = [sentence.references for sentence in gold]
    return named, sources, references, Edits(gold, known)


def are_annotated(sentences: Any) -> bool:
    """Whether sentences, or the first of them, come with edits."""
    return isinstance(sentences, (list, tuple)) and isinstance((*sentences, None)[0], Annotated)


def _checked(name: str, sentences: Sequence[Annotated]) -> list[Annotated]:
    for index, sentence in enumerate(sentences):
        if not isinstance(sentence, Annotated):
            raise TypeError(
                f"{name}[{index}] must be a sentence with edits, as others are, not "
                f"{shown(sentence)}"
            )
    return [checked(f"{name}[{index}]", sentence) for index, sentence in enumerate(sentences)]


def _check_sources(name: str, sources: Sequence[str], gold: Sequence[Annotated]) -> None:
    """Check that sentences are those of the gold edits, but for whitespace."""
    if len(sources) != len(gold):
        raise ValueError(
            f"got {len(sources):,} {name}, but gold edits of {len(gold):,} sentences; every "
            "sentence needs one of each"
        )
    for index, (ours, theirs) in enumerate(zip(sources, gold, strict=True)):
        if ours != theirs.source and ours.split() != theirs.source.split():
            raise ValueError(
                f"{name}[{index}] is {shown(ours)}, but the gold edits are of "
                f"{shown(theirs.source)}"
            )
