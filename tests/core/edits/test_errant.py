"""ERRANT's comparison of edits, and what is said where ERRANT itself is needed and missing."""

import sys

import pytest

from green_gec import compare
from green_gec.corpus import Annotated, Edit
from green_gec.edits import errant

GOLD = [Annotated(["She", "go", "home", "."], {0: [Edit(1, 2, (("goes",),), "R:VERB:SVA")]})]


def edit(start, stop, text, kind="R:X"):
    return Edit(start, stop, (tuple(text.split()),), kind)


def test_an_edit_is_right_if_a_gold_edit_equals_it():
    gold = [edit(1, 2, "goes"), edit(3, 3, "now")]
    ours = [edit(1, 2, "goes"), edit(2, 3, "", "U:NOUN"), edit(3, 3, "then", "M:ADV")]
    assert errant.match(ours, gold) == errant.Match([0], 3, ["U:NOUN", "M:ADV"])


def test_the_type_of_an_edit_does_not_matter():
    ours, gold = [edit(1, 2, "goes", "R:VERB")], [edit(1, 2, "goes", "R:VERB:SVA")]
    assert errant.match(ours, gold) == errant.Match([0], 1, [])


def test_gold_edits_that_stand_twice_are_found_twice():
    once, other = edit(1, 2, "goes"), edit(1, 2, "went")
    assert errant.match([once], [once, once]) == errant.Match([0, 1], 2, [])
    assert errant.match([once, once], [once]) == errant.Match([0], 1, [])
    assert errant.match([other, other], [once]) == errant.Match([], 2, ["R:X", "R:X"])


MESSAGE = (
    r"^errant compares edits, but systems\['plain'\] is plain text, and ERRANT cannot annotate it "
    r"here \(.*{}.*\); give an M2 file that errant_parallel wrote, or install both: pip install "
    r"errant, python -m spacy download en_core_web_sm$"
)


def test_plain_text_without_errant(monkeypatch):
    monkeypatch.setitem(sys.modules, "errant", None)  # as if it were not installed
    with pytest.raises(ValueError, match=MESSAGE.format("errant")):
        compare({"plain": ["She goes home ."]}, metrics=["errant"], gold=GOLD)
