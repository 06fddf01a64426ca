"""Which setting of GREEN ranks systems best over all judgments, and does the choice hold?"""

from itertools import product
from typing import NamedTuple

import numpy as np

from .bench import JUDGMENTS, Bench, correlate, correlations

N_RESAMPLES = 2000
SEED = 12345

# By name: the metric, the level and further options. The first one is the default.
SETTINGS = {
    f"{unit}, {level}{stripped}": (metric, options | strip)
    for (unit, metric, ways), (level, options) in product(
        (
            ("words", "wordGREEN", {"": {}}),
            ("characters", "charGREEN", {"": {}, ", stripped": {"strip": True}}),
        ),
        {
            "corpus": {"level": "corpus"},
            "mean": {"level": "mean"},
            "mean, all references": {"level": "mean", "selection": "mean"},
        }.items(),
    )
    for stripped, strip in ways.items()
}
DEFAULT = "words, corpus"


class HeldOut(NamedTuple):
    """What the setting that is best on all other corpora is worth on one."""

    folder: str
    chosen: str
    agreement: float
    default: float
    best: str  # there
    best_agreement: float


class Settings(NamedTuple):
    """Agreement is the mean of r and ρ over judgments."""

    judgments: list[str]
    n_systems: int  # different ones
    cells: np.ndarray  # (setting, judgment, kind)
    leads: np.ndarray  # intervals of the lead over the default, (setting, bound)
    held_out: list[HeldOut]  # if there are several corpora

    @property
    def agreement(self) -> np.ndarray:
        return self.cells.mean(axis=(1, 2))


def settings(bench: Bench) -> Settings:
    """Compare settings, and choose one for each corpus by means of the others."""
    judgments = [name for name, folder in JUDGMENTS.items() if folder in bench.corpora]
    scores = {
        folder: np.stack(
            [
                bench.system_scores(folder, metric, **options)
                for metric, options in SETTINGS.values()
            ]
        )
        for folder in bench.corpora
    }
    cells = np.stack(
        [
            correlate(bench.corpora[folder], judgment, scores[folder]).T
            for judgment in judgments
            for folder in [JUDGMENTS[judgment]]
        ],
        axis=1,
    )
    resampled = _resample(bench, judgments, scores).mean(axis=(2, 3))  # (resample, setting)
    default = list(SETTINGS).index(DEFAULT)
    of_systems = {tuple(c.systems): int(c.counted.sum()) for c in bench.corpora.values()}
    bounds = [2.5, 97.5]
    return Settings(
        judgments,
        sum(of_systems.values()),
        cells,
        np.nanpercentile(resampled - resampled[:, [default]], bounds, axis=0).T,
        [
            _hold_out(folder, judgments, cells, default)
            for folder in bench.corpora
            if len(bench.corpora) > 1
        ],
    )


def _resample(bench: Bench, judgments: list[str], scores: dict[str, np.ndarray]) -> np.ndarray:
    """Correlations if systems are drawn with replacement: (resample, setting, judgment, kind).

    Systems, not sentences, because the question is what holds for other systems. All settings see
    the same draws, and so do judgments of the same systems: those of SEEDA, and FCE and Wiki.
    """
    rng = np.random.default_rng(SEED)
    found, draws = {}, {}
    for folder, of_settings in scores.items():
        corpus = bench.corpora[folder]
        counted, systems = np.flatnonzero(corpus.counted), tuple(corpus.systems)
        if systems not in draws:
            draws[systems] = rng.choice(counted, (N_RESAMPLES, len(counted)))
        drawn = draws[systems]
        ours = np.moveaxis(of_settings[:, drawn], 0, 1)  # (resample, setting, system)
        for judgment, human in corpus.human.items():
            found[judgment] = np.moveaxis(correlations(ours, human[drawn][:, None]), 0, -1)
    return np.stack([found[judgment] for judgment in judgments], axis=2)


def _hold_out(folder: str, judgments: list[str], cells: np.ndarray, default: int) -> HeldOut:
    is_held = np.array([JUDGMENTS[judgment] == folder for judgment in judgments])
    names = list(SETTINGS)
    there = cells[:, is_held].mean(axis=(1, 2))
    chosen = cells[:, ~is_held].mean(axis=(1, 2)).argmax()
    best = there.argmax()
    return HeldOut(folder, names[chosen], there[chosen], there[default], names[best], there[best])
