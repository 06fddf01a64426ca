"""Multiset sizes to scores: arrays in, arrays out. This module knows no text.

A `Metric` names the sizes it needs, turns them into statistics that add up over sentences, and
turns sums of statistics into values. To add one, write a class, list it in `METRICS`, and add its
name and options to `options.MetricName` and `options.OWN_OPTIONS`.

Axes are always in the order (beta, system, sentence, reference, order, …); those that do not apply
are left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from .options import Options
from .venn_regions import REGIONS, SIZES, outcomes, regions

Values = dict[str, np.ndarray]
# The columns of `table`; the paper has capitals.
_REGION_CODES = [region.code.lower() for region in REGIONS.values()]


@dataclass(frozen=True)
class Metric:
    """A score. The fields of a subclass are the options that this metric has of its own."""

    title: ClassVar[str]  # {n} stands for the length of the longest n-grams
    paper: ClassVar[str]  # its address
    sizes: ClassVar[tuple[str, ...]]  # the `multiset.SIZES` that it needs
    results: ClassVar[tuple[str, ...]]  # what users get, the score itself first
    counts: ClassVar[tuple[str, ...]]  # the details that are counts, not ratios
    # The option that helps if a perfect correction scores 0 because texts are shorter than the
    # longest n-grams, and its value; empty for a metric that has no such problem.
    if_short: ClassVar[Mapping[str, Any]] = {"max_order": None}
    # Entries of the statistics' last axis that decide the score, if others are for details only.
    n_essential: ClassVar[int | None] = None
    # Whether statistics have a row per reference instead of one per sentence.
    per_reference: ClassVar[bool] = False
    # The columns of `table` that make sense for single sentences only.
    sentence_columns: ClassVar[tuple[str, ...]] = ()

    order: int  # N

    @classmethod
    def make(cls, options: Options) -> "Metric":
        return cls(**{field.name: getattr(options, field.name) for field in fields(cls)})

    @property
    def needs_sources(self) -> bool:
        return any("S" in name for name in self.sizes)

    def check_sources(self, sources: Any) -> None:
        """Refuse missing sources if the metric needs them, and sources if it does not."""
        name = self.results[0]
        if sources is None and self.needs_sources:
            raise ValueError(f"sources are missing; {name} needs them")
        if sources is not None and not self.needs_sources:
            raise ValueError(f"{name} takes no sources; leave them out")

    def statistics(self, sizes: np.ndarray, detailed: bool) -> tuple[np.ndarray, np.ndarray | None]:
        """Turn sizes (system, sentence, reference, order, size) into statistics.

        Returns rows that add up over sentences, (beta, system, row, …), and, if the metric chooses
        a reference, each sentence's choice, (beta, system, sentence). Without beta, that axis has
        one entry.
        """
        raise NotImplementedError

    def values(self, sums: np.ndarray) -> Values:
        """All results and details of statistics, or of sums of them, (beta, system, …)."""
        raise NotImplementedError

    def table(self, sums: np.ndarray) -> Values:
        """What each order contributes and, last, all orders together: (beta, system, …, order)."""
        raise NotImplementedError

    def sentence_values(self, values: Values, n_references: np.ndarray) -> Values:
        """The values of sentences, (beta, system, sentence, …), given those of all rows.

        If there is a row per reference, a sentence's value is the mean of theirs.
        """
        if not self.per_reference:
            return values
        starts = n_references.cumsum() - n_references

        def mean(value: np.ndarray) -> np.ndarray:
            n = n_references.reshape(-1, *[1] * (value.ndim - 3))
            return np.add.reduceat(value, starts, axis=2) / n

        return {name: mean(value) for name, value in values.items()}

    def summands(
        self, rows: np.ndarray, n_references: np.ndarray, most: int | None = None
    ) -> Iterator[np.ndarray]:
        """What adds up to the statistics of a corpus: (beta, system, sentence, …).

        A metric that draws references at random yields several, at most `most`; its score is the
        mean of theirs.
        """
        yield rows


@dataclass(frozen=True)
class Green(Metric):
    """The n-gram F-score of Koyama et al. (2024).

    Statistics (beta, system, row, order, part): true positives, false positives, false negatives;
    for details, the seven regions follow. `selection` takes each sentence's best reference ("max")
    or the mean over them ("mean").
    """

    title = "GREEN"
    paper = "https://aclanthology.org/2024.inlg-main.25"
    sizes = SIZES
    results = ("green", "precision", "recall")
    counts = (*_REGION_CODES, *REGIONS, "TP", "FP", "FN")
    n_essential = 3

    beta: float | Sequence[float]
    effective_order: bool
    selection: str

    @property
    def per_reference(self) -> bool:
        return self.selection == "mean"

    @property
    def if_short(self) -> Mapping[str, Any]:
        return {} if self.effective_order else {"effective_order": True}

    def statistics(self, sizes: np.ndarray, detailed: bool) -> tuple[np.ndarray, np.ndarray]:
        counts = outcomes(sizes)
        chosen = self.choose(counts)
        if detailed:
            counts = np.concatenate([counts, regions(sizes)], axis=-1)
        return _rows(counts, chosen, self.per_reference), chosen

    def choose(self, outcomes: np.ndarray) -> np.ndarray:
        """Each sentence's best reference, for each beta on its own (Equation 8).

        References that tie over the orders 1 to N are compared over 1 to N - 1, and so on down to
        order 1; if they still tie, the first one wins.
        """
        f = self._f(*self._ratios(outcomes[None])[2:])
        return _best([f[..., n] for n in reversed(range(self.order))])

    def values(self, sums: np.ndarray) -> Values:
        precisions, recalls, *means = self._ratios(sums[..., :3])
        precision, recall = (values[..., -1] for values in means)
        return {
            "green": self._f(precision, recall),
            "precision": precision,
            "recall": recall,
            "precisions": precisions,
            "recalls": recalls,
            **dict(zip(REGIONS, np.moveaxis(sums[..., 3:], -1, 0), strict=False)),
        }

    def table(self, sums: np.ndarray) -> Values:
        precisions, recalls, *means = self._ratios(sums[..., :3])
        tp, fp, fn, *region_counts = np.moveaxis(sums, -1, 0)
        return {
            **dict(zip(_REGION_CODES, region_counts, strict=True)),
            **{"TP": tp, "FP": fp, "FN": fn},
            **{"P": precisions, "R": recalls, "F": self._f(precisions, recalls)},
            **{"cumP": means[0], "cumR": means[1], "cumF": self._f(*means)},
        }

    def _f(self, precision: np.ndarray, recall: np.ndarray) -> np.ndarray:
        """F for each beta, the first axis."""
        betas = np.array(self.beta, dtype=np.float64).reshape(-1, *[1] * (precision.ndim - 1))
        return f_beta(precision, recall, betas)

    def _ratios(self, outcomes: np.ndarray) -> tuple[np.ndarray, ...]:
        """P_n and R_n of each order n, then their geometric means over the orders 1 to n."""
        tp = outcomes[..., :1]
        # Where nothing changed or was to be changed, P = 1 and R = 0, as published.
        ratios = _divide(tp, tp + outcomes[..., 1:], [1.0, 0.0])
        factors, n_factors = ratios, np.arange(1, ratios.shape[-2] + 1)[:, None]
        if self.effective_order:
            is_used = outcomes.any(axis=-1, keepdims=True)
            factors = np.where(is_used, ratios, 1.0)
            n_factors = np.maximum(is_used.cumsum(axis=-2), 1)
        with np.errstate(divide="ignore"):
            logs = np.log(factors)
        for n in range(1, logs.shape[-2]):  # several times as fast as `cumsum`
            logs[..., n, :] += logs[..., n - 1, :]
        means = np.exp(logs / n_factors)
        return ratios[..., 0], ratios[..., 1], means[..., 0], means[..., 1]


def f_beta(precision: np.ndarray, recall: np.ndarray, beta: np.ndarray | float) -> np.ndarray:
    """The weighted harmonic mean of precision and recall; 0 where either is 0."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        alpha = 1 / (np.square(beta) + 1)  # 0 for an infinite beta
        f = 1 / (alpha / precision + (1 - alpha) / recall)
        return np.fmax(f, 0.0)  # NaN, from 0 / 0, becomes 0


