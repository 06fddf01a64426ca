"""What visitors of the Space send: checked against its limits, read and scored.

Whatever is wrong with it is a ValueError or a TypeError whose message visitors can read.
"""

import csv
import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Any, NamedTuple

import numpy as np

from . import api, corpus, inputs, report
from .explain import Explanation, of_sentence, visible
from .options import Options
from .significance import Progress, without_progress

MOST_CHARACTERS = 5_000  # of a text
MOST_REFERENCES = 20  # of a sentence
MOST_ORDER = 10
MOST_SENTENCES = 10_000
MOST_SYSTEMS = 10
MOST_MEGABYTES = 5  # of a file
MOST_ROWS = 1_000
COLUMNS = ["sources", "predictions", "references"]  # of a table
BETAS = np.geomspace(0.25, 4, 33)
SOURCE = "(the source itself)"  # as one more system
_LINE_END = re.compile(r"\r\n|\r|\n")


def explain(
    source: Any,
    correction: Any,
    references: Any,
    tokenizer: str,
    max_order: int | None,
    beta: float,
    effective_order: bool,
) -> Explanation:
    """Explain a sentence; references are a list, or a text with one a line."""
    if isinstance(references, str):
        references = _LINE_END.split(references)
    if not isinstance(references, list):
        raise TypeError("the references must be a list of texts, or a text with one a line")
    named = [("source", source), ("correction", correction)]
    for name, text in (*named, *(("a reference", text) for text in references)):
        inputs.text(name, text)
        _check_length(text, "a text")
    references = [text for text in references if text.strip()]
    if not references:
        raise ValueError("there is no reference; give at least one, one a line")
    _check_number(len(references), MOST_REFERENCES, "references")
    own = {"beta": beta, "effective_order": effective_order, "strip": True, "level": "sentence"}
    options = _options("green", tokenizer, max_order, **own)
    return of_sentence(source, correction, references, options)


def _options(metric: str, tokenizer: Any, max_order: Any, **others: Any) -> Options:
    if tokenizer not in ("word", "char"):
        raise ValueError(f"tokenizer must be 'word' or 'char', not {tokenizer!r:.60}")
    if max_order in (None, 0):  # of the paper
        max_order = None
    elif isinstance(max_order, int):
        _check_number(max_order, MOST_ORDER, "tokens in an n-gram")
    options = Options(metric, tokenizer, max_order, detailed=True, **others)
    if np.ndim(options.beta):
        raise ValueError("beta must be one number")
    return options


class Systems(NamedTuple):
    """Systems and their scores."""

    texts: corpus.Corpus
    options: Options
    columns: dict[str, list]  # a row for each system
    signature: str
    report: str  # everything, as JSON

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.texts.systems]


def compare(
    source: str | None,
    references: list[str] | None,
    systems: list[str] | None,
    metric: str,
    tokenizer: str,
    max_order: int | None,
    beta: float,
    paired: str,
    strip: bool,
    progress: Progress = without_progress,
) -> Systems:
    """Score the systems of some files, with intervals and tests against the first of them."""
    texts = _read(source, references or [], systems or [])
    own = {"beta": beta} if metric == "green" else {}
    resampling = {"n_resamples": api.N_RESAMPLES, "paired": paired or "bs"}
    options = _options(metric, tokenizer, max_order, strip=strip, **own, **resampling)
    sources = texts.sources if options.scoring.needs_sources else None
    counted = api.count(sources, texts.systems, texts.references, options, progress)
    names = [name for name, _ in texts.systems]
    columns = api.table(names, api.results(counted, options, 0, progress), options)
    settings = {**options.settings(), "baseline": names[0]}
    signature = options.signature(counted.n_references)
    everything = report.to_json(columns, signature, settings, len(texts.references))
    return Systems(texts, options, columns, signature, everything)


