"""Compute the papers' tables, beside the printed figures, and the results beyond the papers.

Arrays of scores have the shape (…, system); correlations are taken over the systems.
"""

import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from green_gec import InputWarning, api, compare, score, scores, significance
from green_gec.options import Options

from . import published
from .corpora import Corpus, OtherScores

METRICS = {
    f"{tokenizer}{name}": {"tokenizer": tokenizer, **options}
    for name, options in {
        "GLEU": {"metric": "gleu", "formula": "paper"},
        "GREEN": {"metric": "green"},
    }.items()
    for tokenizer in ("word", "char")
}
GREEN = ("wordGREEN", "charGREEN")
JUDGMENTS = {"CoNLL": "conll14", "SEEDA-S": "seeda", "SEEDA-E": "seeda", "FCE": "gmeg-fce"}
TABLE_2 = ("CoNLL", "SEEDA-S", "SEEDA-E")
LEVELS = {"corpus level": "corpus", "sentence level": "mean"}
KINDS = ("r", "ρ")

# The betas of Figure 3. The first one stands for 0, at which F is the precision; GREEN accepts only
# positive values, and at this one the weight of the recall vanishes to the last bit.
BETAS = np.arange(501) / 100
BETAS[0] = 1e-9

N_RESAMPLES = 5000
N_DRAWS = 1000
N_SPLITS = 20
SEED = 12345

Corpora = dict[str, Corpus]  # the complete ones, by folder


def scores_of(corpus: Corpus, metric: str, **options: Any) -> np.ndarray:
    """Score all systems with one of `METRICS`; options override its own."""
    options = METRICS[metric] | {"n_resamples": 0, **options}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        table = compare(corpus.systems, corpus.sources, corpus.references, **options)
    return table[options["metric"]].to_numpy()


def two_betas(corpus: Corpus, metric: str, **options: Any) -> dict[str, np.ndarray]:
    """Score all systems with beta 1 and with the default, 2."""
    both = scores_of(corpus, metric, beta=[1, 2], **options).reshape(-1, 2)  # (system, beta)
    return {"β = 1": both[:, 0], "β = 2": both[:, 1]}


def correlate(corpus: Corpus, judgment: str, scores: np.ndarray) -> np.ndarray:
    """Correlate scores (…, system) with human judgment: Pearson's r and Spearman's ρ, (kind, …)."""
    human = corpus.human[judgment][corpus.counted]
    counted = scores[..., corpus.counted]
    if not np.ptp(human) or not np.ptp(counted, axis=-1).all():
        whose = "the metric's scores" if np.ptp(human) else "human scores"
        raise ValueError(f"{judgment}: {whose} are all equal, so their correlation is undefined")
    pairs = ((counted, human), (stats.rankdata(counted, axis=-1), stats.rankdata(human)))
    return np.stack(
        [
            stats.pearsonr(ours, np.broadcast_to(theirs, ours.shape), axis=-1)[0]
            for ours, theirs in pairs
        ]
    )


class Cell(NamedTuple):
    """A figure of a table, as printed and as computed here."""

    table: str
    row: str
    column: str
    printed: str
    ours: float

    @property
    def shown(self) -> str:
        return f"{self.ours:.{self.digits}f}"

    @property
    def digits(self) -> int:
        return len(self.printed.partition(".")[2])

    @property
    def off(self) -> int:
        """The difference from the printed figure, in units of its last digit."""
        return abs(round((float(self.shown) - float(self.printed)) * 10**self.digits))

    @property
    def is_wrong(self) -> bool:
        """Whether it differs from the expected figure: the printed one, or a known difference."""
        expected = published.KNOWN.get((self.table, self.row, self.column), self.printed)
        return self.shown != expected


