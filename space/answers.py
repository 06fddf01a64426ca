"""What visitors get. Each of these functions runs in a process of its own (`work`).

`pages` makes HTML of what `visitors` found. A corpus that was counted is in a file, whose path the
server keeps; if it is not there yet, it is written.
"""

import pickle
from contextlib import suppress
from typing import Any

from ..reporting import figures
from ..significance import Progress
from . import limits, pages, visitors

# In place of the second of two systems: the sentences that cost the first one most. No system has
# this name, because line breaks in names are escaped.
WORST = "\n"
EXPIRED = (
    "these sentences are no longer kept here: an hour has passed, or other visitors needed the "
    "room; score the files again"
)


def explain(**given: Any) -> dict[str, Any]:
    """The answer of the endpoint /explain."""
    found, warnings = visitors.explain(**given)
    ngrams = found.to_dicts()
    if len(ngrams) > limits.MOST_NGRAMS:
        cut = f"{len(ngrams):,} n-grams are too many to list; these are the first"
        warnings.append(f"{cut} {limits.MOST_NGRAMS:,}, shorter n-grams before longer ones")
    return {
        **found.result,
        "reference_scores": found.reference_scores,
        "ngrams": ngrams[: limits.MOST_NGRAMS],
        "warnings": warnings,
    }


def sentence(given: dict[str, Any], order: int) -> tuple[str, str, str]:
    """Scores and marked sentences, picture, table."""
    found, warnings = visitors.explain(**given)
    address = visitors.link(given | {"order": order})
    order = min(int(order), len(found.orders))
    shown = pages.summary(found, warnings, address)
    return shown, pages.venn(found, order), pages.orders(found)


def scores(path: str, paired: str, baseline: str | None, progress: Progress, **given: Any) -> str:
    """The answer of the endpoint /score, as JSON."""
    counted = _counted(path, progress, given)
    found = counted.find(paired, baseline, progress)
    return counted.to_json(found)


def systems(
    path: str, paired: str, baseline: str | None, progress: Progress, **given: Any
) -> tuple[str, list[str], str, list[str], list[tuple[str, int]]]:
    """The page of a corpus, its systems, the baseline, two systems, and their sentences."""
    counted = _counted(path, progress, given)
    names = counted.names
    # The baseline of other files is none of these.
    how = (paired, baseline if baseline in names[:-1] else None, progress)
    try:
        found, left_out = counted.find_all(*how), ""
    except limits.TooLong as error:
        found, left_out = counted.find(*how), str(error)
    shown = pages.systems(found, counted, left_out)
    first = names[found.baseline]
    # The best system beside the baseline; one system alone has its worst sentences.
    others = [names[index] for index in found.order if index != found.baseline]
    pair = [others[0], first] if others else [first, WORST]
    return shown, names, first, pair, _choices(counted, *pair)


def report(path: str, paired: str, baseline: str | None, progress: Progress, **given: Any) -> str:
    """A link that contains the report of a corpus."""
    counted = _counted(path, progress, given)
    page = counted.report(paired, baseline, progress)
    return pages.downloads(html=page)


def _counted(path: str, progress: Progress, given: dict[str, Any]) -> visitors.Counted:
    """The corpus, which is not counted again if it is kept."""
    with suppress(FileNotFoundError):
        return _load(path)
    counted = visitors.count(**given, progress=progress)
    with open(path, "wb") as file:
        pickle.dump(counted, file)
    return counted


def _load(path: str) -> visitors.Counted:
    with open(path, "rb") as file:
        return pickle.load(file)


def _kept(path: str) -> visitors.Counted:
    """The corpus of an earlier request."""
    try:
        return _load(path)
    except FileNotFoundError:
        raise ValueError(EXPIRED) from None


def choices(path: str, *pair: str) -> list[tuple[str, int]]:
    """The sentences that make the difference between two systems, or that cost one most."""
    return _choices(_kept(path), *pair)


def _choices(counted: visitors.Counted, system: str, other: str) -> list[tuple[str, int]]:
    """Labels and indices of sentences."""
    if other == WORST:
        found = counted.worst(system, limits.N_SENTENCES)
        effects = [figures.percent(cost, 4) for cost in found["cost"]]
    else:
        found = counted.differences(system, other, limits.N_SENTENCES)
        effects = [figures.signed_percent(effect, 4) for effect in found["contribution"]]
    rows = zip(found["sentence"], effects, found["source"], strict=True)
    return [
        (f"{index + 1}: {effect}  {pages.label(pages.cut(source, 90))}", index)
        for index, effect, source in rows
    ]


def explained(path: str, *given: Any) -> str:
    """A sentence explained, for two systems, or for one."""
    *pair, index = given
    counted = _kept(path)
    return pages.pair({name: counted.explain(name, index) for name in pair if name != WORST})


def rows(*given: Any, **options: Any) -> str:
    """The scores of a table."""
    return pages.rows(*visitors.score_rows(*given, **options))
