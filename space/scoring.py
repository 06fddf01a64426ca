"""What the Space accepts, with all its limits, and what it computes; errors are for visitors."""

import os
import re
import shlex
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

# What visitors send, at most: the most expensive request takes about two seconds.
MOST_MEGABYTES = 4  # of all files together
MOST_BYTES = 100_000  # of a request, but for files: reading JSON takes time and memory
MOST_SENTENCES = 2_000
MOST_SYSTEMS = 12
MOST_REFERENCES = 5  # per sentence
MOST_CHARACTERS = 2_000  # per text
MOST_ORDER = 10
N_RESAMPLES = 1_000
MOST_NGRAMS = 2_000  # that are listed for a sentence
# How many requests may wait and, of each kind, be at work.
MOST_WAITING = 30
MOST_AT_ONCE = 2
# How long uploads are kept, and of how many pages the server remembers what they sent and got last.
SECONDS_KEPT = 1800
PAGES_KEPT = 1
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
# What the address of a sentence says, and how it is read; other values are left out.
_NUMBERS = {str(n): n for n in range(MOST_ORDER + 1)}
IN_ADDRESS = {
    **dict.fromkeys(("source", "correction", "references"), str),
    **{"tokenizer": {n: n for n in TOKENIZERS}.__getitem__, "max_order": _NUMBERS.__getitem__},
    **{"beta": float, "effective_order": "True".__eq__, "order": _NUMBERS.__getitem__},
}
_LINE_END = re.compile(r"\r\n|\r|\n")
_JSON_LINE = re.compile(r'\{\s*"')


class TooMuch(ValueError):
    """What exceeds a limit here."""


class Counted(NamedTuple):
    """Files after counting; the corpus has sources, even if the score does not need them."""

    corpus: Corpus
    statistics: Statistics
    warnings: list[InputWarning]
    n_files: int

    def to_json(self, baseline: int, columns: dict[str, list]) -> str:
        extra = {"baseline": list(self.corpus.systems)[baseline]}
        warnings = list(map(warning_text, self.warnings))
        return tables.to_json([self.statistics], len(self.corpus), warnings, extra, results=columns)


def explain(
    source: Any, correction: Any, references: Any, *options: Any
) -> tuple[Explanation, list[InputWarning]]:
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
    return explain_checked(source, correction, references, settings, warnings.append), warnings


def count_files(source: Any, references: Any, systems: Any, *options: Any) -> Counted:
    """Count the n-grams of some files, given all of `OPTIONS`."""
    references, systems = references or [], systems or []
    paths = [path for path in (source, *references, *systems) if path]
    try:
        # GLEU with its best reference: resampling all draws would take too long.
        fixed = {"n_resamples": N_RESAMPLES, "selection": "max"}
        settings = _make_options(**dict(zip(OPTIONS, options, strict=True)), **fixed)
        texts = _read(paths, source, references, systems)
    except TooMuch as error:
        command = _command(source, references, systems, *options[:2])
        raise ValueError(f"{error}: {command}") from None
    except ValueError as error:
        message = str(error)
        for path in paths:  # visitors know the names of their files, not the server's folders
            message = message.replace(path, os.path.basename(path))
        raise ValueError(message) from None
    if len(texts.systems) == 1:
        settings = settings.replace(paired=None)
    warnings: list[InputWarning] = []
    counted = texts if api.need_sources([settings]) else replace(texts, sources=None)
    (statistics,) = count(counted, [settings], warn=warnings.append)
    return Counted(texts, statistics, warnings, len(paths))


def _command(source: Any, references: list[str], systems: list[str], *options: str) -> str:
    """What scores the files on the visitor's own computer."""
    jsonl = [path for path in references if path.endswith((".json", ".jsonl"))]
    texts = [path for path in references if path not in jsonl]
    files = {"-s": [source] if source else [], "--jsonl": jsonl, "-r": texts, "-c": systems}
    parts = [[flag, *map(os.path.basename, files[flag])] for flag in files if files[flag]]
    parts += zip(("-m", "-t", "-o"), (*options, "report.html"), strict=True)
    return shlex.join(["green", "report", *chain.from_iterable(parts)])


def warning_text(warning: InputWarning) -> str:
    """A warning that names options as the page does."""

    def show(name: str, value: Any) -> str:
        value = f": {TOKENIZERS[value]}" if value in TOKENIZERS else ""
        return f"“{LABELS[name]}{value}”"

    return warning.text(show)


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
        check_int("max_order", max_order, 1)
        _check_at_most(MOST_ORDER, max_order, "tokens in an n-gram")
    own |= {"tokenizer": tokenizer, "max_order": max_order, "detailed": True}
    return Options.make(metric, {name: own[name] for name in option_names(metric) if name in own})


def _read(paths: list[str], source: Any, references: list[str], systems: list[str]) -> Corpus:
    """The files as a corpus; systems are named after their files."""
    for path in paths:
        if not os.path.isfile(path):
            raise ValueError(f"{path} is no longer here; upload it again")
    n_bytes = sum(map(os.path.getsize, paths))
    _check_at_most(MOST_MEGABYTES * 1_000_000, n_bytes, "bytes in all files together")
    kinds = {path: _kind(path) for path in paths}
    if "table" in kinds.values():
        if len(paths) > 1:
            raise ValueError("a table must be the only file; it has all columns")
        texts = corpus.read_table(paths[0])
    else:
        if source and kinds[source] != "text":  # M2 and JSON Lines have the source and references
            source, references = None, [source, *references]
        jsonl = next((path for path in references if kinds[path] == "JSON Lines"), None)
        others = [path for path in references if path != jsonl]
        named: dict[str, str] = {}
        for path in systems:
            name = os.path.basename(path)
            named[f"{name} ({len(named) + 1})" if name in named else name] = path
        texts = corpus.read(source, others, named, jsonl=jsonl, needs_sources=True)
        if texts.sources is None:
            raise ValueError("there is no source; upload it, or M2 or JSON Lines, which have it")
    _check_at_most(MOST_SENTENCES, len(texts), "sentences")
    _check_at_most(MOST_SYSTEMS, len(texts.systems), "systems")
    _check_at_most(MOST_REFERENCES, max(map(len, texts.references)), "references of a sentence")
    lengths = map(len, chain(texts.sources, *texts.references, *texts.systems.values()))
    _check_at_most(MOST_CHARACTERS, max(lengths), "characters in a text")
    return texts


def _kind(path: str) -> str:
    """What a file is; an error if it could unpack to much more than it has."""
    with open(path, "rb") as file:
        if file.read(2) == b"\x1f\x8b":
            raise ValueError(f"{path} is compressed; unpack it first")
    lines, ending = corpus.read_lines(path), os.path.splitext(path.lower())[1]
    if ending in (".csv", ".tsv"):
        return "table"
    if ending in (".json", ".jsonl") or (lines and _JSON_LINE.match(lines[0])):
        return "JSON Lines"
    if ending != ".m2" and not corpus.is_m2(lines):
        return "text"
    annotators: set[str] = set()  # each makes a copy of the sentence
    for line in lines:
        if line.startswith("S"):
            annotators.clear()
        elif line.startswith("A "):
            annotators.add(line.rpartition("|||")[2])
            _check_at_most(MOST_REFERENCES, len(annotators), "references of a sentence")
    return "M2"
