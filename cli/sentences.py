"""The reports of `--between` and `--worst`: the sentences that matter, with their texts."""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..corpus import Corpus
from ..counting import Statistics
from ..explanation import visible
from ..reporting.figures import percent
from ..sentences import count_references, difference_columns, worst_columns
from . import reports
from .reports import Columns

# A sentence's effect on the score of a corpus is small: it has more digits than scores have.
_MORE_DIGITS = 2


class Listing(NamedTuple):
    """The sentences that make the difference of a pair of systems, or each system's worst ones."""

    statistics: Statistics  # of what the sentences contribute to: the corpus, or the mean
    columns: Columns
    pair: Sequence[int]  # empty for the worst ones
    n: int


class Place(NamedTuple):
    """A sentence that matters."""

    sentence: int
    systems: Sequence[int]  # whose corrections are shown
    effect: str  # on the score of the corpus


def find(corpus: Corpus, statistics: Statistics, pair: Sequence[int], n: int) -> Listing:
    """Find the sentences, given the statistics of each one."""
    # The mean over references is one of sentence scores.
    level = "mean" if statistics.options.selection == "mean" else "corpus"
    if pair:
        columns = difference_columns(corpus, statistics, level, pair, n)
    else:
        reference_statistics = count_references(corpus, statistics.options)
        columns = worst_columns(corpus, statistics, reference_statistics, level, n)
    return Listing(statistics.replace(level=level), columns, pair, n)


def places(listing: Listing, corpus: Corpus, names: Sequence[str], digits: int) -> list[Place]:
    """The sentences of a report for people, with the systems' names there."""
    pair, systems, digits = listing.pair, list(corpus.systems), digits + _MORE_DIGITS
    listed = []
    for row in reports.rows(listing.columns):
        if pair:
            size = row["contribution"]
            effect = f"{percent(abs(size), digits)} in favour of {names[pair[size < 0]]}"
            listed.append(Place(row["sentence"], pair, effect))
        else:
            effect = f"costs {percent(row['cost'], digits)}"
            listed.append(Place(row["sentence"], [systems.index(row["system"])], effect))
    return listed


def heading(listing: Listing, names: Sequence[str], digits: int) -> str:
    """The scores that the sentences contribute to."""
    statistics, pair = listing.statistics, listing.pair
    options = statistics.options
    values = statistics.results()[options.metric][0].tolist()
    systems = pair or range(len(names))
    parts = [f"{names[system]} {percent(values[system], digits)}" for system in systems]
    if pair:
        parts.append(f"difference {percent(values[pair[0]] - values[pair[1]], digits)}")
    title = statistics.metric.title.format(n=options.order)
    title = f"{title} of the corpus" if options.level == "corpus" else f"mean {title} of sentences"
    return f"{title}: {', '.join(parts)}\n"


def to_text(
    listed: Iterable[Place],
    corpus: Corpus,
    statistics: Statistics,
    names: Sequence[str],
    digits: int,
) -> str:
    """The sentences with their scores and texts."""
    scores = statistics.results()[statistics.options.metric][0]  # (system, sentence)
    all_texts = list(corpus.systems.values())
    blocks = []
    for sentence, systems, effect in listed:
        values = [
            f"{names[system]} {percent(scores[system, sentence].item(), digits)}"
            for system in systems
        ]
        lines = [] if corpus.sources is None else [("source", corpus.sources[sentence])]
        lines += [(names[system], all_texts[system][sentence]) for system in systems]
        references = corpus.references[sentence]
        for number, text in enumerate(references, 1):
            lines.append(("reference" if len(references) == 1 else f"reference {number}", text))
        width = max(len(label) for label, _ in lines)
        block = [f"sentence {sentence + 1}: {effect} ({', '.join(values)})"]
        block += [f"{label:{width}}  {visible(text)}".rstrip() for label, text in lines]
        blocks.append("\n".join(block) + "\n")
    return "\n".join(blocks)


def to_json(listing: Listing, corpus: Corpus, warnings: Sequence[str]) -> str:
    """Everything, at full precision; one line per row."""
    statistics, names = listing.statistics, list(corpus.systems)
    about = {"between": [names[index] for index in listing.pair] or None, "n": listing.n}
    signatures, settings = reports.signatures([statistics]), statistics.options.settings() | about
    return reports.to_json(listing.columns, signatures, [settings], len(corpus), warnings)


def to_csv(listing: Listing, has_signature: bool) -> str:
    """Columns as they are; references are a list in JSON."""
    columns = listing.columns
    as_json = [json.dumps(texts, ensure_ascii=False) for texts in columns["references"]]
    columns = columns | {"references": as_json}
    if has_signature:
        columns["signature"] = [listing.statistics.signature] * len(as_json)
    return reports.to_csv(columns)
