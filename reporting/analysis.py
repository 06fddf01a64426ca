"""`analyse`: everything that a report says about a score, as numbers; knows no HTML."""

import math
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from .. import arrow_arrays, sentences, significance
from ..counting import Statistics, count
from ..explanation import visible
from ..inputs import Corpus
from ..options import EDIT_METRICS
from ..significance import Progress, no_progress
from ..tokenization import get_tokenizer
from .figures import SIGNIFICANCE_LEVEL, span

# The curve's values of beta.
BETAS = np.geomspace(0.25, 4, 9).tolist()
# Only the best systems are compared pair by pair: more make no readable table.
MOST_PAIRED = 20
# Resamples per pair, at least: with fewer, even the smallest p-values would be large after their
# correction for all pairs.
_RESAMPLES_PER_PAIR = 80
# For ranks and pairs, a resample's score averages over this many draws of references: GLEU's 500
# would take ten times as long, and the figures hardly change.
MOST_DRAWS = 50
# The best systems have sentences, this many per pair and per system.
_MOST_WITH_SENTENCES = 6
MOST_SENTENCES = 3
# Groups of sentences by length, and the fewest sentences of one.
_MOST_GROUPS = 5
_FEWEST_SENTENCES = 10


class Pairs(NamedTuple):
    """The best systems pair by pair; rows and columns are in the order of their scores.

    Figures are the row's score minus the column's, its p-value, and that corrected for all pairs.
    """

    figures: np.ndarray  # (figure, system, system)
    n_resamples: int

    def between(self, row: int, column: int) -> tuple[float, float, float]:
        return tuple(self.figures[:, row, column].tolist())

    def is_better(self, row: int, column: int) -> bool:
        """Whether a system is significantly better than another one."""
        difference, _, holm = self.between(row, column)
        return difference > 0 and holm < SIGNIFICANCE_LEVEL


class Series(NamedTuple):
    """Scores of all systems at places of an axis."""

    title: str  # of the axis
    labels: list[str]
    values: np.ndarray  # (place, system)
    line: float | None = None  # a position to point out, from 0 to 1


class Sentences(NamedTuple):
    """The sentences that matter most, each with its effect on the score of the corpus."""

    pairs: dict[tuple[int, int], list[tuple[int, float]]]  # contributions to a difference
    systems: dict[int, list[tuple[int, float]]]  # costs


class Analysis(NamedTuple):
    """A score of all systems, which are numbered in the order of the corpus."""

    statistics: Statistics
    corpus: Corpus  # lists of texts; without sources if the score takes none
    baseline: int
    columns: dict[str, list]  # as in the table of `compare`, one row per system
    pairs: Pairs | None = None
    ranks: np.ndarray | None = None  # the interval of each rank: (system, 2)
    by_beta: Series | None = None
    by_length: Series | None = None
    sentences: Sentences = Sentences({}, {})

    @property
    def title(self) -> str:
        """What people call the score."""
        return self.statistics.metric.title.format(n=self.statistics.options.order)

    @property
    def names(self) -> list[str]:
        return [visible(str(name)) for name in self.corpus.systems]

    @property
    def scores(self) -> list[float]:
        return self.columns[self.statistics.options.metric]

    @property
    def order(self) -> list[int]:
        """The systems, the best one first."""
        return np.argsort(-np.array(self.scores), kind="stable").tolist()


def analyse(
    statistics: Statistics, corpus: Corpus, baseline: int, progress: Progress = no_progress
) -> Analysis:
    """Everything about one score of a corpus, whose texts are lists."""
    analysis, options = analyse_scores(statistics, corpus, baseline, progress), statistics.options
    ranks = None
    if len(corpus.systems) > 1 and options.confidence_level:
        resampled = statistics.resampler(progress, MOST_DRAWS).bootstrap()[:, 0]
        ranks = significance.rank_interval(resampled, float(options.confidence_level))
    return analysis._replace(
        ranks=ranks,
        by_beta=_by_beta(analysis),
        by_length=_by_length(analysis),
        sentences=_sentences(analysis),
    )


