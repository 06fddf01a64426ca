"""Read the public corpora with human judgments, laid out as `experiments/README.md` describes.

Errors name the file and the line. A missing file raises `Missing`, and its corpus is left out.
"""

import csv
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from xml.parsers import expat

import numpy as np

from green_gec.corpus import read_lines
from green_gec.options import shown

from . import published

SEEDA_SYSTEMS = (
    *("BART", "BERT-fuse", "GECToR-BERT", "GECToR-ens", "GPT-3.5", "INPUT", "LM-Critic", "PIE"),
    *("REF-F", "REF-M", "Riken-Tohoku", "T5", "TemplateGEC", "TransGEC", "UEDIN-MS"),
)
# Systems that rewrite for fluency, and the unchanged source: SEEDA's default setting excludes them.
SEEDA_FLUENT = ("GPT-3.5", "REF-F")
SEEDA_LEFT_OUT = (*SEEDA_FLUENT, "INPUT")
SEEDA_HUMAN = {"SEEDA-S": "EW_sent.txt", "SEEDA-E": "EW_edit.txt"}
GMEG_SYSTEMS = ("amu", "lstm", "lstm-r", "marian", "nus", "transformer", "source")

ORIGINS = {
    "conll14": "the CoNLL-2014 test set and submissions from "
    "https://www.comp.nus.edu.sg/~nlp/conll14st.html, the judgments from "
    "https://github.com/grammatical/evaluation",
    "seeda": "SEEDA from https://github.com/tmu-nlp/SEEDA",
    "gmeg-fce": "GMEG from https://github.com/grammarly/GMEG",
}


class Missing(Exception):
    """A file that a corpus needs does not exist."""

    def __init__(self, path: Path, corpus: str):
        super().__init__(f"{path} is missing; get {ORIGINS[corpus]} (see experiments/README.md)")


@dataclass(frozen=True)
class Corpus:
    """Sentences, the systems' corrections of them, and human judgments of the systems."""

    folder: str
    sources: list[str]
    references: list[list[str]]  # any number per sentence
    systems: dict[str, list[str]]
    human: dict[str, np.ndarray]  # Expected Wins (system,), by the name of the judgment
    counted: np.ndarray  # (system,): whether correlations include the system


def read_conll14(data: Path) -> Corpus:
    """CoNLL-2014 with the judgments of Grundkiewicz et al. (2015)."""
    folder = data / "conll14"
    sources, references = _read_test_set(data)
    judgments = present(folder / "judgments.xml", "conll14")
    human = expected_wins(read_judgments(judgments))
    absent = [name for name in ("AMU", "INPUT", "IPN") if name not in human]
    if absent:
        raise ValueError(f"{judgments} has no judgments of {absent[0]}, which the tables include")
    systems = {
        name: sources
        if name == "INPUT"
        else read_texts(folder / "systems" / name, "conll14", len(sources))
        for name in human
    }
    return _corpus("conll14", sources, references, systems, {"CoNLL": human})


def read_seeda(data: Path) -> Corpus:
    """SEEDA (Kobayashi et al., 2024): newer systems on the sentences of CoNLL-2014."""
    folder = data / "seeda"
    sources, references = _read_test_set(data)
    systems = {
        name: read_texts(folder / "systems" / f"{name}.txt", "seeda", len(sources))
        for name in SEEDA_SYSTEMS
    }
    human = {name: read_human(folder / "human" / file) for name, file in SEEDA_HUMAN.items()}
    return _corpus("seeda", sources, references, systems, human, SEEDA_LEFT_OUT)


def read_gmeg(data: Path) -> Corpus:
    """The FCE part of GMEG (Napoles et al., 2019), dev and test joined."""
    sources: list[str] = []
    references: list[list[str]] = []
    systems: dict[str, list[str]] = {name: [] for name in GMEG_SYSTEMS}
    wins: Counter = Counter()
    for part in ("dev", "test"):
        folder = data / "gmeg-fce" / part
        of_part = read_texts(folder / "source", "gmeg-fce")
        sources += of_part
        columns = [read_texts(folder / f"ref{n}", "gmeg-fce", len(of_part)) for n in range(4)]
        references += map(list, zip(*columns, strict=True))
        for name, texts in systems.items():
            texts += read_texts(folder / name, "gmeg-fce", len(of_part))
        wins += read_segment_scores(folder / "fce-segment-scores.csv", len(of_part))
    human = expected_wins(wins)
    absent = [name for name in systems if name not in human]
    if absent:
        where = data / "gmeg-fce"
        raise ValueError(f"{where}: no fce-segment-scores.csv compares {absent[0]} with others")
    return _corpus("gmeg-fce", sources, references, systems, {"FCE": human})


