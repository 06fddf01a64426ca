"""Single sentences as output: those that matter, with their texts, and explanations."""

import json
from argparse import Namespace
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..counting import Statistics
from ..explanation import explain_in_corpus, visible
from ..reporting.figures import percent
from ..sentences import difference_columns, worst_columns
from . import tables
from .scoring import Scored, make_progress
from .tables import Columns

# A sentence's effect on the score of a corpus is small: it has more digits than scores have.
_MORE_DIGITS = 2


class Listing(NamedTuple):
    """The sentences that make the difference of a pair of systems, or each system's worst ones."""

    scored: Scored  # each sentence
    statistics: Statistics  # of what the sentences contribute to: the corpus, or the mean
    columns: Columns
    pair: Sequence[int]  # empty for the worst ones
    n: int


def list_sentences(scored: Scored, level: str, pair: Sequence[int], n: int) -> Listing:
    corpus, statistics = scored.corpus, scored.statistics[0].replace(level=level)
    if pair:
        columns = difference_columns(corpus, statistics, pair, n)
    else:
        columns = worst_columns(corpus, statistics, n)
    return Listing(scored, statistics, columns, pair, n)


def render(listing: Listing, args: Namespace, format_: str, color: bool) -> str:
    scored, statistics, columns = listing.scored, listing.statistics, listing.columns
    if format_ == "json":
        systems = list(scored.corpus.systems)
        extra = {"between": [systems[index] for index in listing.pair] or None, "n": listing.n}
        return tables.to_json(
            [statistics], len(scored.corpus), scored.warnings, extra, results=columns
        )
    if format_ == "csv":
        references = [json.dumps(each, ensure_ascii=False) for each in columns["references"]]
        with_signature = [statistics] if args.signature else []
        return tables.to_csv(columns | {"references": references}, with_signature)
    parts, rows = [_heading(listing, args.digits)], tables.rows(columns)
    for row in make_progress("explaining")(rows, len(rows)):
        sentence, (systems, effect) = row["sentence"], _effect(listing, row, args.digits)
        if not args.explain:
            parts.append(_block(scored, sentence, systems, effect, args.digits))
            continue
        for system in systems:
            text = explanation_text(scored, sentence, system, args.digits, color)
            parts.append(f"sentence {sentence + 1}, {scored.names[system]}: {effect}\n{text}\n")
    if not rows:
        parts.append("no such sentences\n")
    if args.signature:
        parts.append(f"{statistics.signature}\n")
    return "\n".join(parts)


def _heading(listing: Listing, digits: int) -> str:
    """The scores that the sentences contribute to."""
    statistics, pair, names = listing.statistics, listing.pair, listing.scored.names
    options = statistics.options
    values = statistics.results()[options.metric][0].tolist()
    scores = [percent(value, digits, options.metric) for value in values]
    parts = [f"{names[n]} {scores[n]}" for n in pair or range(len(names))]
    if pair:
        parts.append(f"difference {percent(values[pair[0]] - values[pair[1]], digits)}")
    title = statistics.metric.title.format(n=options.order)
    title = f"{title} of the corpus" if options.level == "corpus" else f"mean {title} of sentences"
    return f"{title}: {', '.join(parts)}\n"


def _effect(listing: Listing, row: dict[str, Any], digits: int) -> tuple[Sequence[int], str]:
    """The systems whose corrections a row is about, and its effect on the score."""
    digits += _MORE_DIGITS
    if listing.pair:
        size = row["contribution"]
        winner = listing.scored.names[listing.pair[size < 0]]
        return listing.pair, f"{percent(abs(size), digits)} in favour of {winner}"
    system = list(listing.scored.corpus.systems).index(row["system"])
    return [system], f"costs {percent(row['cost'], digits)}"


def _block(scored: Scored, sentence: int, systems: Sequence[int], effect: str, digits: int) -> str:
    """A sentence with its scores and texts."""
    corpus, names, (statistics,) = scored.corpus, scored.names, scored.statistics
    texts, references = list(corpus.systems.values()), corpus.references[sentence]
    metric = statistics.options.metric
    scores = scored.results[0][metric][0, :, sentence].tolist()
    lines = [] if corpus.sources is None else [("source", corpus.sources[sentence])]
    lines += [(names[system], texts[system][sentence]) for system in systems]
    for number, text in enumerate(references, 1):
        lines.append(("reference" if len(references) == 1 else f"reference {number}", text))
    width = max(len(label) for label, _ in lines)
    values = [f"{names[each]} {percent(scores[each], digits, metric)}" for each in systems]
    lines = [f"{label:{width}}  {visible(text)}".rstrip() for label, text in lines]
    return "\n".join([f"sentence {sentence + 1}: {effect} ({', '.join(values)})", *lines, ""])


def explanation_text(scored: Scored, sentence: int, system: int, digits: int, color: bool) -> str:
    """The n-grams by region of a sentence and a system."""
    options = scored.statistics[0].options
    explained = explain_in_corpus(scored.corpus, sentence, system, options)
    return explained.to_text(color, lambda value: percent(value, digits))
