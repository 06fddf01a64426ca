"""From what users pass to what the kernel takes: checks every text and turns it into Arrow.

Errors name the argument and the position, so that you can find one bad sentence in a million. Texts
that can be scored, but look wrong, get an `InputWarning`: `inspect` takes one block of sentences
after another, and its findings add up, so that a corpus gets at most one warning of each kind.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, permutations
from typing import Any

import numpy as np
import pyarrow as pa

from . import arrow
from .options import OPTIONS, Options, shown

Column = Sequence | pa.Array | pa.ChunkedArray

# What the columns of datasets, batches and DataFrames and the fields of JSON Lines may be called.
# The first two names, singular and plural, win; the others are synonyms of equal rank.
COLUMNS = {
    "sources": ("source", "sources", "src", "input", "original"),
    "predictions": ("prediction", "predictions", "pred", "preds", "hypothesis", "hyp", "output"),
    "references": ("references", "reference", "refs", "ref", "targets", "target", "tgt", "gold"),
}

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


def name_among(columns: Collection[str], names: Sequence[str]) -> str | None:
    """The one of the names that a column has, if any; an error if synonyms leave it open."""
    found = [name for name in names if name in columns]
    if len(found) > 1 and found[0] not in names[:2]:
        raise ValueError(
            f"{found[0]!r} and {found[1]!r} could both be the {names[0]}; rename the right one to "
            f"{names[0]!r}"
        )
    return found[0] if found else None


def find_column(columns: Collection[str], *names: str, hint: str = "") -> str:
    """The column that has one of the names."""
    name = name_among(columns, names)
    if name is None:
        known = ", ".join(columns) or "none"
        raise ValueError(f"there is no column {names[0]!r}, only {known}{hint}")
    return name


def columns(named: Sequence[tuple[str, Any]]) -> list[Column]:
    """Check that the named values are sequences of the same length, one entry per sentence."""
    found = [_sequence(name, values) for name, values in named]
    if len(set(map(len, found))) > 1:
        pairs = [(name, values) for (name, _), values in zip(named, found, strict=True)]
        lengths = ", ".join(f"{len(values):,} {name}" for name, values in pairs)
        hint = _TRANSPOSED if _are_transposed(pairs) else ""
        raise ValueError(f"got {lengths}; every sentence needs one of each{hint}")
    return found


_TRANSPOSED = (
    "; the references look like one list per set, as sacreBLEU takes them; give one list per "
    "sentence: list(zip(*references))"
)


def _are_transposed(named: Sequence[tuple[str, Column]]) -> bool:
    """Whether every entry of the references is a list with one entry per sentence."""
    n_sentences = {len(column) for name, column in named if name != "references"}
    n_listed = {
        None if isinstance(entry, str) or not hasattr(entry, "__len__") else len(entry)
        for name, column in named
        if name == "references"
        for entry in column
    }
    return len(n_sentences) == 1 and n_listed == n_sentences


def _sequence(name: str, values: Any) -> Column:
    if isinstance(values, (list, tuple, pa.Array, pa.ChunkedArray)):
        return values
    if values is None:
        raise ValueError(f"{name} are missing")
    if not _is_listlike(values):
        raise TypeError(f"{name} must be a list, one entry per sentence, not {_typed(values)}")
    return list(values)


def texts(name: str, column: Column, start: int, stop: int) -> pa.LargeStringArray:
    """Turn sentences start to stop of a column of strings into Arrow."""
    return _texts(_slice(column, start, stop), lambda index: f"{name}[{start + index}]")


def strings(name: str, values: Any) -> list[str]:
    """Turn a column of strings into a list."""
    column = _sequence(name, values)
    return texts(name, column, 0, len(column)).to_pylist()


def text(name: str, value: Any) -> pa.LargeStringArray:
    """Turn a single string into Arrow."""
    return _texts([value], lambda _: name)


def references(column: Column, start: int, stop: int) -> pa.LargeListArray:
    """Turn sentences start to stop of a column, strings or lists of strings, into Arrow."""
    n_references, flat, where = _flat(_slice(column, start, stop), start)
    return arrow.lists(n_references, _texts(flat, where))


def block(
    named: Sequence[tuple[str, Any]], columns: Sequence[Column], start: int, stop: int
) -> tuple[pa.LargeStringArray, np.ndarray]:
    """Sentences start to stop: the texts of one column after the other, numbers of references."""
    *others, last = (_slice(column, start, stop) for column in columns)
    if not any(isinstance(part, pa.Array) for part in (*others, last)):
        try:  # all at once, which takes less time
            n_references, flat, _ = _flat(last, start)
            return arrow.strings(chain(*others, flat)), n_references
        except (TypeError, ValueError):
            pass  # one column after the other, to say which text it is
    arrays = [
        texts(name, column, start, stop)
        for (name, _), column in zip(named[:-1], columns[:-1], strict=True)
    ]
    n_references, flat, where = _flat(last, start)
    return arrow.concat([*arrays, _texts(flat, where)]), n_references


def _flat(
    values: list | tuple | pa.Array, start: int
) -> tuple[np.ndarray, Sequence[str] | pa.Array, Callable[[int], str]]:
    """Numbers of references, all references, and what messages call one of them."""
    if isinstance(values, pa.Array):
        nested = hasattr(values.type, "value_field") and not pa.types.is_map(values.type)
        lengths = _list_lengths(values) if nested else None
        flat = values.flatten() if nested else values
    else:
        kinds = set(map(type, values))
        nested = not kinds <= {str}
        if not kinds <= {str, list, tuple} or len(kinds) > 1:
            values = [reference_list(f"references[{start + i}]", v) for i, v in enumerate(values)]
        lengths = np.fromiter(map(len, values), dtype=np.int64, count=len(values))
        flat = list(chain.from_iterable(values)) if nested else values
    if not nested:
        lengths = np.ones(len(values), dtype=np.int64)
    if not (lengths > 0).all():
        position = start + int((lengths > 0).argmin())  # null lists have no length either
        raise ValueError(f"references[{position}] is empty; every sentence needs a reference")

    lengths = lengths.astype(np.int64)

    def where(index: int) -> str:
        sentence = int(np.searchsorted(np.cumsum(lengths), index, side="right"))
        inner = f"[{index - lengths[:sentence].sum()}]" if nested else ""
        return f"references[{start + sentence}]{inner}"

    return lengths, flat, where


def _list_lengths(values: pa.Array) -> np.ndarray:
    """The lengths of lists; NaN for null."""
    return arrow.call("list_value_length", values).to_numpy(zero_copy_only=False)


def tables(**arguments: Any) -> list[pa.Table]:
    """Turn a whole corpus into Arrow tables, small enough for Arrow's 32-bit strings."""
    found = dict(zip(arguments, columns(list(arguments.items())), strict=True))
    n_sentences, rows = len(found["predictions"]), 10_000
    return [
        pa.table(
            {
                name: references(column, start, start + rows)
                if name == "references"
                else texts(name, column, start, start + rows)
                for name, column in found.items()
            }
        )
        for start in range(0, n_sentences, rows)
    ]


