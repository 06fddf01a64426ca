"""The bootstrap: drawn right, repeatable, and with intervals that cover what they promise."""

import math

import numpy as np
import pytest
from test_score import CORPUS, random_corpus

from green_gec import score, significance


@pytest.mark.parametrize("n_sentences", [1, 2, 5, 17, 100, 1312])
def test_sentences_are_drawn_with_replacement(n_sentences):
    rng = np.random.Generator(np.random.SFC64(1))
    n_resamples = 400_000 // n_sentences
    drawn = significance._draw(rng, n_resamples, n_sentences)
    assert (drawn.sum(axis=1) == n_sentences).all()
    # How often a sentence is drawn is binomial.
    p = 1 / n_sentences
    for times in range(min(n_sentences, 5) + 1):
        expected = math.comb(n_sentences, times) * p**times * (1 - p) ** (n_sentences - times)
        error = math.sqrt(expected / drawn.size)
        assert abs((drawn == times).mean() - expected) <= 6 * error + 1e-12
    # Two sentences compete for the draws.
    if n_sentences in (2, 5, 17):
        together = np.cov(drawn[:, 0].astype(float), drawn[:, 1].astype(float))[0, 1]
        assert together == pytest.approx(-p, abs=6 / math.sqrt(n_resamples))


def test_sums_are_those_of_a_plain_bootstrap():
    rng = np.random.default_rng(2)
    statistics = rng.integers(0, 50, size=(200, 4, 3))
    sums = significance.resample(statistics, 4000, seed=3)
    plain = np.array([statistics[rng.integers(200, size=200)].sum(axis=0) for _ in range(4000)])
    assert sums.shape == plain.shape
    np.testing.assert_allclose(sums.mean(axis=0), plain.mean(axis=0), rtol=0.01)
    np.testing.assert_allclose(sums.std(axis=0), plain.std(axis=0), rtol=0.1)


def test_resampling_in_parts(monkeypatch):
    statistics = np.ones((50, 2))
    monkeypatch.setattr(significance, "_DRAWS_AT_ONCE", 120)
    assert (significance.resample(statistics, 7, seed=1) == 50).all()
    monkeypatch.setattr(significance, "_DRAWS_AT_ONCE", 1)
    assert (significance.resample(statistics, 7, seed=1) == 50).all()


def test_the_interval_covers_as_often_as_it_promises():
    """For the mean of a known distribution."""
    rng = np.random.default_rng(4)
    covered = 0
    for trial in range(400):
        sample = rng.exponential(size=(80, 1))
        means = significance.resample(sample, 500, seed=trial)[:, 0] / 80
        low, high = significance.interval(means, 0.9)
        covered += low <= 1 <= high
    assert 0.84 <= covered / 400 <= 0.94


@pytest.mark.parametrize("level", ["corpus", "mean"])
def test_the_interval_holds_the_score(level):
    corpus = random_corpus(300)
    result = score(*corpus, level=level, n_resamples=500)
    low, high = result["confidence_interval"]
    assert low < result["green"] < high
    wide = score(*corpus, level=level, n_resamples=500, confidence_level=0.99)
    assert wide["confidence_interval"][0] < low
    assert wide["confidence_interval"][1] > high


@pytest.mark.parametrize("level", ["corpus", "mean"])
def test_the_interval_is_that_of_scoring_resampled_sentences(level):
    """The statistics that are resampled give what scoring the resampled texts gives."""
    corpus = random_corpus(150)
    interval = score(*corpus, level=level, n_resamples=4000)["confidence_interval"]
    rng = np.random.default_rng(5)
    values = []
    for _ in range(400):
        drawn = rng.integers(150, size=150)
        resampled = [[column[i] for i in drawn] for column in corpus]
        values.append(score(*resampled, level=level)["green"])
    low, high = np.quantile(values, [0.025, 0.975])
    assert interval == pytest.approx([low, high], abs=0.2 * (high - low))


def test_the_seed_decides():
    corpus = random_corpus()
    first = score(*corpus, n_resamples=50, seed=1)
    assert score(*corpus, n_resamples=50, seed=1) == first
    assert score(*corpus, n_resamples=50, seed=2) != first


def test_an_interval_for_every_beta():
    together = score(*CORPUS, beta=[0.5, 2.0], n_resamples=50)["confidence_interval"]
    assert together == [
        score(*CORPUS, beta=beta, n_resamples=50)["confidence_interval"] for beta in (0.5, 2.0)
    ]


def test_one_sentence_has_no_spread():
    result = score(["a b c d e"], ["a b c d"], ["a b c d f"], n_resamples=20)
    assert result["confidence_interval"] == [result["green"]] * 2
