"""Correlations of systems with human judgment."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from small_corpora import CONLL_SYSTEMS

from experiments import bench, corpora, others


def test_correlations_leave_out_systems_that_do_not_count(small_data):
    seeda = corpora.read_seeda(small_data)
    values = np.random.default_rng(1).random((3, 15))
    found = bench.correlate(seeda, "SEEDA-S", values)
    human = seeda.human["SEEDA-S"][seeda.counted]
    for index in range(3):
        counted = values[index, seeda.counted]
        assert found[0, index] == pytest.approx(np.corrcoef(counted, human)[0, 1])
        assert found[1, index] == pytest.approx(stats.spearmanr(counted, human)[0])


def test_equal_scores_have_no_correlation(small_data):
    seeda = corpora.read_seeda(small_data)
    with pytest.raises(ValueError, match="SEEDA-E: the metric's scores are all equal"):
        bench.correlate(seeda, "SEEDA-E", np.ones(15))
    human = {"SEEDA-E": np.ones(15)}
    with pytest.raises(ValueError, match="SEEDA-E: human scores are all equal"):
        bench.correlate(replace(seeda, human=human), "SEEDA-E", np.arange(15))


@pytest.mark.parametrize("scale", [1e-200, 1, 1e200])
def test_correlations_of_scores_of_any_size(scale):
    ours, theirs = np.random.default_rng(2).random((2, 9))
    expected = [stats.pearsonr(ours, theirs)[0], stats.spearmanr(ours, theirs)[0]]
    assert bench.correlations(ours * scale, theirs) == pytest.approx(expected)


def test_equal_scores_name_the_metric(small_bench, tmp_path):
    scores = others.Others({("Mine", "conll14", "corpus"): dict.fromkeys(CONLL_SYSTEMS, 1.0)})
    found = replace(small_bench, others=scores)
    with pytest.raises(ValueError, match=r"^Mine, conll14, corpus: CoNLL: the metric's scores are"):
        found.correlations("Mine", ["CoNLL"])
