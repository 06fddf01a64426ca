"""The benchmark: the corpora that were found, scores of their systems, and agreement with people.

Arrays of scores have the shape (…, system); correlations are taken over the systems.
"""

import os
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from . import metrics
from .corpora import READERS, Corpus
from .files import Missing
from .others import Others, read_others

JUDGMENTS = {
    "CoNLL": "conll14",
    "SEEDA-S": "seeda",
    "SEEDA-E": "seeda",
    "FCE": "gmeg-fce",
    "Wiki": "gmeg-wiki",
}
KINDS = ("r", "ρ")

Corpora = dict[str, Corpus]  # the complete ones, by folder
Progress = Callable[[str], None]


@dataclass
class Bench:
    """What was read, with a note on everything that is left out because a file is missing."""

    corpora: Corpora
    others: Others = field(default_factory=Others)
    notes: list[str] = field(default_factory=list)

    def system_scores(
        self, folder: str, metric: str, level: str = "corpus", **options: Any
    ) -> np.ndarray | None:
        """The systems' scores by a metric, ours or another one; None if they cannot be had."""
        corpus = self.corpora.get(folder)
        if corpus is None:
            return None
        if metric not in metrics.METRICS:
            return self.others.system_scores(corpus, metric, level)
        return self._unless_missing(
            *(folder, metric), lambda: metrics.system_scores(corpus, metric, level, **options)
        )

    def sentence_scores(self, folder: str, metric: str) -> np.ndarray | None:
        """The scores of a corpus's sentences, (system, sentence), in the same way."""
        corpus = self.corpora[folder]
        if metric not in metrics.METRICS:
            return self.others.sentence_scores(corpus, metric)
        return self._unless_missing(
            *(folder, metric), lambda: metrics.sentence_scores(corpus, metric)
        )

    def _unless_missing(
        self, folder: str, metric: str, score: Callable[[], np.ndarray]
    ) -> np.ndarray | None:
        try:
            return score()
        except Missing as missing:
            note = f"{metric} on {folder}: {missing}"
            if note not in self.notes:
                self.notes.append(note)
            return None

    def correlations(
        self, metric: str, judgments: Iterable[str], level: str = "corpus", **options: Any
    ) -> list[float]:
        """The cells of a row: r and ρ per judgment, NaN if there are no scores."""
        cells: list[float] = []
        for judgment in judgments:
            folder = JUDGMENTS[judgment]
            scores = self.system_scores(folder, metric, level, **options)
            if scores is None:
                cells += [np.nan, np.nan]
                continue
            try:
                cells += correlate(self.corpora[folder], judgment, scores).tolist()
            except ValueError as error:
                raise ValueError(f"{metric}, {folder}, {level}: {error}") from None
        return cells


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments that name what is read."""
    default = os.environ.get("GREEN_DATA_DIR") or None
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        default=default,
        required=default is None,
        help="the corpora, laid out as in experiments/README.md (default: $GREEN_DATA_DIR)",
    )
    parser.add_argument(
        "--scores",
        type=Path,
        metavar="FILE",
        nargs="+",
        default=[],
        help="CSV files with scores of other metrics, of systems or of sentences",
    )


def read(data: Path, scores: Sequence[Path], progress: Progress) -> Bench:
    """Read all complete corpora, and the scores of other metrics."""
    found = Bench({}, read_others(scores))
    for folder, read_corpus in READERS.items():
        progress(f"reading {folder}")
        try:
            found.corpora[folder] = read_corpus(data)
        except Missing as missing:
            found.notes.append(f"{folder}: {missing}")
            progress(f"left out {found.notes[-1]}")
    if not found.corpora:
        raise ValueError(f"no complete corpus in {data}; see experiments/README.md for the layout")
    found.notes += found.others.check(found.corpora)
    return found


def correlate(corpus: Corpus, judgment: str, scores: np.ndarray) -> np.ndarray:
    """Correlate scores (…, system) with human judgment: Pearson's r and Spearman's ρ, (kind, …)."""
    human = corpus.human[judgment][corpus.counted]
    counted = scores[..., corpus.counted]
    if not np.ptp(human) or not np.ptp(counted, axis=-1).all():
        whose = "the metric's scores" if np.ptp(human) else "human scores"
        raise ValueError(f"{judgment}: {whose} are all equal, so their correlation is undefined")
    return correlations(counted, human)


def correlations(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Pearson's r and Spearman's ρ along the last axis: (kind, …); NaN if all values are equal."""
    ranks = (stats.rankdata(values, axis=-1) for values in (ours, theirs))
    return np.stack([_pearson(*pair) for pair in ((ours, theirs), tuple(ranks))])


def _pearson(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """As scipy's `pearsonr`, which also computes p-values and takes forty times as long."""
    with np.errstate(invalid="ignore", divide="ignore"):
        # Scaled, because squares of very large or small scores would not be numbers.
        ours, theirs = (
            values / np.abs(values).max(axis=-1, keepdims=True) for values in (ours, theirs)
        )
        one, other = (values - values.mean(axis=-1, keepdims=True) for values in (ours, theirs))
        return (one * other).sum(axis=-1) / np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))
