"""`green_gec.compare`: several systems in one table, and whether they differ."""

import math

import numpy as np
import pytest
from conftest import ROOT

from green_gec import compare, score
from green_gec.corpus import read_lines, read_m2

EXAMPLES = ROOT / "examples"
SOURCES, REFERENCES = read_m2(EXAMPLES / "references.m2")
SYSTEMS = {name: read_lines(EXAMPLES / f"{name}.txt") for name in ("careful", "bold", "broken")}


def test_rows_are_systems():
    table = compare(SYSTEMS, SOURCES, REFERENCES)
    assert list(table.columns) == [
        *("system", "beta", "green", "precision", "recall", "low", "high", "difference", "p_value")
    ]
    assert table["system"].tolist() == list(SYSTEMS)
    assert table["beta"].tolist() == [2.0] * 3


@pytest.mark.parametrize("level", ["corpus", "mean"])
@pytest.mark.parametrize("tokenizer", ["word", "char"])
@pytest.mark.filterwarnings("ignore:.*strip=True")
def test_scores_and_intervals_are_those_of_score(level, tokenizer):
    options = {"level": level, "tokenizer": tokenizer, "beta": [1, 2], "n_resamples": 200}
    table = compare(SYSTEMS, SOURCES, REFERENCES, **options)
    for name, texts in SYSTEMS.items():
        alone = score(SOURCES, texts, REFERENCES, **options)
        rows = table[table["system"] == name]
        for column in ("green", "precision", "recall"):
            assert rows[column].tolist() == pytest.approx(alone[column], abs=1e-12)
        intervals = rows[["low", "high"]].to_numpy()
        np.testing.assert_allclose(intervals, alone["confidence_interval"], atol=1e-12)


def test_differences_are_from_the_baseline():
    table = compare(SYSTEMS, SOURCES, REFERENCES, baseline="bold").set_index("system")
    assert math.isnan(table.loc["bold", "difference"])
    assert math.isnan(table.loc["bold", "p_value"])
    green = table["green"]
    for name in ("careful", "broken"):
        assert table.loc[name, "difference"] == pytest.approx(green[name] - green["bold"])
    first = compare(SYSTEMS, SOURCES, REFERENCES)
    assert math.isnan(first.loc[0, "p_value"])
    assert not first.loc[1:, "p_value"].isna().any()


@pytest.mark.parametrize("paired", ["bs", "ar"])
@pytest.mark.parametrize("level", ["corpus", "mean"])
def test_what_is_significant(paired, level):
    systems = {**SYSTEMS, "careful again": list(SYSTEMS["careful"])}
    options = {"paired": paired, "level": level, "beta": [0.5, 2.0]}
    table = compare(systems, SOURCES, REFERENCES, **options).set_index("system")
    assert (table.loc["careful again", "p_value"] == 1).all()
    assert (table.loc["careful again", "difference"] == 0).all()
    assert (table.loc["broken", "p_value"] < 0.01).all()


@pytest.mark.parametrize("paired", ["bs", "ar"])
def test_p_values_are_those_of_resampled_texts(paired):
    """Score the resampled or swapped sentences themselves, slowly, with plain lists."""
    rng = np.random.default_rng(3)
    n = len(SOURCES)
    # Two systems that are much alike, so that p is neither large nor small; the baseline second.
    half = n // 2
    first = SYSTEMS["careful"][:half] + SYSTEMS["bold"][half:]
    second = SYSTEMS["bold"][:half] + SYSTEMS["careful"][half:]

    def green(texts, drawn=range(n)):
        columns = (SOURCES, texts, REFERENCES)
        return score(*([column[index] for index in drawn] for column in columns))["green"]

    observed, sizes = abs(green(second) - green(first)), []
    for _ in range(400):
        if paired == "bs":
            drawn = rng.integers(n, size=n)
            sizes.append(abs(green(second, drawn) - green(first, drawn)))
        else:
            swapped = rng.integers(2, size=n)
            pairs = zip(first, second, swapped, strict=True)
            a, b = zip(*((y, x) if swap else (x, y) for x, y, swap in pairs), strict=True)
            sizes.append(abs(green(b) - green(a)))
    if paired == "bs":
        sizes = np.array(sizes) - np.mean(sizes)
    expected = np.mean(np.array(sizes) >= observed)
    assert 0.1 < expected < 0.9
    systems = {"other": SYSTEMS["broken"], "first": first, "second": second}
    options = {"paired": paired, "baseline": "first", "n_resamples": 4000}
    p_value = compare(systems, SOURCES, REFERENCES, **options)["p_value"][2]
    error = math.sqrt(expected * (1 - expected) * (1 / 400 + 1 / 4000))
    assert p_value == pytest.approx(expected, abs=5 * error)


