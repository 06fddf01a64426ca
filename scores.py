"""Multiset sizes to scores: arrays in, arrays out. This module knows no text.

A `Score` names the sizes it needs, turns them into statistics that add up over sentences, and turns
sums of statistics into values. To add a score, write a class, list it in `SCORES` and add its name
to `options.METRICS`.

Axes are always in the order (beta, system, sentence, reference, order, …); those that do not apply
are left out.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from .options import Options

# The seven regions of the Venn diagram of source, reference and correction (the paper's Table 1).
REGIONS = {
    "tk": "true_keep",
    "td": "true_delete",
    "ti": "true_insert",
    "od": "over_delete",
    "oi": "over_insert",
    "ud": "under_delete",
    "ui": "under_insert",
}

# Turns weights (resample, sentence) into sums (resample, …) of statistics (sentence, …).
Add = Callable[[np.ndarray], np.ndarray]
Values = dict[str, np.ndarray]

# References drawn per work unit, and draws kept in memory; more than these are drawn again.
_DRAWS_AT_ONCE = 1 << 22
_DRAWS_KEPT = 1 << 28
# Precision of an order at which nothing changed, recall of one at which nothing is to be changed.
_PRECISION_AND_RECALL = np.array([1.0, 0.0])
# Sentences per matrix product of drawn references; more of them if there are few draws.
_SENTENCES_AT_ONCE = 128
_CHOSEN_AT_ONCE = 1 << 16
# Bits of a whole number in a float64, and the fewest that a column packed into one gets.
_ALL_BITS = 53
_FEWEST_BITS = 6
# Base of the digits that hold a recall as whole numbers.
_DIGIT = 1 << 28


@dataclass(frozen=True)
class Score:
    """An n-gram score. The fields of a subclass are the options that this score has of its own."""

    title: ClassVar[str]  # {n} stands for the length of the longest n-grams
    sizes: ClassVar[tuple[str, ...]]  # the ones it needs, of `multiset.SIZES`
    results: ClassVar[tuple[str, ...]]  # what users get, the score itself first
    counts: ClassVar[tuple[str, ...]]  # the details that are counts, not ratios
    # Options that help if a perfect correction scores 0 because texts are shorter than the longest
    # n-grams; empty for a score that has no such problem.
    if_short: ClassVar[Mapping[str, Any]] = {"max_order": None}
    # Entries of the statistics' last axis that decide the score, if others are for details only.
    n_essential: ClassVar[int | None] = None

    @property
    def needs_sources(self) -> bool:
        return any("S" in name for name in self.sizes)

    def check_sources(self, sources: Any) -> None:
        """Refuse missing sources if the score needs them, and sources if it does not."""
        name = self.results[0]
        if sources is None and self.needs_sources:
            raise ValueError(f"sources are missing; {name} needs them")
        if sources is not None and not self.needs_sources:
            raise ValueError(f"{name} takes no sources; leave them out")

    def statistics(
        self, sizes: np.ndarray, n_references: np.ndarray, detailed: bool
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Turn sizes (system, sentence, reference, order, size) into statistics.

        Returns what adds up over sentences, (beta, system, sentence, …), and, if the score chooses
        a reference, each sentence's choice, (beta, system, sentence).
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

    # Whether statistics have one entry per reference instead of one per sentence.
    per_reference: ClassVar[bool] = False

    def of_sentences(self, values: Values, n_references: np.ndarray) -> Values:
        """Turn the values of statistics (beta, system, …) into those of sentences.

        If there is one entry per reference, a sentence's value is their mean.
        """
        if not self.per_reference:
            return values
        firsts = np.cumsum(n_references) - n_references

        def mean(value: np.ndarray) -> np.ndarray:
            n = n_references.reshape(-1, *[1] * (value.ndim - 3))
            return np.add.reduceat(value, firsts, axis=2) / n

        return {name: mean(value) for name, value in values.items()}

    def of_corpus(self, statistics: np.ndarray, n_references: np.ndarray) -> np.ndarray:
        """What adds up to the score of a corpus, given statistics (beta, system, …)."""
        return statistics

    # The rest is for scores that draw references at random: their sums have one more axis, the
    # draws.

    def total(self, statistics: np.ndarray, n_references: np.ndarray) -> np.ndarray:
        """Add up statistics (beta, system, sentence, …) over the sentences."""
        return self.of_corpus(statistics, n_references).sum(axis=2)

    def adder(self, statistics: np.ndarray, n_references: np.ndarray) -> Add:
        """Prepare weighted sums of statistics (sentence, …)."""
        return add_up(statistics)

    def of_each_draw(
        self, statistics: np.ndarray, n_references: np.ndarray
    ) -> Iterator[np.ndarray]:
        """What adds up to the score of a corpus, (beta, system, sentence, …), draw by draw."""
        yield self.of_corpus(statistics, n_references)

    def of_draws(self, values: Values, axis: int) -> Values:
        """Average the values of sums over the draws."""
        return values


def add_up(statistics: np.ndarray) -> Add:
    """Plain weighted sums."""
    flat = np.ascontiguousarray(statistics.reshape(len(statistics), -1), dtype=np.float64)
    return lambda weights: (weights @ flat).reshape(len(weights), *statistics.shape[1:])


@dataclass(frozen=True)
class Green(Score):
    """The n-gram F-score of Koyama et al. (2024). Statistics: outcomes, and regions for details.

    `selection` takes each sentence's best reference ("max") or the mean over them ("mean").
    """

    title = "GREEN"
    sizes = ("S", "C", "R", "SR", "SC", "RC", "SRC")
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

    def statistics(
        self, sizes: np.ndarray, n_references: np.ndarray, detailed: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        of_references = outcomes(sizes)
        chosen = self.choose(of_references, n_references)
        if detailed:
            of_references = np.concatenate([of_references, regions(sizes)], axis=-1)
        if not self.per_reference:
            return _of_references(of_references, chosen), chosen
        of_each = _of_each_reference(of_references, n_references)
        return np.repeat(of_each, len(chosen), axis=0), chosen

    def choose(self, outcomes: np.ndarray, n_references: np.ndarray) -> np.ndarray:
        """Each sentence's best reference, for each beta on its own (Equation 8).

        References that tie over the orders 1 to N are compared over 1 to N - 1, and so on down to
        order 1; if they still tie, the first one wins.
        """
        _, _, precision, recall = self._ratios(outcomes)
        f = f_beta(precision, recall, self._betas(5))
        return _best([f[..., n] for n in reversed(range(f.shape[-1]))], n_references)

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
        ratios = _divide(tp, tp + outcomes[..., 1:], _PRECISION_AND_RECALL)
        used = outcomes.any(axis=-1, keepdims=True) if self.effective_order else None
        means = geometric_means(ratios, used)
        return ratios[..., 0], ratios[..., 1], means[..., 0], means[..., 1]


# How often each of `Green.sizes` counts in the paper's regions (Equations 1 to 7).
_REGIONS_OF_SIZES = np.array(
    [  # TK TD  TI  OD  OI  UD  UI
        [0, 1, 0, 0, 0, 0, 0],  # S
        [0, 0, 0, 0, 1, 0, 0],  # C
        [0, 0, 0, 0, 0, 0, 1],  # R
        [0, -1, 0, 1, 0, 0, -1],  # SR
        [0, -1, 0, 0, -1, 1, 0],  # SC
        [0, 0, 1, 0, -1, 0, -1],  # RC
        [1, 1, -1, -1, 1, -1, 1],  # SRC
    ]
)


def regions(sizes: np.ndarray) -> np.ndarray:
    """`Green.sizes`, the last axis, to `REGIONS`."""
    return sizes @ _REGIONS_OF_SIZES


def outcomes(sizes: np.ndarray) -> np.ndarray:
    """`Green.sizes`, the last axis, to true positives, false positives and false negatives."""
    s, c, r, sr, sc, rc, src = _last_axis(sizes)
    tp = s - sr - sc + rc + src  # TD + TI + TK
    fp = c + sr - sc - rc  # OD + OI
    fn = r - sr + sc - rc  # UD + UI
    # Laid out one after the other: NumPy is slow along an axis of three entries.
    return np.array([tp, fp, fn]).transpose(*range(1, sizes.ndim), 0)


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


def f_beta(precision: np.ndarray, recall: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """The weighted harmonic mean of precision and recall; 0 where either is 0."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        alpha = 1 / (np.square(beta) + 1)  # 0 for an infinite beta
        f = 1 / (alpha / precision + (1 - alpha) / recall)
        return np.fmax(f, 0.0)  # NaN, from 0 / 0, becomes 0


