"""M2: the annotators' edits applied, on made-up sentences and on a public corpus."""

import pytest
from shared import EXAMPLES

from green_gec.corpus import read_lines, read_m2
from green_gec.corpus.m2 import is_m2


def m2_of(write, text):
    return read_m2(write("x.m2", text))


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


def test_edits_that_overlap(write):
    edits = [f"A {span}|||X|||x|||REQUIRED|||-NONE-|||0" for span in ("1 3", "0 2", "3 4")]
    with pytest.raises(ValueError, match=r"^x\.m2:2: this edit overlaps that of line 3$"):
        m2_of(write, "\n".join(["S a b c d", *edits, "", "S e"]))
