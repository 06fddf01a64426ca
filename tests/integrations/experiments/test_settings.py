"""The best setting of GREEN."""

import numpy as np
import pytest
from scipy import stats
from shared import ROOT

from experiments import bench, metrics, settings
from experiments.bench import JUDGMENTS


def test_settings(small_bench):
    found = settings.settings(small_bench)
    assert found.judgments == list(JUDGMENTS)
    assert found.cells.shape == (9, 5, 2)
    names = list(settings.SETTINGS)
    for name, metric, options in (
        ("words, corpus", "wordGREEN", {}),
        ("characters, mean, stripped", "charGREEN", {"level": "mean", "strip": True}),
    ):
        values = metrics.system_scores(small_bench.corpora["gmeg-fce"], metric, **options)
        expected = bench.correlate(small_bench.corpora["gmeg-fce"], "FCE", values)
        assert found.cells[names.index(name), 3] == pytest.approx(expected)
    assert found.agreement[0] == pytest.approx(found.cells[0].mean())
    assert found.n_systems == 4 + 12 + 7
    lead = found.agreement - found.agreement[0]
    assert ((found.leads[:, 0] <= lead) & (lead <= found.leads[:, 1])).all()
    assert found.leads[names.index(settings.DEFAULT)].tolist() == [0, 0]


def test_resampled_correlations(small_bench):
    """The first draw, by scipy: both judgments of SEEDA see the same systems."""
    folder, corpus = "seeda", small_bench.corpora["seeda"]
    scores = {folder: np.random.default_rng(1).random((3, len(corpus.systems)))}
    found = settings._resample(small_bench, ["SEEDA-S", "SEEDA-E"], scores)
    drawn = np.random.default_rng(settings.SEED).choice(
        np.flatnonzero(corpus.counted), (settings.N_RESAMPLES, 12)
    )[0]
    for index, human in enumerate(corpus.human.values()):
        ours, theirs = scores[folder][2, drawn], human[drawn]
        expected = [stats.pearsonr(ours, theirs)[0], stats.spearmanr(ours, theirs)[0]]
        assert found[0, 2, index] == pytest.approx(expected)


def test_a_corpus_is_held_out():
    """Setting 1 is best on CoNLL, 2 on all others together, so CoNLL gets 2."""
    cells = np.zeros((9, 5, 2))
    cells[1, 0] = 0.9
    cells[2, 0], cells[2, 1:] = 0.4, 0.8
    found = settings._hold_out("conll14", list(JUDGMENTS), cells, default=0)
    names = list(settings.SETTINGS)
    assert (found.chosen, found.best) == (names[2], names[1])
    assert (found.agreement, found.default, found.best_agreement) == pytest.approx((0.4, 0, 0.9))


def test_the_documented_settings(public):
    """The table of docs/choosing.md: r and ρ, averaged, of the default and of the best setting."""
    found = settings.settings(public)
    names = list(settings.SETTINGS)
    best = names[found.agreement.argmax()]
    assert best == "characters, mean, stripped"
    page = (ROOT / "docs" / "choosing.md").read_text("utf-8")
    for name in (settings.DEFAULT, best):
        means = found.cells[names.index(name)].mean(axis=-1)
        cells = (*means, found.agreement[names.index(name)])
        assert " | ".join(f"{value:.3f}" for value in cells) in page
    assert {each.chosen for each in found.held_out} == {"characters, mean", best}
