"""`score` and `compare`, and the steps that they share with the command line.

Texts → `count` → statistics → `results` → arrays → `table` or `of_one_system`.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from . import arrow, inputs, multiset, significance
from .options import Options, check_names, options_of
from .significance import Progress

if TYPE_CHECKING:
    import pandas

# How often `compare` and the command line resample, unless told otherwise.
N_RESAMPLES = 1000
# Sentences that a thread takes at a time, fewer for several values of beta.
_SENTENCES_AT_ONCE = 4096


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
    confidence_level: float = Options.confidence_level,
    seed: int = Options.seed,
) -> dict[str, Any]:
    """Score corrections against references, given the sources, with GREEN or another score.

    Large corpora are spread over `pyarrow.cpu_count()` threads.

    Args:
        sources: The texts before correction, one a sentence; for "green" and "gleu" only.
        predictions: The corrected texts.
        references: What they should be; for each sentence one text or any number of texts.
        metric: The score: "green", "gleu", "bleu", "rouge" (recall of order `max_order`) or "f1".
        tokenizer: "word" (split at whitespace), "char" (code points), or a function that takes a
            text and returns its tokens.
        max_order: The longest n-grams; by default 4, or 6 for "char".
        beta: For "green", how much more recall counts than precision: a positive number, infinity
            included. A list of them gives lists of results.
        level: "corpus" adds up the counts of all sentences; "sentence" gives a list with a value a
            sentence; "mean" is the mean of those values.
        effective_order: For "green", leave out the orders for which all texts are too short.
        formula: For "gleu", the penalty: "official", as the original implementation computes it, or
            "paper", as the paper defines it.
        selection: For "gleu", of several references: "sample" draws them at random, always in the
            same way, and averages (a sentence alone: over all), "max" takes each sentence's best.
        iterations: For "gleu", how often "sample" draws.
        strip: First remove the whitespace around every text.
        detailed: Add the parts of the score at every order, the chosen references (level
            "sentence", where one is chosen) and a signature that pins all settings.
        n_resamples: Add a confidence interval from so many bootstrap resamples of the sentences.
        confidence_level: How likely the interval is to hold the score.
        seed: The seed of the bootstrap.

    Returns:
        "green", "precision" and "recall", each between 0 and 1, or another score by its name ("f1"
        with "bleu" and "rouge"), and what else was asked for.

    Example:
        >>> from green_gec import score
        >>> score(
        ...     sources=["She go to school ."],
        ...     predictions=["She goes to school ."],
        ...     references=[["She goes to school .", "She went to school ."]],
        ... )
        {'green': 1.0, 'precision': 1.0, 'recall': 1.0}
    """
    options = Options(
        metric=metric,
        tokenizer=tokenizer,
        max_order=max_order,
        beta=beta,
        level=level,
        effective_order=effective_order,
        formula=formula,
        selection=selection,
        iterations=iterations,
        strip=strip,
        detailed=detailed,
        n_resamples=n_resamples,
        confidence_level=confidence_level,
        seed=seed,
    )
    counted = count(sources, [("predictions", predictions)], references, options)
    return of_one_system(counted, options)


def compare(
    systems: Mapping[str, Sequence[str]],
    sources: Sequence[str] | None = None,
    references: Sequence[str] | Sequence[Sequence[str]] | None = None,
    *,
    baseline: str | None = None,
    paired: str | None = "bs",
    n_resamples: int | None = None,
    **options: Any,
) -> "pandas.DataFrame":
    """Score several systems and tell which of them differ from one of them, the baseline.

    Args:
        systems: Each system's corrected texts, by its name.
        sources: The texts before correction, one a sentence, if the score needs them.
        references: What they should be; for each sentence one text or any number of texts.
        baseline: The system to compare with, by default the first.
        paired: The test: "bs", paired bootstrap; "ar", approximate randomisation; None for none.
        n_resamples: How often to resample, for the test and for the confidence intervals; by
            default 1,000, and 0 for the level "sentence". 0 leaves both out.
        options: Any other option of `score`.

    Returns:
        A table with a row for each system and beta, and at the level "sentence" for each sentence
        (counted from 0): the scores, the confidence interval ("low" to "high"), the difference
        from the baseline and its p-value.

    Example:
        >>> from green_gec import compare
        >>> table = compare(
        ...     {"nothing": ["She go home ."], "all": ["She goes home ."]},
        ...     sources=["She go home ."],
        ...     references=["She goes home ."],
        ... )
        >>> table["green"].tolist()
        [0.0, 1.0]
    """
    import pandas as pd  # here, because it takes longer than most of what is scored

    if n_resamples is None:
        n_resamples = 0 if options.get("level") == "sentence" else N_RESAMPLES
    check_names(options.get("metric", Options.metric), options.keys() - {"metric", "seed"})
    checked = Options(paired=paired, n_resamples=n_resamples, **options)
    if not isinstance(systems, Mapping):
        raise TypeError(f"systems must be a dictionary of names and texts, not {systems!r:.60}")
    names = list(systems)
    if baseline is not None and baseline not in names:
        raise ValueError(f"baseline must be one of the systems, {names}, not {baseline!r}")
    named = [(f"systems[{name!r}]", texts) for name, texts in systems.items()]
    counted = count(sources, named, references, checked)
    index = 0 if baseline is None else names.index(baseline)
    return pd.DataFrame(table(names, results(counted, checked, index), checked))


class Counted(NamedTuple):
    """What scores are computed from.

    Where only the sum over the sentences is needed, those with as many references may be one row.
    """

    parts: np.ndarray  # (beta, system, sentence, …); of scores that draw, (…, reference, …)
    chosen: np.ndarray | None  # the references, where one is chosen: (beta, system, sentence)
    n_references: np.ndarray  # (sentence,)


def count(
    sources: Any,
    systems: Sequence[tuple[str, Any]],
    references: Any,
    options: Options,
    progress: Progress = significance.without_progress,
    n_threads: int | None = None,
) -> Counted:
    """Count all systems' n-grams in one pass and make the score's statistics of them.

    A system is what messages call its texts, and its texts.
    """
    scoring = options.scoring
    if not systems:
        raise ValueError("there are no systems to score")
    options.check_sources(sources)
    named = [*systems, ("references", references)]
    if scoring.needs_sources:
        named.insert(0, ("sources", sources))
    columns = inputs.columns(named)
    n_sentences = len(columns[0])
    if not n_sentences:
        raise ValueError("there are no sentences to score")

    at_once = max(_SENTENCES_AT_ONCE // len(options.betas), 128)

    def count_block(start: int) -> tuple[Counted, int]:
        stop = min(start + at_once, n_sentences)
        pairs = list(zip(named, columns, strict=True))[:-1]
        texts = [inputs.texts(name, column, start, stop) for (name, _), column in pairs]
        listed = inputs.references(columns[-1], start, stop)
        texts, listed, n_unstripped = _strip(texts, listed, options)
        n_references = arrow.lengths("list_value_length", listed)
        of_sources = texts.pop(0) if scoring.needs_sources else None
        parts, done = [], 0
        for sizes in multiset.count(
            of_sources, texts, listed, options.tokenize, options.order, scoring.sizes
        ):  # (system, sentence, reference, order, size)
            some = n_references[done : done + sizes.shape[1]]
            parts.append(Counted(*scoring.statistics(sizes, some, options.detailed), some))
            done += len(some)
        return add_up(parts, options), n_unstripped

    starts = range(0, n_sentences, at_once)
    # A user's tokenizer is Python code: threads would not speed it up, and might confuse it.
    most = 1 if callable(options.tokenizer) else n_threads or pa.cpu_count()
    n_threads = min(len(starts), most)
    if n_threads > 1:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(n_threads) as pool:
            blocks = list(progress(pool.map(count_block, starts), len(starts)))
    else:
        blocks = list(progress(map(count_block, starts), len(starts)))
    n_unstripped = sum(n for _, n in blocks)
    if n_unstripped:
        some = (
            "1 text begins or ends" if n_unstripped == 1 else f"{n_unstripped:,} texts begin or end"
        )
        warnings.warn(
            f"{some} with whitespace, which counts like any other character; strip=True (on the "
            "command line --strip) removes it",
            stacklevel=3,
        )
    return add_up([block for block, _ in blocks], options)


def needs_sentences(options: Options) -> bool:
    """Whether it takes the statistics of each sentence, not only their sums."""
    return bool(options.level != "corpus" or options.n_resamples or options.scoring.draws)


def add_up(parts: Sequence[Counted], options: Options) -> Counted:
    """Those of all sentences; or their sums, where these are enough."""
    chosen = [part.chosen for part in parts if part.chosen is not None]
    every = np.concatenate([part.parts for part in parts], axis=2)
    n_references = np.concatenate([part.n_references for part in parts])
    if needs_sentences(options):
        return Counted(every, np.concatenate(chosen, axis=2) if chosen else None, n_references)
    ns = np.unique(n_references)
    sums = [every[:, :, n_references == n].sum(axis=2) for n in ns]
    return Counted(np.stack(sums, axis=2) if len(ns) else every, None, ns)


def _strip(
    texts: list[pa.LargeStringArray], references: pa.LargeListArray, options: Options
) -> tuple[list[pa.LargeStringArray], pa.LargeListArray, int]:
    """Strip the texts if asked to; if not, count those for which it would matter."""
    if not options.strip and options.tokenizer != "char":
        return texts, references, 0
    stripped = [arrow.call("utf8_trim_whitespace", array) for array in (*texts, references.values)]
    if options.strip:
        return stripped[:-1], pa.LargeListArray.from_arrays(references.offsets, stripped[-1]), 0
    n_changed = sum(
        np.count_nonzero(
            arrow.lengths("binary_length", before) != arrow.lengths("binary_length", after)
        )
        for before, after in zip((*texts, references.values), stripped, strict=True)
    )
    return texts, references, n_changed


def results(
    counted: Counted,
    options: Options,
    baseline: int = 0,
    progress: Progress = significance.without_progress,
) -> dict[str, np.ndarray]:
    """Turn statistics into what the user sees, each of it an array (beta, system, …)."""
    scoring = options.scoring
    values = _at_level(scoring.values, counted, options)
    found = {name: values[name] for name in scoring.results}
    if options.n_resamples:
        found |= _resample(counted, values[options.metric], options, baseline, progress)
    if options.detailed:
        found |= {name: value for name, value in values.items() if name not in found}
        if options.level == "sentence" and counted.chosen is not None and not scoring.draws:
            found["chosen_reference"] = counted.chosen
    return found


def of_one_system(counted: Counted, options: Options) -> dict[str, Any]:
    """The results of a single system: numbers, or lists of them if there are several betas."""
    of_system = {name: value[:, 0] for name, value in results(counted, options).items()}
    several = np.ndim(options.beta) > 0
    found = {name: (value if several else value[0]).tolist() for name, value in of_system.items()}
    if options.detailed:
        found["signature"] = options.signature(counted.n_references)
    return found


def by_order(counted: Counted, options: Options) -> dict[str, np.ndarray]:
    """What the score is made of at each order: arrays (beta, system, order).

    At the level "sentence", as the statistics: (beta, system, sentence, order), or, of scores that
    draw, (beta, system, reference, order).
    """
    if options.level == "sentence":
        return options.scoring.table(counted.parts, each_sentence=True)
    table = partial(options.scoring.table, each_sentence=False)
    return _at_level(table, counted, options)


def _at_level(
    values_of: Callable[[np.ndarray], dict[str, np.ndarray]],
    counted: Counted,
    options: Options,
) -> dict[str, np.ndarray]:
    """The corpus's values or the sentences'; or, at the level "mean", their means and sums."""
    scoring = options.scoring
    if options.level == "corpus":
        sums = scoring.total(counted.parts, counted.n_references)
        return scoring.of_draws(values_of(sums), axis=2)
    values = scoring.of_sentences(values_of(counted.parts), counted.n_references)
    if options.level == "sentence":
        return values
    return {
        name: value.sum(axis=2) if name in scoring.counts else value.mean(axis=2)
        for name, value in values.items()
    }


def _resample(
    counted: Counted,
    observed: np.ndarray,
    options: Options,
    baseline: int,
    progress: Progress,
) -> dict[str, np.ndarray]:
    """Confidence intervals and paired tests of the scores (beta, system)."""
    scoring = options.scoring
    parts, adder = _summands(counted, options)
    n_sentences = len(counted.n_references)
    how = {"progress": progress, "adder": adder, "n_sentences": n_sentences}
    how |= {"n_resamples": options.n_resamples, "seed": options.seed}

    def score(sums: np.ndarray) -> np.ndarray:  # (resample, beta, system, …)
        if options.level == "mean":
            return sums / n_sentences
        values = scoring.values(np.moveaxis(sums, 0, 2))
        of_metric = scoring.of_draws({options.metric: values[options.metric]}, axis=3)
        return np.moveaxis(of_metric[options.metric], 2, 0)

    found = {}
    if options.confidence_level or options.paired == "bs":
        resampled = significance.resample(parts, score, **how)
    if options.confidence_level:
        interval = significance.interval(resampled, options.confidence_level)
        found["confidence_interval"] = interval
    if options.paired:
        difference = observed - observed[:, [baseline]]
        if options.paired == "bs":
            differences = resampled - resampled[:, :, [baseline]]
            p_value = significance.bootstrap_p_values(differences, difference)
        else:
            of_baseline = parts[:, :, [baseline]]
            differences = significance.randomise(parts, of_baseline, score, **how)
            p_value = significance.randomisation_p_values(differences, difference)
        # Nothing is said of the baseline itself.
        difference[:, baseline] = p_value[:, baseline] = np.nan
        found |= {"difference": difference, "p_value": p_value}
    return found


def _summands(counted: Counted, options: Options) -> tuple[np.ndarray, significance.Adder]:
    """What adds up to the score, (sentence, beta, system, …), and how it adds up."""
    scoring = options.scoring
    if options.level == "mean":
        values = scoring.of_sentences(scoring.values(counted.parts), counted.n_references)
        return np.moveaxis(values[options.metric], 2, 0), significance.add_up
    essential = counted.parts[..., : scoring.n_essential]
    return np.moveaxis(essential, 2, 0), lambda parts: scoring.adder(parts, counted.n_references)


def table(names: Sequence[str], values: dict[str, np.ndarray], options: Options) -> dict[str, list]:
    """The results as columns, a row for each system, beta and, at that level, sentence (from 0)."""
    n_betas, n_systems, *n_sentences = values[options.metric].shape
    rows = np.indices((n_systems, n_betas, *n_sentences)).reshape(2 + len(n_sentences), -1)
    columns: dict[str, list] = {"system": [names[index] for index in rows[0]]}
    if "beta" in options_of(options.metric):
        columns["beta"] = options.betas[rows[1]].tolist()
    if n_sentences:
        columns["sentence"] = rows[2].tolist()
    for name, value in values.items():
        of_rows = value.swapaxes(0, 1).reshape(rows.shape[1], *value.shape[len(rows) :])
        if name == "confidence_interval":
            columns["low"], columns["high"] = of_rows.T.tolist()
        else:
            columns[name] = of_rows.tolist()
    return columns