def test_the_seed_decides():
    def intervals(seed):
        table = compare(SYSTEMS, SOURCES, REFERENCES, n_resamples=50, seed=seed)
        return table[["low", "high"]].to_numpy().tolist()

    assert intervals(1) == intervals(1) != intervals(2)


def test_without_resamples():
    table = compare(SYSTEMS, SOURCES, REFERENCES, n_resamples=0)
    assert list(table.columns) == ["system", "beta", "green", "precision", "recall"]


def test_without_a_test():
    table = compare(SYSTEMS, SOURCES, REFERENCES, paired=None)
    assert "high" in table.columns
    assert "p_value" not in table.columns


def test_sentences():
    table = compare(SYSTEMS, SOURCES, REFERENCES, level="sentence", beta=[1, 2])
    assert list(table.columns) == ["system", "beta", "sentence", "green", "precision", "recall"]
    assert len(table) == 3 * 2 * len(SOURCES)
    alone = score(SOURCES, SYSTEMS["bold"], REFERENCES, level="sentence")["green"]
    rows = table[(table["system"] == "bold") & (table["beta"] == 2)]
    assert rows["sentence"].tolist() == list(range(len(SOURCES)))
    assert rows["green"].tolist() == alone


def test_details():
    table = compare(SYSTEMS, SOURCES, REFERENCES, detailed=True)
    alone = score(SOURCES, SYSTEMS["broken"], REFERENCES, detailed=True)
    for name in ("precisions", "recalls", "true_keep", "under_insert"):
        assert table[name][2] == alone[name]


def test_systems_may_have_any_name():
    systems = dict(zip(("sources", "references", "predictions"), SYSTEMS.values(), strict=True))
    renamed = compare(systems, SOURCES, REFERENCES, n_resamples=0)
    assert renamed["green"].tolist() == compare(SYSTEMS, SOURCES, REFERENCES)["green"].tolist()


@pytest.mark.parametrize(
    ("systems", "options", "kind", "message"),
    [
        ({}, {}, ValueError, "no systems"),
        ([["a"]], {}, TypeError, "systems must be a dictionary"),
        ({"A": SOURCES[:5]}, {}, ValueError, r"60 sources, 5 systems\['A'\], 60 references"),
        ({"A": [None] * 60}, {}, TypeError, r"systems\['A'\]\[0\] must be a string"),
        (SYSTEMS, {"baseline": "best"}, ValueError, "baseline must be one of the systems"),
        (SYSTEMS, {"paired": "t"}, ValueError, "paired must be 'bs' or 'ar' or None, not 't'"),
        (SYSTEMS, {"paired": None, "confidence_level": None}, ValueError, "tests nothing"),
        (SYSTEMS, {"metric": "GLEU"}, ValueError, "metric must be 'green' or .*, not 'GLEU'"),
        (SYSTEMS, {"metric": ["gleu"]}, ValueError, "metric must be 'green' or"),
        (SYSTEMS, {"metric": "gleu", "beta": 2.0}, ValueError, "gleu has no option 'beta'"),
        (SYSTEMS, {"betas": 2}, TypeError, "green has no option 'betas'"),
        (SYSTEMS, {"level": "sentence", "n_resamples": 5}, ValueError, "n_resamples resamples"),
    ],
)
def test_bad_input(systems, options, kind, message):
    with pytest.raises(kind, match=message):
        compare(systems, SOURCES, REFERENCES, **options)
