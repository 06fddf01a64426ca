"""Reads, checks and scores what visitors of the Space send.

Every error is a ValueError or a TypeError with a message for visitors.
"""

import csv
import io
import itertools
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any
from urllib.parse import urlencode

from .. import api, corpus, sentences
from ..cli import tables
from ..corpus import columns as column_names
from ..counting import Statistics
from ..counting import count as count_ngrams
from ..explanation import Explanation, explain_checked, visible
from ..input_warnings import InputWarning
from ..inputs import Corpus
from ..metrics import make_metric
from ..options import (
    NGRAM_METRICS,
    OWN_OPTIONS,
    Options,
    check_choice,
    check_int,
    is_sequence,
    option_names,
    short_repr,
)
from ..reporting.analysis import Analysis, analyse, analyse_by_beta
from ..reporting.page import page
from ..significance import Progress, no_progress
from ..tokenization import get_tokenizer
from . import limits
from .limits import check_length, check_number

COLUMNS = [*column_names.COLUMNS]  # of a table: sources, predictions, references
# Names of columns, in the singular, too; "correction" is what the other tabs call a prediction.
_NAMES = column_names.COLUMNS | {
    "predictions": (*column_names.COLUMNS["predictions"], "correction", "corrected", "system")
}
_IN_PARENTHESES = re.compile(r"\s*\(.*\)$")
_NUMBER = re.compile(r"[\s_-]*\d+$")  # of one of several references
_QUOTED = re.compile(r'\s*".*"\s*')
_MARK = "\ufeff"  # of the byte order, at the beginning of some files
SOURCE = "(the source itself)"  # an additional system
# What the page calls the options.
LABELS = {
    "tokenizer": "Tokens",
    "max_order": "Longest n-grams (N)",
    "beta": "β: weight of recall against precision (GREEN)",
    "effective_order": "Leave out orders that are too long for the texts (GREEN)",
    "strip": "Remove whitespace around sentences",
}
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
        get_tokenizer(_name)
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
    references = [text for text in references if not isinstance(text, str) or text.strip()]
    check_number(len(references), limits.MOST_REFERENCES, "references")
    named = [("source", source), ("correction", correction)]
    for name, text in (*named, *(("a reference", text) for text in references)):
        if not isinstance(text, str):
            raise TypeError(f"{name} must be a string, not {short_repr(text)}")
        check_length(text, "a text")
    if not references:
        raise ValueError("there is no reference; give at least one, one per line")
    options = _options("green", tokenizer, max_order, own, strip=True, level="sentence")
    warnings: list[str] = []
    found = explain_checked(source, correction, references, options, warn=_collector(warnings))
    return found, warnings


def _collector(warnings: list[str]) -> Callable[[InputWarning], None]:
    """Takes warnings and lists them, with options as the page names them."""

    def show(name: str, value: Any) -> str:
        return f"“{LABELS[name]}{f': {TOKENS[value]}' if value in TOKENS else ''}”"

    return lambda warning: warnings.append(warning.text(show))


def _options(
    metric: str, tokenizer: Any, max_order: Any, own: dict[str, Any], **fixed: Any
) -> Options:
    """The options that visitors chose, which are fewer than those of `score`."""
    check_choice("tokenizer", tokenizer, tuple(TOKENS))
    if is_sequence(own.get("beta")):
        raise ValueError(f"beta must be one number, not {short_repr(own['beta'])}")
    given = {"tokenizer": tokenizer, **own}
    if max_order not in (None, 0):  # the paper's
        check_int("max_order", max_order, 1, limits.MOST_ORDER)
        given["max_order"] = max_order
    return Options.make(metric, given, detailed=True, **fixed)


def link(given: dict[str, Any]) -> str:
    """The address of a sentence with its options, within the page."""
    defaults = {"tokenizer": Options.tokenizer, "max_order": 0, "order": 1, **OWN_OPTIONS["green"]}
    told = {name: v for name, v in given.items() if name not in defaults or v != defaults[name]}
    return f"?{urlencode(told)}"


def linked(query: Mapping[str, str]) -> dict[str, Any]:
    """What the address of a sentence tells; options that do not exist are left out."""
    found = {name: query[name] for name in ("source", "correction", "references") if name in query}
    if query.get("tokenizer") in TOKENS:
        found["tokenizer"] = query["tokenizer"]
    for name in ("max_order", "order"):
        if query.get(name) in map(str, range(1, limits.MOST_ORDER + 1)):
            found[name] = int(query[name])
    with suppress(KeyError, ValueError):
        beta = float(query["beta"])
        found |= {"beta": beta} if math.isfinite(beta) else {}
    if query.get("effective_order") == "True":
        found["effective_order"] = True
    return found if {"source", "correction", "references"} <= set(found) else {}