@dataclass
class Table:
    """A table of a paper, with our rows beside the printed ones."""

    name: str
    columns: list[str]
    printed: published.Rows
    ours: dict[str, list[float]]  # NaN if the corpus is missing
    others: dict[str, list[float]] = field(default_factory=dict)  # rows of the user's `--scores`

    def cells(self) -> list[Cell]:
        return [
            Cell(self.name, row, column, printed, value)
            for row, values in self.ours.items()
            for column, printed, value in zip(self.columns, self.printed[row], values, strict=True)
            if printed != "–" and not np.isnan(value)
        ]


def correlation_tables(corpora: Corpora, others: OtherScores) -> list[Table]:
    """Compute both halves of Table 2."""
    tables = []
    for name, level in LEVELS.items():
        printed = published.CORPUS_LEVEL if level == "corpus" else published.SENTENCE_LEVEL
        by_metric = {
            metric: {
                folder: scores_of(corpora[folder], metric, level=level)
                for folder in ("conll14", "seeda")
                if folder in corpora
            }
            for metric in METRICS
        }
        by_other = _others(corpora, others, ("conll14", "seeda"), level)
        row = partial(_correlations, corpora, TABLE_2)
        tables.append(
            Table(
                name,
                published.CORRELATION_COLUMNS,
                printed,
                {metric: row(found) for metric, found in by_metric.items()},
                {metric: row(found) for metric, found in by_other.items()},
            )
        )
    return tables


def _correlations(
    corpora: Corpora, judgments: Iterable[str], found: dict[str, np.ndarray]
) -> list[float]:
    """Compute the cells of a row, r and ρ per judgment, from the scores on each corpus."""
    cells = []
    for judgment in judgments:
        folder = JUDGMENTS[judgment]
        if folder in found:
            cells += correlate(corpora[folder], judgment, found[folder]).tolist()
        else:
            cells += [np.nan, np.nan]
    return cells


def _others(
    corpora: Corpora, others: OtherScores, folders: Iterable[str], level: str
) -> dict[str, dict[str, np.ndarray]]:
    """Select other metrics' scores on some corpora, by metric and folder; check their systems."""
    found: dict[str, dict[str, np.ndarray]] = {}
    for metric, by_corpus in others.items():
        for folder in folders:
            of_systems = by_corpus.get((folder, level))
            if of_systems is None or folder not in corpora:
                continue
            corpus = corpora[folder]
            where = f"--scores: {metric}, {folder}, {level}"
            for system, counts in zip(corpus.systems, corpus.counted, strict=True):
                if counts and system not in of_systems:
                    raise ValueError(f"{where}: the score of {system} is missing")
            for system in of_systems:
                if system not in (*corpus.systems, "NULL"):
                    known = ", ".join(corpus.systems)
                    raise ValueError(f"{where}: unknown system {system}; {folder} has {known}")
            values = [of_systems.get(system, np.nan) for system in corpus.systems]
            found.setdefault(metric, {})[folder] = np.array(values)
    return found


def score_table(conll: Corpus, others: OtherScores) -> Table:
    """Compute Table 4: the best system, the source, the worst system and empty outputs."""
    columns = published.SCORE_COLUMNS
    with_null = conll.systems | {"NULL": [""] * len(conll.sources)}
    chosen = replace(conll, systems={name: with_null[name] for name in columns})
    ours = {metric: (100 * scores_of(chosen, metric)).tolist() for metric in METRICS}
    human = dict(zip(conll.systems, conll.human["CoNLL"].tolist(), strict=True))
    ours["human"] = [human.get(name, np.nan) for name in columns]
    added = {
        metric: [of_systems.get(name, np.nan) for name in columns]
        for metric, by_corpus in others.items()
        if (of_systems := by_corpus.get(("conll14", "corpus")))
    }
    return Table("scores", columns, published.SCORES, ours, added)


