"""Scores of edits, M² and ERRANT: a `Corpus` with gold edits to `Statistics`."""

from ..counting import Statistics
from ..inputs import Corpus
from ..options import Options
from ..significance import Progress, no_progress
from . import errant, maxmatch

# What finds the gold edits among those of the systems; the texts are lists of strings.
MATCHERS = {"m2": maxmatch.match_corpus, "errant": errant.match_corpus}


def count(corpus: Corpus, options: Options, progress: Progress = no_progress) -> Statistics:
    """The statistics of M² or ERRANT."""
    return MATCHERS[options.metric](corpus, options, progress).statistics()
