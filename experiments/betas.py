"""How much recall should count: correlations of F-scores at many betas, and the best ones."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from green_gec.counting import count
from green_gec.inputs import Corpus as Texts
from green_gec.metrics import make_metric
from green_gec.options import Options

from . import metrics, published
from .bench import KINDS, Bench, Progress, correlate
from .corpora import Corpus
from .metrics import NGRAMS
from .tables import FIRST

GREEN = ("wordGREEN", "charGREEN")

# The betas of Figure 3. The first one stands for 0, at which F is the precision; GREEN accepts only
# positive values, and at this one the weight of the recall vanishes to the last bit.
BETAS = np.arange(501) / 100
BETAS[0] = 1e-9

N_SPLITS = 20
SEED = 12345


class Curve(NamedTuple):
    """Correlations of an F-score at all `BETAS`."""

    metric: str
    judgment: str
    correlations: np.ndarray  # (kind, beta)


class BetaStar(NamedTuple):
    """The best beta, estimated as in the first paper, and its range over random splits."""

    metric: str
    judgment: str
    kind: str
    printed: float
    estimate: float
    low: float
    high: float


def curves(bench: Bench, progress: Progress) -> tuple[list[Curve], list[BetaStar]]:
    """Compute Figure 3 for every corpus, and GREEN's best betas for the first paper's corpora."""
    found, stars = [], []
    for folder, corpus in bench.corpora.items():
        for metric in (*GREEN, *metrics.EDITS):
            progress(f"{metric} at {len(BETAS)} betas on {folder}")
            if metric in GREEN:
                sums = sums_by_chunk(corpus, metric)
                values = green_at_betas(sums.sum(axis=0))
                stars += _best_betas(corpus, metric, sums)
            elif bench.system_scores(folder, metric) is None:
                continue
            else:
                values = edits_at_betas(corpus, metric)
            found += [
                Curve(metric, judgment, correlate(corpus, judgment, values))
                for judgment in corpus.human
            ]
    return found, stars


def edits_at_betas(corpus: Corpus, metric: str) -> np.ndarray:
    """M² or ERRANT of the corpus at all `BETAS`: (beta, system).

    As in the package, each sentence counts with the annotator that makes the score of all sentences
    so far highest; here, that is found for all betas and systems at once.
    """
    statistics = metrics.edit_statistics(corpus, metric)
    counts, n_annotators = statistics.rows, statistics.n_references
    is_better = {"M²": _is_better_m2, "ERRANT": _is_better_errant}[metric]
    sums = np.zeros((len(BETAS), *counts.shape[1::2]), dtype=np.int64)  # (beta, system, count)
    for entries in np.split(counts[0], np.cumsum(n_annotators)[:-1], axis=1):
        if (entries == entries[:, :1]).all():
            sums += entries[:, 0]
            continue
        best, *others = (sums + entries[:, at] for at in range(entries.shape[1]))
        for other in others:
            better = is_better(np.moveaxis(other, -1, 0), np.moveaxis(best, -1, 0))
            best = np.where(better[..., None], other, best)
        sums = best
    at_betas = replace(statistics.metric, beta=BETAS.tolist())
    return at_betas.values(sums)[metrics.EDITS[metric]]


Counts = np.ndarray  # (count, beta, system): correct, proposed and gold edits


def _is_better_m2(one: Counts, other: Counts) -> np.ndarray:
    """Compare as M² ranks annotators: in whole numbers, because ties decide."""
    weight, scale = np.rint(100 * BETAS[:, None]).astype(np.int64) ** 2, 10**4

    def fraction(counts: Counts) -> tuple[np.ndarray, ...]:
        correct, proposed, gold = counts
        cost = scale * proposed + weight * gold
        perfect = (proposed == 0) & (gold == 0)
        above = np.where(correct > 0, (scale + weight) * correct, perfect)
        return above, np.where(correct > 0, cost, 1), correct, -cost

    (above, below, *ours), (their_above, their_below, *theirs) = map(fraction, (one, other))
    ours, theirs = [above * their_below, *ours], [their_above * below, *theirs]
    return _is_greater(ours, theirs)


def _is_better_errant(one: Counts, other: Counts) -> np.ndarray:
    """Compare as ERRANT ranks annotators: by F rounded to four digits, then by counts."""

    def rank(counts: Counts) -> list[np.ndarray]:
        correct, proposed, gold = counts
        weight = (BETAS * BETAS)[:, None]
        precision, recall = correct / np.maximum(proposed, 1), correct / np.maximum(gold, 1)
        f = (1 + weight) * precision * recall
        f /= np.where(correct > 0, weight * precision + recall, 1)
        f = np.where(correct > 0, f, (proposed == 0) & (gold == 0))
        return [np.round(f, 4), correct, correct - proposed, correct - gold]

    return _is_greater(rank(one), rank(other))


def _is_greater(ours: Sequence[np.ndarray], theirs: Sequence[np.ndarray]) -> np.ndarray:
    """Compare arrays of tuples, given place by place."""
    greater, equal = np.bool_(False), np.bool_(True)
    for one, other in zip(ours, theirs, strict=True):
        greater |= equal & (one > other)
        equal &= one == other
    return greater


def green_at_betas(sums: np.ndarray) -> np.ndarray:
    """GREEN at all `BETAS`, (beta, system), of summed outcomes (beta, system, order, outcome)."""
    return make_metric(Options(beta=BETAS.tolist())).values(sums)["green"]


def sums_by_chunk(corpus: Corpus, metric: str) -> np.ndarray:
    """Sum outcomes over each tenth of a tenth of the sentences.

    Returns (chunk, beta, system, order, outcome); the chunks are in the order of the corpus.
    """
    options = Options(beta=BETAS.tolist(), **NGRAMS[metric])
    tenths = np.array_split(np.arange(len(corpus.sources)), 10)
    sums = []
    for chunk in (c for tenth in tenths for c in np.array_split(tenth, 10) if len(c)):
        part = slice(chunk[0], chunk[-1] + 1)
        systems = {name: texts[part] for name, texts in corpus.systems.items()}
        texts = Texts.check(corpus.sources[part], systems, corpus.references[part])
        (statistics,) = count(texts, [options], warn=None)
        sums.append(statistics.rows.sum(axis=2))
    return np.array(sums)


def _best_betas(corpus: Corpus, metric: str, sums: np.ndarray) -> list[BetaStar]:
    """Estimate the best beta for r and for ρ, with sentences split in order and at random.

    The paper does not say how it splits the sentences. Random splits keep chunks together.
    """
    judgment = next(iter(corpus.human))
    if judgment not in FIRST:
        return []
    rng = np.random.default_rng(SEED)
    in_order = estimate_betas(corpus, judgment, sums)
    others = np.array(
        [estimate_betas(corpus, judgment, rng.permutation(sums)) for _ in range(N_SPLITS)]
    )
    columns = published.FIRST_COLUMNS
    return [
        BetaStar(
            *(metric, judgment, kind),
            float(published.BEST_BETAS[metric][columns.index(f"{judgment} {kind}")]),
            *(in_order[n], others[:, n].min(), others[:, n].max()),
        )
        for n, kind in enumerate(KINDS)
    ]


def estimate_betas(corpus: Corpus, judgment: str, sums: np.ndarray) -> np.ndarray:
    """Average the ten betas that are best when one tenth of the chunks is left out: (kind,)."""
    total = sums.sum(axis=0)
    best = []
    for tenth in np.array_split(sums, 10):
        values = green_at_betas(total - tenth.sum(axis=0))
        best.append([middle_of_best(row) for row in correlate(corpus, judgment, values)])
    return np.mean(best, axis=0)


def middle_of_best(correlations: np.ndarray) -> float:
    """Average those of `BETAS` that share the highest correlation, (beta,)."""
    return BETAS[correlations >= correlations.max() - 1e-12].mean()
