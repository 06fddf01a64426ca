"""Figures: labels and ranks."""

import numpy as np
import pytest

from experiments import corpora, figures, measure, metrics


def test_two_betas(small_data):
    conll = corpora.read_conll14(small_data)
    both = figures.two_betas(conll, "charGREEN")
    for beta in (1, 2):
        expected = metrics.system_scores(conll, "charGREEN", beta=beta)
        assert both[f"charGREEN, β = {beta}"] == pytest.approx(expected)


def test_human_ranks_in_the_figure(small_data):
    found = measure.stability(corpora.read_conll14(small_data))
    figure = figures.intervals(found._replace(human=np.array([0.2, 0.9, 0.5, 0.4])))
    assert [text.get_text() for text in figure.axes[1].texts] == ["4.", "1.", "2.", "3."]


@pytest.mark.parametrize("dpi", [72, 160])
def test_names_are_beside_their_points_at_every_resolution(small_data, dpi):
    conll = corpora.read_conll14(small_data)
    panels = figures.two_betas(conll, "wordGREEN")
    with figures.style():
        figure = figures.scatter(conll, "CoNLL", panels)
    figure.set_dpi(dpi)
    figure.draw_without_rendering()
    for axes, values in zip(figure.axes, panels.values(), strict=True):
        places = np.column_stack([100 * values, conll.human["CoNLL"]])
        points = axes.transData.transform(places) * 72 / dpi
        boxes = {text.get_text(): text.get_window_extent() for text in axes.texts}
        boxes.pop("", None)  # annotations that are lines to names
        assert set(boxes) == set(conll.systems)
        for name, box in boxes.items():
            middle = np.array([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2]) * 72 / dpi
            distances = np.abs(points - middle).max(axis=1)
            assert list(conll.systems)[distances.argmin()] == name
            assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1
            others = (other for key, other in boxes.items() if key != name)
            assert not any(box.overlaps(other) for other in others)
