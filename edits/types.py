"""Which kinds of errors a system corrects: the gold edits that it found, by error type."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import api
from ..corpus.m2 import Annotated
from ..options import Options, is_list, one_of, shown, whole
from ..scores import f_beta
from . import counting

if TYPE_CHECKING:
    import pandas

    Systems = Mapping[str, Sequence[str] | Sequence[Annotated]]
    Gold = str | PathLike[str] | Sequence[Annotated]

# Parts of ERRANT's types, like R:NOUN:NUM, by tier: the operation, the main type, and all of it.
_TIERS = {1: slice(0, 1), 2: slice(2, None), 3: slice(None)}
_ERRANTS = re.compile("[MRU]:")


def error_types(
    systems: "Systems",
    gold: "Gold",
    metric: str = "m2",
    *,
    tier: int = 3,
    **options: Any,
) -> "pandas.DataFrame":
    """Count the gold edits that systems found, by error type.

    Each sentence counts with the annotator that the score chooses for the system, so the numbers of
    gold edits may differ between systems.

    Args:
        systems: Each system's corrected sentences, by its name, or its edits, as in `compare`.
        gold: The gold edits, as in `compare`.
        metric: The score that finds the edits: "m2" or "errant".
        tier: Of ERRANT's types, like R:NOUN:NUM, take the operation (1), the main type (2) or both
            (3).
        options: Options of the score, and `confidence_level` (0.95 by default).

    Returns:
        A table with one row per system and type, the most frequent type first: how many gold edits
        of the type all annotators together have ("edits"), how many the chosen ones have ("gold"),
        how many of these the system found ("correct"), the recall and its confidence interval
        ("low" to "high", after Wilson); for "errant" also "proposed", the precision and the score.

    Examples:
        >>> from green_gec import error_types
        >>> from green_gec.corpus import Annotated, Edit
        >>> edits = [Edit(1, 2, (("goes",),), "R:VERB:SVA"), Edit(3, 3, ((".",),), "M:PUNCT")]
        >>> gold = [Annotated(["She", "go", "home"], {0: edits})]
        >>> table = error_types({"ours": ["She goes home"]}, gold)
        >>> table[["type", "gold", "correct"]].values.tolist()
        [['M:PUNCT', 1, 0], ['R:VERB:SVA', 1, 1]]
    """
    import pandas as pd  # takes longer than matching most corpora

    one_of(("m2", "errant"))("metric", metric)
    whole(1, 3)("tier", tier)
    fixed = {"level": "corpus", "detailed": False, "n_resamples": 0, "seed": 0, "paired": None}
    checked = Options.of(metric, options, "systems", **fixed)
    if is_list(checked.beta):
        raise ValueError(f"beta must be one number here, not {shown(checked.beta)}")
    named = api.named_systems(systems)
    named, sources, references, edits = counting.prepare(named, None, None, gold)
    (statistics,) = api.count(sources, named, references, [checked], edits=edits)
    return pd.DataFrame(columns(list(systems), statistics, tier))


def columns(names: Sequence[str], statistics: api.Statistics, tier: int) -> dict[str, list]:
    """The columns of `error_types`, given the statistics of a score of edits."""
    matches = statistics.matches
    n_edits = Counter(
        _at_tier(edit.type, tier)
        for annotators in matches.gold
        for edits in annotators
        for edit in edits
    )
    chosen = statistics.scoring.choose(statistics.summands, statistics.n_references)[0]
    of_systems = [list(_chosen(matches, *pair)) for pair in enumerate(chosen)]
    if statistics.options.metric == "errant":  # also types that are proposed, but never gold
        for of_sentences in of_systems:
            for _, match in of_sentences:
                n_edits.update({_at_tier(kind, tier): 0 for kind in match.wrong})
    types = sorted(n_edits, key=lambda kind: (-n_edits[kind], kind))
    found: dict[str, list] = {}
    for name, of_sentences in zip(names, of_systems, strict=True):
        rows = {"system": [name] * len(types), "type": types}
        rows["edits"] = [n_edits[kind] for kind in types]
        rows |= _results(_counts(of_sentences, types, tier), statistics.options)
        for key, values in rows.items():
            found.setdefault(key, []).extend(values)
    return found


def _chosen(
    matches: counting.Matches, system: int, entries: np.ndarray
) -> Iterator[tuple[list, counting.Match]]:
    """Each sentence's gold edits of the chosen annotator, and what became of them."""
    firsts = np.cumsum(matches.n_annotators) - matches.n_annotators
    for sentence, annotator in enumerate((entries - firsts).tolist()):
        yield (
            matches.gold[sentence][annotator],
            matches.of_systems[system][sentence][annotator],
        )


def _at_tier(kind: str, tier: int) -> str:
    if tier == 3 or kind == "UNK":
        return kind
    if not _ERRANTS.match(kind):
        raise ValueError(
            f"{shown(kind)} is not one of ERRANT's types, like R:NOUN; other types have no tiers"
        )
    return kind[_TIERS[tier]]


def _counts(
    of_sentences: Sequence[tuple[list, counting.Match]], types: Sequence[str], tier: int
) -> np.ndarray:
    """Correct, proposed and gold edits, (3, type); M² knows no types of wrong edits."""
    correct, wrong, gold_edits = Counter(), Counter(), Counter()
    for gold, match in of_sentences:
        gold_edits.update(edit.type for edit in gold)
        correct.update(gold[number].type for number in match.found)
        wrong.update(getattr(match, "wrong", ()))
    counts = np.zeros((3, len(types)), dtype=np.int64)
    place = {kind: index for index, kind in enumerate(types)}
    for row, counter in zip(counts, (correct, correct + wrong, gold_edits), strict=True):
        for kind, number in counter.items():
            row[place[_at_tier(kind, tier)]] += number
    return counts


def _results(counts: np.ndarray, options: Options) -> dict[str, list]:
    """What is known of each type, given its correct, proposed and gold edits, (3, type)."""
    correct, proposed, gold = counts
    found = {"gold": gold, "correct": correct}
    with np.errstate(invalid="ignore"):
        precision, recall = correct / proposed, correct / gold  # NaN where there are none
    if options.metric == "errant":
        # As in ERRANT, they are 1 where nothing was proposed, or is to be done.
        precision, recall = (np.nan_to_num(values, nan=1.0) for values in (precision, recall))
        found |= {"proposed": proposed, "precision": precision}
    found["recall"] = recall
    if options.confidence_level:
        found["low"], found["high"] = _interval(correct, gold, float(options.confidence_level))
    if options.metric == "errant":
        found["errant"] = f_beta(precision, recall, options.betas[0])
    return {name: values.tolist() for name, values in found.items()}


def _interval(correct: np.ndarray, gold: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Wilson's interval (1927) of a share: not empty where all, or none, of a few are found."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = correct / gold
        middle = (share + z**2 / (2 * gold)) / (1 + z**2 / gold)
        width = z * np.sqrt(share * (1 - share) / gold + (z / (2 * gold)) ** 2) / (1 + z**2 / gold)
    return np.maximum(middle - width, 0.0), np.minimum(middle + width, 1.0)


def needs_edits(gold: Sequence[Annotated]) -> np.ndarray:
    """Whether an annotator edited a sentence: (sentence,)."""
    return np.array([any(sentence.edits.values()) for sentence in gold], dtype=bool)
