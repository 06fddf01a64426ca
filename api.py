"""`score`, `compare` and `Statistics`: what users call, and the steps that every door shares.

Texts → `count` → `Statistics` → results, arrays (beta, system, …) → dictionary or columns.
"""

import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from . import arrow, inputs, multiset, scores, significance
from .options import EDIT_METRICS, OPTIONS, Options, given, is_list, shown, takes_options
from .significance import Progress, without_progress

if TYPE_CHECKING:
    import pandas

    from .corpus.m2 import Annotated, Edits
    from .edits.counting import Matches

# Resamples of `compare`, the command line and the Space, unless the user sets another number.
N_RESAMPLES = 1000
# Sentences per work unit; divided by the number of betas to bound memory.
_SENTENCES_AT_ONCE = 4096
# Pieces with one row per sentence are joined when there are this many.
_MOST_PIECES = 4096
# Sums of work units are added up when there are this many.
_MOST_SUMS = 16


@takes_options
def score(
    sources: Sequence[str] | None = None,
    predictions: Sequence[str] | None = None,
    references: Sequence[str] | Sequence[Sequence[str]] | None = None,
    metric: str = Options.metric,
    *,
    tokenizer: str | Callable[[str], Sequence[str]] = Options.tokenizer,
    max_order: int | None = Options.max_order,
    beta: float | Sequence[float] = Options.beta,
    level: str = Options.level,
    effective_order: bool = Options.effective_order,
    formula: str = Options.formula,
    selection: str = Options.selection,
    iterations: int = Options.iterations,
    strip: bool = Options.strip,
    detailed: bool = Options.detailed,
    n_resamples: int = Options.n_resamples,
    confidence_level: float | None = Options.confidence_level,
    seed: int = Options.seed,
) -> dict[str, Any]:
    """Score corrections against references, given the sources, with GREEN or another score.

    Large corpora are spread over `pyarrow.cpu_count()` threads.

    Args:
        sources (list of str): The original sentences, one per item; for "green" and "gleu" only.
        predictions (list of str): The corrected sentences.
        references (list of str, or list of lists of str): The reference corrections; for each
            sentence one text or any number of texts.
        {options}

    Returns:
        "green", "precision" and "recall", each between 0 and 1, or another score by its name ("f1"
        with "bleu" and "rouge"); with `n_resamples` also a confidence interval, with `detailed` the
        parts of the score.

    Examples:
        >>> from green_gec import score
        >>> score(
        ...     sources=["She go to school ."],
        ...     predictions=["She goes to school ."],
        ...     references=[["She goes to school .", "She went to school ."]],
        ... )
        {'green': 1.0, 'precision': 1.0, 'recall': 1.0}
    """
    options = Options.of(metric, given(locals()))
    (statistics,) = count(sources, [("predictions", predictions)], references, [options])
    return statistics.score()


