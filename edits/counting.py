"""A corpus with gold edits to statistics. Which edits match is known to `maxmatch` and `errant`."""

from collections.abc import Callable

import numpy as np

from ..corpus.m2 import Edit, tokens_of
from ..counting import Statistics
from ..inputs import Corpus
from ..options import Options
from ..significance import Progress, no_progress
from . import errant, maxmatch
from .matches import Match, Matches
from .maxmatch import Words
from .metrics import METRICS


def count(corpus: Corpus, options: Options, progress: Progress = no_progress) -> Statistics:
    """The statistics of M² or ERRANT."""
    return make_statistics(match(corpus, options, progress), options)


def make_statistics(matches: Matches, options: Options) -> Statistics:
    rows = np.repeat(matches.counts()[None], len(options.betas), axis=0)
    metric = METRICS[options.metric].make(options)
    return Statistics(options, metric, rows, matches.n_annotators)


def match(corpus: Corpus, options: Options, progress: Progress = no_progress) -> Matches:
    """Find the gold edits among those of the systems; the texts are lists of strings."""
    if options.metric == "errant":
        return _match_errant(corpus)
    return _match_m2(corpus, options, progress)


def _match_m2(corpus: Corpus, options: Options, progress: Progress) -> Matches:
    fold = str.lower if options.ignore_case else str
    sentences = corpus.gold["m2"]
    gold = [
        [_fold_edits(sentence.tokens, edits, fold) for edits in sentence.edits.values()]
        for sentence in sentences
    ]
    systems: list[list[list[Match]]] = [[] for _ in corpus.systems]
    for index in progress(range(len(gold)), len(gold)):
        source = tuple(map(fold, sentences[index].tokens))
        known: dict[Words, list[Match]] = {}  # systems agree on many sentences
        for (name, texts), matches in zip(corpus.systems.items(), systems, strict=True):
            correction = tuple(map(fold, tokens_of(texts[index].strip())))
            if correction not in known:
                try:
                    known[correction] = _max_match(source, correction, gold[index], options)
                except ValueError as error:
                    # People count the sentences of files from 1, programs those of lists from 0.
                    place = f": sentence {index + 1}" if corpus.label == "{}" else f"[{index}]"
                    label = corpus.label.format(name)
                    raise ValueError(f"{label}{place}: {error}") from None
            matches.append(known[correction])
    return Matches(gold, systems)


def _max_match(
    source: Words, correction: Words, gold: list[list[Edit]], options: Options
) -> list[Match]:
    """The match with each annotator's edits."""
    if source == correction:
        return [Match([], 0)] * len(gold)
    steps = maxmatch.align(source, correction)
    most_kept = int(options.max_unchanged_words)
    return [maxmatch.match(source, correction, steps, edits, most_kept) for edits in gold]


def _fold_edits(tokens: list[str], edits: list[Edit], fold: Callable[[str], str]) -> list[Edit]:
    """Edits without regard to case: those that change nothing else are none."""
    if fold is str:
        return edits
    folded = []
    for edit in edits:
        corrections = tuple(tuple(map(fold, words)) for words in edit.corrections)
        if tuple(map(fold, tokens[edit.start : edit.stop])) not in corrections:
            folded.append(edit._replace(corrections=corrections))
    return folded


def _match_errant(corpus: Corpus) -> Matches:
    sentences = corpus.gold["errant"]
    gold = [
        [errant.corrections(edits) for edits in sentence.edits.values()] for sentence in sentences
    ]
    systems = []
    for name, texts in corpus.systems.items():
        edits = corpus.edits.get(name)
        if edits is None:
            tokens = [sentence.tokens for sentence in sentences]
            edits = errant.annotate(corpus.label.format(name), tokens, texts)
        matches = []
        for sentence, annotators in zip(edits, gold, strict=True):
            (own,) = map(errant.corrections, sentence.edits.values())
            matches.append([errant.match(own, each) for each in annotators])
        systems.append(matches)
    return Matches(gold, systems)
