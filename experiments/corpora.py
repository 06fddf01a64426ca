"""Read the public corpora with human judgments, laid out as `experiments/README.md` describes.

Errors name the file and the line. A missing file raises `Missing`, and its corpus is left out.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from green_gec.corpus import Annotated, read_edits
from green_gec.corpus.parts import Part
from green_gec.options import short_repr

from .files import present, read_texts
from .judgments import expected_wins, read_human, read_items, read_judgments, read_segments

SEEDA_SYSTEMS = (
    *("BART", "BERT-fuse", "GECToR-BERT", "GECToR-ens", "GPT-3.5", "INPUT", "LM-Critic", "PIE"),
    *("REF-F", "REF-M", "Riken-Tohoku", "T5", "TemplateGEC", "TransGEC", "UEDIN-MS"),
)
# Systems that rewrite for fluency, and the unchanged source: SEEDA's default setting excludes them.
SEEDA_FLUENT = ("GPT-3.5", "REF-F")
SEEDA_LEFT_OUT = (*SEEDA_FLUENT, "INPUT")
SEEDA_HUMAN = {"SEEDA-S": "EW_sent.txt", "SEEDA-E": "EW_edit.txt"}
# The rankings that Expected Wins sum up: the file, and the src-id of the first sentence.
RANKINGS = {
    "conll14": {"CoNLL": ("judgments.xml", 0)},
    "seeda": {
        "SEEDA-S": ("human/judgments_sent.xml", 1),
        "SEEDA-E": ("human/judgments_edit.xml", 1),
    },
}
GMEG = {"gmeg-fce": "FCE", "gmeg-wiki": "Wiki"}
GMEG_PARTS = ("dev", "test")
GMEG_SYSTEMS = ("amu", "lstm", "lstm-r", "marian", "nus", "transformer", "source")
# Lines of gmeg-wiki, from 0, on which marian's output runs away: 408 to 614 words, where no other
# text has more than 133. Without them the first paper's figures come out, and its 1,981 sentences.
WIKI_RUNAWAY = (21, 32, 1685)

Row = TypeVar("Row")


@dataclass(frozen=True, eq=False)
class Corpus:
    """Sentences, the systems' corrections of them, and human judgments of the systems."""

    folder: str
    sources: list[str]
    references: list[list[str]]  # any number per sentence
    systems: dict[str, list[str]]
    human: dict[str, np.ndarray]  # Expected Wins (system,), by the name of the judgment
    counted: np.ndarray  # (system,): whether correlations include the system
    left_out: tuple[int, ...] = ()  # lines of the files, from 0, that are not among the sentences
    data: Path = Path()  # where the folder is
    whole: "Corpus | None" = None  # the corpus with the lines that are left out, if it was read

    @cached_property
    def pairs(self) -> dict[str, np.ndarray]:
        """The judgments sentence by sentence: see `read_pairs`."""
        return read_pairs(self)

    @cached_property
    def edits(self) -> "Edits":
        return Edits(self)

    def kept(self, rows: Sequence[Row]) -> list[Row]:
        """Leave out of a file's rows, one per sentence, those that the corpus leaves out."""
        left_out = set(self.left_out)
        return [row for number, row in enumerate(rows) if number not in left_out]


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
    return _corpus(folder, sources, references, systems, {"CoNLL": human})


def read_seeda(data: Path) -> Corpus:
    """SEEDA (Kobayashi et al., 2024): newer systems on the sentences of CoNLL-2014."""
    folder = data / "seeda"
    sources, references = _read_test_set(data)
    systems = {
        name: read_texts(folder / "systems" / f"{name}.txt", "seeda", len(sources))
        for name in SEEDA_SYSTEMS
    }
    human = {
        name: read_human(folder / "human" / file, SEEDA_SYSTEMS)
        for name, file in SEEDA_HUMAN.items()
    }
    return _corpus(folder, sources, references, systems, human, SEEDA_LEFT_OUT)


