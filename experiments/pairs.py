"""Agreement sentence by sentence: how often do metrics order two corrections as people do?

Scores are arrays (system, sentence); pairs are those of `corpora.read_pairs`.
"""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from green_gec.significance import Resampler, interval

from . import metrics
from .bench import Bench, Progress
from .corpora import Corpus
from .files import Missing

N_RESAMPLES = 1000
SEED = 12345
# Scores that differ by less, as a share of the metric's largest one, differ by rounding only.
_ROUNDING = 1e-12


class Agreement(NamedTuple):
    """The share of human pairs that each of several metrics orders alike."""

    n_pairs: int
    n_sentences: int  # that have a pair
    shares: dict[str, float]
    ties: dict[str, float]  # the share of pairs on which the metric ties
    resampled: dict[str, np.ndarray]  # (resample,): of the same sentences for all metrics

    def interval(self, metric: str, baseline: str | None = None) -> tuple[float, float]:
        """A 95 % interval of a share, or of its lead over that of a baseline."""
        values = self.resampled[metric]
        if baseline is not None:
            values = values - self.resampled[baseline]
        low, high = interval(values, 0.95).tolist()
        return low, high


def agreement(
    scores: Mapping[str, np.ndarray], pairs: np.ndarray, n_resamples: int = N_RESAMPLES
) -> Agreement:
    """Compare metrics' scores of sentences, (system, sentence) by metric, with human pairs.

    A pair on which the metric ties counts half, so that a metric that says nothing has 0.5. All
    pairs have the same weight. For the intervals, the sentences that have pairs are drawn with
    replacement, each with all its pairs, because pairs of a sentence depend on each other. A score
    that no pair needs may be NaN.
    """
    if not len(pairs):
        raise ValueError("there are no pairs to compare with")
    sentences, winners, losers = pairs.T
    values = np.stack(list(scores.values()))  # (metric, system, sentence)
    leads = values[:, winners, sentences] - values[:, losers, sentences]
    for metric, pair in np.argwhere(np.isnan(leads)):
        raise ValueError(
            f"{list(scores)[metric]}: a score of sentence {sentences[pair]} (from 0) is missing"
        )
    largest = np.nanmax(np.abs(values), axis=(1, 2))[:, None]
    alike = np.where(np.abs(leads) <= _ROUNDING * largest, 0.5, leads > 0)
    judged, rows = np.unique(sentences, return_inverse=True)
    # The statistics of a sentence are what each metric has alike and, last, the number of pairs.
    counted = np.concatenate([alike, np.ones((1, len(pairs)))])
    by_sentence = np.stack([np.bincount(rows, each, len(judged)) for each in counted], axis=-1)

    def to_shares(sums: np.ndarray) -> np.ndarray:
        return sums[..., :-1] / sums[..., -1:]

    summands = partial(iter, [by_sentence])
    resampled = Resampler(summands, to_shares, len(judged), n_resamples, SEED).bootstrap()
    shares = to_shares(by_sentence.sum(axis=0)).tolist()
    return Agreement(
        *(len(pairs), len(judged)),
        dict(zip(scores, shares, strict=True)),
        dict(zip(scores, (alike == 0.5).mean(axis=1).tolist(), strict=True)),
        dict(zip(scores, resampled.T, strict=True)),
    )


def counted_pairs(corpus: Corpus, pairs: np.ndarray) -> np.ndarray:
    """Select the pairs of two systems that correlations count.

    For SEEDA, these are 12 of 15: not the two that rewrite for fluency, nor the source.
    """
    return pairs[corpus.counted[pairs[:, 1:]].all(axis=1)]


def agreements(bench: Bench, progress: Progress = lambda step: None) -> dict[str, Agreement]:
    """Compare all metrics, ours and the user's, with every judgment of every corpus."""
    found = {}
    for folder, corpus in bench.corpora.items():
        try:
            pairs = corpus.pairs
        except Missing as missing:
            bench.notes.append(f"sentences of {folder}: {missing}")
            continue
        progress(f"scores of the sentences of {folder}")
        scores = {
            metric: values
            for metric in (*metrics.METRICS, *bench.others.names)
            if (values := bench.sentence_scores(folder, metric)) is not None
        }
        for judgment, some in pairs.items():
            found |= _agreements(corpus, judgment, some, scores)
    return found


def _agreements(
    corpus: Corpus, judgment: str, pairs: np.ndarray, scores: Mapping[str, np.ndarray]
) -> dict[str, Agreement]:
    """Compare metrics with a judgment of the systems that correlations count, then of all."""
    found = {judgment: agreement(scores, counted_pairs(corpus, pairs))}
    if not corpus.counted.all():
        # A user's metric need not have scores of the systems that do not count.
        complete = {
            name: values
            for name, values in scores.items()
            if not np.isnan(values[pairs[:, 1:], pairs[:, :1]]).any()
        }
        found[f"{judgment}, all {len(corpus.systems)} systems"] = agreement(complete, pairs)
    return found
