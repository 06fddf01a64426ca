"""Counts of edits to scores, which share levels, intervals and tests with those of n-grams.

Statistics have an entry for each sentence and annotator: how many edits are correct, were proposed
and are gold. A sentence counts with one of its annotators, the one that is best for the system.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isinf
from operator import add
from typing import Any, ClassVar

import numpy as np

from ..metrics import Metric, Values, f_beta


@dataclass(frozen=True)
class EditMetric(Metric):
    """An F-score of edits. The subclasses say how it chooses between annotators."""

    counts: ClassVar = ("correct", "proposed", "gold")
    per_reference: ClassVar = True
    needs_sources: ClassVar = True

    beta: float | Sequence[float]

    def rank(self, correct: int, proposed: int, gold: int, beta: float) -> tuple:
        """How good counts are: those with the highest rank are chosen, the first ones on a tie."""
        raise NotImplementedError

    def f(self, precision: np.ndarray, recall: np.ndarray, betas: np.ndarray) -> np.ndarray:
        return f_beta(precision, recall, betas)

    def values(self, sums: np.ndarray) -> Values:
        correct, proposed, gold = np.moveaxis(sums, -1, 0)
        # Nothing proposed is nothing wrong; where nothing is to be done, nothing is missing.
        with np.errstate(invalid="ignore"):
            precision = np.where(proposed > 0, correct / proposed, 1.0)
            recall = np.where(gold > 0, correct / gold, 1.0)
        betas = np.array(self.beta, dtype=np.float64).reshape(-1, *[1] * (precision.ndim - 1))
        values = (self.f(precision, recall, betas), precision, recall, correct, proposed, gold)
        return dict(zip((*self.results, *self.counts), values, strict=True))

    def sentence_values(self, values: Values, n_references: np.ndarray) -> Values:
        """The values of each sentence's best annotator."""
        counts = np.stack([values[name] for name in self.counts], axis=-1)
        chosen = self.choose(counts, n_references, alone=True)
        return {name: np.take_along_axis(value, chosen, axis=2) for name, value in values.items()}

    def summands(
        self, rows: np.ndarray, n_references: np.ndarray, most: int | None = None
    ) -> Iterator[np.ndarray]:
        """The statistics of the annotators with which the corpus scores best."""
        # Resamplers pass floats, but ranks are exact for whole numbers only.
        chosen = self.choose(rows.astype(np.int64), n_references)
        yield np.take_along_axis(rows, chosen[..., None], axis=2)

    def choose(
        self, statistics: np.ndarray, n_references: np.ndarray, alone: bool = False
    ) -> np.ndarray:
        """The entry of each sentence's annotator, (beta, system, sentence).

        The one that makes the score of all sentences so far highest, as in the official scorers;
        or, with `alone`, that of the sentence.
        """
        ends = np.cumsum(n_references).tolist()
        entries = [range(end - n, end) for end, n in zip(ends, n_references.tolist(), strict=True)]
        betas = np.array(self.beta, dtype=np.float64).reshape(-1).tolist()
        chosen = [
            [self._choose(counts, entries, beta, alone) for counts in systems]
            for systems, beta in zip(statistics.tolist(), betas, strict=True)
        ]
        return np.array(chosen, dtype=np.int64)

    def _choose(
        self, counts: list[list[int]], entries: list[range], beta: float, alone: bool
    ) -> list[int]:
        sums, chosen = [0] * len(self.counts), []
        for sentence in entries:
            best = max(sentence, key=lambda entry: self.rank(*map(add, sums, counts[entry]), beta))
            chosen.append(best)
            if not alone:
                sums = [*map(add, sums, counts[best])]
        return chosen


@lru_cache
def _weight(beta: float) -> tuple[int, int]:
    """β², exactly: numerator and denominator, 1 and 0 for infinity."""
    numerator, denominator = (1, 0) if isinf(beta) else beta.as_integer_ratio()
    return numerator**2, denominator**2


@dataclass(frozen=True)
class M2(EditMetric):
    """MaxMatch (Dahlmeier and Ng 2012)."""

    title = "M²"
    paper = "https://aclanthology.org/N12-1067"
    results = ("m2", "precision", "recall")

    max_unchanged_words: int
    ignore_case: bool

    def rank(self, correct: int, proposed: int, gold: int, beta: float) -> tuple:
        # Exactly, because ties decide: for beta 0.3, floats break that of 1, 1, 2 and 5, 5, 10.
        weight, one = _weight(beta)
        cost = one * proposed + weight * gold
        if correct:
            f = Fraction((one + weight) * correct, cost)
        else:
            f = Fraction(not proposed and not gold)
        return f, correct, -cost


@dataclass(frozen=True)
class Errant(EditMetric):
    """ERRANT's span-based correction (Bryant et al. 2017)."""

    title = "ERRANT"
    paper = "https://aclanthology.org/P17-1074"
    results = ("errant", "precision", "recall")

    def rank(self, correct: int, proposed: int, gold: int, beta: float) -> tuple:
        f = float(not proposed and not gold)
        if correct:
            f = _errant_f(correct / proposed, correct / gold, beta)
        return round(f, 4), correct, correct - proposed, correct - gold

    def f(self, precision: np.ndarray, recall: np.ndarray, betas: np.ndarray) -> np.ndarray:
        by_beta = zip(precision, recall, betas.ravel().tolist(), strict=True)
        with np.errstate(invalid="ignore"):
            f = np.stack([_errant_f(*each) for each in by_beta])
        return np.where(precision * recall > 0, f, 0.0)


def _errant_f(precision: Any, recall: Any, beta: float) -> Any:
    """F as ERRANT computes it, of numbers or arrays: rounded values depend on the last bit."""
    if beta > 1e150:  # whose square may be too large
        return recall
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


METRICS: dict[str, type[EditMetric]] = {"m2": M2, "errant": Errant}
