"""Uploads to the Space, made of the bundled examples."""

import pytest
from shared import EXAMPLES

from green_gec.space import visitors


def example(*names):
    return [str(EXAMPLES / name) for name in names]


@pytest.fixture
def compare():
    """Score uploaded files, by default the bundled examples, with options by their names."""

    def compare(source=None, references=("references.m2",), systems=("bold.txt",), **options):
        options = {"metric": "green", "tokenizer": "word", "max_order": None} | options
        options = {"beta": 2.0, "paired": "ar", "strip": False} | options
        source = str(EXAMPLES / source) if source else None
        return visitors.compare(source, example(*references), example(*systems), **options)

    return compare


@pytest.fixture
def scored(compare):
    return compare(systems=("bold.txt", "careful.txt"))
