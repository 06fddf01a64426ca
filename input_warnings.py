"""Texts that can be scored, but are probably not what they should be.

`inspect_block` looks at one block of sentences after another; its findings add up, so that a corpus
gets at most one warning of each kind.
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
# Sentences that are enough to see that the references are copies of the sources, or transposed.
_FEW_SENTENCES = 3
_SOME_SENTENCES = 20

_LETTERS = bytes([*range(128, 256), *(byte for byte in range(128) if chr(byte).isalnum())])
_IS_BLANK, _IS_CLOSING, _IS_STOP, _IS_WORD = (
    np.isin(np.arange(256), list(some))
    for some in (b" \t\n\v\f\r", b" \"')]}", b".!?", _LETTERS + b"\"')]%")
)
_WIDE_STOPS = [int.from_bytes(stop.encode(), "big") for stop in "\u3002\uff01\uff1f"]  # CJK


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
        return (
            f"{problem}; {remedy.format_map({n: show(n, value) for n, value in options.items()})}"
        )

    def __str__(self) -> str:
        return self.text(_in_python)


def _in_python(name: str, value: Any) -> str:
    return name if value is None else f"{name}={value!r}".replace("'", '"')


def warn_user(warning: InputWarning) -> None:
    """Warn about the line of the user's code that called us, directly or through evaluate."""
    ours = (__name__.partition(".")[0], "evaluate")
    frame, depth = inspect.currentframe(), 1
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] in ours:
        frame, depth = frame.f_back, depth + 1
    warnings.warn(warning, stacklevel=depth)


class WarnOnce:
    """Warns of each kind of problem once, and not at all of some."""

    def __init__(self, *silent: str) -> None:
        self._told = set(silent)

    def __call__(self, warning: InputWarning) -> None:
        if warning.kind not in self._told:
            self._told.add(warning.kind)
            warn_user(warning)


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

    def add_short(
        self,
        block: Block,
        units: Iterable[tuple[np.ndarray, np.ndarray]],
        names: Sequence[str],
        max_order: int,
    ) -> None:
        """Add the sentences whose source and references all lack n-grams of the last order."""
        is_short = np.ones(len(block), dtype=bool)
        columns = [names.index(name) for name in "SR" if name in names]
        for sentences, sizes in units:
            if sizes.shape[3] == max_order:
                is_short[sentences] = ~sizes[0, :, :, -1, columns].any(axis=(0, 2))
        self.add("short", block.texts, block.source_positions[is_short])

    def number(self, kind: str, columns: Iterable[int] = (0,)) -> int:
        return sum(self.numbers[kind, column] for column in columns)

    def example(self, kind: str, columns: Iterable[int] = (0,)) -> str:
        return next(
            self.examples[kind, column] for column in columns if (kind, column) in self.examples
        )


def inspect_block(block: Block, options: Options, n_sentences: int) -> Findings:
    """Inspect some of the `n_sentences` of a corpus."""
    findings, texts, n = Findings(), block.texts, len(block)
    references = block.has_sources + block.n_systems  # the number of their column
    column_bounds = [*range(0, (references + 1) * n, n), len(texts)]
    data, bounds = arrow_arrays.text_bytes(texts)
    attached, detached, is_empty = _inspect_ends(data, bounds)
    ends = {"attached": attached, "detached": detached}
    if options.tokenizer == "char" and not options.strip:
        ends["unstripped"] = _find_unstripped(texts)
    source_positions = block.source_positions
    is_full = bounds[source_positions + 1] > bounds[source_positions]
    findings.numbers["full", 0] = int(np.count_nonzero(is_full))
    for column, (start, stop) in enumerate(pairwise(column_bounds)):
        findings.numbers["texts", column] = stop - start
        for kind, positions in ends.items():
            first, last = positions.searchsorted([start, stop])
            findings.add(kind, texts, positions[first:last], column)
        if block.has_sources <= column < references:
            findings.add("empty", texts, source_positions[is_full & is_empty[start:stop]], column)
    if (data[bounds[0] : bounds[-1]] == ord("\t")).any():
        _find_tabs(findings, block)
    if block.has_sources and n_sentences >= _FEW_SENTENCES:  # fewer would not be worth a warning
        _find_copies(findings, block)
    if n == n_sentences > 1 and (block.n_references == n).all():
        _find_transposition(findings, texts, n)
    return findings


