"""Read files of the public corpora. Errors name the file and the line."""

import csv
import math
from collections.abc import Iterator
from pathlib import Path

from green_gec.corpus import read_lines
from green_gec.options import short_repr

ORIGINS = {
    "conll14": "the CoNLL-2014 test set and submissions from "
    "https://www.comp.nus.edu.sg/~nlp/conll14st.html, the judgments from "
    "https://github.com/grammatical/evaluation",
    "seeda": "SEEDA from https://github.com/tmu-nlp/SEEDA",
    "gmeg-fce": "GMEG from https://github.com/grammarly/GMEG",
    "gmeg-wiki": "GMEG from https://github.com/grammarly/GMEG",
    "edits": "ERRANT's edits from https://github.com/THUKElab/CLEME, or make them",
}


class Missing(Exception):
    """A file that a corpus needs does not exist."""

    def __init__(self, path: Path, corpus: str):
        super().__init__(f"{path} is missing; get {ORIGINS[corpus]} (see experiments/README.md)")


def read_texts(path: Path, corpus: str, n_lines: int | None = None) -> list[str]:
    """Read the lines of a file; if `n_lines` is given, there must be that many."""
    lines = read_lines(present(path, corpus))
    if not lines:
        raise ValueError(f"{path} is empty")
    if n_lines not in (None, len(lines)):
        where = f"{path}:{min(len(lines), n_lines) + 1}"
        raise ValueError(f"{where}: expected {n_lines} lines, found {len(lines)}")
    return lines


def present(path: Path, corpus: str) -> Path:
    """Return the path if the file exists; otherwise raise `Missing`."""
    if not path.is_file():
        raise Missing(path, corpus)
    return path


def csv_rows(path: Path, lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV file, each with the number of its last line."""
    rows = csv.reader(lines)
    try:
        for row in rows:
            yield rows.line_num, row
    except csv.Error as error:
        raise ValueError(f"{path}:{rows.line_num}: {error}") from None


def number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"expected a number, found {short_repr(text)}")
    return value