def beta_curves(scored: Systems) -> np.ndarray:
    """GREEN (beta, system) for all `BETAS`."""
    texts = scored.texts
    options = replace(
        scored.options, beta=BETAS.tolist(), detailed=False, n_resamples=0, paired=None
    )
    counted = api.count(texts.sources, texts.systems, texts.references, options)
    return api.results(counted, options)["green"]


def n_with_whitespace(scored: Systems) -> int:
    """How many texts have ends that count, though nobody sees them."""
    texts, options = scored.texts, scored.options
    if options.tokenizer != "char" or options.strip:
        return 0
    lines = chain(texts.sources, *texts.references, *(lines for _, lines in texts.systems))
    return sum(line != line.strip() for line in lines)


class Sentences(NamedTuple):
    """The scores of single sentences, with the source as one more system."""

    texts: corpus.Corpus
    options: Options
    values: np.ndarray  # (system, sentence)

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.texts.systems]

    def most_different(self, first: str, second: str, most: int) -> list[tuple[int, float, float]]:
        """The sentences where two systems differ most, with the score of each."""
        one, other = (self.values[self.names.index(name)] for name in (first, second))
        sizes = np.abs(other - one)
        largest = np.argsort(-sizes, kind="stable")[:most]
        return [(int(i), float(one[i]), float(other[i])) for i in largest if sizes[i] > 0]

    def explain(self, system: str, index: int) -> Explanation:
        _, corrected = self.texts.systems[self.names.index(system)]
        source, references = self.texts.sources[index], self.texts.references[index]
        return of_sentence(source, corrected[index], references, self.options)


def sentences(scored: Systems) -> Sentences:
    """Score each sentence of each system."""
    texts = scored.texts
    source = _unique([*scored.names, SOURCE])[-1]
    texts = texts._replace(systems=[*texts.systems, (source, texts.sources)])
    options = replace(scored.options, level="sentence", n_resamples=0, paired=None)
    sources = texts.sources if options.scoring.needs_sources else None
    counted = api.count(sources, texts.systems, texts.references, options)
    return Sentences(texts, options, api.results(counted, options)[options.metric][0])


def _read(source: str | None, references: list[str], systems: list[str]) -> corpus.Corpus:
    """The files as a corpus; its systems have the names of their files."""
    if not systems:
        raise ValueError("there is no system; upload one or more files with corrected sentences")
    if not references:
        raise ValueError("there are no references; upload text files or one M2 file")
    _check_number(len(systems), MOST_SYSTEMS, "systems")
    _check_number(len(references), MOST_REFERENCES, "files with references")
    paths = [path for path in (source, *references, *systems) if path]
    for path in paths:
        _check_file(path)
    m2 = None
    if source is None:
        m2 = next((path for path in references if path.lower().endswith(".m2")), None)
        if m2 is None:
            raise ValueError("there is no source; upload it, or an M2 file, which has the source")
        references = [path for path in references if path != m2]
    try:
        texts = corpus.read(source, references, systems, m2=m2)
    except ValueError as error:
        message = str(error)
        for path in paths:  # visitors know their files, not where the server keeps them
            message = message.replace(path, os.path.basename(path))
        raise ValueError(message) from None
    _check_number(len(texts.references), MOST_SENTENCES, "sentences")
    _check_number(max(map(len, texts.references)), MOST_REFERENCES, "references of a sentence")
    names = _unique(visible(os.path.basename(path)) for path in systems)
    named = [(name, lines) for name, (_, lines) in zip(names, texts.systems, strict=True)]
    for line in chain(texts.sources, *texts.references, *(lines for _, lines in named)):
        _check_length(line, "a sentence")
    return texts._replace(systems=named)


def _check_file(path: str) -> None:
    name = os.path.basename(path)
    if os.path.getsize(path) > MOST_MEGABYTES * 1_000_000:
        raise ValueError(f"{name} is larger than {MOST_MEGABYTES} MB")
    with open(path, "rb") as file:
        if file.read(2) == b"\x1f\x8b":  # a small file could become a very large one
            raise ValueError(f"{name} is compressed; unpack it first")


