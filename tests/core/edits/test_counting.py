"""Systems and gold edits that belong together, and those that do not."""

import warnings

import pytest
from shared import EXAMPLES, SYSTEMS

from green_gec import InputWarning, compare, error_types
from green_gec.corpus import Annotated, Edit, read_edits, read_m2
from green_gec.edits import maxmatch

GOLD = [
    Annotated(["a", "b"], {0: [Edit(0, 1, (("x",),), "R:X")]}),
    Annotated(["c", "d"], {0: [Edit(1, 2, ((),), "U:X")]}),
]


def scores(systems, metric="m2", gold=GOLD, **given):
    return compare(systems, metrics=[metric], gold=gold, n_resamples=0, **given)[metric].tolist()


def test_gold_edits_bring_sources_and_references():
    sources, references = read_m2(EXAMPLES / "references.m2")
    files = {"gold": EXAMPLES / "references.m2"}
    expected = scores(SYSTEMS, **files, sources=sources, references=references)
    assert scores(SYSTEMS, **files) == expected
    assert scores(SYSTEMS, gold=read_edits(EXAMPLES / "references.m2")) == expected
    assert len(set(expected)) == len(SYSTEMS)


def test_several_metrics_in_one_table():
    gold = EXAMPLES / "references.m2"
    table = compare(SYSTEMS, metrics=["green", "m2"], gold=gold, n_resamples=0)
    assert table["m2"].tolist() == scores(SYSTEMS, gold=gold)
    sources, references = read_m2(gold)
    alone = compare(SYSTEMS, sources, references, n_resamples=0)
    assert table["green"].tolist() == alone["green"].tolist()
    given = {"references": references, "n_resamples": 0}
    for metrics in (["bleu"], ["m2", "bleu"]):  # BLEU takes no sources, not even the gold edits'
        table = compare(SYSTEMS, metrics=metrics, gold=gold, n_resamples=0)
        assert table["bleu"].tolist() == compare(SYSTEMS, metric="bleu", **given)["bleu"].tolist()


@pytest.mark.parametrize("tokenizer", ["word", "13a"])
def test_a_tokenizer_that_helps_other_scores_does_not_help_m2(tokenizer):
    """So there is a warning, in whatever table, and it does not name a tokenizer."""
    gold = EXAMPLES / "references.m2"
    systems = {"untokenised": [text.replace(" .", ".") for text in SYSTEMS["bold"]]}
    metrics = {"metrics": ["green", "m2"], "tokenizer": tokenizer}
    with pytest.warns(InputWarning, match="tokenise all texts alike$") as told:
        compare(systems, gold=gold, n_resamples=0, **metrics)
    assert len(told) == 1
    with pytest.warns(InputWarning, match="tokenise all texts alike$"):
        error_types(systems, gold)


