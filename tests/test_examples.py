"""The bundled corpus is in order."""

import pytest
from conftest import ROOT

EXAMPLES = ROOT / "examples"
FILES = ("source", "reference0", "reference1", "careful", "bold", "broken")


def read(name):
    return (EXAMPLES / f"{name}.txt").read_text("utf-8").splitlines()


def test_files_have_the_same_length():
    assert {name: len(read(name)) for name in FILES} == dict.fromkeys(FILES, 60)


@pytest.mark.parametrize("annotator", [0, 1])
def test_m2_gives_the_references(annotator):
    corrected = []
    for block in (EXAMPLES / "references.m2").read_text("utf-8").strip().split("\n\n"):
        source, *edits = block.split("\n")
        tokens = source.removeprefix("S ").split(" ")
        for edit in reversed(edits):
            span, kind, correction, _, _, who = edit.removeprefix("A ").split("|||")
            start, stop = map(int, span.split())
            if int(who) == annotator and kind != "noop":
                tokens[start:stop] = correction.split()
        corrected.append(" ".join(tokens))
    assert corrected == read(f"reference{annotator}")
