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


@dataclass(frozen=True)
class Metric:
    """A score. The fields of a subclass are the options that this metric has of its own."""

    title: ClassVar[str]  # {n} stands for the length of the longest n-grams
    sizes: ClassVar[tuple[str, ...]]  # the ones it needs, of `multiset.SIZES`
    results: ClassVar[tuple[str, ...]]  # what users get, the score itself first
    counts: ClassVar[tuple[str, ...]]  # the details that are counts, not ratios
    # Options that help if a perfect correction scores 0 because texts are shorter than the longest
    # n-grams; empty for a metric that has no such problem.
    if_short: ClassVar[Mapping[str, Any]] = {"max_order": None}
    # Entries of the statistics' last axis that decide the score, if others are for details only.
    n_essential: ClassVar[int | None] = None
    # Whether statistics have a row per reference instead of one per sentence.
    per_reference: ClassVar[bool] = False

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

        The sizes may lack the last orders, at which there are no n-grams: see `_pad_orders`.
        Returns rows that add up over sentences, (beta, system, row, …), and, if the metric chooses
        a reference, each sentence's choice, (beta, system, sentence). Without beta, that axis has
        one entry.
        """
        raise NotImplementedError

    def values(self, sums: np.ndarray) -> Values:
        """All results and details of statistics, or of sums of them, (beta, system, …)."""
        raise NotImplementedError

    def table(self, sums: np.ndarray, each_sentence: bool) -> Values:
        """Columns of the contribution of each order and, last, of all orders together.

        Arrays (beta, system, …, order). Some columns make sense for single sentences only.
        """
        raise NotImplementedError

    def sentence_values(self, values: Values, n_references: np.ndarray) -> Values:
        """The values of sentences, (beta, system, sentence, …), given those of all rows.

        If there is a row per reference, a sentence's value is the mean of theirs.
        """
        if not self.per_reference:
            return values
        firsts = np.cumsum(n_references) - n_references

        def mean(value: np.ndarray) -> np.ndarray:
            n = n_references.reshape(-1, *[1] * (value.ndim - 3))
            return np.add.reduceat(value, firsts, axis=2) / n

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
    sizes = SIZES
    results = ("green", "precision", "recall")
    counts = (*REGIONS, *REGIONS.values(), "TP", "FP", "FN")
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
        if self.per_reference:
            rows = np.repeat(_each_reference(counts), len(chosen), axis=0)
        else:
            rows = _chosen_references(counts, chosen)
        return _pad_orders(rows, self.order), chosen

    def choose(self, outcomes: np.ndarray) -> np.ndarray:
        """Each sentence's best reference, for each beta on its own (Equation 8).

        References that tie over the orders 1 to N are compared over 1 to N - 1, and so on down to
        order 1; if they still tie, the first one wins. Orders at which there are no n-grams are all
        ties, so it does not matter if the last ones are missing.
        """
        _, _, precision, recall = self._ratios(outcomes)
        f = f_beta(precision, recall, self._betas(5))
        by_order = [f[..., n] for n in reversed(range(f.shape[-1]))]
        return _best(by_order or [np.zeros(f.shape[:-1])])

    def values(self, sums: np.ndarray) -> Values:
        precisions, recalls, *means = self._ratios(sums[..., :3])
        precision, recall = (values[..., -1] for values in means)
        return {
            "green": f_beta(precision, recall, self._betas(precision.ndim)),
            "precision": precision,
            "recall": recall,
            "precisions": precisions,
            "recalls": recalls,
            **dict(zip(REGIONS.values(), _last_axis(sums[..., 3:]), strict=False)),
        }

    def table(self, sums: np.ndarray, each_sentence: bool) -> Values:
        precisions, recalls, *means = self._ratios(sums[..., :3])
        betas = self._betas(precisions.ndim)
        names = ("TP", "FP", "FN", *REGIONS)
        counts = dict(zip(names, np.moveaxis(sums, -1, 0), strict=True))
        return {
            **{name: counts[name] for name in (*REGIONS, "TP", "FP", "FN")},
            "P": precisions,
            "R": recalls,
            "F": f_beta(precisions, recalls, betas),
            "cumP": means[0],
            "cumR": means[1],
            "cumF": f_beta(*means, betas),
        }

    def _betas(self, n_axes: int) -> np.ndarray:
        """All values of beta, as the first of `n_axes` axes."""
        return np.array(self.beta, dtype=np.float64).reshape(-1, *[1] * (n_axes - 1))

    def _ratios(self, outcomes: np.ndarray) -> tuple[np.ndarray, ...]:
        """P_n and R_n of each order n, then their geometric means over the orders 1 to n."""
        tp = outcomes[..., :1]
        # Where nothing changed or was to be changed, P = 1 and R = 0, as published.
        ratios = _divide(tp, tp + outcomes[..., 1:], [1.0, 0.0])
        used = outcomes.any(axis=-1, keepdims=True) if self.effective_order else None
        means = geometric_means(ratios, used)
        return ratios[..., 0], ratios[..., 1], means[..., 0], means[..., 1]


def geometric_means(ratios: np.ndarray, used: np.ndarray | None) -> np.ndarray:
    """The geometric means over the orders 1 to n, for each n; over `used` orders only, if given.

    Ratios are (…, order, kind).
    """
    if used is None:
        n_orders = np.arange(1, ratios.shape[-2] + 1)[:, None]
    else:
        n_orders = np.maximum(used.cumsum(axis=-2), 1)
        ratios = np.where(used, ratios, 1.0)
    with np.errstate(divide="ignore"):
        sums = np.log(ratios)
    for n in range(1, ratios.shape[-2]):  # several times as fast as `cumsum`
        sums[..., n, :] += sums[..., n - 1, :]
    return np.exp(sums / n_orders)


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
    sizes = ("C", "R", "CU")
    results = ("bleu",)
    counts = ("match", "total", "translation_length", "reference_length")

    def statistics(self, sizes: np.ndarray, detailed: bool) -> tuple[np.ndarray, None]:
        c, r, cu = _last_axis(_pad_orders(sizes, self.order))
        # The length of the closest reference; of the shorter one on a tie.
        distance = (2 * np.abs(r - c) + (r > c))[None, ..., 0]
        closest = _best([-distance])
        lengths = _chosen_references(np.stack([r, c], axis=-1)[..., 0, :], closest)
        return _with_lengths(lengths, np.stack([cu, c], axis=-1)[None, :, :, 0]), None

    def values(self, sums: np.ndarray) -> Values:
        precisions, logs, log_penalty = _precisions(sums, when_empty=0.0)
        return {
            "bleu": np.exp(log_penalty + logs.mean(axis=-1)),
            "precisions": precisions,
            "brevity_penalty": np.exp(log_penalty),
            "match": sums[..., 1:, 0],
            "total": sums[..., 1:, 1],
            "translation_length": sums[..., 0, 1],
            "reference_length": sums[..., 0, 0],
        }

    def table(self, sums: np.ndarray, each_sentence: bool) -> Values:
        parts = {"match": sums[..., 1:, 0], "total": sums[..., 1:, 1]}
        return {**_with_totals(parts), **_precision_columns("bleu", sums, when_empty=0.0)}


@dataclass(frozen=True)
class Gleu(Metric):
    """Precision minus a penalty for what should have changed (Napoles et al. 2015, 2016: GLEU+).

    Statistics (beta, system, row, line, part) as in BLEU; for details, match and penalty follow.
    `selection` either takes each sentence's best reference ("max") or draws references at random,
    `iterations` times, and averages the scores ("sample").
    """

    title = "GLEU"
    results = ("gleu",)
    counts = (
        *("match", "penalty", "numerator", "denominator", "translation_length", "reference_length"),
        *("penal", "numer", "denom"),
    )
    if_short: ClassVar = {}
    n_essential = 2

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
        c, r, match, *others = _last_axis(_pad_orders(sizes, self.order))
        # The original code penalises n-grams that R lacks altogether; the paper's formula also
        # those that R has fewer of: UD = |S∩C| - |S∩R∩C|.
        penalty = others[0] if self.formula == "official" else others[0] - others[1]
        parts = [np.maximum(match - penalty, 0), c, *([match, penalty] if detailed else [])]
        lengths = np.stack([r, c], axis=-1)[..., 0, :]
        statistics = _with_lengths(lengths, np.stack(parts, axis=-1))
        chosen = self.choose(statistics)
        if self.per_reference:
            return _each_reference(statistics), chosen
        return _chosen_references(statistics, chosen), chosen

    def choose(self, statistics: np.ndarray) -> np.ndarray:
        """Each sentence's best reference: by GLEU, then by the single orders from high to low."""
        _, logs, log_penalty = _precisions(statistics[None], when_empty=1.0)
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
        firsts = np.cumsum(n_references) - n_references
        generator = np.random.RandomState()  # Python's own Mersenne Twister
        for draw in range(n_draws):
            generator.seed([101 * draw])
            uniform = generator.random_sample(len(n_references))
            yield rows[:, :, firsts + (uniform * n_references).astype(np.int64)]

    def values(self, sums: np.ndarray) -> Values:
        precisions, logs, log_penalty = _precisions(sums, when_empty=1.0)
        names = ("numerator", "denominator", "match", "penalty")
        parts = dict(zip(names, _last_axis(sums[..., 1:, :]), strict=False))
        return {
            "gleu": np.exp(log_penalty + logs.mean(axis=-1)),
            "precisions": precisions,
            "brevity_penalty": np.exp(log_penalty),
            **{name: parts[name] for name in (*names[2:], *names[:2]) if name in parts},
            "translation_length": sums[..., 0, 1],
            "reference_length": sums[..., 0, 0],
        }

    def table(self, sums: np.ndarray, each_sentence: bool) -> Values:
        numer, denom, match, penal = _last_axis(sums[..., 1:, :])
        parts = {"numer": numer, "denom": denom}
        if each_sentence:  # sums would not explain the numerators, which are cut off at 0
            parts = {"match": match, "penal": penal, **parts}
        return {**_with_totals(parts), **_precision_columns("gleu", sums, when_empty=1.0)}


