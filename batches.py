"""A corpus in pieces: statistics that add up, and the function that engines run on each piece.

Statistics are whole numbers, so their sum is the same whatever the pieces and their order, and the
score of the sum is that of the whole, to the last bit.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from . import api, arrow
from .options import Options, check_names

Batch = TypeVar("Batch", pa.RecordBatch, pa.Table)

# What the columns of a batch are called: as in JSON Lines, or as the arguments of `score`.
_NAMES = {
    "sources": ("source", "sources"),
    "predictions": ("prediction", "predictions"),
    "references": ("references", "reference"),
}
# Options that only say what to make of statistics.
_LATER = ("level", "iterations", "n_resamples", "confidence_level", "seed", "paired")
_KEY = b"green_gec"


@dataclass(frozen=True, eq=False)
class Statistics:
    """What a score is computed from, for some sentences. Those of several batches add up.

    They are sums; or a row for each sentence, where intervals, means or drawn references need them.
    Of drawn references (GLEU), and where there are rows, add batches in the order of the corpus.

    Example:
        >>> from green_gec import Statistics
        >>> first = Statistics.of(["I has two cat ."], ["I have two cats ."], ["I have two cats ."])
        >>> second = Statistics.of(["He go home ."], ["He go home ."], ["He goes home ."])
        >>> total = first + second
        >>> total.score()["precision"]
        1.0
        >>> again = Statistics.from_arrow(total.to_arrow())
        >>> again.score() == total.score()
        True
    """

    options: Options
    counted: api.Counted = field(repr=False)

    @classmethod
    def of(
        cls,
        sources: Sequence[str] | None = None,
        predictions: Sequence[str] | None = None,
        references: Sequence[str] | Sequence[Sequence[str]] | None = None,
        metric: str = Options.metric,
        **options: Any,
    ) -> "Statistics":
        """Count some sentences. The arguments are those of `score`, but for several betas."""
        checked = check(metric, options)
        systems = [("predictions", predictions)]
        return cls(checked, api.count(sources, systems, references, checked))

    @classmethod
    def from_arrow(
        cls, rows: pa.RecordBatch | pa.Table, metric: str = Options.metric, **options: Any
    ) -> "Statistics":
        """Take them from Arrow: what `to_arrow` and `score_batch` made, with the same options."""
        checked = check(metric, options)
        settings = _settings(checked)
        made_with = (rows.schema.metadata or {}).get(_KEY, settings)
        if made_with != settings:
            raise ValueError(
                f"these statistics were made with {made_with.decode()}, not with "
                f"{settings.decode()}"
            )
        pieces = rows.to_batches() if isinstance(rows, pa.Table) else [rows]
        counted = [_none(checked), *(_counted(piece, checked) for piece in pieces)]
        return cls(checked, api.add_up(counted, checked))

    def to_arrow(self) -> pa.RecordBatch:
        """A batch with the columns n_references and statistics (lists of whole numbers)."""
        columns = _columns(self.counted, self.options)
        return _batch(pa.RecordBatch, columns, {_KEY: _settings(self.options)})

    def __add__(self, other: "Statistics") -> "Statistics":
        if not isinstance(other, Statistics):
            return NotImplemented
        ours, theirs = _described(self.options), _described(other.options)
        for name in ours | theirs:
            if ours.get(name) != theirs.get(name):
                raise ValueError(
                    f"cannot add statistics with {name} {theirs.get(name)} to those with "
                    f"{ours.get(name)}"
                )
        return replace(self, counted=api.add_up([self.counted, other.counted], self.options))

    def __radd__(self, other: Any) -> "Statistics":
        return self if isinstance(other, int) and other == 0 else NotImplemented  # for `sum`

    def score(self) -> dict[str, Any]:
        """What `score` gives for all sentences together."""
        if not len(self.counted.n_references):
            raise ValueError("there are no sentences to score")
        return api.of_one_system(self.counted, self.options)


def score_batch(batch: Batch, metric: str = Options.metric, **options: Any) -> Batch:
    """Score each row of an Arrow batch or table with the columns source, prediction and references.

    It keeps nothing, so that engines can run it anywhere and in any order: `datasets` (`map` of a
    dataset with the format "arrow"), Spark (`mapInArrow`), Ray Data (`map_batches`).

    Args:
        batch: A record batch or table. References are strings or lists of strings. BLEU, ROUGE-N
            and F1 need no sources. The plural "sources" and "predictions" will do, too.
        metric: The score, as in `score`.
        options: Options of `score`; those that only concern the whole corpus change nothing here.

    Returns:
        The batch with further columns (in place of any of the same names): the row's scores, as
        `score` gives them at the level "sentence", n_references, and statistics, of which
        `Statistics.from_arrow` makes the corpus's score.

    Example:
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
    checked = check(metric, options)
    if not isinstance(batch, (pa.RecordBatch, pa.Table)):
        raise TypeError(
            f"expected an Arrow record batch or table, not {type(batch).__name__}; a dataset of "
            'datasets gives tables after dataset.with_format("arrow"), Ray Data with '
            'batch_format="pyarrow"'
        )
    names = checked.scoring.results
    columns = dict.fromkeys(names, arrow.numbers(np.zeros(0)))
    counted = count(batch, replace(checked, level="sentence", n_resamples=0))
    if batch.num_rows:
        results = api.of_one_system(counted, replace(checked, level="sentence", n_resamples=0))
        columns = {name: arrow.numbers(np.array(results[name])) for name in names}
    columns |= _columns(counted, checked)
    kept = {
        name: column
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
        if name not in columns
    }
    metadata = {**(batch.schema.metadata or {}), _KEY: _settings(checked)}
    return _batch(type(batch), kept | columns, metadata)


