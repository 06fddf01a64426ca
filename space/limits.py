"""Every bound of the Space, named once, and what a request may cost.

Messages of errors are for visitors.
"""

from collections.abc import Iterator
from itertools import chain

from ..inputs import Corpus
from ..metrics import make_metric
from ..options import Options
from ..reporting.analysis import MOST_DRAWS, n_pair_resamples

# What visitors send.
MOST_CHARACTERS = 5_000  # of a text
MOST_REFERENCES = 20  # of a sentence
MOST_ORDER = 10
MOST_SENTENCES = 10_000
MOST_SYSTEMS = 20
MOST_MEGABYTES = 5  # of a file
MOST_ROWS = 1_000
MOST_SENT = 20_000_000  # bytes of a request, but for files
MOST_UPLOADED = (1 + MOST_REFERENCES + MOST_SYSTEMS) * MOST_MEGABYTES * 1_000_000

# What they get.
MOST_NGRAMS = 5_000  # listed for a sentence
MOST_DRAWN = 1_000  # n-grams in a picture
MOST_CUT = 300  # characters of a text in a table
MOST_CSV = 2_000_000  # bytes of a table's CSV; a longer one is made without the texts
N_SENTENCES = 10  # where two systems differ most, or which cost a system most

# How long their work takes, in seconds.
DEADLINE = 30.0
BUDGET = 10.0  # estimated for a computer of its own; two cores do that of four visitors in time
UNHEARD = 5.0  # a request is kept for as long although nobody reads its messages
MOST_AT_ONCE = 4  # requests of a kind
MOST_WAITING = 100
LEAST_RESAMPLES = 100  # that still make an interval and a test

# What the Space holds for them.
MOST_MEMORY = 4 << 30  # bytes of a request at work
MOST_KEPT = 512_000_000  # bytes of all visitors' uploads and counted corpora together
KEPT = 3600  # seconds for which they are kept
MOST_VISITORS = 500  # whose sessions Gradio keeps, 0.1 MB each


# Seconds per character in tokenizers that are Python functions, as measured on one core.
_TOKENIZING = {"zh": 1.5e-6, "ja-mecab": 6e-7, "ko-mecab": 6e-7}


class TooLong(ValueError):
    """There is no time for all that a report has."""


def check_number(number: int, most: int, what: str) -> None:
    if number > most:
        raise ValueError(f"there can be at most {most:,} {what}, not {number:,}")


def check_length(text: str, what: str) -> None:
    if len(text) > MOST_CHARACTERS:
        most = f"at most {MOST_CHARACTERS:,} characters"
        raise ValueError(f"{what} can have {most}, not {len(text):,}")


def resamples_within_budget(texts: Corpus, options: Options) -> int:
    """The number of resamples for which there is time; an error if not even for the fewest."""
    fixed, of_resample = seconds(texts, options)
    possible = int((BUDGET - fixed) / of_resample)
    if possible < min(LEAST_RESAMPLES, options.n_resamples):
        estimate = fixed + of_resample * LEAST_RESAMPLES
        raise ValueError(
            f"this would take about {estimate:,.0f} seconds, but a request may take "
            f"{BUDGET:.0f} here; leave out some of the {len(texts.references):,} sentences, of "
            f"the {len(texts.systems) - 1} systems or of the references (up to "
            f"{max(map(len, texts.references))} per sentence), choose n-grams of fewer than "
            f"{options.order} tokens, or score on your own computer with the command `green`"
        )
    return min(possible, options.n_resamples)


def check_report(texts: Corpus, options: Options) -> None:
    """An error if there is no time for all that a report has: it tests all pairs of systems."""
    fixed, of_resample = seconds(texts, options)
    n_draws = options.iterations and min(options.iterations, MOST_DRAWS)
    _, of_pairs = seconds(texts, options.replace(iterations=n_draws))
    n_resamples = n_pair_resamples(len(texts.systems) - 1, options.n_resamples)
    estimate = fixed + of_pairs * n_resamples + of_resample * 2 * options.n_resamples
    if estimate > BUDGET:
        raise TooLong(
            "who beats whom, the ranks, the scores by sentence length and the report would take "
            f"about {estimate:,.0f} seconds, but a request may take {BUDGET:.0f} here; upload "
            "fewer systems or sentences, or make the report on your own computer: "
            "green report -o report.html …"
        )


def seconds(texts: Corpus, options: Options) -> tuple[float, float]:
    """How long counting takes, and each resample: roughly, as measured on two cores."""
    n_sentences, n_systems = len(texts.references), len(texts.systems)
    n_references = [len(some) for some in texts.references]
    cells = n_sentences * n_systems * options.order
    fixed = 1e-7 * _count_tokens(texts, options) * options.order
    fixed += _TOKENIZING.get(options.tokenizer, 0) * sum(map(len, _lines(texts)))
    # GREEN is scored for many betas.
    of_reference = 1e-6 if options.metric == "green" else 2e-7
    fixed += of_reference * cells * sum(n_references) / n_sentences
    if not make_metric(options).per_reference or max(n_references) == 1:
        return fixed, 1.2e-9 * cells
    # Each draw of references has its sums and its score.
    n_scores = options.iterations * n_systems * options.order
    of_resample = 8e-8 * n_scores + 6e-10 * options.iterations * cells
    return fixed + 4e-9 * options.iterations * cells, of_resample


def _count_tokens(texts: Corpus, options: Options) -> int:
    if options.tokenizer in ("char", *_TOKENIZING):
        return sum(map(len, _lines(texts))) // 2  # their n-grams take half as long
    return sum(line.count(" ") + 1 for line in _lines(texts))


def _lines(texts: Corpus) -> Iterator[str]:
    return chain(texts.sources, *texts.references, *texts.systems.values())
