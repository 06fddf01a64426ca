"""Warnings about texts that can be scored, but are probably not what they should be.

`inspect_block` looks at one block of sentences after another; its findings add up, so that a corpus
gets at most one warning of each kind. This module knows texts, but no score.
"""

import inspect
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pyarrow as pa

from . import arrow_arrays
from .inputs import Block, Corpus
from .options import NGRAM_METRICS, Options, short_repr
from .tokenization import get_tokenizer

# A warning needs at least this share of the texts: far more than correct corpora have.
_PUNCTUATION = 0.1
_EMPTY = 0.05
_SHORT = 0.05
_TABS = 0.9
# Corpora of fewer sentences may have references that equal the sources.
_FEWEST_SENTENCES = 3
# Sentences that are enough to see whether references are transposed.
_ENOUGH_SENTENCES = 20

_STOPS = ".!?\u3002\uff01\uff1f"  # the last three are Chinese and Japanese
_BLANKS = " \t\n\v\f\r"
_CLOSING = _BLANKS + "\"')]}"  # what may follow the last stop of a text
_LETTERS = bytes([*range(128, 256), *(byte for byte in range(128) if chr(byte).isalnum())])
_IS_BLANK, _IS_WORD = (
    np.isin(np.arange(256), list(characters))
    for characters in (_BLANKS.encode(), _LETTERS + b"\"')]%")
)


class InputWarning(UserWarning):
    """The texts are probably not what they should be; they are scored as they are."""

    def __init__(
        self, kind: str, problem: str, remedy: str, options: Mapping[str, Any] | None = None
    ) -> None:
        """`remedy` may name options in braces; `options` gives the values that help, or None."""
        super().__init__(kind, problem, remedy, options or {})
        self.kind = kind

    def text(self, show: Callable[[str, Any], str]) -> str:
        """The message, with options as `show` writes their names and values."""
        _, problem, remedy, options = self.args
        texts = {name: show(name, value) for name, value in options.items()}
        return f"{problem}; {remedy.format_map(texts)}"

    def __str__(self) -> str:  # options as in Python
        return self.text(lambda n, v: n if v is None else f"{n}={v!r}".replace("'", '"'))


Warn = Callable[[InputWarning], Any]


def warn_user(warning: InputWarning) -> None:
    """Warn about the line of the user's code that called us, directly or through evaluate."""
    ours = (__name__.partition(".")[0], "evaluate")
    frame, depth = inspect.currentframe(), 1
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] in ours:
        frame, depth = frame.f_back, depth + 1
    warnings.warn(warning, stacklevel=depth)


class WarnOnce:
    """Warns about each kind of problem once, and not at all about the `silent` kinds."""

    def __init__(self, warn: Warn = warn_user, silent: Iterable[str] = ()) -> None:
        self._warn, self._silent = warn, set(silent)

    def __call__(self, warning: InputWarning) -> None:
        if warning.kind not in self._silent:
            self._silent.add(warning.kind)
            self._warn(warning)


class Findings:
    """How many texts of which column look wrong, by kind, and the first of them.

    Findings about whole sentences are in column 0.
    """

    def __init__(self) -> None:
        self.numbers: Counter[tuple[str, int]] = Counter()
        self.examples: dict[tuple[str, int], str] = {}

    @classmethod
    def merge(cls, parts: Iterable["Findings"]) -> "Findings":
        merged = cls()
        for part in parts:
            merged.numbers += part.numbers
            merged.examples = part.examples | merged.examples
        return merged

    def add(
        self, kind: str, texts: pa.LargeStringArray, positions: np.ndarray, column: int = 0
    ) -> None:
        """Count the texts at these positions."""
        if len(positions):
            self.numbers[kind, column] += len(positions)
            self.examples.setdefault((kind, column), texts[int(positions[0])].as_py())

    def add_short(self, block: Block, units: Iterable[tuple], names: Sequence[str]) -> None:
        """Add the sentences whose source and references all lack n-grams of the last order.

        `units` are sentences and their sizes, as `multiset.count` yields them.
        """
        is_short = np.ones(len(block), dtype=bool)
        columns = [names.index(name) for name in "SR" if name in names]
        for sentences, sizes in units:
            is_short[sentences] = ~sizes[0, :, :, -1, columns].any(axis=(0, 2))
        self.add("short", block.texts, block.source_positions[is_short])

    def number(self, kind: str, columns: Iterable[int] = (0,)) -> int:
        return sum(self.numbers[kind, column] for column in columns)

    def example(self, kind: str, columns: Iterable[int] = (0,)) -> str:
        keys = [(kind, column) for column in columns]
        return next(self.examples[key] for key in keys if key in self.examples)


