"""Which kinds of errors a system corrects: the gold edits that it has, by error type.

This module counts; which edits match is known to the scores.
"""

from collections import Counter
from collections.abc import Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from ..api import make_corpus, to_frame
from ..counting import Statistics
from ..options import EDIT_METRICS, Options, check_choice, check_int, short_repr
from . import match
from .matches import Matches

if TYPE_CHECKING:
    import pandas

    from ..api import Gold, Systems

# What tables have of each type. M² does not know the types of wrong edits.
_COLUMNS = {
    "m2": ("gold", "correct", "recall", "low", "high"),
    "errant": ("gold", "correct", "proposed", "precision", "recall", "low", "high", "errant"),
}


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
    check_choice("metric", metric, EDIT_METRICS)
    check_int("tier", tier, 1, 3)
    fixed = {"level": "corpus", "detailed": False, "n_resamples": 0, "seed": 0, "paired": None}
    checked = Options.make(metric, options, **fixed)
    checked.check_one_beta()
    corpus = make_corpus(systems, None, None, gold, [checked])
    return to_frame(type_columns(list(systems), match(corpus, checked), tier))


def type_columns(names: Sequence[str], matches: Matches, tier: int) -> dict[str, list]:
    """The columns of `error_types`, given the matches."""
    statistics = matches.statistics()
    n_annotators = statistics.n_references
    entries = statistics.metric.choose(statistics.rows, n_annotators)[0]
    chosen = entries - (n_annotators.cumsum() - n_annotators)  # (system, sentence)
    systems = [_count_types(matches, *pair, tier) for pair in enumerate(chosen.tolist())]
    annotations = [edits for annotators in matches.gold for edits in annotators]
    n_edits = Counter(_at_tier(edit.type, tier) for edits in annotations for edit in edits)
    for _, proposed, _ in systems:  # also types that are never gold
        n_edits.update(dict.fromkeys(proposed, 0))
    types = sorted(n_edits, key=lambda kind: (-n_edits[kind], kind))
    counts = [[each[kind] for each in counters] for counters in systems for kind in types]
    return {
        "system": [name for name in names for _ in types],
        "type": types * len(names),
        "edits": [n_edits[kind] for kind in types] * len(names),
        **_results(np.array(counts).reshape(-1, 3), statistics),
    }


def _count_types(
    matches: Matches, system: int, chosen: list[int], tier: int
) -> tuple[Counter, Counter, Counter]:
    """A system's correct, proposed and gold edits by type, with each sentence's chosen annotator.

    M² does not know the types of wrong edits, so for M² only correct edits are proposed.
    """
    correct, proposed, gold = Counter(), Counter(), Counter()
    for sentence, annotator in enumerate(chosen):
        comparison = matches.systems[system][sentence][annotator]
        kinds = [_at_tier(edit.type, tier) for edit in matches.gold[sentence][annotator]]
        gold.update(kinds)
        correct.update(kinds[number] for number in comparison.correct)
        proposed.update(_at_tier(kind, tier) for kind in comparison.wrong)
    return correct, correct + proposed, gold


def _at_tier(kind: str, tier: int) -> str:
    if tier == 3 or kind == "UNK":
        return kind
    operation, colon, main_type = kind.partition(":")
    if not colon or operation not in ("M", "R", "U"):
        raise ValueError(
            f"{short_repr(kind)} is not one of ERRANT's types, like R:NOUN; other types have "
            "tier 3 only, the whole type"
        )
    return operation if tier == 1 else main_type


def _results(counts: np.ndarray, statistics: Statistics) -> dict[str, list]:
    """The other columns of each type, given its correct, proposed and gold edits, (type, 3)."""
    (correct, _, gold), options = counts.T, statistics.options
    values = {name: value[0] for name, value in statistics.metric.values(counts[None]).items()}
    if options.metric == "m2":  # unlike ERRANT's, no recall where there is nothing to find
        values["recall"] = np.where(gold > 0, values["recall"], np.nan)
    if options.confidence_level:
        values["low"], values["high"] = _interval(correct, gold, float(options.confidence_level))
    return {name: values[name].tolist() for name in _COLUMNS[options.metric] if name in values}


def _interval(correct: np.ndarray, gold: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Wilson's interval (1927) of a share: not empty where all, or none, of a few are found."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    with np.errstate(invalid="ignore"):
        width = z * np.sqrt(z**2 + 4 * correct * (1 - correct / gold))
    low, high = ((2 * correct + z**2 + side) / (2 * (gold + z**2)) for side in (-width, width))
    return low, np.minimum(high, 1.0)