@dataclass(frozen=True)
class Counted:
    """An upload after counting. Its last system is the source itself, which tables leave out."""

    texts: Corpus
    statistics: Statistics
    warnings: list[str]

    @property
    def names(self) -> list[str]:
        """The systems, with the source."""
        return list(self.texts.systems)

    def differences(self, first: str, second: str, n: int) -> dict[str, list]:
        """The columns of `green_gec.differences`: the sentences that make the difference."""
        pair = self._index(first), self._index(second)
        return sentences.difference_columns(self.texts, self.statistics, pair, n)

    def worst(self, system: str, n: int) -> dict[str, list]:
        """The columns of `green_gec.worst_sentences`: those that cost a system most."""
        alone = self.statistics.select_systems([self._index(system)])
        texts = replace(self.texts, systems={system: self.texts.systems[system]})
        return sentences.worst_columns(texts, alone, n)

    def explain(self, system: str, index: int) -> Explanation:
        corrected = self.texts.systems[self.names[self._index(system)]]
        if index not in range(len(corrected)):
            raise ValueError(f"there is no sentence {short_repr(index)}; choose one of the list")
        source, references = self.texts.sources[index], self.texts.references[index]
        options = self.statistics.options
        options = options.replace(level="sentence", n_resamples=0, paired=None)
        # The whole upload has been warned about already.
        return explain_checked(source, corrected[index], references, options, warn=None)

    def _index(self, system: str) -> int:
        check_choice("a system", system, self.names)
        return self.names.index(system)

    def find(
        self, paired: str, baseline: str | None = None, progress: Progress = no_progress
    ) -> Analysis:
        """Scores, intervals, and tests against the baseline, by default the first system."""
        statistics, texts, index = self._of_systems(paired, baseline)
        columns = statistics.columns(self.names[:-1], statistics.results(index, progress))
        return Analysis(statistics, texts, index, columns, analyse_by_beta(statistics, texts))

    def find_all(
        self, paired: str, baseline: str | None = None, progress: Progress = no_progress
    ) -> Analysis:
        """All that a report has, if there is time for it."""
        statistics, texts, index = self._of_systems(paired, baseline)
        limits.check_report(self.texts, statistics.options)
        return analyse(statistics, texts, index, progress)

    def report(
        self, paired: str, baseline: str | None = None, progress: Progress = no_progress
    ) -> str:
        """The report in one file."""
        return page([self.find_all(paired, baseline, progress)], self.warnings, files={})

    def to_json(self, found: Analysis) -> str:
        extra = {"baseline": found.names[found.baseline]}
        return tables.to_json(
            [found.statistics], len(self.texts), self.warnings, extra, results=found.columns
        )

    def _of_systems(self, paired: str, baseline: str | None) -> tuple[Statistics, Corpus, int]:
        """Statistics and texts without the source as a system, and the number of the baseline."""
        names = self.names[:-1]
        statistics = self.statistics.select_systems(slice(-1))
        test = (paired or "ar") if len(names) > 1 else None
        texts = replace(self.texts, systems={name: self.texts.systems[name] for name in names})
        index = api.system_index(baseline, texts)
        return statistics.replace(paired=test), texts, index


def count(
    source: str | None,
    references: list[str] | None,
    systems: list[str] | None,
    metric: str,
    tokenizer: str,
    max_order: int | None,
    progress: Progress = no_progress,
    **own: Any,
) -> Counted:
    """Count the n-grams of the systems in some files, once for everything that is shown of them.

    Of the other options, those count that the score has.
    """
    check_choice("metric", metric, NGRAM_METRICS)
    texts = _read(source, references or [], systems or [])
    own = {name: value for name, value in own.items() if name in option_names(metric)}
    options = _options(metric, tokenizer, max_order, own, n_resamples=api.N_RESAMPLES)
    name = _unique([*texts.systems, SOURCE])[-1]
    texts = replace(texts, systems={**texts.systems, name: texts.sources})
    warnings: list[str] = []
    n_resamples = limits.resamples_within_budget(texts, options)
    if n_resamples < options.n_resamples:
        about = f"{n_resamples} resamples make the intervals and tests, not {options.n_resamples:,}"
        warnings.append(f"{about}, which would take too long here for this upload")
        options = options.replace(n_resamples=n_resamples)
    counted = texts if make_metric(options).needs_sources else replace(texts, sources=None)
    (statistics,) = count_ngrams(counted, [options], warn=_collector(warnings), progress=progress)
    return Counted(texts, statistics, warnings)


