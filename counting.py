"""`count` turns a corpus into `Statistics`, which add up; these turn into results.

This module knows levels, tests and blocks of sentences, but no formula of a score.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from . import multiset, significance
from .input_warnings import Findings, Warn, inspect_block, make_warnings, warn_user
from .inputs import Corpus
from .metrics import Metric, Values, make_metric
from .options import LATE_OPTIONS, Options, is_sequence
from .significance import Progress, Resampler, no_progress
from .tokenization import get_tokenizer

# Sentences per work unit, divided by the number of betas, systems and orders to bound memory.
_ENTRIES_AT_ONCE = 1 << 14
_FEWEST_AT_ONCE = 64


@dataclass(frozen=True, eq=False)
class Statistics:
    """What a score is computed from. The statistics of a corpus's parts add up.

    Those of GREEN, GLEU and BLEU are whole numbers, so the score of the sum is that of the whole
    corpus to the last bit, whatever the parts. Usually they are sums, and the order of addition
    does not matter. If a score needs more than sums (intervals, means, GLEU's drawn references),
    they have a row per sentence: then add them in the order of the corpus.

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

    options: Options
    metric: Metric
    rows: np.ndarray  # (beta, system, row, …): a row per sentence or reference, or one for the sum
    n_references: np.ndarray  # (sentence,); of a sum, the fewest and the most of any sentence
    chosen: np.ndarray | None = None  # references, if the metric chooses: (beta, system, sentence)
    is_sum: bool = False

    def __post_init__(self) -> None:
        if self.is_sum and self.needs_sentences:
            raise ValueError(
                "these statistics are sums, but level='mean' and n_resamples need those of each "
                "sentence; make them with the same options"
            )

    @classmethod
    def of(
        cls,
        sources: Sequence[str] | None = None,
        predictions: Sequence[str] | None = None,
        references: Sequence[str] | Sequence[Sequence[str]] | None = None,
        metric: str = "green",
        **options: Any,
    ) -> "Statistics":
        """Count some sentences. Takes the arguments of `score`, but a single beta."""
        checked = Options.make_for_parts(metric, options)
        corpus = Corpus.check(sources, {"predictions": predictions}, references)
        return count(corpus, [checked], is_whole_corpus=False)[0]

    @classmethod
    def empty(cls, options: Options) -> "Statistics":
        """The statistics of no sentences, to which others can be added."""
        metric = make_metric(options)
        sizes = np.zeros((1, 0, 1, options.order, len(metric.sizes)), dtype=np.int64)
        rows, chosen = metric.statistics(sizes, options.detailed)
        return cls(options, metric, rows, np.zeros(0, dtype=np.int64), chosen)

    @classmethod
    def merge(cls, parts: Iterable["Statistics"]) -> "Statistics":
        """The statistics of all sentences of the parts, in this order."""
        parts = tuple(parts)
        if not parts:
            raise ValueError("there are no statistics to merge")
        for part in parts[1:]:
            _check_same_options(parts[0].options, part.options)
        if len(parts) == 1:
            return parts[0]
        rows = np.concatenate([part.rows for part in parts], axis=2)
        n_references = np.concatenate([part.n_references for part in parts])
        chosen = None
        if all(part.chosen is not None for part in parts):
            chosen = np.concatenate([part.chosen for part in parts], axis=2)
        merged = replace(parts[0], rows=rows, n_references=n_references, chosen=chosen)
        return merged.total() if any(part.is_sum for part in parts) else merged

    def __add__(self, other: "Statistics") -> "Statistics":
        return Statistics.merge([self, other]) if isinstance(other, Statistics) else NotImplemented

    def __radd__(self, other: Any) -> "Statistics":
        return self if isinstance(other, int) and other == 0 else NotImplemented  # for `sum`

    def total(self) -> "Statistics":
        """The sum over all sentences, which is enough for a corpus's score without resampling."""
        if not len(self.n_references):
            return self
        rows = self.rows.sum(axis=2, keepdims=True)
        n_references = np.array([self.n_references.min(), self.n_references.max()])
        return replace(self, rows=rows, n_references=n_references, chosen=None, is_sum=True)

    @classmethod
    def from_arrow(
        cls, rows: "pa.RecordBatch | pa.Table", metric: str = "green", **options: Any
    ) -> "Statistics":
        """Read what `to_arrow` or `score_batch` returned, given the same options."""
        from .engines import arrow_rows  # not part of a metric loaded from the Hub

        empty = cls.empty(Options.make_for_parts(metric, options))
        parts = [empty]
        for batch in rows.to_batches() if isinstance(rows, pa.Table) else [rows]:
            numbers, fewest, most, has_sums = arrow_rows.from_arrow(
                batch, empty.options, empty.rows[0, 0], empty.metric.per_reference
            )
            part = replace(empty, rows=numbers[None, None], n_references=fewest, chosen=None)
            if has_sums or not empty.needs_sentences:
                part = replace(part, n_references=np.concatenate([fewest, most])).total()
            parts.append(part)
        return cls.merge(parts)

    def to_arrow(self) -> pa.RecordBatch:
        """A batch with the column "statistics", lists of numbers."""
        from .engines import arrow_rows

        return arrow_rows.to_arrow(self.options, self.rows[0, 0], self.n_references, self.is_sum)

    @property
    def needs_sentences(self) -> bool:
        """Whether the results need the statistics of each sentence, not only their sum."""
        options = self.options
        return bool(options.level != "corpus" or options.n_resamples or self.metric.per_reference)

    @property
    def signature(self) -> str:
        """Every setting that the figures depend on."""
        return self.options.signature(self.n_references.tolist())

    def replace(self, **late: Any) -> "Statistics":
        """The same statistics with other options of those that do not change the counts."""
        options = self.options.replace(**late)
        for name in late:
            if name not in LATE_OPTIONS:
                raise ValueError(f"{name} changes the counts; count again with it")
        return replace(self, options=options, metric=type(self.metric).make(options))

    def select_systems(self, systems: slice | Sequence[int]) -> "Statistics":
        """The statistics of some of the systems."""
        chosen = None if self.chosen is None else self.chosen[:, systems]
        return replace(self, rows=self.rows[:, systems], chosen=chosen)

    def select_sentences(self, is_selected: np.ndarray) -> "Statistics":
        """The statistics of some of the sentences, given which (sentence,)."""
        n_rows = self.n_references if self.metric.per_reference else 1
        rows = self.rows.compress(np.repeat(is_selected, n_rows), axis=2)
        chosen = None if self.chosen is None else self.chosen[:, :, is_selected]
        n_references = self.n_references[is_selected]
        return replace(self, rows=rows, n_references=n_references, chosen=chosen)

    def score(self) -> dict[str, Any]:
        """What `score` returns for all sentences together: numbers, or lists for several betas."""
        if not len(self.n_references):
            raise ValueError("there are no sentences to score")
        betas = slice(None) if is_sequence(self.options.beta) else 0
        scores = {name: value[betas, 0].tolist() for name, value in self.results().items()}
        return scores | ({"signature": self.signature} if self.options.detailed else {})

    def results(self, baseline: int = 0, progress: Progress = no_progress) -> Values:
        """All results as arrays (beta, system, …)."""
        options, metric = self.options, self.metric
        values = self._at_level(metric.values)
        results = {name: values[name] for name in metric.results}
        if options.n_resamples:
            results |= self._intervals_and_tests(values[options.metric], baseline, progress)
        if options.detailed:
            results |= {name: value for name, value in values.items() if name not in results}
            if options.level == "sentence" and self.chosen is not None and not metric.per_reference:
                results["chosen_reference"] = self.chosen
        return results

    def orders(self) -> Values:
        """What each order contributes, of `detailed` statistics: arrays (beta, system, order).

        At the level "sentence" (beta, system, row, order), with a row per sentence or, if
        references are drawn, per reference.
        """
        if self.options.level == "sentence":
            return self.metric.table(self.rows)
        columns = self._at_level(self.metric.table)
        hidden = self.metric.sentence_columns
        return {name: column for name, column in columns.items() if name not in hidden}

    def columns(self, names: Sequence[str], results: Values) -> dict[str, list]:
        """Results as columns; one row per system, beta and, at that level, sentence (from 0)."""
        n_betas, n_systems, *n_sentences = results[self.options.metric].shape
        index = np.indices((n_systems, n_betas, *n_sentences)).reshape(2 + len(n_sentences), -1)
        columns: dict[str, list] = {"system": [names[system] for system in index[0]]}
        if self.options.betas:
            columns["beta"] = [self.options.betas[beta] for beta in index[1]]
        if n_sentences:
            columns["sentence"] = index[2].tolist()
        for name, value in results.items():
            rows = value.swapaxes(0, 1).reshape(index.shape[1], *value.shape[len(index) :])
            if name == "confidence_interval":
                columns["low"], columns["high"] = rows.T.tolist()
            else:
                columns[name] = rows.tolist()
        return columns

    def summands(self) -> Iterator[np.ndarray]:
        """What adds up to the corpus's score, as `Metric.summands`: (beta, system, sentence, …)."""
        return self.metric.summands(self.rows, self.n_references)

    def sentence_values(self) -> Values:
        """The values of each sentence: (beta, system, sentence, …)."""
        return self.metric.sentence_values(self.metric.values(self.rows), self.n_references)

    def _at_level(self, values_of: Callable[[np.ndarray], Values]) -> Values:
        """Values of the corpus or of the sentences; at the level "mean", their means and sums."""
        if self.options.level == "corpus":
            sums = np.stack([each.sum(axis=2) for each in self.summands()], axis=2)
            values = values_of(sums)
            if sums.shape[2] == 1:
                return {name: value[:, :, 0] for name, value in values.items()}
            return {name: value.mean(axis=2) for name, value in values.items()}
        values = self.metric.sentence_values(values_of(self.rows), self.n_references)
        if self.options.level == "sentence":
            return values
        return {
            name: value.sum(axis=2) if name in self.metric.counts else value.mean(axis=2)
            for name, value in values.items()
        }

    def resampler(self, progress: Progress = no_progress, most: int | None = None) -> Resampler:
        """Scores resamples of the sentences; `most` limits the number of draws of references."""
        metric, name, n_sentences = self.metric, self.options.metric, len(self.n_references)
        if self.options.level == "mean":
            values = np.moveaxis(self.sentence_values()[name], 2, 0)
            summands, score = partial(iter, [values]), lambda sums: sums / n_sentences
        else:
            # Contiguous by rows: GLEU takes others of them for each draw.
            rows = np.moveaxis(self.rows[..., : metric.n_essential], 2, 0).astype(np.float64)

            def summands() -> Iterator[np.ndarray]:
                for each in metric.summands(np.moveaxis(rows, 0, 2), self.n_references, most):
                    yield np.moveaxis(each, 2, 0)

            def score(sums: np.ndarray) -> np.ndarray:  # (resample, beta, system, …)
                return np.moveaxis(metric.values(np.moveaxis(sums, 0, 2))[name], 2, 0)

        n_resamples, seed = self.options.n_resamples, int(self.options.seed)
        return Resampler(summands, score, n_sentences, n_resamples, seed, progress)

    def pairwise_p_values(
        self, progress: Progress = no_progress, most: int | None = None
    ) -> np.ndarray:
        """p-values of each system against each other one, by the chosen test.

        Axes (beta, system, system), NaN on the diagonal. `most` is as in `resampler`.
        """
        observed = self._at_level(self.metric.values)[self.options.metric]
        resampler, systems = self.resampler(progress, most), range(observed.shape[1])
        if self.options.paired == "bs":
            test = partial(significance.bootstrap_p_values, resampler.bootstrap(), observed)
            p_values = np.stack([test(baseline) for baseline in systems], axis=1)
        else:
            p_values = resampler.pairwise_p_values(observed)
        p_values[:, systems, systems] = np.nan
        return p_values

    def _intervals_and_tests(
        self, observed: np.ndarray, baseline: int, progress: Progress
    ) -> Values:
        """Confidence intervals and paired tests of the scores (beta, system)."""
        options, resampler, results = self.options, self.resampler(progress), {}
        resampled = resampler.bootstrap() if options.bootstraps else None
        if options.confidence_level:
            interval = significance.interval(resampled, options.confidence_level)
            results["confidence_interval"] = interval
        if options.paired:
            difference = observed - observed[:, [baseline]]
            if options.paired == "bs":
                p_value = significance.bootstrap_p_values(resampled, observed, baseline)
            else:
                shuffled = resampler.randomise(baseline)
                p_value = significance.randomisation_p_values(shuffled, difference)
            # The baseline is not compared with itself.
            difference[:, baseline] = p_value[:, baseline] = np.nan
            results |= {"difference": difference, "p_value": p_value}
            if p_value.shape[1] > 2:
                results["holm"] = significance.holm(p_value)
        return results


def _check_same_options(ours: Options, theirs: Options) -> None:
    if ours is theirs:
        return
    # Not the options themselves: a user's tokenizer may be another object after serialisation.
    own, new = (each.settings() | {"detailed": each.detailed} for each in (ours, theirs))
    for name, value in own.items():
        other = new.get(name)
        if other != value:
            raise ValueError(f"cannot add statistics with {name} {other} to those with {value}")


def count(
    corpus: Corpus,
    settings: Sequence[Options],
    *,
    warn: Warn | None = warn_user,
    is_whole_corpus: bool = True,
    progress: Progress = no_progress,
    n_threads: int | None = None,
) -> list[Statistics]:
    """Count all systems' n-grams in one pass and make the statistics of each setting.

    The settings must count the same n-grams: they share tokenizer, order and `strip`. Some warnings
    make sense for a whole corpus only: what is so throughout a part of one may be chance.
    """
    options, metrics = settings[0], [make_metric(each) for each in settings]
    next((each for each in metrics if each.needs_sources), metrics[0]).check_sources(corpus.sources)
    if not len(corpus):
        if is_whole_corpus:
            raise ValueError("there are no sentences to score")
        return [Statistics.empty(each) for each in settings]
    names = tuple(dict.fromkeys(chain.from_iterable(metric.sizes for metric in metrics)))
    tokenizer = get_tokenizer(options.tokenizer)
    n_betas = max(1, *(len(each.betas) for each in settings))
    n_entries = n_betas * len(corpus.systems) * options.order
    step = max(_ENTRIES_AT_ONCE // n_entries, _FEWEST_AT_ONCE)

    def count_block(start: int) -> tuple[list[Statistics], Findings]:
        block = corpus.block(start, min(start + step, len(corpus)))
        findings = inspect_block(block, options, len(corpus))
        block = block.strip() if options.strip else block
        units = [*multiset.count(block, tokenizer, options.order, names)]
        findings.add_short(block, units, names)
        return [
            _make_statistics(each, metric, units, names, block.n_references)
            for each, metric in zip(settings, metrics, strict=True)
        ], findings

    starts = range(0, len(corpus), step)
    n_threads = 1 if tokenizer.is_python else min(n_threads or pa.cpu_count(), len(starts))
    if n_threads > 1:
        with ThreadPoolExecutor(n_threads) as pool:
            blocks = list(progress(pool.map(count_block, starts), len(starts)))
    else:
        blocks = list(progress(map(count_block, starts), len(starts)))
    if warn is not None:
        findings = Findings.merge(findings for _, findings in blocks)
        if_short = next((metric.if_short for metric in metrics if metric.if_short), {})
        for warning in make_warnings(findings, corpus, options, if_short, is_whole_corpus):
            warn(warning)
    return [Statistics.merge(parts) for parts in zip(*(each for each, _ in blocks), strict=True)]


def _make_statistics(
    options: Options,
    metric: Metric,
    units: Sequence[tuple[np.ndarray, np.ndarray]],
    names: Sequence[str],
    n_references: np.ndarray,
) -> Statistics:
    """The statistics of a block, given the sentences and sizes of its work units."""
    own = [names.index(name) for name in metric.sizes]
    parts = [metric.statistics(sizes[..., own], options.detailed) for _, sizes in units]
    rows = np.concatenate([rows for rows, _ in parts], axis=2)
    statistics = Statistics(options, metric, rows, n_references)
    if not statistics.needs_sentences:
        return statistics.total()
    # Back into the order of the corpus.
    sentences = np.concatenate([sentences for sentences, _ in units])
    n_rows = n_references[sentences] if metric.per_reference else 1
    rows = rows.take(np.repeat(sentences, n_rows).argsort(kind="stable"), axis=2)
    chosen = None
    if parts[0][1] is not None:
        chosen = np.concatenate([chosen for _, chosen in parts], axis=2)[:, :, sentences.argsort()]
    return replace(statistics, rows=rows, chosen=chosen)
