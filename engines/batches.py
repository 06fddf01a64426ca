"""`score_batch`, which engines run on Arrow batches, the pieces of a corpus."""

import contextlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from .. import arrow_arrays
from ..corpus.columns import COLUMNS, find_column
from ..counting import Statistics, count
from ..inputs import Corpus
from ..metrics import make_metric
from ..options import Options, short_repr
from .arrow_rows import check_batch

Batch = TypeVar("Batch", pa.RecordBatch, pa.Table)


def score_batch(batch: Batch, metric: str = "green", **options: Any) -> Batch:
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
    checked = row_options(metric, options)
    check_batch(batch)
    statistics = count_batch(batch, checked.replace(level="sentence", n_resamples=0))
    results = statistics.results()
    added = {
        name: arrow_arrays.from_numpy(np.ascontiguousarray(results[name][0, 0]))
        for name in statistics.metric.results
    }
    added["statistics"] = statistics.to_arrow().column("statistics")
    batch = batch.drop_columns([name for name in added if name in batch.schema.names])
    for name, column in added.items():
        batch = batch.append_column(name, column)
    return batch


def row_options(metric: str, options: Mapping[str, Any]) -> Options:
    """Check options for single rows, which have those of a mean, whatever the level."""
    return Options.make_for_parts(metric, {"level": "mean", **options})


def find_columns(columns: Sequence[str], options: Options) -> dict[str, str]:
    """The columns that hold the arguments of `score`."""
    return {
        argument: find_column(columns, *names)
        for argument, names in COLUMNS.items()
        if argument != "sources" or make_metric(options).needs_sources
    }


def count_batch(batch: pa.RecordBatch | pa.Table, options: Options) -> Statistics:
    """Count a batch in a single thread: engines run several at a time."""
    columns = find_columns(batch.schema.names, options)
    texts = {name: batch.column(column) for name, column in columns.items()}
    systems = {"predictions": texts["predictions"]}
    corpus = Corpus.check(texts.get("sources"), systems, texts["references"])
    try:
        return count(corpus, [options], n_threads=1, is_whole_corpus=False)[0]
    except (TypeError, ValueError) as error:
        # The position in a batch is of little use: show the row.
        place = re.match(r"\w+\[(\d+)\]", str(error))
        if place is None:
            raise
        with contextlib.suppress(UnicodeDecodeError):  # which may be the error itself
            row = batch.slice(int(place[1]), 1).to_pylist()[0]
            error = type(error)(f"{error}; the row is {short_repr(row, 400)}")
        raise error from None
