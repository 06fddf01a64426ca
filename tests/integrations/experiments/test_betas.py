"""F-scores at many betas."""

from dataclasses import replace

import numpy as np
import pytest

from experiments import bench, betas, corpora, metrics
from green_gec import compare


def test_best_betas_are_estimated_on_nine_tenths(small_data):
    conll = corpora.read_conll14(small_data)
    best = []
    for tenth in np.array_split(np.arange(60), 10):

        def without(texts, tenth=tenth):
            return [text for n, text in enumerate(texts) if n not in tenth]

        rest = replace(
            conll,
            sources=without(conll.sources),
            references=without(conll.references),
            systems={name: without(texts) for name, texts in conll.systems.items()},
        )
        values = metrics.system_scores(rest, "wordGREEN", beta=betas.BETAS.tolist())
        found = bench.correlate(conll, "CoNLL", values)
        best.append([betas.middle_of_best(row) for row in found])
    sums = betas.sums_by_chunk(conll, "wordGREEN")
    assert betas.estimate_betas(conll, "CoNLL", sums) == pytest.approx(np.mean(best, axis=0))
    curves, stars = betas.curves(bench.Bench({"conll14": conll}), progress=lambda step: None)
    assert [curve.metric for curve in curves] == ["wordGREEN", "charGREEN", "M²", "ERRANT"]
    assert [star.estimate for star in stars[:2]] == pytest.approx(np.mean(best, axis=0))
    assert all(star.low <= star.high for star in stars)
    assert any(star.low < star.high for star in stars)


def test_the_first_beta_stands_for_0(small_data):
    conll = corpora.read_conll14(small_data)
    table = compare(
        conll.systems, conll.sources, conll.references, beta=betas.BETAS[0], n_resamples=0
    )
    assert table["green"].to_numpy() == pytest.approx(table["precision"].to_numpy(), abs=1e-15)


def test_the_middle_of_the_best_betas():
    correlations = np.zeros(501)
    correlations[[150, 151, 152, 153, 154]] = 0.9
    assert betas.middle_of_best(correlations) == pytest.approx(1.52)


def test_chunks_add_up_to_the_corpus(small_data):
    conll = corpora.read_conll14(small_data)
    sums = betas.sums_by_chunk(conll, "charGREEN").sum(axis=0)
    expected = metrics.system_scores(conll, "charGREEN", beta=2)
    assert betas.green_at_betas(sums)[200] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("metric", metrics.EDITS)
def test_edits_at_all_betas(small_bench, metric):
    """They equal those of the package, which chooses annotators for each beta alone."""
    some = [0, 1, 7, 15, 50, 100, 179, 200, 384, 500]
    for corpus in small_bench.corpora.values():
        found = betas.edits_at_betas(corpus, metric)
        expected = metrics.system_scores(corpus, metric, beta=betas.BETAS[some].tolist())
        assert found[some] == pytest.approx(expected, abs=1e-15)


def test_ties_between_annotators_at_all_betas():
    """One right of two and two right of four give the same F; then, more right is better."""
    one, other = (np.array(counts).reshape(3, 1, 1) for counts in ((1, 2, 2), (2, 4, 4)))
    better = betas._is_better_m2(other, one)
    assert better.all()  # F is equal, and two are correct
    assert not betas._is_better_m2(one, other).any()
    nothing, wrong = (np.array(counts).reshape(3, 1, 1) for counts in ((0, 0, 0), (0, 1, 0)))
    assert betas._is_better_m2(nothing, wrong).all()
    assert betas._is_better_errant(nothing, wrong).all()


@pytest.mark.parametrize("metric", metrics.EDITS)
def test_edits_of_the_public_corpora_at_some_betas(public, metric):
    corpus = public.corpora["conll14"]
    some = [0, 17, 50, 200]
    found = betas.edits_at_betas(corpus, metric)
    expected = metrics.system_scores(corpus, metric, beta=betas.BETAS[some].tolist())
    assert found[some] == pytest.approx(expected, abs=1e-15)
