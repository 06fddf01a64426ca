"""Python and NumPy to Arrow and back, without imports that take longer than most scores do.

`pyarrow.array` would import pandas, and `pyarrow.compute` makes Python functions of all of Arrow's
when it is imported; here they are called by name.
"""

import numpy as np
import pyarrow as pa

try:
    from pyarrow._compute import call_function
except ImportError:  # it has been there for years, but it is not public
    from pyarrow.compute import call_function

TEXT = pa.large_string()


def call(function: str, *arrays: pa.Array) -> pa.Array:
    """The result of one of Arrow's functions."""
    return call_function(function, list(arrays))


def lengths(function: str, values: pa.Array) -> np.ndarray:
    """The lengths of values that are not null, by one of Arrow's functions."""
    return to_numpy(call(function, values)).astype(np.int64)


def numbers(values: np.ndarray) -> pa.Array:
    """The numbers of a contiguous array, not copied."""
    type_ = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(type_, len(values), [None, pa.py_buffer(values)])


def strings(encoded: list[bytes]) -> pa.LargeStringArray:
    """Texts that are given in UTF-8."""
    n_bytes = np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded))
    buffers = [None, pa.py_buffer(offsets(n_bytes)), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(TEXT, len(encoded), buffers)


def lists(lengths: np.ndarray, values: pa.Array) -> pa.LargeListArray:
    """Lists of these lengths, of the values in their order."""
    return pa.LargeListArray.from_arrays(numbers(offsets(lengths)), values)


def flat(lists: pa.LargeListArray) -> pa.Array:
    """The values of lists that are not null, be they a slice or not."""
    bounds = to_numpy(lists.offsets)
    return lists.values.slice(bounds[0], bounds[-1] - bounds[0])


def offsets(lengths: np.ndarray) -> np.ndarray:
    """Where each of several adjacent pieces begins, and at last where the last one ends."""
    return np.concatenate([[0], np.cumsum(lengths)])


def to_numpy(values: pa.Array) -> np.ndarray:
    """The numbers of an Arrow array without nulls, not copied."""
    return np.from_dlpack(values)
