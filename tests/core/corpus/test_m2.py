"""M2: the annotators' edits applied, on made-up sentences and on a public corpus."""

import pytest
from shared import EXAMPLES

from green_gec.corpus import Annotated, Edit, read_edits, read_lines, read_m2
from green_gec.corpus.m2 import is_m2


def m2_of(write, text):
    return read_m2(write("x.m2", text))


def edits_of(write, *lines):
    """The edits of one sentence, by annotator."""
    (sentence,) = read_edits(write("x.m2", "\n".join(["S a b c d", *lines])))
    return sentence.edits


def test_m2(write, m2):
    sources, references = m2_of(write, m2)
    assert sources == ["a b c d", "e f", "g h"]
    assert references == [["a B c x y d"], ["e f", "f"], ["g h"]]


@pytest.mark.parametrize(
    ("edits", "references"),
    [
        (["3 4|||X|||D", "0 1|||X|||A"], ["A b c D"]),
        (["1 1|||X|||x", "1 1|||X|||y"], ["a x y b c d"]),
        (["1 2|||X|||y", "1 1|||X|||x"], ["a x y c d"]),
        (["1 3|||X|||-NONE-"], ["a d"]),
        (["1 3|||X||| -NONE- "], ["a d"]),
        (["1 3|||X|||"], ["a d"]),
        (["0 4|||X|||"], [""]),
        (["4 4|||X|||."], ["a b c d ."]),
        (["0 0|||X|||the  first||another"], ["the first a b c d"]),
        (["0 1|||UNK|||a"], ["a b c d"]),
        (["-1 -1|||noop|||-NONE-"], ["a b c d"]),
        ([], ["a b c d"]),
    ],
)
def test_m2_edits(write, edits, references):
    lines = ["S a b c d", *(f"A {edit}|||REQUIRED|||-NONE-|||0" for edit in edits)]
    assert m2_of(write, "\n".join(lines)) == (["a b c d"], [references])


def test_annotators_come_in_the_order_of_their_numbers(write):
    lines = ["S a", *(f"A 0 1|||X|||{who}|||REQUIRED|||-NONE-|||{who}" for who in (10, 2, 0))]
    assert m2_of(write, "\n".join(lines)) == (["a"], [["0", "2", "10"]])


def test_m2_without_blank_lines_and_with_empty_sentences(write):
    assert m2_of(write, "S a\nS\nS  b  c \n") == (["a", "", "b c"], [["a"], [""], ["b c"]])


def test_m2_of_the_examples():
    sources, references = read_m2(EXAMPLES / "references.m2")
    assert sources == read_lines(EXAMPLES / "source.txt")
    for annotator, column in enumerate(zip(*references, strict=True)):
        assert list(column) == read_lines(EXAMPLES / f"reference{annotator}.txt")


def test_m2_is_known_by_its_lines(m2):
    """Plain text may begin like M2, but has no edits."""
    assert is_m2(m2.splitlines())
    assert is_m2(["", "S a", "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0", "", "S"])
    for lines in (
        [],
        ["S a", "S b"],
        ["S a", "A b"],
        ["S a", "A 0 1|||X|||b|||REQUIRED|||-NONE-|||0", "b"],
        ["A 0 1|||X|||b|||REQUIRED|||-NONE-|||0", "S a"],
    ):
        assert not is_m2(lines)


def test_errant_m2_gives_the_references(data_dir):
    folder = data_dir / "conll14"
    sources, references = read_m2(folder / "errant.m2")
    assert sources == read_lines(folder / "source.txt")
    for annotator, column in enumerate(zip(*references, strict=True)):
        assert list(column) == read_lines(folder / f"reference{annotator}.txt")


