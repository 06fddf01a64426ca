"""Checks what users pass and turns it into Arrow, block by block.

Errors name the argument and the position, so that you can find one bad sentence in a million.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from . import arrow_arrays
from .options import is_sequence, short_repr

if TYPE_CHECKING:
    from .corpus.m2 import Annotated

Column = Sequence | pa.Array | pa.ChunkedArray

# What the columns of datasets, batches and DataFrames and the fields of JSON Lines may be called.
# The first two names, singular and plural, win; the others are synonyms of equal rank.
COLUMNS = {
    "sources": ("source", "sources", "src", "input", "original"),
    "predictions": ("prediction", "predictions", "pred", "preds", "hypothesis", "hyp", "output"),
    "references": ("references", "reference", "refs", "ref", "targets", "target", "tgt", "gold"),
}


@dataclass(frozen=True)
class Block:
    """Some sentences of a corpus as Arrow.

    The texts are all sources, if there are any, then all corrections of one system after the
    other, then the references of one sentence after the other.
    """

    texts: pa.LargeStringArray
    n_references: np.ndarray  # (sentence,)
    n_systems: int
    has_sources: bool

    def __len__(self) -> int:
        return len(self.n_references)

    @property
    def first_references(self) -> np.ndarray:
        """The position of each sentence's first reference."""
        n_others = (self.has_sources + self.n_systems) * len(self)
        return n_others + self.n_references.cumsum() - self.n_references

    @property
    def source_positions(self) -> np.ndarray:
        """The positions of the sources or, without sources, of the first references."""
        return np.arange(len(self)) if self.has_sources else self.first_references

    def positions(self, sentences: np.ndarray, n_references: int) -> np.ndarray:
        """Where the references of sentences, their corrections and source are: (sentence, text)."""
        systems = len(self) * (self.has_sources + np.arange(self.n_systems))
        references = self.first_references[sentences, None] + np.arange(n_references)
        sources = sentences[:, None][:, : self.has_sources]
        return np.concatenate([references, sentences[:, None] + systems, sources], axis=1)

    def strip(self) -> Block:
        return replace(self, texts=arrow_arrays.strip(self.texts))


@dataclass(frozen=True)
class Corpus:
    """Sources, each system's corrections and references: columns of the same length.

    `check` looks at their lengths only; the texts are checked in `block`. For scores of edits there
    are gold edits and, where they are known, the systems' own.
    """

    sources: Column | None
    systems: Mapping[str, Column]
    references: Column
    gold: Sequence[Annotated] | None = None
    edits: Mapping[str, Sequence[Annotated]] = field(default_factory=dict)
    label: str = "{}"  # what errors call the texts of a system

    @classmethod
    def check(
        cls, sources: Any, systems: Mapping[str, Any], references: Any, label: str = "{}"
    ) -> Corpus:
        """A corpus of what a user passed."""
        if not isinstance(systems, Mapping):
            described = short_repr(systems)
            raise TypeError(f"systems must be a dictionary of names and texts, not {described}")
        if not systems:
            raise ValueError("there are no systems to score")
        named = [(label.format(name), texts) for name, texts in systems.items()]
        named = [*([("sources", sources)] if sources is not None else []), *named]
        *others, references = check_columns([*named, ("references", references)])
        sources = others.pop(0) if sources is not None else None
        return cls(sources, dict(zip(systems, others, strict=True)), references, label=label)

    def __len__(self) -> int:
        return len(self.references)

    @property
    def names(self) -> list[str]:
        """What warnings call the columns."""
        return [*(["sources"] if self.sources is not None else []), *self.systems, "references"]

    def block(self, start: int, stop: int) -> Block:
        """Sentences start to stop."""
        named = [("sources", self.sources)] if self.sources is not None else []
        named += [(self.label.format(name), texts) for name, texts in self.systems.items()]
        parts = [(name, _slice(column, start, stop)) for name, column in named]
        references = _slice(self.references, start, stop)
        kind = {"n_systems": len(self.systems), "has_sources": self.sources is not None}
        if not any(isinstance(part, pa.Array) for _, part in (*parts, ("", references))):
            try:  # all at once, which takes less time
                n_references, flat, _ = _flatten_references(references, start)
                texts = arrow_arrays.strings(chain(*(part for _, part in parts), flat))
                return Block(texts, n_references, **kind)
            except (TypeError, ValueError):
                pass  # one column after the other, to say which text it is
        arrays = [check_texts(name, part, start) for name, part in parts]
        n_references, flat, locate = _flatten_references(references, start)
        arrays.append(_to_arrow(flat, locate))
        return Block(arrow_arrays.concat(arrays), n_references, **kind)

    def to_lists(self) -> Corpus:
        """The same texts as lists of strings, all of them checked."""
        sources = self.sources
        systems = {
            name: check_texts(self.label.format(name), column).to_pylist()
            for name, column in self.systems.items()
        }
        return replace(
            self,
            sources=None if sources is None else check_texts("sources", sources).to_pylist(),
            systems=systems,
            references=check_references(self.references),
        )


