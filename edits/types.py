"""Which kinds of errors a system corrects: the gold edits that it found, by error type."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from ..api import to_frame
from ..corpus.m2 import Annotated
from ..metrics import f_beta
from ..options import Options, check_choice, check_int, short_repr
from .counting import Match, Matches, complete_corpus, make_statistics, match_edits

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
    check_choice("metric", metric, ("m2", "errant"))
    check_int("tier", tier, 1, 3)
    fixed = {"level": "corpus", "detailed": False, "n_resamples": 0, "seed": 0, "paired": None}
    checked = Options.make(metric, options, **fixed)
    checked.check_one_beta()
    corpus = complete_corpus(systems, sources=None, references=None, gold=gold)
    matches = match_edits(corpus, checked)
    return to_frame(type_columns(list(systems), matches, checked, tier))


def type_columns(
    names: Sequence[str], matches: Matches, options: Options, tier: int
) -> dict[str, list]:
    """The columns of `error_types`, given what became of the gold edits."""
    n_edits = Counter(
        _at_tier(edit.type, tier)
        for annotators in matches.gold
        for edits in annotators
        for edit in edits
    )
    statistics = make_statistics(matches, options)
    entries = statistics.metric.choose(statistics.rows, statistics.n_references)[0]
    systems = [list(_chosen_annotators(matches, *pair)) for pair in enumerate(entries)]
    if options.metric == "errant":  # also types that are proposed, but never gold
        for sentences in systems:
            for _, match in sentences:
                n_edits.update({_at_tier(kind, tier): 0 for kind in match.wrong})
    types = sorted(n_edits, key=lambda kind: (-n_edits[kind], kind))
    columns: dict[str, list] = {}
    for name, sentences in zip(names, systems, strict=True):
        rows = {"system": [name] * len(types), "type": types}
        rows["edits"] = [n_edits[kind] for kind in types]
        rows |= _results(_counts(sentences, types, tier), options)
        for key, values in rows.items():
            columns.setdefault(key, []).extend(values)
    return columns


def _chosen_annotators(
    matches: Matches, system: int, entries: np.ndarray
) -> Iterator[tuple[list, Match]]:
    """Each sentence's gold edits of the chosen annotator, and what became of them."""
    firsts = np.cumsum(matches.n_annotators) - matches.n_annotators
    for sentence, annotator in enumerate((entries - firsts).tolist()):
        yield matches.gold[sentence][annotator], matches.systems[system][sentence][annotator]


def _at_tier(kind: str, tier: int) -> str:
    if tier == 3 or kind == "UNK":
        return kind
    if not _ERRANTS.match(kind):
        raise ValueError(
            f"{short_repr(kind)} is not one of ERRANT's types, like R:NOUN; other types have no "
            "tiers"
        )
    return kind[_TIERS[tier]]


def _counts(sentences: Sequence[tuple[list, Match]], types: Sequence[str], tier: int) -> np.ndarray:
    """Correct, proposed and gold edits, (3, type); M² knows no types of wrong edits."""
    correct, wrong, gold_edits = Counter(), Counter(), Counter()
    for gold, match in sentences:
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
    results = {"gold": gold, "correct": correct}
    with np.errstate(invalid="ignore"):
        precision, recall = correct / proposed, correct / gold  # NaN where there are none
    if options.metric == "errant":
        # As in ERRANT, they are 1 where nothing was proposed, or is to be done.
        precision, recall = (np.nan_to_num(values, nan=1.0) for values in (precision, recall))
        results |= {"proposed": proposed, "precision": precision}
    results["recall"] = recall
    if options.confidence_level:
        results["low"], results["high"] = _interval(correct, gold, float(options.confidence_level))
    if options.metric == "errant":
        results["errant"] = f_beta(precision, recall, options.betas[0])
    return {name: values.tolist() for name, values in results.items()}


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