def reference_list(where: str, value: Any) -> Sequence[str]:
    """The references of a sentence as a sequence, given one text or several."""
    if isinstance(value, (list, tuple)):
        return value
    if isinstance(value, str):
        return [value]
    if not _is_listlike(value):
        raise TypeError(f"{where} must be a string or a list of strings, not {_typed(value)}")
    return list(value)


def _is_listlike(value: Any) -> bool:
    """Whether a value is an ordered collection."""
    unordered = isinstance(value, (str, bytes, Mapping, Set)) or np.ndim(value) == 0
    return hasattr(value, "__iter__") and (isinstance(value, Iterator) or not unordered)


def _slice(column: Column, start: int, stop: int) -> list | tuple | pa.Array:
    if isinstance(column, pa.ChunkedArray):
        return column.slice(start, stop - start).combine_chunks()
    return column[start:stop]


def _texts(values: Sequence[str] | pa.Array, where: Callable[[int], str]) -> pa.LargeStringArray:
    if isinstance(values, pa.Array):
        if values.null_count:
            missing = values.is_null().index(True).as_py()
            raise TypeError(f"{where(missing)} must be a string, not null")
        is_dictionary = pa.types.is_dictionary(values.type)
        value_type = values.type.value_type if is_dictionary else values.type
        if value_type not in (pa.string(), arrow.TEXT, pa.string_view()):
            raise TypeError(f"{where(0)} must be a string, not of Arrow's type {values.type}")
        values = values.cast(arrow.TEXT)
        try:
            values.validate(full=True)
        except pa.ArrowInvalid:
            bad = next(i for i in range(len(values)) if not _is_utf8(values[i]))
            raise ValueError(f"{where(bad)} is not valid UTF-8") from None
        return values
    try:
        return arrow.strings(values)
    except (TypeError, UnicodeEncodeError):
        for index, value in enumerate(values):
            if not isinstance(value, str):
                raise TypeError(f"{where(index)} must be a string, not {_typed(value)}") from None
            for position, character in enumerate(value):
                if "\ud800" <= character <= "\udfff":
                    raise ValueError(
                        f"{where(index)} has a lone surrogate (U+{ord(character):04X}) at "
                        f"character {position}, which is not valid text; decode the bytes again, "
                        "or replace it: text.encode('utf-8', 'replace').decode()"
                    ) from None
        raise