def inspect_block(block: Block, options: Options, n_sentences: int) -> Findings:
    """Inspect some of the `n_sentences` of a corpus."""
    findings, texts, n = Findings(), block.texts, len(block)
    n_others = block.has_sources + block.n_systems  # columns before the references
    column_bounds = [*range(0, (n_others + 1) * n, n), len(texts)]
    n_bytes = arrow_arrays.n_bytes(arrow_arrays.strip(texts))
    is_empty = n_bytes == 0
    kinds = _inspect_ends(texts)
    if options.tokenizer == "char" and not options.strip:
        kinds["unstripped"] = n_bytes != arrow_arrays.n_bytes(texts)
    full_sources = ~is_empty[block.source_positions]
    findings.numbers["full", 0] = int(np.count_nonzero(full_sources))
    for column, (start, stop) in enumerate(pairwise(column_bounds)):
        findings.numbers["texts", column] = stop - start
        for kind, is_such in kinds.items():
            findings.add(kind, texts, start + is_such[start:stop].nonzero()[0], column)
        if block.has_sources <= column < n_others:
            is_lost = full_sources & is_empty[start:stop]
            findings.add("empty", texts, block.source_positions[is_lost], column)
    data, bounds = arrow_arrays.text_bytes(texts)
    if (data[bounds[0] : bounds[-1]] == ord("\t")).any():
        _find_tabs(findings, block)
    if block.has_sources and n_sentences >= _FEWEST_SENTENCES:
        _find_copies(findings, block)
    if n == n_sentences > 1 and (block.n_references == n).all():
        _find_transposition(findings, texts, n)
    return findings


def _inspect_ends(texts: pa.LargeStringArray) -> dict[str, np.ndarray]:
    """Whether the final punctuation of texts is attached to a word, and whether it is detached."""
    with_stops = arrow_arrays.strip_end(texts, _CLOSING)
    without_stops = arrow_arrays.strip_end(with_stops, _STOPS)
    n_bytes = arrow_arrays.n_bytes(without_stops)
    ends_in_stop = (n_bytes > 0) & (n_bytes < arrow_arrays.n_bytes(with_stops))
    data, bounds = arrow_arrays.text_bytes(without_stops)
    before = data[bounds[1:] - 1]
    return {
        "attached": ends_in_stop & _IS_WORD[before],
        "detached": ends_in_stop & _IS_BLANK[before],
    }


def _find_tabs(findings: Findings, block: Block) -> None:
    """Find sentences with a tab in a reference, but not in the corrections."""
    has_tab = np.array(["\t" in text for text in block.texts.to_pylist()])
    n, first = len(block), block.first_references[0]
    in_systems = has_tab[n * block.has_sources : first].reshape(block.n_systems, n).any(axis=0)
    sentences = np.arange(n).repeat(block.n_references)  # of the references
    suspects = (has_tab[first:] & ~in_systems[sentences]).nonzero()[0]
    _, one_each = np.unique(sentences[suspects], return_index=True)  # of each sentence, its first
    findings.add("tabs", block.texts, first + suspects[one_each])


def _find_copies(findings: Findings, block: Block) -> None:
    """Find out whether all references equal their source."""
    sources = np.arange(len(block)).repeat(block.n_references)  # of the references
    references = block.texts.slice(len(block.texts) - len(sources))
    n_bytes = arrow_arrays.n_bytes(block.texts)
    are_as_long = (n_bytes[sources] == n_bytes[-len(sources) :]).all()
    if are_as_long and arrow_arrays.take(block.texts, sources).equals(references):
        findings.add("copies", block.texts, np.arange(len(block)))


def _find_transposition(findings: Findings, texts: pa.LargeStringArray, n_sentences: int) -> None:
    """Find out whether references, as many as sentences, resemble the texts of other sentences."""
    n, first = min(n_sentences, _ENOUGH_SENTENCES), len(texts) - n_sentences**2
    pieces = [_pieces(text) for text in texts.slice(0, n).to_pylist()]
    own = other = 0.0
    for i, j in permutations(range(n), 2):
        reference = _pieces(texts[first + i * n_sentences + j].as_py())
        own += _overlap(reference, pieces[i])
        other += _overlap(reference, pieces[j])
    if other > 1.5 * own:
        findings.add("transposed", texts, np.array([first + 1]))


def _pieces(text: str) -> set[str]:
    return {text[start : start + 3] for start in range(max(len(text) - 2, 1))}


def _overlap(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other)


def make_warnings(
    findings: Findings,
    corpus: Corpus,
    options: Options,
    if_short: Mapping[str, Any],
    is_whole_corpus: bool,
) -> Iterator[InputWarning]:
    """The warnings that findings are worth; `if_short` has the option that helps short texts."""
    n_sentences, columns = len(corpus), range(len(corpus.names))
    every = f"{n_sentences:,} of {n_sentences:,} sentences"
    yield from _about_punctuation(findings, corpus.names, options)
    if if_short and (is_whole_corpus or options.level != "corpus"):
        yield from _about_short_texts(findings, n_sentences, options, if_short)
    n_tabs = findings.number("tabs")
    if n_tabs >= _TABS * n_sentences:
        yield InputWarning(
            "tabs",
            f"{n_tabs:,} of {n_sentences:,} sentences have tabs in their references, like "
            f"{short_repr(findings.example('tabs'))}, and tabs separate words, not references",
            "split them: one file per set of references, or one list of texts per sentence",
        )
    if is_whole_corpus and findings.number("copies") == n_sentences:
        yield InputWarning(
            "copies",
            f"{every} have no reference but the source itself, like "
            f"{short_repr(findings.example('copies'))}, so that every change counts as wrong",
            "check that the references are corrected sentences, and that an M2 file has edits",
        )
    yield from _about_empty_texts(findings, corpus)
    n_unstripped = findings.number("unstripped", columns)
    if n_unstripped:
        begin = "text begins or ends" if n_unstripped == 1 else "texts begin or end"
        yield InputWarning(
            "whitespace",
            f"{n_unstripped:,} {begin} with whitespace, which counts like any other character, "
            f"like {short_repr(findings.example('unstripped', columns))}",
            "{strip} removes it",
            {"strip": True},
        )
    if findings.number("transposed"):
        yield InputWarning(
            "transposed",
            f"{every} seem to have references of one another, as if transposed for sacreBLEU, like "
            f"{short_repr(findings.example('transposed'))} for the first one",
            "give one list per sentence: list(zip(*references))",
        )


