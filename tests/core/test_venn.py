"""The picture as SVG: every n-gram is in it as text."""

import re
import subprocess
import sys
import xml.etree.ElementTree

import pytest

from green_gec import explain
from green_gec.explanation import REGIONS

LONG = (
    "In my opinion , the peoples who is living in big city has many problem because the traffic "
    "are very bad and the air is not clean , so they often wants to moving in the countryside .",
    "In my opinion , people who live in big cities have many problems because the traffic is very "
    "bad and the air is not clean , so they often want to moving to the countryside .",
    "In my opinion , people who are living in big cities have many problems because the traffic "
    "is very bad and the air is not clean , so they often want to move to the countryside .",
)


@pytest.mark.parametrize("order", [1, 2])
def test_svg_has_every_ngram_as_text(order):
    found = explain(*LONG)
    root = xml.etree.ElementTree.fromstring(found.to_svg(order))
    lines = [line.text for line in root.iter("text")]
    assert {"source", "correction", "reference", f"{order}-grams"} <= {*lines}
    for name, n in found.region_counts(order).items():
        assert f"{REGIONS[name].code} {n}" in lines
    written = "".join(lines).replace("\xa0", "").replace(" ", "")
    for ngram in found.orders[order - 1]:
        assert "".join(ngram.tokens) in written
    assert root.find("title").text.startswith(f"Venn diagram of the {order}-grams: true keep ")


def test_svg_says_how_many_ngrams_it_leaves_out():
    text = " ".join(f"word{n}" for n in range(500))
    root = xml.etree.ElementTree.fromstring(explain(text, text, text, max_order=1).to_svg())
    written = " ".join(line.text for line in root.iter("text"))
    n_shown = len(re.findall(r"word\d+", written))
    (n_left_out,) = map(int, re.findall(r"… \+(\d+)", written))
    assert 0 < n_shown < n_left_out
    assert n_shown + n_left_out == 500


def test_svg_of_markup_is_text():
    evil = "<script>alert(1)</script> &amp; \" '"
    root = xml.etree.ElementTree.fromstring(explain(evil, f"{evil} b", f"c {evil}").to_svg())
    assert {element.tag for element in root.iter()} == {"svg", "title", "polygon", "circle", "text"}
    assert "<script>alert(1)</script>" in "".join(root.itertext())


def test_svg_needs_no_matplotlib():
    code = (
        "import sys; sys.modules['matplotlib'] = None; from green_gec import explain; "
        "print(explain('a b c d', 'a b c e', 'a b c d').to_svg()[:4])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "<svg\n"
