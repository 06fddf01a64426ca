"""Readers of files: text, M2, JSON Lines; and errors that name the file and the line."""

import gzip
import io
import json
import sys

import pytest
from conftest import ROOT

from green_gec import corpus

EXAMPLES = ROOT / "examples"


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a file into the current folder, which is empty at first."""
    monkeypatch.chdir(tmp_path)

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return write


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("a b\nc\n", ["a b", "c"]),
        ("a b\nc", ["a b", "c"]),
        ("a\n\n\n", ["a", "", ""]),
        ("", []),
        ("\n", [""]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\rb", ["a", "b"]),
        ("\ufeffa\nb\n", ["a", "b"]),
        (" a \t\n b\u3000\n", [" a \t", " b\u3000"]),
        ("a\u2028b\x0cc\x85d\x1ce\n", ["a\u2028b\x0cc\x85d\x1ce"]),
        ("naïve 😀\n", ["naïve 😀"]),
    ],
)
def test_lines(write, content, lines):
    assert corpus.read_lines(write("text", content)) == lines
    assert corpus.read_lines(write("text.gz", gzip.compress(content.encode()))) == lines


def test_lines_are_those_of_python(write):
    content = "a\r\n b\n\rc\r\r\n\n d\n"
    path = write("text", content)
    with open(path, encoding="utf-8") as file:
        assert corpus.read_lines(path) == [line.rstrip("\n") for line in file]


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\nb\n")))
    assert corpus.read_lines("-") == ["a", "b"]


M2 = """S a b c d
A 1 2|||R:X|||B|||REQUIRED|||-NONE-|||0
A 3 3|||M:X|||x y|||REQUIRED|||-NONE-|||0

S e f
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 0 1|||U:X||||||REQUIRED|||-NONE-|||1

