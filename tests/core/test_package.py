"""The package's public names, the examples in their docstrings, and what type checkers see."""

import subprocess
import sys

import pytest
from shared import ROOT, run_doctests

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


WRONG_CHOICES = {
    "metric": "blue",
    "tokenizer": "13b",
    "level": "Sentence",
    "formula": "book",
    "selection": "min",
}


def test_type_checkers_know_the_choices(tmp_path):
    """Without looking at what other packages declare, which would take long."""
    pytest.importorskip("mypy")
    (tmp_path / "green_gec").symlink_to(ROOT)
    wrong = [f"score({name}={value!r})" for name, value in WRONG_CHOICES.items()]
    right = [
        "score([], [], [], 'gleu', tokenizer='13a', level='mean', formula='paper', strip=True)",
        "score([], [], [], tokenizer=str.split, beta=[1, 2.5], selection='mean', level='mean')",
        "score([], [], [['a']], max_order=None, beta=None, confidence_level=None, seed=1)",
    ]
    lines = ["from green_gec import score", *wrong, *right]
    (tmp_path / "use.py").write_text("\n".join(lines), "utf-8")
    command = [sys.executable, "-m", "mypy", "--follow-imports=silent", "--ignore-missing-imports"]
    ran = subprocess.run(
        [*command, "--no-site-packages", "use.py"], cwd=tmp_path, capture_output=True, text=True
    )
    errors = [line for line in ran.stdout.splitlines() if ": error: " in line]
    assert len(errors) == len(wrong), ran.stdout
    for number, (name, error) in enumerate(zip(WRONG_CHOICES, errors, strict=True), start=2):
        assert error.startswith(f'use.py:{number}: error: Argument "{name}" to "score" has')
