"""A corpus in pieces: `score_batch`, which engines run on Arrow batches; statistics as Arrow."""

import contextlib
import math
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from .. import api, arrow, inputs
from ..api import Statistics
from ..options import Options, shown
from ..scores import scoring

Batch = TypeVar("Batch", pa.RecordBatch, pa.Table)

# In Arrow, statistics begin with two more numbers: one that stands for the options, because engines
# pass on nothing but columns, and the number of references.
_N_FIRST = 2


def score_batch(batch: Batch, metric: str = Options.metric, **options: Any) -> Batch:
    """Score each row of an Arrow batch or table with the columns source, prediction and references.

    Keeps no state, so that engines can run it anywhere and in any order: `datasets` (`map` of a
    dataset with the format "arrow"), Spark (`mapInArrow`), Ray Data (`map_batches`).

    Args:
        batch: A record batch or table. References are strings or lists of strings. BLEU, ROUGE-N
            and F1 need no sources. Other common names, such as "src" and "target", work as well.
        metric: The score, as for `score`.
        options: Options of `score`; those that only apply to a whole corpus have no effect here.

    Returns:
        The batch with further columns, which replace any of the same names: the row's scores, as
        `score` returns them at the level "sentence", and its statistics, from which
        `Statistics.from_arrow` computes the corpus's score.

    Examples:
        >>> import pyarrow
        >>> from green_gec import Statistics, score_batch
        >>> batch = pyarrow.table(
        ...     {
        ...         "source": ["I has two cat .", "He go home ."],
        ...         "prediction": ["I have two cats .", "He go home ."],
        ...         "references": [["I have two cats ."], ["He goes home .", "He went home ."]],
        ...     }
        ... )
        >>> rows = score_batch(batch)
        >>> rows["green"].to_pylist()
        [1.0, 0.0]
        >>> round(Statistics.from_arrow(rows).score()["green"], 4)
        0.7384
    """
    checked = options_of_rows(metric, options)
    _check_kind(batch)
    statistics = count(batch, checked.replace(level="sentence", n_resamples=0))
    results = statistics.score() if batch.num_rows else {}
    added = {
        name: arrow.numbers(np.array(results.get(name, []), dtype=np.float64))
        for name in statistics.scoring.results
    }
    added["statistics"] = to_arrow(statistics).column("statistics")
    kept = [i for i, name in enumerate(batch.schema.names) if name not in added]
    fields = [batch.schema.field(i) for i in kept]
    fields += [pa.field(name, column.type) for name, column in added.items()]
    columns = [*(batch.column(i) for i in kept), *added.values()]
    return type(batch).from_arrays(columns, schema=pa.schema(fields, batch.schema.metadata))


def options_of_rows(metric: str, options: Mapping[str, Any]) -> Options:
    """Check options for single rows, which have those of a mean, whatever the level."""
    return Options.of(metric, {"level": "mean", **options}, "pieces")


def _check_kind(batch: Any) -> None:
    if not isinstance(batch, (pa.RecordBatch, pa.Table)):
        raise TypeError(
            f"expected an Arrow record batch or table, not {type(batch).__name__}; a dataset of "
            'datasets gives tables after dataset.with_format("arrow"), Ray Data with '
            'batch_format="pyarrow"'
        )


def find_columns(columns: Sequence[str], options: Options) -> dict[str, str]:
    """The columns that hold the arguments of `score`."""
    return {
        argument: inputs.find_column(columns, *names)
        for argument, names in inputs.COLUMNS.items()
        if argument != "sources" or scoring(options).needs_sources
    }


def count(batch: pa.RecordBatch | pa.Table, options: Options) -> Statistics:
    """Count a batch in a single thread: engines run several at a time."""
    found = find_columns(batch.schema.names, options)
    if not batch.num_rows:
        return Statistics(options)
    texts = {name: batch.column(column) for name, column in found.items()}
    systems = [("predictions", texts["predictions"])]
    try:
        (statistics,) = api.count(
            *(texts.get("sources"), systems, texts["references"], [options]),
            n_threads=1,
            whole=False,
        )
    except (TypeError, ValueError) as error:
        # The position in a batch is of little use: show the row.
        place = re.match(r"\w+\[(\d+)\]", str(error))
        if place is None:
            raise
        with contextlib.suppress(UnicodeDecodeError):  # which may be the error itself
            row = batch.slice(int(place[1]), 1).to_pylist()[0]
            error = type(error)(f"{error}; the row is {shown(row, 400)}")
        raise error from None
    return statistics