def name_among(columns: Collection[str], names: Sequence[str]) -> str | None:
    """The one of the names that a column has, if any; an error if synonyms leave it open."""
    known = [name for name in names if name in columns]
    if len(known) > 1 and known[0] not in names[:2]:
        raise ValueError(
            f"{known[0]!r} and {known[1]!r} could both be the {names[0]}; rename the right one to "
            f"{names[0]!r}"
        )
    return known[0] if known else None


def find_column(columns: Collection[str], *names: str, hint: str = "") -> str:
    """The column that has one of the names."""
    name = name_among(columns, names)
    if name is None:
        known = ", ".join(columns) or "none"
        raise ValueError(f"there is no column {names[0]!r}, only {known}{hint}")
    return name


def check_columns(named: Sequence[tuple[str, Any]]) -> list[Column]:
    """Check that named values are sequences of the same length, one entry per sentence."""
    columns = [_as_sequence(name, values) for name, values in named]
    if len(set(map(len, columns))) > 1:
        names = [name for name, _ in named]
        lengths = zip(names, map(len, columns), strict=True)
        shown = ", ".join(f"{length:,} {name}" for name, length in lengths)
        *others, references = columns
        is_transposed = names[-1] == "references" and _are_transposed(references, others)
        hint = _TRANSPOSED if is_transposed else ""
        raise ValueError(f"got {shown}; every sentence needs one of each{hint}")
    return columns


_TRANSPOSED = (
    "; the references look like one list per set, as sacreBLEU takes them; give one list per "
    "sentence: list(zip(*references))"
)


def _are_transposed(references: Column, others: Sequence[Column]) -> bool:
    """Whether every entry of the references is a list with one entry per sentence."""
    n_listed = {
        None if isinstance(entry, str) or not hasattr(entry, "__len__") else len(entry)
        for entry in references
    }
    return len(n_listed) == 1 and n_listed == set(map(len, others))


def _as_sequence(name: str, values: Any) -> Column:
    if isinstance(values, (list, tuple, pa.Array, pa.ChunkedArray)):
        return values
    if values is None:
        raise ValueError(f"{name} are missing")
    if not _is_ordered(values):
        raise TypeError(f"{name} must be a list, one entry per sentence, not {_describe(values)}")
    return list(values)


def _is_ordered(value: Any) -> bool:
    """Whether a value is an ordered collection of entries."""
    return isinstance(value, Iterator) or is_sequence(value)


def _slice(column: Column, start: int, stop: int) -> list | tuple | pa.Array:
    if isinstance(column, pa.ChunkedArray):
        return column.slice(start, stop - start).combine_chunks()
    return column[start:stop]


def check_texts(name: str, column: Any, start: int = 0) -> pa.LargeStringArray:
    """A column of strings as Arrow; its first entry is number `start`."""
    values = _as_sequence(name, column)
    values = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    return _to_arrow(values, lambda index: f"{name}[{start + index}]")


def check_text(name: str, text: Any) -> str:
    """A single text."""
    return _to_arrow([text], lambda _: name)[0].as_py()


def check_references(column: Any) -> list[list[str]]:
    """A column of references, one text or several each, as lists."""
    values = _as_sequence("references", column)
    n_references, flat, locate = _flatten_references(_slice(values, 0, len(values)), 0)
    return arrow_arrays.lists(n_references, _to_arrow(flat, locate)).to_pylist()


