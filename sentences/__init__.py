"""Which sentences matter: those that make the difference between two systems, and the worst ones.

A sentence matters by its effect on the score of the corpus, computed with another correction in its
place. Sentence scores do not tell: short sentences have extreme ones, but hardly count.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import api, inputs
from ..corpus import Annotated, Corpus, Edits
from ..options import EDIT_METRICS, N_SENTENCES, Options, is_list, or_none, shown, whole

if TYPE_CHECKING:
    import pandas

    Systems = Mapping[str, Sequence[str] | Sequence[Annotated]]
    References = Sequence[str] | Sequence[Sequence[str]]
    Gold = str | PathLike[str] | Sequence[Annotated]

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
    import pandas as pd  # takes longer than scoring most corpora

    or_none(whole(1))("n", n)
    checked = _options(metric, options)
    texts, edits = as_lists(_two_of(systems, between), sources, references, gold, [checked])
    statistics = _count(texts, edits, checked)
    return pd.DataFrame(difference_columns(texts, statistics, checked.level, (0, 1), n))


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
    import pandas as pd

    or_none(whole(1))("n", n)
    checked = _options(metric, options)
    texts, edits = as_lists(systems, sources, references, gold, [checked])
    statistics = _count(texts, edits, checked)
    of_references = count_references(texts, edits, statistics.options)
    return pd.DataFrame(worst_columns(texts, statistics, of_references, checked.level, n))


def _options(metric: str, given: Mapping[str, Any]) -> Options:
    fixed = {"detailed": False, "n_resamples": 0, "seed": 0, "paired": None}
    checked = Options.of(metric, given, "systems", **fixed, confidence_level=None)
    if is_list(checked.beta):
        raise ValueError(f"beta must be one number here, not {shown(checked.beta)}")
    if checked.level == "sentence":
        raise ValueError(
            "sentences contribute to the score of a corpus, so level must be 'corpus' or 'mean', "
            "not 'sentence'"
        )
    return checked


def _two_of(systems: "Systems", between: Sequence[str] | None) -> "Systems":
    """The two systems to compare."""
    api.named_systems(systems)  # refuses all but a dictionary
    names = list(systems)
    if len(names) < 2:
        raise ValueError(f"a difference is between two systems, but systems has {names} only")
    pair = names if between is None and len(names) == 2 else between
    is_pair = is_list(pair) and len(pair) == 2 and pair[0] != pair[1]
    if not is_pair or any(name not in names for name in pair):
        raise ValueError(f"between must be two of the systems, {names}, not {shown(between)}")
    return {name: systems[name] for name in pair}


def as_lists(
    systems: "Systems",
    sources: Any,
    references: Any,
    gold: Any,
    settings: Sequence[Options],
) -> tuple[Corpus, Edits | None]:
    """What users pass, as lists, and the edits, if the settings need them."""
    named, sources, references, edits = api.texts_and_edits(
        systems, sources, references, gold, settings
    )
    (column,) = inputs.columns([("references", references)])
    lists = inputs.references(column, 0, len(column)).to_pylist()
    if sources is not None:
        sources = inputs.strings("sources", sources)
    corrected = [inputs.strings(name, texts) for name, texts in named]
    return Corpus(sources, [*zip(systems, corrected, strict=True)], lists), edits


def _count(texts: Corpus, edits: Edits | None, options: Options) -> api.Statistics:
    """The statistics of each sentence."""
    named = [(f"systems[{name!r}]", corrected) for name, corrected in texts.systems]
    settings = [options.replace(level="sentence")]
    (found,) = api.count(texts.sources, named, texts.references, settings, edits=edits)
    return found


def count_references(texts: Corpus, edits: Edits | None, options: Options) -> api.Statistics:
    """The statistics of the references as systems: of the first ones, of the second ones, …

    The options are those of the statistics of systems, at the level "sentence".
    """
    if options.metric in EDIT_METRICS:
        of_annotators = [
            [sentence._replace(edits={0: of_one}) for of_one in sentence.edits.values()]
            for sentence in edits.gold
        ]
        edits = Edits(edits.gold, _as_systems(of_annotators))
        systems = [[each.references[0] for each in annotated] for annotated in edits.systems]
    else:
        systems = _as_systems(texts.references)
    named = [("references", corrected) for corrected in systems]
    # The texts have been warned about already.
    (found,) = api.count(texts.sources, named, texts.references, [options], warn=None, edits=edits)
    return found


def _as_systems(lists: Sequence[Sequence]) -> list[list]:
    """Entries (sentence, reference) as (system, sentence); shorter lists repeat their last one."""
    n_systems = max(map(len, lists))
    return [[some[min(index, len(some) - 1)] for some in lists] for index in range(n_systems)]


def difference_columns(
    texts: Corpus,
    statistics: api.Statistics,
    level: str,
    pair: Sequence[int],
    n: int | None,
) -> dict[str, list]:
    """The columns of `differences` between two systems, given the statistics of each sentence."""
    metric, of_pair = statistics.options.metric, statistics.of_systems(list(pair))
    (effects,) = contributions(of_pair, level, [(0, 1)])
    rows = largest(np.abs(effects), n)
    named = [texts.systems[index] for index in pair]
    scores = of_pair.results()[metric][0]  # (system, sentence)
    found = {"sentence": rows.tolist(), "contribution": effects[rows].tolist()}
    for (name, _), of_system in zip(named, scores, strict=True):
        found[f"{metric}_{name}"] = of_system[rows].tolist()
    if texts.sources is not None:
        found["source"] = [texts.sources[row] for row in rows]
    for name, corrected in named:
        found[f"prediction_{name}"] = [corrected[row] for row in rows]
    return found | {"references": [list(texts.references[row]) for row in rows]}


def worst_columns(
    texts: Corpus,
    statistics: api.Statistics,
    of_references: api.Statistics,
    level: str,
    n: int | None,
) -> dict[str, list]:
    """The columns of `worst_sentences`, given the statistics of each sentence."""
    metric, of_systems = statistics.options.metric, costs(statistics, of_references, level)
    scores = statistics.results()[metric][0]
    found: dict[str, list] = {}
    for index, (name, corrected) in enumerate(texts.systems):
        rows = largest(of_systems[index], n)
        columns = {
            "system": [name] * len(rows),
            "sentence": rows.tolist(),
            "cost": of_systems[index, rows].tolist(),
            metric: scores[index, rows].tolist(),
        }
        if texts.sources is not None:
            columns["source"] = [texts.sources[row] for row in rows]
        columns["prediction"] = [corrected[row] for row in rows]
        columns["references"] = [list(texts.references[row]) for row in rows]
        for key, values in columns.items():
            found.setdefault(key, []).extend(values)
    return found


def contributions(
    statistics: api.Statistics, level: str, pairs: Sequence[tuple[int, int]]
) -> np.ndarray:
    """What each sentence contributes to the differences between systems: (pair, sentence)."""
    swaps = [swap for one, other in pairs for swap in ((one, other), (other, one))]
    gains = _gains(statistics, statistics, level, swaps)
    return (gains[1::2] - gains[::2]) / 2


def costs(statistics: api.Statistics, of_references: api.Statistics, level: str) -> np.ndarray:
    """What each sentence costs the systems: (system, sentence)."""
    n_systems, n_references = (each.summands.shape[1] for each in (statistics, of_references))
    swaps = [*product(range(n_systems), range(n_references))]
    gains = _gains(statistics, of_references, level, swaps)
    return gains.reshape(n_systems, n_references, -1).max(axis=1)


def _gains(
    statistics: api.Statistics,
    others: api.Statistics,
    level: str,
    swaps: Sequence[tuple[int, int]],
) -> np.ndarray:
    """What the corpus's score gains if one sentence is swapped, for each: (swap, sentence).

    A swap is between one of our systems and one of the others.
    """
    scoring, metric = statistics.scoring, statistics.options.metric
    n_references = statistics.n_references
    if level == "mean":
        before, after = (
            scoring.of_sentences(scoring.values(each.summands), n_references)[metric][0]
            for each in (statistics, others)
        )
        gained = np.array([after[other] - before[one] for one, other in swaps])
        return gained / len(n_references)

    def draws(each: api.Statistics) -> Iterator[np.ndarray]:
        return scoring.of_each_draw(each.summands, n_references)

    pairs = ((each, each) for each in draws(statistics))
    if others is not statistics:
        pairs = zip(draws(statistics), draws(others), strict=True)
    n_draws, gains = 0, np.zeros((len(swaps), len(n_references)))
    for before, after in pairs:
        sums = before.sum(axis=2, keepdims=True)
        values = scoring.values(sums)[metric][0]  # (system, 1)
        for gain, (one, other) in zip(gains, swaps, strict=True):
            changed = sums[:, [one]] + (after[:, [other]] - before[:, [one]])
            gain += scoring.values(changed)[metric][0, 0] - values[one]
        n_draws += 1
    return gains / n_draws


def largest(sizes: np.ndarray, n: int | None) -> np.ndarray:
    """The sentences with the largest of positive sizes (sentence,), the first ones on a tie."""
    rows = np.argsort(-sizes, kind="stable")[:n]
    return rows[sizes[rows] > _ROUNDING]
