"""What the papers do not print."""

import random
from dataclasses import replace

import numpy as np
import pytest
from small_corpora import TEXTS

from experiments import bench, corpora, figures, measure, metrics, report


def test_stripped_texts(small_data):
    conll = corpora.read_conll14(small_data)
    spaced = {name: list(texts) for name, texts in conll.systems.items()}
    spaced["CAMB"] = [f"{text} " for text in spaced["CAMB"]]
    spaced["AMU"][3] += " "
    found = measure.stripped(bench.Bench({"conll14": replace(conll, systems=spaced)}))
    assert list(found.gains) == ["CAMB"]
    with_spaces = metrics.system_scores(replace(conll, systems=spaced), "charGREEN")
    expected = metrics.system_scores(conll, "charGREEN")
    assert found.gains["CAMB"] == pytest.approx(expected[1] - with_spaces[1])
    assert found.gains["CAMB"] > 0
    for way, values in (("as they are", with_spaces), ("stripped", expected)):
        cells = bench.correlate(conll, "CoNLL", values)
        assert found.rows["charGREEN", "corpus level", way][:2] == pytest.approx(cells)


def test_single_references(small_data):
    conll = corpora.read_conll14(small_data)
    rows = measure.single_references(bench.Bench({"conll14": conll}))
    for way, name in (("the first only", "reference0"), ("the second only", "reference1")):
        listed = replace(conll, references=[[text] for text in TEXTS[name]])
        expected = bench.correlate(conll, "CoNLL", metrics.system_scores(listed, "wordGREEN"))
        assert rows["wordGREEN", "corpus level", way][:2] == pytest.approx(expected)


def test_the_mean_loss_with_a_single_reference():
    both, one = [0.9, 0.5, *[np.nan] * 4], [0.7, 0.8, *[np.nan] * 4]
    rows = {("wordGREEN", "corpus level", way): both for way in ("both", "the first only")}
    rows["wordGREEN", "corpus level", "the second only"] = one
    assert report.single(rows)["mean_lost"] == pytest.approx(0.1)  # in r, not in ρ


def test_drawn_references_are_those_of_the_original_implementation():
    second = np.zeros(40)
    for i in range(500):
        random.seed(i * 101, version=1)
        second += [int(random.random() * 2) for _ in range(40)]
    assert measure.drawn_shares(40)[:, 1] == pytest.approx(second / 500)


def test_stability(small_data):
    found = measure.stability(corpora.read_conll14(small_data))
    assert found.names == ["AMU", "CAMB", "INPUT", "IPN"]
    assert found.rank_probability.sum(axis=0) == pytest.approx(np.ones(4))
    assert found.rank_probability.argmax(axis=1).tolist() == [0, 1, 2, 3]
    assert (found.intervals[:, 0] < found.scores).all()
    assert (found.scores < found.intervals[:, 1]).all()
    assert found.differ[0, 3]
    assert (found.differ == found.differ.T).all()
    assert figures.pair_kind(found, 0, 3) == "significant, people agree"
    swapped = found._replace(human=found.human[::-1])
    assert figures.pair_kind(swapped, 0, 3) == "significant, people disagree"
    assert report.stability(found)["n_agree"] > report.stability(swapped)["n_agree"]


def test_fluency(small_bench):
    """Systems that do not count are included step by step."""
    rows = measure.fluency(small_bench)
    seeda = small_bench.corpora["seeda"]
    row = next(row for row in rows if (row.metric, row.level) == ("charGLEU", "sentence level"))
    values = metrics.system_scores(seeda, "charGLEU", "mean")
    for index, left_out in enumerate((corpora.SEEDA_LEFT_OUT, ("INPUT",), ())):
        counted = [name not in left_out for name in seeda.systems]
        expected = np.corrcoef(values[counted], seeda.human["SEEDA-E"][counted])[0, 1]
        assert sum(counted) == measure.FLUENCY[index]
        assert row.r["SEEDA-E"][index] == pytest.approx(expected)
    assert {row.metric for row in rows} == set(metrics.METRICS)
