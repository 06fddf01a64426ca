"""A corpus in pieces: statistics that add up, and the function that engines run on each piece.

Statistics are whole numbers, so their sum is the same whatever the pieces and their order, and the
score of the sum is that of the whole, to the last bit.
"""

import contextlib
import math
import re
import zlib
from collections.abc import Iterable, Sequence
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
# Statistics in Arrow begin with two numbers more: one that stands for the options, because engines
# pass nothing on but columns, and the number of references.
_N_FIRST = 2


@dataclass(frozen=True, eq=False)
class Statistics:
    """What a score is computed from, for some sentences. Those of several batches add up.

    They are sums, and it does not matter in which order they are added up. Where intervals, means
    or GLEU's drawn references need it, they are a row for each sentence; add those up in the order
    of the corpus.

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
    pieces: tuple[api.Counted, ...] = field(repr=False)

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
        return cls(checked, (api.count(sources, systems, references, checked),))

    @classmethod
    def from_arrow(
        cls, rows: pa.RecordBatch | pa.Table, metric: str = Options.metric, **options: Any
    ) -> "Statistics":
        """Take them from Arrow: what `to_arrow` and `score_batch` made, with the same options."""
        checked = check(metric, options)
        _check_kind(rows)
        pieces = rows.to_batches() if isinstance(rows, pa.Table) else [rows]
        return cls(checked, ())._plus(_counted(piece, checked) for piece in pieces)

    def to_arrow(self) -> pa.RecordBatch:
        """A batch with the column statistics, lists of whole numbers."""
        added_up = api.add_up([_none(self.options), *self.pieces], self.options)
        column = _column(added_up, self.options, api.needs_sentences(self.options))
        return pa.RecordBatch.from_arrays([column], ["statistics"])

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
        return self._plus(other.pieces)

    def __radd__(self, other: Any) -> "Statistics":
        return self if isinstance(other, int) and other == 0 else NotImplemented  # for `sum`

    def _plus(self, pieces: Iterable[api.Counted]) -> "Statistics":
        pieces = (*self.pieces, *pieces)
        if pieces and not api.needs_sentences(self.options):
            pieces = (api.add_up(pieces, self.options),)
        return replace(self, pieces=pieces)

    def score(self) -> dict[str, Any]:
        """What `score` gives for all sentences together."""
        counted = api.add_up([_none(self.options), *self.pieces], self.options)
        if not len(counted.n_references):
            raise ValueError("there are no sentences to score")
        return api.of_one_system(counted, self.options)


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
        `score` gives them at the level "sentence", and statistics, of which
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
    _check_kind(batch)
    of_rows = replace(checked, level="sentence", n_resamples=0)
    counted = count(batch, of_rows)
    results = api.of_one_system(counted, of_rows) if batch.num_rows else {}
    added = {
        name: arrow.numbers(np.array(results.get(name, []), dtype=np.float64))
        for name in checked.scoring.results
    }
    added["statistics"] = _column(counted, checked, True)
    kept = [i for i, name in enumerate(batch.schema.names) if name not in added]
    fields = [batch.schema.field(i) for i in kept]
    fields += [pa.field(name, column.type) for name, column in added.items()]
    columns = [*(batch.column(i) for i in kept), *added.values()]
    return type(batch).from_arrays(columns, schema=pa.schema(fields, batch.schema.metadata))


def _check_kind(batch: Any) -> None:
    if not isinstance(batch, (pa.RecordBatch, pa.Table)):
        raise TypeError(
            f"expected an Arrow record batch or table, not {type(batch).__name__}; a dataset of "
            'datasets gives tables after dataset.with_format("arrow"), Ray Data with '
            'batch_format="pyarrow"'
        )


def check(metric: str, options: dict[str, Any]) -> Options:
    """Options for pieces of a corpus."""
    check_names(metric, options.keys() - {"seed"})
    checked = Options(metric, **options)
    checked.check_one_beta()
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
        with contextlib.suppress(UnicodeDecodeError):  # that may be what is wrong with it
            row = batch.slice(int(place[1]), 1).to_pylist()[0]
            error = type(error)(f"{error}; the row is {row!r:.400}")
        raise error from None


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


def _column(counted: api.Counted, options: Options, of_sentences: bool) -> pa.Array:
    """Statistics as lists of numbers, one for each sentence or sum."""
    parts, n_references = counted.parts[0, 0], counted.n_references
    lengths = _N_FIRST + _n_numbers(parts.shape[1:], n_references, options)
    offsets = arrow.offsets(lengths)
    numbers = np.empty(offsets[-1], dtype=np.int64)
    numbers[offsets[:-1]] = _check_number(options, of_sentences)
    numbers[offsets[:-1] + 1] = n_references
    numbers[_without_first(offsets)] = parts.reshape(-1)
    if offsets[-1] < 2**31:  # what Spark takes
        return pa.ListArray.from_arrays(
            arrow.numbers(offsets.astype(np.int32)), arrow.numbers(numbers)
        )
    return pa.LargeListArray.from_arrays(arrow.numbers(offsets), arrow.numbers(numbers))


def _counted(rows: pa.RecordBatch, options: Options) -> api.Counted:
    """What `_column` made a column of."""
    column = rows.column(_find(rows.schema.names, "statistics"))
    if not hasattr(column, "flatten") or column.null_count or column.flatten().null_count:
        raise ValueError("column 'statistics' must be lists of numbers without nulls")
    numbers = arrow.to_numpy(column.flatten().cast(pa.int64()))
    lengths = arrow.lengths("list_value_length", column)
    firsts = arrow.offsets(lengths)[:-1]
    if (lengths < _N_FIRST).any():
        raise ValueError("column 'statistics' has lists that are too short")
    of_sentences, of_sums = (_check_number(options, kind) for kind in (True, False))
    for number in np.unique(numbers[firsts]).tolist():
        if number not in (of_sentences, of_sums):
            raise ValueError(
                f"these statistics were not made with {_settings(options)}; give the options that "
                "they were made with"
            )
        if number == of_sums and api.needs_sentences(options):
            raise ValueError(
                "these statistics are sums, but level='mean' and n_resamples need those of each "
                "sentence; make them with the same options"
            )
    n_references, shape = numbers[firsts + 1], _shape(options)
    if not np.array_equal(lengths, _N_FIRST + _n_numbers(shape, n_references, options)):
        raise ValueError("column 'statistics' has lists of a wrong length")
    parts = numbers[_without_first(arrow.offsets(lengths))].reshape(1, 1, -1, *shape)
    return api.Counted(parts, None, n_references)


def _n_numbers(shape: tuple[int, ...], n_references: np.ndarray, options: Options) -> np.ndarray:
    """How many numbers the statistics of each sentence are."""
    n_each = n_references if options.scoring.draws else np.ones_like(n_references)
    return math.prod(shape) * n_each


def _without_first(offsets: np.ndarray) -> np.ndarray:
    """Where in all lists the statistics are: a mask."""
    mask = np.ones(offsets[-1], dtype=bool)
    for i in range(_N_FIRST):
        mask[offsets[:-1] + i] = False
    return mask


def _check_number(options: Options, of_sentences: bool) -> int:
    """A number that stands for the options, and for whether it is a sentence or a sum."""
    return zlib.crc32(f"{_settings(options)}, of_sentences={of_sentences}".encode())


def _described(options: Options) -> dict[str, Any]:
    """All options, so that they can be compared after a journey."""
    return options.settings() | {
        "metric": options.metric,
        "tokenizer": options.tokenizer_name,
        "detailed": options.detailed,
    }


def _settings(options: Options) -> str:
    """Those that statistics depend on."""
    settings = {name: value for name, value in _described(options).items() if name not in _LATER}
    return ", ".join(f"{name}={value}" for name, value in settings.items())
