"""Which sentences matter: those that make the difference between two systems, and the worst ones.

A sentence matters by its effect on the score of the corpus, computed with another correction in its
place. Sentence scores do not tell: short sentences have extreme ones, but hardly count.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..api import count_each, make_corpus, to_frame
from ..counting import Statistics
from ..inputs import Corpus
from ..metrics import Values
from ..options import EDIT_METRICS, N_SENTENCES, Options, check_int, is_sequence, short_repr

if TYPE_CHECKING:
    import pandas

    from ..api import Gold, References, Systems

# Effects up to this are rounding errors.
_ROUNDING = 1e-12


def differences(
    systems: "Systems",
    sources: Sequence[str] | None = None,
    references: "References | None" = None,
    metric: str = Options.metric,
    *,
    between: Sequence[str] | None = None,
    gold: "Gold | None" = None,
    n: int | None = N_SENTENCES,
    **options: Any,
) -> "pandas.DataFrame":
    """Find the sentences that make the difference between two systems.

    A sentence contributes half of what the difference between the two scores of the corpus would
    lose if the systems swapped their corrections of it. So the contributions do not depend on which
    system comes first, but for their sign, and at the level "mean" they add up to the difference.
    For "m2" and "errant", each sentence keeps its annotators, as in the tests of `compare`.

    Args:
        systems: Each system's corrected sentences, by its name, or its edits, as in `compare`.
        sources: The original sentences, one per item, if the score needs them.
        references: The reference corrections; for each sentence one text or any number of texts.
        metric: The score, as in `compare`.
        between: The names of the two systems; by default all of them, if there are two.
        gold: The gold edits, as in `compare`.
        n: How many sentences to list; None for all.
        options: The options of the score, with one value of beta; the level is "corpus" or "mean".

    Returns:
        A table with one row per sentence (counted from 0), the largest contribution first, whoever
        it favours: "contribution" to the score of the first system minus that of the second, so
        positive if it favours the first; both sentence scores, like "green_A"; the source; both
        corrections, like "prediction_A"; and the list of references. Sentences that contribute
        nothing are left out.

    Examples:
        >>> from green_gec import differences
        >>> systems = {
        ...     "careful": ["I has two cats .", "He goes home now ."],
        ...     "bold": ["I have two cats .", "He go home now ."],
        ... }
        >>> sources = ["I has two cat .", "He go home now ."]
        >>> references = ["I have two cats .", "He goes home now ."]
        >>> table = differences(systems, sources, references)
        >>> print(table[["sentence", "contribution"]].round(2).to_string(index=False))
         sentence  contribution
                1          0.31
                0         -0.24
    """
    checked = _check_options(metric, options, n)
    corpus = make_corpus(systems, sources, references, gold, [checked]).to_lists()
    corpus = _select_two(corpus, between)
    return to_frame(difference_columns(corpus, _count(corpus, checked), (0, 1), n))


def worst_sentences(
    systems: "Systems",
    sources: Sequence[str] | None = None,
    references: "References | None" = None,
    metric: str = Options.metric,
    *,
    gold: "Gold | None" = None,
    n: int | None = N_SENTENCES,
    **options: Any,
) -> "pandas.DataFrame":
    """Find the sentences that cost each system most.

    A sentence costs what the score of the corpus would gain if its correction were a reference, the
    one that gains most. So a sentence comes first not for a low score of its own, but because there
    is much to gain by correcting it.

    Args:
        systems: Each system's corrected sentences, by its name, or its edits, as in `compare`.
        sources: The original sentences, one per item, if the score needs them.
        references: The reference corrections; for each sentence one text or any number of texts.
        metric: The score, as in `compare`.
        gold: The gold edits, as in `compare`. For "m2" and "errant", they are the references.
        n: How many sentences to list for each system; None for all.
        options: The options of the score, with one value of beta; the level is "corpus" or "mean".

    Returns:
        A table with one row per system and sentence (counted from 0), the most costly first:
        "cost", the sentence's score, the source, the correction ("prediction") and the list of
        references. Sentences that cost nothing are left out.

    Examples:
        >>> from green_gec import worst_sentences
        >>> systems = {"bold": ["I have two cats .", "He go home now ."]}
        >>> sources = ["I has two cat .", "He go home now ."]
        >>> references = ["I have two cats .", "He goes home now ."]
        >>> table = worst_sentences(systems, sources, references)
        >>> table[["system", "sentence", "cost"]].round(2).values.tolist()
        [['bold', 1, 0.29]]
    """
    checked = _check_options(metric, options, n)
    corpus = make_corpus(systems, sources, references, gold, [checked]).to_lists()
    return to_frame(worst_columns(corpus, _count(corpus, checked), n))


def _check_options(metric: str, options: Mapping[str, Any], n: int | None) -> Options:
    if n is not None:
        check_int("n", n, 1)
    fixed = {"detailed": False, "n_resamples": 0, "seed": 0, "confidence_level": None}
    return Options.make_for_parts(metric, options, **fixed)


def _select_two(corpus: Corpus, between: Sequence[str] | None) -> Corpus:
    """The corpus with the two systems to compare only."""
    names = list(corpus.systems)
    if len(names) < 2:
        raise ValueError(f"a difference is between two systems, but systems has {names} only")
    pair = names if between is None and len(names) == 2 else between
    is_pair = is_sequence(pair) and len(pair) == 2 and pair[0] != pair[1]
    if not is_pair or any(name not in names for name in pair):
        raise ValueError(f"between must be two of the systems, {names}, not {short_repr(between)}")
    return replace(corpus, systems={name: corpus.systems[name] for name in pair})


def _count(corpus: Corpus, options: Options) -> Statistics:
    """The statistics of each sentence."""
    (statistics,) = count_each(corpus, [options.replace(level="sentence")])
    return statistics.replace(level=options.level)


def difference_columns(
    corpus: Corpus, statistics: Statistics, pair: Sequence[int], n: int | None
) -> dict[str, list]:
    """The columns of `differences` between two systems, given the statistics of each sentence."""
    metric, pair_statistics = statistics.options.metric, statistics.select_systems(pair)
    (effects,) = contributions(pair_statistics, [(0, 1)])
    names = [list(corpus.systems)[index] for index in pair]
    scores = pair_statistics.sentence_values()[metric][0]  # (system, sentence)
    numbers = {"contribution": effects}
    numbers |= {f"{metric}_{name}": values for name, values in zip(names, scores, strict=True)}
    predictions = {f"prediction_{name}": corpus.systems[name] for name in names}
    return _columns(corpus, largest(np.abs(effects), n), numbers, predictions)


def worst_columns(corpus: Corpus, statistics: Statistics, n: int | None) -> dict[str, list]:
    """The columns of `worst_sentences`, given the statistics of each sentence."""
    metric = statistics.options.metric
    all_costs = costs(corpus, statistics)
    scores = statistics.sentence_values()[metric][0]  # (system, sentence)
    columns: dict[str, list] = {}
    for index, (name, texts) in enumerate(corpus.systems.items()):
        rows = largest(all_costs[index], n)
        numbers = {"cost": all_costs[index], metric: scores[index]}
        own_columns = {"system": [name] * len(rows)}
        own_columns |= _columns(corpus, rows, numbers, {"prediction": texts})
        for key, values in own_columns.items():
            columns.setdefault(key, []).extend(values)
    return columns


def _columns(corpus: Corpus, rows: np.ndarray, numbers: Values, predictions: Mapping) -> dict:
    """The columns of some sentences, given the numbers and corrections of all of them."""
    texts = {"source": corpus.sources, **predictions, "references": corpus.references}
    columns = {"sentence": rows.tolist()}
    columns |= {name: values[rows].tolist() for name, values in numbers.items()}
    for name, column in texts.items():
        if column is not None:  # there may be no sources
            columns[name] = [column[row] for row in rows]
    return columns


def contributions(statistics: Statistics, pairs: Sequence[tuple[int, int]]) -> np.ndarray:
    """What each sentence contributes to the differences between systems: (pair, sentence)."""
    gains = _gains(statistics, statistics)
    return np.array([(gains[other, one] - gains[one, other]) / 2 for one, other in pairs])


def costs(corpus: Corpus, statistics: Statistics) -> np.ndarray:
    """What each sentence costs the systems: (system, sentence)."""
    return _gains(statistics, _count_references(corpus, statistics)).max(axis=1)


def _count_references(corpus: Corpus, statistics: Statistics) -> Statistics:
    """The statistics of the references as systems: of the first ones, of the second ones, …"""
    options = statistics.options.replace(level="sentence", n_resamples=0)
    edits = {}
    if options.metric in EDIT_METRICS:
        annotations = [
            [sentence._replace(edits={0: annotation}) for annotation in sentence.edits.values()]
            for sentence in corpus.gold[options.metric]
        ]
        edits = dict(enumerate(_to_systems(annotations)))
        systems = {n: [each.references[0] for each in own] for n, own in edits.items()}
    else:
        systems = dict(enumerate(_to_systems(corpus.references)))
    sources = corpus.sources if statistics.metric.needs_sources else None
    references = replace(corpus, sources=sources, systems=systems, edits=edits)
    # The texts have been warned about already.
    return count_each(references, [options], warn=None)[0]


def _to_systems(lists: Sequence[Sequence]) -> list[list]:
    """Entries (sentence, reference) as (system, sentence); shorter lists repeat their last one."""
    n_systems = max(map(len, lists))
    return [
        [entries[min(index, len(entries) - 1)] for entries in lists] for index in range(n_systems)
    ]


def _gains(statistics: Statistics, others: Statistics) -> np.ndarray:
    """What the corpus's score gains if one sentence is another system's: (system, other, sentence).

    The others are systems of their own statistics.
    """
    metric, name = statistics.metric, statistics.options.metric
    n_sentences = len(statistics.n_references)
    if statistics.options.level == "mean":
        before, after = (each.sentence_values()[name][0] for each in (statistics, others))
        return (after - before[:, None]) / n_sentences
    n_draws, gains = 0, np.zeros((statistics.rows.shape[1], others.rows.shape[1], n_sentences))
    # Where references are drawn, both see the same ones.
    for before, after in zip(statistics.summands(), others.summands(), strict=True):
        before, after = _sentences_last(before), _sentences_last(after)
        sums = before.sum(axis=2, keepdims=True)
        scores = metric.values(sums)[name][0]  # (system, 1)
        for system, gain in enumerate(gains):
            changed = sums[:, [system]] + (after - before[:, [system]])
            gain += metric.values(changed)[name][0] - scores[system]
        n_draws += 1
    return gains / n_draws


def _sentences_last(values: np.ndarray) -> np.ndarray:
    """The same values (beta, system, sentence, …), with the sentences next to each other in memory.

    NumPy is several times as fast along them as along the short last axes.
    """
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(values, 2, -1)), -1, 2)


def largest(sizes: np.ndarray, n: int | None) -> np.ndarray:
    """The sentences with the largest of positive sizes (sentence,), the first ones on a tie."""
    rows = np.argsort(-sizes, kind="stable")[:n]
    return rows[sizes[rows] > _ROUNDING]
