"""Small pieces of HTML that sections share; names are escaped here."""

from collections.abc import Mapping
from html import escape


def name_html(name: str) -> str:
    """A system's name as markup; the writing direction of names does not affect their context."""
    return f"<bdi>{escape(name)}</bdi>"


def note(markup: str) -> str:
    return f'<p class="note">{markup}</p>'


def folded(summary: str, markup: str, attributes: str = "") -> str:
    return f"<details{attributes}><summary>{summary}</summary>{markup}</details>"


def select(kind: str, label: str, options: Mapping[int, str]) -> str:
    """A list to choose from, which the page's script shows and listens to."""
    items = "".join(f'<option value="{n}">{escape(text)}</option>' for n, text in options.items())
    return f'<p class="choice {kind}" hidden><label>{label} <select>{items}</select></label></p>'
