"""Findings to a page in one file: it opens from disk, requests nothing and needs no script.

Everything that users wrote is escaped; besides, the page forbids all scripts but its own.
"""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ..explanation import visible
from ..options import __version__, format_number
from .charts import name_html
from .explained import n_bytes, sentences
from .findings import MOST_PAIRED, Findings
from .sections import by_beta, by_length, dots, metric_title, pairs, ranks, table, with_interval

_HERE = Path(__file__).parent
# Bytes of all sections together; the sentences take what the others leave.
MOST_MARKUP = 2_800_000


def read_style(name: str) -> str:
    """A part of the pages' style: colors, parts or page."""
    return (_HERE / f"{name}.css").read_text("utf-8")


def page(
    all_findings: Sequence[Findings],
    warnings: Sequence[str] = (),
    digits: int = 2,
) -> str:
    """The report as HTML: one or several scores of the same systems."""
    titles = {each.statistics.options.metric: metric_title(each) for each in all_findings}
    n_systems = len(all_findings[0].names)
    heading = f"{n_systems:,} system{'s' * (n_systems > 1)} by {' and '.join(titles.values())}"
    parts, links = [], []
    sections = [[*_sections(each, digits)] for each in all_findings]
    used = sum(n_bytes(content) for own in sections for *_, content in own)
    room = (MOST_MARKUP - used) // len(all_findings)
    for each, own_sections in zip(all_findings, sections, strict=True):
        prefix = each.statistics.options.metric
        own_sections.append(("sentences", "Sentences", sentences(each, digits, room)))
        for name, title, content in own_sections:
            shown = title if len(all_findings) == 1 else f"{titles[prefix]}: {title}"
            links.append(f'<a href="#{prefix}-{name}">{escape(shown)}</a>')
            parts.append(
                f'<section id="{prefix}-{name}"><h2>{escape(shown)}</h2>{content}</section>'
            )
    links.append('<a href="#settings">Settings</a>')
    parts.append(f'<section id="settings"><h2>Settings</h2>{_settings(all_findings)}</section>')
    style = "".join(map(read_style, ("colors", "parts", "page")))
    script = (_HERE / "page.js").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    lead = "".join(f"<p class='lead'>{_lead(each, digits)}</p>" for each in all_findings)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}; base-uri \'none\'">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="generator" content="green-gec {__version__}">'
        f"<title>{escape(heading)}</title><style>{style}</style></head><body>"
        f'<header><p class="kind">GREEN report</p><h1>{escape(heading)}</h1>{lead}'
        f"<p class='about'>{about(all_findings[0])}</p>{_warnings(warnings)}"
        f'<nav aria-label="Contents">{"".join(links)}</nav></header>'
        f"<main>{''.join(parts)}</main><script>{script}</script></body></html>\n"
    )


def about(findings: Findings) -> str:
    """How many sentences and references there are."""
    n_references = findings.statistics.n_references
    n_sentences = len(n_references)
    fewest, most = int(n_references.min()), int(n_references.max())
    several = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    each = " each" if n_sentences > 1 else ""
    plural = "s" * (n_sentences > 1), "s" * (most > 1)
    about = f"{n_sentences:,} sentence{plural[0]}, {several} reference{plural[1]}{each}"
    return f"{about}. Scores are in percent."


def _warnings(warnings: Sequence[str]) -> str:
    shown = "".join(f"<li>{escape(visible(warning))}</li>" for warning in warnings)
    if not shown:
        return ""
    return f'<div class="warnings" role="note"><b>Warnings</b><ul>{shown}</ul></div>'


def _lead(findings: Findings, digits: int) -> str:
    """The result in a sentence or two."""
    best, *others = findings.order
    score = with_interval(findings, best, digits)
    name = f"<b>{name_html(findings.names[best])}</b>"
    if not others:
        return f"{name} has a {escape(metric_title(findings))} of {score}."
    n_tied = sum(findings.scores[other] == findings.scores[best] for other in others)
    if n_tied:
        also = (
            f"{n_tied} others" if n_tied > 1 else f"<b>{name_html(findings.names[others[0]])}</b>"
        )
        return f"{name} and {also} share the highest {escape(metric_title(findings))}, {score}."
    shown = f"{name} has the highest {escape(metric_title(findings))}, {score}."
    if findings.pairs:
        compared = others[: MOST_PAIRED - 1]
        beaten = sum(findings.pairs.is_better(best, other) for other in compared)
        if len(compared) == 1:
            is_better = "is" if beaten else "is not"
            return f"{shown} It {is_better} significantly better than the other system."
        if not beaten:
            return f"{shown} It is not significantly better than any other system."
        number = "all" if beaten == len(compared) else f"{beaten} of the"
        which = "others" if len(compared) == len(others) else "next best systems"
        shown += f" It is significantly better than {number} {len(compared)} {which}."
    return shown


def _sections(findings: Findings, digits: int) -> Iterable[tuple[str, str, str]]:
    """The name, the title and the content of each section of figures that makes sense."""
    title = metric_title(findings)
    if len(findings.names) > 1 and "low" in findings.columns:
        yield "dots", "Scores", dots(findings, digits)
    yield "table", "Table", table(findings, digits)
    if findings.pairs:
        yield "pairs", "Who beats whom", pairs(findings, digits)
    if findings.ranks is not None:
        yield "ranks", "Ranks", ranks(findings)
    if findings.by_beta:
        yield "beta", f"{title} against β", by_beta(findings, digits)
    if findings.by_length:
        yield "length", "By sentence length", by_length(findings, digits)


def _settings(all_findings: Sequence[Findings]) -> str:
    """Every setting with its value, the signatures and the version."""
    rows = []
    for each in all_findings:
        options = each.statistics.options
        settings = options.settings() | {"baseline": each.names[each.baseline]}
        if not options.paired:
            del settings["baseline"]
        shown = "".join(
            f"<div><dt>{escape(name)}</dt><dd>{escape(visible(_setting(value)))}</dd></div>"
            for name, value in settings.items()
        )
        signature = f"<p>Signature: <code>{escape(visible(each.statistics.signature))}</code></p>"
        rows.append(f'<dl class="settings">{shown}</dl>{signature}')
    return "".join(rows) + f"<p>Made by green-gec {__version__}.</p>"


def _setting(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_setting, value))
    if isinstance(value, float):
        return format_number(value)
    return "none" if value is None else str(value)