def compare(
    systems: "Mapping[str, Sequence[str] | Sequence[Annotated]]",
    sources: Sequence[str] | None = None,
    references: Sequence[str] | Sequence[Sequence[str]] | None = None,
    *,
    metrics: Sequence[str] | None = None,
    gold: "str | PathLike[str] | Sequence[Annotated] | None" = None,
    baseline: str | None = None,
    paired: str | None = "ar",
    n_resamples: int | None = None,
    **options: Any,
) -> "pandas.DataFrame":
    """Score several systems and test which of them differ from a baseline.

    Args:
        systems: Each system's corrected sentences, by its name; or, for "errant", its edits as
            `corpus.read_edits` returns them.
        sources: The original sentences, one per item, if the score needs them.
        references: The reference corrections; for each sentence one text or any number of texts.
        metrics: The scores, if there are several: those of `score`, and "m2" and "errant", which
            need gold edits.
        gold: The gold edits: an M2 file, or what `corpus.read_edits` returned. Sources and
            references may then be left out.
        baseline: The name of the system to compare with; by default the first one.
        paired: The test: "ar", approximate randomisation; "bs", paired bootstrap as in sacreBLEU;
            None for none.
        n_resamples: Number of resamples for the test and the confidence intervals; by default
            1,000, and 0 at the level "sentence". 0 leaves both out.
        options: Any other option of `score`; for "m2" and "errant" also `beta` (0.5 by default),
            and for "m2" `max_unchanged_words` (2) and `ignore_case` (False). Each score takes those
            that it has.

    Returns:
        A table with one row per system and beta, and at the level "sentence" per sentence (counted
        from 0): the scores, the confidence interval ("low" to "high"), the difference from the
        baseline and its p-value; for three or more systems also "holm", the p-values corrected for
        several comparisons, separately for each beta. With several metrics, the names of all
        columns but the scores begin with that of the score, like "green_low".

    Examples:
        >>> from green_gec import compare
        >>> table = compare(
        ...     {"nothing": ["She go home ."], "all": ["She goes home ."]},
        ...     sources=["She go home ."],
        ...     references=["She goes home ."],
        ... )
        >>> table["green"].tolist()
        [0.0, 1.0]
    """
    import pandas as pd  # takes longer than scoring most corpora

    if n_resamples is None:
        n_resamples = 0 if options.get("level") == "sentence" else N_RESAMPLES
    options |= {"paired": paired, "n_resamples": n_resamples}
    settings = settings_of(metrics, options)
    index, names = index_of(baseline, systems), list(systems)
    named, sources, references, edits = texts_and_edits(
        systems, sources, references, gold, settings
    )
    made = count(sources, named, references, settings, edits=edits)
    return pd.DataFrame(columns_of(made, names, [statistics.results(index) for statistics in made]))


def settings_of(metrics: Sequence[str] | None, options: dict[str, Any]) -> list[Options]:
    """The checked options of each score."""
    return Options.of_each(_names_of_scores(options, metrics), options, "systems")


def index_of(baseline: str | None, systems: "Mapping[str, Sequence]") -> int:
    """The number of the system to compare with."""
    names = list(systems)
    if baseline is not None and baseline not in names:
        raise ValueError(f"baseline must be one of the systems, {names}, not {baseline!r}")
    return 0 if baseline is None else names.index(baseline)


def texts_and_edits(
    systems: "Mapping[str, Sequence]",
    sources: Any,
    references: Any,
    gold: Any,
    settings: Sequence[Options],
) -> "tuple[list[tuple[str, Any]], Any, Any, Edits | None]":
    """The systems with what messages call them, sources, references and, if needed, gold edits."""
    named = named_systems(systems)
    if gold is None and not any(each.metric in EDIT_METRICS for each in settings):
        return named, sources, references, None
    from .edits import counting

    needs_sources = any(scores.scoring(each).needs_sources for each in settings)
    prepared = counting.prepare(named, sources, references, gold)
    if sources is None and not needs_sources:  # BLEU, for example, refuses those of the gold edits
        prepared = (prepared[0], None, *prepared[2:])
    return prepared


def named_systems(systems: "Mapping[str, Sequence]") -> list[tuple[str, Sequence]]:
    """Each system's texts, after what messages call them."""
    if not isinstance(systems, Mapping):
        raise TypeError(f"systems must be a dictionary of names and texts, not {shown(systems)}")
    return [(f"systems[{name!r}]", texts) for name, texts in systems.items()]


def _names_of_scores(options: dict[str, Any], metrics: Sequence[str] | None) -> list[str]:
    """The scores to compute; takes "metric" out of the options."""
    if metrics is None:
        return [options.pop("metric", Options.metric)]
    if "metric" in options:
        raise TypeError("give metric, one score, or metrics, a list of them, but not both")
    if not is_list(metrics) or not len(metrics):
        raise TypeError(f"metrics must be a list of scores, not {shown(metrics)}")
    return [metric for index, metric in enumerate(metrics) if metric not in metrics[:index]]


def columns_of(
    made: "Sequence[Statistics]", names: Sequence[str], results: Sequence[dict[str, np.ndarray]]
) -> dict[str, list]:
    """The columns of several scores: names begin with the score's, but for the score itself."""
    if len(made) == 1:
        return made[0].columns(names, results[0])
    columns: dict[str, list] = {}
    for statistics, of_score in zip(made, results, strict=True):
        metric = statistics.options.metric
        for name, column in statistics.columns(names, of_score).items():
            shared = name in ("system", "sentence", metric)
            columns[name if shared else f"{metric}_{name}"] = column
    return columns


