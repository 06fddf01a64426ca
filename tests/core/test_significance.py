"""Bootstrap and randomisation: drawn right, repeatable, and as sure as they claim to be."""

import functools
import math
import random
from dataclasses import replace

import numpy as np
import pytest
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest
from shared import (
    CORPUS,
    EXAMPLE_REFERENCES,
    EXAMPLE_SOURCES,
    SYSTEMS,
    WITHOUT_SOURCES,
    close,
    random_corpus,
)

import oracle
from green_gec import compare, score, significance
from green_gec.significance import Resampler


def resampler(statistics, n_resamples, seed, score=lambda sums: sums):
    """Resamples of statistics (sentence, beta, system, …)."""
    return Resampler(lambda: iter([statistics]), score, len(statistics), n_resamples, seed)


def randomise(statistics, baseline, n_resamples, seed):
    """Differences of sums: a system's minus a baseline's, both (sentence, …)."""
    pair = np.stack([baseline, statistics], axis=1)[:, None]
    return resampler(pair, n_resamples, seed).randomise(baseline=0)[:, 0, 1]


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
    sums = resampler(statistics, 4000, seed=3).bootstrap()
    plain = np.array([statistics[rng.integers(200, size=200)].sum(axis=0) for _ in range(4000)])
    assert sums.shape == plain.shape
    np.testing.assert_allclose(sums.mean(axis=0), plain.mean(axis=0), rtol=0.01)
    np.testing.assert_allclose(sums.std(axis=0), plain.std(axis=0), rtol=0.1)


def test_resampling_in_parts(monkeypatch):
    statistics = np.ones((50, 2))
    monkeypatch.setattr(significance, "_DRAWN_AT_ONCE", 120)
    whole = resampler(statistics, 7, seed=1).bootstrap()
    assert (whole == 50).all()
    monkeypatch.setattr(significance, "_AT_ONCE", 250)
    assert (resampler(statistics, 7, seed=1).bootstrap() == whole).all()
    monkeypatch.setattr(significance, "_DRAWN_AT_ONCE", 1)
    assert (resampler(statistics, 7, seed=1).bootstrap() == 50).all()


@pytest.mark.parametrize(
    "work",
    [
        lambda watched: watched.bootstrap(),
        lambda watched: watched.randomise(baseline=0),
        lambda watched: watched.pairwise_p_values(np.full((1, 2), 50.0)),
    ],
)
def test_progress_is_that_of_the_parts(monkeypatch, work):
    for name in ("_AT_ONCE", "_DRAWN_AT_ONCE"):
        monkeypatch.setattr(significance, name, 120)  # two resamples of 50 sentences
    seen = []

    def progress(parts, n_parts):
        seen.append(n_parts)
        for part in parts:
            yield part
            seen.append("done")

    work(replace(resampler(np.ones((50, 1, 2)), 7, seed=1), progress=progress))
    assert seen == [4, *["done"] * 4]


def test_values_of_several_draws_are_averaged():
    """Resamples are the same for all of them, so the mean of their scores can be had one by one."""
    draws = np.random.default_rng(3).integers(1, 9, (3, 40, 1, 2, 2))
    together = Resampler(lambda: iter(draws), ratio, 40, 30, seed=2)
    alone = [resampler(draw, 30, 2, ratio) for draw in draws]
    expected = np.mean([each.bootstrap() for each in alone], axis=0)
    np.testing.assert_allclose(together.bootstrap(), expected, rtol=1e-12)
    expected = np.mean([each.randomise(0) for each in alone], axis=0)
    np.testing.assert_allclose(together.randomise(0), expected, rtol=1e-12, atol=1e-15)


def ratio(sums):
    return sums[..., 0] / sums[..., 1]


def test_the_interval_covers_as_often_as_it_promises():
    """For the mean of a known distribution."""
    rng = np.random.default_rng(4)
    covered = 0
    for trial in range(400):
        sample = rng.exponential(size=(80, 1))
        means = resampler(sample, 500, trial, lambda sums: sums[:, 0] / 80).bootstrap()
        low, high = significance.interval(means, 0.9)
        covered += low <= 1 <= high
    assert 0.84 <= covered / 400 <= 0.94


