"""Error types: gold edits that were found, by type; their sums are the score's counts."""

from statistics import NormalDist

import numpy as np
import pytest
from shared import EXAMPLES

from green_gec import compare, error_types
from green_gec.corpus import Annotated, Edit, read_lines
from green_gec.edits import types

GOLD = EXAMPLES / "references.m2"
SYSTEMS = {name: read_lines(EXAMPLES / f"{name}.txt") for name in ("careful", "bold", "broken")}


def edit(start, stop, words, kind):
    return Edit(start, stop, (tuple(words.split()),), kind)


def test_a_worked_example():
    """Two annotators; the system agrees with the second one, but for the type M:DET."""
    first = [edit(0, 1, "Those", "R:DET")]
    second = [
        edit(1, 2, "cats", "R:NOUN:NUM"),
        edit(2, 2, "are", "M:VERB"),
        edit(3, 3, "the", "M:DET"),
    ]
    gold = [Annotated(["These", "cat", "at", "home"], {0: first, 1: second})]
    table = error_types({"ours": ["These cats are at home"]}, gold)
    rows = table[["type", "edits", "gold", "correct"]].values.tolist()
    assert rows == [
        ["M:DET", 1, 1, 0],
        ["M:VERB", 1, 1, 1],
        ["R:DET", 1, 0, 0],
        ["R:NOUN:NUM", 1, 1, 1],
    ]
    assert np.isnan(table["recall"][2])
    assert np.isnan(table["low"][2])
    by_operation = error_types({"ours": ["These cats are at home"]}, gold, tier=1)
    assert by_operation[["type", "gold", "correct"]].values.tolist() == [["M", 2, 1], ["R", 1, 1]]
    by_main_type = error_types({"ours": ["These cats are at home"]}, gold, tier=2)
    assert by_main_type["type"].tolist() == ["DET", "NOUN:NUM", "VERB"]


@pytest.mark.parametrize(
    "options", [{}, {"beta": 2.0}, {"max_unchanged_words": 0}, {"ignore_case": True}]
)
def test_types_add_up_to_the_score(options):
    table = error_types(SYSTEMS, GOLD, **options)
    scored = compare(SYSTEMS, metrics=["m2"], gold=GOLD, n_resamples=0, detailed=True, **options)
    sums = table.groupby("system", sort=False)[["correct", "gold"]].sum()
    assert sums.values.tolist() == scored[["correct", "gold"]].values.tolist()
    n_edits = table[table["system"] == "bold"]["edits"].tolist()
    assert n_edits == sorted(n_edits, reverse=True)


def test_the_interval_is_wilsons():
    """Its bounds are the proportions that a test of the observed one just does not reject."""
    for correct, gold, level in ((0, 20, 0.95), (3, 20, 0.95), (7, 7, 0.9), (500, 1234, 0.99)):
        low, high = types._interval(np.array([correct]), np.array([gold]), level)
        z = NormalDist().inv_cdf((1 + level) / 2)
        for bound in (low[0], high[0]):
            distance = (correct / gold - bound) ** 2
            assert distance == pytest.approx(z**2 * bound * (1 - bound) / gold, abs=1e-12)
        assert (low[0] == 0) == (correct == 0)
        assert low[0] - 1e-12 <= correct / gold <= high[0] + 1e-12


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metric": "green"}, "metric must be 'm2' or 'errant', not 'green'"),
        ({"tier": 0}, "tier must be a whole number from 1 to 3, not 0"),
        ({"beta": [1, 2]}, "beta must be one number here, not"),
        ({"tokenizer": "char"}, "m2 has no option 'tokenizer'"),
        ({"level": "mean"}, "m2 has no option 'level'"),
        (
            {"gold": [Annotated(["a"], {0: [edit(0, 1, "b", "Nn")]})], "tier": 1},
            "'Nn' is not one of",
        ),
    ],
)
def test_what_is_refused(arguments, message):
    given = {"systems": {"ours": ["a"]}, "gold": [Annotated(["a"], {0: []})], **arguments}
    with pytest.raises(ValueError, match=message):
        error_types(**given)
