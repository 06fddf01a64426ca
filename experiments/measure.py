"""Compute what the papers do not print.

Arrays of scores have the shape (…, system); correlations are taken over the systems.
"""

from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy import stats

from green_gec.counting import count
from green_gec.inputs import Corpus as Texts
from green_gec.metrics import make_metric
from green_gec.options import OWN_OPTIONS, Options

from . import metrics
from .bench import Bench, Corpora, correlate
from .corpora import Corpus
from .metrics import sentence_scores, system_scores
from .tables import LEVELS, TABLE_2

N_RESAMPLES = 5000
N_DRAWS = 1000
SEED = 12345


class Drawn(NamedTuple):
    """Correlations of sentence-level GLEU with references averaged and with references drawn."""

    metric: str
    judgment: str
    averaged: np.ndarray  # (kind,)
    drawn: np.ndarray  # (kind,)
    other_draws: np.ndarray  # (kind, draw), with other seeds


def drawn_references(corpora: Corpora) -> list[Drawn]:
    """Correlate sentence-level GLEU with references drawn 500 times, as at the corpus level."""
    rows = []
    folders = [folder for folder in ("conll14", "seeda") if folder in corpora]
    for metric, folder in product(("wordGLEU", "charGLEU"), folders):
        corpus = corpora[folder]
        n_sentences = len(corpus.sources)
        by_reference = np.stack(
            [sentence_scores(one_reference(corpus, n), metric) for n in (0, 1)], axis=-1
        )  # (system, sentence, reference)
        averaged = np.full((n_sentences, 2), 0.5)
        n_draws, rng = OWN_OPTIONS["gleu"]["iterations"], np.random.default_rng(SEED)
        second = rng.binomial(n_draws, 0.5, (N_DRAWS, n_sentences)) / n_draws
        others = np.stack([1 - second, second], axis=-1)
        # Weights of the references, (…, sentence, reference), give the systems' means, (…, system).
        means = [
            np.einsum("sdr,...dr->...s", by_reference, weights, optimize=True) / n_sentences
            for weights in (averaged, drawn_shares(n_sentences), others)
        ]
        for judgment in corpus.human:
            found = (correlate(corpus, judgment, values) for values in means)
            rows.append(Drawn(metric, judgment, *found))
    return rows


def drawn_shares(n_sentences: int) -> np.ndarray:
    """The share of draws per reference, of two, in the original code: (sentence, reference)."""
    n_references = np.full(n_sentences, 2)
    references = np.tile([0, 1], n_sentences)[None, None]  # (beta, system, reference)
    gleu = make_metric(Options(metric="gleu"))
    second = np.concatenate([*gleu.summands(references, n_references)])[:, 0].mean(axis=0)
    return np.stack([1 - second, second], axis=-1)


def one_reference(corpus: Corpus, reference: int) -> Corpus:
    return replace(corpus, references=[[listed[reference]] for listed in corpus.references])


class Stability(NamedTuple):
    """How certain wordGREEN's ranking of systems is; systems are sorted by score, best first."""

    names: list[str]
    scores: np.ndarray  # (system,)
    intervals: np.ndarray  # (system, bound)
    human: np.ndarray  # Expected Wins, (system,)
    differ: np.ndarray  # whether the difference is significant, (system, system)
    rank_probability: np.ndarray  # (system, rank)


def stability(conll: Corpus) -> Stability:
    """Compute intervals, pairwise tests and ranks under resampling for CoNLL's systems."""
    options = Options(n_resamples=N_RESAMPLES, paired="ar", seed=SEED)
    texts = Texts.check(conll.sources, conll.systems, conll.references)
    (statistics,) = count(texts, [options])
    results = statistics.results()
    values, intervals = results["green"][0], results["confidence_interval"][0]
    (p_values,) = statistics.pairwise_p_values()

    above = np.triu_indices(len(values), 1)
    differ = np.zeros_like(p_values, dtype=bool)
    differ[above] = stats.false_discovery_control(p_values[above]) < 0.05
    differ |= differ.T

    resampled = statistics.resampler().bootstrap()[:, 0]
    ranks = stats.rankdata(-resampled, axis=-1, method="ordinal")
    probability = np.stack([(ranks == n + 1).mean(axis=0) for n in range(len(values))], axis=-1)

    order = np.argsort(-values)
    names = list(conll.systems)
    return Stability(
        [names[index] for index in order],
        *(values[order], intervals[order], conll.human["CoNLL"][order]),
        *(differ[np.ix_(order, order)], probability[order]),
    )


Variants = dict[tuple[str, str, str], list[float]]  # rows of Table 2, by metric, level and way


class Stripped(NamedTuple):
    rows: Variants
    gains: dict[str, float]  # in charGREEN, of systems with whitespace around every text


def stripped(bench: Bench) -> Stripped:
    """Compute character scores of the texts as they are and without the whitespace around them."""
    ways = {"as they are": {}, "stripped": {"strip": True}}
    rows = {
        (metric, name, way): bench.correlations(metric, TABLE_2, level, **options)
        for metric, (name, level), (way, options) in product(
            ("charGREEN", "charGLEU"), LEVELS.items(), ways.items()
        )
    }
    gains = {}
    for corpus in bench.corpora.values():
        before, after = (system_scores(corpus, "charGREEN", **way) for way in ways.values())
        for gain, (name, texts) in zip(
            (after - before).tolist(), corpus.systems.items(), strict=True
        ):
            if all(text != text.strip() for text in texts):
                gains[name] = gain
    return Stripped(rows, gains)


def single_references(bench: Bench) -> Variants:
    """Compute GREEN with both references and with each alone."""
    ways = {
        "both": bench,
        "the first only": with_one(bench, 0),
        "the second only": with_one(bench, 1),
    }
    return {
        (metric, name, way): part.correlations(metric, TABLE_2, level)
        for metric, (name, level), (way, part) in product(
            ("wordGREEN", "charGREEN"), LEVELS.items(), ways.items()
        )
    }


def with_one(bench: Bench, reference: int) -> Bench:
    """CoNLL-2014 and SEEDA with one of their two references."""
    folders = [folder for folder in ("conll14", "seeda") if folder in bench.corpora]
    return replace(
        bench, corpora={key: one_reference(bench.corpora[key], reference) for key in folders}
    )


class Fluency(NamedTuple):
    """Pearson's r on SEEDA-S and SEEDA-E, with more and more of the systems."""

    metric: str
    level: str
    r: dict[str, list[float]]  # by judgment: for each of `FLUENCY`


# How many of SEEDA's systems count: those of correlations, then the two that rewrite for fluency as
# well, then also the source.
FLUENCY = (12, 14, 15)


def fluency(bench: Bench) -> list[Fluency]:
    """Correlate with SEEDA's judgments without and with the systems that rewrite for fluency."""
    seeda = bench.corpora["seeda"]
    not_source = np.array([name != "INPUT" for name in seeda.systems])
    counted = (seeda.counted, not_source, np.ones_like(not_source))
    rows = []
    for (name, level), metric in product(LEVELS.items(), metrics.METRICS):
        if level == "corpus" and not metrics.has_corpus_level(metric):
            continue
        values = bench.system_scores("seeda", metric, level)
        if values is not None:
            r = {
                judgment: [
                    correlate(replace(seeda, counted=some), judgment, values)[0].item()
                    for some in counted
                ]
                for judgment in seeda.human
            }
            rows.append(Fluency(metric, name, r))
    return rows
