"""Reads, checks and scores what visitors of the Space send.

Every error is a ValueError or a TypeError with a message for visitors.
"""

import csv
import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import chain, count
from typing import Any, NamedTuple

import numpy as np

from .. import api, corpus, inputs, multiset
from ..cli import reports
from ..explanation import Explanation, of_sentence, visible
from ..inputs import InputWarning
from ..options import OPTIONS, Options, is_list, one_of, shown
from ..scores import scoring
from ..significance import Progress, without_progress

MOST_CHARACTERS = 5_000  # of a text
MOST_REFERENCES = 20  # of a sentence
MOST_ORDER = 10
MOST_SENTENCES = 10_000
MOST_SYSTEMS = 10
MOST_MEGABYTES = 5  # of a file
MOST_ROWS = 1_000
COLUMNS = ["sources", "predictions", "references"]  # of a table
BETAS = np.geomspace(0.25, 4, 33)
SOURCE = "(the source itself)"  # an additional system
# The tokenizers that visitors can choose.
TOKENS = {
    "word": "words",
    "char": "characters",
    "13a": "words and punctuation (13a)",
    "intl": "words and punctuation (intl)",
}
# sacreBLEU's, if they are installed.
_MORE_TOKENS = {"zh": "Chinese (zh)", "ja-mecab": "Japanese (MeCab)", "ko-mecab": "Korean (MeCab)"}
for _name, _title in _MORE_TOKENS.items():
    with suppress(ImportError):
        multiset.tokenizer(_name)
        TOKENS[_name] = _title
_LINE_END = re.compile(r"\r\n|\r|\n")


def explain(
    source: Any, correction: Any, references: Any, tokenizer: str, max_order: Any, **own: Any
) -> tuple[Explanation, list[str]]:
    """Explain a sentence, with warnings; references are a list, or a text with one per line."""
    if isinstance(references, str):
        references = _LINE_END.split(references)
    if not isinstance(references, list):
        raise TypeError("the references must be a list of texts, or a text with one per line")
    named = [("source", source), ("correction", correction)]
    for name, text in (*named, *(("a reference", text) for text in references)):
        inputs.text(name, text)
        _check_length(text, "a text")
    references = [text for text in references if text.strip()]
    if not references:
        raise ValueError("there is no reference; give at least one, one per line")
    _check_number(len(references), MOST_REFERENCES, "references")
    options = _options("green", "sentence", tokenizer, max_order, own, strip=True, level="sentence")
    warnings: list[str] = []
    found = of_sentence(source, correction, references, options, warn=_collector(warnings))
    return found, warnings


def _collector(warnings: list[str]) -> Callable[[InputWarning], None]:
    """Takes warnings and lists them, with options as the page names them."""

    def show(name: str, value: Any) -> str:
        return f"“{OPTIONS[name].label}{f': {TOKENS[value]}' if value in TOKENS else ''}”"

    return lambda warning: warnings.append(warning.text(show))


def _options(
    metric: str, scope: str, tokenizer: Any, max_order: Any, own: dict[str, Any], **fixed: Any
) -> Options:
    """The options that visitors chose, which are fewer than those of `score`."""
    one_of(tuple(TOKENS))("tokenizer", tokenizer)
    if is_list(own.get("beta")):
        raise ValueError(f"beta must be one number, not {shown(own['beta'])}")
    given = {"tokenizer": tokenizer, **own}
    if max_order not in (None, 0):  # the paper's
        if isinstance(max_order, int):
            _check_number(max_order, MOST_ORDER, "tokens in an n-gram")
        given["max_order"] = max_order
    return Options.of(metric, given, scope, detailed=True, **fixed)


class Systems(NamedTuple):
    """Scored systems. The last one is the source itself, which the table leaves out."""

    texts: corpus.Corpus
    statistics: api.Statistics
    columns: dict[str, list]  # one row per system
    beta_curves: np.ndarray | None  # GREEN (beta, system) for all `BETAS`
    sentence_scores: np.ndarray  # (system, sentence), the source included
    warnings: list[str]

    @property
    def names(self) -> list[str]:
        """The systems of the table."""
        return [name for name, _ in self.texts.systems[:-1]]

    @property
    def report(self) -> str:
        """Everything, as JSON."""
        settings = {**self.statistics.options.settings(), "baseline": self.names[0]}
        n_sentences = len(self.texts.references)
        signature = self.statistics.signature
        return reports.to_json(
            self.columns,
            {self.statistics.options.metric: signature},
            [settings],
            n_sentences,
            self.warnings,
        )

    @property
    def sentences(self) -> "Sentences":
        options = self.statistics.options.replace(level="sentence", n_resamples=0, paired=None)
        return Sentences(self.texts, options, self.sentence_scores)


class Sentences(NamedTuple):
    """The scores of single sentences, with the source as an additional system."""

    texts: corpus.Corpus
    options: Options
    values: np.ndarray  # (system, sentence)

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.texts.systems]

    def most_different(self, first: str, second: str, most: int) -> list[tuple[int, float, float]]:
        """The sentences where two systems differ most, with the score of each system."""
        one, other = (self.values[self.names.index(name)] for name in (first, second))
        sizes = np.abs(other - one)
        largest = np.argsort(-sizes, kind="stable")[:most]
        return [(int(i), float(one[i]), float(other[i])) for i in largest if sizes[i] > 0]

    def explain(self, system: str, index: int) -> Explanation:
        _, corrected = self.texts.systems[self.names.index(system)]
        source, references = self.texts.sources[index], self.texts.references[index]
        # The whole upload has been warned about already.
        return of_sentence(source, corrected[index], references, self.options, warn=None)


