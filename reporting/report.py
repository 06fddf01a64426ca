"""`make_report`, from a corpus to a page, for Python and the command line; and `report`."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from .. import api
from ..input_warnings import InputWarning, warn_user
from ..inputs import Corpus
from ..options import N_RESAMPLES, Options
from ..significance import Progress, no_progress
from .analysis import analyse
from .page import page

if TYPE_CHECKING:
    from ..api import Gold, References, Systems


def report(
    systems: "Systems",
    sources: Sequence[str] | None = None,
    references: "References | None" = None,
    *,
    metrics: Sequence[str] | None = None,
    gold: "Gold | None" = None,
    baseline: str | None = None,
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
        options: Any other option of `compare`, with one value of beta, the level "corpus" or
            "mean", and at least one resample.

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
    options = {"paired": "ar", "n_resamples": N_RESAMPLES, **options}
    settings = api.make_settings(metrics, options)
    corpus = api.make_corpus(systems, sources, references, gold, settings).to_lists()

    def warn(warning: InputWarning) -> str:
        warn_user(warning)
        return str(warning)

    by_role = {"gold edits": gold}
    if isinstance(gold, Mapping):
        by_role = {f"gold edits of {metric}": file for metric, file in gold.items()}
    is_file = (str, PathLike)
    files = {role: [str(file)] for role, file in by_role.items() if isinstance(file, is_file)}
    index = api.system_index(baseline, corpus)
    return make_report(corpus, settings, index, warn=warn, files=files)


def make_report(
    corpus: Corpus,
    settings: Sequence[Options],
    baseline: int,
    *,
    warn: Callable[[InputWarning], str],
    progress: Progress = no_progress,
    digits: int = 2,
    files: Mapping[str, Sequence[str]],
) -> str:
    """The page of a corpus of lists, with a score per settings.

    `warn` tells the user and returns the text, which the page shows, too; `files` are those that
    the corpus was read from, by what they hold.
    """
    for options in settings:
        options.check_one_beta()
        if not options.n_resamples:
            raise ValueError("a report needs resamples: n_resamples must be at least 1")
    if len(corpus.systems) == 1:
        settings = [options.replace(paired=None) for options in settings]
    warnings: list[str] = []
    all_statistics = api.count_each(
        corpus, settings, warn=lambda each: warnings.append(warn(each)), progress=progress
    )
    analyses = [analyse(each, corpus, baseline, progress) for each in all_statistics]
    return page(analyses, warnings, files, digits)