def first_table(corpora: Corpora, others: OtherScores) -> Table:
    """Compute Table 2 of the first paper: CoNLL and FCE, GREEN with the betas it found best."""
    columns = list(product(("CoNLL", "FCE"), range(len(KINDS))))
    ours = {}
    for metric in METRICS:
        ours[metric] = [np.nan] * len(columns)
        for index, (judgment, kind) in enumerate(columns):
            if corpus := corpora.get(JUDGMENTS[judgment]):
                betas = published.BEST_BETAS.get(metric)
                options = {"beta": float(betas[index])} if betas else {}
                found = correlate(corpus, judgment, scores_of(corpus, metric, **options))
                ours[metric][index] = found[kind].item()
    by_other = _others(corpora, others, ("conll14", "gmeg-fce"), "corpus")
    added = {m: _correlations(corpora, ("CoNLL", "FCE"), found) for m, found in by_other.items()}
    return Table("first paper", published.FIRST_COLUMNS, published.FIRST, ours, added)


class Drawn(NamedTuple):
    """Correlations of sentence-level GLEU with references averaged and with references drawn."""

    metric: str
    judgment: str
    averaged: np.ndarray  # (kind,)
    drawn: np.ndarray  # (kind,)
    other_draws: np.ndarray  # (kind, draw), with other seeds


def drawn_references(corpora: Corpora) -> list[Drawn]:
    """Correlate sentence-level GLEU with references drawn 500 times, as at the corpus level."""
    rows = []
    folders = [folder for folder in ("conll14", "seeda") if folder in corpora]
    for metric, folder in product(("wordGLEU", "charGLEU"), folders):
        corpus = corpora[folder]
        n_sentences = len(corpus.sources)
        by_reference = np.stack(
            [scores_of(one_reference(corpus, n), metric, level="sentence") for n in (0, 1)], axis=-1
        ).reshape(-1, n_sentences, 2)  # (system, sentence, reference)
        averaged = np.full((n_sentences, 2), 0.5)
        n_draws, rng = Options.iterations, np.random.default_rng(SEED)
        second = rng.binomial(n_draws, 0.5, (N_DRAWS, n_sentences)) / n_draws
        others = np.stack([1 - second, second], axis=-1)
        # Weights of the references, (…, sentence, reference), give the systems' means, (…, system).
        means = [
            np.einsum("sdr,...dr->...s", by_reference, weights, optimize=True) / n_sentences
            for weights in (averaged, drawn_shares(n_sentences), others)
        ]
        for judgment in corpus.human:
            found = (correlate(corpus, judgment, values) for values in means)
            rows.append(Drawn(metric, judgment, *found))
    return rows


def drawn_shares(n_sentences: int) -> np.ndarray:
    """The share of draws per reference, of two, in the original code: (sentence, reference)."""
    n_references = np.full(n_sentences, 2)
    draws = scores.draw_references(n_references, Options.iterations)
    second = np.concatenate([drawn for _, drawn in draws]).mean(axis=0)
    return np.stack([1 - second, second], axis=-1)


def one_reference(corpus: Corpus, reference: int) -> Corpus:
    return replace(corpus, references=[[listed[reference]] for listed in corpus.references])


class Times(NamedTuple):
    """Seconds to score one system."""

    metric: str
    in_python: float
    command: float


def times(conll: Corpus, data: Path) -> list[Times]:
    """Time the scores as in Table 3: seconds to score AMU, the mean of ten runs."""

    def mean_of_ten(function: Callable[[], Any]) -> float:
        start = time.perf_counter()
        for _ in range(10):
            function()
        return (time.perf_counter() - start) / 10

    found = []
    folder = data / "conll14"
    command = [
        *(sys.executable, "-c", "from green_gec.cli import green; green()"),
        *("-s", folder / "source.txt", "-r", folder / "reference0.txt", folder / "reference1.txt"),
        *("-c", folder / "systems" / "AMU"),
    ]
    for metric, options in METRICS.items():
        texts = (conll.sources, conll.systems["AMU"], conll.references)
        in_python = mean_of_ten(partial(score, *texts, **options))
        flags = ["-m", options["metric"], "-t", options["tokenizer"]]
        if options["metric"] == "gleu":
            flags += ["--formula", "paper"]
        run = partial(subprocess.run, [*command, *flags], check=True, capture_output=True)
        found.append(Times(metric, in_python, mean_of_ten(run)))
    return found