def analyse_scores(
    statistics: Statistics, corpus: Corpus, baseline: int, progress: Progress = no_progress
) -> Analysis:
    """The scores and, if there is a test, all pairs of systems."""
    if not statistics.metric.needs_sources:  # other scores of the same report may
        corpus = replace(corpus, sources=None)
    results = statistics.results(baseline, progress)
    columns = statistics.columns(list(corpus.systems), results)
    analysis = Analysis(statistics, corpus, baseline, columns)
    has_test = statistics.options.paired is not None
    return analysis._replace(pairs=_pairs(analysis, progress) if has_test else None)


def _pairs(analysis: Analysis, progress: Progress) -> Pairs:
    statistics, best = analysis.statistics, analysis.order[:MOST_PAIRED]
    n_pairs = math.comb(len(best), 2)
    n_resamples = max(statistics.options.n_resamples, _RESAMPLES_PER_PAIR * n_pairs)
    statistics = statistics.select_systems(best).replace(n_resamples=n_resamples)
    (p_values,) = statistics.pairwise_p_values(progress, MOST_DRAWS)
    holm, above = np.full_like(p_values, np.nan), np.triu_indices(len(p_values), 1)
    holm[above] = holm.T[above] = significance.holm(p_values[above])
    scores = np.array(analysis.scores)[best]
    return Pairs(np.stack([scores[:, None] - scores, p_values, holm]), n_resamples)


def _by_beta(analysis: Analysis) -> Series | None:
    """The score as a function of beta, if it has one."""
    statistics = analysis.statistics
    if not statistics.options.betas:
        return None
    options = statistics.options.replace(beta=BETAS, detailed=False, n_resamples=0)
    if options.metric in EDIT_METRICS:  # the counts are the same for all betas
        rows = np.repeat(statistics.rows, len(BETAS), axis=0)
        metric = type(statistics.metric).make(options)
        by_beta = replace(statistics, options=options, metric=metric, rows=rows)
    else:
        (by_beta,) = count(analysis.corpus, [options], warn=None)
    labels, values = [f"{beta:.2g}" for beta in BETAS], by_beta.results()[options.metric]
    line = math.log(statistics.options.betas[0] / BETAS[0], BETAS[-1] / BETAS[0])
    return Series("β, weight of recall", labels, values, line if 0 <= line <= 1 else None)


def _by_length(analysis: Analysis) -> Series | None:
    """The score of short and of long sentences, in groups of about the same size."""
    corpus, options = analysis.corpus, analysis.statistics.options
    texts = corpus.sources or [references[0] for references in corpus.references]
    _, lengths = get_tokenizer(options.tokenizer).number(arrow_arrays.strings(texts))
    n_groups = min(_MOST_GROUPS, len(lengths) // _FEWEST_SENTENCES)
    inner = np.quantile(lengths, np.arange(1, n_groups) / n_groups, method="inverted_cdf")
    groups = np.searchsorted(np.unique(inner), lengths)  # a group ends with its bound
    statistics = analysis.statistics.replace(n_resamples=0)
    labels, values = [], []
    for group in np.unique(groups):
        is_selected = groups == group
        labels.append(span(lengths[is_selected].min(), lengths[is_selected].max()))
        selected = statistics.select_sentences(is_selected)
        values.append(selected.results()[options.metric][0])
    tokens = {"word": "words", "char": "characters"}.get(options.tokenizer_name, "tokens")
    title = f"{tokens} in the {'source' if corpus.sources else 'first reference'}"
    return Series(title, labels, np.array(values)) if len(labels) > 1 else None


def _sentences(analysis: Analysis) -> Sentences:
    """The sentences that make the difference of two systems, and those that cost a system most."""
    best = analysis.order[:_MOST_WITH_SENTENCES]
    statistics = analysis.statistics.select_systems(best)
    costs = sentences.costs(analysis.corpus, statistics)
    pairs = [*combinations(range(len(best)), 2)]
    contributions = sentences.contributions(statistics, pairs)
    return Sentences(
        {
            (best[one], best[other]): _largest(effects, np.abs(effects))
            for (one, other), effects in zip(pairs, contributions, strict=True)
        },
        {system: _largest(effects, effects) for system, effects in zip(best, costs, strict=True)},
    )


def _largest(effects: np.ndarray, sizes: np.ndarray) -> list[tuple[int, float]]:
    rows = sentences.largest(sizes, MOST_SENTENCES)
    return [*zip(rows.tolist(), effects[rows].tolist(), strict=True)]