def check(metric: str, options: dict[str, Any]) -> Options:
    """Options for pieces of a corpus."""
    check_names(metric, options.keys() - {"seed"})
    checked = Options(metric, **options)
    if np.ndim(checked.beta):
        raise ValueError(f"beta must be a single number here, not {checked.beta!r}")
    if checked.level == "sentence":
        raise ValueError(
            "statistics add up to those of a corpus, so level must be 'corpus' or 'mean', not "
            "'sentence'; score_batch gives the sentences' scores"
        )
    return checked


def count(batch: pa.RecordBatch | pa.Table, options: Options) -> api.Counted:
    """Count a batch, in a single thread: engines run several at a time."""
    texts = {name: batch.column(found) for name, found in find(batch.schema.names, options).items()}
    if not batch.num_rows:
        return _none(options)
    systems = [("predictions", texts["predictions"])]
    try:
        return api.count(texts.get("sources"), systems, texts["references"], options, n_threads=1)
    except (TypeError, ValueError) as error:
        # Nobody knows which batch it is: show the row.
        place = re.match(r"\w+\[(\d+)\]", str(error))
        if place is None:
            raise
        row = batch.slice(int(place[1]), 1).to_pylist()[0]
        raise type(error)(f"{error}; the row is {row!r:.400}") from None


def find(columns: Sequence[str], options: Options) -> dict[str, str]:
    """Which of the columns are the arguments of `score` that are needed."""
    return {
        argument: _find(columns, *names)
        for argument, names in _NAMES.items()
        if argument != "sources" or options.scoring.needs_sources
    }


def _find(columns: Sequence[str], *names: str) -> str:
    for name in names:
        if name in columns:
            return name
    raise ValueError(f"there is no column {names[0]!r}, only {', '.join(columns) or 'none'}")


def _shape(options: Options) -> tuple[int, ...]:
    """The shape of the statistics of a sentence, or, for scores that draw, of a reference."""
    sizes = np.zeros((1, 1, 1, options.order, len(options.scoring.sizes)), dtype=np.int64)
    once = np.ones(1, dtype=np.int64)
    return options.scoring.statistics(sizes, once, options.detailed)[0].shape[3:]


def _none(options: Options) -> api.Counted:
    """What is counted of no sentences."""
    parts = np.zeros((1, 1, 0, *_shape(options)), dtype=np.int64)
    return api.Counted(parts, None, np.zeros(0, dtype=np.int64))


def _counted(rows: pa.RecordBatch, options: Options) -> api.Counted:
    """What `_columns` made columns of."""
    numbers, lists = (_whole(rows, name) for name in ("n_references", "statistics"))
    n_references, shape = arrow.to_numpy(numbers.cast(pa.int64())), _shape(options)
    expected = np.full(len(lists), math.prod(shape))
    if options.scoring.draws:
        expected *= n_references
    lengths = arrow.lengths("list_value_length", lists)
    if not np.array_equal(lengths, expected):
        row = int((lengths != expected).argmax())
        raise ValueError(
            f"these statistics were made with other options: a row has {lengths[row]} numbers, not "
            f"{expected[row]}"
        )
    parts = arrow.to_numpy(lists.flatten().cast(pa.int64())).reshape(1, 1, -1, *shape)
    return api.Counted(parts, None, n_references)


def _columns(counted: api.Counted, options: Options) -> dict[str, pa.Array]:
    """Statistics as columns, a row each."""
    parts, n_references = counted.parts[0, 0], counted.n_references
    n_numbers = math.prod(parts.shape[1:])
    lengths = n_references * n_numbers if options.scoring.draws else n_numbers
    offsets = arrow.offsets(np.broadcast_to(lengths, n_references.shape)).astype(np.int32)
    numbers = arrow.numbers(np.ascontiguousarray(parts, dtype=np.int64).reshape(-1))
    return {
        "n_references": arrow.numbers(n_references.astype(np.int64)),
        "statistics": pa.ListArray.from_arrays(arrow.numbers(offsets), numbers),
    }


def _batch(kind: type[Batch], columns: dict[str, Any], metadata: dict[bytes, bytes]) -> Batch:
    schema = pa.schema([(name, column.type) for name, column in columns.items()], metadata)
    return kind.from_arrays(list(columns.values()), schema=schema)


def _whole(rows: pa.RecordBatch, name: str) -> pa.Array:
    column = rows.column(_find(rows.schema.names, name))
    if column.null_count:
        raise ValueError(f"column {name!r} has {column.null_count:,} nulls")
    return column


def _described(options: Options) -> dict[str, Any]:
    """All options, so that they can be compared after a journey."""
    return options.settings() | {
        "metric": options.metric,
        "tokenizer": options.tokenizer_name,
        "detailed": options.detailed,
    }


def _settings(options: Options) -> bytes:
    """Those that statistics depend on."""
    settings = {name: value for name, value in _described(options).items() if name not in _LATER}
    return ", ".join(f"{name}={value}" for name, value in settings.items()).encode()
