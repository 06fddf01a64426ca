"""What a report shows of a score, as numbers; knows no HTML."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from .. import sentences, significance
from ..counting import Statistics
from ..explanation import visible
from ..inputs import Corpus
from ..metrics import Values
from ..options import EDIT_METRICS, Options
from ..significance import Progress, no_progress
from ..tokenization import get_tokenizer
from .figures import SMALL

# Every fourth value of beta, from 1/4 to 4, has a marker; scores of edits have these alone, because
# they choose between annotators again for each.
BETAS = np.geomspace(0.25, 4, 17).tolist()
MARKED = 4
# Only the best systems are compared pair by pair: more make no readable table.
MOST_PAIRED = 20
# Resamples per pair, at least: with fewer, even the smallest p-values would be large after their
# correction for all pairs.
_RESAMPLES_PER_PAIR = 80
# For ranks and pairs, a resample's score averages over this many draws of references: GLEU's 500
# would take ten times as long, and the figures hardly change.
MOST_DRAWS = 50
# Sentences that are shown of each pair of the best systems, and of each of these systems.
MOST_SHOWN = 12
PER_PAIR = 3
PER_SYSTEM = 3
# Groups of sentences by length, and the fewest sentences of one.
_MOST_GROUPS = 5
_FEWEST_SENTENCES = 10


class Pairs(NamedTuple):
    """All pairs of systems; NaN for those that are not compared."""

    differences: np.ndarray  # the row's score minus the column's: (system, system)
    p_values: np.ndarray  # (system, system)
    holm: np.ndarray  # corrected for all pairs: (system, system)
    n_resamples: int

    def between(self, one: int, other: int) -> tuple[float, float, float]:
        """The difference, its p-value and the corrected one."""
        difference, p_value, holm = (float(values[one, other]) for values in self[:3])
        return difference, p_value, holm

    def is_better(self, one: int, other: int) -> bool:
        """Whether a system is significantly better than another one."""
        return bool(self.differences[one, other] > 0 and self.holm[one, other] < SMALL)


class Series(NamedTuple):
    """Scores of all systems at several places."""

    places: list[float]
    labels: list[str]
    values: np.ndarray  # (place, system)


class Sentences(NamedTuple):
    """The sentences that matter most, each with its effect on the score of the corpus."""

    pairs: dict[tuple[int, int], list[tuple[int, float]]]  # contributions to a difference
    systems: dict[int, list[tuple[int, float]]]  # costs


class Findings(NamedTuple):
    """A score of all systems, which are numbered as they were given."""

    statistics: Statistics
    corpus: Corpus  # lists of texts; without sources if the score takes none
    baseline: int
    columns: dict[str, list]  # as in the table of `compare`, one row per system
    by_beta: Series | None
    ranks: np.ndarray | None = None  # the interval of each rank: (system, 2)
    pairs: Pairs | None = None
    by_length: Series | None = None
    sentences: Sentences = Sentences({}, {})

    @property
    def names(self) -> list[str]:
        return [visible(str(name)) for name in self.corpus.systems]

    @property
    def scores(self) -> list[float]:
        return self.columns[self.statistics.options.metric]

    @property
    def has_fewer_draws(self) -> bool:
        """Whether resamples for ranks and pairs have fewer draws of references than the score."""
        options, several = self.statistics.options, self.statistics.n_references.max() > 1
        draws = options.selection == "sample" and options.level == "corpus" and several
        return bool(draws and options.iterations > MOST_DRAWS)

    @property
    def order(self) -> list[int]:
        """The systems, the best one first."""
        return np.argsort(-np.array(self.scores), kind="stable").tolist()


def settings_by_beta(settings: Sequence[Options]) -> list[Options]:
    """What to count besides the settings of a report, for the curves of GREEN."""
    return [
        each.replace(beta=BETAS, detailed=False, n_resamples=0, paired=None)
        for each in settings
        if each.metric == "green"
    ]


def find(
    statistics: Statistics,
    corpus: Corpus,
    baseline: int,
    results: Values,
    at_betas: Sequence[Statistics],
    progress: Progress = no_progress,
) -> Findings:
    """Everything about one score of a corpus, whose texts are lists.

    `results` are those of the statistics, for one beta; `at_betas` was counted with
    `settings_by_beta`.
    """
    options, has_several = statistics.options, len(corpus.systems) > 1
    if not statistics.metric.needs_sources:  # other scores of the same report may
        corpus = replace(corpus, sources=None)
    ranks = None
    if has_several and options.confidence_level:
        resampled = statistics.resampler(progress, MOST_DRAWS).bootstrap()[:, 0]
        ranks = significance.rank_interval(resampled, float(options.confidence_level))
    scores = results[options.metric][0]
    return Findings(
        statistics,
        corpus,
        baseline,
        statistics.columns(list(corpus.systems), results),
        find_by_beta(statistics, at_betas),
        ranks,
        _pairs(statistics, scores, progress) if has_several else None,
        _by_length(statistics, corpus),
        _sentences(statistics, corpus, scores),
    )


def n_pair_resamples(n_systems: int, n_resamples: int) -> int:
    n_best = min(n_systems, MOST_PAIRED)
    return max(n_resamples, _RESAMPLES_PER_PAIR * (n_best * (n_best - 1) // 2))


def _pairs(statistics: Statistics, scores: np.ndarray, progress: Progress) -> Pairs | None:
    if not statistics.options.paired:
        return None
    best = np.argsort(-scores, kind="stable")[:MOST_PAIRED]
    above = np.triu_indices(len(best), 1)
    n_resamples = n_pair_resamples(len(best), statistics.options.n_resamples)
    paired = statistics.select_systems(best).replace(n_resamples=n_resamples)
    (p_values,) = paired.pairwise_p_values(progress, most=MOST_DRAWS)
    holm = np.full_like(p_values, np.nan)
    holm[above] = holm.T[above] = significance.holm(p_values[above])
    differences = scores[:, None] - scores
    all_p_values, all_holm = np.full((2, *differences.shape), np.nan)
    all_p_values[np.ix_(best, best)], all_holm[np.ix_(best, best)] = p_values, holm
    return Pairs(differences, all_p_values, all_holm, n_resamples)


def find_by_beta(statistics: Statistics, at_betas: Sequence[Statistics]) -> Series | None:
    """The score as a function of beta, if it has one."""
    options = statistics.options
    if not options.betas:
        return None
    betas = BETAS
    if options.metric in EDIT_METRICS:  # the counts are the same for all betas
        betas = BETAS[::MARKED]
        options = options.replace(beta=betas, n_resamples=0, paired=None)
        metric = type(statistics.metric).make(options)
        rows = np.repeat(statistics.rows, len(betas), axis=0)
        at_betas = [replace(statistics, options=options, metric=metric, rows=rows, chosen=None)]
    (statistics_by_beta,) = at_betas
    return Series(
        np.linspace(0, 1, len(betas)).tolist(),
        [f"{beta:g}" for beta in betas],
        statistics_by_beta.results()[options.metric],
    )


def _by_length(statistics: Statistics, corpus: Corpus) -> Series | None:
    """The score of short and of long sentences, in groups of about the same size."""
    options = statistics.options
    texts = corpus.sources or [references[0] for references in corpus.references]
    split = get_tokenizer(options.tokenizer).split
    lengths = np.array([len(split(text)) for text in texts])
    n_groups = min(_MOST_GROUPS, len(lengths) // _FEWEST_SENTENCES)
    if n_groups < 2:
        return None
    inner = np.quantile(lengths, np.arange(1, n_groups) / n_groups, method="inverted_cdf")
    groups = np.searchsorted(np.unique(inner), lengths)  # a group ends with its bound
    labels, values = [], []
    for group in np.unique(groups):
        is_selected = groups == group
        fewest, most = lengths[is_selected].min(), lengths[is_selected].max()
        labels.append(f"{fewest}" if fewest == most else f"{fewest}–{most}")
        selected = statistics.select_sentences(is_selected).replace(n_resamples=0, paired=None)
        values.append(selected.results()[options.metric][0])
    places = np.linspace(0, 1, len(labels)).tolist()
    return Series(places, labels, np.array(values)) if len(labels) > 1 else None


def _sentences(statistics: Statistics, corpus: Corpus, scores: np.ndarray) -> Sentences:
    """The sentences that make the difference of two systems, and those that cost a system most."""
    level, best = statistics.options.level, np.argsort(-scores, kind="stable")[:MOST_SHOWN].tolist()
    statistics = statistics.replace(level="sentence", n_resamples=0, paired=None)
    statistics = statistics.select_systems(best)
    reference_statistics = sentences.count_references(corpus, statistics.options)
    costs = sentences.costs(statistics, reference_statistics, level)
    pairs = [*combinations(range(len(best)), 2)]
    contributions = sentences.contributions(statistics, level, pairs)

    def most(effects: np.ndarray, sizes: np.ndarray, n: int) -> list[tuple[int, float]]:
        rows = sentences.largest(sizes, n)
        return [*zip(rows.tolist(), effects[rows].tolist(), strict=True)]

    return Sentences(
        {
            (best[one], best[other]): most(effects, np.abs(effects), PER_PAIR)
            for (one, other), effects in zip(pairs, contributions, strict=True)
        },
        {
            system: most(effects, effects, PER_SYSTEM)
            for system, effects in zip(best, costs, strict=True)
        },
    )
