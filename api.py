"""`score` and `compare`, the functions that most users call, and the steps they share with others.

The steps of a comparison: settings, corpus, statistics of each setting, columns of a table.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from .counting import Statistics, count
from .input_warnings import Warn, WarnOnce, warn_user
from .inputs import Corpus
from .metrics import Values, make_metric
from .options import (
    EDIT_METRICS,
    N_RESAMPLES,
    Formula,
    Level,
    MetricName,
    Options,
    PairedTest,
    Selection,
    TokenizerName,
    is_sequence,
    short_repr,
)
from .significance import Progress, no_progress

if TYPE_CHECKING:
    import pandas

    from .corpus.m2 import Annotated

    Systems = Mapping[str, Sequence[str] | Sequence[Annotated]]
    References = Sequence[str] | Sequence[Sequence[str]]
    Edits = str | PathLike[str] | Sequence[Annotated]
    Gold = Edits | Mapping[str, Edits]


def score(
    sources: Sequence[str] | None = None,
    predictions: Sequence[str] | None = None,
    references: Sequence[str] | Sequence[Sequence[str]] | None = None,
    metric: MetricName = "green",
    *,
    tokenizer: TokenizerName | Callable[[str], Sequence[str]] = "word",
    max_order: int | None = None,
    beta: float | Sequence[float] | None = None,
    level: Level = "corpus",
    effective_order: bool | None = None,
    formula: Formula | None = None,
    selection: Selection | None = None,
    iterations: int | None = None,
    strip: bool = False,
    detailed: bool = False,
    n_resamples: int = 0,
    confidence_level: float | None = 0.95,
    seed: int = 12345,
) -> dict[str, Any]:
    """Score corrections against references, given the sources, with GREEN or another score.

    Large corpora are spread over `pyarrow.cpu_count()` threads. An option that is None has the
    metric's own default; a metric refuses options that it does not have.

    Args:
        sources (list of str): The original sentences, one per item; for "green" and "gleu" only.
        predictions (list of str): The corrected sentences.
        references (list of str, or list of lists of str): The reference corrections; for each
            sentence one text or any number of texts.
        metric (str): The score: "green", "gleu", "bleu", "rouge" (ROUGE-N, the recall of order N)
            or "f1" (the harmonic mean of BLEU and ROUGE-N).
        tokenizer (str or callable): What n-grams are made of: "word" splits at whitespace, "char"
            takes code points, "13a" and "intl" separate punctuation from words as sacreBLEU does;
            "zh", "ja-mecab" and "ko-mecab" are sacreBLEU's and need it. A function from a text to
            its tokens works, too.
        max_order (int): N, the length of the longest n-grams; 4 by default, or 6 for characters.
        beta (float or list of float): GREEN: the weight of recall over precision, a positive number
            or infinity; 2 by default. Several values give several results.
        level (str): "corpus" adds up the counts of all sentences, "sentence" gives one value per
            sentence, and "mean" is the mean of those.
        effective_order (bool): GREEN: leave out the orders for which all texts are too short;
            without it, a sentence of fewer than N tokens scores 0, as published.
        formula (str): GLEU: the penalty, "official", as the original implementation computes it
            (the default), or "paper", as the paper defines it.
        selection (str): How a sentence's references are combined: "max" takes the best one (GREEN's
            default), "mean" averages over them (GREEN at the levels "mean" and "sentence"), and
            "sample" draws them at random, always in the same way, and averages (GLEU's default).
        iterations (int): GLEU: how many times references are drawn; 500 by default.
        strip (bool): First remove the whitespace around every text.
        detailed (bool): Add the parts of the score at every order, the chosen references (level
            "sentence", where one is chosen) and a signature that pins every setting.
        n_resamples (int): Number of bootstrap resamples of the sentences for a confidence interval;
            0 for none.
        confidence_level (float): Confidence level of the interval.
        seed (int): Seed of the resamples.

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
    corpus = Corpus.check(sources, {"predictions": predictions}, references)
    return count(corpus, [options])[0].score()


def compare(
    systems: "Systems",
    sources: Sequence[str] | None = None,
    references: "References | None" = None,
    *,
    metrics: Sequence[str] | None = None,
    gold: "Gold | None" = None,
    baseline: str | None = None,
    paired: PairedTest | None = "ar",
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
        gold: The gold edits: an M2 file, or what `corpus.read_edits` returned; or, if they differ,
            a dictionary of those, {"m2": …, "errant": …}. Sources and references may then be left
            out: they are those of the first gold edits.
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
    if n_resamples is None:
        n_resamples = 0 if str(options.get("level")) == "sentence" else N_RESAMPLES
    settings = make_settings(metrics, {**options, "paired": paired, "n_resamples": n_resamples})
    corpus = make_corpus(systems, sources, references, gold, settings)
    index = system_index(baseline, corpus)
    statistics = count_each(corpus, settings)
    results = [each.results(index) for each in statistics]
    return to_frame(join_columns(statistics, list(corpus.systems), results))


def to_frame(columns: Mapping[str, Sequence]) -> "pandas.DataFrame":
    import pandas  # takes longer than scoring most corpora

    return pandas.DataFrame(columns)


def make_settings(metrics: Sequence[str] | None, options: Mapping[str, Any]) -> list[Options]:
    """The checked options of each metric: those of `metrics`, or the one among the options."""
    if metrics is None:
        own = {name: value for name, value in options.items() if name != "metric"}
        return [Options.make(options.get("metric", "green"), own)]
    if "metric" in options:
        raise TypeError("give metric, one score, or metrics, a list of them, but not both")
    if not is_sequence(metrics) or not len(metrics):
        raise TypeError(f"metrics must be a list of scores, not {short_repr(metrics)}")
    return Options.make_each(metrics, options)


def make_corpus(
    systems: Any, sources: Any, references: Any, gold: Any, settings: Sequence[Options]
) -> Corpus:
    """The corpus of what a user passed; sources and references may be those of gold edits."""
    for metric in (each.metric for each in settings):
        has_gold = metric in gold if isinstance(gold, Mapping) else gold is not None
        if metric in EDIT_METRICS and not has_gold:
            forms = f"gold='gold.m2' or gold={{{metric!r}: 'gold.m2'}}"
            raise ValueError(f"gold edits of {metric} are missing; give an M2 file: {forms}")
    if gold is None:
        return Corpus.check(sources, systems, references, label="systems[{!r}]")
    from .corpus.gold import corpus_with_gold  # not part of a metric loaded from the Hub

    corpus = corpus_with_gold(systems, sources, references, gold)
    if sources is None and not need_sources(settings):  # BLEU refuses those of the gold edits
        corpus = replace(corpus, sources=None)
    return corpus


def need_sources(settings: Sequence[Options]) -> bool:
    return any(each.metric in EDIT_METRICS or make_metric(each).needs_sources for each in settings)


def system_index(baseline: str | None, corpus: Corpus) -> int:
    """The number of the system to compare with; by default the first one."""
    names = list(corpus.systems)
    if baseline is not None and baseline not in names:
        raise ValueError(f"baseline must be one of the systems, {names}, not {baseline!r}")
    return 0 if baseline is None else names.index(baseline)


def count_each(
    corpus: Corpus,
    settings: Sequence[Options],
    *,
    warn: Warn | None = warn_user,
    progress: Progress = no_progress,
) -> list[Statistics]:
    """The statistics of each setting: scores of edits, then n-gram metrics in one pass."""
    ngram_settings = [each for each in settings if each.metric not in EDIT_METRICS]
    if len(ngram_settings) == len(settings):
        return count(corpus, settings, warn=warn, progress=progress)
    from .edits import count as count_edits

    # Scores of edits come first: their advice, to tokenise, is right for all; a tokenizer is not.
    warn = warn and WarnOnce(warn)
    statistics = {
        each.metric: count_edits(corpus, each, warn, progress)
        for each in settings
        if each.metric in EDIT_METRICS
    }
    if ngram_settings:
        # BLEU, for example, refuses the sources that scores of edits need.
        texts = corpus if need_sources(ngram_settings) else replace(corpus, sources=None)
        counted = count(texts, ngram_settings, warn=warn, progress=progress)
        statistics |= zip((each.metric for each in ngram_settings), counted, strict=True)
    return [statistics[each.metric] for each in settings]


def join_columns(
    statistics: Sequence[Statistics], names: Sequence[str], results: Sequence[Values]
) -> dict[str, list]:
    """The columns of several scores: names begin with the score's, but for the score itself."""
    if len(statistics) == 1:
        return statistics[0].columns(names, results[0])
    columns: dict[str, list] = {}
    for each, values in zip(statistics, results, strict=True):
        metric = each.options.metric
        for name, column in each.columns(names, values).items():
            is_shared = name in ("system", "sentence", metric)
            columns[name if is_shared else f"{metric}_{name}"] = column
    return columns
