"""Turn results into a Markdown report: the values to fill into `RESULTS.template.md`."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tabulate import tabulate

from . import figures, measure, published
from .measure import BETAS, KINDS, Cell, Table
from .published import FIRST_SECONDS

TEMPLATE = Path(__file__).with_name("RESULTS.template.md")
TITLES = {
    "corpus level": "Table 2, corpus level",
    "sentence level": "Table 2, sentence level",
    "scores": "Table 4",
    "first paper": "Table 2 of the first paper",
}

Values = dict[str, Any]


def fill(values: Values) -> str:
    """Fill in the template; a section with a missing value is left out."""
    sections = re.split(r"\n(?=##+ )", TEMPLATE.read_text("utf-8"))
    filled = []
    for section in sections:
        try:
            filled.append(section.format_map(values))
        except KeyError:
            continue
    return "\n".join(filled)


def in_words(cells: Sequence[Cell]) -> str:
    """Summarise agreement, such as "46 of 48 cells agree exactly, 2 within 0.0022"."""
    off = Counter(min(cell.off, 2) for cell in cells)
    words = f"{off[0]} of {len(cells)} cells agree exactly"
    if off[1]:
        words += f", {off[1]} within one unit of the last digit"
    if off[2]:
        furthest = max(abs(cell.ours - float(cell.printed)) for cell in cells)
        words += f", {off[2]} within {np.ceil(1e4 * furthest) / 1e4:.4f}"
    return words


def verdict(cells: Sequence[Cell]) -> str:
    """Return the first sentence of the report."""
    n_exact, n_wrong = sum(not cell.off for cell in cells), sum(cell.is_wrong for cell in cells)
    if n_wrong:
        return f"**{n_wrong} of {len(cells)} cells should agree with the papers and do not.**"
    words = f"{n_exact} of the papers' {len(cells)} cells come out exactly"
    n_known = len(cells) - n_exact
    return f"**{words}; the other {n_known} are known to differ.**" if n_known else f"**{words}.**"


def summary(cells: Sequence[Cell], notes: Sequence[str]) -> str:
    """List how far each table agrees, which cells are wrong and which corpora were left out."""
    by_table: dict[str, list[Cell]] = {}
    for cell in cells:
        by_table.setdefault(TITLES[cell.table], []).append(cell)
    lines = [f"{title}: {in_words(some)}." for title, some in by_table.items()]
    lines += [
        f"Wrong: {TITLES[cell.table]}, {cell.row}, {cell.column}: printed {cell.printed}, "
        f"here {cell.shown}."
        for cell in cells
        if cell.is_wrong
    ]
    return "\n".join(f"- {line}" for line in (*lines, *(f"Left out: {note}" for note in notes)))


def markdown(headers: Sequence[str], rows: Iterable[Sequence[str]], n_left: int = 1) -> str:
    """Format a table; the first columns, `n_left` of them, are words, the others numbers."""
    align = [*["left"] * n_left, *["right"] * (len(headers) - n_left)]
    escaped = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return tabulate(escaped, headers, "pipe", disable_numparse=True, colalign=align)


def shown(value: float, digits: int = 3) -> str:
    return "–" if np.isnan(value) else f"{value:.{digits}f}"


def paper_table(table: Table, digits: int = 3, mark_best: bool = True) -> str:
    """Format a table of a paper: printed rows, our rows (with differences) and the user's rows.

    If a corpus is missing, its columns have no best cell.
    """
    ours = {row: ["–"] * len(table.columns) for row in table.ours}
    for cell in table.cells():
        ours[cell.row][table.columns.index(cell.column)] = cell.shown
    others = {row: [shown(v, digits) for v in values] for row, values in table.others.items()}
    rows = table.printed | ours | others
    best = [
        max(cells, key=_number) if mark_best and "–" not in of_ours else None
        for cells, of_ours in zip(
            zip(*rows.values(), strict=True), zip(*ours.values(), strict=True), strict=True
        )
    ]
    lines = []
    for row, cells in rows.items():
        line = []
        for index, cell in enumerate(cells):
            text = f"**{cell}**" if cell == best[index] else cell
            if row in ours and cell not in ("–", table.printed[row][index]):
                text += f" (printed {table.printed[row][index]})"
            line.append(text)
        lines.append([row, _origin(table, row), *line])
    return markdown(["metric", "figures", *table.columns], lines, n_left=2)


def _origin(table: Table, row: str) -> str:
    if row in table.ours:
        return "here"
    if row not in table.printed:
        return "your file"
    return "first paper" if row == "I-measure" else "published"


def _number(cell: str) -> float:
    return -np.inf if cell == "–" else float(cell)


def correlations(tables: Sequence[Table]) -> Values:
    cells = [cell for table in tables for cell in table.cells()]
    return {
        "correlation_words": in_words(cells),
        **{table.name.replace(" ", "_"): paper_table(table) for table in tables},
    }


def drawn(rows: Sequence[measure.Drawn]) -> Values:
    lines, print_known = [], []
    for row in rows:
        for n, kind in enumerate(KINDS):
            column = f"{row.judgment} {kind}"
            index = published.CORRELATION_COLUMNS.index(column)
            printed = published.SENTENCE_LEVEL[row.metric][index]
            cells = [
                f"**{value:.4f}**" if shown(value) == printed else f"{value:.4f}"
                for value in (row.averaged[n], row.drawn[n])
            ]
            like_printed = np.array([shown(value) == printed for value in row.other_draws[n]])
            lines.append([row.metric, column, printed, *cells, f"{like_printed.mean():.0%}"])
            if ("sentence level", row.metric, column) in published.KNOWN:
                print_known.append(like_printed)
    headers = ["metric", "column", "printed", "averaged", "drawn", "other draws that give it"]
    return {
        "drawn": markdown(headers, lines, n_left=2),
        "n_draws": measure.N_DRAWS,
        "share_both": np.all(print_known, axis=0).mean(),
    }


def scores(table: Table) -> Values:
    return {
        "scores": paper_table(table, digits=2, mark_best=False),
        "scores_words": in_words(table.cells()),
    }


def first(table: Table) -> Values:
    betas = [[metric, *values] for metric, values in published.BEST_BETAS.items()]
    return {
        "first": paper_table(table),
        "first_words": in_words(table.cells()),
        "first_betas": markdown(["β of", *table.columns], betas),
    }


def betas(curves: Sequence[measure.Curves]) -> Values:
    rows, lost = [], []
    for curve in curves:
        at_2 = curve.correlations[:, BETAS.searchsorted(2)]
        lost.append(curve.correlations[0].max() - at_2[0])
        best = [
            text
            for row in curve.correlations
            for text in (shown(row.max()), shown(measure.middle_of_best(row), 2))
        ]
        rows.append([f"{curve.metric}, {curve.judgment}", *best, *map(shown, at_2)])
    headers = ["", "best r", "at β", "best ρ", "at β", "r at β = 2", "ρ at β = 2"]
    return {"n_betas": len(BETAS), "betas": markdown(headers, rows), "most_lost": max(lost)}


def stars(found: Sequence[measure.BetaStar]) -> Values:
    rows = [
        [
            *(f"{star.metric}, {star.judgment} {star.kind}", shown(star.printed, 2)),
            *(shown(star.estimate, 2), f"{star.low:.2f} to {star.high:.2f}"),
        ]
        for star in found
    ]
    outside = [max(star.low - star.printed, star.printed - star.high, 0) for star in found]
    return {
        "stars": markdown(["", "printed", "split in order", "random splits"], rows),
        "n_splits": measure.N_SPLITS,
        "furthest_star": max(abs(star.estimate - star.printed) for star in found),
        "n_stars": len(found),
        "n_outside": sum(distance > 0 for distance in outside),
        "most_outside": max(outside),
    }


def times(found: Sequence[measure.Times]) -> Values:
    rows = [[metric, "published", *cells, ""] for metric, cells in published.SECONDS.items()]
    rows += [[name, "first paper", *cells, "", ""] for name, cells in FIRST_SECONDS.items()]
    rows += [[t.metric, "here", shown(t.command, 2), "", shown(t.in_python)] for t in found]
    headers = ["metric", "figures", "AMU", "AMU-S", "AMU, in Python"]
    return {"times": markdown(headers, rows, n_left=2)}


def stability(found: measure.Stability) -> Values:
    above = list(zip(*np.triu_indices(len(found.names), 1), strict=True))
    kinds = Counter(figures.pair_kind(found, *pair) for pair in above)
    alike = [pair for pair in above if not found.differ[pair]]
    n_differ, n_agree = len(above) - len(alike), kinds["significant, people agree"]
    n_alike_agree = sum(found.human[one] > found.human[other] for one, other in alike)
    low, high = found.intervals.T
    overlapping = [(one, other) for one, other in above if low[one] <= high[other]]
    return {
        "n_overlapping": len(overlapping),
        "n_overlapping_differ": sum(found.differ[pair] for pair in overlapping),
        "n_resamples": measure.N_RESAMPLES,
        "n_pairs": len(above),
        "n_differ": n_differ,
        "n_agree": n_agree,
        "share_agree": n_agree / max(n_differ, 1),
        "n_alike": len(alike),
        "n_alike_agree": n_alike_agree,
        "share_alike_agree": n_alike_agree / max(len(alike), 1),
        "mean_ranks": (found.rank_probability >= 0.025).sum(axis=1).mean(),
    }


def stripped(found: measure.Stripped) -> Values:
    return {
        "stripped": _variants(found.rows, "texts"),
        "unstripped": " and ".join(found.gains) or "no system",
        "strip_gains": " and ".join(f"{100 * gain:.2f}" for gain in found.gains.values()) or "0",
    }


def single(rows: measure.Variants) -> Values:
    lost = [
        np.subtract(rows[metric, level, "both"], row)[::2]  # r only
        for (metric, level, way), row in rows.items()
        if way != "both"
    ]
    return {"single": _variants(rows, "references"), "mean_lost": np.nanmean(lost)}


def _variants(rows: measure.Variants, what: str) -> str:
    lines = [[*key, *map(shown, values)] for key, values in rows.items()]
    return markdown(["metric", "level", what, *published.CORRELATION_COLUMNS], lines, n_left=3)