@dataclass(frozen=True)
class Bleu(Score):
    """Clipped precision with a brevity penalty (Papineni et al. 2002), as in sacreBLEU.

    Statistics (beta, system, sentence, row, part): the first row holds the lengths of reference and
    correction, the others the numerator and denominator of each order.
    """

    title = "BLEU"
    sizes = ("C", "R", "CU")
    results = ("bleu",)
    counts = ("match", "total", "translation_length", "reference_length")

    def statistics(
        self, sizes: np.ndarray, n_references: np.ndarray, detailed: bool
    ) -> tuple[np.ndarray, None]:
        c, r, cu = np.moveaxis(sizes, -1, 0)
        # The length of the closest reference; of the shorter one on a tie.
        distances = 2 * np.abs(r - c) + (r > c)
        closest = _best([-distances[None, ..., 0]], n_references)
        return _with_lengths(
            lengths=_of_references(np.stack([r, c], axis=-1)[..., 0, :], closest),
            orders=np.stack([cu, c], axis=-1)[None, :, :, 0],
        ), None

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
class Gleu(Score):
    """Precision minus a penalty for what should have changed (Napoles et al. 2015, 2016: GLEU+).

    Statistics (beta, system, sentence, row, part) as in BLEU; for details, match and penalty
    follow. `selection` either takes each sentence's best reference ("max") or draws references at
    random, `iterations` times, and averages the scores ("sample").
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

    def statistics(
        self, sizes: np.ndarray, n_references: np.ndarray, detailed: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        c, r, match, *rest = np.moveaxis(sizes, -1, 0)
        # The original code penalises n-grams that R lacks altogether; the paper's formula also
        # those that R has fewer of: UD = |S∩C| - |S∩R∩C|.
        penalty = rest[0] if self.formula == "official" else rest[0] - rest[1]
        parts = [np.maximum(match - penalty, 0), c, *([match, penalty] if detailed else [])]
        lengths = np.stack([r, c], axis=-1)[..., 0, :]
        of_references = _with_lengths(lengths, np.stack(parts, axis=-1))
        chosen = self.choose(of_references, n_references)
        if not self.per_reference:
            return _of_references(of_references, chosen), chosen
        return _of_each_reference(of_references, n_references), chosen

    def choose(self, statistics: np.ndarray, n_references: np.ndarray) -> np.ndarray:
        """Each sentence's best reference: by GLEU, then by the single orders from high to low."""
        _, logs, log_penalty = _precisions(statistics[None], when_empty=1.0)
        gleu = np.exp(log_penalty + logs.mean(axis=-1))
        by_order = np.exp(log_penalty[..., None] + logs)
        return _best([gleu, *np.moveaxis(by_order, -1, 0)[::-1]], n_references)

    @property
    def per_reference(self) -> bool:
        return self.selection == "sample"

    def total(self, statistics: np.ndarray, n_references: np.ndarray) -> np.ndarray:
        if not self.per_reference:
            return super().total(statistics, n_references)
        once = np.ones((1, len(n_references)))
        return self.adder(np.moveaxis(statistics, 2, 0), n_references)(once)[0]

    def adder(self, statistics: np.ndarray, n_references: np.ndarray) -> Add:
        """Sums (resample, beta, system, draw, row, part); all systems see the same draws."""
        if not self.per_reference:
            return super().adder(statistics, n_references)
        flat = statistics.reshape(len(statistics), -1)
        least = np.minimum.reduceat(flat, np.cumsum(n_references) - n_references)
        gains = np.repeat(least, n_references, axis=0)
        np.subtract(flat, gains, out=gains)  # of each reference over its sentence's least
        least = least.astype(np.float64)  # (sentence, column)
        n_draws = self._n_draws(n_references)
        add_gains = _drawn_adder(gains, n_references, n_draws)

        def add(weights: np.ndarray) -> np.ndarray:
            # (column, draw, resample): columns are contiguous for what is computed of them.
            sums = np.repeat((least.T @ weights.T)[:, None], n_draws, axis=1)
            add_gains(sums, weights)
            sums = sums.reshape(*statistics.shape[1:], *sums.shape[1:])
            return np.moveaxis(sums, (-1, -2), (0, 3))

        return add

    def of_each_draw(
        self, statistics: np.ndarray, n_references: np.ndarray
    ) -> Iterator[np.ndarray]:
        if not self.per_reference:
            yield from super().of_each_draw(statistics, n_references)
            return
        firsts = np.cumsum(n_references) - n_references
        for _, drawn in draw_references(n_references, self._n_draws(n_references)):
            for of_draw in drawn:
                yield statistics[:, :, firsts + of_draw]

    def _n_draws(self, n_references: np.ndarray) -> int:
        return self.iterations if n_references.max() > 1 else 1

    def of_draws(self, values: Values, axis: int) -> Values:
        if not self.per_reference:
            return values
        return {name: value.mean(axis=axis) for name, value in values.items()}

    def values(self, sums: np.ndarray) -> Values:
        precisions, logs, log_penalty = _precisions(sums, when_empty=1.0)
        names = ("numerator", "denominator", "match", "penalty")
        parts = dict(zip(names, np.moveaxis(sums[..., 1:, :], -1, 0), strict=False))
        return {
            "gleu": np.exp(log_penalty + logs.mean(axis=-1)),
            "precisions": precisions,
            "brevity_penalty": np.exp(log_penalty),
            **{name: parts[name] for name in (*names[2:], *names[:2]) if name in parts},
            "translation_length": sums[..., 0, 1],
            "reference_length": sums[..., 0, 0],
        }

    def table(self, sums: np.ndarray, each_sentence: bool) -> Values:
        numer, denom, match, penal = np.moveaxis(sums[..., 1:, :], -1, 0)
        parts = {"numer": numer, "denom": denom}
        if each_sentence:  # sums would not explain the numerators, which are cut off at 0
            parts = {"match": match, "penal": penal, **parts}
        return {**_with_totals(parts), **_precision_columns("gleu", sums, when_empty=1.0)}


