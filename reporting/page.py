"""Analyses to a page in one file: it opens from disk, requests nothing and needs no script.

Everything that users wrote is escaped; besides, the page forbids all scripts but its own.
"""

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from html import escape
from pathlib import Path

from ..explanation import visible
from ..options import __version__
from . import sections
from .analysis import Analysis
from .markup import name_html, note

_HERE = Path(__file__).parent


def read_style(name: str) -> str:
    """A part of the pages' style: colors, parts or page."""
    return (_HERE / f"{name}.css").read_text("utf-8")


def page(
    analyses: Sequence[Analysis],
    warnings: Sequence[str],
    files: Mapping[str, Sequence[str]],
    digits: int = 2,
) -> str:
    """The report as HTML: one or several scores of the same systems."""
    n_systems, titles = len(analyses[0].names), [analysis.title for analysis in analyses]
    *others, last = titles
    by = f"{', '.join(others)} and {last}" if others else last
    heading = escape(f"{n_systems:,} system{'s' * (n_systems > 1)} by {by}")
    settings = ("settings", "Settings", _settings(analyses, files))
    all_sections = [*_sections(analyses, digits), settings]
    links = "".join(f'<a href="#{name}">{escape(title)}</a>' for name, title, _ in all_sections)
    main = "".join(
        f'<section id="{name}"><h2>{escape(title)}</h2>{content}</section>'
        for name, title, content in all_sections
    )
    style = "".join(map(read_style, ("colors", "parts", "page")))
    script = (_HERE / "page.js").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    items = "".join(f"<li>{escape(visible(warning))}</li>" for warning in warnings)
    notice = f'<div class="warnings" role="note"><b>Warnings</b><ul>{items}</ul></div>'
    lead = "".join(f"<p class='lead'>{verdict(analysis, digits)}</p>" for analysis in analyses)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}; base-uri \'none\'">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="generator" content="green-gec {__version__}">'
        f"<title>{heading}</title><style>{style}</style></head><body>"
        f'<header><p class="kind">green-gec report, <time>{date.today()}</time></p>'
        f"<h1>{heading}</h1>{lead}"
        f"{note(about(analyses[0]))}{notice if warnings else ''}"
        f'<nav aria-label="Contents">{links}</nav></header>'
        f"<main>{main}</main><script>{script}</script></body></html>\n"
    )


def about(analysis: Analysis) -> str:
    """How many sentences and references there are."""
    n_references = analysis.statistics.n_references
    n_sentences = len(n_references)
    fewest, most = int(n_references.min()), int(n_references.max())
    number = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    sentences = f"{n_sentences:,} sentence{'s' * (n_sentences > 1)}"
    references = f"{number} reference{'s' * (most > 1)}{' each' * (n_sentences > 1)}"
    return f"{sentences}, {references}. Scores are in percent."


def verdict(analysis: Analysis, digits: int) -> str:
    """The result in a sentence or two."""
    (best, *others), scores, title = analysis.order, analysis.scores, escape(analysis.title)
    name, *other_names = (f"<b>{name_html(analysis.names[each])}</b>" for each in analysis.order)
    score = sections.with_interval(analysis, best, digits)
    if not others:
        return f"The {title} of {name} is {score}."
    if n_tied := sum(scores[other] == scores[best] for other in others):
        also = f"{n_tied} others" if n_tied > 1 else other_names[0]
        return f"{name} and {also} share the highest {title}, {score}."
    result = f"{name} has the highest {title}, {score}."
    if not analysis.pairs:
        return result
    n_compared = len(analysis.pairs.figures[0]) - 1
    n_beaten = sum(analysis.pairs.is_better(0, rank) for rank in range(1, n_compared + 1))
    number = {n_compared: "all", 0: "any of the"}.get(n_beaten, f"{n_beaten} of the")
    which = "others" if n_compared == len(others) else "next best systems"
    which = "the other" if n_compared == 1 else f"{number} {n_compared} {which}"
    return f"{result} It is {'' if n_beaten else 'not '}significantly better than {which}."


def _sections(analyses: Sequence[Analysis], digits: int) -> Iterator[tuple[str, str, str]]:
    """The id, the title and the content of each score's sections."""
    for analysis in analyses:
        for name, title, content in sections.make_sections(analysis, digits):
            if len(analyses) > 1 and analysis.title not in title:
                title = f"{analysis.title}: {title[0].lower()}{title[1:]}"
            yield f"{analysis.statistics.options.metric}-{name}", title, content


def _settings(analyses: Sequence[Analysis], files: Mapping[str, Sequence[str]]) -> str:
    """Every setting with its value, the signatures, the files, and where the metric comes from."""
    parts, papers = [], []
    for analysis in analyses:
        options, title = analysis.statistics.options, escape(analysis.title)
        settings = options.settings()
        settings |= {"beta": options.betas[0]} if options.betas else {}
        settings |= {"baseline": analysis.names[analysis.baseline]} if options.paired else {}
        signature = escape(visible(analysis.statistics.signature))
        parts.append(
            _definitions({name: [str(value)] for name, value in settings.items()}, "settings")
        )
        parts.append(f"<p>Signature: <code>{signature}</code></p>")
        paper = analysis.statistics.metric.paper
        papers.append(f'<li>{title}: <a href="{paper}">{paper}</a></li>')
    parts.append(f"<h3>Files</h3>{_definitions(files, 'files')}" if files else "")
    parts.append(
        f"<h3>Papers</h3><ul>{''.join(papers)}</ul><p>Made by green-gec {__version__}.</p>"
    )
    return "".join(parts)


def _definitions(terms: Mapping[str, Sequence[str]], kind: str) -> str:
    """A list of terms, each with its lines."""
    items = []
    for term, lines in terms.items():
        markup = "<br>".join(escape(visible(line)) for line in lines)
        items.append(f"<div><dt>{escape(term)}</dt><dd>{markup}</dd></div>")
    return f'<dl class="{kind}">{"".join(items)}</dl>'
