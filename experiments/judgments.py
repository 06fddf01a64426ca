"""Human judgments: who ranked which correction above which other one."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from green_gec.options import short_repr

from .files import csv_rows, number, read_texts


def read_judgments(path: Path) -> Counter:
    """Count how often people ranked one system above another, from Appraise's XML.

    The keys are pairs of winner and loser. Systems listed in the same attribute produced the same
    sentence, so each of them wins or loses. Ties do not count.
    """
    return Counter(pair for item in read_items(path) for pair in item.wins)


class Item(NamedTuple):
    """Corrections of a sentence, ranked by one person."""

    line: int  # of the file
    src_id: str  # the sentence's, empty if the file does not name it
    wins: list[tuple[str, str]]  # winner and loser


def read_items(path: Path) -> list[Item]:
    """Read what people ranked from Appraise's XML; see `read_judgments` for what wins."""
    items: list[Item] = []
    rows: list[tuple[int, list[str]]] = []  # rank and systems, of the current item
    parser = expat.ParserCreate("utf-8")

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag == "ranking-item":
            rows.clear()
            items.append(Item(parser.CurrentLineNumber, attributes.get("src-id", ""), []))
        elif tag == "translation":
            rank, systems = attributes.get("rank", ""), attributes.get("system", "")
            if not re.fullmatch("[0-9]{1,9}", rank) or not systems.split():
                raise ValueError(
                    f"{path}:{parser.CurrentLineNumber}: a translation needs a numeric rank and at "
                    f"least one system, not rank {short_repr(rank)} and system "
                    f"{short_repr(systems)}"
                )
            rows.append((int(rank), systems.split()))

    def end(tag: str) -> None:
        if tag == "ranking-item":
            for one, other in combinations(rows, 2):
                items[-1].wins.extend(_ordered(one, other))

    parser.StartElementHandler, parser.EndElementHandler = start, end
    try:
        parser.Parse(path.read_bytes(), True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise ValueError(f"{path}:{error.lineno}: not well-formed XML: {reason}") from None
    if not any(item.wins for item in items):
        raise ValueError(f"{path} has no ranking-item that ranks one system above another")
    return items


def _ordered(
    one: tuple[float, list[str]], other: tuple[float, list[str]]
) -> Iterator[tuple[str, str]]:
    """Yield the pairs of winner and loser of two ranks, 1 being the best, with their systems."""
    if one[0] == other[0]:
        return
    better, worse = sorted((one, other))
    for winner in better[1]:
        for loser in worse[1]:
            yield winner, loser


def read_segments(
    path: Path, corpus: str, systems: Sequence[str], n_sentences: int
) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Yield sentences, from 0, with pairs of winner and loser, from GMEG's scores in a CSV file."""
    rows = csv_rows(path, read_texts(path, corpus, n_sentences + 1))
    _, header = next(rows)
    absent = [name for name in systems if name not in header]
    if absent:
        raise ValueError(f"{path}:1: the header has no column {absent[0]!r}")
    for line, row in rows:
        try:
            if len(row) != len(header):
                raise ValueError(f"expected {len(header)} fields, found {len(row)}")
            # A cell is empty if the sentence was not judged.
            cells = [(name, row[header.index(name)]) for name in systems]
            scores = [(-number(cell), [name]) for name, cell in cells if cell]
        except ValueError as error:
            raise ValueError(f"{path}:{line}: {error}") from None
        pairs = combinations(scores, 2)
        yield line - 2, [pair for one, other in pairs for pair in _ordered(one, other)]


def expected_wins(wins: Counter) -> dict[str, float]:
    """Compute Expected Wins (Bojar et al., 2013) from the number of wins per winner and loser.

    That is the probability that a system beats another one, averaged over the others.
    """
    names = sorted({name for pair in wins for name in pair})
    expected = {}
    for name in names:
        against = [(wins[name, other], wins[other, name]) for other in names if other != name]
        shares = [won / (won + lost) for won, lost in against if won + lost]
        expected[name] = sum(shares) / len(shares)
    return expected


def read_human(path: Path, systems: Sequence[str]) -> dict[str, float]:
    """Read SEEDA's human scores, one line per system."""
    lines = read_texts(path, "seeda", len(systems))
    scores = {}
    for at, (name, line) in enumerate(zip(systems, lines, strict=True), 1):
        try:
            scores[name] = number(line)
        except ValueError as error:
            raise ValueError(f"{path}:{at}: {error}") from None
    return scores