def read_gmeg(data: Path, folder: str = "gmeg-fce", left_out: Sequence[int] = ()) -> Corpus:
    """A domain of GMEG (Napoles et al., 2019), dev and test joined.

    `left_out` are lines, counted from 0 through both parts, to leave out of texts and judgments.
    """
    sources: list[str] = []
    references: list[list[str]] = []
    systems: dict[str, list[str]] = {name: [] for name in GMEG_SYSTEMS}
    for part in GMEG_PARTS:
        of_part = data / folder / part
        texts = read_texts(of_part / "source", folder)
        sources += texts
        columns = [read_texts(of_part / f"ref{n}", folder, len(texts)) for n in range(4)]
        references += map(list, zip(*columns, strict=True))
        for name, of_system in systems.items():
            of_system += read_texts(of_part / name, folder, len(texts))
    absent_lines = sorted(set(left_out) - set(range(len(sources))))
    if absent_lines:
        has = f"{data / folder} has {len(sources):,} lines"
        raise ValueError(f"cannot leave out line {absent_lines[0]} (from 0): {has}")
    won = Counter(
        (winner, loser)
        for sentence, winner, loser in _scored(data, folder)
        if sentence not in left_out
    )
    human = expected_wins(won)
    absent = [name for name in systems if name not in human]
    if absent:
        file = _segment_scores(data, folder, GMEG_PARTS[0]).name
        raise ValueError(f"{data / folder}: no {file} compares {absent[0]} with others")
    corpus = _corpus(data / folder, sources, references, systems, {GMEG[folder]: human})
    return _without(corpus, left_out)


def _without(corpus: Corpus, left_out: Sequence[int]) -> Corpus:
    """Leave lines out of the texts of a corpus that has them all."""
    part = replace(corpus, left_out=tuple(sorted(set(left_out))))
    return replace(
        part,
        sources=part.kept(corpus.sources),
        references=part.kept(corpus.references),
        systems={name: part.kept(texts) for name, texts in corpus.systems.items()},
    )


READERS = {
    "conll14": read_conll14,
    "seeda": read_seeda,
    **{folder: partial(read_gmeg, folder=folder) for folder in GMEG},
}


@cache
def without_runaway(wiki: Corpus) -> Corpus:
    """Leave out the lines of gmeg-wiki that the first paper leaves out, too."""
    lines = [line for line in WIKI_RUNAWAY if line < len(wiki.sources)]
    return replace(read_gmeg(wiki.data, wiki.folder, lines), whole=wiki)


def _corpus(
    folder: Path,
    sources: list[str],
    references: list[list[str]],
    systems: dict[str, list[str]],
    human: dict[str, dict[str, float]],
    left_out: tuple[str, ...] = (),
) -> Corpus:
    """Make a corpus, with the human scores in the order of the systems."""
    by_judgment = {key: np.array([of[name] for name in systems]) for key, of in human.items()}
    counted = np.array([name not in left_out for name in systems])
    given = (sources, references, systems, by_judgment, counted)
    return Corpus(folder.name, *given, data=folder.parent)


def _read_test_set(data: Path) -> tuple[list[str], list[list[str]]]:
    """Read the sources and references of CoNLL-2014, which SEEDA uses, too."""
    folder = data / "conll14"
    sources = read_texts(folder / "source.txt", "conll14")
    columns = [read_texts(folder / f"reference{n}.txt", "conll14", len(sources)) for n in (0, 1)]
    return sources, [list(pair) for pair in zip(*columns, strict=True)]


def read_pairs(corpus: Corpus) -> dict[str, np.ndarray]:
    """Read the judgments sentence by sentence: by the name of the judgment, an array (pair, 3).

    A row is a sentence, the system whose correction of it a person ranked higher, and the system
    ranked lower, as indices into the corpus's sentences and systems. Ties leave no pair. A pair
    that several people judged, or one person several times, is listed each time. Systems that gave
    the same sentence, and were shown to people once, are listed each. There are no pairs of a
    system with itself, which no metric could order. Pairs of two systems whose texts are equal,
    though people ranked them apart, would stay, as in Expected Wins, and every metric would tie on
    them; the public corpora have none.
    """
    places = {name: index for index, name in enumerate(corpus.systems)}
    n_lines = len(corpus.sources) + len(corpus.left_out)
    index_of = {line: index for index, line in enumerate(corpus.kept(range(n_lines)))}
    if corpus.folder in GMEG:
        judged = {GMEG[corpus.folder]: _scored(corpus.data, corpus.folder)}
    else:
        judged = {
            judgment: _ranked(corpus.data / corpus.folder / file, corpus, n_lines, first)
            for judgment, (file, first) in RANKINGS[corpus.folder].items()
        }
    return {
        judgment: np.array(
            [
                (index_of[line], places[winner], places[loser])
                for line, winner, loser in won
                if line in index_of and winner != loser
            ],
            dtype=np.int64,
        ).reshape(-1, 3)
        for judgment, won in judged.items()
    }


