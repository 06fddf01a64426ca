"""Python and NumPy to Arrow without `pyarrow.array`, which would import pandas.

That import takes longer than scoring most corpora does.
"""

import numpy as np
import pyarrow as pa

TEXT = pa.large_string()


def numbers(values: np.ndarray) -> pa.Array:
    """The numbers of a contiguous array, not copied."""
    type_ = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(type_, len(values), [None, pa.py_buffer(values)])


def strings(encoded: list[bytes]) -> pa.LargeStringArray:
    """Texts that are given in UTF-8."""
    lengths = np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded))
    buffers = [None, pa.py_buffer(offsets(lengths)), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(TEXT, len(encoded), buffers)


def lists(lengths: np.ndarray, values: pa.Array) -> pa.LargeListArray:
    """Lists of these lengths, of the values in their order."""
    return pa.LargeListArray.from_arrays(numbers(offsets(lengths)), values)


def offsets(lengths: np.ndarray) -> np.ndarray:
    """Where each of several adjacent pieces begins, and at last where the last one ends."""
    return np.concatenate([[0], np.cumsum(lengths)])


def to_numpy(values: pa.Array) -> np.ndarray:
    """The numbers of an Arrow array without nulls, not copied."""
    return np.from_dlpack(values)
