"""The picture as SVG: every n-gram lies in its region, legible; any text can be drawn."""

import re
import xml.etree.ElementTree
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest

from green_gec import explain, venn
from green_gec.explanation import REGIONS

LONG = (
    "In my opinion , the peoples who is living in big city has many problem because the traffic "
    "are very bad and the air is not clean , so they often wants to moving in the countryside .",
    "In my opinion , people who live in big cities have many problems because the traffic is very "
    "bad and the air is not clean , so they often want to moving to the countryside .",
    "In my opinion , people who are living in big cities have many problems because the traffic "
    "is very bad and the air is not clean , so they often want to move to the countryside .",
)


class Line(NamedTuple):
    text: str
    x: float
    y: float
    size: float
    is_title: bool

    @property
    def corners(self):
        half = venn.text_width(self.text) * self.size / 2
        return [
            (self.x + x, self.y + y) for x in (-half, half) for y in (-self.size / 2, self.size / 2)
        ]


class Picture:
    """The circles of a picture, the names beside them, and the lines in its regions."""

    def __init__(self, svg):
        self.root = xml.etree.ElementTree.fromstring(svg)
        self.tags = {element.tag.partition("}")[2] for element in self.root.iter()}
        self.circles = dict(zip("SCR", self._find("circle", "cx", "cy", "r"), strict=True))
        self.names, self.lines = [], []
        for text, (x, y, size) in zip(
            self.root.findall(".//{*}text"), self._find("text", "x", "y", "font-size"), strict=True
        ):
            line = Line(text.text, x, y, size, text.get("font-weight") == "700")
            (self.names if text.get("font-style") == "italic" else self.lines).append(line)

    def _find(self, tag, *attributes):
        elements = self.root.findall(f".//{{*}}{tag}")
        return [[float(element.get(name)) for name in attributes] for element in elements]

    @property
    def regions(self):
        """The lines of each region; the first one is its title, the code and the total."""
        regions = []
        for line in self.lines:
            regions += [[]] if line.is_title else []
            regions[-1].append(line)
        return {lines[0].text.split()[0]: lines for lines in regions}

    @property
    def n_left_out(self):
        return sum(int(n) for line in self.lines for n in re.findall(r"… \+(\d+)", line.text))

    def around(self, point):
        """The circles that a point lies in."""
        x, y = point
        return {name for name, (cx, cy, r) in self.circles.items() if np.hypot(x - cx, y - cy) < r}


@pytest.fixture(params=[1, 2, 3])
def order(request):
    return request.param


def test_every_ngram_is_in_its_region(order):
    explanation = explain(*LONG)
    picture = Picture(explanation.to_svg(order))
    assert picture.n_left_out == 0 if order < 3 else picture.n_left_out < 12
    for name, total in explanation.region_counts(order).items():
        title, *lines = picture.regions[REGIONS[name].code]
        assert title.text == f"{REGIONS[name].code} {total}"
        if order == 1:
            tokens = [token for line in lines for token in line.text.split() if "×" not in token]
            ngrams = [ngram for ngram in explanation.orders[0] if ngram.regions[name]]
            assert tokens == [ngram.tokens[0] for ngram in ngrams]
        elif order == 2:
            text = re.sub(r"\s*·\s*", " · ", " ".join(line.text for line in lines)).split(" · ")
            ngrams = [ngram for ngram in explanation.orders[1] if ngram.regions[name]]
            assert {" ".join(ngram.tokens) for ngram in ngrams} <= {*text}


def test_lines_lie_within_their_region(order):
    """The widths of texts are estimated here, as in the picture."""
    picture = Picture(explain(*LONG).to_svg(order))
    for region in REGIONS.values():
        lines = picture.regions[region.code]
        for line in lines:
            assert [picture.around(corner) for corner in line.corners] == [{*region.texts}] * 4
        for above, line in pairwise(lines):
            assert line.y - above.y >= line.size


def test_the_lines_of_a_region_are_below_each_other():
    """Where there is room: in narrow and slanted parts of a region, lines move to the side."""
    texts = (
        "In winter she go to school .",
        "In the winter she go to school .",
        "In winter , she goes .",
    )
    for lines in Picture(explain(*texts).to_svg()).regions.values():
        assert len({line.x for line in lines}) == 1


def test_letters_are_legible(order):
    sizes = [line.size for line in Picture(explain(*LONG).to_svg(order)).lines]
    assert min(sizes) >= (9 if order == 1 else 6)


def test_circles_lie_in_reading_order_and_have_names(order):
    picture = Picture(explain(*LONG).to_svg(order))
    source, correction, reference = picture.circles.values()
    assert source[0] < reference[0] < correction[0]
    assert source[1] == correction[1] < reference[1]
    *names, ngrams = picture.names
    assert [line.text for line in names] == ["source", "correction", "reference"]
    assert [line.x for line in names] == [circle[0] for circle in picture.circles.values()]
    assert ngrams.text == f"{order}-grams"


def test_the_picture_has_a_title(order):
    (title,) = Picture(explain(*LONG).to_svg(order)).root.findall("{*}title")
    assert title.text.startswith(f"Venn diagram of the {order}-grams: true keep ")


def test_the_picture_says_how_many_ngrams_it_leaves_out():
    text = " ".join(f"word{n}" for n in range(500))
    picture = Picture(explain(text, text, text, max_order=1).to_svg())
    n_shown = sum(line.text.count("word") for line in picture.lines)
    assert 0 < n_shown < picture.n_left_out
    assert n_shown + picture.n_left_out == 500


def test_long_tokens_are_cut():
    texts = [line.text for line in Picture(explain("x" * 300, "", "").to_svg()).lines]
    assert "x" * 19 + "…" in texts


@pytest.mark.parametrize("text", ["<b>alert(1)</b> &amp; \" '", "$x^2$ a_{b}", "彼は 本"])
def test_text_is_text(text):
    picture = Picture(explain(text, f"{text} b", f"c {text}").to_svg())
    assert picture.tags == {"svg", "title", "polygon", "circle", "text"}
    written = "\u00a0".join(line.text for line in picture.lines).split()
    assert {*text.split()} <= {*written}


@pytest.mark.parametrize("order", [5, 0, 1.0, "1", None])
def test_orders_that_there_are_not(order):
    with pytest.raises((TypeError, ValueError), match="order must be a whole number from 1 to 4"):
        explain(*LONG).to_svg(order)


def test_the_picture_is_as_the_caller_names_it():
    """Without sentences: `draw` takes the labels of each region."""
    lobes = {
        texts: venn.Lobe(f"{texts} 1", [f"in{texts}"], "right", "#ffffff", "#000000")
        for texts in ("S", "C", "R", "SC", "SR", "CR", "SCR")
    }
    names = {"S": "before", "C": "after", "R": "truth"}
    picture = Picture(venn.draw(lobes, names, order=1, description="what it shows"))
    assert {line.text for line in picture.names} == {*names.values(), "1-grams"}
    assert {line.text for line in picture.lines} >= {f"in{texts}" for texts in lobes}
