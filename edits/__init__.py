"""Scores of edits, M² and ERRANT: a `Corpus` with gold edits to `Statistics`."""

from collections.abc import Callable
from typing import Any

from ..counting import Statistics
from ..input_warnings import InputWarning, inspect_block, make_warnings, warn_user
from ..inputs import Corpus
from ..options import Options
from ..significance import Progress, no_progress
from . import errant, maxmatch
from .matches import Matches

_MATCHERS = {"m2": maxmatch.match_corpus, "errant": errant.match_corpus}

Warn = Callable[[InputWarning], Any]


def match(
    corpus: Corpus,
    options: Options,
    warn: Warn | None = warn_user,
    progress: Progress = no_progress,
) -> Matches:
    """Find the gold edits among those of the systems, whose texts are lists of strings."""
    if warn is not None:
        findings = inspect_block(corpus.block(0, len(corpus)), options, len(corpus))
        for warning in make_warnings(findings, corpus, options, {}, is_whole_corpus=True):
            warn(warning)
    return _MATCHERS[options.metric](corpus, options, progress)


def count(
    corpus: Corpus,
    options: Options,
    warn: Warn | None = warn_user,
    progress: Progress = no_progress,
) -> Statistics:
    """The statistics of M² or ERRANT."""
    return match(corpus, options, warn, progress).statistics()