def _unique(names: Iterable[str]) -> list[str]:
    """Names, numbered where one comes again."""
    found: list[str] = []
    for name in names:
        candidates = chain([name], (f"{name} ({n})" for n in count(2)))
        found.append(next(name for name in candidates if name not in found))
    return found


def read_rows(text: str) -> list[list[str]]:
    """The rows of a table that was copied from a spreadsheet, or CSV that names its columns."""
    _check_number(len(text), MOST_MEGABYTES * 1_000_000, "characters")
    lines = [line for line in _LINE_END.split(text) if line]
    rows = [[_unquoted(cell) for cell in line.split("\t")] for line in lines]
    if lines and sorted(lines[0].split(",")) == sorted(COLUMNS):
        try:
            rows = list(csv.reader(lines, strict=True))
        except csv.Error as error:
            raise ValueError(f"this is not CSV: {error}") from None
    columns = rows.pop(0) if rows and sorted(rows[0]) == sorted(COLUMNS) else COLUMNS
    for number, row in enumerate(rows, 1):
        if len(row) != len(COLUMNS):
            raise ValueError(
                f"row {number} has {len(row)} columns, but there are 3: {', '.join(COLUMNS)}, with "
                "tabs between them; or CSV, whose first line names them"
            )
    _check_number(len(rows), MOST_ROWS, "rows")
    return _by_name(columns, rows)


def _unquoted(cell: str) -> str:
    """A cell without the quotes that a spreadsheet has put around it, doubling those inside."""
    inner = cell[1:-1]
    is_quoted = len(cell) > 2 and cell[0] == cell[-1] == '"' and '""' in inner
    return inner.replace('""', '"') if is_quoted and '"' not in inner.replace('""', "") else cell


def _by_name(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    return [[row[columns.index(name)] for name in COLUMNS] for row in rows]


def score_rows(
    columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> tuple[dict[str, float], dict[int, list[float]]]:
    """Score a table of sources, predictions and references: all rows, and each by its number.

    Rows without any text are left out. References are a text or a JSON list of texts.
    """
    if sorted(columns) != sorted(COLUMNS):
        names = ", ".join(map(str, columns))
        raise ValueError(f"the columns must be {', '.join(COLUMNS)}, not {names:.200}")
    texts = ([_text(cell) for cell in row] for row in _by_name(columns, rows))
    given = {number: row for number, row in enumerate(texts, 1) if any(map(str.strip, row))}
    if not given:
        raise ValueError("there are no rows; type or paste some")
    _check_number(len(given), MOST_ROWS, "rows")
    for cell in chain.from_iterable(given.values()):
        _check_length(cell, "a cell")
    sources, predictions, cells = zip(*given.values(), strict=True)
    references = [_references(*pair) for pair in zip(given, cells, strict=True)]
    of_each = api.score(sources, predictions, references, level="sentence", effective_order=True)
    by_row = zip(given, zip(*of_each.values(), strict=True), strict=True)
    of_all = api.score(sources, predictions, references)
    return of_all, {number: list(values) for number, values in by_row}


def _text(cell: Any) -> str:
    """A cell's text; one that was left empty is none, or not a number."""
    return "" if cell is None or cell != cell else str(cell)


def _references(number: int, cell: str) -> list[str]:
    if not cell.lstrip().startswith("["):
        return [cell]
    try:
        found = json.loads(cell)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"row {number}: the references are not a JSON list: {error}") from None
    if not found or not all(isinstance(text, str) for text in found):
        raise ValueError(f"row {number}: the references must be a JSON list of one or more texts")
    _check_number(len(found), MOST_REFERENCES, "references of a row")
    return found


def _check_length(text: str, what: str) -> None:
    if len(text) > MOST_CHARACTERS:
        most = f"at most {MOST_CHARACTERS:,} characters"
        raise ValueError(f"{what} can have {most}, not {len(text):,}")


def _check_number(number: int, most: int, what: str) -> None:
    if number > most:
        raise ValueError(f"there can be at most {most:,} {what}, not {number:,}")
