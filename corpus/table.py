"""Tables, CSV and TSV: a row per sentence, with columns for source, references and systems."""

import csv
import re
from collections.abc import Sequence

from ..inputs import Corpus
from .columns import COLUMNS
from .files import Path, read_lines, show_name

_NUMBER = re.compile(r"[\s_-]*\d+$")  # of one of several references


def read_table(path: Path) -> Corpus:
    """The sentences of a CSV file or, by its name, of a TSV file, whose first row names columns.

    One column is the source ("source", or a synonym such as "original"), one or more are references
    ("reference", "Reference 2", …), and every other column is a system of that name. A row may have
    fewer references than others, but neither an empty source nor an empty correction.
    """
    name = show_name(path)
    delimiter = "\t" if name.lower().endswith(".tsv") else ","
    lines = [f"{line}\n" for line in read_lines(path)]  # a cell may have several
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    columns: dict[str, list[str]] = {}
    try:
        header = [cell.strip() for cell in next(reader, [])]
        source, references = _find_columns(header)
        columns = {title: [] for title in header}
        for row in filter(None, reader):
            if len(row) != len(header):
                raise ValueError(f"{len(row)} cells, but there are {len(header)} columns")
            cells = dict(zip(header, row, strict=True))
            if not any(cells[title].strip() for title in references):
                raise ValueError(f"no reference in column {' or '.join(references)}")
            for title, cell in cells.items():
                if title not in references and not cell.strip():
                    raise ValueError(f"an empty cell in column {title}")
                columns[title].append(cell)
    except (ValueError, csv.Error) as error:
        raise ValueError(f"{name}:{max(reader.line_num, 1)}: {error}") from None
    texts = zip(*(columns[title] for title in references), strict=True)
    lists = [[text for text in row if text.strip()] for row in texts]
    if not lists:
        raise ValueError(f"{name} has no sentences")
    sources = columns.pop(source)
    systems = {title: columns[title] for title in columns if title not in references}
    return Corpus(sources, systems, lists)


def _find_columns(header: Sequence[str]) -> tuple[str, list[str]]:
    """The title of the source's column, and those of the references'."""
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
    return sources[0], references