def _is_utf8(value: pa.Scalar) -> bool:
    try:
        value.as_py()
    except UnicodeDecodeError:
        return False
    return True


def _typed(value: Any) -> str:
    """A value and its type, for a message."""
    return "None" if value is None else f"{shown(value)} ({type(value).__name__})"


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


class Findings:
    """How many texts of which column look wrong, by kind, and the first of them.

    Columns go by number, since names need not differ. Findings about whole sentences are in column
    0.
    """

    def __init__(self, parts: Iterable["Findings"] = ()) -> None:
        self.numbers: dict[tuple[str, int], int] = {}
        self.examples: dict[tuple[str, int], str] = {}
        for part in parts:
            for key, number in part.numbers.items():
                self.numbers[key] = self.numbers.get(key, 0) + number
            self.examples = part.examples | self.examples

    def add(
        self, what: str, texts: pa.LargeStringArray, positions: np.ndarray, column: int = 0
    ) -> None:
        """Count what was found, given the positions of the texts that have it."""
        if len(positions):
            self.numbers[what, column] = self.numbers.get((what, column), 0) + len(positions)
            self.examples.setdefault((what, column), texts[int(positions[0])].as_py())

    def number(self, what: str, columns: Iterable[int] = (0,)) -> int:
        return sum(self.numbers.get((what, column), 0) for column in columns)

    def example(self, what: str, columns: Iterable[int] = (0,)) -> str:
        return next(
            self.examples[what, column] for column in columns if (what, column) in self.examples
        )


def inspect(
    texts: pa.LargeStringArray,
    n_references: np.ndarray,
    columns: Collection[int],
    has_sources: bool,
    n_sentences: int,
    blanks_count: bool,
) -> Findings:
    """Inspect some of `n_sentences`: sources, if there are any, systems and references.

    `texts` are those of all columns, the references last; `columns` are the ones to inspect.
    `blanks_count` says whether whitespace at the ends of a text makes a difference.
    """
    findings = Findings()
    n, first_references = len(n_references), originals(texts, n_references, has_sources=False)
    references = int(first_references[0]) // n  # the number of their column
    spans = [(column * n, (column + 1) * n) for column in range(references)]
    spans.append((references * n, len(texts)))
    data, bounds = arrow.bytes_of(texts)
    attached, detached, is_empty = _inspect_ends(data, bounds)
    ends = {"attached": attached, "detached": detached}
    if blanks_count:
        ends["unstripped"] = _find_unstripped(texts)
    firsts = originals(texts, n_references, has_sources)
    is_full = bounds[firsts + 1] > bounds[firsts]
    findings.numbers["full", 0] = int(np.count_nonzero(is_full))
    for column, (start, stop) in enumerate(spans):
        findings.numbers["texts", column] = stop - start
        if column in columns:
            for what, found in ends.items():
                of_column = found[found.searchsorted(start) : found.searchsorted(stop)]
                findings.add(what, texts, of_column, column)
            if has_sources <= column < references:
                is_lost = is_full & is_empty[start:stop]
                findings.add("empty", texts, firsts[is_lost], column)
    if (data[bounds[0] : bounds[-1]] == ord("\t")).any():
        _find_tabs(findings, texts, first_references, has_sources)
    if has_sources and n_sentences >= _FEW_SENTENCES:  # fewer would not be worth a warning
        _find_copies(findings, texts, n_references)
    if n == n_sentences > 1 and (n_references == n).all():
        _find_transposition(findings, texts, n)
    return findings


def originals(
    texts: pa.LargeStringArray, n_references: np.ndarray, has_sources: bool
) -> np.ndarray:
    """The positions of the sources among the texts or, without sources, of first references."""
    if has_sources:
        return np.arange(len(n_references))
    ends = n_references.cumsum()
    return ends - n_references + (len(texts) - ends[-1])


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
    return (arrow.n_bytes(texts) != arrow.n_bytes(arrow.strip(texts))).nonzero()[0]


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


def _find_tabs(
    findings: Findings,
    texts: pa.LargeStringArray,
    first_references: np.ndarray,
    has_sources: bool,
) -> None:
    """Find sentences with a tab in a reference, but not in the corrections."""
    data, bounds = arrow.bytes_of(texts)
    tabs = (data[bounds[0] : bounds[-1]] == ord("\t")).nonzero()[0] + bounds[0]
    with_tabs = np.unique(bounds.searchsorted(tabs, side="right") - 1)
    n, first = len(first_references), first_references[0]
    in_references = with_tabs[with_tabs >= first]
    in_systems = with_tabs[(with_tabs >= n * has_sources) & (with_tabs < first)]
    sentences = first_references.searchsorted(in_references, side="right") - 1
    found = ~np.isin(sentences, in_systems % n)
    found[1:] &= sentences[1:] != sentences[:-1]  # one of each sentence
    findings.add("tabs", texts, in_references[found])


