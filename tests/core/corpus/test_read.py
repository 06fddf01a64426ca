"""Several files make a corpus, if they belong together."""

import gzip
import json

import pytest

from green_gec.corpus import Corpus, read, read_edits


def test_references_from_text_and_m2(write, m2):
    source = write("source", " a b c d\ne  f\ng h\n")
    more = write("more", "1\n2\n3\n")
    corpus = read(source, [more, write("x.M2", m2)], [source])
    assert corpus.references == [["1", "a B c x y d"], ["2", "e f", "f"], ["3", "g h"]]
    zipped = write("x.m2.gz", gzip.compress(m2.encode()))
    corpus = read(source, [zipped, more], [source])
    assert corpus.references == [["a B c x y d", "1"], ["e f", "f", "2"], ["g h", "3"]]


def test_references_that_are_given_replace_those_of_the_gold_edits(write, m2):
    gold, text = write("x.m2", m2), write("text", "1\n2\n3\n")
    assert read(m2=gold, systems=[text]).references == [["a B c x y d"], ["e f", "f"], ["g h"]]
    assert read(m2=gold, references=[text], systems=[text]).references == [["1"], ["2"], ["3"]]


def test_m2_under_another_name(write, m2):
    source = write("source", "a b c d\ne f\ng h\n")
    expected = [["a B c x y d"], ["e f", "f"], ["g h"]]
    assert read(source, [write("edits.txt", m2)], [source]).references == expected
    zipped = write("edits.gz", gzip.compress(m2.encode()))
    assert read(source, [zipped], [source]).references == expected


def test_systems_and_references_beside_json(write):
    rows = [json.dumps({"source": text, "prediction": text.upper()}) for text in "ab"]
    jsonl, other = write("x.jsonl", "\n".join(rows)), write("other", "1\n2\n")
    corpus = read(jsonl=jsonl, references=[other], systems=[other])
    systems = {"prediction": ["A", "B"], "other": ["1", "2"]}
    assert corpus == Corpus(["a", "b"], systems, [["1"], ["2"]])


def test_gold_edits_beside_json(write):
    jsonl = write("x.jsonl", '{"prediction": "a c"}')
    gold = write("x.m2", "S a b\nA 1 2|||X|||c|||REQUIRED|||-NONE-|||0\n")
    corpus = read(jsonl=jsonl, m2=gold, needs_sources=True)
    assert (corpus.sources, corpus.references) == (["a b"], [["a c"]])
    other = write("y.jsonl", '{"source": "a  b", "references": "a d", "prediction": "a c"}')
    corpus = read(jsonl=other, gold={"m2": gold})
    assert (corpus.sources, corpus.references) == (["a  b"], [["a d"]])
    wrong = write("z.jsonl", '{"source": "a x", "prediction": "a c"}')
    with pytest.raises(ValueError, match=r"^x.m2:1 .* differs from z.jsonl .* character 3"):
        read(jsonl=wrong, m2=gold)


def test_names_of_systems(write):
    """Those of the files, or those that a mapping gives; the texts of a file may have several."""
    one, two = write("one", "a\n"), write("two", "b\n")
    assert read(one, [one], [one, two]).systems == {"one": ["a"], "two": ["b"]}
    assert read(one, [one], {"A": two, "B": two}).systems == {"A": ["b"], "B": ["b"]}


def test_each_system_has_a_name_of_its_own(write):
    one = write("one", "a\n")
    with pytest.raises(ValueError, match=r"^one and one both have a system 'one'; .* name=FILE$"):
        read(one, [one], [one, one])
    jsonl = write("x.jsonl", '{"source": "a", "predictions": {"one": "b"}}')
    with pytest.raises(ValueError, match=r"^x.jsonl and one both have a system 'one'; "):
        read(jsonl=jsonl, references=[one], systems=[one])


def test_edits(write, m2):
    """Those of M2 among the references are gold edits, among the systems the system's own."""
    source, text = write("source", "a b c d\ne f\ng h\n"), write("text", "1\n2\n3\n")
    own = write("own.m2", "S a b c d\nA 0 1|||X|||A|||REQUIRED|||-NONE-|||0\n\nS e f\n\nS g h\n")
    corpus = read(m2=write("x.m2", m2), references=[text], systems={"A": own, "B": text})
    assert corpus.gold == {"m2": read_edits("x.m2"), "errant": read_edits("x.m2")}
    assert corpus.edits == {"A": read_edits("own.m2")}
    assert corpus.systems["A"] == ["A b c d", "e f", "g h"]
    again = read(source, [text, "x.m2"], [source])
    assert (again.gold, again.edits) == (corpus.gold, {})
    assert read(source, [text], [source]).gold == {}


