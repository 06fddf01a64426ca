"""The reports of `--between` and `--worst`: the sentences that matter, with their texts."""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..api import Statistics
from ..corpus import Corpus, Edits
from ..explanation import visible
from ..reporting.figures import percent
from ..sentences import count_references, difference_columns, worst_columns
from . import reports
from .reports import Columns

# A sentence's effect on the score of a corpus is small: it has more digits than scores have.
_MORE_DIGITS = 2


class Place(NamedTuple):
    """A sentence that matters."""

    sentence: int
    systems: Sequence[int]  # whose corrections are shown
    effect: str  # on the score of the corpus


def find(
    texts: Corpus, statistics: Statistics, edits: Edits, pair: Sequence[int], n: int
) -> tuple[Statistics, Columns]:
    """What the sentences contribute to, and the columns of the difference or the worst sentences.

    `pair` is empty for the worst sentences; the statistics are those of each sentence.
    """
    # The mean over references is one of sentence scores.
    level = "mean" if statistics.options.selection == "mean" else "corpus"
    whole = statistics.replace(level=level)
    if pair:
        return whole, difference_columns(texts, statistics, level, pair, n)
    of_references = count_references(texts, edits, statistics.options)
    return whole, worst_columns(texts, statistics, of_references, level, n)


def places(
    columns: Columns, names: list[str], pair: Sequence[int], shown: Sequence[str], digits: int
) -> list[Place]:
    """The sentences of a report for people, in which `shown` are the systems' names."""
    found, digits = [], digits + _MORE_DIGITS
    for row in reports.rows(columns):
        if pair:
            size = row["contribution"]
            effect = f"{percent(abs(size), digits)} in favour of {shown[pair[size < 0]]}"
            found.append(Place(row["sentence"], pair, effect))
        else:
            effect = f"costs {percent(row['cost'], digits)}"
            found.append(Place(row["sentence"], [names.index(row["system"])], effect))
    return found


def heading(whole: Statistics, pair: Sequence[int], shown: Sequence[str], digits: int) -> str:
    """The scores that the sentences contribute to."""
    options = whole.options
    values = whole.results()[options.metric][0].tolist()
    systems = pair or range(len(shown))
    parts = [f"{shown[system]} {percent(values[system], digits)}" for system in systems]
    if pair:
        parts.append(f"difference {percent(values[pair[0]] - values[pair[1]], digits)}")
    title = whole.scoring.title.format(n=options.order)
    title = f"{title} of the corpus" if options.level == "corpus" else f"mean {title} of sentences"
    return f"{title}: {', '.join(parts)}\n"


def to_text(
    found: Iterable[Place],
    texts: Corpus,
    statistics: Statistics,
    shown: Sequence[str],
    digits: int,
) -> str:
    """The sentences with their scores and texts."""
    scores = statistics.results()[statistics.options.metric][0]  # (system, sentence)
    blocks = []
    for sentence, systems, effect in found:
        values = [
            f"{shown[system]} {percent(scores[system, sentence].item(), digits)}"
            for system in systems
        ]
        lines = [] if texts.sources is None else [("source", texts.sources[sentence])]
        lines += [(shown[system], texts.systems[system][1][sentence]) for system in systems]
        references = texts.references[sentence]
        for number, text in enumerate(references, 1):
            lines.append(("reference" if len(references) == 1 else f"reference {number}", text))
        width = max(len(label) for label, _ in lines)
        block = [f"sentence {sentence + 1}: {effect} ({', '.join(values)})"]
        block += [f"{label:{width}}  {visible(text)}".rstrip() for label, text in lines]
        blocks.append("\n".join(block) + "\n")
    return "\n".join(blocks)


def to_csv(columns: Columns) -> str:
    """Columns as they are; references are a list in JSON."""
    as_json = [json.dumps(texts, ensure_ascii=False) for texts in columns["references"]]
    return reports.to_csv(columns | {"references": as_json})
