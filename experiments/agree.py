"""Print how far metrics agree with people: those of this project and any other, in the same tables.

python -m experiments.agree --data DIR --scores FILE …
"""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from functools import partial

from . import bench, report

SECTIONS = {
    "all_corpus": "Systems, corpus level: Pearson's r and Spearman's ρ with Expected Wins",
    "all_mean": "Systems, mean of sentence scores",
    "shares": "Sentences: share of human pairs in the same order, with 95% intervals",
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = ArgumentParser("python -m experiments.agree", description=__doc__.split("\n")[0])
    bench.add_arguments(parser)
    given = parser.parse_args(arguments)
    progress = partial(print, file=sys.stderr, flush=True)
    try:
        found = bench.read(given.data, given.scores, progress)
        values = report.agreement(found, progress)
    except (OSError, ValueError) as error:
        parser.exit(2, f"{parser.prog}: error: {error}\n")
    except KeyboardInterrupt:
        parser.exit(130)
    for name, title in SECTIONS.items():
        if name in values:
            print(f"{title}\n\n{values[name]}\n")
    for note in found.notes:
        print(f"left out: {note}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
