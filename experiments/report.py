"""Turn results into a Markdown report: the values to fill into `RESULTS.template.md`."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tabulate import tabulate

from . import betas, figures, measure, pairs, published, settings, tables, timing
from .bench import JUDGMENTS, KINDS, Bench, Progress
from .betas import BETAS
from .published import FIRST_SECONDS
from .tables import Cell, Table

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
    return re.sub(r"\n{3,}", "\n\n", "\n".join(filled))


def verdict(cells: Sequence[Cell]) -> str:
    """Return the first sentence of the report."""
    n_exact, n_wrong = sum(not cell.off for cell in cells), sum(cell.is_wrong for cell in cells)
    if n_wrong:
        return f"**{n_wrong} of {len(cells)} cells should agree with the papers and do not.**"
    words = f"{n_exact} of the papers' {len(cells)} cells come out exactly"
    n_known = len(cells) - n_exact
    return f"**{words}; the other {n_known} are known to differ.**" if n_known else f"**{words}.**"


def wrong(cells: Sequence[Cell], notes: Sequence[str]) -> str:
    """List the cells that are wrong and what was left out."""
    lines = [
        f"Wrong: {TITLES[cell.table]}, {cell.row}, {cell.column}: printed {cell.printed}, "
        f"here {cell.shown}."
        for cell in cells
        if cell.is_wrong
    ]
    return "\n".join(f"- {line}" for line in (*lines, *(f"Left out: {note}" for note in notes)))


def counts(cells: Sequence[Cell]) -> str:
    """A table of the cells that agree, by metric and table, like "5 of 6"."""
    rows, names = (
        dict.fromkeys(getattr(cell, field) for cell in cells) for field in ("row", "table")
    )
    lines = []
    for row in (*rows, None):
        of_row = [cell for cell in cells if row in (cell.row, None)]
        by_table = [[cell for cell in of_row if cell.table == name] for name in names]
        lines.append([row or "all", *(_agreeing(some) for some in (*by_table, of_row))])
    return markdown(["", *(TITLES[name] for name in names), "all"], lines)


def _agreeing(cells: Sequence[Cell]) -> str:
    return f"{sum(not cell.off for cell in cells)} of {len(cells)}" if cells else "–"


def differences(cells: Sequence[Cell]) -> str:
    """A table of the cells that differ, with reasons."""
    rows = [
        [
            *(TITLES[cell.table], cell.row, cell.column),
            *(cell.known.reason if cell.known else "wrong", cell.printed, cell.shown),
        ]
        for cell in cells
        if cell.off
    ]
    return markdown(["table", "metric", "column", "reason", "printed", "here"], rows, n_left=4)


def markdown(headers: Sequence[str], rows: Iterable[Sequence[str]], n_left: int = 1) -> str:
    """Format a table; the first columns, `n_left` of them, are words, the others numbers."""
    align = [*["left"] * n_left, *["right"] * (len(headers) - n_left)]
    escaped = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return tabulate(escaped, headers, "pipe", disable_numparse=True, colalign=align)


def shown(value: float, digits: int = 3) -> str:
    return "–" if np.isnan(value) else f"{value:.{digits}f}"


def paper_table(table: Table, digits: int = 3, mark_best: bool = True) -> str:
    """Format a table of a paper: printed rows, our rows (with differences) and the user's rows.

    ERRANT's printed row stays beside ours. If a corpus is missing, its columns have no best cell.
    """
    ours: published.Rows = {}
    for row, values in table.ours.items():
        places = [len(printed.partition(".")[2]) or digits for printed in table.printed[row]]
        ours[row] = [shown(value, n) for value, n in zip(values, places, strict=True)]
    others = {row: [shown(v, digits) for v in values] for row, values in table.others.items()}
    rows = []  # metric, where the figures are from, and cells
    for row, printed in table.printed.items():
        if row not in ours or row == "ERRANT":
            rows.append((row, "first paper" if row == "I-measure" else "published", printed))
        if row in ours:
            rows.append((row, "here", ours[row]))
        if row in others:
            rows.append((row, "your file", others.pop(row)))
    rows += [(row, "your file", cells) for row, cells in others.items()]
    columns = zip(*(cells for _, _, cells in rows), strict=True)
    complete = ["–" not in of_ours for of_ours in zip(*ours.values(), strict=True)] if ours else []
    best = [
        max(cells, key=_number) if mark_best and is_complete else None
        for cells, is_complete in zip(
            columns, complete or [False] * len(table.columns), strict=True
        )
    ]
    lines = []
    for row, origin, cells in rows:
        line = []
        for index, cell in enumerate(cells):
            text = f"**{cell}**" if cell == best[index] else cell
            if origin == "here" and row != "ERRANT":
                printed = table.printed[row][index]
                if printed != "–" and cell not in ("–", printed):
                    text += f" (printed {printed})"
            line.append(text)
        lines.append([row, origin, *line])
    return markdown(["metric", "figures", *table.columns], lines, n_left=2)


def _number(cell: str) -> float:
    return -np.inf if cell == "–" else float(cell)


def correlations(found: Sequence[Table]) -> Values:
    return {table.name.replace(" ", "_"): paper_table(table) for table in found}


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
    return {"scores": paper_table(table, digits=2, mark_best=False)}


def first(table: Table) -> Values:
    best = [[metric, *values] for metric, values in published.BEST_BETAS.items()]
    return {"first": paper_table(table), "first_betas": markdown(["β of", *table.columns], best)}


def wiki(found: Sequence[tables.Wiki]) -> Values:
    rows = []
    for row in found:
        printed = published.FIRST[row.metric][-2:]
        rows.append([row.metric, *printed, *map(shown, (*row.intact, *row.whole))])
    headers = ["", *(f"{kind}, {what}" for what in ("printed", "without", "all") for kind in KINDS)]
    fell = {row.metric: (shown(row.intact[0]), shown(row.whole[0])) for row in found}
    return {
        "wiki": markdown(headers, rows),
        "wiki_r": " and ".join(
            f"{metric}'s from {' to '.join(fell[metric])}" for metric in ("charGREEN", "charGLEU")
        ),
    }


def curves(found: Sequence[betas.Curve]) -> Values:
    rows: list[list[str]] = []
    lost: dict[str, float] = {}  # the most that GREEN's default beta loses in r, by judgment
    for curve in found:
        is_green = curve.metric in betas.GREEN
        at_default = curve.correlations[:, BETAS.searchsorted(2 if is_green else 0.5)]
        if is_green:
            less = curve.correlations[0].max() - at_default[0]
            lost[curve.judgment] = max(lost.get(curve.judgment, 0), less)
        best = [
            text
            for row in curve.correlations
            for text in (shown(row.max()), shown(betas.middle_of_best(row), 2))
        ]
        rows.append([curve.metric, curve.judgment, *best, *map(shown, at_default)])
    headers = ["", "", "best r", "at β", "best ρ", "at β", "r by default", "ρ by default"]
    losses = ", ".join(f"{judgment} {less:.2f}" for judgment, less in lost.items())
    return {"n_betas": len(BETAS), "betas": markdown(headers, rows, n_left=2), "losses": losses}


def stars(found: Sequence[betas.BetaStar]) -> Values:
    rows = [
        [
            *(f"{star.metric}, {star.judgment} {star.kind}", shown(star.printed, 2)),
            *(shown(star.estimate, 2), f"{star.low:.2f} to {star.high:.2f}"),
        ]
        for star in found
    ]
    outside = [
        max(round(star.low, 2) - star.printed, star.printed - round(star.high, 2), 0)
        for star in found
    ]
    return {
        "stars": markdown(["", "printed", "split in order", "random splits"], rows),
        "n_splits": betas.N_SPLITS,
        "furthest_star": max(abs(star.estimate - star.printed) for star in found),
        "n_stars": len(found),
        "n_outside": sum(distance > 0 for distance in outside),
        "most_outside": max(outside),
    }


def times(found: Sequence[timing.Times]) -> Values:
    rows = [[metric, "published", *cells, "", ""] for metric, cells in published.SECONDS.items()]
    rows += [[name, "first paper", *cells, "", "", ""] for name, cells in FIRST_SECONDS.items()]
    for row in found:
        command = [shown(value, 2) for value in row.command] or ["", ""]
        rows.append([row.metric, "here", *command, *(shown(value) for value in row.in_python)])
    headers = ["metric", "figures", "AMU", "AMU-S", "AMU, in Python", "AMU-S, in Python"]
    return {"times": markdown(headers, rows, n_left=2), "n_runs": timing.N_RUNS}


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


def fluency(rows: Sequence[measure.Fluency]) -> Values:
    lines = [
        [row.metric, row.level, *(shown(r) for of_judgment in row.r.values() for r in of_judgment)]
        for row in rows
    ]
    headers = [f"{judgment}, {n}" for judgment in rows[0].r for n in measure.FLUENCY]
    by_row = {(row.metric, row.level): row.r["SEEDA-S"] for row in rows}
    usual, fluent, source = map(shown, by_row["wordGREEN", "corpus level"])
    best = max(by_row, key=lambda row: by_row[row][1])
    return {
        "fluency": markdown(["metric", "level", *headers], lines, n_left=2),
        **{"usual_r": usual, "fluent_r": fluent, "source_r": source},
        "fluent_best": f"{', '.join(best)}: {shown(by_row[best][1])}",
    }


def agreement(found: Bench, progress: Progress) -> Values:
    """Tables of the agreement of all metrics with all judgments, of systems and of sentences."""
    headers = ["", *(f"{judgment} {kind}" for judgment in JUDGMENTS for kind in KINDS)]
    by_level = {level: tables.all_metrics(found, level) for level in ("corpus", "mean")}
    values = {
        f"all_{level}": markdown(
            headers, [[name, *map(shown, cells)] for name, cells in rows.items()]
        )
        for level, rows in by_level.items()
    }
    by_judgment = pairs.agreements(found, progress)
    return values | (shares(by_judgment) if by_judgment else {})


def shares(found: dict[str, pairs.Agreement]) -> Values:
    """A table of the shares of human pairs that metrics order alike, with intervals."""
    rows = [
        ["pairs", *(f"{each.n_pairs:,}" for each in found.values())],
        ["sentences", *(f"{each.n_sentences:,}" for each in found.values())],
    ]
    for metric in dict.fromkeys(metric for each in found.values() for metric in each.shares):
        rows.append([metric, *(_share(each, metric) for each in found.values())])
    leads = []
    shown_of = {name: each for name, each in found.items() if not name.endswith(" systems")}
    for judgment, each in shown_of.items():
        for unit in ("word", "char"):
            names = (f"{unit}GREEN, mean", f"{unit}GREEN")
            low, high = each.interval(*names)
            lead = each.shares[names[0]] - each.shares[names[1]]
            leads.append([judgment, names[1], f"{lead:+.3f} ({low:+.3f} to {high:+.3f})"])
    return {
        "shares": markdown(["", *found], rows),
        "share_leads": markdown(["", "", "lead of the mean"], leads, n_left=2),
        "ties": _ties(found),
        "n_share_resamples": pairs.N_RESAMPLES,
    }


def _share(found: pairs.Agreement, metric: str) -> str:
    if metric not in found.shares:
        return "–"
    low, high = found.interval(metric)
    return f"{found.shares[metric]:.3f} ({low:.3f}–{high:.3f})"


def _ties(found: dict[str, pairs.Agreement]) -> str:
    """How often metrics of edits tie, in the first judgment."""
    judgment, agreement = next(iter(found.items()))
    ties = [agreement.ties[metric] for metric in TIED if metric in agreement.ties]
    if not ties:
        return "many pairs"
    return f"{min(ties):.0%} to {max(ties):.0%} of the pairs of {judgment}"


TIED = ("M²", "ERRANT", "CLEME")


def best_setting(found: settings.Settings) -> Values:
    rows = []
    for index, name in enumerate(settings.SETTINGS):
        cells = [shown(value) for value in found.cells[index].ravel()]
        low, high = found.leads[index]
        lead = "–" if name == settings.DEFAULT else f"{low:+.3f} to {high:+.3f}"
        rows.append([name, *cells, shown(found.agreement[index]), lead])
    headers = [f"{judgment} {kind}" for judgment in found.judgments for kind in KINDS]
    held = [
        [
            row.folder,
            row.chosen,
            shown(row.agreement),
            shown(row.default),
            f"{row.best}: {row.best_agreement:.3f}",
        ]
        for row in found.held_out
    ]
    default = list(settings.SETTINGS).index(settings.DEFAULT)
    best = int(found.agreement.argmax())
    low, high = found.leads[best]
    values = {
        "settings": markdown(["GREEN", *headers, "mean", "lead over the default"], rows),
        "best_setting": list(settings.SETTINGS)[best],
        "best_agreement": found.agreement[best],
        "default_agreement": found.agreement[default],
        "lead_low": low,
        "lead_high": high,
        "n_setting_resamples": settings.N_RESAMPLES,
        "n_systems": found.n_systems,
    }
    if found.judgments != list(JUDGMENTS):
        return values  # the text about the held-out corpora is about all of them
    leads = (found.cells[best] - found.cells[default]).mean(axis=-1)  # (judgment,)
    headers = [
        "held out",
        "chosen on the others",
        "it has",
        "the default has",
        "the best there has",
    ]
    return values | {
        "held_out": markdown(headers, held, n_left=2),
        "lead": leads.mean(),
        "lead_without_wiki": leads[:-1].mean(),
    }
