"""Turn the public corpora into the tables and figures of GREEN's papers.

python -m experiments.reproduce --data DIR [--out FOLDER] [--scores FILE …]

Exits with 1 if a figure does not agree that should, and with 2 if the input is wrong.
"""

import os
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from green_gec import __version__

from . import corpora, figures, measure, report

READERS = {
    "conll14": corpora.read_conll14,
    "seeda": corpora.read_seeda,
    "gmeg-fce": corpora.read_gmeg,
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    given = parser.parse_args(arguments)
    start = time.perf_counter()

    def progress(step: str) -> None:
        print(f"{time.perf_counter() - start:5.1f} s  {step}", file=sys.stderr, flush=True)

    try:
        (given.out / "figures").mkdir(parents=True, exist_ok=True)
        found, notes = read(given.data, progress)
        others = corpora.read_scores(given.scores)
        with figures.style():
            values, drawn, cells = make(found, others, given.data, progress)
            progress("drawing figures")
            for name, figure in drawn.items():
                figures.save(name, figure, given.out / "figures")
        values |= {"verdict": report.verdict(cells), "summary": report.summary(cells, notes)}
        values |= {"seconds": time.perf_counter() - start, "version": __version__}
        (given.out / "RESULTS.md").write_text(report.fill(values), "utf-8")
    except (OSError, ValueError) as error:
        parser.exit(2, f"{parser.prog}: error: {error}\n")
    progress(f"wrote {given.out / 'RESULTS.md'}")
    print(values["verdict"].strip("*"), values["summary"], sep="\n")
    return int(any(cell.is_wrong for cell in cells))


def _parser() -> ArgumentParser:
    parser = ArgumentParser("python -m experiments.reproduce", description=__doc__.split("\n")[0])
    default = os.environ.get("GREEN_DATA_DIR")
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        default=default,
        required=default is None,
        help="the corpora, laid out as experiments/README.md says (default: $GREEN_DATA_DIR)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        default=Path("results"),
        help="where RESULTS.md and figures/ go (default: results)",
    )
    parser.add_argument(
        "--scores",
        type=Path,
        metavar="FILE",
        nargs="+",
        default=[],
        help="CSV files with another metric's scores, which then has a row in the tables",
    )
    return parser


def read(data: Path, progress: Callable[[str], None]) -> tuple[measure.Corpora, list[str]]:
    """The corpora that are there, and a note for each that is not."""
    found, notes = {}, []
    for folder, read_corpus in READERS.items():
        progress(f"reading {folder}")
        try:
            found[folder] = read_corpus(data)
        except corpora.Missing as missing:
            notes.append(f"{folder}: {missing}")
            progress(f"left out {notes[-1]}")
    if not found:
        raise ValueError(f"there is no corpus in {data}: " + "; ".join(notes))
    return found, notes


def make(
    found: measure.Corpora,
    others: corpora.OtherScores,
    data: Path,
    progress: Callable[[str], None],
) -> tuple[report.Values, dict[str, Figure], list[measure.Cell]]:
    """What the report says, its figures, and all its cells that stand in print."""
    conll, seeda = found.get("conll14"), found.get("seeda")
    values: report.Values = {}
    drawn: dict[str, Figure] = {}
    tables = []

    def draw(name: str, figure: Figure) -> None:
        drawn[name] = figure
        values[f"{name}_figure"] = f"figures/{name}.png"

    if conll or seeda:
        progress("Table 2: correlations")
        tables += measure.correlation_tables(found, others)
        values |= report.correlations(tables)
        values |= report.drawn(measure.drawn_references(found))
    if conll:
        progress("Table 4: scores")
        tables.append(measure.score_table(conll, others))
        values |= report.scores(tables[-1])
    if conll or "gmeg-fce" in found:
        progress("the first paper's table")
        tables.append(measure.first_table(found, others))
        values |= report.first(tables[-1])
    curves, stars = measure.betas(found, progress)
    values |= report.betas(curves)
    draw("beta", figures.beta_curves(curves))
    if stars:
        values |= report.stars(stars)
        draw("best_beta", figures.best_betas(stars))
    if conll:
        draw("figure4", figures.scatter(conll, "CoNLL", measure.two_betas(conll, "charGREEN")))
        at_mean = measure.two_betas(conll, "charGREEN", level="mean")
        draw("figure6", figures.scatter(conll, "CoNLL", at_mean))
    if seeda:
        panels = measure.two_betas(seeda, "wordGREEN")
        draw("figure7", figures.scatter(seeda, "SEEDA-S", panels, left_out=True))
    if conll:
        progress("Table 3: time")
        values |= report.times(measure.times(conll, data))
        progress("intervals, pairs and ranks")
        stability = measure.stability(conll)
        values |= report.stability(stability)
        draw("systems", figures.intervals(stability))
        draw("pairs", figures.pairs(stability))
        draw("ranks", figures.ranks(stability))
    if conll or seeda:
        progress("stripped texts, single references")
        values |= report.stripped(measure.stripped(found))
        values |= report.single(measure.single_references(found))
    return values, drawn, [cell for table in tables for cell in table.cells()]


if __name__ == "__main__":
    sys.exit(main())
