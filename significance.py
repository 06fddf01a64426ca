"""Bootstrap intervals and paired tests, for any score that is a function of sums over sentences.

`adder` prepares weighted sums of statistics, whose first axis is the sentence; `score` turns sums
into values. This module knows neither scores nor texts.
"""

import math
from collections.abc import Callable, Iterable, Iterator

import numpy as np

# Statistics, shape (sentence, …), to a function from weights (resample, sentence) to their sums.
Adder = Callable[[np.ndarray], Callable[[np.ndarray], np.ndarray]]
# Sums, shape (resample, …), to values, shape (resample, …).
ToValues = Callable[[np.ndarray], np.ndarray]
# Passes work units on and may show progress; called with the units and their number.
Progress = Callable[[Iterable, int], Iterable]

# Sentences drawn, or sums made, per work unit.
_AT_ONCE = 1 << 21
# Differences up to this are rounding errors.
_ROUNDING = 1e-12


def without_progress(parts: Iterable, n_parts: int) -> Iterable:
    return parts


def resample(
    statistics: np.ndarray,
    adder: Adder,
    score: ToValues,
    n_sentences: int,
    n_resamples: int,
    seed: int,
    progress: Progress = without_progress,
) -> np.ndarray:
    """Score `n_resamples` samples of the sentences, drawn with replacement.

    The same seed draws the same sentences, so that systems can be compared sample by sample.
    """
    rng = np.random.Generator(np.random.SFC64(seed))
    add = adder(statistics)
    n_sums = add(np.ones((1, n_sentences))).size
    parts = []
    for n in progress(*_parts(n_resamples, n_sentences, n_sums)):
        parts.append(score(add(_draw(rng, n, n_sentences).astype(np.float64))))
    return np.concatenate(parts)


def randomise(
    statistics: np.ndarray,
    baseline: np.ndarray,
    adder: Adder,
    score: ToValues,
    n_sentences: int,
    n_resamples: int,
    seed: int,
    progress: Progress = without_progress,
) -> np.ndarray:
    """Differences from the baseline after swapping each sentence's two outputs at random.

    `statistics` may hold several systems; `baseline` has the same number of axes. All systems see
    the same swaps.
    """
    rng = np.random.Generator(np.random.SFC64(seed))
    once = np.ones((1, n_sentences))
    sums, of_baseline = adder(statistics)(once), adder(baseline)(once)
    add_gains = adder(baseline - statistics)  # a swap adds this to the system, not the baseline
    parts = []
    for n in progress(*_parts(n_resamples, n_sentences, sums.size)):
        gained = add_gains(_swaps(rng, n, n_sentences))
        parts.append(score(sums + gained) - score(of_baseline - gained))
    return np.concatenate(parts)


def pairwise_p_values(
    statistics: np.ndarray,
    observed: np.ndarray,
    adder: Adder,
    score: ToValues,
    n_sentences: int,
    n_resamples: int,
    seed: int,
    progress: Progress = without_progress,
) -> np.ndarray:
    """Two-sided p-values of all pairs of systems: (beta, system, system).

    `statistics` are (sentence, beta, system, …) and `observed` the scores (beta, system). All pairs
    share one pass: what a swap moves is linear in the statistics. The same seed swaps the same
    sentences as `randomise`, so the p-values are the same.
    """
    rng = np.random.Generator(np.random.SFC64(seed))
    add = adder(statistics)
    sums = add(np.ones((1, n_sentences)))
    differences = np.abs(observed[:, :, None] - observed[:, None])
    as_large = np.zeros(differences.shape, dtype=np.int64)
    for n in progress(*_parts(n_resamples, n_sentences, sums.size)):
        swapped = add(_swaps(rng, n, n_sentences))
        for one in range(observed.shape[1]):
            gained = swapped[:, :, [one]] - swapped[:, :, :one]
            shuffled = score(sums[:, :, :one] + gained) - score(sums[:, :, [one]] - gained)
            is_as_large = np.abs(shuffled) >= differences[:, one, :one] - _ROUNDING
            as_large[:, one, :one] += is_as_large.sum(axis=0)
    of_itself = n_resamples * np.eye(observed.shape[1], dtype=np.int64)
    as_large += as_large.swapaxes(1, 2) + of_itself
    return (as_large + 1) / (n_resamples + 1)


def _swaps(rng: "np.random.Generator", n_resamples: int, n_sentences: int) -> np.ndarray:
    """Whether each sentence is swapped, 0 or 1: (resample, sentence)."""
    n_draws = n_resamples * n_sentences
    bits = np.unpackbits(rng.bit_generator.random_raw(n_draws // 64 + 1).view(np.uint8))
    return bits[:n_draws].reshape(n_resamples, n_sentences).astype(np.float64)


def _parts(n_resamples: int, n_sentences: int, n_sums: int) -> tuple[Iterator[int], int]:
    """The number of resamples in each work unit, and the number of units."""
    at_once = max(1, _AT_ONCE // max(n_sentences, n_sums))
    starts = range(0, n_resamples, at_once)
    return (min(at_once, n_resamples - start) for start in starts), len(starts)


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
    return counts


def interval(resampled: np.ndarray, confidence_level: float) -> np.ndarray:
    """The percentile interval of (resample, …); low and high are the last axis."""
    tail = (1 - confidence_level) / 2
    return np.moveaxis(np.quantile(resampled, [tail, 1 - tail], axis=0), 0, -1)


def rank_interval(resampled: np.ndarray, confidence_level: float) -> np.ndarray:
    """The percentile interval of each system's rank: (…, system, 2), from (resample, …, system).

    A rank is one plus the number of systems with a higher score, so equal systems share one.
    """
    of_each = np.moveaxis(resampled, -1, 0)
    ranks = np.stack([1 + (resampled > one[..., None]).sum(axis=-1) for one in of_each], axis=-1)
    tail = (1 - confidence_level) / 2
    bounds = np.quantile(ranks, [tail, 1 - tail], axis=0, method="inverted_cdf")
    return np.moveaxis(bounds, 0, -1).astype(np.int64)


def bootstrap_p_values(resampled: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """p-values of observed differences (…), from the differences (resample, …) of resamples.

    As in sacreBLEU, which follows a script of Moses: the share of resamples whose absolute
    difference exceeds the mean absolute difference by the observed one. If differences keep their
    sign in all resamples, this is a one-sided test.
    """
    sizes = np.abs(resampled)
    return _p_values(sizes - sizes.mean(axis=0), observed)


def randomisation_p_values(shuffled: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """Two-sided p-values of observed differences (…), from those (resample, …) of `randomise`."""
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
    as_large = (sizes >= np.abs(observed) - _ROUNDING).sum(axis=0)
    return (as_large + 1) / (len(sizes) + 1)
