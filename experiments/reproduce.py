"""Turn the public corpora into the tables and figures of GREEN's papers.

python -m experiments.reproduce --data DIR [--out FOLDER] [--scores FILE …]

Exit status: 1 if a figure that should agree does not, 2 if the input is wrong.
"""

import os
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from matplotlib.figure import Figure

from green_gec import __version__

from . import bench, betas, figures, measure, report, settings, tables, timing
from .bench import Bench, Progress
from .tables import Cell, Table


@dataclass
class Results:
    """The values of the report, its figures, and the papers' tables."""

    values: report.Values = field(default_factory=dict)
    figures: dict[str, Figure] = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)

    def draw(self, name: str, figure: Figure) -> None:
        self.figures[name] = figure
        self.values[f"{name}_figure"] = f"figures/{name}.png"

    @property
    def cells(self) -> list[Cell]:
        return [cell for table in self.tables for cell in table.cells()]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    given = parser.parse_args(arguments)
    start = time.perf_counter()

    def progress(step: str) -> None:
        print(f"{time.perf_counter() - start:5.1f} s  {step}", file=sys.stderr, flush=True)

    try:
        _check_out(given.out)
        found = bench.read(given.data, given.scores, progress)
        results = Results()
        with figures.style():
            for add in (add_tables, add_betas, add_systems, add_agreement, add_variants):
                add(results, found, progress)
            cells = results.cells
            results.values |= {
                "verdict": report.verdict(cells),
                "wrong": report.wrong(cells, found.notes),
                "counts": report.counts(cells),
                "differences": report.differences(cells),
                "seconds": time.perf_counter() - start,
                "version": __version__,
            }
            progress(f"writing {given.out / 'RESULTS.md'} and figures")
            save(results, given.out)
    except (OSError, ValueError) as error:
        parser.exit(2, f"{parser.prog}: error: {error}\n")
    except KeyboardInterrupt:
        parser.exit(130)
    parts = (results.values[name] for name in ("verdict", "wrong", "counts"))
    print("\n\n".join(part.strip("*") for part in parts if part))
    return int(any(cell.is_wrong for cell in cells))


def _parser() -> ArgumentParser:
    parser = ArgumentParser("python -m experiments.reproduce", description=__doc__.split("\n")[0])
    bench.add_arguments(parser)
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        default=Path("results"),
        help="the folder for RESULTS.md and figures/ (default: results)",
    )
    return parser


def _check_out(folder: Path) -> None:
    """Fail early: check that the output can be written before computing anything."""
    for wanted in (folder, folder / "figures"):
        there = next(path for path in (wanted, *wanted.absolute().parents) if path.exists())
        if not there.is_dir() or not os.access(there, os.W_OK):
            raise ValueError(f"cannot write to {folder}: {there} is not a writable folder")


def add_tables(results: Results, found: Bench, progress: Progress) -> None:
    """Add the tables of both papers."""
    has_conll = "conll14" in found.corpora
    if has_conll or "seeda" in found.corpora:
        progress("Table 2: correlations")
        results.tables += tables.correlation_tables(found)
        results.values |= report.correlations(results.tables)
    if has_conll:
        results.values |= report.drawn(measure.drawn_references(found.corpora))
        progress("Table 4: scores")
        results.tables.append(tables.score_table(found))
        results.values |= report.scores(results.tables[-1])
    if has_conll or {"gmeg-fce", "gmeg-wiki"} & found.corpora.keys():
        progress("the first paper's table")
        results.tables.append(tables.first_table(found))
        results.values |= report.first(results.tables[-1])
    if "gmeg-wiki" in found.corpora:
        results.values |= report.wiki(tables.wiki_lines(found))
        results.draw("wiki", figures.wiki(tables.intact(found)))


def add_betas(results: Results, found: Bench, progress: Progress) -> None:
    """Add Figure 3 and the best betas."""
    curves, stars = betas.curves(tables.intact(found), progress)
    results.values |= report.curves(curves)
    results.draw("beta", figures.beta_curves(curves))
    if stars:
        results.values |= report.stars(stars)
        results.draw("best_beta", figures.best_betas(stars))


def add_systems(results: Results, found: Bench, progress: Progress) -> None:
    """Add the systems' scores, the time that scoring takes, and the certainty of the ranking."""
    if conll := found.corpora.get("conll14"):
        for name, panels in figures.panels_of_systems(found).items():
            results.draw(name, figures.scatter(conll, "CoNLL", panels))
        progress("Table 3: time")
        results.values |= report.times(timing.times(conll))
        progress("intervals, pairs and ranks")
        stability = measure.stability(conll)
        results.values |= report.stability(stability)
        results.draw("systems", figures.intervals(stability))
        results.draw("pairs", figures.pairs(stability))
        results.draw("ranks", figures.ranks(stability))
    if seeda := found.corpora.get("seeda"):
        panels = figures.two_betas(seeda, "wordGREEN")
        results.draw("figure7", figures.scatter(seeda, "SEEDA-S", panels, left_out=True))
        progress("SEEDA with the systems that rewrite for fluency")
        results.values |= report.fluency(measure.fluency(found))


def add_agreement(results: Results, found: Bench, progress: Progress) -> None:
    """Add the agreement of all metrics with all judgments, and the best setting of GREEN."""
    progress("all metrics, all judgments")
    results.values |= report.agreement(found, progress)
    progress("settings")
    results.values |= report.best_setting(settings.settings(found))


def add_variants(results: Results, found: Bench, progress: Progress) -> None:
    """Add the effects of whitespace and of a single reference."""
    if "conll14" in found.corpora:
        progress("stripped texts")
        results.values |= report.stripped(measure.stripped(found))
    if {"conll14", "seeda"} <= found.corpora.keys():
        progress("single references")
        results.values |= report.single(measure.single_references(found))


def save(results: Results, out: Path) -> None:
    """Write all files to a temporary folder, then move them into place, the report last."""
    (out / "figures").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".writing-", dir=out) as folder:
        for name, figure in results.figures.items():
            figures.save(name, figure, Path(folder))
        (Path(folder) / "RESULTS.md").write_text(report.fill(results.values), "utf-8")
        for path in sorted(Path(folder).iterdir(), key=lambda path: path.suffix == ".md"):
            os.replace(path, out / ("" if path.suffix == ".md" else "figures") / path.name)


if __name__ == "__main__":
    sys.exit(main())