class _Piece(NamedTuple):
    """Statistics of some sentences, or sums of them with one row per number of references."""

    summands: np.ndarray  # (beta, system, sentence, …); if references are drawn, (…, reference, …)
    chosen: np.ndarray | None  # the references, if the score chooses one: (beta, system, sentence)
    n_references: np.ndarray  # (sentence,)


class Statistics:
    """What a score is computed from. The statistics of a corpus's pieces add up.

    They are whole numbers, so the score of the sum is that of the whole corpus to the last bit,
    whatever the pieces. Usually they are sums, and the order of addition does not matter. If a
    score needs more than sums (intervals, means, GLEU's drawn references), they have one row per
    sentence: then add them in the order of the corpus.

    Examples:
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

    def __init__(self, options: Options, pieces: Iterable[_Piece] = ()) -> None:
        self.options = options
        self.scoring = scores.scoring(options)
        self._pieces = tuple(pieces)
        self.matches: Matches | None = None  # of gold edits, for scores of edits
        self._resampled: np.ndarray | None = None

    @classmethod
    def of(
        cls,
        sources: Sequence[str] | None = None,
        predictions: Sequence[str] | None = None,
        references: Sequence[str] | Sequence[Sequence[str]] | None = None,
        metric: str = Options.metric,
        **options: Any,
    ) -> "Statistics":
        """Count some sentences. Takes the arguments of `score`, but a single beta."""
        checked = Options.of(metric, options, "pieces")
        systems = [("predictions", predictions)]
        (statistics,) = count(sources, systems, references, [checked], whole=False)
        return statistics

    @classmethod
    def from_arrow(
        cls, rows: "pa.RecordBatch | pa.Table", metric: str = Options.metric, **options: Any
    ) -> "Statistics":
        """Read what `to_arrow` or `score_batch` returned, given the same options."""
        from .engines import batches  # not part of a metric loaded from the Hub

        return batches.from_arrow(rows, Options.of(metric, options, "pieces"))

    def to_arrow(self) -> pa.RecordBatch:
        """A batch with the column "statistics", lists of whole numbers."""
        from .engines import batches

        return batches.to_arrow(self)

    def __add__(self, other: "Statistics") -> "Statistics":
        if not isinstance(other, Statistics):
            return NotImplemented
        if self.options is not other.options:
            self._check_same_options(other)
        pieces = self._pieces + other._pieces
        if len(pieces) >= _MOST_PIECES or not self.has_sentences:
            pieces = (self._whole, other._whole)
        return Statistics(self.options, pieces)

    def __radd__(self, other: Any) -> "Statistics":
        return self if isinstance(other, int) and other == 0 else NotImplemented  # for `sum`

    def __repr__(self) -> str:
        return f"Statistics({self.options!r})"

    def __reduce__(self) -> tuple:
        return Statistics, (self.options, (self._whole,))

    def _check_same_options(self, other: "Statistics") -> None:
        # Not the options themselves: a user's tokenizer may be another object after serialisation.
        ours, theirs = (
            each.options.settings() | {"detailed": each.options.detailed} for each in (self, other)
        )
        for name in ours | theirs:
            if ours.get(name) != theirs.get(name):
                raise ValueError(
                    f"cannot add statistics with {name} {theirs.get(name)} to those with "
                    f"{ours.get(name)}"
                )

    @property
    def has_sentences(self) -> bool:
        """Whether the results need the statistics of each sentence, not only their sums."""
        options = self.options
        return bool(options.level != "corpus" or options.n_resamples or self.scoring.per_reference)

    @cached_property
    def _whole(self) -> _Piece:
        """All pieces joined; added up if sums are enough."""
        if len(self._pieces) == 1:
            return self._pieces[0]
        if not self._pieces:
            summands = np.zeros((1, 1, 0, *self.shape), dtype=np.int64)
            return _Piece(summands, None, np.zeros(0, dtype=np.int64))
        summands, chosen, n_references = zip(*self._pieces, strict=True)
        return self.piece(
            np.concatenate(summands, axis=2),
            None if any(each is None for each in chosen) else np.concatenate(chosen, axis=2),
            np.concatenate(n_references),
        )

    def piece(
        self, summands: np.ndarray, chosen: np.ndarray | None, n_references: np.ndarray
    ) -> _Piece:
        """A piece of these statistics: with one row per number of references if sums are enough."""
        if self.has_sentences:
            return _Piece(summands, chosen, n_references)
        numbers = sorted(set(n_references.tolist()))
        if len(numbers) == 1:
            sums = summands.sum(axis=2, keepdims=True)
        else:
            sums = [summands[:, :, n_references == number].sum(axis=2) for number in numbers]
            sums = np.stack(sums, axis=2) if sums else summands
        return _Piece(sums, None, np.array(numbers, dtype=np.int64))

    def piece_of_sizes(
        self, sizes: np.ndarray, names: Sequence[str], n_references: np.ndarray
    ) -> _Piece:
        """A piece from sizes (system, sentence, reference, order, size); `names` are the sizes'."""
        if self.scoring.sizes != names:
            sizes = sizes[..., [names.index(name) for name in self.scoring.sizes]]
        made = self.scoring.statistics(sizes, n_references, self.options.detailed)
        return self.piece(*made, n_references)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the statistics of a sentence or, if references are drawn, of a reference."""
        sizes = np.zeros((1, 1, 1, self.options.order, len(self.scoring.sizes)), dtype=np.int64)
        once = np.ones(1, dtype=np.int64)
        return self.scoring.statistics(sizes, once, self.options.detailed)[0].shape[3:]

    @property
    def summands(self) -> np.ndarray:
        """What adds up: (beta, system, sentence, …); if references are drawn, (…, reference, …)."""
        return self._whole.summands

    @property
    def chosen(self) -> np.ndarray | None:
        """The chosen references, if the score chooses one: (beta, system, sentence)."""
        return self._whole.chosen

    @property
    def n_references(self) -> np.ndarray:
        """The number of references: (sentence,)."""
        return self._whole.n_references

    @property
    def signature(self) -> str:
        """Every choice that the figures depend on."""
        return self.options.signature(self.n_references.tolist())

    def replace(self, **later: Any) -> "Statistics":
        """The same statistics with other options of those that do not change the counts."""
        changed = [name for name in later if OPTIONS[name].stage == "count"]
        if changed:
            raise ValueError(f"{changed[0]} changes the counts; count again with it")
        replaced = Statistics(self.options.replace(**later), self._pieces)
        replaced.check_enough(self.has_sentences)
        return replaced

    def check_enough(self, of_sentences: bool) -> None:
        """Refuse pieces that are sums if the results need the statistics of each sentence."""
        if self.has_sentences and not of_sentences:
            raise ValueError(
                "these statistics are sums, but level='mean' and n_resamples need those of each "
                "sentence; make them with the same options"
            )

    def with_summands(self, options: Options, summands: np.ndarray) -> "Statistics":
        """Other statistics of the same sentences."""
        return Statistics(options, [_Piece(summands, None, self.n_references)])

    def of_systems(self, systems: slice | Sequence[int]) -> "Statistics":
        """The statistics of some of the systems."""
        chosen = None if self.chosen is None else self.chosen[:, systems]
        piece = _Piece(self.summands[:, systems], chosen, self.n_references)
        return Statistics(self.options, [piece])

    def of_sentences(self, are_taken: np.ndarray) -> "Statistics":
        """The statistics of some of the sentences; they must have been kept."""
        chosen = None if self.chosen is None else self.chosen[:, :, are_taken]
        per_reference = self.scoring.per_reference
        entries = np.repeat(are_taken, self.n_references) if per_reference else are_taken
        piece = _Piece(self.summands[:, :, entries], chosen, self.n_references[are_taken])
        return Statistics(self.options, [piece])

    def score(self) -> dict[str, Any]:
        """What `score` returns for all sentences together: numbers, or lists for several betas."""
        if not len(self.n_references):
            raise ValueError("there are no sentences to score")
        of_system = {name: value[:, 0] for name, value in self.results().items()}
        several = is_list(self.options.beta)
        found = {
            name: (value if several else value[0]).tolist() for name, value in of_system.items()
        }
        if self.options.detailed:
            found["signature"] = self.signature
        return found

    def results(
        self, baseline: int = 0, progress: Progress = without_progress
    ) -> dict[str, np.ndarray]:
        """All results as arrays (beta, system, …)."""
        values = self._at_level(self.scoring.values)
        found = {name: values[name] for name in self.scoring.results}
        if self.options.n_resamples:
            found |= self._resample(values[self.options.metric], baseline, progress)
        if self.options.detailed:
            found |= {name: value for name, value in values.items() if name not in found}
            is_chosen = self.chosen is not None and not self.scoring.per_reference
            if self.options.level == "sentence" and is_chosen:
                found["chosen_reference"] = self.chosen
        return found

    def orders(self) -> dict[str, np.ndarray]:
        """What each order contributes: arrays (beta, system, order).

        At the level "sentence", (beta, system, sentence, order), or, if references are drawn,
        (beta, system, reference, order).
        """
        if self.options.level == "sentence":
            return self.scoring.table(self.summands, each_sentence=True)
        return self._at_level(partial(self.scoring.table, each_sentence=False))

    def columns(self, names: Sequence[str], results: dict[str, np.ndarray]) -> dict[str, list]:
        """Results as columns; one row per system, beta and, at that level, sentence (from 0)."""
        n_betas, n_systems, *n_sentences = results[self.options.metric].shape
        rows = np.indices((n_systems, n_betas, *n_sentences)).reshape(2 + len(n_sentences), -1)
        columns: dict[str, list] = {"system": [names[index] for index in rows[0]]}
        if OPTIONS["beta"].is_of(self.options.metric):
            columns["beta"] = [self.options.betas[index] for index in rows[1]]
        if n_sentences:
            columns["sentence"] = rows[2].tolist()
        for name, value in results.items():
            of_rows = value.swapaxes(0, 1).reshape(rows.shape[1], *value.shape[len(rows) :])
            if name == "confidence_interval":
                columns["low"], columns["high"] = of_rows.T.tolist()
            else:
                columns[name] = of_rows.tolist()
        return columns

    def _at_level(
        self, values_of: Callable[[np.ndarray], dict[str, np.ndarray]]
    ) -> dict[str, np.ndarray]:
        """Values of the corpus or of the sentences; at the level "mean", their means and sums."""
        if self.options.level == "corpus":
            sums = self.scoring.total(self.summands, self.n_references)
            return self.scoring.of_draws(values_of(sums), axis=2)
        values = self.scoring.of_sentences(values_of(self.summands), self.n_references)
        if self.options.level == "sentence":
            return values
        return {
            name: value.sum(axis=2) if name in self.scoring.counts else value.mean(axis=2)
            for name, value in values.items()
        }

    def _resample(
        self, observed: np.ndarray, baseline: int, progress: Progress
    ) -> dict[str, np.ndarray]:
        """Confidence intervals and paired tests of the scores (beta, system)."""
        options, found = self.options, {}
        if options.confidence_level:
            resampled = self.resampled(progress)
            interval = significance.interval(resampled, float(options.confidence_level))
            found["confidence_interval"] = interval
        if options.paired:
            difference = observed - observed[:, [baseline]]
            if options.paired == "bs":
                resampled = self.resampled(progress)
                differences = resampled - resampled[:, :, [baseline]]
                p_value = significance.bootstrap_p_values(differences, difference)
            else:
                summands, how = self._how_to_resample(progress)
                differences = significance.randomise(summands, summands[:, :, [baseline]], **how)
                p_value = significance.randomisation_p_values(differences, difference)
            # The baseline is not compared with itself.
            difference[:, baseline] = p_value[:, baseline] = np.nan
            found |= {"difference": difference, "p_value": p_value}
            if p_value.shape[1] > 2:
                found["holm"] = significance.holm(p_value)
        return found

    def resampled(self, progress: Progress = without_progress) -> np.ndarray:
        """The scores of bootstrap resamples, (resample, beta, system); computed once."""
        if self._resampled is None:
            summands, how = self._how_to_resample(progress)
            self._resampled = significance.resample(summands, **how)
        return self._resampled

    def pairwise_p_values(self, progress: Progress = without_progress) -> np.ndarray:
        """p-values of each system against each other one, by the chosen test.

        Axes (beta, system, system), NaN on the diagonal.
        """
        observed = self._at_level(self.scoring.values)[self.options.metric]
        if self.options.paired == "bs":
            resampled = self.resampled(progress)
            p_values = np.stack(
                [
                    significance.bootstrap_p_values(
                        resampled - resampled[:, :, [one]], observed - observed[:, [one]]
                    )
                    for one in range(observed.shape[1])
                ],
                axis=1,
            )
        else:
            summands, how = self._how_to_resample(progress)
            p_values = significance.pairwise_p_values(summands, observed, **how)
        p_values[:, range(observed.shape[1]), range(observed.shape[1])] = np.nan
        return p_values

    def _how_to_resample(self, progress: Progress) -> tuple[np.ndarray, dict[str, Any]]:
        """Summands (sentence, beta, system, …), and the other arguments of `significance`."""
        summands, adder, score = self._as_sums()
        how = {"adder": adder, "score": score, "n_sentences": len(self.n_references)}
        how |= {"n_resamples": self.options.n_resamples, "seed": self.options.seed}
        return summands, {**how, "progress": progress}

    def _as_sums(self) -> tuple[np.ndarray, significance.Adder, significance.ToValues]:
        """Summands (sentence, beta, system, …), how to add them, and the score of their sums."""
        metric, scoring, n_references = self.options.metric, self.scoring, self.n_references
        if self.options.level == "mean":
            values = scoring.of_sentences(scoring.values(self.summands), n_references)
            by_sentence = np.moveaxis(values[metric], 2, 0)
            return by_sentence, scores.add_up, lambda sums: sums / len(n_references)

        def to_values(sums: np.ndarray) -> np.ndarray:  # (resample, beta, system, …)
            values = scoring.values(np.moveaxis(sums, 0, 2))
            return np.moveaxis(scoring.of_draws({"score": values[metric]}, axis=3)["score"], 2, 0)

        summands = scoring.of_corpus(self.summands, n_references)
        essential = np.moveaxis(summands[..., : scoring.n_essential], 2, 0)
        return essential, lambda summands: scoring.adder(summands, n_references), to_values


def warn_caller(warning: inputs.InputWarning) -> None:
    """Warn about the line of the user's code that called us, directly or through evaluate."""
    ours = (__name__.partition(".")[0], "evaluate")
    frame, depth = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in ours:
        frame, depth = frame.f_back, depth + 1
    warnings.warn(warning, stacklevel=depth)