S g h
"""


def m2_of(write, text):
    return corpus.read_m2(write("x.m2", text))


def test_m2(write):
    sources, references = m2_of(write, M2)
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
    sources, references = corpus.read_m2(EXAMPLES / "references.m2")
    assert sources == corpus.read_lines(EXAMPLES / "source.txt")
    for annotator, column in enumerate(zip(*references, strict=True)):
        assert list(column) == corpus.read_lines(EXAMPLES / f"reference{annotator}.txt")


def test_errant_m2_gives_the_references(data_dir):
    folder = data_dir / "conll14"
    sources, references = corpus.read_m2(folder / "errant.m2")
    assert sources == corpus.read_lines(folder / "source.txt")
    for annotator, column in enumerate(zip(*references, strict=True)):
        assert list(column) == corpus.read_lines(folder / f"reference{annotator}.txt")


def test_official_m2_lists_only_annotators_with_edits(data_dir):
    folder = data_dir / "conll14"
    sources, references = corpus.read_m2(folder / "official.m2")
    assert sources == corpus.read_lines(folder / "source.txt")
    columns = [corpus.read_lines(folder / f"reference{annotator}.txt") for annotator in (0, 1)]
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


def jsonl_of(write, *objects):
    lines = [entry if isinstance(entry, str) else json.dumps(entry) for entry in objects]
    return corpus.read_jsonl(write("x.jsonl", "\n".join(lines)))


@pytest.mark.parametrize(
    ("fields", "systems"),
    [
        ({"prediction": "p"}, {"prediction": "p"}),
        ({"predictions": "p"}, {"predictions[0]": "p"}),
        ({"predictions": ["p", "q"]}, {"predictions[0]": "p", "predictions[1]": "q"}),
        ({"predictions": {"A": "p", "B": "q"}}, {"A": "p", "B": "q"}),
        ({}, {}),
    ],
)
def test_jsonl(write, fields, systems):
    found = jsonl_of(write, {"source": "s", "references": ["r", "t"], "id": 5, **fields}, "")
    assert found.sources == ["s"]
    assert found.references == [["r", "t"]]
    assert found.systems == [(name, [text]) for name, text in systems.items()]


def test_jsonl_references(write):
    assert jsonl_of(write, {"source": "s", "references": "r"}).references == [["r"]]
    assert jsonl_of(write, {"source": "s"}).references == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"source": "s"', "x.jsonl:2: not JSON: "),
        ("[" * 100_000, "x.jsonl:2: not JSON: "),
        ('["s"]', r"x.jsonl:2: not a JSON object: '\[\"s\"\]'"),
        ({"prediction": "p", "references": "r"}, "x.jsonl:2: some lines have sources"),
        ({"source": 5, "prediction": "p", "references": "r"}, "x.jsonl:2: source must be a string"),
        (
            {"source": "s", "references": "r"},
            "x.jsonl:2: its predictions are none; .* line 1, pred",
        ),
        ({"source": "s", "prediction": "p"}, "x.jsonl:2: some lines have references"),
        ({"source": "s", "prediction": "p", "references": []}, "x.jsonl:2: references must be"),
        ({"source": "s", "prediction": "p", "references": ["r", 1]}, r".*:2: references\[1\] must"),
        (
            {"source": "s", "prediction": None, "references": "r"},
            "x.jsonl:2: prediction is missing",
        ),
        ({"source": "\ud800", "prediction": "", "references": "r"}, "x.jsonl:2: .* lone surrogate"),
        ('{"source": "s", "source": "t"}', "x.jsonl:2: not JSON: 'source' stands there twice"),
        ({"source": "s", "prediction": "p", "predictions": {"prediction": "q"}}, ".* twice"),
        ('{"source": "s", "predictions": {"\\ud800": "p"}}', ".*:2: the name .* lone surrogate"),
        (
            {"source": "s", "predictions": {"A": 1}},
            r"x.jsonl:2: predictions\['A'\] must be a strin",
        ),
    ],
)
def test_malformed_jsonl(write, line, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        jsonl_of(write, {"source": "s", "prediction": "p", "references": ["r"]}, line)


def test_not_utf8(write):
    with pytest.raises(ValueError, match=r"^x:2: not UTF-8: byte 0xe9 at offset 6$"):
        corpus.read_lines(write("x", b"ab\ncaf\xe9\n"))
    with pytest.raises(ValueError, match=r"^x:1: not UTF-8: byte 0xff at offset 4$"):
        corpus.read_lines(write("x", b"\xef\xbb\xbfa\xff"))


def test_half_a_gzip_file(write):
    with pytest.raises(ValueError, match=r"^x: not a whole gzip file"):
        corpus.read_lines(write("x", gzip.compress(b"abc" * 100)[:-12]))


def test_references_from_text_and_m2(write):
    source = write("source", " a b c d\ne  f\ng h\n")
    more = write("more", "1\n2\n3\n")
    read = corpus.read(source, [more, write("x.M2", M2)], [source])
    assert read.references == [["1", "a B c x y d"], ["2", "e f", "f"], ["3", "g h"]]
    zipped = write("x.m2.gz", gzip.compress(M2.encode()))
    assert corpus.read(
        m2=write("x.m2", M2), references=[more, zipped], systems=[source]
    ).references == [
        ["a B c x y d", "1", "a B c x y d"],
        ["e f", "f", "2", "e f", "f"],
        ["g h", "3", "g h"],
    ]


def test_systems_and_references_beside_json(write):
    rows = [json.dumps({"source": text, "prediction": text.upper()}) for text in "ab"]
    jsonl, other = write("x.jsonl", "\n".join(rows)), write("other", "1\n2\n")
    read = corpus.read(jsonl=jsonl, references=[other], systems=[other])
    assert read == (
        ["a", "b"],
        [("prediction", ["A", "B"]), ("other", ["1", "2"])],
        [["1"], ["2"]],
    )


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"source": "two", "references": ["one"], "systems": ["two"]}, "one has 1 .* two has 2"),
        ({"source": "two", "references": ["two"], "systems": ["one"]}, "one has 1 .* two has 2"),
        ({"source": "two", "references": ["x.m2"], "systems": ["two"]}, "x.m2 has 3 .* two has 2"),
        (
            {"source": "three", "references": ["x.m2"], "systems": ["three"]},
            "x.m2: sentence 2 corr",
        ),
        ({"source": "none", "references": ["none"], "systems": ["none"]}, "none has no sentences"),
        ({"source": "two", "systems": ["two"]}, "there are no references: two has none"),
        ({"source": "two", "references": ["two"]}, "there are no systems: two has none"),
        ({"references": ["two"], "systems": ["one"]}, "one has 1 sentences, but two has 2"),
        ({"references": ["two", "one"], "systems": ["two"]}, "one has 1 sentences, but two has 2"),
        ({"references": ["none"], "systems": ["none"]}, "none has no sentences"),
        ({"systems": ["two"]}, "there are no references: no file is given"),
        ({"references": ["two"]}, "there are no systems: no file is given"),
        ({"jsonl": "none", "references": ["none"]}, "none has no sentences"),
        ({"jsonl": "none"}, "none has no sentences"),
        ({"source": "two", "m2": "x.m2"}, "the sources must come from one file"),
        ({"source": "-", "references": ["-"]}, r"standard input \(-\) can be read only once"),
    ],
)
def test_files_that_do_not_belong_together(write, files, message):
    contents = {"one": "a\n", "two": "a\nb\n", "three": "a b c d\ne\ng h\n", "none": "", "x.m2": M2}
    for name, content in contents.items():
        write(name, content)
    with pytest.raises(ValueError, match=f"^{message}"):
        corpus.read(**files)