@dataclass(frozen=True)
class Bleu(Metric):
    """Clipped precision with a brevity penalty (Papineni et al. 2002), as in sacreBLEU.

    Statistics (beta, system, sentence, line, part): the first line holds the lengths of reference
    and correction, the others the numerator and denominator of each order.
    """

    title = "BLEU"
    paper = "https://aclanthology.org/P02-1040"
    sizes = ("C", "R", "CU")
    results = ("bleu",)
    counts = ("match", "total", "translation_length", "reference_length")
    # The precision of an order at which the correction has no n-grams.
    when_empty: ClassVar[float] = 0.0

    def statistics(self, sizes: np.ndarray, detailed: bool) -> tuple[np.ndarray, np.ndarray | None]:
        c, r, cu = np.moveaxis(sizes, -1, 0)
        # The length of the closest reference; of the shorter one on a tie.
        closest = (2 * np.abs(r - c) + (r > c))[None, ..., 0].argmin(axis=-1)
        lengths = _rows(np.stack([r, c], axis=-1)[..., 0, :], closest)
        return _with_lengths(lengths, np.stack([cu, c], axis=-1)[None, :, :, 0]), None

    def values(self, sums: np.ndarray) -> Values:
        precisions, logs, log_penalty = self._precisions(sums)
        return {
            self.results[0]: np.exp(log_penalty + logs.mean(axis=-1)),
            "precisions": precisions,
            "brevity_penalty": np.exp(log_penalty),
            **self._parts(sums),
            "translation_length": sums[..., 0, 1],
            "reference_length": sums[..., 0, 0],
        }

    def table(self, sums: np.ndarray) -> Values:
        precisions, logs, log_penalty = self._precisions(sums)
        log_mean = logs.mean(axis=-1, keepdims=True)
        logs = np.concatenate([logs, log_mean], axis=-1)
        log_penalty = np.broadcast_to(log_penalty[..., None], logs.shape)
        return {
            # The authors' tool abbreviates names to five letters.
            **{
                name[:5]: np.concatenate([part, part.sum(axis=-1, keepdims=True)], axis=-1)
                for name, part in self._parts(sums).items()
            },
            "p": np.concatenate([precisions, np.exp(log_mean)], axis=-1),
            "bp": np.exp(log_penalty),
            self.results[0]: np.exp(log_penalty + logs),
        }

    def _parts(self, sums: np.ndarray) -> Values:
        """The statistics of each order by name, (…, order)."""
        return {"match": sums[..., 1:, 0], "total": sums[..., 1:, 1]}

    def _precisions(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Each order's precision, its logarithm, and the log brevity penalty."""
        precisions = _divide(sums[..., 1:, 0], sums[..., 1:, 1], self.when_empty)
        r, c = sums[..., 0, 0], sums[..., 0, 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            log_penalty = np.where((r < c) | (r == 0), 0.0, 1 - r / c)
            return precisions, np.log(precisions), log_penalty


@dataclass(frozen=True)
class Gleu(Bleu):
    """BLEU with a penalty for what should have changed (Napoles et al. 2015, 2016: GLEU+).

    Statistics (beta, system, row, line, part) as in BLEU; for details, match and penalty follow.
    `selection` either takes each sentence's best reference ("max") or draws references at random,
    `iterations` times, and averages the scores ("sample").
    """

    title = "GLEU"
    paper = "https://aclanthology.org/P15-2097"
    results = ("gleu",)
    counts = (
        *("match", "penalty", "numerator", "denominator", "translation_length", "reference_length"),
        *("penal", "numer", "denom"),
    )
    when_empty = 1.0
    if_short: ClassVar = {}
    n_essential = 2
    sentence_columns = ("match", "penal")  # sums do not explain numerators, which are at least 0

    formula: str
    selection: str
    iterations: int

    @property
    def sizes(self) -> tuple[str, ...]:
        return ("C", "R", "RC", *({"official": ("SC-R",), "paper": ("SC", "SRC")}[self.formula]))

    @property
    def per_reference(self) -> bool:
        return self.selection == "sample"

    def statistics(self, sizes: np.ndarray, detailed: bool) -> tuple[np.ndarray, np.ndarray]:
        c, r, match, penalty, *src = np.moveaxis(sizes, -1, 0)
        # The original code penalises n-grams that R lacks altogether; the paper's formula also
        # those that R has fewer of: UD = |S∩C| - |S∩R∩C|.
        penalty = penalty - src[0] if self.formula == "paper" else penalty
        parts = [np.maximum(match - penalty, 0), c, *([match, penalty] if detailed else [])]
        lengths = np.stack([r, c], axis=-1)[..., 0, :]
        statistics = _with_lengths(lengths, np.stack(parts, axis=-1))
        chosen = self.choose(statistics)
        return _rows(statistics, chosen, self.per_reference), chosen

    def choose(self, statistics: np.ndarray) -> np.ndarray:
        """Each sentence's best reference: by GLEU, then by the single orders from high to low."""
        _, logs, log_penalty = self._precisions(statistics[None])
        gleu = np.exp(log_penalty + logs.mean(axis=-1))
        by_order = np.exp(log_penalty[..., None] + logs)
        return _best([gleu, *np.moveaxis(by_order, -1, 0)[::-1]])

    def summands(
        self, rows: np.ndarray, n_references: np.ndarray, most: int | None = None
    ) -> Iterator[np.ndarray]:
        """All systems see the same draws.

        Draw i is Python's `int(random() * n_references)` for one sentence after another, seeded
        with 101 i: exactly what the original implementation draws, written for Python 2.
        """
        if not self.per_reference:
            yield rows
            return
        n_draws = 1 if n_references.max() == 1 else min(self.iterations, most or self.iterations)
        starts = n_references.cumsum() - n_references
        generator = np.random.RandomState()  # Python's own Mersenne Twister
        for draw in range(n_draws):
            generator.seed([101 * draw])
            uniform = generator.random_sample(len(n_references))
            yield rows[:, :, starts + (uniform * n_references).astype(np.int64)]

    def _parts(self, sums: np.ndarray) -> Values:
        numerator, denominator, *details = np.moveaxis(sums[..., 1:, :], -1, 0)
        parts = dict(zip(("match", "penalty"), details, strict=False))
        return {**parts, "numerator": numerator, "denominator": denominator}


@dataclass(frozen=True)
class Rouge(Metric):
    """ROUGE-N, recall of order N against the best reference (Lin 2004), averaged over sentences.

    Statistics (beta, system, sentence, order, part): the recall, and 1, so that a ratio of sums is
    a mean; for details, match and total follow.
    """

    title = "ROUGE-{n}"
    paper = "https://aclanthology.org/W04-1013"
    sizes = ("R", "RC")
    results = ("rouge",)
    counts = ("match", "total")
    n_essential = 2

    def statistics(self, sizes: np.ndarray, detailed: bool) -> tuple[np.ndarray, None]:
        total, match = np.moveaxis(sizes, -1, 0)
        recall = _divide(match, total, 0.0)
        best = recall.argmax(axis=2, keepdims=True)  # each order has its own best reference
        parts = [recall, np.ones_like(recall), *([match, total] if detailed else [])]
        best_parts = [np.take_along_axis(part, best, axis=2)[:, :, 0] for part in parts]
        return np.stack(best_parts, axis=-1)[None], None

    def values(self, sums: np.ndarray) -> Values:
        recalls = sums[..., 0] / sums[..., 1]
        counts = np.moveaxis(sums[..., 2:].astype(np.int64), -1, 0)
        counts = dict(zip(("match", "total"), counts, strict=False))
        return {"rouge": recalls[..., -1], "recalls": recalls, **counts}

    def table(self, sums: np.ndarray) -> Values:
        values = self.values(sums)
        return {"match": values["match"], "total": values["total"], "rouge": values["recalls"]}


@dataclass(frozen=True)
class F1(Metric):
    """The harmonic mean of BLEU, a precision, and ROUGE-N, a recall; the statistics of both."""

    title = "F1"
    paper = Rouge.paper
    sizes = (*Bleu.sizes, "RC")
    results = ("f1", "bleu", "rouge")
    counts = Bleu.counts

    def statistics(self, sizes: np.ndarray, detailed: bool) -> tuple[np.ndarray, None]:
        bleu, _ = Bleu(self.order).statistics(sizes[..., :3], detailed=False)
        rouge, _ = Rouge(self.order).statistics(sizes[..., [1, 3]], detailed=False)
        return np.concatenate([bleu, rouge], axis=-2), None

    def values(self, sums: np.ndarray) -> Values:
        bleu_sums, rouge_sums = self._split(sums)
        bleu, rouge = Bleu(self.order).values(bleu_sums), Rouge(self.order).values(rouge_sums)
        return {"f1": f_beta(bleu["bleu"], rouge["rouge"], 1.0), **bleu, **rouge}

    def table(self, sums: np.ndarray) -> Values:
        bleu_sums, rouge_sums = self._split(sums)
        columns = Bleu(self.order).table(bleu_sums)
        recalls = Rouge(self.order).values(rouge_sums)["recalls"]
        rouge = np.concatenate([recalls, recalls[..., -1:]], axis=-1)
        return {**columns, "rouge": rouge, "f1": f_beta(columns["bleu"], rouge, 1.0)}

    def _split(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """BLEU's statistics, counts in a line for lengths and one per order, and ROUGE-N's."""
        n_lines = self.order + 1
        return sums[..., :n_lines, :].astype(np.int64), sums[..., n_lines:, :]


METRICS = {"green": Green, "gleu": Gleu, "bleu": Bleu, "rouge": Rouge, "f1": F1}


def make_metric(options: Options) -> Metric:
    """The n-gram metric that the options ask for, with its own options set."""
    if options.metric not in METRICS:
        raise ValueError(
            f"{options.metric} scores edits, not texts alone: use compare, with gold edits, or the "
            "command line"
        )
    return METRICS[options.metric].make(options)


def _best(keys: Sequence[np.ndarray]) -> np.ndarray:
    """Each sentence's best reference by keys (…, sentence, reference); later keys break ties.

    If references still tie, the first one wins.
    """
    *others, n_references = keys[0].shape
    if n_references == 1:
        return np.zeros(others, dtype=np.int64)
    # (reference, …, sentence): NumPy is slow along a short last axis.
    best = np.ones((n_references, *others), dtype=bool)
    for key in keys:
        candidates = np.where(best, key.transpose(-1, *range(len(others))), -np.inf)
        best = candidates == np.maximum.reduce(candidates)
    return best.argmax(axis=0)


def _rows(values: np.ndarray, chosen: np.ndarray, per_reference: bool = False) -> np.ndarray:
    """Values (system, sentence, reference, …) as rows of statistics, (beta, system, row, …).

    Those of the chosen references, (beta, system, sentence), or, `per_reference`, of all.
    """
    n_systems, n_sentences, n_references = values.shape[:3]
    if per_reference:
        shape = (n_systems, n_sentences * n_references, *values.shape[3:])
        return np.broadcast_to(values.reshape(shape), (len(chosen), *shape))
    return values[np.arange(n_systems)[:, None], np.arange(n_sentences), chosen]


def _with_lengths(lengths: np.ndarray, orders: np.ndarray) -> np.ndarray:
    """Statistics (…, line, part): lengths (…, part), then the orders' (…, order, part)."""
    shape = (*orders.shape[:-2], orders.shape[-2] + 1, orders.shape[-1])
    statistics = np.zeros(shape, dtype=np.int64)
    statistics[..., 0, :2] = lengths
    statistics[..., 1:, :] = orders
    return statistics


def _divide(part: np.ndarray, whole: np.ndarray, when_empty: float | list[float]) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return np.where(whole > 0, part / whole, when_empty)
