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
from green_gec.reporting import analysis as analysis_module
from green_gec.reporting.analysis import analyse

TEXTS = (SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES)
GOLD = read_edits(EXAMPLES / "references.m2")
CORPUS = Corpus(EXAMPLE_SOURCES, SYSTEMS, EXAMPLE_REFERENCES, {"m2": GOLD})


def analyse_corpus(corpus=CORPUS, metric="green", **options):
    settings = Options(metric=metric, **{"n_resamples": 100, "paired": "ar", **options})
    (statistics,) = count_each(corpus, [settings])
    return analyse(statistics, corpus, baseline=0)


@pytest.mark.parametrize("paired", ["ar", "bs"])
def test_pairs_are_those_of_each_baseline(paired):
    """Rows and columns are in the order of the scores."""
    pairs = analyse_corpus(paired=paired).pairs
    assert pairs.n_resamples == 240  # enough for a corrected p-value to be small
    options = {"paired": paired, "n_resamples": pairs.n_resamples}
    best_first, raw, corrected = ["bold", "careful", "broken"], [], []
    for column, name in enumerate(best_first):
        table = compare(*TEXTS, baseline=name, **options).set_index("system")
        for row, other in enumerate(best_first):
            if other != name:
                difference, p_value, holm = pairs.between(row, column)
                expected = table.loc[other]
                assert (difference, p_value) == (expected["difference"], expected["p_value"])
            if row < column:
                raw.append(p_value)
                corrected.append(holm)
    assert corrected == significance.holm(np.array(raw)).tolist()
    assert pairs.is_better(1, 2)
    assert not pairs.is_better(2, 1)


@pytest.mark.parametrize("systems", [SYSTEMS, dict(reversed(SYSTEMS.items()))])
def test_only_the_best_systems_are_paired(monkeypatch, systems):
    monkeypatch.setattr(analysis_module, "MOST_PAIRED", 2)
    analysis = analyse_corpus(replace(CORPUS, systems=systems))
    assert [analysis.names[index] for index in analysis.order] == ["bold", "careful", "broken"]
    assert analysis.pairs.figures.shape == (3, 2, 2)
    bold, careful = (
        score(EXAMPLE_SOURCES, SYSTEMS[name], EXAMPLE_REFERENCES)["green"]
        for name in ("bold", "careful")
    )
    assert analysis.pairs.between(0, 1)[0] == bold - careful


def test_only_the_best_systems_have_sentences(monkeypatch):
    monkeypatch.setattr(analysis_module, "_MOST_WITH_SENTENCES", 2)
    sentences = analyse_corpus().sentences
    assert list(sentences.pairs) == [(1, 0)]
    assert list(sentences.systems) == [1, 0]


@pytest.mark.parametrize("level", ["corpus", "mean"])
@pytest.mark.parametrize("metric", ["green", "m2"])
def test_curves(metric, level):
    series = analyse_corpus(metric=metric, level=level).by_beta
    betas = [0.25, 0.5, 1, 2, 4]
    assert series.labels[::2] == [f"{beta:g}" for beta in betas]
    assert series.line == (0.75 if metric == "green" else 0.25)  # β is 2 or 0.5
    for beta, values in zip(betas, series.values[::2], strict=True):
        table = compare(SYSTEMS, gold=GOLD, metrics=[metric], beta=beta, level=level, n_resamples=0)
        assert values.tolist() == close(table[metric].tolist())


def test_a_beta_beyond_the_axis_has_no_line():
    assert analyse_corpus(beta=8.0).by_beta.line is None


@pytest.mark.parametrize("metric", ["green", "gleu", "bleu", "m2"])
def test_lengths(metric):
    sources = None if metric == "bleu" else EXAMPLE_SOURCES
    series = analyse_corpus(replace(CORPUS, sources=sources), metric).by_length
    texts = sources or [references[0] for references in EXAMPLE_REFERENCES]
    lengths = [len(text.split()) for text in texts]
    n_sentences = 0
    for label, values in zip(series.labels, series.values, strict=True):
        low, _, high = label.partition("–")
        group = [i for i, n in enumerate(lengths) if int(low) <= n <= int(high or low)]
        n_sentences += len(group)
        systems = {name: [lines[i] for i in group] for name, lines in SYSTEMS.items()}
        texts_of_group = {"sources": sources and [sources[i] for i in group]}
        texts_of_group["references"] = [EXAMPLE_REFERENCES[i] for i in group]
        if metric == "m2":
            texts_of_group = {"gold": [GOLD[i] for i in group]}
        table = compare(systems, **texts_of_group, metrics=[metric], n_resamples=0)
        assert values.tolist() == close(table[metric].tolist())
    assert n_sentences == 60
    assert 2 <= len(series.labels) <= 5


def test_groups_by_length_have_the_same_size():
    sources = [" ".join("a" * n) for n in range(1, 41)]
    corpus = Corpus(sources, {"A": sources}, [[source] for source in sources])
    series = analyse_corpus(corpus, paired=None).by_length
    assert series.labels == ["1–10", "11–20", "21–30", "31–40"]
    assert series.title == "words in the source"


def test_few_sentences_are_not_grouped():
    systems = {name: lines[:19] for name, lines in SYSTEMS.items()}
    few = Corpus(EXAMPLE_SOURCES[:19], systems, EXAMPLE_REFERENCES[:19])
    assert analyse_corpus(few).by_length is None


@pytest.mark.parametrize("level", ["corpus", "mean"])
def test_sentences(level):
    pairs, systems = analyse_corpus(level=level).sentences
    names = list(SYSTEMS)
    for (one, other), rows in pairs.items():
        between = [names[one], names[other]]
        expected = differences(*TEXTS, between=between, n=3, level=level)
        assert [sentence for sentence, _ in rows] == expected["sentence"].tolist()
        assert [effect for _, effect in rows] == close(expected["contribution"].tolist())
    worst = worst_sentences(*TEXTS, n=3, level=level)
    for system, rows in systems.items():
        expected = worst[worst["system"] == names[system]]
        assert [sentence for sentence, _ in rows] == expected["sentence"].tolist()
        assert [cost for _, cost in rows] == close(expected["cost"].tolist())


def test_names_that_look_alike_stay_apart():
    systems = {1: SYSTEMS["bold"], "1": SYSTEMS["broken"]}
    analysis = analyse_corpus(replace(CORPUS, systems=systems))
    assert analysis.names == ["1", "1"]
    assert analysis.scores == [
        score(EXAMPLE_SOURCES, lines, EXAMPLE_REFERENCES)["green"] for lines in systems.values()
    ]
    assert {*analysis.sentences.systems} == {0, 1}
    assert analysis.sentences.systems[0] != analysis.sentences.systems[1]


def test_pairs_and_ranks_by_gleu_have_few_draws():
    options = {"metric": "gleu", "n_resamples": 20}
    analysis = analyse_corpus(**options, iterations=analysis_module.MOST_DRAWS + 1)
    fewer = analyse_corpus(**options, iterations=analysis_module.MOST_DRAWS)
    _, p_values, _ = analysis.pairs.figures
    assert p_values == pytest.approx(fewer.pairs.figures[1], abs=0.01, nan_ok=True)
    assert (analysis.ranks == fewer.ranks).all()


def test_one_system_has_no_pairs():
    analysis = analyse_corpus(replace(CORPUS, systems={"A": SYSTEMS["bold"]}), paired=None)
    assert analysis.pairs is analysis.ranks is None
    assert analysis.sentences.pairs == {}
    assert len(analysis.sentences.systems[0]) == 3
