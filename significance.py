"""How sure a score is: bootstrap and randomisation, for any score that is a function of sums.

A score's statistics are given for each sentence, the sentence being the first axis; `score` turns
sums of them over sentences into values. Where they are not simply added up, `adder` says how, and
`n_sentences` of how many sentences they are. This module knows neither the score nor the text.
"""

import math
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from .scores import Add, add_up

# Prepares to add up statistics, shape (sentence, …).
Adder = Callable[[np.ndarray], Add]
# Sums, shape (resample, …), to values, shape (resample, …).
ToValues = Callable[[np.ndarray], np.ndarray]
# Passes parts of the work on, and may show how far it is: called with the parts and their number.
Progress = Callable[[Iterable, int], Iterable]

# Paired tests by their names in sacreBLEU: paired bootstrap and approximate randomisation.
TESTS = ("bs", "ar")

# At most so many sentences are drawn, or sums made, at once.
_AT_ONCE = 1 << 21
# Values that only differ by rounding are equal.
_ROUNDING = 1e-12


def without_progress(parts: Iterable, n_parts: int) -> Iterable:
    return parts


def resample(
    statistics: np.ndarray,
    score: ToValues,
    n_resamples: int,
    seed: int,
    progress: Progress = without_progress,
    adder: Adder = add_up,
    n_sentences: int | None = None,
) -> np.ndarray:
    """Score each of `n_resamples` samples of the sentences, drawn with replacement.

    The same seed draws the same sentences, so that systems can be compared sample by sample.
    """
    rng = np.random.Generator(np.random.SFC64(seed))
    n_sentences, add = n_sentences or len(statistics), adder(statistics)
    n_sums = add(np.ones((1, n_sentences))).size
    parts = []
    for n in progress(*_parts(n_resamples, n_sentences, n_sums)):
        parts.append(score(add(_draw(rng, n, n_sentences).astype(np.float64))))
    return np.concatenate(parts)


def randomise(
    statistics: np.ndarray,
    baseline: np.ndarray,
    score: ToValues,
    n_resamples: int,
    seed: int,
    progress: Progress = without_progress,
    adder: Adder = add_up,
    n_sentences: int | None = None,
) -> np.ndarray:
    """Differences from the baseline when each sentence's two outputs are swapped or not, by chance.

    `statistics` may hold several systems; `baseline` has the same number of axes. All systems see
    the same swaps.
    """
    rng = np.random.Generator(np.random.SFC64(seed))
    n_sentences = n_sentences or len(statistics)
    once = np.ones((1, n_sentences))
    sums, of_baseline = adder(statistics)(once), adder(baseline)(once)
    add_gains = adder(baseline - statistics)  # what a system gets by a swap, and the baseline loses
    parts = []
    for n in progress(*_parts(n_resamples, n_sentences, sums.size)):
        n_draws = n * n_sentences
        bits = np.unpackbits(rng.bit_generator.random_raw(n_draws // 64 + 1).view(np.uint8))
        gained = add_gains(bits[:n_draws].reshape(n, n_sentences).astype(np.float64))
        parts.append(score(sums + gained) - score(of_baseline - gained))
    return np.concatenate(parts)


def _parts(n_resamples: int, n_sentences: int, n_sums: int) -> tuple[Iterator[int], int]:
    """How many resamples to take at once, time after time, and how many times."""
    at_once = max(1, _AT_ONCE // max(n_sentences, n_sums))
    starts = range(0, n_resamples, at_once)
    return (min(at_once, n_resamples - start) for start in starts), len(starts)


def _draw(rng: "np.random.Generator", n_resamples: int, n_sentences: int) -> np.ndarray:
    """How often each sentence is drawn: shape (resample, sentence), every row sums to n_sentences.

    Drawing n sentences one by one is the same as giving each an independent Poisson count and then
    drawing the rest one by one, whatever the sum of the counts, as long as it is at most n. The
    Poisson counts (their probabilities are right to 16 bits) cost a few comparisons of whole
    arrays; with a mean of four standard deviations less than 1 a sum above n is rare, and then all
    of that row is drawn one by one.
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
    """The percentile interval of (resample, …): its bounds, low and high, as the last axis."""
    tail = (1 - confidence_level) / 2
    return np.moveaxis(np.quantile(resampled, [tail, 1 - tail], axis=0), 0, -1)


def bootstrap_p_values(resampled: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """The p-values of observed differences (…) by the differences (resample, …) of resamples.

    As in sacreBLEU, which follows a script of Moses: how often the size of a difference exceeds its
    mean by the size of the observed one. For differences that keep their sign in all resamples,
    this is a one-sided test.
    """
    sizes = np.abs(resampled)
    return _p_values(sizes - sizes.mean(axis=0), observed)


def randomisation_p_values(shuffled: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """The two-sided p-values of observed differences (…) by those (resample, …) of `randomise`."""
    return _p_values(np.abs(shuffled), observed)


def _p_values(sizes: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """How often chance makes at least the observed difference, itself counted (Noreen, 1989)."""
    as_large = (sizes >= np.abs(observed) - _ROUNDING).sum(axis=0)
    return (as_large + 1) / (len(sizes) + 1)
