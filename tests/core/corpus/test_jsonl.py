"""JSON Lines: one sentence per line; systems by name or in a list."""

import json
import shlex
import subprocess
import sys

import pytest

from green_gec.corpus import Corpus, read_jsonl
from green_gec.corpus.columns import COLUMNS


def jsonl_of(write, *objects):
    lines = [entry if isinstance(entry, str) else json.dumps(entry) for entry in objects]
    return read_jsonl(write("x.jsonl", "\n".join(lines)))


@pytest.mark.parametrize(
    ("fields", "systems"),
    [
        ({"prediction": "p"}, {"prediction": "p"}),
        ({"predictions": "p"}, {"predictions[0]": "p"}),
        ({"predictions": ["p", "q"]}, {"predictions[0]": "p", "predictions[1]": "q"}),
        ({"predictions": {"A": "p", "B": "q"}}, {"A": "p", "B": "q"}),
        ({"prediction": "p", "predictions": {"B": "q"}}, {"prediction": "p", "B": "q"}),
        ({"hyp": "p"}, {"hyp": "p"}),
        ({"preds": ["p", "q"]}, {"preds[0]": "p", "preds[1]": "q"}),
        ({"output": {"A": "p"}}, {"A": "p"}),
        ({"prediction": "p", "hyp": "q", "output": "r"}, {"prediction": "p"}),
        ({}, {}),
    ],
)
def test_jsonl(write, fields, systems):
    corpus = jsonl_of(write, {"source": "s", "references": ["r", "t"], "id": 5, **fields}, "")
    assert corpus.sources == ["s"]
    assert corpus.references == [["r", "t"]]
    assert corpus.systems == {name: [text] for name, text in systems.items()}
    assert list(corpus.systems) == list(systems)


def test_jsonl_references(write):
    assert jsonl_of(write, {"source": "s", "references": "r"}).references == [["r"]]
    assert jsonl_of(write, {"source": "s"}).references == []


@pytest.mark.parametrize("source", COLUMNS["sources"])
@pytest.mark.parametrize("references", COLUMNS["references"])
def test_fields_have_synonyms(write, source, references):
    corpus = jsonl_of(write, {source: "s", references: ["r", "t"]})
    assert corpus == Corpus(["s"], {}, [["r", "t"]])


def test_the_usual_name_wins(write):
    fields = {"source": "s", "src": "x", "input": "y", "target": "z", "references": "r"}
    assert jsonl_of(write, fields) == Corpus(["s"], {}, [["r"]])


@pytest.mark.parametrize(
    ("fields", "needed", "message"),
    [
        ({"quelle": "s", "id": 5}, [], "sources or predictions or references; its fields are quel"),
        ({}, [], "sources or predictions or references; its fields are none; expected source, ref"),
        ({"src": "s", "hyp": "p", "ziel": "r"}, ["references"], "references; .* src, hyp, ziel; "),
        ({"ref": "r"}, ["sources", "predictions"], "sources or predictions; its fields are ref; "),
    ],
)
def test_fields_that_are_missing(write, fields, needed, message):
    path = write("x.jsonl", json.dumps(fields))
    with pytest.raises(ValueError, match=f"^x.jsonl has no {message}"):
        read_jsonl(path, needed)


def test_an_array_of_objects(write):
    """The message has a command that makes lines of it."""
    row = {"source": "s", "prediction": "p", "references": ["r"]}
    path = write("x.json", json.dumps([row, row], indent=1))
    with pytest.raises(ValueError, match=r"^x\.json:1: a JSON array; expected one obj") as error:
        read_jsonl(path)
    command = str(error.value).partition("convert it: ")[2]
    command = command.replace("python3", shlex.quote(sys.executable))
    subprocess.run(command, shell=True, check=True)
    assert read_jsonl("x.jsonl").sources == ["s", "s"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"source": "s"', "x.jsonl:2: not JSON: "),
        ("[" * 100_000, "x.jsonl:2: not JSON: "),
        ('["s"]', r"x.jsonl:2: not a JSON object: '\[\"s\"\]'"),
        (
            {"prediction": "p", "references": "r"},
            "x.jsonl:2: its texts are references, prediction; .* line 1, sources",
        ),
        ({"source": 5, "prediction": "p", "references": "r"}, "x.jsonl:2: source must be a string"),
        (
            {"source": "s", "references": "r"},
            "x.jsonl:2: its texts are sources, references; .* line 1, .* prediction",
        ),
        (
            {"source": "s", "prediction": "p"},
            "x.jsonl:2: its texts are sources, prediction; .* line 1, .* references",
        ),
        ({"source": "s", "prediction": "p", "references": []}, "x.jsonl:2: references must be"),
        ({"source": "s", "prediction": "p", "references": ["r", 1]}, r".*:2: references\[1\] must"),
        (
            {"source": "s", "prediction": None, "references": "r"},
            "x.jsonl:2: prediction must be a string, not None",
        ),
        ({"source": "\ud800", "prediction": "", "references": "r"}, "x.jsonl:2: .* lone surrogate"),
        ('{"source": "s", "source": "t"}', "x.jsonl:2: duplicate field 'source'"),
        (
            {"source": "s", "prediction": "p", "predictions": {"prediction": "q"}},
            "x.jsonl:2: duplicate field 'prediction'",
        ),
        ('{"source": "s", "predictions": {"\\ud800": "p"}}', ".*:2: the name .* lone surrogate"),
        (
            {"source": "s", "predictions": {"A": 1}},
            r"x.jsonl:2: predictions\['A'\] must be a strin",
        ),
        (
            {"src": "s", "input": "t", "prediction": "p"},
            "x.jsonl:2: 'src' and 'input' could both be the source; rename the right one to 'sour",
        ),
        (
            {"source": "s", "references": "r", "hyp": "p", "output": "q"},
            "x.jsonl:2: 'hyp' and 'output' could both be the prediction; rename",
        ),
        (
            {"source": "s", "references": "r", "hyp": "p"},
            "x.jsonl:2: its texts are .*, hyp; those of line 1, .*, prediction",
        ),
    ],
)
def test_malformed_jsonl(write, line, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        jsonl_of(write, {"source": "s", "prediction": "p", "references": ["r"]}, line)


def test_predictions_are_compared_with_those_of_the_first_line_that_is_not_blank(write):
    line = '{"source": "s", "prediction": "p", "references": "r"}'
    write("x.jsonl", "\n".join(["", line, line, "", line.replace("prediction", "hyp")]))
    with pytest.raises(ValueError, match=r"^x\.jsonl:5: .* line 2\b"):
        read_jsonl("x.jsonl")
