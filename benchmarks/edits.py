"""Time the scores of edits, in one process and on one thread: python benchmarks/edits.py

Prints Markdown tables of best times; functions that are compared take turns. Set GREEN_DATA_DIR to
run on CoNLL-2014, where M² has twelve systems and ERRANT's comparison AMU's public edits; otherwise
the bundled examples take their place. `--only` selects tables.

We know of no package for M² on PyPI, so it has no peer here. ERRANT's comparison has one, the
command `errant_compare` of the package `errant`: both read two M2 files and compare their edits.
"""

import os

# Must precede the imports of libraries that read it.
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import contextlib
import io
import math
import random
import sys
import tempfile
import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow
from speed import best
from texts import EXAMPLES, N_SENTENCES, edit, load_systems

from green_gec import compare
from green_gec.corpus import Annotated, Edit, read_edits

# What `--only` selects, and the line before each table.
TABLES = {
    "m2": "M² of each system and of all in one pass: `compare` without resampling.",
    "errant": "ERRANT's comparison of two M2 files, reading included.",
    "worst": "M² of one text that is hard to align, with the gold edits of one annotator.",
}
CLAUSE = "and then the man went to the house of the old man"


def print_times(functions: dict[str, Callable[[], Any]], least: int, most: float) -> None:
    """Time functions that take turns."""
    print("| what | ms |\n|---|---:|")
    for name, seconds in best(functions, least, most).items():
        print(f"| {name} | {1000 * seconds:,.1f} |", flush=True)


def score(metric: str, systems: dict[str, list], gold: list[Annotated]) -> list[dict]:
    table = compare(systems, metrics=[metric], gold=gold, n_resamples=0, detailed=True)
    return table.to_dict("records")


def gold_file() -> Path:
    folder = os.environ.get("GREEN_DATA_DIR")
    return Path(folder) / "conll14" / "official.m2" if folder else EXAMPLES / "references.m2"


def m2_functions(n_sentences: int) -> dict[str, Callable]:
    """M² of the systems; the bundled examples are repeated."""
    gold = read_edits(gold_file())
    gold = (gold * -(-n_sentences // len(gold)))[:n_sentences]
    systems = load_systems(n_sentences)
    each = {name: partial(score, "m2", {name: texts}, gold) for name, texts in systems.items()}
    return {**each, f"all {len(systems)} systems": lambda: score("m2", systems, gold)}


def errant_functions(folder: Path) -> dict[str, Callable]:
    """Our comparison and ERRANT's, of the same files and with the same figures."""
    from errant.commands import compare_m2

    if data := os.environ.get("GREEN_DATA_DIR"):
        ours, gold = (Path(data) / "conll14" / name for name in ("errant/AMU.m2", "errant.m2"))
    else:  # the first annotator's edits, as if they were a system's
        ours, gold = folder / "system.m2", EXAMPLES / "references.m2"
        lines = gold.read_text("utf-8").splitlines()
        kept = [line for line in lines if not line.startswith("A ") or line.endswith("|||0")]
        ours.write_text("\n".join(kept) + "\n", "utf-8")

    def with_errant() -> str:
        command = ["errant_compare", "-hyp", str(ours), "-ref", str(gold)]
        printed = io.StringIO()
        with mock.patch.object(sys, "argv", command), contextlib.redirect_stdout(printed):
            compare_m2.main()
        return printed.getvalue()

    def with_compare() -> dict:
        return score("errant", {"system": read_edits(ours)}, read_edits(gold))[0]

    row = with_compare()
    correct, wrong = row["correct"], row["proposed"] - row["correct"]
    figures = f"{correct}\t{wrong}\t{row['gold'] - correct}\t"
    assert figures in with_errant(), (figures, with_errant())
    return {"`compare`": with_compare, "`errant_compare`": with_errant}


def worst_functions() -> dict[str, Callable]:
    rng = random.Random(0)
    clauses = CLAUSE.split() * 10
    n = len(CLAUSE.split())
    words, others = ([f"{letter}{number}" for number in range(120)] for letter in "ab")
    paragraph = [f"w{rng.randrange(500)}" for _ in range(2000)]
    cases = {
        "120 words, ten repeated clauses, one of them deleted": (
            *(clauses, clauses[n:], [Edit(4 * n, 5 * n, ((),))]),
        ),
        "120 words, ten repeated clauses, a tenth of the words changed": (
            *(clauses, edit(clauses, rng), [Edit(4 * n, 5 * n, ((),))]),
        ),
        "120 words against 120 others": (
            *(words, others, [Edit(i, i + 1, ((others[i],),)) for i in range(120)]),
        ),
        "a paragraph of 2,000 words, a tenth of them changed": (
            *(paragraph, edit(paragraph, rng), [Edit(i, i + 1, ((),)) for i in range(0, 2000, 20)]),
        ),
    }
    return {
        name: partial(score, "m2", {name: [" ".join(text)]}, [Annotated(source, {0: gold})])
        for name, (source, text, gold) in cases.items()
    }


def parse() -> Namespace:
    parser = ArgumentParser(description="Time the scores of edits.")
    add = parser.add_argument
    add("--only", nargs="+", choices=TABLES, metavar="TABLE", help=f"some of {', '.join(TABLES)}")
    add("--rounds", type=int, metavar="N", help="call each function at most N times")
    help_ = "the size of the corpus for M² (default: %(default)s)"
    add("--sentences", type=int, metavar="N", default=N_SENTENCES, help=help_)
    return parser.parse_args()


def main() -> None:
    given = parse()
    warnings.simplefilter("ignore")
    pyarrow.set_cpu_count(1)
    corpus = "CoNLL-14" if os.environ.get("GREEN_DATA_DIR") else "bundled examples"
    print(f"{corpus}: {given.sentences:,} sentences for M², one thread, best of several runs.")
    with tempfile.TemporaryDirectory() as folder:
        functions = {
            "m2": lambda: m2_functions(given.sentences),
            "errant": lambda: errant_functions(Path(folder)),
            "worst": worst_functions,
        }
        for table in given.only or TABLES:
            print(f"\n**{table}**: {TABLES[table]}\n")
            print_times(functions[table](), least=5, most=given.rounds or math.inf)


if __name__ == "__main__":
    main()