def compare(
    source: str | None,
    references: list[str] | None,
    systems: list[str] | None,
    metric: str,
    tokenizer: str,
    max_order: int | None,
    paired: str,
    progress: Progress = without_progress,
    **own: Any,
) -> Systems:
    """Score the systems in some files, with intervals and tests against the first of them.

    Of the other options, those count that the score has.
    """
    texts = _read(source, references or [], systems or [])
    own = {name: value for name, value in own.items() if OPTIONS[name].is_of(metric)}
    own["paired"] = paired or "ar"
    options = _options(metric, "systems", tokenizer, max_order, own, n_resamples=api.N_RESAMPLES)
    settings = [options]
    if metric == "green":
        without = {"detailed": False, "n_resamples": 0, "paired": None}
        settings.append(options.replace(beta=BETAS.tolist(), **without))
    sources = texts.sources if scoring(options).needs_sources else None
    name = _unique([*(name for name, _ in texts.systems), SOURCE])[-1]
    texts = texts._replace(systems=[*texts.systems, (name, texts.sources)])
    warnings: list[str] = []
    statistics, *of_curves = api.count(
        *(sources, texts.systems, texts.references, settings, progress),
        warn=_collector(warnings),
    )
    of_table = statistics.of_systems(slice(-1))
    names = [name for name, _ in texts.systems[:-1]]
    columns = of_table.columns(names, of_table.results(0, progress))
    of_sentences = statistics.replace(level="sentence", n_resamples=0, paired=None)
    return Systems(
        texts,
        of_table,
        columns,
        of_curves[0].results()["green"][:, :-1] if of_curves else None,
        of_sentences.results()[metric][0],
        warnings,
    )


def _read(source: str | None, references: list[str], systems: list[str]) -> corpus.Corpus:
    """The files as a corpus; systems are named after their files."""
    if not systems:
        raise ValueError("there is no system; upload one or more files with corrected sentences")
    if not references:
        raise ValueError("there are no references; upload text files or one M2 file")
    _check_number(len(systems), MOST_SYSTEMS, "systems")
    _check_number(len(references), MOST_REFERENCES, "files with references")
    paths = [path for path in (source, *references, *systems) if path]
    for path in paths:
        _check_file(path)
    try:
        if source and _is_m2(source):
            raise ValueError(f"{source} is an M2 file: upload it as references, without a source")
        m2 = None if source else next(filter(_is_m2, references), None)
        if not source and m2 is None:
            raise ValueError("there is no source; upload it, or an M2 file, which has the source")
        others = [path for path in references if path != m2]
        texts = corpus.read(source, others, systems, m2=m2)
    except ValueError as error:
        message = str(error)
        for path in paths:  # visitors know the names of their files, not the server's folders
            message = message.replace(path, os.path.basename(path))
        raise ValueError(message) from None
    _check_number(len(texts.references), MOST_SENTENCES, "sentences")
    _check_number(max(map(len, texts.references)), MOST_REFERENCES, "references of a sentence")
    names = _unique(visible(os.path.basename(path)) for path in systems)
    named = [(name, lines) for name, (_, lines) in zip(names, texts.systems, strict=True)]
    for line in chain(texts.sources, *texts.references, *(lines for _, lines in named)):
        _check_length(line, "a sentence")
    return texts._replace(systems=named)


def _is_m2(path: str) -> bool:
    return path.lower().endswith(".m2") or corpus.is_m2(corpus.read_lines(path))


def _check_file(path: str) -> None:
    name = os.path.basename(path)
    if os.path.getsize(path) > MOST_MEGABYTES * 1_000_000:
        raise ValueError(f"{name} is larger than {MOST_MEGABYTES} MB")
    with open(path, "rb") as file:
        if file.read(2) == b"\x1f\x8b":  # a small file could unpack to a very large one
            raise ValueError(f"{name} is compressed; unpack it first")


def _unique(names: Iterable[str]) -> list[str]:
    """Names, numbered if they repeat."""
    found: list[str] = []
    for name in names:
        candidates = chain([name], (f"{name} ({n})" for n in count(2)))
        found.append(next(name for name in candidates if name not in found))
    return found


def read_rows(text: str) -> list[list[str]]:
    """The rows of a table copied from a spreadsheet, or of CSV with column names."""
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
    """A cell without the quotes that a spreadsheet puts around it when it doubles inner ones."""
    inner = cell[1:-1]
    is_quoted = len(cell) > 2 and cell[0] == cell[-1] == '"' and '""' in inner
    return inner.replace('""', '"') if is_quoted and '"' not in inner.replace('""', "") else cell


def _by_name(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    return [[row[columns.index(name)] for name in COLUMNS] for row in rows]


def score_rows(
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    tokenizer: str = Options.tokenizer,
    **own: Any,
) -> tuple[dict[str, float], dict[int, list[float]], list[str]]:
    """Score a table of sources, predictions and references: all rows, each by its number; warnings.

    Rows without any text are left out, and whitespace around texts does not count. References are
    one text or a JSON list of texts.
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
    options = _options("green", "corpus", tokenizer, None, own, strip=True)
    corpus = options.replace(detailed=False)
    each = corpus.replace(level="sentence", effective_order=True)
    systems, warnings = [("predictions", predictions)], []
    counted = api.count(*(sources, systems, references, [corpus, each]), warn=_collector(warnings))
    of_all, of_each = (statistics.score() for statistics in counted)
    by_row = zip(given, zip(*of_each.values(), strict=True), strict=True)
    return of_all, {number: list(values) for number, values in by_row}, warnings


def _text(cell: Any) -> str:
    """The text of a cell; empty cells are None or NaN."""
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
