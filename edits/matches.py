"""Which edits of a system are right, whichever score says so."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..corpus.m2 import Edit
from ..counting import Statistics
from ..options import Options
from .metrics import METRICS


class Match(NamedTuple):
    """The edits of a correction, compared with those of an annotator."""

    correct: Sequence[int]  # the numbers of the gold edits that it has
    n_proposed: int
    wrong: Sequence[str] = ()  # the types of the other edits, if the score knows them


class Matches(NamedTuple):
    """The matches of a corpus."""

    options: Options
    gold: list[list[list[Edit]]]  # (sentence, annotator, edit)
    systems: list[list[list[Match]]]  # (system, sentence, annotator)

    def statistics(self) -> Statistics:
        """Correct, proposed and gold edits: (beta, system, annotator of a sentence, count)."""
        counts = [
            [
                (len(match.correct), match.n_proposed, len(edits))
                for matches, annotators in zip(system, self.gold, strict=True)
                for match, edits in zip(matches, annotators, strict=True)
            ]
            for system in self.systems
        ]
        rows = np.array([counts], dtype=np.int64).repeat(len(self.options.betas), axis=0)
        n_annotators = np.array([*map(len, self.gold)], dtype=np.int64)
        metric = METRICS[self.options.metric].make(self.options)
        return Statistics(self.options, metric, rows, n_annotators)