@dataclass(frozen=True)
class Rouge(Metric):
    """ROUGE-N, recall of order N against the best reference (Lin 2004), averaged over sentences.

    Statistics (beta, system, sentence, order, part): the recall, and 1, so that a ratio of sums is
    a mean; for details, match and total follow.
    """

    title = "ROUGE-{n}"
    sizes = ("R", "RC")
    results = ("rouge",)
    counts = ("match", "total")
    n_essential = 2

    def statistics(self, sizes: np.ndarray, detailed: bool) -> tuple[np.ndarray, None]:
        total, match = _last_axis(_pad_orders(sizes, self.order))
        recall = _divide(match, total, 0.0)
        by_order = np.moveaxis(recall, -1, 0)  # each order has its own best reference
        best = np.moveaxis(_best([by_order]), 0, -1)[:, :, None]
        parts = [recall, np.ones_like(recall), *([match, total] if detailed else [])]
        of_best = [np.take_along_axis(part, best, axis=2)[:, :, 0] for part in parts]
        return np.stack(of_best, axis=-1)[None], None

    def values(self, sums: np.ndarray) -> Values:
        recalls = sums[..., 0] / sums[..., 1]
        counts = sums[..., 2:].astype(np.int64)
        return {
            "rouge": recalls[..., -1],
            "recalls": recalls,
            **dict(zip(("match", "total"), _last_axis(counts), strict=False)),
        }

    def table(self, sums: np.ndarray, each_sentence: bool) -> Values:
        values = self.values(sums)
        return {"match": values["match"], "total": values["total"], "rouge": values["recalls"]}


