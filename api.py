"""`score`: texts and options in, a result out. Everything else in this project goes through it."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from . import arrow, inputs, multiset, scores, significance
from .options import Options

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
    strip: bool = Options.strip,
    detailed: bool = Options.detailed,
    n_resamples: int = Options.n_resamples,
    confidence_level: float = Options.confidence_level,
    seed: int = Options.seed,
) -> dict[str, Any]:
    """Score corrections against references, given the sources.

    Large corpora are spread over `pyarrow.cpu_count()` threads.

    Args:
        sources: The texts before correction, one a sentence.
        predictions: The corrected texts.
        references: What they should be; for each sentence one text or any number of texts.
        metric: The score: "green".
        tokenizer: "word" (split at whitespace), "char" (code points), or a function that takes a
            text and returns its tokens.
        max_order: The longest n-grams; by default 4, or 6 for "char".
        beta: How much more recall counts than precision: a positive number, infinity included. A
            list of them gives lists of results.
        level: "corpus" adds up the counts of all sentences; "sentence" gives a list with a value a
            sentence; "mean" is the mean of those values.
        effective_order: Leave out the orders for which all texts are too short.
        strip: First remove the whitespace around every text.
        detailed: Add precisions, recalls and the seven counts of every order, the chosen references
            (level "sentence") and a signature that pins all settings.
        n_resamples: Add a confidence interval from so many bootstrap resamples of the sentences.
        confidence_level: How likely the interval is to hold the score.
        seed: The seed of the bootstrap.

    Returns:
        "green", "precision" and "recall", each between 0 and 1, and what else was asked for.

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
        strip=strip,
        detailed=detailed,
        n_resamples=n_resamples,
        confidence_level=confidence_level,
        seed=seed,
    )
    (statistics,) = count(sources, {"predictions": predictions}, references, options)
    return result(statistics, options)


class Statistics(NamedTuple):
    """What a score is computed from, for one system and some sentences."""

    sizes: np.ndarray  # of the chosen references: (beta, sentence, order, size)
    chosen: np.ndarray  # (beta, sentence)
    n_references: np.ndarray  # (sentence,)


def count(
    sources: Any, systems: Mapping[str, Any], references: Any, options: Options
) -> list[Statistics]:
    """Count all systems' n-grams in one pass and choose the references, system by system.

    Where only the sum over the sentences is needed, the sizes' sentence axis has length 1.
    """
    columns = inputs.columns(sources=sources, **systems, references=references)
    n_sentences = len(columns["sources"])
    if not n_sentences:
        raise ValueError("there are no sentences to score")

    at_once = max(_SENTENCES_AT_ONCE // len(options.betas), 128)

    def count_block(start: int) -> tuple[list[Statistics], int]:
        stop = min(start + at_once, n_sentences)
        texts = [inputs.texts(name, columns[name], start, stop) for name in ("sources", *systems)]
        listed = inputs.references(columns["references"], start, stop)
        texts, listed, n_unstripped = _strip(texts, listed, options)
        n_references = arrow.to_numpy(pc.list_value_length(listed)).astype(np.int64)
        parts, done = [], 0
        for sizes in multiset.count(
            texts[0], texts[1:], listed, options.tokenize, options.order
        ):  # (system, sentence, reference, order, size)
            of_part = n_references[done : done + sizes.shape[1]]
            parts.append([_choose(of_system, of_part, options) for of_system in sizes])
            done += sizes.shape[1]
        return [_concatenate(of_system) for of_system in zip(*parts, strict=True)], n_unstripped

    starts = range(0, n_sentences, at_once)
    # A user's tokenizer is Python code: threads would not speed it up, and might confuse it.
    n_threads = 1 if callable(options.tokenizer) else min(len(starts), pa.cpu_count())
    if n_threads > 1:
        with ThreadPoolExecutor(n_threads) as pool:
            blocks = list(pool.map(count_block, starts))
    else:
        blocks = list(map(count_block, starts))
    n_unstripped = sum(n for _, n in blocks)
    if n_unstripped:
        warnings.warn(
            f"{n_unstripped:,} texts begin or end with whitespace, which tokenizer='char' counts "
            "like any other character; strip=True removes it",
            stacklevel=3,
        )
    return [_concatenate(of_system) for of_system in zip(*(b for b, _ in blocks), strict=True)]


def _choose(sizes: np.ndarray, n_references: np.ndarray, options: Options) -> Statistics:
    """Keep of (sentence, reference, order, size) the best reference for each beta."""
    chosen = scores.choose(sizes, n_references, options.betas, options.effective_order)
    of_chosen = sizes[np.arange(len(sizes)), chosen]
    if options.level == "corpus" and not options.n_resamples:
        of_chosen = of_chosen.sum(axis=1, keepdims=True)
    return Statistics(of_chosen, chosen, n_references)


def _concatenate(parts: Sequence[Statistics]) -> Statistics:
    return Statistics(
        np.concatenate([part.sizes for part in parts], axis=1),
        np.concatenate([part.chosen for part in parts], axis=1),
        np.concatenate([part.n_references for part in parts]),
    )


def _strip(
    texts: list[pa.LargeStringArray], references: pa.LargeListArray, options: Options
) -> tuple[list[pa.LargeStringArray], pa.LargeListArray, int]:
    """Strip the texts if asked to; if not, count those for which it would matter."""
    if not options.strip and options.tokenizer != "char":
        return texts, references, 0
    stripped = [pc.utf8_trim_whitespace(array) for array in (*texts, references.values)]
    if options.strip:
        return stripped[:-1], pa.LargeListArray.from_arrays(references.offsets, stripped[-1]), 0
    n_changed = sum(
        pc.sum(pc.not_equal(pc.binary_length(before), pc.binary_length(after))).as_py()
        for before, after in zip((*texts, references.values), stripped, strict=True)
    )
    return texts, references, n_changed


def result(statistics: Statistics, options: Options) -> dict[str, Any]:
    """Turn one system's statistics into what the user sees."""
    sizes = statistics.sizes.sum(axis=1) if options.level == "corpus" else statistics.sizes
    values = scores.green(scores.outcomes(sizes), options.betas, options.effective_order)
    if options.n_resamples:
        interval = _interval(statistics, values["green"], options)
    if options.level == "mean":
        sizes = sizes.sum(axis=1)
        values = {name: value.mean(axis=1) for name, value in values.items()}

    found = {name: values[name] for name in ("green", "precision", "recall")}
    if options.n_resamples:
        found["confidence_interval"] = interval
    if options.detailed:
        found |= {name: values[name] for name in ("precisions", "recalls")}
        found |= zip(scores.REGIONS, np.moveaxis(scores.regions(sizes), -1, 0), strict=True)
        if options.level == "sentence":
            found["chosen_reference"] = statistics.chosen
    several = np.ndim(options.beta) > 0
    plain = {name: (value if several else value[0]).tolist() for name, value in found.items()}
    if options.detailed:
        plain["signature"] = options.signature(statistics.n_references)
    return plain


def _interval(statistics: Statistics, green: np.ndarray, options: Options) -> np.ndarray:
    """The confidence interval of each beta's score: (beta, 2)."""
    at_corpus = options.level == "corpus"
    of_sentences = scores.outcomes(statistics.sizes) if at_corpus else green
    sums = significance.resample(
        of_sentences.swapaxes(0, 1), options.n_resamples, options.seed
    ).swapaxes(0, 1)
    if at_corpus:
        resampled = scores.green(sums, options.betas, options.effective_order)["green"]
    else:
        resampled = sums / of_sentences.shape[1]
    return significance.interval(resampled, options.confidence_level)
