"""Numbers to tables in HTML; names and texts are escaped here."""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any, NamedTuple

from .charts import name_html


class Cell(NamedTuple):
    """What a cell shows, what it is sorted by, and its class."""

    text: str
    value: Any = None
    kind: str = ""
    title: str = ""


# Besides the first column, those that a first click sorts in ascending order.
_ASCENDING = ("against", "p-value", "Holm", "ranks", "source", "prediction", "references")


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
    sort = ' aria-sort="descending"'
    head = "".join(
        f'<th scope="col"{" data-up" * (index == 0 or title in _ASCENDING)}'
        f"{sort * (index == by)}>{escape(title)}</th>"
        for index, title in enumerate(titles)
    )
    body = "".join(f"<tr>{''.join(map(_cell, range(len(row)), row))}</tr>" for row in rows)
    return scrolling(
        caption,
        f'<table class="figures {kind}"><caption><span>{escape(caption)}</span></caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>",
    )


def _cell(index: int, cell: Cell) -> str:
    # NaN, which no row can be sorted by, has no value.
    value = "" if cell.value is None or cell.value != cell.value else f"{cell.value}"
    about = f' data-value="{escape(value)}"'
    about += f' class="{cell.kind}"' if cell.kind else ""
    if index == 0:
        return f'<th scope="row"{about}>{name_html(cell.text)}</th>'
    return f"<td{about}>{escape(cell.text)}</td>"


def matrix(caption: str, names: Sequence[str], cell: Callable[[int, int], Cell]) -> str:
    """A table of all pairs: rows are named, columns have the numbers of the rows."""
    head = "".join(
        f'<th scope="col">{number}<span class="spoken"> {name_html(name)}</span></th>'
        for number, name in enumerate(names, 1)
    )
    rows = []
    for row, name in enumerate(names):
        cells = (cell(row, column) for column in range(len(names)))
        shown = "".join(
            f'<td class="{escape(one.kind)}" title="{escape(one.title)}">{escape(one.text)}</td>'
            for one in cells
        )
        title = f'<th scope="row"><span class="number">{row + 1}</span> {name_html(name)}</th>'
        rows.append(f"<tr>{title}{shown}</tr>")
    return scrolling(
        caption,
        f'<table class="figures matrix"><caption><span>{escape(caption)}</span></caption>'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>",
    )


def scrolling(caption: str, table: str) -> str:
    """A table that scrolls where it is wider than the page, also by the keyboard."""
    label = escape(caption)
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">{table}</div>'
