"""The picture by matplotlib: every n-gram lies in its region, legible; any text can be drawn."""

import warnings

import numpy as np
import pytest

from green_gec import explain, venn
from green_gec.explanation import REGIONS

plt = pytest.importorskip("matplotlib.pyplot")
pytestmark = pytest.mark.filterwarnings("ignore:Glyph")

LONG = (
    "In my opinion , the peoples who is living in big city has many problem because the traffic "
    "are very bad and the air is not clean , so they often wants to moving in the countryside .",
    "In my opinion , people who live in big cities have many problems because the traffic is very "
    "bad and the air is not clean , so they often want to moving to the countryside .",
    "In my opinion , people who are living in big cities have many problems because the traffic "
    "is very bad and the air is not clean , so they often want to move to the countryside .",
)


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def texts_of(ax):
    """What is written in the regions; names of circles are in italics."""
    return [text for text in ax.texts if text.get_style() == "normal"]


@pytest.mark.parametrize("order", [1, 2, 3])
def test_the_picture_has_every_ngram_in_its_region(order):
    found = explain(*LONG)
    ax = found.plot(order)
    renderer = ax.figure.canvas.get_renderer()
    ax.figure.canvas.draw()
    circles = {}
    for name, title in {"S": "source", "C": "correction", "R": "reference"}.items():
        (label,) = (text for text in ax.texts if text.get_text() == title)
        x, y = label.get_position()
        near = [patch for patch in ax.patches[-3:] if patch.center[0] == x]  # above or below it
        circles[name] = min((patch.center for patch in near), key=lambda centre: abs(y - centre[1]))
    assert circles["S"][0] < 0 < circles["C"][0]  # in reading order
    n_left_out = 0
    of_regions, region, above = {}, None, 0.0
    for text in texts_of(ax):
        if text.get_weight() == "bold":
            code, total = text.get_text().split()
            region = next(region for region in REGIONS.values() if region.code == code)
            of_regions[code] = []
            name = next(name for name in REGIONS if REGIONS[name] is region)
            assert int(total) == found.region_counts(order)[name]
        elif "… +" in text.get_text():
            n_left_out += int(text.get_text().split("+")[1])
        box = text.get_window_extent(renderer)
        if of_regions[region.code] and not text.get_text().startswith("…"):
            assert box.y1 < above + 3, "lines overlap"  # an ascender may reach into a descender
        above = box.y0
        of_regions[region.code].append(text.get_text())
        assert text.get_size() >= 6
        corners = ax.transData.inverted().transform(box)
        for x, y in [(x, y) for x in corners[:, 0] for y in corners[:, 1]]:
            for member, centre in circles.items():
                inside = np.hypot(x - centre[0], y - centre[1]) < 1
                assert inside == (member in region.texts), (text.get_text(), region.code)
    assert of_regions.keys() == {region.code for region in REGIONS.values()}
    if order == 1:
        assert min(text.get_size() for text in texts_of(ax)) >= 9
    assert n_left_out == 0 if order < 3 else n_left_out < 12
    shown = {code: " ".join(lines[1:]).split() for code, lines in of_regions.items()}
    if order == 1:
        for name, region in REGIONS.items():
            tokens = [ngram.tokens[0] for ngram in found.orders[0] if ngram.regions[name]]
            assert [token for token in shown[region.code] if "×" not in token] == tokens


def test_the_picture_of_a_very_long_sentence_says_what_it_leaves_out():
    words = " ".join(f"word{number}" for number in range(400))
    shown = [text.get_text() for text in explain(words, words, words).plot().texts]
    assert "TK 400" in shown
    left_out = next(int(text.split("… +")[1]) for text in shown if "… +" in text)
    assert 0 < left_out < 400 - sum(text.count("word") for text in shown) + 1
    longest = "x" * 300
    assert any("xxx…" in text.get_text() for text in explain(longest, "", "").plot().texts)


def test_the_metric_draws_it(metric):
    found = metric.explain(*LONG).plot()
    assert [text.get_text() for text in found.texts] == [
        text.get_text() for text in explain(*LONG).plot().texts
    ]


def test_the_picture_takes_text_as_it_is():
    found = explain("$x^2$ a", "a_{b} $", "彼は")
    _, ax = plt.subplots()
    assert found.plot(ax=ax) is ax
    assert not any(text.get_parse_math() for text in texts_of(ax))
    shown = [text.get_text() for text in ax.texts]
    assert "$x^2$\u00a0\u00a0a" in shown
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # there may be no Japanese font
        ax.figure.canvas.draw()
    for order in (5, 0, 1.0, "1", None):
        with pytest.raises(ValueError, match="order must be from 1 to 4, not"):
            found.plot(order)
    assert found.plot(np.int64(2)).texts
    small = plt.figure(figsize=(0.4, 0.4)).add_axes((0, 0, 0, 1))
    assert found.plot(ax=small) is small


def test_the_picture_is_as_the_caller_names_it():
    """Without sentences: `draw` takes the labels of each region."""
    lobes = {
        texts: venn.Lobe(f"{texts} 1", [f"in{texts}"], "right", "#ffffff", "#000000")
        for texts in ("S", "C", "R", "SC", "SR", "CR", "SCR")
    }
    names = {"S": "before", "C": "after", "R": "truth"}
    shown = {text.get_text() for text in venn.draw(lobes, names, order=1).texts}
    assert shown >= {*names.values(), *(f"in{texts}" for texts in lobes), "1-grams"}
