"""Human judgments in XML and CSV."""

from collections import Counter

import pytest
from small_corpora import GMEG_HEADER, JUDGMENTS, write

from experiments import corpora, judgments


def test_judgments_are_wins_and_ties_do_not_count(tmp_path):
    wins = judgments.read_judgments(write(tmp_path / "judgments.xml", JUDGMENTS))
    assert wins == {("a", "c"): 1, ("a", "d"): 1, ("b", "c"): 1, ("b", "d"): 1, ("c", "a"): 1}


def test_expected_wins():
    wins = Counter({("a", "b"): 3, ("b", "a"): 1, ("a", "c"): 2, ("c", "b"): 5})
    expected = judgments.expected_wins(wins)
    assert expected == {"a": (3 / 4 + 1) / 2, "b": (1 / 4 + 0) / 2, "c": (0 + 1) / 2}


def test_expected_wins_leave_out_pairs_that_were_not_compared():
    assert judgments.expected_wins(Counter({("a", "b"): 1, ("b", "c"): 1}))["b"] == 0.5


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("</ranking-item>", "", 1), r":12: not well-formed XML: mismatched tag"),
        (
            ('rank="2" system="c"', 'system="c"'),
            r":5: a translation needs a numeric rank .* not rank ''",
        ),
        (('rank="3"', 'rank="third"'), r":9: a translation needs a numeric rank .* 'third'"),
        (('system="a b"', 'system=" "'), r":4: .* at least one system, .* and system ' '"),
        (
            ('rank="3"', f'rank="{"9" * 5000}"'),
            r":9: a translation needs a numeric rank .* '9+\.\.\. and",
        ),
        (('"1.0"', '"1.0" encoding="rot13"'), None),
        (("a b", "\0"), r":4: not well-formed XML"),
        (("ranking-item", "item"), r"judgments\.xml has no ranking-item"),
    ],
)
def test_bad_judgments(tmp_path, change, message):
    path = write(tmp_path / "judgments.xml", JUDGMENTS.replace(*change))
    if message is None:  # the file is read as UTF-8, whatever it declares
        assert len(judgments.read_judgments(path)) == 5
        return
    with pytest.raises(ValueError, match=message):
        judgments.read_judgments(path)


def test_segment_scores_are_wins_and_empty_cells_do_not_count(tmp_path):
    path = write(tmp_path / "scores.csv", [GMEG_HEADER, "3,2,,2,,,", ",,,,,,"])
    found = judgments.read_segments(path, "gmeg-fce", corpora.GMEG_SYSTEMS, n_sentences=2)
    wins = Counter(pair for _, won in found for pair in won)
    assert wins == {("amu", "lstm"): 1, ("amu", "marian"): 1}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["amu,lstm", "1,2"], r":1: the header has no column 'lstm-r'"),
        ([GMEG_HEADER, "1,2,3,4,5,six,7"], r":2: expected a number, found 'six'"),
        ([GMEG_HEADER, "1,2,3,4,5,nan,7"], r":2: expected a number, found 'nan'"),
        ([GMEG_HEADER, "1,2,3"], r":2: expected 7 fields, found 3"),
        ([GMEG_HEADER, "1" * 200_000], r":2: field larger than field limit"),
        ([GMEG_HEADER], r":2: expected 2 lines, found 1"),
    ],
)
def test_bad_segment_scores(tmp_path, lines, message):
    path = write(tmp_path / "scores.csv", lines)
    with pytest.raises(ValueError, match=message):
        list(judgments.read_segments(path, "gmeg-fce", corpora.GMEG_SYSTEMS, n_sentences=1))