def _inspect_ends(
    data: np.ndarray, bounds: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find punctuation that ends a text: attached to a word, or a token of its own.

    Returns the positions of the texts that have it attached, of those that have it apart, and which
    texts are empty.
    """
    starts, last = bounds[:-1], bounds[1:] - 1
    if not len(data):
        nowhere = np.zeros(0, dtype=np.int64)
        return nowhere, nowhere, last < starts
    last = _skip(_IS_BLANK, data, starts, last, most=16)
    is_empty = last < starts
    last = _skip(_IS_CLOSING, data, starts, last, most=4)
    final, width = data[last], 1
    stops = _IS_STOP[final]
    is_wide = (final > 127) & (last >= starts + 3)
    if is_wide.any():
        codes = sum(data[last - place].astype(np.int64) << 8 * place for place in range(3))
        is_wide &= np.isin(codes, _WIDE_STOPS)
        stops, width = stops | is_wide, np.where(is_wide, 3, 1)
    stops &= last - width >= starts
    before = data[np.maximum(last - width, 0)]
    return (
        (stops & _IS_WORD[before]).nonzero()[0],
        (stops & _IS_BLANK[before]).nonzero()[0],
        is_empty,
    )


def _find_unstripped(texts: pa.LargeStringArray) -> np.ndarray:
    """The positions of texts that begin or end with whitespace."""
    stripped = arrow_arrays.strip(texts)
    return (arrow_arrays.n_bytes(texts) != arrow_arrays.n_bytes(stripped)).nonzero()[0]


def _skip(
    kind: np.ndarray, data: np.ndarray, starts: np.ndarray, last: np.ndarray, most: int
) -> np.ndarray:
    """Go back from the last bytes of texts as long as they are of a kind, by `most` bytes."""
    for _ in range(most):
        skipped = kind[data[last]] & (last >= starts)
        if not skipped.any():
            break
        last = last - skipped
    return last


def _find_tabs(findings: Findings, block: Block) -> None:
    """Find sentences with a tab in a reference, but not in the corrections."""
    has_tab = np.array(["\t" in text for text in block.texts.to_pylist()])
    n, first = len(block), block.first_references[0]
    in_systems = has_tab[n * block.has_sources : first].reshape(block.n_systems, n).any(axis=0)
    in_references = np.logical_or.reduceat(has_tab[first:], block.first_references - first)
    with_tab = first + np.flatnonzero(has_tab[first:])
    sentence = block.first_references.searchsorted(with_tab, side="right") - 1
    _, one_each = np.unique(sentence, return_index=True)  # of each sentence, its first
    findings.add("tabs", block.texts, with_tab[one_each][~in_systems[in_references]])


def _find_copies(findings: Findings, block: Block) -> None:
    """Find out whether all references equal their source."""
    n_flat = int(block.n_references.sum())
    references = block.texts.slice(len(block.texts) - n_flat)
    n_bytes = arrow_arrays.n_bytes(block.texts)
    if (n_bytes[: len(block)].repeat(block.n_references) != n_bytes[-n_flat:]).any():
        return
    repeated = arrow_arrays.take(block.texts, np.arange(len(block)).repeat(block.n_references))
    if repeated.equals(references):
        findings.add("copies", references, np.arange(n_flat))


def _find_transposition(findings: Findings, texts: pa.LargeStringArray, n_sentences: int) -> None:
    """Find out whether references, as many as sentences, resemble the texts of other sentences."""
    n, first = min(n_sentences, _SOME_SENTENCES), len(texts) - n_sentences**2
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


def inspect_corpus(corpus: Corpus, options: Options) -> Findings:
    """Inspect a corpus whose n-grams are not counted."""
    step = 4096
    starts = range(0, len(corpus), step)
    blocks = (corpus.block(start, min(start + step, len(corpus))) for start in starts)
    return Findings.merge(inspect_block(block, options, len(corpus)) for block in blocks)


def make_warnings(
    findings: Findings,
    corpus: Corpus,
    options: Options,
    if_short: Mapping[str, Any],
    is_whole_corpus: bool,
) -> Iterator[InputWarning]:
    """The warnings that findings are worth; `if_short` has the option that helps short texts."""
    names, has_sources = corpus.names, corpus.sources is not None
    *systems, references = range(has_sources, len(names))
    n_sentences = findings.number("texts", systems[:1])
    every = f"{n_sentences:,} of {n_sentences:,} sentences"
    yield from _about_punctuation(findings, names, options)
    if if_short and (is_whole_corpus or options.level != "corpus"):
        yield from _about_short_texts(findings, n_sentences, options, if_short)
    if n_sentences * _TABS <= findings.number("tabs"):
        yield InputWarning(
            "tabs",
            f"{findings.number('tabs'):,} of {n_sentences:,} sentences have tabs in their "
            f"references, like {short_repr(findings.example('tabs'))}, and tabs separate words, "
            "not references",
            "split them: one file per set of references, or one list of texts per sentence",
        )
    all_copies = findings.number("copies") == findings.number("texts", [references])
    if is_whole_corpus and n_sentences >= _FEW_SENTENCES and all_copies:
        yield InputWarning(
            "copies",
            f"{every} have no reference but the source itself, like "
            f"{short_repr(findings.example('copies'))}, so that every change counts as wrong",
            "check that the references are corrected sentences, and that an M2 file has edits",
        )
    yield from _about_empty_texts(findings, names, systems, n_sentences, has_sources)
    n_unstripped = findings.number("unstripped", range(len(names)))
    if n_unstripped:
        some = "text begins or ends" if n_unstripped == 1 else "texts begin or end"
        yield InputWarning(
            "whitespace",
            f"{n_unstripped:,} {some} with whitespace, which counts like any other character, like "
            f"{short_repr(findings.example('unstripped', range(len(names))))}",
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
    if not findings.number("attached", range(len(names))):
        return
    shares = {}
    for column in range(len(names)):
        n_attached, n_detached = (
            findings.number(what, [column]) for what in ("attached", "detached")
        )
        n_known = n_attached + n_detached
        if n_known and n_known >= _PUNCTUATION * findings.number("texts", [column]):
            shares[column] = n_attached / n_known
    low, high = min(shares.values(), default=0), max(shares.values(), default=0)
    # Where no column is tokenised throughout, some learners may just write a space before a stop.
    if high - low < (_PUNCTUATION if low <= _PUNCTUATION else 0.5):
        return
    attached = [column for column, share in shares.items() if share >= (low + high) / 2]
    detached = [column for column in shares if column not in attached]
    like, unlike = findings.example("attached", attached), findings.example("detached", detached)
    stop = like.rstrip(" \t\n\v\f\r\"')]}")[-1]
    if _separates(get_tokenizer(options.tokenizer).split, stop):
        return
    in_attached, in_detached = (
        _join_names([names[column] for column in some]) for some in (attached, detached)
    )
    has_tokenizers = options.metric in NGRAM_METRICS
    helps = stop.isascii() and has_tokenizers and options.tokenizer != "char"
    n_attached, n_texts = (findings.number(what, attached) for what in ("attached", "texts"))
    yield InputWarning(
        "punctuation",
        f"{n_attached:,} of {n_texts:,} texts in {in_attached} end with punctuation that is "
        f"attached to a word, like {short_repr(like)}, but those in {in_detached} are tokenised, "
        f"like {short_repr(unlike)}",
        "tokenise all texts alike"
        + (", or use {tokenizer}, which separates punctuation" if helps else ""),
        {"tokenizer": "13a"} if helps else None,
    )


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
    if n_short and n_short >= share * n_sentences:
        ((name, value),) = if_short.items()
        yield InputWarning(
            "short",
            f"{n_short:,} of {n_sentences:,} sentences have fewer than {options.order:,} tokens, "
            f"like {short_repr(findings.example('short'))}, and even a perfect correction of them "
            "scores 0, as published",
            f"{'' if value else 'a smaller '}{{{name}}} scores them by shorter n-grams only",
            if_short,
        )


def _about_empty_texts(
    findings: Findings,
    names: Sequence[str],
    systems: Sequence[int],
    n_sentences: int,
    has_sources: bool,
) -> Iterator[InputWarning]:
    """Systems with many empty corrections; if all of them are empty, they are a baseline."""
    n_full = findings.number("full")
    n_of = {column: findings.number("empty", [column]) for column in systems}
    many = [column for column, n in n_of.items() if _EMPTY * n_sentences <= n < n_full and n]
    if many:
        n_empty, n_texts = findings.number("empty", many), n_sentences * len(many)
        like = "the correction of" if has_sources else "the one with the reference"
        in_many = _join_names([names[column] for column in many])
        yield InputWarning(
            "empty",
            f"{n_empty:,} of {n_texts:,} texts in {in_many} are empty, like {like} "
            f"{short_repr(findings.example('empty', many))}",
            "check that nothing was lost, and copy the source where nothing is to be corrected",
        )


def _join_names(names: Sequence[str]) -> str:
    if len(names) > 3:
        return f"{', '.join(names[:2])} and {len(names) - 2} others"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