@dataclass(frozen=True)
class F1(Metric):
    """The harmonic mean of BLEU, a precision, and ROUGE-N, a recall; the statistics of both."""

    title = "F1"
    sizes = ("C", "R", "CU", "RC")
    results = ("f1", "bleu", "rouge")
    counts = Bleu.counts

    def statistics(self, sizes: np.ndarray, detailed: bool) -> tuple[np.ndarray, None]:
        c, r, cu, rc = _last_axis(sizes)
        bleu_sizes, rouge_sizes = np.stack([c, r, cu], axis=-1), np.stack([r, rc], axis=-1)
        bleu, _ = Bleu(self.order).statistics(bleu_sizes, detailed=False)
        rouge, _ = Rouge(self.order).statistics(rouge_sizes, detailed=False)
        return np.concatenate([bleu, rouge], axis=-2), None

    def values(self, sums: np.ndarray) -> Values:
        bleu_sums, rouge_sums = self._split(sums)
        bleu, rouge = Bleu(self.order).values(bleu_sums), Rouge(self.order).values(rouge_sums)
        return {"f1": f_beta(bleu["bleu"], rouge["rouge"], 1.0), **bleu, **rouge}

    def table(self, sums: np.ndarray, each_sentence: bool) -> Values:
        bleu_sums, rouge_sums = self._split(sums)
        columns = Bleu(self.order).table(bleu_sums, each_sentence)
        recalls = Rouge(self.order).values(rouge_sums)["recalls"]
        rouge = np.concatenate([recalls, recalls[..., -1:]], axis=-1)
        return {**columns, "rouge": rouge, "f1": f_beta(columns["bleu"], rouge, 1.0)}

    def _split(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """BLEU's statistics, counts in a line for lengths and one per order, and ROUGE-N's."""
        n_lines = self.order + 1
        return sums[..., :n_lines, :].astype(np.int64), sums[..., n_lines:, :]


METRICS: dict[str, type[Metric]] = {
    "green": Green,
    "gleu": Gleu,
    "bleu": Bleu,
    "rouge": Rouge,
    "f1": F1,
}


def make_metric(options: Options) -> Metric:
    """The n-gram metric that the options ask for, with its own options set."""
    if options.metric not in METRICS:
        raise ValueError(
            f"{options.metric} scores edits, not texts alone: use compare, with gold edits, or the "
            "command line"
        )
    return METRICS[options.metric].make(options)


def _pad_orders(values: np.ndarray, n_orders: int) -> np.ndarray:
    """Values (…, order, part) with zeros for the last orders, up to `n_orders`."""
    n_missing = n_orders - values.shape[-2]
    if not n_missing:
        return values
    return np.pad(values, [*[(0, 0)] * (values.ndim - 2), (0, n_missing), (0, 0)])


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
        candidates = np.full(best.shape, -np.inf)
        np.copyto(candidates, key.transpose(-1, *range(len(others))), where=best)
        best = candidates == np.maximum.reduce(candidates)
        if np.count_nonzero(best) * n_references == best.size:
            break  # one for each sentence: there are no ties
    return best.argmax(axis=0)


def _chosen_references(values: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Values (system, sentence, reference, …) of the chosen references (beta, system, sentence)."""
    n_systems, n_sentences = values.shape[:2]
    return values[np.arange(n_systems)[:, None], np.arange(n_sentences), chosen]


def _each_reference(values: np.ndarray) -> np.ndarray:
    """Values (system, sentence, reference, …) of all references: (beta, system, row, …)."""
    n_systems, n_sentences, n_references = values.shape[:3]
    return values.reshape(1, n_systems, n_sentences * n_references, *values.shape[3:])


def _with_lengths(lengths: np.ndarray, orders: np.ndarray) -> np.ndarray:
    """Statistics (…, line, part): lengths (…, part), then the orders' (…, order, part)."""
    shape = (*orders.shape[:-2], orders.shape[-2] + 1, orders.shape[-1])
    statistics = np.zeros(shape, dtype=np.int64)
    statistics[..., 0, :2] = lengths
    statistics[..., 1:, :] = orders
    return statistics


def _precisions(sums: np.ndarray, when_empty: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each order's precision, its logarithm and the log brevity penalty of sums (…, line, part).

    An order at which the correction has no n-grams has the precision `when_empty`.
    """
    precisions = _divide(sums[..., 1:, 0], sums[..., 1:, 1], when_empty)
    r, c = sums[..., 0, 0], sums[..., 0, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(precisions)
        log_penalty = np.where((r < c) | (r == 0), 0.0, 1 - r / c)
    return precisions, logs, log_penalty


def _precision_columns(name: str, sums: np.ndarray, when_empty: float) -> Values:
    """Precision, brevity penalty and score of each order alone and, last, of all together."""
    precisions, logs, log_penalty = _precisions(sums, when_empty)
    log_mean = logs.mean(axis=-1, keepdims=True)
    logs = np.concatenate([logs, log_mean], axis=-1)
    log_penalty = np.broadcast_to(log_penalty[..., None], logs.shape)
    return {
        "p": np.concatenate([precisions, np.exp(log_mean)], axis=-1),
        "bp": np.exp(log_penalty),
        name: np.exp(log_penalty + logs),
    }


def _with_totals(columns: Values) -> Values:
    """Columns (…, order) with the sum over the orders as their last entry."""
    return {
        name: np.concatenate([column, column.sum(axis=-1, keepdims=True)], axis=-1)
        for name, column in columns.items()
    }


def _last_axis(values: np.ndarray) -> list[np.ndarray]:
    return [values[..., index] for index in range(values.shape[-1])]


def _divide(part: np.ndarray, whole: np.ndarray, when_empty: float | list[float]) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return np.where(whole > 0, part / whole, when_empty)
