"""Scores of Spark DataFrames with the columns source, prediction and references (PySpark 4).

The workers need this package and its dependencies, as for any Python function.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import ArrayType, DoubleType, LongType, StructField, StructType

from ..api import Statistics
from ..options import Options
from ..scores import scoring
from .batches import count, find_columns, options_of_rows, score_batch

_STATISTICS = StructField("statistics", ArrayType(LongType(), containsNull=False), nullable=False)


def score(frame: DataFrame, metric: str = Options.metric, **options: Any) -> dict[str, Any]:
    """Score all rows as one corpus: what `green_gec.score` returns for them, with its options.

    The workers add up statistics, and the driver gets a few rows per batch; one row per sentence if
    intervals, means or GLEU's drawn references need them.
    """
    checked = Options.of(metric, options, "pieces")
    texts = frame.select(*find_columns(frame.columns, checked).values())
    counted = texts.mapInArrow(partial(_count, options=checked), StructType([_STATISTICS]))
    return Statistics.from_arrow(counted.toArrow(), metric, **options).score()


def score_rows(frame: DataFrame, metric: str = Options.metric, **options: Any) -> DataFrame:
    """Score each row: the DataFrame with the columns that `green_gec.score_batch` adds."""
    checked = options_of_rows(metric, options)
    find_columns(frame.columns, checked)
    results = scoring(checked).results
    scores = [StructField(name, DoubleType(), nullable=False) for name in results]
    added = {field.name: field for field in (*scores, _STATISTICS)}
    kept = [field for field in frame.schema.fields if field.name not in added]
    schema = StructType([*kept, *added.values()])
    function = partial(score_batch, metric=metric, **options)
    return frame.mapInArrow(lambda given: map(function, given), schema)


def _count(given: Iterable[pa.RecordBatch], options: Options) -> Iterator[pa.RecordBatch]:
    for batch in given:
        yield count(batch, options).to_arrow()
