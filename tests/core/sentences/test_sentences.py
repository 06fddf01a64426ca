"""Sentences that matter: against scores of the corpus with one sentence replaced."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import (
    EXAMPLE_REFERENCES,
    EXAMPLE_SOURCES,
    EXAMPLES,
    FEW_EXAMPLES,
    PREDICTIONS,
    REFERENCES,
    SOURCES,
    SYSTEMS,
    WITHOUT_SOURCES,
    corpora,
    run_doctests,
)

from green_gec import compare, differences, explain, score, sentences, worst_sentences
from green_gec.corpus import read_edits

GOLD = EXAMPLES / "references.m2"
EXAMPLE = (SYSTEMS, EXAMPLE_SOURCES, EXAMPLE_REFERENCES)
# All ways in which statistics add up.
WAYS = [
    ("green", {}),
    ("green", {"level": "mean"}),
    ("green", {"level": "mean", "selection": "mean"}),
    ("green", {"tokenizer": "char", "beta": 0.5, "effective_order": True, "strip": True}),
    ("gleu", {"iterations": 7}),
    ("gleu", {"selection": "max", "formula": "paper"}),
    ("gleu", {"level": "mean"}),
    ("bleu", {}),
    ("bleu", {"level": "mean"}),
    ("rouge", {}),
    ("f1", {}),
]
BY_WAY = pytest.mark.parametrize(("metric", "options"), WAYS)


@st.composite
def corpora_of_two(draw):
    texts = draw(corpora())
    one = texts.pop("predictions")
    lists = zip(one, texts["sources"], texts["references"], strict=True)
    other = [draw(st.sampled_from([text, source, *refs])) for text, source, refs in lists]
    return {"A": one, "B": other}, texts


def scorer(metric, texts, options):
    """The score of a corpus, by the function for users."""
    needed = {
        name: value
        for name, value in texts.items()
        if name != "sources" or metric not in WITHOUT_SOURCES
    }
    return needed, lambda corrected: score(
        metric=metric, predictions=corrected, **needed, **options
    )[metric]


def replaced(texts, index, by):
    return [*texts[:index], by, *texts[index + 1 :]]


@BY_WAY
@FEW_EXAMPLES
@given(corpus=corpora_of_two(), max_order=st.integers(1, 3))
def test_contributions_are_those_of_swapped_sentences(metric, options, corpus, max_order):
    systems, texts = corpus
    options = {**options, "max_order": max_order}
    needed, score_of = scorer(metric, texts, options)
    one, other = systems.values()
    difference, expected = score_of(one) - score_of(other), {}
    for index in range(len(one)):
        swapped = score_of(replaced(one, index, other[index]))
        swapped -= score_of(replaced(other, index, one[index]))
        expected[index] = (difference - swapped) / 2
    table = differences(systems, **needed, metric=metric, n=None, **options)
    found = dict(zip(table["sentence"], table["contribution"], strict=True))
    for index, contribution in expected.items():
        assert found.get(index, 0) == pytest.approx(contribution, rel=0, abs=1e-12)
    assert np.abs(table["contribution"]).is_monotonic_decreasing
    if options.get("level") == "mean" or metric == "rouge":
        assert sum(found.values()) == pytest.approx(difference, rel=0, abs=1e-11)
    other_way = differences(systems, **needed, metric=metric, between=["B", "A"], n=None, **options)
    assert other_way["sentence"].tolist() == table["sentence"].tolist()
    assert (other_way["contribution"] == -table["contribution"]).all()


@BY_WAY
@FEW_EXAMPLES
@given(corpus=corpora_of_two(), max_order=st.integers(1, 3))
def test_costs_are_those_of_the_best_reference(metric, options, corpus, max_order):
    systems, texts = corpus
    options = {**options, "max_order": max_order}
    needed, score_of = scorer(metric, texts, options)
    table = worst_sentences(systems, **needed, metric=metric, n=None, **options)
    for name, corrected in systems.items():
        rows = table[table["system"] == name]
        found = dict(zip(rows["sentence"], rows["cost"], strict=True))
        assert rows["cost"].is_monotonic_decreasing
        for index, references in enumerate(texts["references"]):
            best = max(score_of(replaced(corrected, index, text)) for text in references)
            cost = max(best - score_of(corrected), 0)
            assert found.get(index, 0) == pytest.approx(cost, rel=0, abs=1e-12)


def test_short_sentences_matter_less_than_their_scores_say():
    """A sentence of four words has the largest difference of scores, a longer one matters more."""
    references = ["He goes home .", "She has lived in the old house by the river for years ."]
    short = ["He go home .", references[1]]
    long = [references[0], "She live in the old house by the river for years ."]
    sources = ["He go home .", "She live in old house at the river since years ."]
    table = differences({"short": short, "long": long}, sources, references)
    assert table["sentence"].tolist() == [1, 0]
    scores = table[["green_short", "green_long"]].to_numpy()
    assert np.ptp(scores, axis=1).argmax() == 1
    assert table["contribution"][0] > 0 > table["contribution"][1]


def test_a_table_of_differences():
    table = differences(*EXAMPLE, between=("bold", "careful"), n=5)
    assert list(table) == [
        *("sentence", "contribution", "green_bold", "green_careful", "source"),
        *("prediction_bold", "prediction_careful", "references"),
    ]
    assert len(table) == 5
    scores = compare(*EXAMPLE, level="sentence").pivot(
        index="sentence", columns="system", values="green"
    )
    for row in table.to_dict("records"):
        index = row["sentence"]
        assert row["source"] == EXAMPLE_SOURCES[index]
        assert row["references"] == EXAMPLE_REFERENCES[index]
        for name in ("bold", "careful"):
            assert row[f"prediction_{name}"] == SYSTEMS[name][index]
            assert row[f"green_{name}"] == scores[name][index]
        explained = explain(row["source"], row["prediction_bold"], row["references"])
        assert explained.result["green"] == row["green_bold"]
    everything = differences(*EXAMPLE, between=("bold", "careful"), n=None)
    assert everything[:5].equals(table)
    (difference,) = -np.diff(compare(*EXAMPLE, n_resamples=0)["green"][:2])
    assert everything["contribution"].sum() == pytest.approx(-difference, rel=0.05)


def test_a_table_of_worst_sentences():
    table = worst_sentences(*EXAMPLE, n=3)
    assert list(table) == [
        *("system", "sentence", "cost", "green", "source", "prediction", "references"),
    ]
    assert table["system"].tolist() == [name for name in SYSTEMS for _ in range(3)]
    first = table.iloc[0]
    assert first["prediction"] == SYSTEMS["careful"][first["sentence"]]
    perfect = worst_sentences({"a": [some[0] for some in REFERENCES]}, SOURCES, REFERENCES)
    assert perfect.empty


def test_the_first_sentences_come_first_on_a_tie():
    sources, references = ["He go home ."] * 5, ["He goes home ."] * 5
    worst = worst_sentences({"nothing": sources}, sources, references, n=3)
    assert worst["sentence"].tolist() == [0, 1, 2]
    table = differences({"nothing": sources, "all": references}, sources, references, n=3)
    assert table["sentence"].tolist() == [0, 1, 2]


def test_without_sources_and_without_differences():
    pair = {"A": PREDICTIONS, "B": PREDICTIONS}
    table = differences(pair, references=REFERENCES, metric="bleu")
    assert table.empty
    assert list(table) == [
        *("sentence", "contribution", "bleu_A", "bleu_B", "prediction_A", "prediction_B"),
        "references",
    ]


def test_documented_figures(conll14):
    """Lengths in words, and shares of all contributions, on the page about sentences."""
    sources, references, read = conll14
    systems = {name: read(name) for name in ("AMU", "CAMB")}
    table = differences(systems, sources, references, n=None)
    n_words = table["source"].str.split().str.len()
    sizes = np.abs(table["contribution"])
    by_scores = np.argsort(-np.abs(table["green_AMU"] - table["green_CAMB"]))[:10]
    assert round(np.mean([len(source.split()) for source in sources])) == 23
    assert [round(n_words.iloc[by_scores].mean()), n_words[:10].mean()] == [7, 25.5]
    shares = [sizes.iloc[rows].sum() / sizes.sum() for rows in (by_scores, slice(10))]
    assert [round(100 * share) for share in shares] == [1, 4]
    (difference,) = compare(systems, sources, references)["difference"].dropna()
    assert -table["contribution"].sum() == pytest.approx(difference, rel=1e-3)


# Scores of edits


@pytest.mark.parametrize("metric", ["m2", "errant"])
def test_edits(metric):
    systems = {"none": EXAMPLE_SOURCES, "all": [some[0] for some in EXAMPLE_REFERENCES]}
    if metric == "errant":
        gold = read_edits(GOLD)
        edits = [[sentence.edits[0], []] for sentence in gold]
        systems = {
            name: [
                sentence._replace(edits={0: some[which]})
                for sentence, some in zip(gold, edits, strict=True)
            ]
            for which, name in ((1, "none"), (0, "all"))
        }
    table = differences(systems, metric=metric, gold=GOLD, n=None, level="mean")
    scored = compare(systems, metric=metric, gold=GOLD, n_resamples=0, level="mean")[metric]
    assert table["contribution"].sum() == pytest.approx(scored[0] - scored[1])
    at_once = differences(systems, metric=metric, gold=GOLD, n=None)
    assert (at_once["contribution"] < 0).all()
    worst = worst_sentences(systems, metric=metric, gold=GOLD)
    assert set(worst["system"]) == {"none"}
    assert len(worst) == 10


def test_contributions_of_edits_are_exact_with_one_annotator():
    gold = [sentence._replace(edits={0: sentence.edits[0]}) for sentence in read_edits(GOLD)]
    pair = {name: SYSTEMS[name] for name in ("careful", "bold")}
    table = differences(pair, metric="m2", gold=gold, n=5)
    worst = worst_sentences(pair, metric="m2", gold=gold, n=1)

    def score_of(corrected):
        return compare({"a": corrected}, metric="m2", gold=gold, n_resamples=0)["m2"][0]

    one, other = pair.values()
    difference = score_of(one) - score_of(other)
    for index, found in zip(table["sentence"], table["contribution"], strict=True):
        swapped = score_of(replaced(one, index, other[index]))
        swapped -= score_of(replaced(other, index, one[index]))
        assert found == pytest.approx((difference - swapped) / 2, rel=0, abs=1e-12)
    for name, index, cost in zip(*(worst[key] for key in list(worst)[:3]), strict=True):
        (best,) = gold[index].references
        gain = score_of(replaced(pair[name], index, best)) - score_of(pair[name])
        assert cost == pytest.approx(gain, rel=0, abs=1e-12)


# What is refused


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"between": ("bold", "best")}, ValueError, r"must be two of the systems, \['careful', 'b"),
        ({"between": ("bold", "bold")}, ValueError, r"two of the systems.*not \('bold', 'bold'\)"),
        ({"between": "bold"}, ValueError, r"between must be two of the systems.*not 'bold'"),
        ({"between": ("bold",)}, ValueError, r"two of the systems.*not \('bold',\)"),
        ({"between": None}, ValueError, r"between must be two of the systems.*not None"),
        (
            {"systems": {"bold": SYSTEMS["bold"]}},
            ValueError,
            r"a difference is between two systems, but systems has \['bold'\] only",
        ),
        ({"systems": [PREDICTIONS]}, TypeError, "systems must be a dictionary of names and texts"),
        ({"n": 0}, ValueError, "n must be a whole number of at least 1, not 0"),
        ({"n": -3}, ValueError, "n must be a whole number of at least 1, not -3"),
        ({"beta": [1, 2]}, ValueError, r"beta must be one number here, not \(1.0, 2.0\)"),
        ({"level": "sentence"}, ValueError, "level must be 'corpus' or 'mean', not 'sentence'"),
        ({"selection": "mean"}, ValueError, "so it needs level='mean'"),
        ({"n_resamples": 5}, ValueError, "green has no option 'n_resamples'"),
        ({"metric": "m2"}, ValueError, "gold edits of m2 are missing"),
        ({"references": None}, ValueError, "references are missing"),
        ({"metric": "bleu"}, ValueError, "bleu takes no sources"),
    ],
)
def test_what_is_refused(arguments, error, message):
    usual = {"systems": SYSTEMS, "sources": EXAMPLE_SOURCES, "references": EXAMPLE_REFERENCES}
    with pytest.raises(error, match=message):
        differences(**{**usual, "between": ("bold", "careful"), **arguments})
    if not {"between", "systems"} & set(arguments):
        with pytest.raises(error, match=message):
            worst_sentences(**{**usual, **arguments})


@pytest.mark.parametrize("function", [differences, worst_sentences])
def test_docstrings(function):
    run_doctests(function.__doc__, function.__name__)


def test_references_as_systems():
    assert sentences._to_systems([["a"], ["b", "c", "d"], ["e", "f"]]) == [
        *(["a", "b", "e"], ["a", "c", "f"], ["a", "d", "f"]),
    ]
