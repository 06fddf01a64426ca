"""Pictures: where things lie, and that names cannot break out."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from green_gec.reporting.charts import Axis, Curve, Dot, _spread, curves, dots

NUMBERS = st.floats(0, 1).map(lambda value: round(value, 6))


@given(st.lists(NUMBERS, min_size=1, max_size=5))
def test_an_axis_holds_all_values_and_has_round_ticks(values):
    axis = Axis.of(values)
    assert axis.low < min(values) or axis.low == min(values) == 0
    assert axis.high > max(values) or axis.high == max(values) == 1
    assert 2 <= len(axis.ticks) <= 6
    assert all(-1e-9 <= axis.share(tick) <= 1 + 1e-9 for tick in axis.ticks)


def test_an_axis_by_hand():
    axis = Axis.of([0.753, 0.806])
    assert axis.ticks == pytest.approx([0.76, 0.77, 0.78, 0.79, 0.8])
    assert Axis.of([0.5]).ticks == pytest.approx([0.46, 0.48, 0.5, 0.52, 0.54])
    assert Axis.of([0, 0])[:2] == (0, 0.05)  # no scores below 0
    assert Axis.of([1, 1])[:2] == (0.9, 1)


@given(st.lists(st.floats(0, 300), min_size=1, max_size=12))
def test_labels_do_not_cover_each_other(places):
    found = _spread(places, 17, 300)
    ascending = sorted(found)
    assert all(b - a > 16.5 for a, b in pairwise(ascending))
    assert ascending[-1] <= 300
    in_order = sorted(range(len(places)), key=places.__getitem__)
    assert [found[index] for index in in_order] == ascending


def test_labels_with_room_stay_where_they_are():
    assert _spread([100, 10, 50], 17, 300) == [100, 10, 50]
    assert _spread([100, 100], 20, 300) == [90, 110]


def test_dots():
    axis = Axis(0.0, 10.0, [0, 5, 10])
    rows = [Dot("<b>", 5, 2.5, 10, "five"), Dot("B", 1, 0, 2, "one")]
    drawn = dots("caption", ("system", "score"), rows, axis, "{:g}".format, line=1)
    assert 'x1="25.00%" x2="100.00%"' in drawn
    assert '<circle cx="50.00%"' in drawn
    assert drawn.count('class="baseline" x1="10.00%"') == 2
    assert "<bdi>&lt;b&gt;</bdi>" in drawn
    assert "<bdi><b>" not in drawn


def test_curves_have_markers_at_the_same_places():
    series = [Curve("A", [1, 2, 3, 4, 5]), Curve("<" * 40, [5, 4, 3, 2, 1])]
    places = [0, 0.25, 0.5, 0.75, 1]
    drawn = curves(
        *("<title>", "what it shows", places, list("abcde"), series, "{:g}".format), every=2
    )
    groups = drawn.split('<g class="curve')[1:]
    for group in groups:
        marked = re.findall(r'<svg x="([\d.]+%)" y', group)
        assert marked == ["0.00%", "50.00%", "100.00%"]
    assert "<title>&lt;title&gt;</title><desc>what it shows</desc>" in drawn
    assert f">{'&lt;' * 16}…<" in groups[1]
    assert f"<bdi>{'&lt;' * 40}</bdi>" in groups[1]  # below
    assert ">a</text>" in drawn
    assert ">b</text>" not in drawn
