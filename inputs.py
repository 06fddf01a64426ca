"""From what users pass to what the kernel takes: checks every text and turns it into Arrow.

Errors name the argument and the position, so that you can find one bad sentence in a million.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from . import arrow
from .options import shown

Column = Sequence | pa.Array | pa.ChunkedArray

# What the columns of datasets, batches and DataFrames and the fields of JSON Lines may be called.
# The first two names, singular and plural, win; the others are synonyms of equal rank.
COLUMNS = {
    "sources": ("source", "sources", "src", "input", "original"),
    "predictions": ("prediction", "predictions", "pred", "preds", "hypothesis", "hyp", "output"),
    "references": ("references", "reference", "refs", "ref", "targets", "target", "tgt", "gold"),
}


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
        len(entry) if isinstance(entry, (list, tuple)) else None
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


def text(name: str, value: Any) -> pa.LargeStringArray:
    """Turn a single string into Arrow."""
    return _texts([value], lambda _: name)


def references(column: Column, start: int, stop: int) -> pa.LargeListArray:
    """Turn sentences start to stop of a column, strings or lists of strings, into Arrow."""
    values = _slice(column, start, stop)
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

    return arrow.lists(lengths, _texts(flat, where))


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
        value_type = getattr(values.type, "value_type", values.type)  # of a dictionary
        if value_type not in (pa.string(), arrow.TEXT, pa.string_view()):
            raise TypeError(f"{where(0)} must be a string, not of Arrow's type {values.type}")
        values = values.cast(arrow.TEXT)
        try:
            values.validate(full=True)
        except pa.ArrowInvalid:
            bad = next(i for i in range(len(values)) if not _is_utf8(values[i]))
            raise ValueError(f"{where(bad)} is not valid UTF-8") from None
        return values
    if not set(map(type, values)) <= {str}:
        for index, value in enumerate(values):
            if not isinstance(value, str):
                raise TypeError(f"{where(index)} must be a string, not {_typed(value)}")
    try:
        return arrow.strings([value.encode() for value in values])
    except UnicodeEncodeError:
        for index, value in enumerate(values):
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