def test_swaps_are_fair_coins(monkeypatch):
    """A system that is worth 1 a sentence beside a baseline of 0: its sum is that of n coins."""
    monkeypatch.setattr(significance, "_DRAWN_AT_ONCE", 64_000)
    ones, zeros = np.ones((64, 1)), np.zeros((64, 1))
    differences = randomise(ones, zeros, 20_000, seed=1)[:, 0]
    kept = (differences + 64) / 2
    assert kept.mean() == pytest.approx(32, abs=0.2)
    assert kept.std() == pytest.approx(4, abs=0.1)
    assert set(kept) <= set(range(65))


@pytest.mark.parametrize("n_sentences", [1, 63, 64, 65])
def test_swaps_of_any_number_of_sentences(n_sentences):
    statistics = np.arange(n_sentences, dtype=float)[:, None]
    differences = randomise(statistics, -statistics, 50, seed=1)
    assert differences.shape == (50, 1)
    assert np.abs(differences).max() <= 2 * statistics.sum()


def bleu(sums):
    """sacreBLEU's statistics: lengths of system and reference, matches and totals of each order."""
    matches, totals = sums[..., 2:6], sums[..., 6:]
    brevity = np.minimum(0, 1 - sums[..., 1] / sums[..., 0])
    return np.exp(np.log(matches / totals).mean(axis=-1) + brevity)


@pytest.fixture(scope="module")
def bleu_systems():
    """Systems around a baseline, some better and some worse, from little to a lot."""
    rng = np.random.default_rng(6)
    references = [" ".join(rng.choice(list("abcdef"), rng.integers(6, 20))) for _ in range(150)]

    def spoil(rate):
        return [
            " ".join(rng.choice(list("abcdef")) if rng.random() < rate else word for word in words)
            for words in map(str.split, references)
        ]

    rates = {"baseline": 0.2, "same": 0.2, "better": 0.17, "much better": 0.1, "worse": 0.23}
    return {name: spoil(rate) for name, rate in rates.items()}, references


@pytest.mark.parametrize("test", ["bs", "ar"])
def test_p_values_are_those_of_sacrebleu(bleu_systems, test):
    systems, references = bleu_systems
    n = 2000
    metric = BLEU(tokenize="none", smooth_method="none", force=True)
    paired = PairedTest(
        list(systems.items()), {"BLEU": metric}, [references], test_type=test, n_samples=n
    )
    _, theirs = paired()
    metric = BLEU(tokenize="none", smooth_method="none", force=True, references=[references])
    statistics = np.stack(
        [metric._extract_corpus_statistics(texts, None) for texts in systems.values()], axis=1
    )  # (sentence, system, statistic)
    values = bleu(statistics.sum(axis=0))
    observed = values - values[0]
    if test == "bs":
        resampled = resampler(statistics, n, 7, bleu).bootstrap()
        ours = significance.bootstrap_p_values(resampled, values, baseline=0)
    else:
        shuffled = resampler(statistics[:, None], n, 7, bleu).randomise(baseline=0)[:, 0]
        ours = significance.randomisation_p_values(shuffled, observed)
    assert [100 * value for value in values] == pytest.approx([x.score for x in theirs["BLEU"]])
    p_values = [result.p_value for result in theirs["BLEU"][1:]]
    assert max(p_values) > 0.2 > min(p_values)  # else there would be little to compare
    for p, other in zip(ours[1:], p_values, strict=True):
        assert p == pytest.approx(other, abs=5 * math.sqrt(2 * other * (1 - other) / n) + 1 / n)


@pytest.mark.parametrize("test", ["bs", "ar"])
def test_a_system_against_itself_is_never_significant(test):
    rng = np.random.default_rng(8)
    for seed in range(20):
        statistics = rng.random((40, 1))
        if test == "bs":
            resampled = resampler(statistics, 100, seed).bootstrap()
            p = significance.bootstrap_p_values(resampled, statistics.sum(axis=0), baseline=0)
        else:
            shuffled = randomise(statistics, statistics, 100, seed)
            p = significance.randomisation_p_values(shuffled, np.zeros(1))
        assert p == 1


def test_rounding_makes_no_difference():
    """0.1 + 0.2 - 0.3 is not 0 for a computer, but no difference either."""
    statistics, other = np.array([[0.1], [0.2], [0.3]]), np.array([[0.3], [0.2], [0.1]])
    shuffled = randomise(statistics, other, 200, seed=1)
    observed = np.array([0.1 + 0.2 - 0.3])
    assert significance.randomisation_p_values(shuffled, -observed) == 1


