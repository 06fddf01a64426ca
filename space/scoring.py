"""What the Space accepts, with all its limits, and what it computes; errors are for visitors."""

import os
import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from .. import api, corpus
from ..cli import tables
from ..counting import Statistics, count
from ..explanation import Explanation, explain_checked
from ..input_warnings import InputWarning
from ..inputs import Corpus, check_text, check_texts
from ..options import NGRAM_METRICS, Options, check_choice, check_int, is_sequence, option_names

# What visitors send, at most: scoring it takes about two seconds, the report about four.
MOST_MEGABYTES = 4  # of all files together
MOST_BYTES = 100_000  # of a request, but for files: reading JSON takes time and memory
MOST_SENTENCES = 2_000
MOST_LINES = 40_000  # of a file; M2 has several per sentence
MOST_SYSTEMS = 12
MOST_REFERENCES = 5  # per sentence
MOST_CHARACTERS = 2_000  # per text
MOST_ORDER = 10
N_RESAMPLES = 1_000  # more for the tests of many pairs of systems
MOST_NGRAMS = 1_000  # that are listed for a sentence
MOST_UPLOADED = 12_000_000  # bytes of an upload; more than MOST_MEGABYTES gets advice
MOST_WAITING = 25  # requests
MOST_AT_ONCE = 2  # requests of each kind
SECONDS_KEPT = 1800  # until uploads are deleted
PAGES_KEPT = 1  # whose last fields and results Gradio remembers
# The options of files, in the order of the endpoint /score.
OPTIONS = ("metric", "tokenizer", "max_order", "beta", "paired", "strip", "effective_order")
# What the page calls the options, and the tokenizers that visitors can choose.
LABELS = {
    "metric": "Score",
    "paired": "Test",
    "tokenizer": "Tokenizer",
    "max_order": "Longest n-grams (N)",
    "beta": "β: weight of recall against precision (GREEN)",
    "effective_order": "Leave out orders that are too long for the texts (GREEN)",
    "strip": "Remove whitespace around sentences",
}
TOKENIZERS = {
    "word": "words",
    "char": "characters",
    "13a": "words and punctuation (13a)",
    "intl": "words and punctuation (intl)",
}
_LINE_END = re.compile(r"\r\n|\r|\n")
_JSON_LINE = re.compile(r'\{\s*"')


class TooMuch(ValueError):
    """What exceeds a limit here."""


class Counted(NamedTuple):
    """Files after counting; the corpus has sources, even if the score does not need them."""

    corpus: Corpus
    statistics: Statistics
    warnings: list[str]
    n_files: int

    def to_json(self, baseline: int, columns: dict[str, list]) -> str:
        extra = {"baseline": list(self.corpus.systems)[baseline]}
        n, warnings = len(self.corpus), self.warnings
        return tables.to_json([self.statistics], n, warnings, extra, results=columns)


def explain(
    source: Any, correction: Any, references: Any, *options: Any
) -> tuple[Explanation, list[str]]:
    """Explain a sentence, with warnings; references are a list, or a text with one per line."""
    if isinstance(references, str):
        references = _LINE_END.split(references)
    references = list(filter(str.strip, check_texts("references", references).to_pylist()))
    if not references:
        raise ValueError("there is no reference; give at least one, one per line")
    _check_at_most(MOST_REFERENCES, len(references), "references")
    texts = check_text("source", source), check_text("correction", correction), *references
    _check_at_most(MOST_CHARACTERS, max(map(len, texts)), "characters in a text")
    tokenizer, max_order, beta, effective_order = options
    own = {"beta": beta, "effective_order": effective_order, "strip": True, "level": "sentence"}
    settings, warnings = _make_options("green", tokenizer, max_order, **own), []
    return explain_checked(source, correction, references, settings, _collector(warnings)), warnings


def count_files(source: Any, references: Any, systems: Any, *options: Any) -> Counted:
    """Count the n-grams of some files, given all of `OPTIONS`."""
    references, systems = references or [], systems or []
    paths = [path for path in (source, *references, *systems) if path]
    try:
        # GLEU with its best reference: resampling all draws would take too long.
        fixed = {"n_resamples": N_RESAMPLES, "selection": "max"}
        settings = _make_options(**dict(zip(OPTIONS, options, strict=True)), **fixed)
        texts = _read(_sort(source, references, systems), settings)
    except ValueError as error:
        message = str(error)
        for path in paths:  # visitors know the names of their files, not the server's folders
            message = message.replace(path, os.path.basename(path))
        raise ValueError(message) from None
    if len(texts.systems) == 1:
        settings = settings.replace(paired=None)
    warnings: list[str] = []
    counted = texts if api.need_sources([settings]) else replace(texts, sources=None)
    (statistics,) = count(counted, [settings], warn=_collector(warnings))
    return Counted(texts, statistics, warnings, len(paths))


def _collector(warnings: list[str]) -> Callable[[InputWarning], None]:
    """Lists warnings, with options as the page names them."""

    def show(name: str, value: Any) -> str:
        value = f": {TOKENIZERS[value]}" if value in TOKENIZERS else ""
        return f"“{LABELS[name]}{value}”"

    return lambda warning: warnings.append(warning.text(show))


