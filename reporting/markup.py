"""HTML that sections share: small pieces, tables of figures; names and texts are escaped here."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple


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


class Cell(NamedTuple):
    """The text of a cell, what it is sorted by (by default the text), and its class."""

    text: str
    value: Any = None
    kind: str = ""


def sortable(
    caption: str,
    titles: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    by: int | None = None,
    kind: str = "sortable",
) -> str:
    """A table that a script makes sortable; `by` is the column it is sorted by, descending.

    The first cell of a row names it. Another `kind` cannot be sorted.
    """
    head = "".join(
        f'<th scope="col"{" aria-sort=descending" * (index == by)}>{escape(title)}</th>'
        for index, title in enumerate(titles)
    )
    body = "".join(f"<tr>{''.join(map(_cell, range(len(row)), row))}</tr>" for row in rows)
    return _scrolling(caption, kind, head, body)


def _cell(index: int, cell: Cell) -> str:
    value = cell.text if cell.value is None else cell.value
    # NaN, which no row can be sorted by, has no value.
    attributes = f' data-value="{escape(str(value)) if value == value else ""}"'
    attributes += f' class="{cell.kind}"' if cell.kind else ""
    if index == 0:
        return f'<th scope="row"{attributes}>{name_html(cell.text)}</th>'
    return f"<td{attributes}>{escape(cell.text)}</td>"


def matrix(caption: str, names: Sequence[str], cell: Callable[[int, int], Cell]) -> str:
    """A table of all pairs: rows are named, columns have the numbers of the rows."""
    head = "<td></td>" + "".join(
        f'<th scope="col">{number}<span class="spoken"> {name_html(name)}</span></th>'
        for number, name in enumerate(names, 1)
    )
    rows = []
    for row, name in enumerate(names):
        cells = [cell(row, column) for column in range(len(names))]
        title = f'<th scope="row"><span class="number">{row + 1}</span> {name_html(name)}</th>'
        markup = "".join(f'<td class="{each.kind}">{escape(each.text)}</td>' for each in cells)
        rows.append(f"<tr>{title}{markup}</tr>")
    return _scrolling(caption, "matrix", head, "".join(rows))


def _scrolling(caption: str, kind: str, head: str, body: str) -> str:
    """A table that scrolls where it is wider than the page, also by the keyboard."""
    caption = escape(caption)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}">'
        f'<table class="figures {kind}"><caption><span>{caption}</span></caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