class WarnOnce:
    """Warns of each kind of problem once, and not at all of some."""

    def __init__(self, *silent: str) -> None:
        self._told = set(silent)

    def __call__(self, warning: inputs.InputWarning) -> None:
        if warning.kind not in self._told:
            self._told.add(warning.kind)
            warn_caller(warning)


def count(
    sources: Any,
    systems: Sequence[tuple[str, Any]],
    references: Any,
    settings: Sequence[Options],
    progress: Progress = without_progress,
    n_threads: int | None = None,
    warn: Callable[[inputs.InputWarning], None] | None = warn_caller,
    whole: bool = True,
    edits: "Edits | None" = None,
) -> list[Statistics]:
    """Count all systems' n-grams in one pass and make the statistics of each of the settings.

    A system is a pair of what messages call its texts and the texts. The settings must count the
    same n-grams: they share the tokenizer, the longest order and whether to strip. `warn` is called
    with what is probably wrong; `whole` says that these are all sentences of a corpus. Settings of
    scores of edits need `edits`.
    """
    made = [Statistics(each) for each in settings]
    of_ngrams = [each for each in made if each.scoring.sizes]
    options = (of_ngrams or made)[0].options  # stand for all
    if_short = next((each.scoring.if_short for each in of_ngrams if each.scoring.if_short), {})
    needing = [each.scoring for each in made if each.scoring.needs_sources]
    (needing or [made[0].scoring])[0].check_sources(sources)
    named = [("sources", sources)] * bool(needing) + [*systems, ("references", references)]
    if not systems:
        raise ValueError("there are no systems to score")
    columns = inputs.columns(named)
    if not len(columns[0]):
        if whole:
            raise ValueError("there are no sentences to score")
        return made  # a process, for example, may have no share of a small corpus
    names = tuple(dict.fromkeys(chain.from_iterable(each.scoring.sizes for each in of_ngrams)))
    tokenizer = multiset.tokenizer(options.tokenizer)
    n_sentences = len(columns[0])
    # The source may be a system, too: then it is inspected once.
    of_systems = range(1, len(systems) + 1) if needing else ()
    inspected = [
        i for i in range(len(columns)) if i not in of_systems or columns[i] is not columns[0]
    ]
    n_threads = 1 if tokenizer.is_python else n_threads or pa.cpu_count()
    at_once = max(_SENTENCES_AT_ONCE // max(len(each.betas) for each in settings), 128)
    n_rounds = -(-n_sentences // (at_once * n_threads))
    if n_rounds > 1:  # blocks of one size, so that no thread idles in the last round
        at_once = -(-n_sentences // (n_rounds * n_threads))

    def count_block(start: int) -> tuple[list[list[_Piece]], inputs.Findings]:
        stop = min(start + at_once, n_sentences)
        texts, n_references = inputs.block(named, columns, start, stop)
        findings = inputs.inspect(
            *(texts, n_references, inspected, bool(needing), n_sentences),
            blanks_count=options.tokenizer == "char" and not options.strip,
        )
        if options.strip:
            texts = arrow.strip(texts)
        originals = inputs.originals(texts, n_references, bool(needing))
        pieces, done = [[] for _ in of_ngrams], 0
        if not of_ngrams:
            return pieces, findings
        for sizes in multiset.count(
            *(texts, n_references, len(systems), tokenizer, options.order, names)
        ):
            some = n_references[done : done + sizes.shape[1]]
            for statistics, of_setting in zip(of_ngrams, pieces, strict=True):
                of_setting.append(statistics.piece_of_sizes(sizes, names, some))
                if len(of_setting) >= _MOST_SUMS and not statistics.has_sentences:
                    of_setting[:] = [Statistics(statistics.options, of_setting)._whole]
            if if_short:
                is_short = _are_short(sizes, names)
                findings.add("short", texts, originals[done : done + len(some)][is_short])
            done += len(some)
        return pieces, findings

    blocks = _map(count_block, range(0, n_sentences, at_once), n_threads, progress)
    findings = inputs.Findings(found for _, found in blocks)
    if warn is not None:
        about = {"names": [name for name, _ in named], "has_sources": bool(needing)}
        about |= {"options": options, "if_short": if_short}
        for warning in inputs.warnings(findings, **about, split=tokenizer.split, whole=whole):
            warn(warning)
    pieces = zip(*(pieces for pieces, _ in blocks), strict=True)
    for statistics, of_blocks in zip(of_ngrams, pieces, strict=True):  # nobody has read them yet
        statistics._pieces = tuple(chain.from_iterable(of_blocks))
    of_edits = [each for each in made if not each.scoring.sizes]
    if of_edits:
        _match_edits(of_edits, systems, columns[bool(needing) : -1], edits, progress)
    return made


def _match_edits(
    made: Sequence[Statistics],
    systems: Sequence[tuple[str, Any]],
    columns: Sequence[inputs.Column],
    edits: "Edits",
    progress: Progress,
) -> None:
    """Find the gold edits among those of the systems, given their texts."""
    from .edits import counting  # not part of a metric loaded from the Hub

    named = [
        (name, inputs.strings(name, column))
        for (name, _), column in zip(systems, columns, strict=True)
    ]
    for statistics in made:
        matches = counting.match(named, edits, statistics.options, progress)
        counts = matches.counts(len(statistics.options.betas))
        statistics.matches = matches
        statistics._pieces = (_Piece(counts, None, matches.n_annotators),)


def _map(function: Callable, values: Sequence, n_threads: int, progress: Progress) -> list:
    """Call a function with each value, on several threads."""
    if min(len(values), n_threads) <= 1:
        return list(progress(map(function, values), len(values)))
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(n_threads) as pool:
        return list(progress(pool.map(function, values), len(values)))


def _are_short(sizes: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """Whether source and references all lack n-grams of the last order: (sentence,)."""
    of_texts = [names.index(name) for name in "SR" if name in names]
    return ~sizes[0, :, :, -1, of_texts].any(axis=(0, 2))
