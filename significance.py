"""How sure a score is: bootstrap over sentences, for any score that is a function of sums.

A score's sufficient statistics are given for each sentence; what is resampled is their sum. This
module knows neither the score nor the text.
"""

import math

import numpy as np

# At most so many sentences are drawn at once.
_DRAWS_AT_ONCE = 1 << 21


def resample(statistics: np.ndarray, n_resamples: int, seed: int) -> np.ndarray:
    """Add up each of `n_resamples` samples of the sentences, drawn with replacement.

    `statistics` has shape (sentence, …); the result has shape (resample, …).
    """
    rng = np.random.Generator(np.random.SFC64(seed))
    n_sentences = len(statistics)
    flat = statistics.reshape(n_sentences, -1).astype(np.float64)
    sums = np.empty((n_resamples, flat.shape[1]))
    at_once = max(1, _DRAWS_AT_ONCE // n_sentences)
    for start in range(0, n_resamples, at_once):
        part = sums[start : start + at_once]
        np.matmul(_draw(rng, len(part), n_sentences).astype(np.float64), flat, out=part)
    return sums.reshape(n_resamples, *statistics.shape[1:])


def _draw(rng: np.random.Generator, n_resamples: int, n_sentences: int) -> np.ndarray:
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
    """The percentile interval (low, high) of the last axis, in its place."""
    tail = (1 - confidence_level) / 2
    return np.moveaxis(np.quantile(resampled, [tail, 1 - tail], axis=-1), 0, -1)
