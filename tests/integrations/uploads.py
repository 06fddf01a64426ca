"""Uploads to the Space, counted without a server; by default the bundled examples."""

from shared import EXAMPLES

from green_gec.space import scoring

OPTIONS = {
    **{"metric": "green", "tokenizer": "word", "max_order": None, "beta": 2.0, "paired": "ar"},
    **{"strip": False, "effective_order": False},
}


def count(source=None, references=("references.m2",), systems=("bold.txt",), **options):
    references, systems = (
        [str(EXAMPLES / name) for name in names] for names in (references, systems)
    )
    source = str(EXAMPLES / source) if source else None
    return scoring.count_files(source, references, systems, *(OPTIONS | options).values())


def columns(counted):
    """The columns of the table of scores."""
    names = list(counted.corpus.systems)
    return counted.statistics.columns(names, counted.statistics.results())
