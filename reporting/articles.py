"""The section with single sentences: an article each, its texts marked where there are sources."""

import re
from collections.abc import Sequence
from html import escape

from ..explanation import explain_in_corpus, legend, visible
from ..options import EDIT_METRICS, Options
from .analysis import MOST_SENTENCES, Analysis
from .figures import percent, signed_percent
from .markup import folded, name_html, note, select

# Sentences with more characters, in all texts together, have no marks; texts without marks are cut.
_MOST_MARKED = 8_000
_MOST_PLAIN = 1_000
# The page has the style of explanations once. Users' quotes are escaped, so they never match.
_STYLE = re.compile(r' style="[^"]*"')


def sentences(analysis: Analysis, digits: int) -> str:
    """The sentences that make the difference of two systems, and each system's most costly ones."""
    (pairs, systems), names, scores = analysis.sentences, analysis.names, analysis.scores
    parts = [_STYLE.sub("", legend())] if analysis.corpus.sources is not None else []
    if pairs:
        parts.append(_about_pairs(analysis))
    for (one, other), rows in pairs.items():
        effects = [(row, f"<b>{signed_percent(effect, digits + 2)}</b>") for row, effect in rows]
        articles = [_article(analysis, digits, (one, other), *each) for each in effects]
        difference = signed_percent(scores[one] - scores[other], digits)
        title = f"{name_html(names[one])} against {name_html(names[other])}: {difference}"
        markup = "".join(articles) or "<p>No sentence makes a difference.</p>"
        parts.append(folded(title, markup, " data-pair" + " open" * (len(pairs) == 1)))
    about = (
        f"Up to {MOST_SENTENCES} sentences per system, those for which the score of the corpus "
        "would gain most by a perfect correction."
    )
    parts += ["<h3>What costs most</h3>", note(about)]
    for system, rows in systems.items():
        effects = [(row, f"costs <b>{percent(cost, digits + 2)}</b>") for row, cost in rows]
        articles = [_article(analysis, digits, (system,), *each) for each in effects]
        markup = "".join(articles) or "<p>No sentence costs anything.</p>"
        parts.append(folded(name_html(names[system]), markup, " open" * (len(names) == 1)))
    return "".join(parts)


def _about_pairs(analysis: Analysis) -> str:
    """What the lists of sentences of pairs are, and a choice of one, which the script shows."""
    (pairs, systems), names = analysis.sentences, analysis.names
    which = "systems" if len(systems) == len(names) else f"the {len(systems)} best systems"
    about = note(
        f"For each pair of {which}, up to {MOST_SENTENCES} sentences, those that contribute most "
        "to the difference between the two scores. A sentence contributes half of what the "
        "difference would lose if the two systems exchanged their corrections of it."
    )
    titles = {n: f"{names[one]} against {names[other]}" for n, (one, other) in enumerate(pairs)}
    choice = select("pair", "Systems", titles)
    return f"<h3>What makes the difference</h3>{about}{choice * (len(pairs) > 1)}"


def _article(
    analysis: Analysis, digits: int, systems: Sequence[int], sentence: int, effect: str
) -> str:
    """A sentence, its effect on the score of the corpus, and the corrections by one or two systems.

    Without sources, and if they are long, texts are plain.
    """
    corpus, columns = analysis.corpus, [*analysis.corpus.systems.values()]
    texts = [("source", corpus.sources[sentence])] if corpus.sources is not None else []
    texts += [(name_html(analysis.names[each]), columns[each][sentence]) for each in systems]
    references = enumerate(corpus.references[sentence], 1)
    texts += [(f"reference {number}", text) for number, text in references]
    is_long = sum(len(text) for _, text in texts) > _MOST_MARKED
    if corpus.sources is not None and not is_long:
        markup = "".join(_explain(analysis, digits, system, sentence) for system in systems)
    else:
        markup = _plain(texts) + note("Too long to be marked.") * is_long
    return f"<article><h4>Sentence {sentence + 1:,}: {effect}</h4>{markup}</article>"


def _explain(analysis: Analysis, digits: int, system: int, sentence: int) -> str:
    """A correction beside its source and references, with marks."""
    options = analysis.statistics.options
    has_ngrams = options.metric not in EDIT_METRICS
    prefix = "" if has_ngrams else "GREEN "  # whose regions and scores stand in for edits
    options = (options if has_ngrams else Options()).replace(level="sentence", n_resamples=0)
    explanation = explain_in_corpus(analysis.corpus, sentence, system, options)
    markup = explanation.sentences_to_html(lambda value: f"{prefix}{percent(value, digits)}")
    score = f" <span>{percent(explanation.result[options.metric], digits)}</span>" * has_ngrams
    return f"<h5>{name_html(analysis.names[system])}{score}</h5>{_STYLE.sub('', markup)}"


def _plain(texts: Sequence[tuple[str, str]]) -> str:
    rows = "".join(
        f"<div><div><b>{title}</b></div><div dir=auto>{escape(visible(text[:_MOST_PLAIN]))}"
        f"{'…' * (len(text) > _MOST_PLAIN)}</div></div>"
        for title, text in texts
    )
    return f'<div class="green-sentences">{rows}</div>'
