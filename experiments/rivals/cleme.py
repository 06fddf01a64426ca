"""CLEME (Ye et al. 2023) under its dependent assumption, from the edits of M2 files.

The edits of a system and of all annotators cut a sentence into chunks with the same boundaries for
everyone. A chunk counts once, with a weight that depends on its length, and a sentence counts with
one of its annotators. Where the paper leaves a detail open, the rule is one that reproduces the
figures of the GREEN paper; comments say so.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from green_gec.corpus import Annotated, Edit
from green_gec.edits.errant import corrections

BETA = 0.5

Text = tuple[str, ...]


class Chunk(NamedTuple):
    """Tokens start to stop of a source, which at least one of several texts edits."""

    start: int
    stop: int
    source: Text
    texts: tuple[Text, ...]  # what each text has in place of the source's tokens


class Weight(NamedTuple):
    """The weight of a chunk by its length: a sigmoid curve, clipped."""

    alpha: float
    low: float
    high: float
    falls: bool = False  # whether longer chunks weigh less

    def of(self, lengths: np.ndarray, mean: float) -> np.ndarray:
        """Weight chunks; at the mean length, the curve is 1."""
        # α / (1 + (α − 1)·exp(ℓ − x)), with x − ℓ if it falls. Bounded, because exp overflows.
        exponents = np.minimum(lengths - mean if self.falls else mean - lengths, 700)
        curve = self.alpha / (1 + (self.alpha - 1) * np.exp(exponents))
        return np.clip(curve, self.low, self.high)


class Weights(NamedTuple):
    """The weights of each outcome."""

    tp: Weight
    fp: Weight
    fn: Weight


CORPUS = Weights(Weight(2, 0.75, 1.25), Weight(2, 0.75, 1.25, falls=True), Weight(2, 0.75, 1.25))
SENTENCE = Weights(Weight(10, 1, 10), Weight(10, 0.25, 1, falls=True), Weight(1, 1, 1))


def corpus_score(
    system: Sequence[Annotated], gold: Sequence[Annotated], weights: Weights = CORPUS
) -> float:
    """Score a system by its edits and the annotators', sentence by sentence.

    Each sentence counts with the annotator that makes the score of all sentences so far highest.
    The GREEN paper's figures need this rule: choosing for each sentence alone gives others.
    """
    sums = np.zeros(3)
    for of_sentence in counts(system, gold, weights):
        sums = max(sums + of_sentence, key=_rank)
    return _f(*sums.tolist())


def sentence_scores(
    system: Sequence[Annotated], gold: Sequence[Annotated], weights: Weights = SENTENCE
) -> np.ndarray:
    """Score each sentence with its best annotator: (sentence,)."""
    return np.array([_f(*max(each, key=_rank)) for each in counts(system, gold, weights)])


def counts(
    system: Sequence[Annotated], gold: Sequence[Annotated], weights: Weights
) -> Iterator[np.ndarray]:
    """Yield the weighted TP, FP and FN of each sentence: (annotator, outcome).

    A chunk is right (TP) if the system changes it as the annotator does, wrong (FP) if it changes
    it otherwise, and missing (FN) if only the annotator changes it.
    """
    partitions = []
    for ours, theirs in zip(system, gold, strict=True):
        (own,) = ours.edits.values()
        partitions.append(chunks(ours.tokens, *map(corrections, (own, *annotators(theirs)))))
    mean = mean_length(partitions)
    for partition, theirs in zip(partitions, gold, strict=True):
        outcomes = np.zeros((len(annotators(theirs)), 3, len(partition)), dtype=bool)
        for number, chunk in enumerate(partition):
            ours, *golds = chunk.texts
            for annotator, right in enumerate(golds):
                if ours != chunk.source:
                    outcomes[annotator, int(ours != right), number] = True
                elif right != chunk.source:
                    outcomes[annotator, 2, number] = True
        # The system's chunk is measured, also where only the annotator changes it.
        lengths = np.array([length(chunk, 0) for chunk in partition])
        yield (outcomes * [weight.of(lengths, mean) for weight in weights]).sum(axis=-1)


def annotators(sentence: Annotated) -> list[list[Edit]]:
    """The edits of the annotators that leave something of the sentence; of all, if none does.

    The GREEN paper says that CLEME leaves out empty sentences. Its figures need that of references.
    """
    pairs = zip(sentence.edits.values(), sentence.references, strict=True)
    return [edits for edits, text in pairs if text] or list(sentence.edits.values())


def chunks(tokens: Sequence[str], *texts: Sequence[Edit]) -> list[Chunk]:
    """Cut a sentence at the edits of several texts; edits that overlap or touch share a chunk.

    The tokens between the chunks are the same in all texts. That edits which only touch are merged,
    such as 1–2 and 2–3, is needed for the GREEN paper's figures.
    """
    spans: list[tuple[int, int]] = []
    for start, stop in sorted(edit[:2] for edits in texts for edit in edits):
        if spans and start <= spans[-1][1]:
            first, last = spans.pop()
            start, stop = first, max(last, stop)
        spans.append((start, stop))
    found = []
    for start, stop in spans:
        changed = tuple(_apply(tokens, start, stop, edits) for edits in texts)
        found.append(Chunk(start, stop, tuple(tokens[start:stop]), changed))
    return found


def _apply(tokens: Sequence[str], start: int, stop: int, edits: Sequence[Edit]) -> Text:
    """What a text's edits make of the tokens of a chunk."""
    corrected: list[str] = []
    for edit in edits:
        if start <= edit.start and edit.stop <= stop:
            corrected += [*tokens[start : edit.start], *edit.corrections[0]]
            start = edit.stop  # an edit that stands twice begins before it, and counts once
    return (*corrected, *tokens[start:stop])


def length(chunk: Chunk, text: int) -> int:
    """The length of a chunk in one of the texts: its tokens there or in the source, if more."""
    return max(len(chunk.source), len(chunk.texts[text]))


def mean_length(partitions: Sequence[Sequence[Chunk]]) -> float:
    """The mean length of the chunks that annotators change, once per annotator."""
    lengths = [
        length(chunk, text)
        for partition in partitions
        for chunk in partition
        for text in range(1, len(chunk.texts))
        if chunk.texts[text] != chunk.source
    ]
    return sum(lengths) / max(len(lengths), 1)


def _rank(counted: np.ndarray) -> tuple[float, ...]:
    """How good weighted counts are."""
    tp, fp, fn = counted.tolist()
    return _f(tp, fp, fn), tp, -fp, -fn


def _f(tp: float, fp: float, fn: float) -> float:
    """F0.5, where precision and recall are 1 if there is nothing that could be wrong or missing."""
    if not tp:
        return float(not fp and not fn)
    return (1 + BETA**2) * tp / ((1 + BETA**2) * tp + fp + BETA**2 * fn)