def to_arrow(statistics: Statistics) -> pa.RecordBatch:
    """A batch with the column "statistics": a list of whole numbers per sentence or sum."""
    n_references = statistics.n_references
    lengths = _N_FIRST + _n_numbers(statistics, n_references)
    offsets = arrow.offsets(lengths)
    numbers = np.empty(offsets[-1], dtype=np.int64)
    numbers[offsets[:-1]] = _check_number(statistics.options, statistics.has_sentences)
    numbers[offsets[:-1] + 1] = n_references
    numbers[_without_first(offsets)] = statistics.summands[0, 0].reshape(-1)
    if offsets[-1] < 2**31:  # Spark needs 32-bit offsets
        column = pa.ListArray.from_arrays(
            arrow.numbers(offsets.astype(np.int32)), arrow.numbers(numbers)
        )
    else:
        column = pa.LargeListArray.from_arrays(arrow.numbers(offsets), arrow.numbers(numbers))
    return pa.RecordBatch.from_arrays([column], ["statistics"])


def from_arrow(rows: pa.RecordBatch | pa.Table, options: Options) -> Statistics:
    """Read what `to_arrow` made."""
    _check_kind(rows)
    batches = rows.to_batches() if isinstance(rows, pa.Table) else [rows]
    empty = Statistics(options)
    return Statistics(options, [empty.piece(*_read(batch, empty)) for batch in batches])


def _read(rows: pa.RecordBatch, empty: Statistics) -> tuple[np.ndarray, None, np.ndarray]:
    """The summands, no chosen references, and the numbers of references in a batch."""
    column = rows.column(inputs.find_column(rows.schema.names, "statistics"))
    if not hasattr(column, "flatten") or column.null_count or column.flatten().null_count:
        raise ValueError("column 'statistics' must be lists of numbers without nulls")
    numbers = arrow.to_numpy(column.flatten().cast(pa.int64()))
    lengths = arrow.lengths("list_value_length", column)
    if (lengths < _N_FIRST).any():
        raise ValueError("column 'statistics' has lists that are too short")
    firsts = arrow.offsets(lengths)[:-1]
    _check_options(numbers[firsts], empty)
    n_references = numbers[firsts + 1]
    if not np.array_equal(lengths, _N_FIRST + _n_numbers(empty, n_references)):
        raise ValueError("column 'statistics' has lists of a wrong length")
    summands = numbers[_without_first(arrow.offsets(lengths))].reshape(1, 1, -1, *empty.shape)
    return summands, None, n_references


def _check_options(numbers: np.ndarray, empty: Statistics) -> None:
    """Check that statistics were made with the same options, and that sums are enough."""
    of_sentences, of_sums = (_check_number(empty.options, kind) for kind in (True, False))
    for number in np.unique(numbers).tolist():
        if number not in (of_sentences, of_sums):
            raise ValueError(
                f"these statistics were not made with {_settings(empty.options)}; give the options "
                "that they were made with"
            )
        empty.check_enough(number == of_sentences)


def _n_numbers(statistics: Statistics, n_references: np.ndarray) -> np.ndarray:
    """The number of statistics of each sentence."""
    n_each = n_references if statistics.scoring.per_reference else np.ones_like(n_references)
    return math.prod(statistics.shape) * n_each


def _without_first(offsets: np.ndarray) -> np.ndarray:
    """A mask of the numbers in all lists that are statistics."""
    mask = np.ones(offsets[-1], dtype=bool)
    for i in range(_N_FIRST):
        mask[offsets[:-1] + i] = False
    return mask


def _check_number(options: Options, of_sentences: bool) -> int:
    """A number that stands for the options, and for sentences or sums."""
    return zlib.crc32(f"{_settings(options)}, of_sentences={of_sentences}".encode())


def _settings(options: Options) -> str:
    """The options that statistics depend on."""
    settings = options.settings("sentence") | {"detailed": options.detailed}
    return ", ".join(f"{name}={value}" for name, value in settings.items())