READERS = {"conll14": read_conll14, "seeda": read_seeda, "gmeg-fce": read_gmeg}


def _corpus(
    folder: str,
    sources: list[str],
    references: list[list[str]],
    systems: dict[str, list[str]],
    human: dict[str, dict[str, float]],
    left_out: tuple[str, ...] = (),
) -> Corpus:
    """Make a corpus, with the human scores in the order of the systems."""
    by_judgment = {key: np.array([of[name] for name in systems]) for key, of in human.items()}
    counted = np.array([name not in left_out for name in systems])
    return Corpus(folder, sources, references, systems, by_judgment, counted)


def _read_test_set(data: Path) -> tuple[list[str], list[list[str]]]:
    """Read the sources and references of CoNLL-2014, which SEEDA uses, too."""
    folder = data / "conll14"
    sources = read_texts(folder / "source.txt", "conll14")
    columns = [read_texts(folder / f"reference{n}.txt", "conll14", len(sources)) for n in (0, 1)]
    return sources, [list(pair) for pair in zip(*columns, strict=True)]


def read_texts(path: Path, corpus: str, n_lines: int | None = None) -> list[str]:
    """Read the lines of a file; if `n_lines` is given, there must be that many."""
    lines = read_lines(present(path, corpus))
    if not lines:
        raise ValueError(f"{path} is empty")
    if n_lines not in (None, len(lines)):
        where = f"{path}:{min(len(lines), n_lines) + 1}"
        raise ValueError(f"{where}: expected {n_lines} lines, found {len(lines)}")
    return lines


def present(path: Path, corpus: str) -> Path:
    """Return the path if the file exists; otherwise raise `Missing`."""
    if not path.is_file():
        raise Missing(path, corpus)
    return path