def test_one_sentence_of_difference_is_chance():
    """Swapped or not, the difference is as large: randomisation cannot tell it from chance."""
    statistics = np.random.default_rng(9).random((40, 1))
    better = statistics.copy()
    better[7] += 0.3
    shuffled = randomise(better, statistics, 500, seed=1)
    assert significance.randomisation_p_values(shuffled, np.array([0.3])) == 1


def test_randomisation_is_wrong_as_seldom_as_it_promises():
    """Two equally good systems: p is below 0.1 in a tenth of the trials, and in half below 0.5."""
    rng = np.random.default_rng(10)
    statistics = rng.exponential(size=(60, 400, 2))  # (sentence, trial, system)
    first, second = statistics[..., 0], statistics[..., 1]
    shuffled = randomise(first, second, 400, seed=1)
    p = significance.randomisation_p_values(shuffled, (first - second).sum(axis=0))
    assert 0.06 <= (p < 0.1).mean() <= 0.14
    assert 0.42 <= (p < 0.5).mean() <= 0.58


@pytest.mark.parametrize("n_sentences", [30, 3000])  # in one part, in several
def test_all_pairs_at_once_have_the_p_values_of_each(n_sentences):
    rng = np.random.default_rng(11)
    statistics = rng.integers(0, 9, (n_sentences, 2, 4, 3))  # (sentence, beta, system, part)
    statistics[:, :, 3] += rng.random((n_sentences, 2, 3)) < 0.1

    def score(sums):
        return np.log(sums).mean(axis=-1)

    observed = score(statistics.sum(axis=0))
    of_systems = resampler(statistics, 900, 5, score)
    p_values = of_systems.pairwise_p_values(observed)
    for baseline in range(4):
        shuffled = of_systems.randomise(baseline)
        differences = observed - observed[:, [baseline]]
        expected = significance.randomisation_p_values(shuffled, differences)
        assert p_values[:, baseline].tolist() == expected.tolist()
    assert len(set(p_values.ravel().tolist())) > 4


def test_copies_of_a_system_are_never_significant_among_all_pairs():
    copies = np.random.default_rng(12).random((40, 1, 1)).repeat(3, axis=2)
    assert (resampler(copies, 100, 1).pairwise_p_values(copies.sum(axis=0)) == 1).all()


def test_the_interval_of_a_rank():
    """By hand: the first system is mostly first, the two others are always equal."""
    resampled = np.array([[3.0, 1.0, 1.0]] * 97 + [[0.0, 1.0, 1.0]] * 3)
    assert significance.rank_interval(resampled, 0.9).tolist() == [[1, 1], [2, 2], [2, 2]]
    assert significance.rank_interval(resampled, 0.95).tolist() == [[1, 3], [1, 2], [1, 2]]


def test_ranks_against_brute_force():
    resampled = np.random.default_rng(12).integers(0, 4, (200, 2, 5)) / 3
    for beta in range(2):
        ranks = [
            [1 + sum(other > one for other in row) for one in row] for row in resampled[:, beta]
        ]
        for system, (low, high) in enumerate(significance.rank_interval(resampled, 0.8)[beta]):
            ascending = sorted(of_sample[system] for of_sample in ranks)
            assert (low, high) == (ascending[19], ascending[179])


def holm_by_hand(p_values):
    """The smallest level at which Holm's procedure rejects each hypothesis; at most 1.

    At a level, it takes the p-values in ascending order, compares the first with level / m, the
    next with level / (m - 1) and so on, and stops at the first that is larger.
    """

    def rejected(level):
        found = set()
        ascending = sorted(range(len(p_values)), key=p_values.__getitem__)
        for rank, index in enumerate(ascending):
            if p_values[index] * (len(p_values) - rank) > level:
                break
            found.add(index)
        return found

    # The level decides only where it meets a p-value times a number of hypotheses.
    levels = sorted({p * m for p in p_values for m in range(1, len(p_values) + 1)} | {1.0})
    return [
        min([level for level in levels if level <= 1 and index in rejected(level)], default=1.0)
        for index in range(len(p_values))
    ]


@pytest.mark.parametrize("n_comparisons", [1, 2, 3, 7])
def test_holm_is_the_smallest_level_of_the_step_down_procedure(n_comparisons):
    rng = np.random.default_rng(11)
    p_values = rng.integers(1, 21, size=(100, n_comparisons)) / rng.choice([20, 200], (100, 1))
    corrected = significance.holm(p_values)
    for row, expected in zip(corrected, map(holm_by_hand, p_values.tolist()), strict=True):
        assert row.tolist() == close(expected)
    assert (corrected >= p_values).all()
    assert (corrected <= 1).all()