def _check_at_most(most: int, number: int, what: str) -> None:
    if number > most:
        limit = f"here there can be at most {most:,} {what}, not {number:,}"
        raise TooMuch(f"{limit}; on your own computer there is no limit (pip install green-gec)")


def _make_options(metric: str, tokenizer: Any, max_order: Any, **own: Any) -> Options:
    """The options that visitors chose, which are fewer than those of `score`."""
    check_choice("metric", metric, NGRAM_METRICS)
    check_choice("tokenizer", tokenizer, tuple(TOKENIZERS))
    if is_sequence(own.get("beta")):
        raise ValueError(f"beta must be one number, not {own['beta']!r:.60}")
    if max_order in (None, 0):  # the paper's
        max_order = None
    else:
        check_int("max_order", max_order, 1, MOST_ORDER)
    own |= {"tokenizer": tokenizer, "max_order": max_order, "detailed": True}
    return Options.make(metric, {name: own[name] for name in option_names(metric) if name in own})


def _sort(source: Any, references: list[str], systems: list[str]) -> dict[str, list[str]]:
    """The files by the flags of the command `green`, which reads no tables."""
    paths = [path for path in (source, *references, *systems) if path]
    kinds = {path: _kind(path) for path in paths}
    if "table" in kinds.values():
        if len(paths) > 1:
            raise ValueError("a table must be the only file; it has all columns")
        return {"table": paths}
    if source and kinds[source] != "text":  # M2 and JSON Lines have the source and references
        source, references = None, [source, *references]
    jsonl = [path for path in references if kinds[path] == "JSON Lines"][:1]
    others = [path for path in references if path not in jsonl]
    return {"-s": [source] if source else [], "--jsonl": jsonl, "-r": others, "-c": systems}


def _kind(path: str) -> str:
    if not os.path.isfile(path):
        raise ValueError(f"{path} is no longer here; upload it again")
    with open(path, "rb") as file:
        if file.read(2) == b"\x1f\x8b":  # it could unpack to much more
            raise ValueError(f"{path} is compressed; unpack it first")
    lines, ending = corpus.read_lines(path), os.path.splitext(path.lower())[1]
    if ending in (".csv", ".tsv"):
        return "table"
    if ending in (".json", ".jsonl") or (lines and _JSON_LINE.match(lines[0])):
        return "JSON Lines"
    return "M2" if ending == ".m2" or corpus.is_m2(lines) else "text"


def _read(files: dict[str, list[str]], settings: Options) -> Corpus:
    """The files as a corpus, within the limits."""
    try:
        n_bytes = sum(map(os.path.getsize, chain.from_iterable(files.values())))
        _check_at_most(MOST_MEGABYTES * 1_000_000, n_bytes, "bytes in all files together")
        for path in chain.from_iterable(files.values()):
            lines = corpus.read_lines(path)
            _check_at_most(MOST_LINES, len(lines), "lines in a file")
            if corpus.is_m2(lines):  # where each of many annotators makes a copy of a line
                _check_at_most(2 * MOST_CHARACTERS, max(map(len, lines)), "characters in a line")
        texts = corpus.read_table(*files["table"]) if "table" in files else _read_parts(files)
        _check_at_most(MOST_SENTENCES, len(texts), "sentences")
        _check_at_most(MOST_SYSTEMS, len(texts.systems), "systems")
        _check_at_most(MOST_REFERENCES, max(map(len, texts.references)), "references of a sentence")
        lengths = map(len, chain(texts.sources, *texts.references, *texts.systems.values()))
        _check_at_most(MOST_CHARACTERS, max(lengths), "characters in a text")
    except TooMuch as error:
        raise ValueError(f"{error}{_advice(files, settings)}") from None
    return texts


def _read_parts(files: dict[str, list[str]]) -> Corpus:
    """The corpus of several files; systems are named after theirs."""
    named: dict[str, str] = {}
    for path in files["-c"]:
        name = os.path.basename(path)
        named[f"{name} ({len(named) + 1})" if name in named else name] = path
    source, jsonl = (next(iter(files[flag]), None) for flag in ("-s", "--jsonl"))
    texts = corpus.read(source, files["-r"], named, jsonl=jsonl, needs_sources=True)
    if texts.sources is None:
        raise ValueError("there is no source; upload it, or M2 or JSON Lines, which have it")
    return texts


def _advice(files: dict[str, list[str]], settings: Options) -> str:
    """The command that scores the files on the visitor's own computer."""
    if "table" in files:
        return "; save the columns of the table as text files first"
    words = ["green", "report"]
    if not api.need_sources([settings]):
        files = files | {"-s": []}
    for flag, paths in files.items():
        words += [flag, *map(os.path.basename, paths)] if paths else []
    options = {"-m": settings.metric, "-t": settings.tokenizer, "-n": settings.max_order}
    options |= {"-b": settings.beta, "--paired": settings.paired, "-o": "report.html"}
    for flag, value in options.items():
        words += [] if value is None else [flag, str(value)]
    words += ["--strip"] * settings.strip + ["--effective-order"] * bool(settings.effective_order)
    return f": {shlex.join(words)}"
