"""`count` and `Statistics`: what is counted once adds up, in any pieces, to the same results."""

import pickle
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import (
    CORPUS,
    EXAMPLE_REFERENCES,
    EXAMPLE_SOURCES,
    FEW_EXAMPLES,
    PREDICTIONS,
    REFERENCES,
    SOURCES,
    SYSTEMS,
    TEXTS,
    WITHOUT_SOURCES,
    close,
    corpora,
    inputs,
    random_corpus,
)

from green_gec import Statistics, score, significance
from green_gec.counting import count
from green_gec.inputs import Corpus
from green_gec.metrics import METRICS
from green_gec.options import Options

MEAN = {"selection": "mean", "level": "mean"}
# Metrics with options that change what is counted, what is kept and how it is added up.
SETTINGS = [
    (metric, options)
    for metric in METRICS
    for options in (
        {},
        {"tokenizer": "char", "max_order": 3, "strip": True, "detailed": True},
        {"level": "mean", "max_order": 2},
        {"n_resamples": 30, "seed": 5},
    )
]
SETTINGS += [("green", {"beta": 0.5, "effective_order": True}), ("gleu", {"selection": "max"})]
SETTINGS += [("gleu", {"formula": "paper", "iterations": 20})]
SETTINGS += [("green", {**MEAN, "detailed": True}), ("green", {**MEAN, "n_resamples": 30})]
# Their sums are of fractions, so the last digit depends on the order of addition.
FRACTIONS = ("rouge", "f1")


def corpus(n_sentences):
    return dict(zip(TEXTS, random_corpus(n_sentences), strict=True))


def count_systems(systems, **options):
    """The statistics of several systems on the examples."""
    options = Options(**options)
    sources = None if options.metric in WITHOUT_SOURCES else EXAMPLE_SOURCES
    (statistics,) = count(Corpus(sources, systems, EXAMPLE_REFERENCES), [options])
    return statistics


def assert_same(metric, result, expected):
    if metric not in FRACTIONS:
        assert result == expected
        return
    assert result.keys() == expected.keys()
    assert result.get("signature") == expected.get("signature")
    for name in result.keys() - {"signature"}:
        np.testing.assert_allclose(result[name], expected[name], rtol=1e-12)


# Sums


@pytest.mark.parametrize(("metric", "options"), SETTINGS)
@FEW_EXAMPLES
@given(texts=corpora(), data=st.data())
def test_the_score_of_a_sum_is_that_of_the_whole(metric, options, texts, data):
    """To the last bit if counts are whole, whatever the pieces, and wherever they come from."""
    texts = inputs(metric, texts)
    n_sentences = len(texts["predictions"])
    cuts = data.draw(st.lists(st.integers(0, n_sentences), max_size=4).map(sorted))
    pieces = [
        Statistics.of(**{name: texts[name][i:j] for name in texts}, metric=metric, **options)
        for i, j in zip([0, *cuts], [*cuts, n_sentences], strict=True)  # some are empty
    ]
    sent = [pickle.loads(pickle.dumps(piece)) for piece in pieces]
    whole = score(**texts, metric=metric, **options)
    total = sum(pieces)
    for again in (total, sum(sent), Statistics.merge(pieces), pickle.loads(pickle.dumps(total))):
        assert_same(metric, again.score(), whole)


@pytest.mark.parametrize("metric", METRICS)
def test_counts_are_whole_numbers(metric):
    for options in ({}, {"detailed": True}, {"level": "mean"}, {"n_resamples": 5}):
        rows = Statistics.of(**inputs(metric, TEXTS), metric=metric, **options).rows
        assert rows.dtype == (np.float64 if metric in FRACTIONS else np.int64)


def test_statistics_of_other_options_do_not_add_up():
    texts = corpus(5)
    statistics = Statistics.of(**texts)
    for options in ({"beta": 1}, {"level": "mean"}, {"n_resamples": 5}, {"detailed": True}):
        name = next(iter(options))
        with pytest.raises(ValueError, match=f"cannot add statistics with {name} .* to those with"):
            statistics + Statistics.of(**texts, **options)
    with pytest.raises(ValueError, match="cannot add statistics with metric gleu to those with gr"):
        statistics + Statistics.of(**texts, metric="gleu")
    for other in (1, "a", None):
        with pytest.raises(TypeError, match="unsupported operand"):
            statistics + other
    with pytest.raises(ValueError, match="no statistics to merge"):
        Statistics.merge([])