def _find_copies(findings: Findings, texts: pa.LargeStringArray, n_references: np.ndarray) -> None:
    """Find out whether all references equal their source."""
    n_bytes, n_flat = arrow.n_bytes(texts), int(n_references.sum())
    if (n_bytes[: len(n_references)].repeat(n_references) != n_bytes[-n_flat:]).any():
        return
    references = texts.slice(len(texts) - n_flat)
    repeated = arrow.take(texts, np.arange(len(n_references)).repeat(n_references))
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


def warnings(
    findings: Findings,
    names: Sequence[str],
    has_sources: bool,
    options: Options,
    if_short: Mapping[str, Any],
    split: Callable[[str], Sequence[str]],
    whole: bool,
) -> Iterator[InputWarning]:
    """The warnings that findings are worth.

    `names` are those of the columns, the references last; `if_short` are the options that help if
    texts are too short. `whole` says that the sentences are a corpus: what is so throughout a piece
    of one may be chance.
    """
    *systems, references = range(has_sources, len(names))
    n_sentences = findings.number("texts", systems[:1])
    every = f"{n_sentences:,} of {n_sentences:,} sentences"
    yield from _about_punctuation(findings, names, options, split)
    if whole or options.level != "corpus":
        yield from _about_short_texts(findings, n_sentences, options, if_short)
    if n_sentences * _TABS <= findings.number("tabs"):
        yield InputWarning(
            "tabs",
            f"{findings.number('tabs'):,} of {n_sentences:,} sentences have tabs in their "
            f"references, like {shown(findings.example('tabs'))}, and tabs separate words, not "
            "references",
            "split them: one file per set of references, or one list of texts per sentence",
        )
    all_copies = findings.number("copies") == findings.number("texts", [references])
    if whole and n_sentences >= _FEW_SENTENCES and all_copies:
        yield InputWarning(
            "copies",
            f"{every} have no reference but the source itself, like "
            f"{shown(findings.example('copies'))}, so that every change counts as wrong",
            "check that the references are corrected sentences, and that an M2 file has edits",
        )
    yield from _about_empty_texts(findings, names, systems, n_sentences, has_sources)
    n_unstripped = findings.number("unstripped", range(len(names)))
    if n_unstripped:
        some = "text begins or ends" if n_unstripped == 1 else "texts begin or end"
        yield InputWarning(
            "whitespace",
            f"{n_unstripped:,} {some} with whitespace, which counts like any other character, like "
            f"{shown(findings.example('unstripped', range(len(names))))}",
            "{strip} removes it",
            {"strip": True},
        )
    if findings.number("transposed"):
        yield InputWarning(
            "transposed",
            f"{every} seem to have references of one another, as if transposed for sacreBLEU, like "
            f"{shown(findings.example('transposed'))} for the first one",
            "give one list per sentence: list(zip(*references))",
        )


def _about_punctuation(
    findings: Findings,
    names: Sequence[str],
    options: Options,
    split: Callable[[str], Sequence[str]],
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
    if _separates(split, stop):
        return
    in_attached, in_detached = (
        _listed([names[column] for column in some]) for some in (attached, detached)
    )
    has_tokenizers = OPTIONS["tokenizer"].is_of(options.metric)
    helps = stop.isascii() and has_tokenizers and options.tokenizer != "char"
    n_attached, n_texts = (findings.number(what, attached) for what in ("attached", "texts"))
    yield InputWarning(
        "punctuation",
        f"{n_attached:,} of {n_texts:,} texts in {in_attached} end with punctuation that is "
        f"attached to a word, like {shown(like)}, but those in {in_detached} are tokenised, like "
        f"{shown(unlike)}",
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
            f"like {shown(findings.example('short'))}, and even a perfect correction of them "
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
        yield InputWarning(
            "empty",
            f"{n_empty:,} of {n_texts:,} texts in {_listed([names[column] for column in many])} "
            f"are empty, like {like} {shown(findings.example('empty', many))}",
            "check that nothing was lost, and copy the source where nothing is to be corrected",
        )


def _listed(names: Sequence[str]) -> str:
    if len(names) > 3:
        return f"{', '.join(names[:2])} and {len(names) - 2} others"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