def _read(source: str | None, references: list[str], systems: list[str]) -> Corpus:
    """The files as a corpus; systems are named after their files."""
    check_number(len(systems), limits.MOST_SYSTEMS, "systems")
    check_number(len(references), limits.MOST_REFERENCES, "files with references")
    paths = [path for path in (source, *references, *systems) if path]
    for path in paths:
        _check_file(path)
    try:
        kinds = {path: _kind(path) for path in paths}
        jsonl = next((path for path in references if kinds[path] == "JSON Lines"), None)
        if not systems and not jsonl:
            raise ValueError("there is no system; upload one or more files with corrections")
        if not references:
            raise ValueError("there are no references; upload text, M2 or JSON Lines")
        if source and kinds[source] != "text":
            raise ValueError(
                f"{source} is {kinds[source]}: upload it as references, without a source"
            )
        n_m2 = sum(kinds[path] == "M2" for path in references)
        check_number(n_m2, 1, "M2 file among the references")
        if not (source or n_m2 or jsonl):
            raise ValueError(
                "there is no source; upload it, or M2 or JSON Lines, which have the source"
            )
        others = [path for path in references if path != jsonl]
        texts = corpus.read(source, others, systems, jsonl=jsonl, needs_sources=True)
    except ValueError as error:
        message = str(error)
        for path in paths:  # visitors know the names of their files, not the server's folders
            message = message.replace(path, os.path.basename(path))
        raise ValueError(message) from None
    check_number(len(texts.systems), limits.MOST_SYSTEMS, "systems")
    most = max(map(len, texts.references))
    check_number(most, limits.MOST_REFERENCES, "references of a sentence")
    names = _unique(
        visible(os.path.basename(name) if name in systems else name) for name in texts.systems
    )
    for line in chain(texts.sources, *texts.references, *texts.systems.values()):
        check_length(line, "a sentence")
    return replace(texts, systems=dict(zip(names, texts.systems.values(), strict=True)))


def _check_file(path: str) -> None:
    name = os.path.basename(path)
    try:
        size = os.path.getsize(path)
        if not os.path.isfile(path):
            raise ValueError(f"{name} is no file")
    except OSError:
        raise ValueError(f"{name} is no longer here; upload it again") from None
    if size > limits.MOST_MEGABYTES * 1_000_000:
        raise ValueError(f"{name} is larger than {limits.MOST_MEGABYTES} MB")
    with open(path, "rb") as file:
        if file.read(2) == b"\x1f\x8b":  # a small file could unpack to a very large one
            raise ValueError(f"{name} is compressed; unpack it first")


def _kind(path: str) -> str:
    """Check how much a file holds before anything is made of it; what it is."""
    lines = corpus.read_lines(path)
    ending = os.path.splitext(path.lower())[1]
    if ending != ".m2" and not corpus.is_m2(lines):
        check_number(len(lines), limits.MOST_SENTENCES, "sentences")
        is_json = ending in (".json", ".jsonl") or (lines and lines[0].startswith('{"'))
        return "JSON Lines" if is_json else "text"
    n_sentences, annotators = 0, set()
    for line in lines:
        if line.startswith("A "):
            annotators.add(line.rpartition("|||")[2])
            check_number(len(annotators), limits.MOST_REFERENCES, "references of a sentence")
        elif line.startswith("S"):
            n_sentences += 1
            annotators.clear()
    check_number(n_sentences, limits.MOST_SENTENCES, "sentences")
    return "M2"


def _unique(names: Iterable[str]) -> list[str]:
    """Names, numbered if they repeat."""
    found: list[str] = []
    for name in names:
        candidates = chain([name], (f"{name} ({n})" for n in itertools.count(2)))
        found.append(next(name for name in candidates if name not in found))
    return found


def read_rows(text: str) -> list[list[str]]:
    """The rows of a table copied from a spreadsheet, or of CSV with column names."""
    check_number(len(text), limits.MOST_MEGABYTES * 1_000_000, "characters")
    text = text.removeprefix(_MARK)
    rows = _read_csv(text)
    if rows is None:
        lines = [line for line in _LINE_END.split(text) if line]
        rows = [[_unquoted(cell) for cell in line.split("\t")] for line in lines]
    places = _places(rows[0]) if rows else {}
    header = rows.pop(0) if places else COLUMNS
    for number, row in enumerate(rows, 1):
        if len(row) != len(header):
            raise ValueError(
                f"row {number} has {len(row)} columns, but there are {len(header)}: "
                f"{', '.join(header)}, with tabs between them; or CSV, whose first line names them"
            )
    check_number(len(rows), limits.MOST_ROWS, "rows")
    return _in_order(places or _places(COLUMNS), rows)


def _read_csv(text: str) -> list[list[str]] | None:
    """The rows of CSV, or None if the first line has no names of columns.

    Tabs separate the columns of CSV if all names are quoted. Other quotes beside tabs are part of
    the texts.
    """
    line = _LINE_END.split(text, maxsplit=1)[0]
    delimiter = "\t" if "\t" in line else ","
    cells = line.split(delimiter)
    if len(cells) == 1 or (delimiter == "\t" and not all(map(_QUOTED.fullmatch, cells))):
        return None
    try:
        header = next(csv.reader([line], delimiter=delimiter))
    except csv.Error:  # a cell is too long for a name
        return None
    if not _places(header):
        return None
    try:
        lines = io.StringIO(text, newline="")
        return [*filter(None, csv.reader(lines, delimiter=delimiter, strict=True))]
    except csv.Error as error:
        raise ValueError(f"this is not CSV: {error}") from None