def draw_references(n_references: np.ndarray, n: int) -> Iterator[tuple[int, np.ndarray]]:
    """Draw one reference per sentence, n times: yields first draws and arrays (draw, sentence).

    Draw i is Python's `int(random() * n_references)` for one sentence after another, seeded with
    101 i: exactly what the original implementation draws, which was written for Python 2.
    """
    generator = np.random.RandomState()  # Python's own Mersenne Twister
    at_once = max(1, _DRAWS_AT_ONCE // len(n_references))
    for start in range(0, n, at_once):
        uniform = np.empty((min(at_once, n - start), len(n_references)))
        for i, row in enumerate(uniform, start):
            generator.seed([101 * i])
            row[:] = generator.random_sample(len(row))
        yield start, (uniform * n_references).astype(np.min_scalar_type(n_references.max()))


def _drawn_adder(
    gains: np.ndarray, n_references: np.ndarray, n_draws: int
) -> Callable[[np.ndarray, np.ndarray], None]:
    """Prepare weighted sums of the drawn references' gains (reference, column), none negative.

    Returns a function that adds to sums (column, draw, resample), given weights (resample,
    sentence).
    """
    # Sentences whose references tie, and columns in which all references do, gain nothing.
    gainful = np.logical_or.reduceat(gains.any(axis=1), np.cumsum(n_references) - n_references)
    some, columns = np.flatnonzero(gainful), np.flatnonzero(gains.any(axis=0))
    gains = gains[np.ix_(np.repeat(gainful, n_references), columns)].astype(np.float64)
    n_references_of_some = n_references[some]
    ends = np.cumsum(n_references_of_some)

    def draw() -> Iterator[tuple[int, np.ndarray]]:
        for start, drawn in draw_references(n_references, n_draws if len(some) else 0):
            yield start, drawn[:, some]

    kept = None
    if n_draws * len(some) <= _DRAWS_KEPT:
        kept = np.empty((n_draws, len(some)), dtype=np.min_scalar_type(n_references.max()))
        for start, drawn in draw():
            kept[start : start + len(drawn)] = drawn

    def add(sums: np.ndarray, weights: np.ndarray) -> None:
        for start, drawn in draw() if kept is None else [(0, kept)]:
            of_draws = [sums[column, start : start + len(drawn)] for column in columns]
            at_once = max(_SENTENCES_AT_ONCE, _CHOSEN_AT_ONCE // len(drawn))
            for first in range(0, len(some), at_once << _FEWEST_BITS):
                block = slice(first, first + (at_once << _FEWEST_BITS))
                counts = n_references_of_some[block]
                of_block = gains[ends[first] - counts[0] : ends[block][-1]]
                times = weights[:, some[block]]
                _add_packed(of_draws, times, drawn[:, block], of_block, counts, at_once)

    return add


def _add_packed(
    sums: Sequence[np.ndarray],
    weights: np.ndarray,
    drawn: np.ndarray,
    gains: np.ndarray,
    n_references: np.ndarray,
    at_once: int,
) -> None:
    """Add drawn references' weighted gains to sums, one array (draw, resample) per column.

    Gains are whole numbers, so a float64 holds several columns side by side, and one matrix product
    adds them all, exactly: a column gets the bits that its largest sum over `at_once` sentences
    needs. Products add up as integers, every other column apart from those between, so that it may
    grow into their bits: at least `_FEWEST_BITS`, for up to 2 ** `_FEWEST_BITS` products.
    """
    firsts = np.cumsum(n_references) - n_references
    most = np.maximum.reduceat(gains, firsts)
    parts = [slice(first, first + at_once) for first in range(0, len(firsts), at_once)]
    largest = np.max([(weights[:, part] @ most[part]).max(axis=0) for part in parts], axis=0)
    packs = _pack(np.maximum(np.frexp(largest)[1].astype(np.int64), _FEWEST_BITS))
    packed = [gains[:, some] @ 2.0**shifts for some, shifts, _ in packs]
    totals = np.zeros((len(packs), 2, len(drawn), len(weights)), dtype=np.int64)
    # Made once: new memory for each product would take as long as the product.
    product, whole = np.empty(totals.shape[2:]), np.empty(totals.shape[2:], dtype=np.int64)
    for part in parts:
        chosen = firsts[part] + drawn[:, part]
        of_chosen = np.empty(chosen.shape)
        for (_, _, odd), of_references, total in zip(packs, packed, totals, strict=True):
            np.take(of_references, chosen, out=of_chosen, mode="clip")  # "raise" would copy
            np.matmul(of_chosen, weights[:, part].T, out=product)
            np.copyto(whole, product, casting="unsafe")
            total[0] += whole
            total[1] += np.bitwise_and(whole, odd, out=whole)
    for (some, shifts, _), total in zip(packs, totals, strict=True):
        total[0] -= total[1]
        for n, shift in reversed(list(enumerate(shifts))):  # what is left of a total is its top
            top = total[n % 2] >> shift
            total[n % 2] -= top << shift
            sums[some.start + n][...] += top


def _pack(bits: np.ndarray) -> list[tuple[slice, np.ndarray, int]]:
    """Put columns, given their widths in bits, into as few float64 as their order allows.

    Returns the columns of each, the places of their lowest bits, and a mask of every other column.
    """
    packs, start = [], 0
    while start < len(bits):
        ends = np.cumsum(bits[start:])
        ends = ends[: max(1, np.searchsorted(ends, _ALL_BITS, side="right"))]
        stop = start + len(ends)
        shifts = ends - bits[start:stop]
        odd = sum(2**end - 2**shift for end, shift in zip(ends[1::2], shifts[1::2], strict=True))
        packs.append((slice(start, stop), shifts, odd))
        start = stop
    return packs


@dataclass(frozen=True)
class Rouge(Score):
    """ROUGE-N, recall of order N against the best reference (Lin 2004), averaged over sentences.

    Statistics (beta, system, sentence, order, part): the recall as three digits in base `_DIGIT`,
    and 1, so that a ratio of sums is a mean; for details, match and total follow. Whole numbers,
    because their sums do not depend on the order of addition.
    """

    title = "ROUGE-{n}"
    sizes = ("R", "RC")
    results = ("rouge",)
    counts = ("match", "total")
    n_essential = 4

    def statistics(
        self, sizes: np.ndarray, n_references: np.ndarray, detailed: bool
    ) -> tuple[np.ndarray, None]:
        total, match = np.moveaxis(sizes, -1, 0)
        recall = _divide(match, total, 0.0)
        by_order = np.moveaxis(recall, -1, 0)  # each order has its own best reference
        best = np.moveaxis(_best([by_order], n_references), 0, -1)[:, :, None]
        parts = [*_digits(recall), np.ones_like(match), *([match, total] if detailed else [])]
        of_best = [np.take_along_axis(part, best, axis=2)[:, :, 0] for part in parts]
        return np.stack(of_best, axis=-1)[None], None

    def values(self, sums: np.ndarray) -> Values:
        first, second, third, n = np.moveaxis(sums[..., :4], -1, 0)
        recalls = (first + (second + third / _DIGIT) / _DIGIT) / _DIGIT / n
        return {
            "rouge": recalls[..., -1],
            "recalls": recalls,
            **dict(zip(("match", "total"), np.moveaxis(sums[..., 4:], -1, 0), strict=False)),
        }

    def table(self, sums: np.ndarray, each_sentence: bool) -> Values:
        values = self.values(sums)
        return {"match": values["match"], "total": values["total"], "rouge": values["recalls"]}


@dataclass(frozen=True)
class F1(Score):
    """The harmonic mean of BLEU, a precision, and ROUGE-N, a recall; the statistics of both."""

    title = "F1"
    sizes = ("C", "R", "CU", "RC")
    results = ("f1", "bleu", "rouge")
    counts = Bleu.counts

    def statistics(
        self, sizes: np.ndarray, n_references: np.ndarray, detailed: bool
    ) -> tuple[np.ndarray, None]:
        c, r, cu, rc = np.moveaxis(sizes, -1, 0)
        of_bleu, of_rouge = np.stack([c, r, cu], axis=-1), np.stack([r, rc], axis=-1)
        bleu, _ = Bleu().statistics(of_bleu, n_references, detailed=False)
        rouge, _ = Rouge().statistics(of_rouge, n_references, detailed=False)
        rouge = rouge.reshape(*rouge.shape[:-2], -1, bleu.shape[-1])
        return np.concatenate([bleu, rouge], axis=-2), None

    def values(self, sums: np.ndarray) -> Values:
        of_bleu, of_rouge = self._split(sums)
        bleu, rouge = Bleu().values(of_bleu), Rouge().values(of_rouge)
        return {"f1": f_beta(bleu["bleu"], rouge["rouge"], 1.0), **bleu, **rouge}

    def table(self, sums: np.ndarray, each_sentence: bool) -> Values:
        of_bleu, of_rouge = self._split(sums)
        columns, recalls = Bleu().table(of_bleu, each_sentence), Rouge().values(of_rouge)["recalls"]
        rouge = np.concatenate([recalls, recalls[..., -1:]], axis=-1)
        return {**columns, "rouge": rouge, "f1": f_beta(columns["bleu"], rouge, 1.0)}

    def _split(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """BLEU's statistics, two numbers per row, and ROUGE-N's, four per order."""
        n_orders = sums.shape[-2] // 3
        of_rouge = sums[..., n_orders + 1 :, :]
        return sums[..., : n_orders + 1, :], of_rouge.reshape(*sums.shape[:-2], n_orders, 4)


SCORES: dict[str, type[Score]] = {
    "green": Green,
    "gleu": Gleu,
    "bleu": Bleu,
    "rouge": Rouge,
    "f1": F1,
}


def kind_of(metric: str) -> type[Score]:
    if metric in SCORES:
        return SCORES[metric]
    from .edits import scores  # not part of a metric loaded from the Hub

    return scores.SCORES[metric]


def scoring(options: Options) -> Score:
    """The score that the options ask for, with its own options set."""
    kind = kind_of(options.metric)
    return kind(**{field.name: getattr(options, field.name) for field in fields(kind)})


def _digits(recall: np.ndarray) -> list[np.ndarray]:
    """A recall, exactly, as three whole numbers below `_DIGIT` (the first may equal it).

    A recall has 53 bits and is at least 2**-31, since no reference has more n-grams than that, so
    84 bits hold it; and up to 2**35 such numbers can be added.
    """
    first, rest = np.divmod(recall * _DIGIT, 1.0)
    second, rest = np.divmod(rest * _DIGIT, 1.0)
    return [digit.astype(np.int64) for digit in (first, second, rest * _DIGIT)]


def _best(keys: Sequence[np.ndarray], n_references: np.ndarray) -> np.ndarray:
    """Each sentence's best reference by keys (…, sentence, reference); later keys break ties.

    If references still tie, the first one wins.
    """
    *others, most = keys[0].shape
    if most == 1:
        return np.zeros(others, dtype=np.int64)
    # (reference, …, sentence): NumPy is slow along a short last axis.
    best = np.empty((most, *others), dtype=bool)
    best[:] = np.arange(most).reshape(-1, *[1] * len(others)) < n_references
    for key in keys:
        candidates = np.full(best.shape, -np.inf)
        np.copyto(candidates, key.transpose(-1, *range(len(others))), where=best)
        best = candidates == np.maximum.reduce(candidates)
        if np.count_nonzero(best) * most == best.size:
            break  # one for each sentence: there are no ties
    return best.argmax(axis=0)


def _of_references(values: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Values (system, sentence, reference, …) of the chosen references (beta, system, sentence)."""
    n_systems, n_sentences = values.shape[:2]
    return values[np.arange(n_systems)[:, None], np.arange(n_sentences), chosen]


def _of_each_reference(values: np.ndarray, n_references: np.ndarray) -> np.ndarray:
    """Values (system, sentence, reference, …) of all references: (beta, system, reference, …)."""
    exists = np.arange(values.shape[2]) < n_references[:, None]
    return values[None, :, exists]


def _with_lengths(lengths: np.ndarray, orders: np.ndarray) -> np.ndarray:
    """Statistics (…, row, part): lengths (…, part), then the orders' (…, order, part)."""
    shape = (*orders.shape[:-2], orders.shape[-2] + 1, orders.shape[-1])
    statistics = np.zeros(shape, dtype=np.int64)
    statistics[..., 0, :2] = lengths
    statistics[..., 1:, :] = orders
    return statistics


def _precisions(sums: np.ndarray, when_empty: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each order's precision, its logarithm and the log brevity penalty of sums (…, row, part).

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


def _last_axis(values: np.ndarray) -> Iterator[np.ndarray]:
    return (values[..., index] for index in range(values.shape[-1]))


def _divide(part: np.ndarray, whole: np.ndarray, when_empty: float | np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return np.where(whole > 0, part / whole, when_empty)
