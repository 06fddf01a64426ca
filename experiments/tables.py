"""The papers' tables, computed here beside the printed figures."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np

from green_gec.corpus import Annotated, Edit

from . import metrics, published
from .bench import JUDGMENTS, KINDS, Bench, Corpora
from .corpora import Corpus, without_runaway

TABLE_2 = ("CoNLL", "SEEDA-S", "SEEDA-E")
FIRST = ("CoNLL", "FCE", "Wiki")
LEVELS = {"corpus level": "corpus", "sentence level": "mean"}


class Cell(NamedTuple):
    """A figure of a table, as printed and as computed here."""

    table: str
    row: str
    column: str
    printed: str
    ours: float

    @property
    def shown(self) -> str:
        return f"{self.ours:.{self.digits}f}"

    @property
    def digits(self) -> int:
        return len(self.printed.partition(".")[2])

    @property
    def off(self) -> int:
        """The difference from the printed figure, in units of its last digit."""
        return abs(round((float(self.shown) - float(self.printed)) * 10**self.digits))

    @property
    def known(self) -> published.Known | None:
        """Why the cell is known to differ, if it is."""
        return published.KNOWN.get((self.table, self.row, self.column))

    @property
    def is_wrong(self) -> bool:
        """Whether it differs from the expected figure: the printed one, or a known difference."""
        return self.shown != (self.known.figure if self.known else self.printed)


@dataclass
class Table:
    """A table of a paper, with our rows beside the printed ones."""

    name: str
    columns: list[str]
    printed: published.Rows
    ours: dict[str, list[float]]  # NaN if the corpus is missing
    others: dict[str, list[float]] = field(default_factory=dict)  # rows of the user's `--scores`

    def __post_init__(self) -> None:
        for rows in (self.ours, self.others):
            for row in [row for row, values in rows.items() if np.isnan(values).all()]:
                del rows[row]

    def cells(self) -> list[Cell]:
        return [
            Cell(self.name, row, column, printed, value)
            for row, values in self.ours.items()
            for column, printed, value in zip(self.columns, self.printed[row], values, strict=True)
            if printed != "–" and not np.isnan(value)
        ]


def correlation_tables(bench: Bench) -> list[Table]:
    """Compute both halves of Table 2."""
    tables = []
    for name, level in LEVELS.items():
        printed = published.CORPUS_LEVEL if level == "corpus" else published.SENTENCE_LEVEL
        row = partial(bench.correlations, judgments=TABLE_2, level=level)
        ours = {metric: row(metric) for metric in printed if metric in metrics.METRICS}
        added = {metric: row(metric) for metric in bench.others.names}
        tables.append(Table(name, published.CORRELATION_COLUMNS, printed, ours, added))
    return tables


def score_table(bench: Bench) -> Table:
    """Compute Table 4: the best system, the source, the worst system and empty outputs."""
    columns, conll = published.SCORE_COLUMNS, bench.corpora["conll14"]
    few = Bench({"conll14": with_null(conll, columns)}, notes=bench.notes)
    nothing = [np.nan] * len(columns)
    ours = {}
    for metric in published.SCORES:
        if metric in metrics.METRICS:
            values = few.system_scores("conll14", metric)
            ours[metric] = nothing if values is None else (100 * values).tolist()
    human = dict(zip(conll.systems, conll.human["CoNLL"].tolist(), strict=True))
    ours["human"] = [human.get(name, np.nan) for name in columns]
    added = {
        metric: [scores.get(name, np.nan) for name in columns]
        for (metric, folder, level), scores in bench.others.of_systems.items()
        if (folder, level) == ("conll14", "corpus")
    }
    return Table("scores", columns, published.SCORES, ours, added)


def with_null(conll: Corpus, names: list[str]) -> Corpus:
    """Some of the systems, one of which, NULL, deletes every sentence."""
    empty = [""] * len(conll.sources)
    systems = {name: conll.systems.get(name, empty) for name in names}
    corpus = replace(conll, systems=systems)
    # ERRANT makes one edit of words that are deleted in a row.
    edits = corpus.edits
    edits.made["NULL"] = [
        Annotated(words, {0: [Edit(0, len(words), ((),), "U:OTHER")] * bool(words)})
        for words in map(str.split, conll.sources)
    ]
    return corpus


def first_table(bench: Bench) -> Table:
    """Compute Table 2 of the first paper, F-scores with the betas that it found best."""
    part = intact(bench)
    ours = {metric: first_row(part, metric) for metric in published.FIRST}
    return Table("first paper", published.FIRST_COLUMNS, published.FIRST, ours)


def first_row(bench: Bench, metric: str, judgments: Sequence[str] = FIRST) -> list[float]:
    cells = []
    best = dict(zip(published.FIRST_COLUMNS, published.BEST_BETAS.get(metric, []), strict=False))
    for judgment, (index, kind) in product(judgments, enumerate(KINDS)):
        # GREEN accepts only positive values; at this one, the weight of the recall vanishes.
        options = {"beta": float(best[f"{judgment} {kind}"]) or 1e-9} if best else {}
        cells.append(bench.correlations(metric, [judgment], **options)[index])
    return cells


def intact(bench: Bench) -> Bench:
    """The same without the lines of Wiki on which a system runs away."""
    corpora: Corpora = dict(bench.corpora)
    if "gmeg-wiki" in corpora:
        corpora["gmeg-wiki"] = without_runaway(corpora["gmeg-wiki"])
    return replace(bench, corpora=corpora)


def all_metrics(bench: Bench, level: str) -> dict[str, list[float]]:
    """Correlations with every judgment, by metric: those computed here, then the user's."""
    rows = {
        metric: bench.correlations(metric, JUDGMENTS, level)
        for metric in (*metrics.METRICS, *bench.others.names)
        if level == "mean" or metrics.has_corpus_level(metric)
    }
    return {metric: row for metric, row in rows.items() if not np.isnan(row).all()}


class Wiki(NamedTuple):
    """A row of the first paper's column Wiki: r and ρ."""

    metric: str
    intact: list[float]  # without the lines on which a system runs away
    whole: list[float]


def wiki_lines(bench: Bench) -> list[Wiki]:
    """Compute the column Wiki of the first paper without and with three lines."""
    both = [
        {metric: first_row(each, metric, ["Wiki"]) for metric in published.FIRST}
        for each in (intact(bench), bench)
    ]
    return [
        Wiki(metric, *(rows[metric] for rows in both))
        for metric in published.FIRST
        if not np.isnan(both[0][metric]).any()
    ]