def _ranked(path: Path, corpus: Corpus, n_lines: int, first: int) -> Iterator[tuple[int, str, str]]:
    """Yield lines of the corpus, winners and losers from XML, and check them."""
    for item in read_items(present(path, corpus.folder)):
        where = f"{path}:{item.line}"
        is_number = re.fullmatch("[0-9]{1,9}", item.src_id)
        if not is_number or not first <= int(item.src_id) < first + n_lines:
            raise ValueError(
                f"{where}: the src-id must be a number from {first} to {first + n_lines - 1}, "
                f"not {short_repr(item.src_id)}"
            )
        for pair in item.wins:
            for name in pair:
                if name not in corpus.systems:
                    known = ", ".join(corpus.systems)
                    raise ValueError(
                        f"{where}: unknown system {short_repr(name)}; known are {known}"
                    )
            yield int(item.src_id) - first, *pair


def _scored(data: Path, folder: str) -> Iterator[tuple[int, str, str]]:
    """Yield lines, winners and losers of both parts of GMEG; lines are counted through both."""
    n_before = 0
    for part in GMEG_PARTS:
        n_lines = len(read_texts(data / folder / part / "source", folder))
        path = _segment_scores(data, folder, part)
        for line, wins in read_segments(path, folder, GMEG_SYSTEMS, n_lines):
            for winner, loser in wins:
                yield n_before + line, winner, loser
        n_before += n_lines


def _segment_scores(data: Path, folder: str, part: str) -> Path:
    return data / folder / part / f"{GMEG[folder].lower()}-segment-scores.csv"


@dataclass(frozen=True, eq=False)
class Edits:
    """The edits that metrics of edits need, read from M2 files when they are first needed.

    A sentence of the M2 files is a line of the corpus's files; the source, if it is a system, has
    no edits and needs no file.
    """

    corpus: Corpus
    made: dict[str, list[Annotated]] = field(default_factory=dict)  # of systems without a file

    @property
    def _test_set(self) -> Path:
        """The folder of the sources and gold edits."""
        folder = self.corpus.folder
        return self.corpus.data / ("conll14" if folder == "seeda" else folder)

    @cached_property
    def gold(self) -> list[Annotated]:
        """The annotators' edits as ERRANT finds them."""
        is_gmeg = self.corpus.folder in GMEG
        return self._read(self._test_set / ("errant/gold.m2" if is_gmeg else "errant.m2"))

    @cached_property
    def official(self) -> list[Annotated]:
        """The annotators' own edits; GMEG has none, so those that ERRANT finds."""
        if self.corpus.folder in GMEG:
            return self.gold
        return self._read(self._test_set / "official.m2", "conll14")

    @cached_property
    def systems(self) -> dict[str, list[Annotated]]:
        return {name: self._of_system(name) for name in self.corpus.systems}

    def _of_system(self, name: str) -> list[Annotated]:
        if name in self.made:
            return self.made[name]
        if self.corpus.systems[name] == self.corpus.sources:
            return [Annotated(text.split(), {0: []}) for text in self.corpus.sources]
        return self._read(self.corpus.data / self.corpus.folder / "errant" / f"{name}.m2")

    def _read(self, path: Path, origin: str = "edits") -> list[Annotated]:
        sentences = self.corpus.kept(read_edits(present(path, origin)))
        Part.make(str(path), sentences).check_sources(Part("the source", self.corpus.sources))
        return sentences
