"""Which edits of a system are right, whichever score says so."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from ..corpus.m2 import Edit


class Match(NamedTuple):
    """The edits of a correction, compared with those of an annotator."""

    correct: Sequence[int]  # the numbers of the gold edits that it has
    n_proposed: int
    wrong: Sequence[str] = ()  # the types of the other edits, if the score knows them


class Matches(NamedTuple):
    """The matches of a corpus."""

    gold: list[list[list[Edit]]]  # (sentence, annotator, edit)
    systems: list[list[list[Match]]]  # (system, sentence, annotator)

    def counts(self) -> np.ndarray:
        """Correct, proposed and gold edits: (system, annotator of a sentence, 3)."""
        n_gold = [len(edits) for annotators in self.gold for edits in annotators]
        counts = [
            [
                (len(match.correct), match.n_proposed, n)
                for match, n in zip(chain.from_iterable(system), n_gold, strict=True)
            ]
            for system in self.systems
        ]
        return np.array(counts, dtype=np.int64)
