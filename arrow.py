"""Python and NumPy to Arrow and back, without imports that take longer than most scores.

`pyarrow.array` would import pandas, and importing `pyarrow.compute` generates a Python function for
each of Arrow's; here they are called by name.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

try:
    from pyarrow._compute import ReplaceSubstringOptions, call_function
except ImportError:  # there for years, but not public
    from pyarrow.compute import ReplaceSubstringOptions, call_function

TEXT = pa.large_string()
# Arrow's own pools keep, for each thread, several times the memory that is in use.
_POOL = pa.system_memory_pool()


def call(function: str, *arrays: pa.Array, options: Any = None) -> pa.Array:
    """Call one of Arrow's functions by its name."""
    return call_function(function, list(arrays), options, _POOL)


def concat(arrays: Sequence[pa.Array]) -> pa.Array:
    """The values of one array after the other."""
    return pa.concat_arrays(arrays, _POOL)


def take(values: pa.Array, positions: np.ndarray) -> pa.Array:
    """The values at these positions."""
    return call("array_take", values, numbers(positions))


def strip(texts: pa.LargeStringArray) -> pa.LargeStringArray:
    """Remove whitespace at both ends, as `str.strip` does."""
    return call("utf8_trim_whitespace", texts)


def replace(texts: pa.LargeStringArray, old: str, new: str) -> pa.LargeStringArray:
    """Replace a string in all texts."""
    return call("replace_substring", texts, options=ReplaceSubstringOptions(old, new))


def substitute(texts: pa.LargeStringArray, pattern: str, by: str) -> pa.LargeStringArray:
    """Replace a regular expression, in RE2's syntax, in all texts."""
    return call("replace_substring_regex", texts, options=ReplaceSubstringOptions(pattern, by))


def bytes_of(texts: pa.LargeStringArray) -> tuple[np.ndarray, np.ndarray]:
    """The bytes that hold the texts, and where in them each text begins and the last one ends."""
    _, bounds, data = texts.buffers()
    bounds = np.frombuffer(bounds, dtype=np.int64)[texts.offset : texts.offset + len(texts) + 1]
    return np.frombuffer(data or b"", dtype=np.uint8), bounds


def n_bytes(texts: pa.LargeStringArray) -> np.ndarray:
    """The texts' lengths in bytes."""
    bounds = bytes_of(texts)[1]
    return bounds[1:] - bounds[:-1]


def lengths(function: str, values: pa.Array) -> np.ndarray:
    """Lengths of values, none of them null, by one of Arrow's functions."""
    return to_numpy(call(function, values)).astype(np.int64)


def numbers(values: np.ndarray) -> pa.Array:
    """A contiguous NumPy array as an Arrow array, without copying."""
    type_ = _type(values.dtype)
    return pa.Array.from_buffers(type_, len(values), [None, pa.py_buffer(values)])


_type = cache(pa.from_numpy_dtype)


def strings(texts: Sequence[str]) -> pa.LargeStringArray:
    """An array of texts."""
    encoded = list(map(str.encode, texts))
    n_bytes = np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded))
    buffers = [None, pa.py_buffer(offsets(n_bytes)), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(TEXT, len(encoded), buffers)


def lists(lengths: np.ndarray, values: pa.Array) -> pa.LargeListArray:
    """Lists of these lengths, filled with the values in order."""
    return pa.LargeListArray.from_arrays(numbers(offsets(lengths)), values)


def offsets(lengths: np.ndarray) -> np.ndarray:
    """Where each of several adjacent pieces begins, and where the last one ends."""
    bounds = np.zeros(len(lengths) + 1, dtype=np.int64)
    lengths.cumsum(out=bounds[1:])
    return bounds


def to_numpy(values: pa.Array) -> np.ndarray:
    """An Arrow array of numbers without nulls as a NumPy array, without copying."""
    return np.from_dlpack(values)