class Curves(NamedTuple):
    """Correlations of GREEN at all `BETAS`."""

    metric: str
    judgment: str
    correlations: np.ndarray  # (kind, beta)


class BetaStar(NamedTuple):
    """The best beta, estimated as in the first paper, and its range over random splits."""

    metric: str
    judgment: str
    kind: str
    printed: float
    estimate: float
    low: float
    high: float


def betas(corpora: Corpora, progress: Callable[[str], None]) -> tuple[list[Curves], list[BetaStar]]:
    """Compute Figure 3 for every corpus, and the best betas for the first paper's corpora."""
    curves, stars = [], []
    for folder, corpus in corpora.items():
        for metric in GREEN:
            progress(f"{metric} at {len(BETAS)} betas on {folder}")
            sums = sums_by_chunk(corpus, metric)
            values = green_at_betas(sums.sum(axis=0))
            curves += [
                Curves(metric, judgment, correlate(corpus, judgment, values))
                for judgment in corpus.human
            ]
            if folder in ("conll14", "gmeg-fce"):
                stars += _best_betas(corpus, metric, sums)
    return curves, stars


def green_at_betas(sums: np.ndarray) -> np.ndarray:
    """GREEN at all `BETAS`, (beta, system), of summed outcomes (beta, system, order, outcome)."""
    return scores.scoring(Options(beta=BETAS.tolist())).values(sums)["green"]


def sums_by_chunk(corpus: Corpus, metric: str) -> np.ndarray:
    """Sum outcomes over each tenth of a tenth of the sentences.

    Returns (chunk, beta, system, order, outcome); the chunks are in the order of the corpus.
    """
    options = Options(beta=BETAS.tolist(), **METRICS[metric])
    tenths = np.array_split(np.arange(len(corpus.sources)), 10)
    sums = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        for chunk in (c for tenth in tenths for c in np.array_split(tenth, 10) if len(c)):
            part = slice(chunk[0], chunk[-1] + 1)
            named = [(name, texts[part]) for name, texts in corpus.systems.items()]
            texts = (corpus.sources[part], named, corpus.references[part])
            (statistics,) = api.count(*texts, [options])
            sums.append(statistics.summands.sum(axis=2))
    return np.array(sums)


def _best_betas(corpus: Corpus, metric: str, sums: np.ndarray) -> list[BetaStar]:
    """Estimate the best beta for r and for ρ, with sentences split in order and at random.

    The paper does not say how it splits the sentences. Random splits keep chunks together.
    """
    (judgment,) = corpus.human
    rng = np.random.default_rng(SEED)
    in_order = estimate_betas(corpus, judgment, sums)
    others = np.array(
        [estimate_betas(corpus, judgment, rng.permutation(sums)) for _ in range(N_SPLITS)]
    )
    columns = published.FIRST_COLUMNS
    return [
        BetaStar(
            *(metric, judgment, kind),
            float(published.BEST_BETAS[metric][columns.index(f"{judgment} {kind}")]),
            *(in_order[n], others[:, n].min(), others[:, n].max()),
        )
        for n, kind in enumerate(KINDS)
    ]


def estimate_betas(corpus: Corpus, judgment: str, sums: np.ndarray) -> np.ndarray:
    """Average the ten betas that are best when one tenth of the chunks is left out: (kind,)."""
    total = sums.sum(axis=0)
    best = []
    for tenth in np.array_split(sums, 10):
        values = green_at_betas(total - tenth.sum(axis=0))
        best.append([middle_of_best(row) for row in correlate(corpus, judgment, values)])
    return np.mean(best, axis=0)


def middle_of_best(correlations: np.ndarray) -> float:
    """Average those of `BETAS` that share the highest correlation, (beta,)."""
    return BETAS[correlations >= correlations.max() - 1e-12].mean()


