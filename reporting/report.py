"""The report in Python."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from .. import api, inputs
from ..explanation import visible
from ..options import is_list, shown
from ..sentences import as_lists
from .findings import find, settings_by_beta
from .page import page

if TYPE_CHECKING:
    from ..corpus.m2 import Annotated


def report(
    systems: "Mapping[str, Sequence[str] | Sequence[Annotated]]",
    sources: Sequence[str] | None = None,
    references: Sequence[str] | Sequence[Sequence[str]] | None = None,
    *,
    metrics: Sequence[str] | None = None,
    gold: "str | PathLike[str] | Sequence[Annotated] | None" = None,
    baseline: str | None = None,
    paired: str | None = "ar",
    n_resamples: int = api.N_RESAMPLES,
    **options: Any,
) -> str:
    """Compare systems in a page of HTML, in one file that requests nothing from anywhere.

    Args:
        systems: Each system's corrected sentences, by its name, as for `compare`.
        sources: The original sentences, one per item, if the score needs them.
        references: The reference corrections; for each sentence one text or any number of texts.
        metrics: The scores, if there are several, as for `compare`.
        gold: The gold edits, as for `compare`.
        baseline: The name of the system to compare with; by default the first one.
        paired: The test, as for `compare`; None for none.
        n_resamples: Number of resamples for intervals, tests and ranks.
        options: Any other option of `compare`, with one value of beta and the level "corpus" or
            "mean".

    Returns:
        The page. Write it to a file with the encoding "utf-8".

    Examples:
        >>> from green_gec import report
        >>> page = report(
        ...     {"nothing": ["She go home ."], "all": ["She goes home ."]},
        ...     sources=["She go home ."],
        ...     references=["She goes home ."],
        ... )
        >>> "<b><bdi>all</bdi></b> has the highest GREEN" in page
        True
    """
    if options.get("level") == "sentence":
        raise ValueError("a report is of a corpus: level must be 'corpus' or 'mean'")
    if is_list(options.get("beta")):
        raise ValueError(f"a report takes one beta, not {shown(options['beta'])}")
    if not n_resamples:
        raise ValueError("a report needs resamples: n_resamples must be at least 1")
    n_systems = len(api.named_systems(systems))
    settings = api.settings_of(metrics, {**options, "paired": paired, "n_resamples": n_resamples})
    if n_systems == 1:
        settings = [each.replace(paired=None) for each in settings]
    index = api.index_of(baseline, systems)
    texts, edits = as_lists(systems, sources, references, gold, settings)
    warnings: list[str] = []

    def warn(warning: inputs.InputWarning) -> None:
        warnings.append(str(warning))
        api.warn_caller(warning)

    by_beta = settings_by_beta(settings)
    named = [(f"systems[{name!r}]", corrected) for name, corrected in texts.systems]
    made = api.count(
        *(texts.sources, named, texts.references, [*settings, *by_beta]), warn=warn, edits=edits
    )
    made, at_betas = made[: len(settings)], made[len(settings) :]
    texts = texts._replace(systems=[(visible(str(name)), lines) for name, lines in texts.systems])
    found = [
        find(statistics, texts, edits, index, statistics.results(index), at_betas)
        for statistics in made
    ]
    return page(found, warnings)