@pytest.mark.parametrize("metric", METRICS)
def test_statistics_of_nothing(metric):
    texts = inputs(metric, TEXTS)
    expected = score(**texts, metric=metric)
    counted = Statistics.of(**texts, metric=metric)
    no_sentences = Statistics.of(**{name: [] for name in texts}, metric=metric)
    for nothing in (Statistics.empty(Options(metric=metric)), no_sentences):
        with pytest.raises(ValueError, match="there are no sentences to score"):
            nothing.score()
        assert (nothing + counted).score() == (counted + nothing).score() == expected
        assert (nothing + counted + nothing + nothing).score() == expected


@pytest.mark.parametrize("level", ["corpus", "mean"])
def test_thousands_of_pieces(level, monkeypatch):
    """Together, their rows are copied once."""
    texts = corpus(500)
    one_by_one = [
        Statistics.of(*([text] for text in sentence), level=level)
        for sentence in zip(*texts.values(), strict=True)
    ]
    expected = score(*(column * 10 for column in texts.values()), level=level)
    began = time.perf_counter()
    assert sum(one_by_one * 10).score() == expected
    assert time.perf_counter() - began < 10
    concatenate, n_copied = np.concatenate, []

    def counting(arrays, *args, **kwargs):
        joined = concatenate(arrays, *args, **kwargs)
        n_copied.append(len(joined) if joined.ndim == 1 else joined.shape[2])
        return joined

    monkeypatch.setattr(np, "concatenate", counting)
    merged = Statistics.merge(one_by_one * 10)
    assert sum(n_copied) < 5 * 5_000
    monkeypatch.undo()
    assert merged.score() == expected


# Other views of the same statistics


def test_statistics_can_be_compared_and_collected():
    """As objects; whether their numbers are equal, their scores say."""
    first, second = Statistics.of(*CORPUS), Statistics.of(*CORPUS)
    assert first == first
    assert first != second
    assert len({first, second, first}) == 2
    assert first in [second, first]


def test_other_options_of_the_same_statistics():
    options = {"n_resamples": 20, "seed": 3}
    statistics = Statistics.of(*CORPUS, **options)
    mean = statistics.replace(level="mean", n_resamples=0)
    assert mean.score() == score(*CORPUS, level="mean")
    with pytest.raises(ValueError, match="tokenizer changes the counts; count again"):
        statistics.replace(tokenizer="char")
    with pytest.raises(ValueError, match="these statistics are sums"):
        Statistics.of(*CORPUS).replace(level="mean")
    with pytest.raises(ValueError, match="level must be 'corpus' or 'mean'"):
        statistics.replace(level="document")
    assert "beta=2.0" in repr(statistics)


def test_a_total_is_enough_for_the_score_of_a_corpus_only():
    statistics = Statistics.of(*CORPUS, n_resamples=20)
    assert statistics.replace(n_resamples=0).total().score() == score(*CORPUS)
    with pytest.raises(ValueError, match="need those of each sentence"):
        statistics.total()
    with pytest.raises(ValueError, match="need those of each sentence"):
        Statistics.of(*CORPUS).replace(n_resamples=5)


def test_statistics_of_the_mean_over_references():
    statistics = Statistics.of(*CORPUS, **MEAN)
    with pytest.raises(ValueError, match="selection='mean' averages the scores of a sentence"):
        statistics.replace(level="corpus")
    with pytest.raises(ValueError, match="selection changes the counts; count again"):
        statistics.replace(selection="max")
    with pytest.raises(ValueError, match="cannot add statistics with selection max to those with"):
        statistics + Statistics.of(*CORPUS, level="mean")
    with_intervals = statistics.replace(n_resamples=20).score()
    assert with_intervals == score(*CORPUS, **MEAN, n_resamples=20)


@pytest.mark.parametrize("metric", ["green", "gleu"])
def test_some_of_the_sentences(metric):
    """Also if there is one row per reference, of which there are one to three."""
    statistics = Statistics.of(*CORPUS, metric=metric, level="mean")
    selected = statistics.select_sentences(np.array([True, False, True]))
    expected = score(SOURCES[::2], PREDICTIONS[::2], REFERENCES[::2], metric, level="mean")
    assert selected.score() == expected


@pytest.mark.parametrize("metric", METRICS)
def test_some_of_the_systems(metric):
    statistics = count_systems(SYSTEMS, metric=metric, level="mean", max_order=2)
    selected = statistics.select_systems([2, 0]).results()
    for index, name in enumerate(["broken", "careful"]):
        alone = count_systems({name: SYSTEMS[name]}, metric=metric, level="mean", max_order=2)
        for result, value in alone.results().items():
            np.testing.assert_array_equal(selected[result][:, index], value[:, 0])


