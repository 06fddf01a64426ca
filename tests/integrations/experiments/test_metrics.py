"""Metrics applied to the systems of a corpus."""

import numpy as np
import pytest

from experiments import corpora, metrics
from experiments.files import Missing
from experiments.rivals import cleme, i_measure
from green_gec import compare, score

ALL = metrics.METRICS


@pytest.mark.parametrize("metric", ALL)
def test_shapes(small_bench, metric):
    for corpus in small_bench.corpora.values():
        sentences = metrics.sentence_scores(corpus, metric)
        assert sentences.shape == (len(corpus.systems), 60)
        means = metrics.system_scores(corpus, metric, "mean")
        assert means == pytest.approx(sentences.mean(axis=1))
        if metrics.has_corpus_level(metric):
            assert metrics.system_scores(corpus, metric).shape == (len(corpus.systems),)


@pytest.mark.parametrize("metric", metrics.NGRAMS)
@pytest.mark.parametrize("level", ["corpus", "mean", "sentence"])
def test_ngrams_are_the_packages(small_bench, metric, level):
    if level == "corpus" and not metrics.has_corpus_level(metric):
        pytest.skip("no corpus level")
    corpus, options = small_bench.corpora["gmeg-fce"], metrics.NGRAMS[metric]
    sources = corpus.sources if options["metric"] in ("green", "gleu") else None
    texts = (sources, corpus.systems["nus"], corpus.references)
    expected = score(*texts, **options, level=level)[options["metric"]]
    if level == "sentence":
        found = metrics.sentence_scores(corpus, metric)
    else:
        found = metrics.system_scores(corpus, metric, level)
    assert found[list(corpus.systems).index("nus")] == pytest.approx(expected)


@pytest.mark.parametrize("metric", metrics.EDITS)
def test_edits_are_the_packages(small_bench, metric):
    corpus = small_bench.corpora["conll14"]
    systems = corpus.systems if metric == "M²" else corpus.edits.systems
    gold = corpus.edits.official if metric == "M²" else corpus.edits.gold
    name = metrics.EDITS[metric]
    for level in ("corpus", "mean"):
        table = compare(systems, gold=gold, metric=name, level=level, n_resamples=0)
        found = metrics.system_scores(corpus, metric, level)
        assert found == pytest.approx(table[name].to_numpy())
    table = compare(systems, gold=gold, metric=name, beta=[0.3, 2], n_resamples=0)
    found = metrics.system_scores(corpus, metric, beta=[0.3, 2])
    assert found.T.ravel() == pytest.approx(table[name].to_numpy())


def test_rivals(small_bench):
    corpus = small_bench.corpora["gmeg-wiki"]
    index, edits = 1, corpus.edits
    ours, gold = edits.systems["lstm"], edits.gold
    found = [
        each(corpus, "CLEME")[index] for each in (metrics.system_scores, metrics.sentence_scores)
    ]
    assert found[0] == pytest.approx(cleme.corpus_score(ours, gold))
    assert found[1] == pytest.approx(cleme.sentence_scores(ours, gold))
    texts = (corpus.sources, corpus.systems["lstm"])
    references = i_measure.official_references(gold, str.split)  # the examples are tokenised
    assert metrics.system_scores(corpus, "I-measure")[index] == pytest.approx(
        i_measure.score(*texts, references)
    )


@pytest.mark.parametrize("metric", ["M²", "ERRANT", "I-measure"])
def test_a_part_of_a_corpus(small_data, small_bench, metric):
    """Counts of a part are those of the whole but for the lines that are left out."""
    part = corpora.without_runaway(small_bench.corpora["gmeg-wiki"])
    alone = corpora.read_gmeg(small_data, "gmeg-wiki", part.left_out)
    assert alone.whole is None
    assert metrics.sentence_scores(part, metric) == pytest.approx(
        metrics.sentence_scores(alone, metric)
    )
    assert metrics.system_scores(part, metric) == pytest.approx(
        metrics.system_scores(alone, metric)
    )


def test_without_edits(data):
    (data / "conll14" / "errant" / "CAMB.m2").unlink()
    conll = corpora.read_conll14(data)
    assert np.isfinite(metrics.system_scores(conll, "M²")).all()
    for metric in ("ERRANT", "CLEME"):
        with pytest.raises(Missing, match=r"CAMB\.m2 is missing; get ERRANT's edits"):
            metrics.system_scores(conll, metric)
