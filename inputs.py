"""Checks what users pass and turns it into Arrow, block by block.

Errors name the argument and the position, so that you can find one bad sentence in a million.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
    are gold edits, by score, and, where they are known, the systems' own.
    """

    sources: Column | None
    systems: Mapping[str, Column]
    references: Column
    gold: Mapping[str, Sequence[Annotated]] = field(default_factory=dict)
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
        named_columns = cls(sources, systems, references, label=label).named_texts()
        *columns, references = check_columns([*named_columns, ("references", references)])
        sources = None if sources is None else columns.pop(0)
        return cls(sources, dict(zip(systems, columns, strict=True)), references, label=label)

    def __len__(self) -> int:
        return len(self.references)

    @property
    def names(self) -> list[str]:
        """What warnings call the columns."""
        return [*(["sources"] if self.sources is not None else []), *self.systems, "references"]

    def named_texts(self) -> list[tuple[str, Column]]:
        """The columns without the references, with what errors call them."""
        sources = [("sources", self.sources)] if self.sources is not None else []
        return [*sources, *((self.label.format(name), each) for name, each in self.systems.items())]

    def block(self, start: int, stop: int) -> Block:
        parts = [(name, _slice(column, start, stop)) for name, column in self.named_texts()]
        references = _slice(self.references, start, stop)
        n_references, flat, locate = _flatten_references(references, start)
        try:
            texts = arrow_arrays.strings(chain(*(part for _, part in parts), flat))
        except (TypeError, UnicodeEncodeError):  # Arrow arrays, or a text that is none
            arrays = [check_texts(name, part, start) for name, part in parts]
            texts = arrow_arrays.concat([*arrays, _to_arrow(flat, locate)])
        return Block(texts, n_references, len(self.systems), self.sources is not None)

    def to_lists(self) -> Corpus:
        """The same texts as lists of strings, all of them checked."""
        columns = [check_texts(name, column).to_pylist() for name, column in self.named_texts()]
        return replace(
            self,
            sources=None if self.sources is None else columns.pop(0),
            systems=dict(zip(self.systems, columns, strict=True)),
            references=check_references(self.references),
        )


def check_columns(named_columns: Sequence[tuple[str, Any]]) -> list[Column]:
    """Check that columns, the references last, are sequences of the same length."""
    for name, values in named_columns:
        if values is None:
            raise ValueError(f"{name} are missing")
    columns = [_as_sequence(name, values) for name, values in named_columns]
    if len(set(map(len, columns))) > 1:
        pairs = zip(named_columns, columns, strict=True)
        lengths = ", ".join(f"{len(column):,} {name}" for (name, _), column in pairs)
        hint = ""
        if _are_transposed(columns[-1], columns[:-1]):
            hint = (
                "; the references look like one list per set, as sacreBLEU takes them; give one "
                "list per sentence: list(zip(*references))"
            )
        raise ValueError(f"got {lengths}; every sentence needs one of each{hint}")
    return columns


def _are_transposed(references: Column, others: Sequence[Column]) -> bool:
    """Whether every entry of the references is a list with one entry per sentence."""
    n_listed = {
        None if isinstance(entry, str) or not hasattr(entry, "__len__") else len(entry)
        for entry in references
    }
    return len(n_listed) == 1 and n_listed == set(map(len, others))


def _as_sequence(
    name: str, values: Any, expected: str = "a list, one entry per sentence"
) -> Column:
    if isinstance(values, (list, tuple, pa.Array, pa.ChunkedArray)):
        return values
    if not isinstance(values, Iterator) and not is_sequence(values):
        raise TypeError(f"{name} must be {expected}, not {_describe(values)}")
    return list(values)


def _slice(column: Column, start: int, stop: int | None) -> list | tuple | pa.Array:
    part = column[start:stop]
    return part.combine_chunks() if isinstance(part, pa.ChunkedArray) else part


def check_texts(name: str, column: Any, start: int = 0) -> pa.LargeStringArray:
    """A column of strings as Arrow; its first entry is number `start`."""
    values = _slice(_as_sequence(name, column), 0, None)
    return _to_arrow(values, lambda index: f"{name}[{start + index}]")


def check_text(name: str, text: Any) -> str:
    return _to_arrow([text], lambda _: name)[0].as_py()


def check_references(column: Any) -> list[list[str]]:
    """A column of references, one text or several each, as lists."""
    values = _slice(_as_sequence("references", column), 0, None)
    n_references, flat, locate = _flatten_references(values, 0)
    return arrow_arrays.lists(n_references, _to_arrow(flat, locate)).to_pylist()


def reference_list(name: str, value: Any) -> Sequence[str]:
    """The references of a sentence as a sequence, given one text or several."""
    if isinstance(value, str):
        return [value]
    values = _as_sequence(name, value, "a string or a list of strings")
    return values.to_pylist() if isinstance(values, (pa.Array, pa.ChunkedArray)) else values


def _flatten_references(
    values: list | tuple | pa.Array, start: int
) -> tuple[np.ndarray, Sequence[str] | pa.Array, Callable[[int], str]]:
    """Numbers of references, all references, and what errors call one of them."""
    flat, lengths = values, np.ones(len(values), dtype=np.int64)
    if isinstance(values, pa.Array):
        is_nested = hasattr(values.type, "value_field") and not pa.types.is_map(values.type)
        if is_nested:
            flat = values.flatten()
            list_lengths = arrow_arrays.call("list_value_length", values).fill_null(0)
            lengths = arrow_arrays.to_numpy(list_lengths).astype(np.int64)
    else:
        kinds = set(map(type, values))
        is_nested = not kinds <= {str}
        if is_nested:
            if not kinds <= {list, tuple}:
                names = (f"references[{start + i}]" for i in range(len(values)))
                values = list(map(reference_list, names, values))
            flat = list(chain.from_iterable(values))
            lengths = np.fromiter(map(len, values), dtype=np.int64, count=len(values))
    if not lengths.all():
        position = start + int(lengths.argmin())
        raise ValueError(f"references[{position}] is empty; every sentence needs a reference")

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
    except TypeError:
        index = next(i for i, value in enumerate(values) if not isinstance(value, str))
        described = _describe(values[index])
        raise TypeError(f"{locate(index)} must be a string, not {described}") from None
    except UnicodeEncodeError as error:
        text, position = error.object, error.start
        raise ValueError(
            f"{locate(values.index(text))} has a lone surrogate (U+{ord(text[position]):04X}) at "
            f"character {position}, which is not valid text; decode the bytes again, or replace "
            "it: text.encode('utf-8', 'replace').decode()"
        ) from None


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
        for index, value in enumerate(values):
            try:
                value.as_py()
            except UnicodeDecodeError:
                raise ValueError(f"{locate(index)} is not valid UTF-8") from None
        raise
    return values


def _describe(value: Any) -> str:
    """A value and its type, for an error."""
    return "None" if value is None else f"{short_repr(value)} ({type(value).__name__})"
