"""Scores of Spark DataFrames with the columns source, prediction and references (PySpark 4).

The workers need this package and its dependencies, as for any Python function.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import ArrayType, DoubleType, LongType, StructField, StructType

from ..counting import Statistics
from ..engines.batches import count_batch, find_columns, row_options, score_batch
from ..metrics import make_metric
from ..options import Options


def score(frame: DataFrame, metric: str = "green", **options: Any) -> dict[str, Any]:
    """Score all rows as one corpus: what `green_gec.score` returns for them, with its options.

    The workers add up statistics, and the driver gets a few rows per batch; one row per sentence if
    intervals, means or GLEU's drawn references need them.
    """
    checked = Options.make_for_parts(metric, options)
    texts = frame.select(*find_columns(frame.columns, checked).values())

    def count(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return (count_batch(batch, checked).to_arrow() for batch in batches)

    counted = texts.mapInArrow(count, StructType([_statistics_field(checked)]))
    return Statistics.from_arrow(counted.toArrow(), metric, **options).score()


def score_rows(frame: DataFrame, metric: str = "green", **options: Any) -> DataFrame:
    """Score each row: the DataFrame with the columns that `green_gec.score_batch` adds."""
    checked = row_options(metric, options)
    find_columns(frame.columns, checked)
    results = make_metric(checked).results
    scores = [StructField(name, DoubleType(), nullable=False) for name in results]
    added = {field.name: field for field in (*scores, _statistics_field(checked))}
    kept = [field for field in frame.schema.fields if field.name not in added]
    schema = StructType([*kept, *added.values()])
    function = partial(score_batch, metric=metric, **options)
    return frame.mapInArrow(lambda batches: map(function, batches), schema)


def _statistics_field(options: Options) -> StructField:
    is_whole = Statistics.empty(options).rows.dtype.kind == "i"
    numbers = ArrayType(LongType() if is_whole else DoubleType(), containsNull=False)
    return StructField("statistics", numbers, nullable=False)
