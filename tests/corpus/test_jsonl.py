"""JSON Lines: one sentence per line; systems by name or in a list."""

import json

import pytest

from green_gec.corpus import read_jsonl


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
    ],
)
def test_malformed_jsonl(write, line, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        jsonl_of(write, {"source": "s", "prediction": "p", "references": ["r"]}, line)