def test_official_m2_lists_only_annotators_with_edits(data_dir):
    folder = data_dir / "conll14"
    sources, references = read_m2(folder / "official.m2")
    assert sources == read_lines(folder / "source.txt")
    columns = [read_lines(folder / f"reference{annotator}.txt") for annotator in (0, 1)]
    for source, of_sentence, *known in zip(sources, references, *columns, strict=True):
        assert set(of_sentence) <= {source, *known}
    assert {len(of_sentence) for of_sentence in references} == {1, 2}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A 0 1|||X|||a|||REQUIRED|||-NONE-|||0\n", "x.m2:1: an edit before the first sentence"),
        ("S a\nB\n", "x.m2:2: a line of M2 begins with 'S ' or 'A ', not like 'B'"),
        ("S a\nA 0 1|||X|||a\n", "x.m2:2: an edit must read"),
        ("S a\nA 0|||X|||a|||REQUIRED|||-NONE-|||0\n", "x.m2:2: an edit must read"),
        ("S a\nA 0 x|||X|||a|||REQUIRED|||-NONE-|||0\n", "x.m2:2: an edit must read"),
        ("S a\nA 0 1|||X|||a|||REQUIRED|||-NONE-|||me\n", "x.m2:2: an edit must read"),
        ("S a b\n\nA 1 3|||X|||a|||REQUIRED|||-NONE-|||0", "x.m2:3: an edit from 1 to 3 .* of 2 "),
        ("S a b\nA 2 1|||X|||a|||REQUIRED|||-NONE-|||0\n", "x.m2:2: an edit from 2 to 1"),
        ("S a b\nA -1 1|||X|||a|||REQUIRED|||-NONE-|||0\n", "x.m2:2: an edit from -1 to 1"),
    ],
)
def test_malformed_m2(write, text, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        m2_of(write, text)
    with pytest.raises(ValueError, match=f"^{message}"):
        read_edits("x.m2")


def test_edits(write, m2):
    """With their types and lines, by annotator."""
    assert read_edits(write("x.m2", m2)) == [
        Annotated(
            tokens=["a", "b", "c", "d"],
            edits={
                0: [
                    Edit(1, 2, (("B",),), type="R:X", line=2),
                    Edit(3, 3, (("x", "y"),), type="M:X", line=3),
                ]
            },
            line=1,
        ),
        Annotated(["e", "f"], {0: [], 1: [Edit(0, 1, ((),), "U:X", 7)]}, line=5),
        Annotated(["g", "h"], {0: []}, line=9),
    ]


def test_edits_are_in_order(write):
    """Annotators as they stand, edits by place; those at one place as they stand."""
    edits = edits_of(
        write,
        "A 3 4|||X|||D|||REQUIRED|||-NONE-|||2",
        "A 1 1|||X|||z|||REQUIRED|||-NONE-|||2",
        "A 1 1|||X|||y|||REQUIRED|||-NONE-|||2",
        "A 0 1|||X|||A|||REQUIRED|||-NONE-|||0",
    )
    assert list(edits) == [2, 0]
    assert [edit.line for edit in edits[2]] == [3, 4, 2]


@pytest.mark.parametrize(
    ("text", "corrections"),
    [
        ("B", (("B",),)),
        ("B||x y||b", (("B",), ("x", "y"), ("b",))),
        ("B||-NONE-", (("B",), ())),
        (" x  y ", (("x", "y"),)),
        ("", ((),)),
        ("-NONE-", ((),)),
        ("-NONE- x", (("-NONE-", "x"),)),
        ("a | b", (("a", "|", "b"),)),
    ],
)
def test_alternatives(write, text, corrections):
    (edit,) = edits_of(write, f"A 1 2|||X|||{text}|||REQUIRED|||-NONE-|||0")[0]
    assert edit.corrections == corrections


def test_an_edit_that_stands_twice_is_kept_and_applied_once(write):
    line = "A 1 2|||X|||x y|||REQUIRED|||-NONE-|||0"
    (sentence,) = read_edits(write("x.m2", "\n".join(["S a b c d", line, line])))
    assert [edit.line for edit in sentence.edits[0]] == [2, 3]
    assert sentence.references == ["a x y c d"]


def test_an_insertion_that_stands_twice_is_applied_twice(write):
    """ERRANT inserts word by word, and a word may be repeated."""
    line = "A 1 1|||M:ADV|||very|||REQUIRED|||-NONE-|||0"
    assert m2_of(write, "\n".join(["S a big dog", line, line])) == (
        ["a big dog"],
        [["a very very big dog"]],
    )


def test_edits_of_the_examples_make_the_references():
    sources, references = read_m2(EXAMPLES / "references.m2")
    sentences = read_edits(EXAMPLES / "references.m2")
    assert [sentence.source for sentence in sentences] == sources
    assert [sentence.references for sentence in sentences] == references


def test_edits_that_overlap(write):
    edits = [f"A {span}|||X|||x|||REQUIRED|||-NONE-|||0" for span in ("1 3", "0 2", "3 4")]
    message = r"^x\.m2:2: .* from 1 to 3 overlaps that from 0 to 2 in line 3$"
    with pytest.raises(ValueError, match=message):
        read_edits(write("x.m2", "\n".join(["S a b c d", *edits, "", "S e"])))


def test_edits_of_one_place_that_differ_overlap(write):
    lines = [f"A 1 2|||X|||{text}|||REQUIRED|||-NONE-|||0" for text in "xy"]
    message = r"^x\.m2:3: .* from 1 to 2 overlaps that from 1 to 2 in line 2$"
    with pytest.raises(ValueError, match=message):
        edits_of(write, *lines)


def test_edits_of_different_annotators_do_not_overlap(write):
    lines = [f"A 1 2|||X|||x|||REQUIRED|||-NONE-|||{who}" for who in (0, 1)]
    assert [len(edits) for edits in edits_of(write, *lines).values()] == [1, 1]
