"""Uploads to the Space, made of the bundled examples."""

import pytest
from shared import EXAMPLES

from green_gec.space import visitors


def example(*names):
    return [str(EXAMPLES / name) for name in names]


@pytest.fixture
def count():
    """Count uploaded files, by default the bundled examples, with options by their names."""

    def count(source=None, references=("references.m2",), systems=("bold.txt",), **options):
        options = {"metric": "green", "tokenizer": "word", "max_order": None} | options
        options = {"beta": 2.0, "strip": False} | options
        source = str(EXAMPLES / source) if source else None
        return visitors.count(source, example(*references), example(*systems), **options)

    return count


@pytest.fixture
def compare(count):
    """Count and score uploaded files."""
    return lambda paired="ar", **given: count(**given).find(paired)


@pytest.fixture
def counted(count):
    return count(systems=("bold.txt", "careful.txt"))


@pytest.fixture
def scored(counted):
    return counted.find("ar")
