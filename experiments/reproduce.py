"""Turn the public corpora into the tables and figures of GREEN's papers.

python -m experiments.reproduce --data DIR [--out FOLDER] [--scores FILE …]

Exit status: 1 if a figure that should agree does not, 2 if the input is wrong.
"""

import os
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from matplotlib.figure import Figure

from green_gec import __version__

from . import corpora, figures, measure, report

Progress = Callable[[str], None]


@dataclass
class Results:
    """The values of the report, its figures, and the papers' tables."""

    values: report.Values = field(default_factory=dict)
    figures: dict[str, Figure] = field(default_factory=dict)
    tables: list[measure.Table] = field(default_factory=list)

    def draw(self, name: str, figure: Figure) -> None:
        self.figures[name] = figure
        self.values[f"{name}_figure"] = f"figures/{name}.png"

    @property
    def cells(self) -> list[measure.Cell]:
        return [cell for table in self.tables for cell in table.cells()]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    given = parser.parse_args(arguments)
    start = time.perf_counter()

    def progress(step: str) -> None:
        print(f"{time.perf_counter() - start:5.1f} s  {step}", file=sys.stderr, flush=True)

    try:
        _check_out(given.out)
        found, notes = read(given.data, progress)
        others = corpora.read_scores(given.scores)
        with figures.style():
            results = Results()
            add_tables(results, found, others, progress)
            add_betas(results, found, progress)
            add_systems(results, found, given.data, progress)
            add_variants(results, found, progress)
            summary = report.summary(results.cells, notes)
            results.values |= {"verdict": report.verdict(results.cells), "summary": summary}
            results.values |= {"seconds": time.perf_counter() - start, "version": __version__}
            progress(f"writing {given.out / 'RESULTS.md'} and figures")
            save(results, given.out)
    except (OSError, ValueError) as error:
        parser.exit(2, f"{parser.prog}: error: {error}\n")
    except KeyboardInterrupt:
        parser.exit(130)
    print(results.values["verdict"].strip("*"), summary, sep="\n")
    return int(any(cell.is_wrong for cell in results.cells))


def _parser() -> ArgumentParser:
    parser = ArgumentParser("python -m experiments.reproduce", description=__doc__.split("\n")[0])
    default = os.environ.get("GREEN_DATA_DIR") or None
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        default=default,
        required=default is None,
        help="the corpora, laid out as in experiments/README.md (default: $GREEN_DATA_DIR)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        default=Path("results"),
        help="the folder for RESULTS.md and figures/ (default: results)",
    )
    parser.add_argument(
        "--scores",
        type=Path,
        metavar="FILE",
        nargs="+",
        default=[],
        help="CSV files with scores of other metrics, to be added to the tables",
    )
    return parser


def _check_out(folder: Path) -> None:
    """Fail early: check that the output can be written before computing anything."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise ValueError(f"cannot write to {folder}: {there} is not a writable folder")


def read(data: Path, progress: Progress) -> tuple[measure.Corpora, list[str]]:
    """Read all complete corpora; return them with one note per incomplete corpus."""
    found, notes = {}, []
    for folder, read_corpus in corpora.READERS.items():
        progress(f"reading {folder}")
        try:
            found[folder] = read_corpus(data)
        except corpora.Missing as missing:
            notes.append(f"{folder}: {missing}")
            progress(f"left out {notes[-1]}")
    if not found:
        raise ValueError(f"no complete corpus in {data}; see experiments/README.md for the layout")
    return found, notes


def add_tables(
    results: Results, found: measure.Corpora, others: corpora.OtherScores, progress: Progress
) -> None:
    """Add the tables of both papers."""
    conll = found.get("conll14")
    if conll or "seeda" in found:
        progress("Table 2: correlations")
        results.tables += measure.correlation_tables(found, others)
        results.values |= report.correlations(results.tables)
    if conll:
        results.values |= report.drawn(measure.drawn_references(found))
        progress("Table 4: scores")
        results.tables.append(measure.score_table(conll, others))
        results.values |= report.scores(results.tables[-1])
    if conll or "gmeg-fce" in found:
        progress("the first paper's table")
        results.tables.append(measure.first_table(found, others))
        results.values |= report.first(results.tables[-1])


def add_betas(results: Results, found: measure.Corpora, progress: Progress) -> None:
    """Add Figure 3 and the best betas."""
    curves, stars = measure.betas(found, progress)
    results.values |= report.betas(curves)
    results.draw("beta", figures.beta_curves(curves))
    if stars:
        results.values |= report.stars(stars)
        results.draw("best_beta", figures.best_betas(stars))


def add_systems(results: Results, found: measure.Corpora, data: Path, progress: Progress) -> None:
    """Add the systems' scores, the time that scoring takes, and the certainty of the ranking."""
    if conll := found.get("conll14"):
        for name, level in ((4, "corpus"), (6, "mean")):
            what = {"corpus": "corpus-level", "mean": "sentence-level"}[level] + " charGREEN"
            panels = measure.two_betas(conll, "charGREEN", level=level)
            results.draw(f"figure{name}", figures.scatter(conll, "CoNLL", what, panels))
        progress("Table 3: time")
        results.values |= report.times(measure.times(conll, data))
        progress("intervals, pairs and ranks")
        stability = measure.stability(conll)
        results.values |= report.stability(stability)
        results.draw("systems", figures.intervals(stability))
        results.draw("pairs", figures.pairs(stability))
        results.draw("ranks", figures.ranks(stability))
    if seeda := found.get("seeda"):
        panels = measure.two_betas(seeda, "wordGREEN")
        what = "corpus-level wordGREEN"
        results.draw("figure7", figures.scatter(seeda, "SEEDA-S", what, panels, left_out=True))


def add_variants(results: Results, found: measure.Corpora, progress: Progress) -> None:
    """Add the effects of whitespace and of a single reference."""
    if "conll14" in found:
        progress("stripped texts")
        results.values |= report.stripped(measure.stripped(found))
    if {"conll14", "seeda"} <= found.keys():
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