def test_references_that_scores_of_edits_do_not_use_are_no_warning():
    sources, references = read_m2(EXAMPLES / "references.m2")
    attached = [[text.replace(" .", ".") for text in texts] for texts in references]
    given = {"gold": EXAMPLES / "references.m2", "tokenizer": "13a", "n_resamples": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compare(SYSTEMS, sources, attached, metrics=["green", "m2"], **given)


def test_edits_stand_for_the_texts_that_they_make():
    as_edits, as_text = [GOLD[0], GOLD[1]._replace(edits={0: []})], ["x b", "c d"]
    first, second = scores({"edits": as_edits, "text": as_text})
    assert 0 < first == second < 1
    assert scores({"edits": as_edits}, "errant") == [first]


@pytest.mark.parametrize(
    ("sentence", "error", "message"),
    [
        (
            Annotated(["a", "b"], {0: [Edit(1, 2, "y")]}),
            TypeError,
            r"gold\[1\]: corrections must be alternatives, .* not 'y'",
        ),
        (
            Annotated(["a", "b"], {0: [Edit(1, 2, ("y",))]}),
            TypeError,
            r"gold\[1\]: corrections must be",
        ),
        (
            Annotated(["a", "b"], {0: [Edit(1, 2, ())]}),
            TypeError,
            r"gold\[1\]: corrections must be",
        ),
        (
            Annotated(["a", "b"], {0: [Edit(0, 9, (("y",),))]}),
            ValueError,
            r"gold\[1\]: an edit from 0 to 9 in a sentence of 2 tokens",
        ),
        (
            Annotated(["a", "b"], {0: [Edit(0, 2, (("y",),)), Edit(1, 2, (("z",),))]}),
            ValueError,
            r"gold\[1\]: the edit from 1 to 2 overlaps that from 0 to 2",
        ),
        (Annotated("a b", {0: []}), TypeError, r"gold\[1\]: tokens must be a list of words"),
        (Annotated(["a b"], {0: []}), TypeError, r"gold\[1\]: tokens .* without spaces"),
        (Annotated(["a", "b"], [[]]), TypeError, r"gold\[1\]: edits must be a dictionary"),
        (
            Annotated(["a", "b"], {0: [Edit(1, 2, (("y z",),))]}),
            TypeError,
            r"gold\[1\]: corrections must be .* without spaces",
        ),
        (
            Annotated(["a", "b"], {0: None}),
            TypeError,
            r"gold\[1\]: edits must be a dictionary of annotators' numbers and lists",
        ),
        (
            Annotated(["a", "b"], {0: [(1, 2, (("y",),), "R")]}),
            TypeError,
            r"gold\[1\]: an edit must be an Edit",
        ),
    ],
)
def test_edits_made_by_hand_are_checked_as_files_are(sentence, error, message):
    with pytest.raises(error, match=f"^{message}"):
        scores({"system": ["a b", "a b"]}, gold=[GOLD[0], sentence])


def test_corrections_may_be_lists():
    gold = [Annotated(("a", "b"), {0: [Edit(1, 2, [["y"]])]})]
    assert scores({"system": ["a y"]}, gold=gold) == [1]


def test_words_are_separated_by_spaces_as_in_m2():
    """Other whitespace is part of a word on both sides; around a text it does not count."""
    assert scores({"system": [" x  b\n", "\tc"]}, sources=["a  b", "c d\n"]) == [1]
    for blank in ("\u3000", "\xa0", "\t"):
        gold = [Annotated(["a", blank, "b"], {0: [Edit(0, 1, ((f"x{blank}y",),))]})]
        systems = {"same": [f"a {blank} b"], "right": [f"x{blank}y {blank} b"]}
        table = compare(systems, metrics=["m2"], gold=gold, n_resamples=0, detailed=True)
        assert table["proposed"].tolist() == [0, 1]
        assert table["m2"].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"gold": None}, ValueError, r"gold edits of m2 are missing; give an M2 file: gold='"),
        ({"gold": {"errant": GOLD}}, ValueError, r"gold edits of m2 are missing"),
        ({"gold": {}}, ValueError, r"gold edits of m2 are missing"),
        ({"gold": {"m2": GOLD, "M2": GOLD}}, ValueError, r"a key of gold must be 'm2' or 'errant'"),
        (
            {"gold": {"m2": GOLD, "errant": [GOLD[0], GOLD[0]]}},
            ValueError,
            r"gold\['errant'\]\[1\] differs from gold\['m2'\]\[1\] at character 1: 'a b', .* 'c d'",
        ),
        ({"gold": ["a b", "c d"]}, TypeError, r"gold must be an M2 file or .*, not \['a b', 'c d"),
        ({"gold": 3}, TypeError, r"gold must be an M2 file or the sentences .*, not 3"),
        ({"gold": [GOLD[0], "c d"]}, TypeError, r"gold\[1\] must be a sentence with edits.*'c d'"),
        ({"sources": ["a b"]}, ValueError, r"1 sources, 2 systems\['one'\], 2 references"),
        (
            {"sources": ["a b", "c D"]},
            ValueError,
            r"gold\[1\] differs from sources\[1\] at character 3: 'c d', but there 'c D'",
        ),
        (
            {"gold": [Annotated(["é"], {})], "sources": ["e\u0301"], "references": ["é"]}
            | {"systems": {"one": ["é"]}},
            ValueError,
            r"gold\[0\] differs from sources\[0\] at character 1: '\\xe9', .* 'e\\u0301'",
        ),
        (
            {"systems": {"one": ["a"]}, "sources": ["a"], "references": ["a"]},
            ValueError,
            r"gold has 2 sentences, but sources has 1",
        ),
        ({"systems": {"one": ["a b"]}}, ValueError, r"2 sources, 1 systems\['one'\], 2 references"),
        (
            {"systems": {"one": [GOLD[0], "c d"]}},
            TypeError,
            r"systems\['one'\]\[1\] must be a sentence with edits, not 'c d'",
        ),
        (
            {"systems": {"one": GOLD[:1]}},
            ValueError,
            r"2 sources, 1 systems\['one'\], 2 references",
        ),
        (
            {"systems": {"one": [GOLD[1], GOLD[0]]}},
            ValueError,
            r"systems\['one'\]\[0\] differs from gold\[0\] at character 1: 'c d', .* 'a b'",
        ),
        (
            {"systems": {"one": [GOLD[0], GOLD[1]._replace(edits={0: [], 1: []})]}},
            ValueError,
            r"systems\['one'\]\[1\] has edits of 2 annotators; a system's edits have one",
        ),
    ],
)
def test_what_does_not_belong_together(given, error, message):
    with pytest.raises(error, match=f"^.*{message}"):
        scores(**{"systems": {"one": ["a b", "c d"]}, **given})


def test_texts_that_cannot_be_aligned_are_named(monkeypatch):
    """By the system and the sentence, counted from 0."""
    monkeypatch.setattr(maxmatch, "_MOST_NODES", 20)
    systems = {"good": ["x b", "c"], "bad": ["x b", " ".join(map(str, range(30)))]}
    with pytest.raises(ValueError, match=r"^systems\['bad'\]\[1\]: a text of"):
        scores(systems)