def read_judgments(path: Path) -> Counter:
    """Count how often people ranked one system above another, from Appraise's XML.

    The keys are pairs of winner and loser. Systems listed in the same attribute produced the same
    sentence, so each of them wins or loses. Ties do not count.
    """
    wins: Counter = Counter()
    rows: list[tuple[int, list[str]]] = []  # rank and systems, of the current item
    parser = expat.ParserCreate("utf-8")

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag == "ranking-item":
            rows.clear()
        elif tag == "translation":
            rank, systems = attributes.get("rank", ""), attributes.get("system", "")
            if not re.fullmatch("[0-9]{1,9}", rank) or not systems.split():
                raise ValueError(
                    f"{path}:{parser.CurrentLineNumber}: a translation needs a numeric rank and at "
                    f"least one system, not rank {shown(rank)} and system {shown(systems)}"
                )
            rows.append((int(rank), systems.split()))

    def end(tag: str) -> None:
        if tag == "ranking-item":
            wins.update(
                pair for one, other in combinations(rows, 2) for pair in _ordered(one, other)
            )

    parser.StartElementHandler, parser.EndElementHandler = start, end
    try:
        parser.Parse(path.read_bytes(), True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise ValueError(f"{path}:{error.lineno}: not well-formed XML: {reason}") from None
    if not wins:
        raise ValueError(f"{path} has no ranking-item that ranks one system above another")
    return wins


def _ordered(
    one: tuple[float, list[str]], other: tuple[float, list[str]]
) -> Iterator[tuple[str, str]]:
    """Yield the pairs of winner and loser of two ranks, 1 being the best, with their systems."""
    if one[0] == other[0]:
        return
    better, worse = sorted((one, other))
    for winner in better[1]:
        for loser in worse[1]:
            yield winner, loser


def read_segment_scores(path: Path, n_sentences: int) -> Counter:
    """Count how often people scored one system's sentence above another's, from GMEG's CSV."""
    wins: Counter = Counter()
    rows = _csv_rows(path, read_texts(path, "gmeg-fce", n_sentences + 1))
    _, header = next(rows)
    absent = [name for name in GMEG_SYSTEMS if name not in header]
    if absent:
        raise ValueError(f"{path}:1: the header has no column {absent[0]!r}")
    for number, row in rows:
        try:
            if len(row) != len(header):
                raise ValueError(f"expected {len(header)} fields, found {len(row)}")
            # A cell is empty if the sentence was not judged.
            cells = [(name, row[header.index(name)]) for name in GMEG_SYSTEMS]
            scores = [(-_number(cell), [name]) for name, cell in cells if cell]
        except ValueError as error:
            raise ValueError(f"{path}:{number}: {error}") from None
        wins.update(pair for one, other in combinations(scores, 2) for pair in _ordered(one, other))
    return wins


def _csv_rows(path: Path, lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV file, each with the number of its last line."""
    rows = csv.reader(lines)
    try:
        for row in rows:
            yield rows.line_num, row
    except csv.Error as error:
        raise ValueError(f"{path}:{rows.line_num}: {error}") from None


def expected_wins(wins: Counter) -> dict[str, float]:
    """Compute Expected Wins (Bojar et al., 2013) from the number of wins per winner and loser.

    That is the probability that a system beats another one, averaged over the others.
    """
    names = sorted({name for pair in wins for name in pair})
    expected = {}
    for name in names:
        against = [(wins[name, other], wins[other, name]) for other in names if other != name]
        shares = [won / (won + lost) for won, lost in against if won + lost]
        expected[name] = sum(shares) / len(shares)
    return expected


def read_human(path: Path) -> dict[str, float]:
    """Read SEEDA's human scores, one line per system."""
    lines = read_texts(path, "seeda", len(SEEDA_SYSTEMS))
    scores = {}
    for number, (name, line) in enumerate(zip(SEEDA_SYSTEMS, lines, strict=True), 1):
        try:
            scores[name] = _number(line)
        except ValueError as error:
            raise ValueError(f"{path}:{number}: {error}") from None
    return scores


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"expected a number, found {shown(text)}")
    return number


# Scores of other metrics: by metric, by corpus and level, by system.
OtherScores = dict[str, dict[tuple[str, str], dict[str, float]]]
SCORE_FIELDS = ["metric", "corpus", "level", "system", "score"]
SCORE_LEVELS = {"conll14": ("corpus", "mean"), "seeda": ("corpus", "mean"), "gmeg-fce": ("corpus",)}


def read_scores(paths: Iterable[Path]) -> OtherScores:
    """Read the scores of other metrics from CSV files with the columns `SCORE_FIELDS`."""
    found: OtherScores = {}
    for path in paths:
        (_, header), *rows = list(_csv_rows(path, read_lines(path))) or [(1, [])]
        if header != SCORE_FIELDS:
            expected, header = ",".join(SCORE_FIELDS), ",".join(header)
            raise ValueError(f"{path}:1: the header must be {expected}, not {shown(header)}")
        if not any(row for _, row in rows):
            raise ValueError(f"{path} has no scores")
        for number, row in rows:
            try:
                _add_score(found, row)
            except ValueError as error:
                raise ValueError(f"{path}:{number}: {error}") from None
    return found


def _add_score(found: OtherScores, row: list[str]) -> None:
    if not row:  # an empty line
        return
    if len(row) != len(SCORE_FIELDS):
        raise ValueError(f"expected {len(SCORE_FIELDS)} fields, found {len(row)}")
    metric, corpus, level, system, score = (field.strip() for field in row)
    if not metric:
        raise ValueError("the name of the metric is empty")
    if metric in published.CORPUS_LEVEL:
        raise ValueError(f"the tables already have a row {metric!r}; choose another name")
    if corpus not in SCORE_LEVELS:
        raise ValueError(f"the corpus must be one of {', '.join(SCORE_LEVELS)}, not {corpus!r}")
    if level not in SCORE_LEVELS[corpus]:
        levels = " or ".join(SCORE_LEVELS[corpus])
        raise ValueError(f"the level of {corpus} must be {levels}, not {level!r}")
    of_systems = found.setdefault(metric, {}).setdefault((corpus, level), {})
    if system in of_systems:
        raise ValueError(f"duplicate score of {system!r}")
    of_systems[system] = _number(score)
