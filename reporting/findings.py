"""What a report shows of a score, as numbers; knows no HTML."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from .. import multiset, sentences, significance
from ..api import Statistics
from ..corpus import Corpus, Edits
from ..options import EDIT_METRICS, OPTIONS, Options
from ..significance import Progress, without_progress
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

    of_pairs: dict[tuple[int, int], list[tuple[int, float]]]  # contributions to a difference
    of_systems: dict[int, list[tuple[int, float]]]  # costs


class Findings(NamedTuple):
    """A score of all systems, which are numbered as they were given."""

    statistics: Statistics
    texts: Corpus  # without sources if the score takes none
    baseline: int
    columns: dict[str, list]  # as in the table of `compare`, one row per system
    by_beta: Series | None
    ranks: np.ndarray | None = None  # the interval of each rank: (system, 2)
    pairs: Pairs | None = None
    by_length: Series | None = None
    sentences: Sentences = Sentences({}, {})

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.texts.systems]

    @property
    def scores(self) -> list[float]:
        return self.columns[self.statistics.options.metric]

    @property
    def order(self) -> list[int]:
        """The systems, the best one first."""
        return np.argsort(-np.array(self.scores), kind="stable").tolist()


def settings_by_beta(settings: Sequence[Options]) -> list[Options]:
    """What to count besides the settings of a report, for the curves of GREEN."""
    without = {"detailed": False, "n_resamples": 0, "paired": None}
    return [each.replace(beta=BETAS, **without) for each in settings if each.metric == "green"]


def find(
    statistics: Statistics,
    texts: Corpus,
    edits: Edits | None,
    baseline: int,
    results: dict[str, np.ndarray],
    at_betas: Sequence[Statistics],
    progress: Progress = without_progress,
) -> Findings:
    """Everything about one score.

    `results` are those of the statistics, for one beta; `at_betas` was counted with
    `settings_by_beta`.
    """
    options, names = statistics.options, [name for name, _ in texts.systems]
    if not statistics.scoring.needs_sources:  # other scores of the same report may
        texts = texts._replace(sources=None)
    several = len(names) > 1
    ranks = None
    if several and options.confidence_level:
        resampled = statistics.resampled(progress)[:, 0]
        ranks = significance.rank_interval(resampled, float(options.confidence_level))
    scores = results[options.metric][0]
    return Findings(
        statistics,
        texts,
        baseline,
        statistics.columns(names, results),
        find_by_beta(statistics, at_betas),
        ranks,
        _pairs(statistics, scores, progress) if several else None,
        _by_length(statistics, _measured(texts)),
        _sentences(statistics, texts, edits, scores),
    )


def _measured(texts: Corpus) -> list[str]:
    """The texts whose length is that of a sentence."""
    return texts.sources or [references[0] for references in texts.references]


def resamples_of_pairs(n_systems: int, n_resamples: int) -> int:
    n_best = min(n_systems, MOST_PAIRED)
    return max(n_resamples, _RESAMPLES_PER_PAIR * (n_best * (n_best - 1) // 2))


def _pairs(statistics: Statistics, scores: np.ndarray, progress: Progress) -> Pairs | None:
    if not statistics.options.paired:
        return None
    best = np.argsort(-scores, kind="stable")[:MOST_PAIRED]
    above = np.triu_indices(len(best), 1)
    n_resamples = resamples_of_pairs(len(best), statistics.options.n_resamples)
    of_best = statistics.of_systems(best).replace(n_resamples=n_resamples)
    (p_values,) = of_best.pairwise_p_values(progress)
    holm = np.full_like(p_values, np.nan)
    holm[above] = holm.T[above] = significance.holm(p_values[above])
    differences = scores[:, None] - scores
    all_p_values, all_holm = np.full((2, *differences.shape), np.nan)
    all_p_values[np.ix_(best, best)], all_holm[np.ix_(best, best)] = p_values, holm
    return Pairs(differences, all_p_values, all_holm, n_resamples)


def find_by_beta(statistics: Statistics, at_betas: Sequence[Statistics]) -> Series | None:
    """The score as a function of beta, if it has one."""
    options = statistics.options
    if not OPTIONS["beta"].is_of(options.metric):
        return None
    betas = BETAS
    if options.metric in EDIT_METRICS:  # the counts are the same for all betas
        betas = BETAS[::MARKED]
        several = options.replace(beta=betas, n_resamples=0, paired=None)
        repeated = np.repeat(statistics.summands, len(betas), axis=0)
        at_betas = [statistics.with_summands(several, repeated)]
    (of_betas,) = at_betas
    return Series(
        np.linspace(0, 1, len(betas)).tolist(),
        [f"{beta:g}" for beta in betas],
        of_betas.results()[options.metric],
    )


def _by_length(statistics: Statistics, texts: Sequence[str]) -> Series | None:
    """The score of short and of long sentences, in groups of about the same size."""
    options = statistics.options
    tokenizer = "word" if options.metric in EDIT_METRICS else options.tokenizer
    split = multiset.tokenizer(tokenizer).split
    lengths = np.array([len(split(text)) for text in texts])
    n_groups = min(_MOST_GROUPS, len(lengths) // _FEWEST_SENTENCES)
    if n_groups < 2:
        return None
    inner = np.quantile(lengths, np.arange(1, n_groups) / n_groups, method="inverted_cdf")
    groups = np.searchsorted(np.unique(inner), lengths)  # a group ends with its bound
    labels, values = [], []
    for group in np.unique(groups):
        are_taken = groups == group
        fewest, most = lengths[are_taken].min(), lengths[are_taken].max()
        labels.append(f"{fewest}" if fewest == most else f"{fewest}–{most}")
        group_alone = statistics.of_sentences(are_taken).replace(n_resamples=0, paired=None)
        values.append(group_alone.results()[options.metric][0])
    places = np.linspace(0, 1, len(labels)).tolist()
    return Series(places, labels, np.array(values)) if len(labels) > 1 else None


def _sentences(
    statistics: Statistics, texts: Corpus, edits: Edits | None, scores: np.ndarray
) -> Sentences:
    """The sentences that make the difference of two systems, and those that cost a system most."""
    level, best = statistics.options.level, np.argsort(-scores, kind="stable")[:MOST_SHOWN].tolist()
    alone = statistics.replace(level="sentence", n_resamples=0, paired=None).of_systems(best)
    of_references = sentences.count_references(texts, edits, alone.options)
    costs = sentences.costs(alone, of_references, level)
    pairs = [*combinations(range(len(best)), 2)]
    contributions = sentences.contributions(alone, level, pairs)

    def most(effects: np.ndarray, sizes: np.ndarray, n: int) -> list[tuple[int, float]]:
        rows = sentences.largest(sizes, n)
        return [*zip(rows.tolist(), effects[rows].tolist(), strict=True)]

    return Sentences(
        {
            (best[one], best[other]): most(effects, np.abs(effects), PER_PAIR)
            for (one, other), effects in zip(pairs, contributions, strict=True)
        },
        {index: most(some, some, PER_SYSTEM) for index, some in zip(best, costs, strict=True)},
    )
