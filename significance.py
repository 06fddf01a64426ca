"""Bootstrap intervals and paired tests, for any score that is a function of sums over sentences.

This module knows neither metrics nor texts.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

# Passes work units on and may show progress; called with the units and their number.
Progress = Callable[[Iterable, int], Iterable]
# Makes weights (resample, sentence), given a generator and these two numbers.
_Weigh = Callable[["np.random.Generator", int, int], np.ndarray]

# Weights, or sums, that are drawn at once, and how many of these make a work unit.
_DRAWN_AT_ONCE = 1 << 21
_AT_ONCE = 1 << 23
# Differences up to this are rounding errors.
_ROUNDING = 1e-12


def no_progress(parts: Iterable, n_parts: int) -> Iterable:
    return parts


@dataclass(frozen=True)
class Resampler:
    """Scores resamples of the sentences. The same seed draws the same ones for all systems.

    `summands` yields arrays (sentence, beta, system, …), and `score` turns their sums (resample,
    beta, system, …) into values (resample, beta, system); of several arrays, values are averaged.
    """

    summands: Callable[[], Iterator[np.ndarray]]
    score: Callable[[np.ndarray], np.ndarray]
    n_sentences: int
    n_resamples: int
    seed: int
    progress: Progress = no_progress

    def bootstrap(self) -> np.ndarray:
        """The scores of samples drawn with replacement: (resample, beta, system)."""
        return np.concatenate([*self._values(_draw, lambda total, drawn: self.score(drawn))])

    def randomise(self, baseline: int) -> np.ndarray:
        """Differences from the baseline after swapping each sentence's two outputs at random.

        Axes (resample, beta, system).
        """
        difference = partial(self._difference, systems=slice(None), baseline=baseline)
        return np.concatenate([*self._values(_swap, difference)])

    def pairwise_p_values(self, observed: np.ndarray) -> np.ndarray:
        """Two-sided p-values of all pairs of systems, (beta, system, system), given their scores.

        They are those of `randomise` with each system as the baseline, computed in one pass.
        """
        n_systems = observed.shape[1]

        def differences(total: np.ndarray, swapped: np.ndarray) -> np.ndarray:
            shuffled = np.zeros((*swapped.shape[:2], n_systems, n_systems))
            for one in range(n_systems):
                shuffled[:, :, one, :one] = self._difference(total, swapped, slice(one), one)
            return shuffled

        distances = np.abs(observed[:, :, None] - observed[:, None])
        below = np.tri(n_systems, k=-1, dtype=bool)
        as_large = np.zeros(distances.shape)
        for shuffled in self._values(_swap, differences):
            as_large += _count_as_large(np.abs(shuffled), distances) * below
        as_large += as_large.swapaxes(1, 2) + self.n_resamples * np.eye(n_systems)
        return (as_large + 1) / (self.n_resamples + 1)

    def _difference(
        self, total: np.ndarray, swapped: np.ndarray, systems: slice, baseline: int
    ) -> np.ndarray:
        """Scores of systems minus the baseline's, given sums of all and of swapped sentences."""
        gained = swapped[:, :, [baseline]] - swapped[:, :, systems]
        scores = self.score(total[:, :, systems] + gained)
        return scores - self.score(total[:, :, [baseline]] - gained)

    def _values(
        self, weigh: _Weigh, value: Callable[[np.ndarray, np.ndarray], np.ndarray]
    ) -> Iterator[np.ndarray]:
        """Values of all resamples, given the sums of all sentences and those of the weighted."""
        rng = np.random.Generator(np.random.SFC64(self.seed))
        n_sums = [summands[0].size for summands in self.summands()]
        drawn_at_once = max(1, _DRAWN_AT_ONCE // max(self.n_sentences, sum(n_sums)))
        starts = range(0, self.n_resamples, drawn_at_once)
        # Few work units, because each of them computes all summands again.
        n_draws = max(1, _AT_ONCE // max(self.n_sentences, 4 * n_sums[0]) // drawn_at_once)
        units = [starts[first : first + n_draws] for first in range(0, len(starts), n_draws)]
        for unit in self.progress(units, len(units)):
            numbers = [min(drawn_at_once, self.n_resamples - start) for start in unit]
            weights = np.concatenate([weigh(rng, n, self.n_sentences) for n in numbers])
            values = 0.0
            for summands in self.summands():
                shape = (-1, *summands.shape[1:])
                flat = summands.reshape(self.n_sentences, -1).astype(np.float64, copy=False)
                total, sums = flat.sum(axis=0), weights @ flat
                values += value(total.reshape(shape), sums.reshape(shape))
            yield values / len(n_sums)


def _swap(rng: "np.random.Generator", n_resamples: int, n_sentences: int) -> np.ndarray:
    """Whether each sentence is swapped, 0 or 1: (resample, sentence)."""
    n_draws = n_resamples * n_sentences
    bits = np.unpackbits(rng.bit_generator.random_raw(n_draws // 64 + 1).view(np.uint8))
    return bits[:n_draws].reshape(n_resamples, n_sentences).astype(np.float64)


def _draw(rng: "np.random.Generator", n_resamples: int, n_sentences: int) -> np.ndarray:
    """Number of times each sentence is drawn: (resample, sentence), rows sum to n_sentences.

    Drawing n sentences one by one is equivalent to giving each an independent Poisson count and
    drawing the rest one by one, as long as the counts sum to at most n. The Poisson counts (with
    probabilities exact to 16 bits) cost a few comparisons of whole arrays. Their mean lies four
    standard deviations below 1, so sums above n are rare; such a row is drawn one by one.
    """
    n_draws = n_resamples * n_sentences
    counts = np.zeros((n_resamples, n_sentences), dtype=np.uint8)
    mean = max(0.0, 1 - 4 / math.sqrt(n_sentences))
    uniform = rng.bit_generator.random_raw(n_draws // 4 + 1).view(np.uint16)[:n_draws]
    uniform = uniform.reshape(counts.shape)
    probability, at_least = math.exp(-mean), 1 - math.exp(-mean)
    for times in range(1, 10):
        counts += uniform < round(at_least * 2**16)
        probability *= mean / times
        at_least -= probability
    missing = n_sentences - counts.sum(axis=1, dtype=np.int64)
    counts[missing < 0] = 0
    missing[missing < 0] = n_sentences
    rows = np.repeat(np.arange(0, n_draws, n_sentences), missing)
    np.add.at(counts.reshape(-1), rows + rng.integers(n_sentences, size=len(rows)), np.uint8(1))
    return counts.astype(np.float64)


def interval(resampled: np.ndarray, confidence_level: float) -> np.ndarray:
    """The percentile interval of (resample, …); low and high are the last axis."""
    tail = (1 - float(confidence_level)) / 2
    return np.moveaxis(np.quantile(resampled, [tail, 1 - tail], axis=0), 0, -1)


def rank_interval(resampled: np.ndarray, confidence_level: float) -> np.ndarray:
    """The percentile interval of each system's rank: (…, system, 2), from (resample, …, system).

    A rank is one plus the number of systems with a higher score, so equal systems share one.
    """
    systems = np.moveaxis(resampled, -1, 0)
    ranks = [1 + (resampled > system[..., None] + _ROUNDING).sum(axis=-1) for system in systems]
    tail = (1 - confidence_level) / 2
    bounds = np.quantile(np.stack(ranks, axis=-1), [tail, 1 - tail], axis=0, method="inverted_cdf")
    return np.moveaxis(bounds, 0, -1).astype(np.int64)


def bootstrap_p_values(resampled: np.ndarray, observed: np.ndarray, baseline: int) -> np.ndarray:
    """p-values of systems' differences from the baseline, given scores (resample, …, system).

    As in sacreBLEU, which follows a script of Moses: the share of resamples whose absolute
    difference exceeds the mean absolute difference by the observed one. If differences keep their
    sign in all resamples, this is a one-sided test.
    """
    sizes = np.abs(resampled - resampled[..., [baseline]])
    return _p_values(sizes - sizes.mean(axis=0), observed - observed[..., [baseline]])


def randomisation_p_values(shuffled: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """Two-sided p-values of observed differences (…), from shuffled ones (resample, …)."""
    return _p_values(np.abs(shuffled), observed)


def holm(p_values: np.ndarray) -> np.ndarray:
    """Correct p-values (…, comparison) for several comparisons (Holm 1979); NaN is no comparison.

    The smallest of m p-values is multiplied by m, the next by m - 1 and so on; none becomes smaller
    than the one before it, or larger than 1.
    """
    ascending = np.argsort(p_values, axis=-1)  # NaN comes last
    n_comparisons = np.count_nonzero(~np.isnan(p_values), axis=-1, keepdims=True)
    n_left = n_comparisons - np.arange(p_values.shape[-1])
    multiplied = np.take_along_axis(p_values, ascending, axis=-1) * n_left
    corrected = np.empty_like(p_values)
    raised = np.maximum.accumulate(multiplied, axis=-1)
    np.put_along_axis(corrected, ascending, np.minimum(raised, 1), axis=-1)
    return corrected


def _p_values(sizes: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """Share of differences by chance that reach the observed one, itself counted (Noreen 1989)."""
    return (_count_as_large(sizes, np.abs(observed)) + 1) / (len(sizes) + 1)


def _count_as_large(sizes: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """How many of the sizes (resample, …) reach the observed ones (…)."""
    return (sizes >= observed - _ROUNDING).sum(axis=0)
