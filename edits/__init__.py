"""Scores of edits: M² and ERRANT."""

from .counting import complete_corpus, count_edits

__all__ = ["complete_corpus", "count_edits"]
