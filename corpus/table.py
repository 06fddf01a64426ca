"""Tables, CSV and TSV: a row per sentence, with columns for source, references and systems."""

import csv
import re
from collections.abc import Sequence

from ..inputs import Corpus
from .columns import COLUMNS
from .files import Path, read_lines, show_name

_NUMBER = re.compile(r"[\s_-]*\d+$")  # of one of several references


def read_table(path: Path) -> Corpus:
    """The sentences of a CSV or TSV file, whose first row names the columns.

    One column is the source ("source", or a synonym such as "original"), one or more are references
    ("reference", "Reference 2", …), and every other column is a system of that name. Commas,
    semicolons or tabs separate the columns. A row may have fewer references than others; blank rows
    are left out.
    """
    name, lines = show_name(path), [f"{line}\n" for line in read_lines(path)]
    delimiter = max(",;\t", key="".join(lines[:1]).count)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    start = 1  # the line of a row's beginning, for a cell may have several lines
    try:
        header = [cell.strip() for cell in next(reader, [])]
        source, *references = _find_columns(header)
        columns: dict[str, list[str]] = {title: [] for title in header}
        texts: list[list[str]] = []
        start = reader.line_num + 1
        for row in reader:
            if any(row):
                if len(row) != len(header):
                    raise ValueError(f"{len(row)} cells, but there are {len(header)} columns")
                cells = dict(zip(header, row, strict=True))
                texts.append([cells[title] for title in references if cells[title].strip()])
                if not texts[-1]:
                    raise ValueError(f"no reference in column {' or '.join(references):.200}")
                if not cells[source].strip():
                    raise ValueError(f"an empty cell in column {source}")
                for title, cell in cells.items():
                    columns[title].append(cell)
            start = reader.line_num + 1
    except (ValueError, csv.Error) as error:
        hint = " (is a quotation mark not closed?)" * isinstance(error, csv.Error)
        raise ValueError(f"{name}:{start}: {error}{hint}") from None
    if not texts:
        raise ValueError(f"{name} has no sentences")
    others = {source, *references}
    systems = {title: column for title, column in columns.items() if title not in others}
    return Corpus(columns[source], systems, texts)


def _find_columns(header: Sequence[str]) -> list[str]:
    """The title of the source's column, then those of the references'."""
    titles = ", ".join(header)
    if not all(header) or len({*header}) < len(header):
        raise ValueError(f"each column needs a title of its own, not {titles:.200}")
    sources = [title for title in header if title.casefold() in COLUMNS["sources"]]
    references = [
        title for title in header if _NUMBER.sub("", title.casefold()) in COLUMNS["references"]
    ]
    n_systems = len(header) - len(sources) - len(references)
    if len(sources) != 1 or not references or not n_systems:
        raise ValueError(
            "the first row must name one column source, one or more reference, and the others like "
            f"their systems; it names {titles:.200}"
        )
    return [*sources, *references]
