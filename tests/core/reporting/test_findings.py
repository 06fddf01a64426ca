"""The numbers of a report equal those of `compare`, `score` and `differences`."""

from dataclasses import replace

import numpy as np
import pytest
from shared import EXAMPLE_REFERENCES, EXAMPLE_SOURCES, EXAMPLES, SYSTEMS, close

from green_gec import compare, differences, score, significance, worst_sentences
from green_gec.api import count_each
from green_gec.corpus import read_edits
from green_gec.inputs import Corpus
from green_gec.options import Options
from green_gec.reporting import findings
from green_gec.reporting.findings import find, settings_by_beta

GOLD = read_edits(EXAMPLES / "references.m2")
CORPUS = Corpus(EXAMPLE_SOURCES, SYSTEMS, EXAMPLE_REFERENCES, GOLD)


def find_in(corpus=CORPUS, metric="green", **options):
    settings = [Options(metric=metric, **{"n_resamples": 100, "paired": "ar", **options})]
    statistics, *at_betas = count_each(corpus, [*settings, *settings_by_beta(settings)])
    return find(statistics, corpus, 0, statistics.results(), at_betas)


@pytest.mark.parametrize("paired", ["ar", "bs"])
def test_pairs_are_those_of_each_baseline(paired):
    found = find_in(paired=paired)
    n_resamples = found.pairs.n_resamples
    assert n_resamples == 240  # enough for a corrected p-value to be small
    options = {"paired": paired, "n_resamples": n_resamples}
    raw = []
    for one, name in enumerate(SYSTEMS):
        table = compare(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, baseline=name, **options)
        for other, row in table.iterrows():
            if other != one:
                difference, p_value, _ = found.pairs.between(other, one)
                assert (difference, p_value) == (row["difference"], row["p_value"])
            raw += [row["p_value"]] * (other > one)
    corrected = significance.holm(np.array(raw))
    above = np.triu_indices(len(SYSTEMS), 1)
    assert found.pairs.holm[above].tolist() == corrected.tolist()
    assert found.pairs.is_better(1, 2)
    assert not found.pairs.is_better(2, 1)


def test_only_the_best_systems_are_paired(monkeypatch):
    monkeypatch.setattr(findings, "MOST_PAIRED", 2)
    monkeypatch.setattr(findings, "MOST_SHOWN", 2)
    found = find_in()
    assert found.order[:2] == [1, 0]
    assert np.argwhere(~np.isnan(found.pairs.holm)).tolist() == [[0, 1], [1, 0]]
    assert list(found.sentences.pairs) == [(1, 0)]
    assert list(found.sentences.systems) == [1, 0]
    found = find_in(replace(CORPUS, systems=dict(reversed(SYSTEMS.items()))))
    assert found.order[:2] == [1, 2]
    assert np.argwhere(~np.isnan(found.pairs.holm)).tolist() == [[1, 2], [2, 1]]
    assert np.argwhere(~np.isnan(found.pairs.p_values)).tolist() == [[1, 2], [2, 1]]


@pytest.mark.parametrize("level", ["corpus", "mean"])
@pytest.mark.parametrize("metric", ["green", "m2"])
def test_curves(metric, level):
    found = find_in(metric=metric, level=level)
    betas = [0.25, 0.5, 1, 2, 4]
    options = {"metrics": [metric], "gold": GOLD, "n_resamples": 0, "level": level}
    every = findings.MARKED if metric == "green" else 1
    assert found.by_beta.labels[::every] == [f"{beta:g}" for beta in betas]
    for beta, values in zip(betas, found.by_beta.values[::every], strict=True):
        assert values.tolist() == close(compare(SYSTEMS, beta=beta, **options)[metric].tolist())