def test_gold_edits_of_each_score(write, m2):
    """Sources and references are those of the first file."""
    one, text = write("one.m2", "S a b\nA 0 1|||X|||A|||REQUIRED|||-NONE-|||0\n"), write("t", "a\n")
    two = write("two.m2", "S  a b\n")
    corpus = read(systems=[text], gold={"errant": two, "m2": one})
    assert corpus.gold == {"errant": read_edits(two), "m2": read_edits(one)}
    assert (corpus.sources, corpus.references) == (["a b"], [["a b"]])
    with pytest.raises(ValueError, match=r"^give m2, .* or gold, .* but not both"):
        read(systems=[text], m2=one, gold={"m2": one})
    for wrong in (one, [one]):
        with pytest.raises(TypeError, match=r"^gold must be a dictionary of scores and files"):
            read(systems=[text], gold=wrong)
    with pytest.raises(ValueError, match=r"^a key of gold must be 'm2' or 'errant', not 'green'"):
        read(systems=[text], gold={"green": one})


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"source": "two", "references": ["one"], "systems": ["two"]}, "one has 1 .* two has 2"),
        ({"source": "two", "references": ["two"], "systems": ["one"]}, "one has 1 .* two has 2"),
        ({"source": "two", "references": ["x.m2"], "systems": ["two"]}, "x.m2 has 3 .* two has 2"),
        (
            {"source": "three", "references": ["x.m2"], "systems": ["three"]},
            r"x.m2:5 \(sentence 2\) differs from three .* at character 2: 'e f', but there 'e'$",
        ),
        ({"source": "two", "references": ["x.jsonl"], "systems": ["two"]}, "x.jsonl is JSON Lines"),
        ({"source": "x.jsonl", "references": ["two"], "systems": ["two"]}, "x.jsonl is JSON Lines"),
        ({"source": "two", "references": ["x.json"], "systems": ["two"]}, "x.json is JSON Lines"),
        ({"source": "none", "references": ["none"], "systems": ["none"]}, "none has no sentences"),
        (
            {"references": ["none", "two"], "systems": ["two"]},
            "none has no sentences",
        ),
        (
            {"source": "edits", "references": ["x.m2"], "systems": ["three"]},
            r"edits is an M2 file, not plain text; give it as m2 \(--m2\), not as source$",
        ),
        (
            {"source": "two", "references": ["two"], "systems": ["longer"]},
            "longer has 3 .* two has 2; remove the blank line at the end of longer$",
        ),
        (
            {"source": "longer", "references": ["two"], "systems": ["two"]},
            "two has 2 .* longer has 3; remove the blank line at the end of longer$",
        ),
        (
            {"references": ["two", "longer"], "systems": ["two"]},
            "longer has 3 .* two has 2; remove the blank line at the end of longer$",
        ),
        ({"source": "two", "references": ["two"], "systems": ["three"]}, ".* but two has 2$"),
        ({"source": "one", "references": ["longer"], "systems": ["one"]}, ".* but one has 1$"),
        ({"source": "two", "systems": ["two"]}, "there are no references: no file is given"),
        ({"source": "two", "references": ["two"]}, "there are no systems: no file is given"),
        ({"jsonl": "x.jsonl"}, "x.jsonl has no references or predictions; its fields are source; "),
        ({"jsonl": "x.jsonl", "references": ["one"]}, "x.jsonl has no predictions; its fields are"),
        (
            {"jsonl": "y.jsonl", "references": ["one"], "systems": ["one"], "needs_sources": True},
            "y.jsonl has no sources; its fields are hyp; expected source, references, prediction",
        ),
        ({"references": ["two"], "systems": ["one"]}, "one has 1 sentences, but two has 2"),
        ({"references": ["two", "one"], "systems": ["two"]}, "one has 1 sentences, but two has 2"),
        ({"references": ["none"], "systems": ["none"]}, "none has no sentences"),
        ({"systems": ["two"]}, "there are no references: no file is given"),
        ({"references": ["two"]}, "there are no systems: no file is given"),
        ({"jsonl": "none", "references": ["none"]}, "none has no sentences"),
        ({"jsonl": "none"}, "none has no sentences"),
        (
            {"source": "one", "jsonl": "x.jsonl", "references": ["one"], "systems": ["one"]},
            "one and x.jsonl both have the sources",
        ),
        ({"jsonl": "y.jsonl", "m2": "x.m2"}, "y.jsonl has 1 sentences, but x.m2 has 3"),
        (
            {"m2": "x.m2", "references": ["edits"], "systems": ["three"]},
            "x.m2 and edits both have gold edits; leave one out",
        ),
        ({"source": "-", "references": ["-"]}, r"standard input \(-\) can be read only once"),
    ],
)
def test_files_that_do_not_belong_together(write, m2, files, message):
    contents = {"one": "a\n", "two": "a\nb\n", "three": "a b c d\ne\ng h\n", "none": "", "x.m2": m2}
    contents |= {"edits": m2, "longer": "a\nb\n\n"}
    contents |= {"x.jsonl": '{"source": "a"}', "y.jsonl": '{"hyp": "a"}'}
    contents["x.json"] = '{ "source": "a"}'
    for name, content in contents.items():
        write(name, content)
    with pytest.raises(ValueError, match=f"^{message}"):
        read(**files)


def test_lists_of_files_are_lists():
    for name in ("references", "systems"):
        given = {"references": ["r"], "systems": ["c"], name: "x.txt"}
        with pytest.raises(TypeError, match=f"{name} must be a list of files, not 'x.txt'"):
            read("s", **given)
