"""The package's public names, and the examples in their docstrings."""

import pytest
from shared import run_doctests

import green_gec
from green_gec import Statistics, compare, explain, extract_answer, reward, score, score_batch


@pytest.mark.parametrize(
    "function", [compare, explain, extract_answer, reward, score, score_batch, Statistics]
)
def test_docstrings(function):
    run_doctests(function.__doc__, function.__name__)


def test_public_names():
    assert dir(green_gec) == green_gec.__all__
    for name in green_gec.__all__:
        assert getattr(green_gec, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'blue'"):
        _ = green_gec.blue
