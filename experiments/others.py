"""Scores of other metrics, which users compute elsewhere and pass as CSV files.

A file holds scores of systems, `metric,corpus,level,system,score`, or of sentences, counted from 0,
`metric,corpus,system,sentence,score`. Errors name the file and the line.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from green_gec.corpus import read_lines
from green_gec.options import short_repr

from .corpora import READERS, Corpus
from .files import Missing, csv_rows, number
from .metrics import METRICS

OF_SYSTEMS = ["metric", "corpus", "level", "system", "score"]
OF_SENTENCES = ["metric", "corpus", "system", "sentence", "score"]
LEVELS = ("corpus", "mean")


@dataclass
class Others:
    """The scores of other metrics, by metric and corpus."""

    # By metric, corpus and level, then by system.
    of_systems: dict[tuple[str, str, str], dict[str, float]] = field(default_factory=dict)
    # By metric and corpus, then by system and sentence.
    of_sentences: dict[tuple[str, str], dict[tuple[str, int], float]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(key[0] for key in (*self.of_systems, *self.of_sentences)))

    def check(self, corpora: Mapping[str, Corpus]) -> list[str]:
        """Check that every system that correlations count has its scores, and no other has.

        Returns notes on scores that are not used.
        """
        notes = []
        for (metric, folder, level), scores in self.of_systems.items():
            if folder in corpora:
                _check_systems(corpora[folder], f"{metric}, {folder}, {level}", scores)
            else:
                notes.append(f"{metric} on {folder}: the corpus is missing")
        for (metric, folder), scores in self.of_sentences.items():
            if folder not in corpora:
                notes.append(f"{metric} on {folder}: the corpus is missing")
                continue
            corpus, where = corpora[folder], f"{metric}, {folder}"
            _check_systems(corpus, where, {system for system, _ in scores})
            _check_sentences(corpus, where, scores)
            if self.system_scores(corpus, metric, "mean") is None:
                notes.append(f"{metric} on {folder}: no mean, because some sentences have no score")
        return list(dict.fromkeys(notes))

    def system_scores(self, corpus: Corpus, metric: str, level: str) -> np.ndarray | None:
        """The scores of the systems, (system,); at the level "mean", of sentences if need be.

        None if there are none; NaN where a system that correlations do not count has no score.
        """
        scores = self.of_systems.get((metric, corpus.folder, level))
        if scores is not None:
            return np.array([scores.get(system, np.nan) for system in corpus.systems])
        if level == "mean":
            of_sentences = self.sentence_scores(corpus, metric)
            if of_sentences is not None:
                means = of_sentences.mean(axis=-1)
                # Some sentences may be missing, for instance those that nobody judged.
                return None if np.isnan(means[corpus.counted]).any() else means
        return None

    def sentence_scores(self, corpus: Corpus, metric: str) -> np.ndarray | None:
        """The scores of the sentences, (system, sentence); NaN where one is missing."""
        scores = self.of_sentences.get((metric, corpus.folder))
        if scores is None:
            return None
        kept = corpus.kept(range(len(corpus.sources) + len(corpus.left_out)))
        return np.array([[scores.get((name, n), np.nan) for n in kept] for name in corpus.systems])


def _check_systems(corpus: Corpus, where: str, systems: Iterable[str]) -> None:
    for system, counts in zip(corpus.systems, corpus.counted, strict=True):
        if counts and system not in systems:
            raise ValueError(f"--scores: {where}: the score of {system} is missing")
    for system in systems:
        if system not in (*corpus.systems, "NULL"):
            known = ", ".join(corpus.systems)
            raise ValueError(
                f"--scores: {where}: unknown system {short_repr(system)}; {corpus.folder} has "
                f"{known}"
            )


def _check_sentences(corpus: Corpus, where: str, scores: Mapping[tuple[str, int], float]) -> None:
    last = max(sentence for _, sentence in scores)
    if last >= len(corpus.sources):
        raise ValueError(
            f"--scores: {where}: there is no sentence {last}; {corpus.folder} has sentences 0 to "
            f"{len(corpus.sources) - 1:,}"
        )
    with suppress(Missing):  # without judgments, no sentence is needed
        names = list(corpus.systems)
        for pairs in corpus.pairs.values():
            for sentence, *systems in pairs.tolist():
                for system in systems:
                    if corpus.counted[system] and (names[system], sentence) not in scores:
                        raise ValueError(
                            f"--scores: {where}: the score of sentence {sentence} of "
                            f"{names[system]} is missing, which people judged"
                        )


def read_others(paths: Iterable[Path]) -> Others:
    """Read scores from CSV files; one metric may be spread over several."""
    found = Others()
    adders = {tuple(OF_SYSTEMS): _add_system, tuple(OF_SENTENCES): _add_sentence}
    for path in paths:
        (_, header), *rows = list(csv_rows(path, read_lines(path))) or [(1, [])]
        add = adders.get(tuple(header))
        if add is None:
            expected = " or ".join(map(",".join, adders))
            given = short_repr(",".join(header))
            raise ValueError(f"{path}:1: the header must be {expected}, not {given}")
        if not any(row for _, row in rows):
            raise ValueError(f"{path} has no scores")
        for line, row in rows:
            try:
                if row:  # not an empty line
                    if len(row) != len(header):
                        raise ValueError(f"expected {len(header)} fields, found {len(row)}")
                    add(found, *(cell.strip() for cell in row))
            except ValueError as error:
                raise ValueError(f"{path}:{line}: {error}") from None
    return found


def _add_system(
    found: Others, metric: str, corpus: str, level: str, system: str, score: str
) -> None:
    _check_names(metric, corpus)
    if level not in LEVELS:
        raise ValueError(f"the level must be {' or '.join(LEVELS)}, not {short_repr(level)}")
    scores = found.of_systems.setdefault((metric, corpus, level), {})
    if system in scores:
        raise ValueError(f"duplicate score of {short_repr(system)}")
    scores[system] = number(score)


def _add_sentence(
    found: Others, metric: str, corpus: str, system: str, sentence: str, score: str
) -> None:
    _check_names(metric, corpus)
    if not re.fullmatch("[0-9]{1,9}", sentence):
        raise ValueError(f"the sentence must be a number from 0, not {short_repr(sentence)}")
    scores = found.of_sentences.setdefault((metric, corpus), {})
    key = (system, int(sentence))
    if key in scores:
        raise ValueError(f"duplicate score of sentence {key[1]} of {short_repr(system)}")
    scores[key] = number(score)


def _check_names(metric: str, corpus: str) -> None:
    if not metric:
        raise ValueError("the name of the metric is empty")
    if metric in METRICS:
        raise ValueError(f"{metric!r} is computed here; choose another name")
    if corpus not in READERS:
        raise ValueError(
            f"the corpus must be one of {', '.join(READERS)}, not {short_repr(corpus)}"
        )