@pytest.mark.parametrize("metric", ["green", "gleu", "bleu", "m2"])
def test_lengths(metric):
    sources = None if metric == "bleu" else EXAMPLE_SOURCES
    found = find_in(replace(CORPUS, sources=sources), metric)
    series = found.by_length
    texts = sources or [references[0] for references in EXAMPLE_REFERENCES]
    lengths = [len(text.split()) for text in texts]
    n_sentences = 0
    for label, values in zip(series.labels, series.values, strict=True):
        low, _, high = label.partition("–")
        taken = [i for i, n in enumerate(lengths) if int(low) <= n <= int(high or low)]
        n_sentences += len(taken)
        given = {"sources": sources and [sources[i] for i in taken]}
        given["references"] = [EXAMPLE_REFERENCES[i] for i in taken]
        if metric == "m2":
            given = {"gold": [GOLD[i] for i in taken]}
        some = {name: [lines[i] for i in taken] for name, lines in SYSTEMS.items()}
        table = compare(some, **given, metrics=[metric], n_resamples=0)
        assert values.tolist() == close(table[metric].tolist())
    assert n_sentences == 60
    assert 2 <= len(series.labels) <= 5


def test_groups_by_length_have_the_same_size():
    sources = [" ".join("a" * n) for n in range(1, 41)]
    corpus = Corpus(sources, {"A": sources}, [[source] for source in sources])
    assert find_in(corpus, paired=None).by_length.labels == [
        "1–10",
        "11–20",
        "21–30",
        "31–40",
    ]


def test_few_sentences_are_not_grouped():
    systems = {name: lines[:19] for name, lines in SYSTEMS.items()}
    few = Corpus(EXAMPLE_SOURCES[:19], systems, EXAMPLE_REFERENCES[:19])
    assert find_in(few).by_length is None


@pytest.mark.parametrize("level", ["corpus", "mean"])
def test_sentences(level):
    found = find_in(level=level)
    names = list(SYSTEMS)
    for (one, other), rows in found.sentences.pairs.items():
        between = [names[one], names[other]]
        expected = differences(
            *(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES), between=between, n=3, level=level
        )
        assert [sentence for sentence, _ in rows] == expected["sentence"].tolist()
        assert [effect for _, effect in rows] == close(expected["contribution"].tolist())
    worst = worst_sentences(SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES, n=3, level=level)
    for system, rows in found.sentences.systems.items():
        expected = worst[worst["system"] == names[system]]
        assert [sentence for sentence, _ in rows] == expected["sentence"].tolist()
        assert [cost for _, cost in rows] == close(expected["cost"].tolist())


def test_names_that_look_alike_stay_apart():
    found = find_in(replace(CORPUS, systems={1: SYSTEMS["bold"], "1": SYSTEMS["broken"]}))
    bold, broken = (
        score(EXAMPLE_SOURCES, SYSTEMS[name], EXAMPLE_REFERENCES)["green"]
        for name in ("bold", "broken")
    )
    assert found.names == ["1", "1"]
    assert found.scores == [bold, broken]
    assert {*found.sentences.systems} == {0, 1}
    assert found.sentences.systems[0] != found.sentences.systems[1]


@pytest.mark.parametrize(
    ("options", "has_fewer"),
    [
        ({"iterations": 51}, True),
        ({"iterations": 50}, False),
        ({"iterations": 51, "level": "mean"}, False),
        ({"iterations": 51, "selection": "max"}, False),
    ],
)
def test_pairs_by_gleu_have_few_draws(options, has_fewer):
    """At the level "mean" and with the best references, nothing is drawn."""
    options = {"metric": "gleu", "n_resamples": 20, **options}
    found = find_in(**options)
    assert found.has_fewer_draws == has_fewer
    one_reference = [texts[:1] for texts in EXAMPLE_REFERENCES]
    assert not find_in(replace(CORPUS, references=one_reference), **options).has_fewer_draws
    if has_fewer:
        fewer = find_in(**{**options, "iterations": findings.MOST_DRAWS})
        p_values, ranks = found.pairs.p_values, found.ranks
        assert p_values == pytest.approx(fewer.pairs.p_values, abs=0.01, nan_ok=True)
        assert (ranks == fewer.ranks).all()


def test_one_system_has_no_pairs():
    found = find_in(replace(CORPUS, systems={"A": SYSTEMS["bold"]}), paired=None)
    assert found.pairs is found.ranks is None
    assert found.sentences.pairs == {}
    assert len(found.sentences.systems[0]) == 3
