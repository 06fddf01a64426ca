"""Pictures: where things lie, and that names cannot break out."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from green_gec.reporting.analysis import Series
from green_gec.reporting.charts import Axis, Dot, curves, dots

SCORES = st.floats(0, 1)


@given(st.lists(SCORES, min_size=1, max_size=5))
def test_an_axis_holds_all_scores_and_has_round_ticks(scores):
    axis = Axis.of_scores(scores)
    assert 0 <= axis.low <= min(scores)
    assert max(scores) <= axis.high <= 1
    assert axis.high - axis.low >= 0.00999
    assert 2 <= len(axis.ticks) <= 6
    assert len({*axis.ticks.values()}) == len(axis.ticks)
    for tick, text in axis.ticks.items():
        assert -1e-9 <= axis.share(tick) <= 1 + 1e-9
        assert float(text) == pytest.approx(100 * tick, abs=1e-9)


@pytest.mark.parametrize(
    ("scores", "ends", "ticks"),
    [
        ([0.753, 0.806], (0.75088, 0.80812), ["76", "77", "78", "79", "80"]),
        ([0.9144, 0.9144 + 1e-13], (0.9094, 0.9194), ["91.0", "91.2", "91.4", "91.6", "91.8"]),
        ([0, 0], (0, 0.01), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        ([0.0001, 0.003], (0, 0.01), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        ([0.9999], (0.99, 1), ["99.0", "99.2", "99.4", "99.6", "99.8", "100.0"]),
        ([0, 1], (0, 1), ["0", "20", "40", "60", "80", "100"]),
    ],
)
def test_an_axis_by_hand(scores, ends, ticks):
    """It spans at least one point, within 0 and 100 percent, whatever the scores."""
    axis = Axis.of_scores(scores)
    assert axis[:2] == pytest.approx(ends)
    assert [*axis.ticks.values()] == ticks


def test_dots():
    axis = Axis(0, 10, {0: "0", 5: "five", 10: "10"})
    rows = [Dot("<b>", 5, 2.5, 10, "5.00"), Dot("B", 1, 0, 2, "1.00")]
    picture = dots("caption", "score", rows, axis, line=1)
    assert 'x1="25.00%" x2="100.00%"' in picture
    assert '<circle cx="50.00%"' in picture
    assert '<text x="50.00%" y="14" text-anchor="middle">five</text>' in picture
    assert picture.count('class="baseline" x1="10.00%"') == 2
    assert "<bdi>&lt;b&gt;</bdi>" in picture
    assert "<bdi><b>" not in picture


def heights(picture):
    """The vertical positions of each curve's markers, from above."""
    groups = re.findall('<g class="curve.*?</g>', picture)
    return [
        [float(y) for y in re.findall(r'class="marker" x="[\d.]+%" y="([\d.]+)"', group)]
        for group in groups
    ]


def series(*lines):
    return Series("axis", [*"abcde"][: len(lines[0])], np.array(lines).T)


def test_curves_have_markers_and_labels_at_the_same_places():
    lines = [[0.1, 0.2, 0.3, 0.4, 0.5], [0.5, 0.4, 0.3, 0.2, 0.1]]
    picture = curves("title", "description", ["A", "B"], series(*lines), 2)
    places = ["0.00%", "25.00%", "50.00%", "75.00%", "100.00%"]
    assert re.findall(r'class="marker" x="([\d.]+%)"', picture) == places * 2
    assert re.findall(r'<text x="([\d.]+%)" y="358" text-anchor="middle">[a-e]<', picture) == places
    falling, rising = heights(picture)  # the first curve comes last, so that it covers the others
    assert falling == rising[::-1]
    assert sorted(rising, reverse=True) == rising


@pytest.mark.parametrize("score", [0, 1e-15, 0.9144, 1 - 1e-13])
def test_a_flat_curve_is_drawn_flat(score):
    scores = [score, score + 1e-13, score, score, score + 5e-14]
    ((first, *others),) = heights(curves("title", "description", ["A"], series(scores), 1))
    assert others == [first] * 4


def test_names_of_curves_cannot_break_out():
    picture = curves("<title>", "<desc>", ["<b>"], series([0, 1]), 1)
    assert "<title>&lt;title&gt;</title><desc>&lt;desc&gt;</desc>" in picture
    assert "<title>&lt;b&gt;</title>" in picture
    assert "<bdi>&lt;b&gt;</bdi>" in picture


def test_curves_after_the_first_few_are_grey():
    picture = curves("title", "description", ["A", "B"], series([0, 1], [1, 0]), 1)
    assert picture.count('class="curve c0"') == 2  # the curve and its name below
    assert picture.count('class="curve c1 grey" data-curve="1"') == 2
