"""Every metric of the experiments, applied to the systems of a corpus.

Scores have the axes (system,) or (system, sentence). A metric of edits raises `Missing` if the
corpus comes without the edits that it needs.
"""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from nltk.tokenize import TreebankWordTokenizer

from green_gec import InputWarning, Statistics, compare, edits
from green_gec.corpus.gold import corpus_with_gold
from green_gec.options import Options

from .corpora import Corpus
from .rivals import cleme, i_measure

NGRAMS: dict[str, dict[str, Any]] = {
    f"{tokenizer}{title}": {"tokenizer": tokenizer, **options}
    for (title, options), tokenizer in product(
        {
            "GLEU": {"metric": "gleu", "formula": "paper"},
            "GLEU, max": {"metric": "gleu", "formula": "paper", "selection": "max"},
            "GREEN": {"metric": "green"},
            "GREEN, mean": {"metric": "green", "selection": "mean"},
            "BLEU": {"metric": "bleu"},
            "ROUGE": {"metric": "rouge"},
            "F1": {"metric": "f1"},
        }.items(),
        ("word", "char"),
    )
}
EDITS = {"M²": "m2", "ERRANT": "errant"}


def system_scores(corpus: Corpus, metric: str, level: str = "corpus", **options: Any) -> np.ndarray:
    """Score the systems with one of `METRICS`, at the level "corpus" or "mean"; (system,).

    Metrics of n-grams take further options, which override those of `NGRAMS`, and M² and ERRANT
    take `beta`. With several betas, the axes are (beta, system).
    """
    if options and metric in NGRAMS:
        return ngrams(corpus, **NGRAMS[metric] | {"level": level, **options})
    if options:
        return METRICS[metric].of_systems(corpus, **options)
    if level == "mean":
        return sentence_scores(corpus, metric).mean(axis=-1)
    return _corpus_scores(corpus, metric)


@cache
def _corpus_scores(corpus: Corpus, metric: str) -> np.ndarray:
    return METRICS[metric].of_systems(corpus)


@cache
def sentence_scores(corpus: Corpus, metric: str) -> np.ndarray:
    """Score every sentence of the systems with one of `METRICS`; (system, sentence)."""
    return METRICS[metric].of_sentences(corpus)


def ngrams(corpus: Corpus, **options: Any) -> np.ndarray:
    """Score n-grams of the systems; the axes are (beta, system, sentence) as the options ask."""
    sources = corpus.sources if options["metric"] in ("green", "gleu") else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        texts = (corpus.systems, sources, corpus.references)
        table = compare(*texts, **{"n_resamples": 0, **options})
    values = table[options["metric"]].to_numpy()
    if options.get("level") == "sentence":
        return values.reshape(len(corpus.systems), -1)
    if isinstance(options.get("beta"), list):
        return values.reshape(len(corpus.systems), -1).T
    return values


def _count_edits(corpus: Corpus, metric: str) -> Statistics:
    """Find gold edits among those of the systems, with "m2" or "errant"."""
    systems: Mapping[str, Any] = corpus.systems if metric == "m2" else corpus.edits.systems
    gold = corpus.edits.official if metric == "m2" else corpus.edits.gold
    return edits.count(corpus_with_gold(systems, None, None, gold), Options(metric=metric))


def _count_columns(corpus: Corpus) -> np.ndarray:
    """The statistics of I-measure, (system, sentence, text, count)."""
    tokenize = cache(TreebankWordTokenizer().tokenize)
    references = i_measure.official_references(corpus.edits.official, tokenize)
    return np.array(
        [
            i_measure.statistics(corpus.sources, texts, references)
            for texts in corpus.systems.values()
        ]
    )


def _cleme(corpus: Corpus) -> tuple[np.ndarray, np.ndarray]:
    """The scores of systems, (system,), and sentences, (system, sentence)."""
    systems = [(corpus.edits.systems[name], corpus.edits.gold) for name in corpus.systems]
    functions = (cleme.corpus_score, cleme.sentence_scores)
    of_systems, of_sentences = ([score(*each) for each in systems] for score in functions)
    return np.array(of_systems), np.array(of_sentences)


COUNTERS: dict[str, Callable[[Corpus], Any]] = {
    **{name: partial(_count_edits, metric=metric) for name, metric in EDITS.items()},
    "CLEME": _cleme,
    "I-measure": _count_columns,
}


@cache
def counted(corpus: Corpus, metric: str) -> Any:
    """What one of `COUNTERS` returns for a corpus; for a part of it, what it returned there."""
    if not corpus.whole or metric == "CLEME":
        return COUNTERS[metric](corpus)
    whole, left_out = counted(corpus.whole, metric), list(corpus.left_out)
    if metric == "I-measure":
        return np.delete(whole, left_out, axis=1)
    return whole.select_sentences(~np.isin(np.arange(len(whole.n_references)), left_out))


def edit_statistics(corpus: Corpus, metric: str, **options: Any) -> Statistics:
    """The statistics of M² or ERRANT, of edits that are counted once for all options."""
    statistics, checked = counted(corpus, metric), Options(metric=EDITS[metric], **options)
    rows = np.repeat(statistics.rows, len(checked.betas), axis=0)
    return replace(
        statistics, options=checked, metric=type(statistics.metric).make(checked), rows=rows
    )


def _edits_of_systems(corpus: Corpus, metric: str, **options: Any) -> np.ndarray:
    values = edit_statistics(corpus, metric, **options).results()[EDITS[metric]]
    return values if isinstance(options.get("beta"), list) else values[0]


def _edits_of_sentences(corpus: Corpus, metric: str) -> np.ndarray:
    return edit_statistics(corpus, metric).sentence_values()[EDITS[metric]][0]


class Metric(NamedTuple):
    of_systems: Callable[..., np.ndarray] | None  # (system,) at the level "corpus", if it has one
    of_sentences: Callable[[Corpus], np.ndarray]  # (system, sentence)


METRICS: dict[str, Metric] = {
    **{
        name: Metric(
            partial(_edits_of_systems, metric=name), partial(_edits_of_sentences, metric=name)
        )
        for name in EDITS
    },
    "CLEME": Metric(
        lambda corpus: counted(corpus, "CLEME")[0], lambda corpus: counted(corpus, "CLEME")[1]
    ),
    "I-measure": Metric(
        lambda corpus: i_measure.improvement(counted(corpus, "I-measure").sum(axis=1)),
        lambda corpus: i_measure.improvement(counted(corpus, "I-measure")),
    ),
    **{
        name: Metric(
            None if options.get("selection") == "mean" else partial(ngrams, **options),
            partial(ngrams, level="sentence", **options),
        )
        for name, options in NGRAMS.items()
    },
}


def has_corpus_level(metric: str) -> bool:
    return metric not in METRICS or METRICS[metric].of_systems is not None
