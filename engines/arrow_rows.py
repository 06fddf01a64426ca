"""Rows of statistics as Arrow, so that engines can pass them on as a column.

A list of numbers stands for a sentence or for a sum over sentences. It begins with a header: a
checksum of the options, because engines pass on nothing but columns, and the fewest and the most
references of a sentence.
"""

import math
import zlib
from typing import Any

import numpy as np
import pyarrow as pa

from .. import arrow_arrays
from ..corpus.columns import find_column
from ..options import LATE_OPTIONS, Options

_N_HEADER = 3


def check_batch(batch: Any) -> None:
    """Refuse what is neither a record batch nor a table."""
    if not isinstance(batch, (pa.RecordBatch, pa.Table)):
        raise TypeError(
            f"expected an Arrow record batch or table, not {type(batch).__name__}; a dataset of "
            'datasets gives tables after dataset.with_format("arrow"), Ray Data with '
            'batch_format="pyarrow"'
        )


def to_arrow(
    options: Options, rows: np.ndarray, n_references: np.ndarray, is_sum: bool
) -> pa.RecordBatch:
    """A batch with the column "statistics", from rows (row, …) of sentences, or of a sum."""
    fewest, most = n_references.reshape(2, 1) if is_sum else (n_references, n_references)
    n_rows = n_references if len(rows) > len(fewest) else np.ones_like(fewest)
    checksums = np.full_like(fewest, _options_checksum(options, is_sum))
    header = np.stack([checksums, fewest, most], axis=1).astype(rows.dtype)
    starts = arrow_arrays.offsets(n_rows * math.prod(rows.shape[1:]))
    numbers = np.insert(rows.reshape(-1), starts[:-1].repeat(_N_HEADER), header.reshape(-1))
    starts += _N_HEADER * np.arange(len(starts))
    starts = arrow_arrays.from_numpy(starts).cast(pa.int32())  # as Spark needs them
    lists = pa.ListArray.from_arrays(starts, arrow_arrays.from_numpy(numbers))
    return pa.RecordBatch.from_arrays([lists], ["statistics"])


def from_arrow(
    batch: pa.RecordBatch, options: Options, no_rows: np.ndarray, per_reference: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray, bool]:
    """Rows (row, …), the fewest and the most references of each list, and whether some are sums.

    `no_rows` is an array like that of the rows, of length 0.
    """
    check_batch(batch)
    column = batch.column(find_column(batch.schema.names, "statistics"))
    if not hasattr(column, "flatten") or column.null_count or column.flatten().null_count:
        raise ValueError("column 'statistics' must be lists of numbers without nulls")
    # Not safe: fractions of a score that has floats are refused below, with what to do.
    numbers = column.flatten().cast(pa.from_numpy_dtype(no_rows.dtype), safe=False)
    numbers = arrow_arrays.to_numpy(numbers)
    lengths = arrow_arrays.to_numpy(arrow_arrays.call("list_value_length", column))
    if (lengths < _N_HEADER).any():
        raise ValueError("column 'statistics' has lists that are too short")
    positions = arrow_arrays.offsets(lengths)[:-1, None] + np.arange(_N_HEADER)
    checksums, fewest, most = numbers[positions].astype(np.int64).T
    is_sum = checksums == _options_checksum(options, is_sum=True)
    if not (is_sum | (checksums == _options_checksum(options, is_sum=False))).all():
        raise ValueError(
            f"these statistics were not made with {_describe(options)}; give the options that they "
            "were made with"
        )
    n_rows = fewest if per_reference else np.ones_like(fewest)
    if (lengths != _N_HEADER + n_rows * math.prod(no_rows.shape[1:])).any():
        raise ValueError("column 'statistics' has lists of a wrong length")
    rows = np.delete(numbers, positions.reshape(-1)).reshape(-1, *no_rows.shape[1:])
    return rows, fewest, most, bool(is_sum.any())


def _options_checksum(options: Options, is_sum: bool) -> int:
    """A number that stands for the options that statistics depend on, and for sums."""
    return zlib.crc32(f"{_describe(options)}, is_sum={is_sum}".encode())


def _describe(options: Options) -> str:
    settings: dict[str, Any] = options.settings() | {"detailed": options.detailed}
    return ", ".join(f"{name}={settings[name]}" for name in settings if name not in LATE_OPTIONS)