def _places(header: Sequence[Any]) -> dict[str, list[int]]:
    """Where each column of a table is, by the names in its first row; {} if that is no header."""
    names = [*map(_name, header)]
    places = {
        column: [place for place, name in enumerate(names) if name in synonyms]
        for column, synonyms in _NAMES.items()
    }
    missing = [synonyms[0] for column, synonyms in _NAMES.items() if not places[column]]
    shown = ", ".join(map(str, header))
    if len(missing) == len(places):
        return {}
    if missing:
        raise ValueError(
            f"the first row looks like a header, but no column is called {missing[0]}: "
            f"{shown:.200}; call them source, prediction and reference, in any order; if this row "
            "is no header, put one above it"
        )
    for column in ("sources", "predictions"):
        if len(places[column]) > 1:
            raise ValueError(f"several columns could be the {column}: {shown:.200}; leave one out")
    return places


def _name(cell: Any) -> str:
    """A cell of a header without what does not matter."""
    name = str(cell).strip().strip(f'"{_MARK}').strip()
    name = _IN_PARENTHESES.sub("", name.casefold())
    numberless = _NUMBER.sub("", name)
    return numberless if numberless in _NAMES["references"] else name


def _in_order(places: Mapping[str, list[int]], rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """The three cells of each row; several references become a JSON list."""
    found = []
    for number, row in enumerate(rows, 1):
        source, prediction, *others = (row[place] for place in chain(*places.values()))
        if len(others) > 1:
            lists = (_references(number, cell) for cell in others if cell.strip())
            others = [*chain.from_iterable(lists)]
            others = [json.dumps(others, ensure_ascii=False) if others else ""]
        found.append([source, prediction, *others])
    return found


def _unquoted(cell: str) -> str:
    """A cell without the quotes that a spreadsheet puts around it when it doubles inner ones."""
    inner = cell[1:-1]
    is_quoted = len(cell) > 2 and cell[0] == cell[-1] == '"' and '""' in inner
    return inner.replace('""', '"') if is_quoted and '"' not in inner.replace('""', "") else cell


def score_rows(
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    tokenizer: str = Options.tokenizer,
    max_order: Any = None,
    **own: Any,
) -> tuple[dict[str, float], dict[str, list], list[str]]:
    """Score a table of sources, predictions and references: all rows, each alone; warnings.

    Each row is listed with its number and its texts. Rows without any text are left out, and
    whitespace around texts does not count. References are one text or a JSON list of texts.
    """
    places = _places(columns)
    if not places:
        names = ", ".join(map(str, columns))
        raise ValueError(f"the columns must be {', '.join(COLUMNS)}, not {names:.200}")
    texts = ([_text(cell) for cell in row] for row in rows)
    texts = _in_order(places, texts)
    given = {number: row for number, row in enumerate(texts, 1) if any(map(str.strip, row))}
    if not given:
        raise ValueError("there are no rows; type or paste some")
    check_number(len(given), limits.MOST_ROWS, "rows")
    for cell in chain.from_iterable(given.values()):
        check_length(cell, "a cell")
    sources, predictions, cells = zip(*given.values(), strict=True)
    references = [_references(*pair) for pair in zip(given, cells, strict=True)]
    options = _options("green", tokenizer, max_order, own, strip=True)
    of_all = options.replace(detailed=False)
    each = of_all.replace(level="sentence", effective_order=True)
    warnings: list[str] = []
    table = Corpus.check(sources, {"predictions": predictions}, references)
    counted = count_ngrams(table, [of_all, each], warn=_collector(warnings))
    of_all, of_each = (statistics.score() for statistics in counted)
    listed = {"row": [*given], **of_each, "source": [*sources], "prediction": [*predictions]}
    return of_all, listed | {"references": references}, warnings


def _text(cell: Any) -> str:
    """The text of a cell; empty cells are None or NaN."""
    return "" if cell is None or cell != cell else str(cell)


def _references(number: int, cell: str) -> list[str]:
    if not cell.strip():
        raise ValueError(f"row {number} has no reference; write one, or a JSON list of several")
    if not cell.lstrip().startswith("["):
        return [cell]
    try:
        found = json.loads(cell)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"row {number}: the references are not a JSON list: {error}") from None
    if not found or not all(isinstance(text, str) for text in found):
        raise ValueError(f"row {number}: the references must be a JSON list of one or more texts")
    check_number(len(found), limits.MOST_REFERENCES, "references of a row")
    return found
