"""Figures equal those of the public implementation and of an oracle written from the paper."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from green_gec import score

GOLDENS = Path(__file__).parent / "goldens"
CASES = {case["name"]: case for case in json.loads((GOLDENS / "cases.json").read_text("utf-8"))}
ROWS = [
    row for row in json.loads((GOLDENS / "expected.json").read_text()) if row["metric"] == "green"
]

pytestmark = pytest.mark.filterwarnings("ignore:.*strip=True")


def corpus(case):
    return {name: case[name] for name in ("sources", "predictions", "references")}


def close(value):
    return pytest.approx(value, rel=0, abs=1e-9)


@pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: "{corpus}-{tokenizer}-{max_order}-{beta}".format(**row)
)
def test_public_implementation(row):
    options = {name: row[name] for name in ("tokenizer", "max_order")}
    options["beta"] = float(row["beta"])
    texts = corpus(CASES[row["corpus"]])

    whole = score(**texts, **options, detailed=True)
    assert {name: whole[name] for name in row["counts"]} == row["counts"]
    for name in ("green", "precision", "recall"):
        assert whole[name] == close(row[name])

    each = score(**texts, **options, level="sentence", detailed=True)
    assert each["green"] == close(row["sentence"])
    assert each["chosen_reference"] == row["chosen_reference"]

    assert score(**texts, **options, level="mean")["green"] == close(row["mean"])


# Few letters, so that n-grams repeat, ties occur and texts are alike; all kinds of whitespace.
WORDS = st.sampled_from(["a", "b", "ab", "é", "e\u0301", "🙂", "\0", "a\0", "longer-than-8", "本"])
BLANKS = st.sampled_from(
    [" ", " ", " ", "  ", "\t", "\n", "\x1c", "\x85", "\xa0", "\u3000", "\u2009"]
)
WORDY = st.lists(st.tuples(WORDS, BLANKS), max_size=9).map(
    lambda pairs: "".join(word + blank for word, blank in pairs)
)
TEXTS = WORDY | st.text(alphabet="ab ", max_size=12) | st.text(max_size=8)
SENTENCES = st.tuples(TEXTS, TEXTS, st.lists(TEXTS, min_size=1, max_size=4))


@st.composite
def corpora(draw):
    sentences = draw(st.lists(SENTENCES, min_size=1, max_size=5))
    # A source, a correction and references that have nothing in common would test little.
    sentences = [
        (source, draw(st.sampled_from([prediction, source, *references])), references)
        for source, prediction, references in sentences
    ]
    sources, predictions, references = map(list, zip(*sentences, strict=True))
    return {"sources": sources, "predictions": predictions, "references": references}


OPTIONS = st.fixed_dictionaries(
    {
        "tokenizer": st.sampled_from(["word", "char"]),
        "max_order": st.sampled_from([None, 1, 2, 3, 7, 50]),
        "beta": st.sampled_from([0.3, 0.5, 1.0, 2.0, 5.0, float("inf")]),
        "effective_order": st.booleans(),
        "strip": st.booleans(),
    }
)


@settings(max_examples=400, deadline=None)
@given(texts=corpora(), options=OPTIONS, level=st.sampled_from(["corpus", "sentence"]))
def test_oracle(texts, options, level):
    result = score(**texts, **options, level=level, detailed=True)
    del result["signature"]
    expected = oracle.green(**texts, **options, level=level)
    assert result.keys() == expected.keys()
    for name, value in expected.items():
        assert _flat(result[name]) == close(_flat(value)), name


@settings(max_examples=100, deadline=None)
@given(texts=corpora(), options=OPTIONS)
def test_oracle_of_the_mean(texts, options):
    expected = oracle.green(**texts, **options, level="mean")
    assert score(**texts, **options, level="mean") == close(expected)


@settings(max_examples=100, deadline=None)
@given(texts=corpora(), options=OPTIONS, level=st.sampled_from(["corpus", "mean", "sentence"]))
def test_a_list_of_betas_gives_what_each_gives(texts, options, level):
    betas = [0.5, 1.0, options.pop("beta")]
    together = score(**texts, **options, level=level, beta=betas, detailed=True)
    alone = [score(**texts, **options, level=level, beta=beta, detailed=True) for beta in betas]
    del together["signature"]
    assert together == {name: [one[name] for one in alone] for name in together}


def _flat(value):
    return [x for part in value for x in _flat(part)] if isinstance(value, list) else [value]
