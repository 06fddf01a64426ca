"""Scores of edits, M² and ERRANT: a `Corpus` with gold edits to `Statistics`."""

from .counting import count, make_statistics, match

__all__ = ["count", "make_statistics", "match"]
