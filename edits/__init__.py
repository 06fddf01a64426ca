"""Scores of edits, M² and ERRANT: a `Corpus` with gold edits to `Statistics`."""

from dataclasses import replace

from ..counting import Statistics
from ..input_warnings import Warn, inspect_block, make_warnings, warn_user
from ..inputs import Corpus
from ..options import Options
from ..significance import Progress, no_progress
from . import errant, maxmatch
from .matches import Matches

_MATCHERS = {"m2": maxmatch.match_corpus, "errant": errant.match_corpus}


def match(
    corpus: Corpus,
    options: Options,
    warn: Warn | None = warn_user,
    progress: Progress = no_progress,
) -> Matches:
    """Find the gold edits among those of the systems, and warn if their texts look wrong.

    The texts of the corpus are lists of strings.
    """
    if warn is not None:
        gold_texts = [sentence.references for sentence in corpus.gold[options.metric]]
        texts = replace(corpus, references=gold_texts)
        findings = inspect_block(texts.block(0, len(texts)), options, len(texts))
        for warning in make_warnings(findings, texts, options, {}, is_whole_corpus=True):
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