def reference_list(name: str, value: Any) -> Sequence[str]:
    """The references of a sentence as a sequence, given one text or several."""
    if isinstance(value, (list, tuple)):
        return value
    if isinstance(value, str):
        return [value]
    if isinstance(value, (pa.Array, pa.ChunkedArray)):
        return value.to_pylist()
    if not _is_ordered(value):
        raise TypeError(f"{name} must be a string or a list of strings, not {_describe(value)}")
    return list(value)


def _flatten_references(
    values: list | tuple | pa.Array, start: int
) -> tuple[np.ndarray, Sequence[str] | pa.Array, Callable[[int], str]]:
    """Numbers of references, all references, and what errors call one of them."""
    if isinstance(values, pa.Array):
        is_nested = hasattr(values.type, "value_field") and not pa.types.is_map(values.type)
        flat = values.flatten() if is_nested else values
        lengths = np.ones(len(values), dtype=np.int64)
        if is_nested and values.null_count:
            lengths[values.is_null().index(True).as_py()] = 0
        elif is_nested:
            lengths = arrow_arrays.to_numpy(arrow_arrays.call("list_value_length", values))
    else:
        kinds = set(map(type, values))
        is_nested = not kinds <= {str}
        if not kinds <= {str, list, tuple} or len(kinds) > 1:
            values = [reference_list(f"references[{start + i}]", v) for i, v in enumerate(values)]
        flat = list(chain.from_iterable(values)) if is_nested else values
        lengths = np.ones(len(values), dtype=np.int64)
        if is_nested:
            lengths = np.fromiter(map(len, values), dtype=np.int64, count=len(values))
    if not (lengths > 0).all():
        position = start + int((lengths > 0).argmin())
        raise ValueError(f"references[{position}] is empty; every sentence needs a reference")
    lengths = lengths.astype(np.int64)

    def locate(index: int) -> str:
        sentence = int(np.searchsorted(np.cumsum(lengths), index, side="right"))
        inner = f"[{index - lengths[:sentence].sum()}]" if is_nested else ""
        return f"references[{start + sentence}]{inner}"

    return lengths, flat, locate


def _to_arrow(
    values: Sequence[str] | pa.Array, locate: Callable[[int], str]
) -> pa.LargeStringArray:
    """Texts as Arrow; `locate` says what errors call the text at an index."""
    if isinstance(values, pa.Array):
        return _check_arrow(values, locate)
    try:
        return arrow_arrays.strings(values)
    except (TypeError, UnicodeEncodeError):
        for index, value in enumerate(values):
            if not isinstance(value, str):
                described = _describe(value)
                raise TypeError(f"{locate(index)} must be a string, not {described}") from None
            for position, character in enumerate(value):
                if "\ud800" <= character <= "\udfff":
                    raise ValueError(
                        f"{locate(index)} has a lone surrogate (U+{ord(character):04X}) at "
                        f"character {position}, which is not valid text; decode the bytes again, "
                        "or replace it: text.encode('utf-8', 'replace').decode()"
                    ) from None
        raise


def _check_arrow(values: pa.Array, locate: Callable[[int], str]) -> pa.LargeStringArray:
    if values.null_count:
        missing = values.is_null().index(True).as_py()
        raise TypeError(f"{locate(missing)} must be a string, not null")
    is_dictionary = pa.types.is_dictionary(values.type)
    value_type = values.type.value_type if is_dictionary else values.type
    if value_type not in (pa.string(), arrow_arrays.TEXT, pa.string_view()):
        raise TypeError(f"{locate(0)} must be a string, not of Arrow's type {values.type}")
    values = values.cast(arrow_arrays.TEXT)
    try:
        values.validate(full=True)
    except pa.ArrowInvalid:
        invalid = next(index for index in range(len(values)) if not _is_utf8(values[index]))
        raise ValueError(f"{locate(invalid)} is not valid UTF-8") from None
    return values


def _is_utf8(value: pa.Scalar) -> bool:
    try:
        value.as_py()
    except UnicodeDecodeError:
        return False
    return True


def _describe(value: Any) -> str:
    """A value and its type, for an error."""
    return "None" if value is None else f"{short_repr(value)} ({type(value).__name__})"