class Stability(NamedTuple):
    """How certain wordGREEN's ranking of systems is; systems are sorted by score, best first."""

    names: list[str]
    scores: np.ndarray  # (system,)
    intervals: np.ndarray  # (system, bound)
    human: np.ndarray  # Expected Wins, (system,)
    differ: np.ndarray  # whether the difference is significant, (system, system)
    rank_probability: np.ndarray  # (system, rank)


def stability(conll: Corpus) -> Stability:
    """Compute intervals, pairwise tests and ranks under resampling for CoNLL's systems."""
    options = Options(n_resamples=N_RESAMPLES, paired="ar", seed=SEED)
    systems = list(conll.systems.items())
    (statistics,) = api.count(conll.sources, systems, conll.references, [options])
    tests = [statistics.results(baseline) for baseline in range(len(systems))]
    values, intervals = tests[0]["green"][0], tests[0]["confidence_interval"][0]
    p_values = np.stack([test["p_value"][0] for test in tests])  # (baseline, system)

    above = np.triu_indices(len(values), 1)
    differ = np.zeros_like(p_values, dtype=bool)
    differ[above] = stats.false_discovery_control(p_values[above]) < 0.05
    differ |= differ.T

    def to_scores(sums: np.ndarray) -> np.ndarray:  # (resample, system, order, outcome)
        return statistics.scoring.values(sums[None])["green"][0]

    by_sentence = np.moveaxis(statistics.summands[0], 1, 0)  # (sentence, system, order, outcome)
    how = {"n_sentences": len(by_sentence), "n_resamples": N_RESAMPLES, "seed": SEED}
    resampled = significance.resample(by_sentence, scores.add_up, to_scores, **how)
    ranks = stats.rankdata(-resampled, axis=-1, method="ordinal")
    probability = np.stack([(ranks == n + 1).mean(axis=0) for n in range(len(values))], axis=-1)

    order = np.argsort(-values)
    names = list(conll.systems)
    return Stability(
        [names[index] for index in order],
        *(values[order], intervals[order], conll.human["CoNLL"][order]),
        *(differ[np.ix_(order, order)], probability[order]),
    )


Way = Callable[..., np.ndarray]
Variants = dict[tuple[str, str, str], list[float]]  # rows of Table 2, by metric, level and way


def variants(corpora: Corpora, metrics: Iterable[str], ways: dict[str, Way]) -> Variants:
    """Compute the correlations of Table 2 for several ways of scoring."""
    folders = [folder for folder in ("conll14", "seeda") if folder in corpora]
    rows = {}
    for metric, (name, level), way in product(metrics, LEVELS.items(), ways):
        found = {folder: ways[way](corpora[folder], metric, level=level) for folder in folders}
        rows[metric, name, way] = _correlations(corpora, TABLE_2, found)
    return rows


class Stripped(NamedTuple):
    rows: Variants
    gains: dict[str, float]  # in charGREEN, of systems with whitespace around every text


def stripped(corpora: Corpora) -> Stripped:
    """Compute character scores of the texts as they are and without the whitespace around them."""
    without = partial(scores_of, strip=True)
    ways = {"as they are": scores_of, "stripped": without}
    rows = variants(corpora, ["charGREEN", "charGLEU"], ways)
    gains = {}
    for corpus in corpora.values():
        gained = without(corpus, "charGREEN") - scores_of(corpus, "charGREEN")
        for gain, (name, texts) in zip(gained.tolist(), corpus.systems.items(), strict=True):
            if all(text != text.strip() for text in texts):
                gains[name] = gain
    return Stripped(rows, gains)


def single_references(corpora: Corpora) -> Variants:
    """Compute GREEN with both references and with each alone."""

    def with_one(reference: int) -> Way:
        return lambda corpus, *args, **options: scores_of(
            one_reference(corpus, reference), *args, **options
        )

    ways = {"both": scores_of, "the first only": with_one(0), "the second only": with_one(1)}
    return variants(corpora, GREEN, ways)