def _about_punctuation(
    findings: Findings, names: Sequence[str], options: Options
) -> Iterator[InputWarning]:
    """Texts that are tokenised in some columns and not in others."""
    shares = {}
    for column in range(len(names)):
        n_attached = findings.numbers["attached", column]
        n_known = n_attached + findings.numbers["detached", column]
        if n_known and n_known >= _PUNCTUATION * findings.numbers["texts", column]:
            shares[column] = n_attached / n_known
    low, high = min(shares.values(), default=0), max(shares.values(), default=0)
    # Where no column is tokenised throughout, some learners may just write a space before a stop.
    if high - low < (_PUNCTUATION if low <= _PUNCTUATION else 0.5):
        return
    attached = [column for column, share in shares.items() if share >= (low + high) / 2]
    detached = [column for column in shares if column not in attached]
    like, unlike = findings.example("attached", attached), findings.example("detached", detached)
    stop = like.rstrip(_CLOSING)[-1]
    if _separates(get_tokenizer(options.tokenizer).split, stop):
        return
    n_attached, n_texts = findings.number("attached", attached), findings.number("texts", attached)
    problem = (
        f"{n_attached:,} of {n_texts:,} texts in {_join_names(names, attached)} end with "
        f"punctuation that is attached to a word, like {short_repr(like)}, but those in "
        f"{_join_names(names, detached)} are tokenised, like {short_repr(unlike)}"
    )
    remedy, remedy_options = "tokenise all texts alike", {}
    if stop.isascii() and options.metric in NGRAM_METRICS and options.tokenizer != "char":
        remedy += ", or use {tokenizer}, which separates punctuation"
        remedy_options = {"tokenizer": "13a"}
    yield InputWarning("punctuation", problem, remedy, remedy_options)


def _separates(split: Callable[[str], Sequence[str]], stop: str) -> bool:
    """Whether a tokenizer makes no difference between "Yes." and "Yes ."."""
    try:
        return list(split(f"Yes{stop}")) == list(split(f"Yes {stop}"))
    except (TypeError, ValueError):  # a user's function may not take any text
        return False


def _about_short_texts(
    findings: Findings, n_sentences: int, options: Options, if_short: Mapping[str, Any]
) -> Iterator[InputWarning]:
    """Texts that score 0 because they are shorter than the longest n-grams."""
    n_short = findings.number("short")
    # A corpus scores 0 only if all of its sentences are short.
    share = 1 if options.level == "corpus" else _SHORT
    if n_short >= share * n_sentences:
        ((name, value),) = if_short.items()
        yield InputWarning(
            "short",
            f"{n_short:,} of {n_sentences:,} sentences have fewer than {options.order:,} tokens, "
            f"like {short_repr(findings.example('short'))}, and even a perfect correction of them "
            "scores 0, as published",
            f"{'' if value else 'a smaller '}{{{name}}} scores them by shorter n-grams only",
            if_short,
        )


def _about_empty_texts(findings: Findings, corpus: Corpus) -> Iterator[InputWarning]:
    """Systems with many empty corrections; if all of them are empty, they are a baseline."""
    has_sources, n_sentences = corpus.sources is not None, len(corpus)
    systems, n_full = range(has_sources, len(corpus.names) - 1), findings.number("full")
    least = max(_EMPTY * n_sentences, 1)
    many = [column for column in systems if least <= findings.numbers["empty", column] < n_full]
    if many:
        n_empty, n_texts = findings.number("empty", many), n_sentences * len(many)
        like = "the correction of" if has_sources else "the one with the reference"
        yield InputWarning(
            "empty",
            f"{n_empty:,} of {n_texts:,} texts in {_join_names(corpus.names, many)} are empty, "
            f"like {like} {short_repr(findings.example('empty', many))}",
            "check that nothing was lost, and copy the source where nothing is to be corrected",
        )


def _join_names(names: Sequence[str], columns: Sequence[int]) -> str:
    *others, last = [names[column] for column in columns]
    if len(others) > 2:
        return f"{', '.join(others[:2])} and {len(columns) - 2} others"
    return f"{', '.join(others)} and {last}" if others else last