@pytest.mark.parametrize("level", ["corpus", "mean"])
@pytest.mark.parametrize("metric", METRICS)
def test_all_orders_together_make_the_score(metric, level):
    """The last entry of the score's column is the score itself."""
    options = {"selection": "max"} if metric == "gleu" else {}
    options |= {"metric": metric, "level": level, "detailed": True}
    statistics = Statistics.of(**inputs(metric, TEXTS), **options)
    column = statistics.orders()["cumF" if metric == "green" else metric]
    assert column[0, 0, -1] == close(statistics.score()[metric])


# Several settings, several systems


def test_one_count_for_several_settings():
    """The same statistics as of separate counts, whatever sizes each metric needs."""
    texts = corpus(60)
    several = [
        Options(beta=[0.5, 2.0], detailed=True),
        Options(effective_order=True, level="mean"),
        Options(metric="gleu", iterations=20),
        Options(metric="gleu", formula="paper", selection="max", level="sentence", detailed=True),
        *(Options(metric=metric, n_resamples=20) for metric in WITHOUT_SOURCES),
    ]
    systems = {"first": texts["predictions"], "second": texts["sources"]}
    together = count(Corpus(texts["sources"], systems, texts["references"]), several)
    for options, statistics in zip(several, together, strict=True):
        sources = inputs(options.metric, texts).get("sources")
        (alone,) = count(Corpus(sources, systems, texts["references"]), [options])
        np.testing.assert_array_equal(statistics.rows, alone.rows)
        np.testing.assert_array_equal(statistics.chosen, alone.chosen)
        np.testing.assert_array_equal(statistics.n_references, alone.n_references)
        assert statistics.score() == alone.score()


@pytest.mark.parametrize("n_threads", [1, 2, None])
def test_blocks_make_no_difference(monkeypatch, n_threads):
    texts, options = corpus(300), Options(level="sentence", detailed=True)
    counted = Corpus(texts["sources"], {"A": texts["predictions"]}, texts["references"])
    (expected,) = count(counted, [options])
    monkeypatch.setattr("green_gec.counting._ENTRIES_AT_ONCE", 1)
    monkeypatch.setattr("green_gec.counting._FEWEST_AT_ONCE", 7)
    n_blocks = []

    def progress(blocks, n):
        n_blocks.append(n)
        return blocks

    (statistics,) = count(counted, [options], n_threads=n_threads, progress=progress)
    assert statistics.score() == expected.score()
    assert n_blocks == [-(-300 // 7)]


@pytest.mark.parametrize("level", ["corpus", "mean"])
@pytest.mark.parametrize("paired", ["bs", "ar"])
@pytest.mark.parametrize("metric", METRICS)
def test_all_pairs_have_the_p_values_of_each_baseline(metric, paired, level):
    options = {"iterations": 20} if metric == "gleu" else {}
    options |= {"metric": metric, "paired": paired, "level": level, "n_resamples": 200}
    statistics = count_systems(SYSTEMS, **options)
    p_values = statistics.pairwise_p_values()
    for baseline in range(len(SYSTEMS)):
        expected = statistics.results(baseline)["p_value"]
        np.testing.assert_array_equal(p_values[:, baseline], expected)


@pytest.mark.parametrize("paired", ["bs", "ar"])
def test_fewer_draws_of_references_for_all_pairs(paired):
    """The observed scores are still those of all draws."""
    options = {"metric": "gleu", "paired": paired, "n_resamples": 200, "iterations": 20}
    statistics = count_systems(SYSTEMS, **options)
    p_values = statistics.pairwise_p_values()
    np.testing.assert_array_equal(statistics.pairwise_p_values(most=20), p_values)
    np.testing.assert_array_equal(statistics.pairwise_p_values(most=100), p_values)
    observed, resampler = statistics.results()["gleu"], statistics.resampler(most=3)
    fewer = statistics.pairwise_p_values(most=3)
    for baseline in range(len(SYSTEMS)):
        differences = observed - observed[:, [baseline]]
        if paired == "bs":
            resampled = resampler.bootstrap()
            expected = significance.bootstrap_p_values(resampled, observed, baseline)
        else:
            shuffled = resampler.randomise(baseline)
            expected = significance.randomisation_p_values(shuffled, differences)
        expected[:, baseline] = np.nan
        np.testing.assert_array_equal(fewer[:, baseline], expected)
