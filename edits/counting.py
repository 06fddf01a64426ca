"""Which edits of each system are gold edits? A corpus with gold edits to statistics."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from ..corpus.m2 import Annotated, Edit, checked, read_edits, texts_of, tokens_of
from ..counting import Statistics
from ..inputs import Corpus, check_texts
from ..options import Options, short_repr
from ..significance import Progress, no_progress
from . import errant, maxmatch
from .maxmatch import Words
from .metrics import METRICS

Match = maxmatch.Match | errant.Match


class Matches(NamedTuple):
    """What became of the gold edits."""

    gold: list[list[list[Edit]]]  # (sentence, annotator, edit)
    systems: list[list[list[Match]]]  # (system, sentence, annotator)

    @property
    def n_annotators(self) -> np.ndarray:
        """The number of annotators: (sentence,)."""
        return np.array([len(annotators) for annotators in self.gold], dtype=np.int64)

    def counts(self, n_betas: int) -> np.ndarray:
        """Correct, proposed and gold edits: (beta, system, annotator of a sentence, 3)."""
        n_gold = [len(edits) for annotators in self.gold for edits in annotators]
        counts = [
            [(len(match.found), match.n_proposed) for matches in system for match in matches]
            for system in self.systems
        ]
        both = np.array(counts, dtype=np.int64).reshape(len(counts), len(n_gold), 2)
        gold = np.broadcast_to(np.array(n_gold)[:, None], (*both.shape[:2], 1))
        return np.repeat(np.concatenate([both, gold], axis=-1)[None], n_betas, axis=0)


def count_edits(corpus: Corpus, options: Options, progress: Progress = no_progress) -> Statistics:
    """The statistics of M² or ERRANT."""
    return make_statistics(match_edits(corpus, options, progress), options)


def make_statistics(matches: Matches, options: Options) -> Statistics:
    """The statistics of what became of the gold edits."""
    metric = METRICS[options.metric].make(options)
    return Statistics(options, metric, matches.counts(len(options.betas)), matches.n_annotators)


def match_edits(corpus: Corpus, options: Options, progress: Progress = no_progress) -> Matches:
    """Find the gold edits among those of the systems; the texts are lists of strings."""
    if options.metric == "errant":
        return _match_errant(corpus)
    return _match_m2(corpus, options, progress)


def _match_m2(corpus: Corpus, options: Options, progress: Progress) -> Matches:
    fold = str.lower if options.ignore_case else str
    gold = [
        [_fold_edits(sentence.tokens, edits, fold) for edits in sentence.edits.values()]
        for sentence in corpus.gold
    ]
    systems: list[list[list[Match]]] = [[] for _ in corpus.systems]
    for index in progress(range(len(gold)), len(gold)):
        source = tuple(map(fold, corpus.gold[index].tokens))
        known: dict[Words, list[Match]] = {}  # systems agree on many sentences
        for (name, texts), matches in zip(corpus.systems.items(), systems, strict=True):
            correction = tuple(map(fold, tokens_of(texts[index].strip())))
            if correction not in known:
                try:
                    known[correction] = _max_match(source, correction, gold[index], options)
                except ValueError as error:
                    label = corpus.label.format(name)
                    raise ValueError(f"{label}: sentence {index + 1}: {error}") from None
            matches.append(known[correction])
    return Matches(gold, systems)


def _max_match(
    source: Words, correction: Words, gold: list[list[Edit]], options: Options
) -> list[Match]:
    if source == correction:
        return [maxmatch.Match([], 0)] * len(gold)
    steps = maxmatch.align(source, correction)
    most = int(options.max_unchanged_words)
    return [maxmatch.match(source, correction, steps, edits, most) for edits in gold]


def _fold_edits(tokens: list[str], edits: list[Edit], fold: Callable[[str], str]) -> list[Edit]:
    """Edits without regard to case: those that change nothing else are none."""
    if fold is str:
        return edits
    folded = []
    for edit in edits:
        corrections = tuple(tuple(map(fold, words)) for words in edit.corrections)
        if tuple(map(fold, tokens[edit.start : edit.stop])) not in corrections:
            folded.append(edit._replace(corrections=corrections))
    return folded


def _match_errant(corpus: Corpus) -> Matches:
    gold = [
        [errant.corrections(edits) for edits in sentence.edits.values()] for sentence in corpus.gold
    ]
    tokens = [sentence.tokens for sentence in corpus.gold]
    systems = []
    for name, texts in corpus.systems.items():
        edits = corpus.edits.get(name)
        if edits is None:
            edits = errant.annotate(corpus.label.format(name), tokens, texts)
        matches = []
        for sentence, annotators in zip(edits, gold, strict=True):
            (ours,) = map(errant.corrections, sentence.edits.values())
            matches.append([errant.match(ours, theirs) for theirs in annotators])
        systems.append(matches)
    return Matches(gold, systems)


def complete_corpus(systems: Mapping[str, Any], sources: Any, references: Any, gold: Any) -> Corpus:
    """The corpus of what a user passed, with gold edits: a file or its sentences.

    Systems may be edits, and sources and references, if missing, are those of the gold edits.
    """
    if gold is None:
        raise ValueError("gold edits are missing; give an M2 file: gold='references.m2'")
    if isinstance(gold, (str, PathLike)):
        gold = read_edits(gold)
    elif are_annotated(gold):
        gold = _check_annotated("gold", gold)
    else:
        raise TypeError(
            "gold must be an M2 file or the sentences that corpus.read_edits returns, not "
            f"{short_repr(gold)}"
        )
    if not gold:
        raise ValueError("there are no sentences to score: gold has none")
    label, edits = "systems[{!r}]", {}
    if isinstance(systems, Mapping):  # Corpus.check refuses anything else
        edits = {name: column for name, column in systems.items() if are_annotated(column)}
    for name, sentences in edits.items():
        labelled = label.format(name)
        edits[name] = _check_annotated(labelled, sentences)
        _check_sources(labelled, [sentence.source for sentence in edits[name]], gold)
        systems = {**systems, name: texts_of(labelled, edits[name])}
    if sources is None:
        sources = [sentence.source for sentence in gold]
    else:
        sources = check_texts("sources", sources).to_pylist()
        _check_sources("sources", sources, gold)
    if references is None:
        references = [sentence.references for sentence in gold]
    corpus = Corpus.check(sources, systems, references, label).to_lists()
    return replace(corpus, gold=gold, edits=edits)


def are_annotated(sentences: Any) -> bool:
    """Whether sentences, or the first of them, come with edits."""
    return isinstance(sentences, (list, tuple)) and isinstance((*sentences, None)[0], Annotated)


def _check_annotated(name: str, sentences: Sequence[Annotated]) -> list[Annotated]:
    for index, sentence in enumerate(sentences):
        if not isinstance(sentence, Annotated):
            raise TypeError(
                f"{name}[{index}] must be a sentence with edits, as others are, not "
                f"{short_repr(sentence)}"
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
                f"{name}[{index}] is {short_repr(ours)}, but the gold edits are of "
                f"{short_repr(theirs.source)}"
            )
