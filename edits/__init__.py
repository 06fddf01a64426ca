"""Scores of edits, M² and ERRANT: a `Corpus` with gold edits to `Statistics`.

Which edits match is known to `maxmatch` and `errant`.
"""

import numpy as np

from ..counting import Statistics
from ..inputs import Corpus
from ..options import Options
from ..significance import Progress, no_progress
from . import errant, maxmatch
from .matches import Matches
from .metrics import METRICS


def count(corpus: Corpus, options: Options, progress: Progress = no_progress) -> Statistics:
    """The statistics of M² or ERRANT."""
    return make_statistics(match(corpus, options, progress), options)


def match(corpus: Corpus, options: Options, progress: Progress = no_progress) -> Matches:
    """Find the gold edits among those of the systems; the texts are lists of strings."""
    if options.metric == "errant":
        return errant.match_corpus(corpus)
    return maxmatch.match_corpus(corpus, options, progress)


def make_statistics(matches: Matches, options: Options) -> Statistics:
    rows = np.repeat(matches.counts()[None], len(options.betas), axis=0)
    n_annotators = np.array([*map(len, matches.gold)], dtype=np.int64)
    return Statistics(options, METRICS[options.metric].make(options), rows, n_annotators)
