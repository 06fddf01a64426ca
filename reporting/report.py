"""The report in Python."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from .. import api
from ..input_warnings import InputWarning, warn_user
from ..options import is_sequence, short_repr
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
    if is_sequence(options.get("beta")):
        raise ValueError(f"a report takes one beta, not {short_repr(options['beta'])}")
    if not n_resamples:
        raise ValueError("a report needs resamples: n_resamples must be at least 1")
    given = {**options, "paired": paired, "n_resamples": n_resamples}
    settings = api.make_settings(metrics, given)
    corpus = api.make_corpus(systems, sources, references, gold, settings).to_lists()
    if len(corpus.systems) == 1:
        settings = [each.replace(paired=None) for each in settings]
    index = api.system_index(baseline, corpus)
    warnings: list[str] = []

    def warn(warning: InputWarning) -> None:
        warnings.append(str(warning))
        warn_user(warning)

    statistics = api.count_each(corpus, [*settings, *settings_by_beta(settings)], warn=warn)
    at_betas = statistics[len(settings) :]
    return page(
        [
            find(each, corpus, index, each.results(index), at_betas)
            for each in statistics[: len(settings)]
        ],
        warnings,
    )