def test_holm_of_a_textbook_example():
    p_values = np.array([0.01, 0.04, 0.03, 0.005])
    assert significance.holm(p_values).tolist() == close([0.03, 0.06, 0.06, 0.02])


def test_holm_leaves_the_baseline_out():
    p_values = np.array([[0.02, np.nan, 0.01], [np.nan, 0.9, 0.8]])
    expected = [[0.02, np.nan, 0.02], [np.nan, 1, 1]]
    np.testing.assert_allclose(significance.holm(p_values), expected)


# Intervals and p-values of scores


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
    for _ in range(200):
        drawn = rng.integers(150, size=150)
        resampled = [[column[i] for i in drawn] for column in corpus]
        values.append(score(*resampled, level=level)["green"])
    low, high = np.quantile(values, [0.025, 0.975])
    assert interval == pytest.approx([low, high], abs=0.25 * (high - low))


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


@functools.cache
def gleu_parts(text, i):
    """A correction's parts with each reference of sentence i."""
    source, references = EXAMPLE_SOURCES[i].split(), EXAMPLE_REFERENCES[i]
    return [
        oracle.gleu_parts(source, text.split(), reference.split(), range(1, 5), "official")
        for reference in references
    ]


def slow_green(texts, drawn):
    columns = (EXAMPLE_SOURCES, texts, EXAMPLE_REFERENCES)
    return score(*([column[i] for i in drawn] for column in columns))["green"]


def slow_gleu(texts, drawn):
    """A sentence that is drawn again keeps its drawn references."""
    values = []
    for n in range(10):
        random.seed(101 * n, version=1)
        picks = [int(2 * random.random()) for _ in texts]
        sums = oracle.added([gleu_parts(texts[i], i)[picks[i]] for i in drawn])
        values.append(oracle.gleu_of(sums)[0])
    return np.mean(values)


def slow_f1(texts, drawn):
    return oracle.f1([texts[i] for i in drawn], [EXAMPLE_REFERENCES[i] for i in drawn])


@pytest.mark.parametrize("paired", ["bs", "ar"])
@pytest.mark.parametrize(
    ("metric", "value", "options"),
    [
        ("green", slow_green, {}),
        ("gleu", slow_gleu, {"iterations": 10}),
        ("f1", slow_f1, {}),
    ],
)
def test_p_values_are_those_of_resampled_texts(metric, value, options, paired):
    """Score the resampled or swapped sentences themselves, slowly, with plain lists."""
    rng = np.random.default_rng(3)
    n, half = len(EXAMPLE_SOURCES), len(EXAMPLE_SOURCES) // 2
    # Two systems that are much alike, so that p is neither large nor small; the baseline second.
    first = SYSTEMS["careful"][:half] + SYSTEMS["bold"][half:]
    second = SYSTEMS["bold"][:half] + SYSTEMS["careful"][half:]
    observed, sizes = value(second, range(n)) - value(first, range(n)), []
    for _ in range(200):
        drawn, a, b = range(n), first, second
        if paired == "bs":
            drawn = rng.integers(n, size=n)
        else:
            pairs = zip(first, second, rng.integers(2, size=n), strict=True)
            a, b = zip(*((y, x) if swap else (x, y) for x, y, swap in pairs), strict=True)
        sizes.append(abs(value(b, drawn) - value(a, drawn)))
    if paired == "bs":
        sizes = np.array(sizes) - np.mean(sizes)
    expected = np.mean(np.array(sizes) >= abs(observed))
    assert 0.02 < expected < 0.98  # else there would be little to compare
    systems = {"other": SYSTEMS["broken"], "first": first, "second": second}
    table = compare(
        systems,
        None if metric in WITHOUT_SOURCES else EXAMPLE_SOURCES,
        EXAMPLE_REFERENCES,
        metric=metric,
        paired=paired,
        baseline="first",
        n_resamples=4000,
        **options,
    )
    assert table["difference"][2] == close(observed)
    error = math.sqrt(expected * (1 - expected) * (1 / 200 + 1 / 4000))
    assert table["p_value"][2] == pytest.approx(expected, abs=5 * error)


def test_equal_systems_share_their_rank_whatever_the_rounding():
    scores = np.random.default_rng(0).random((200, 2))
    resampled = np.concatenate([scores, scores[:, :1] * (1 + 1e-16) + 1e-16], axis=1)
    ranks = significance.rank_interval(resampled, 0.95)
    assert (ranks[0] == ranks[2]).all()
