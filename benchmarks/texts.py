"""The corpus for benchmarks: CoNLL-2014 if GREEN_DATA_DIR is set, else the bundled examples."""

import os
from itertools import cycle, islice
from pathlib import Path

from green_gec.corpus import read_lines

EXAMPLES = Path(__file__).parent.parent / "examples"


def load(n_sentences: int = 1312) -> tuple[str, list[str], list[str], list[list[str]]]:
    """Return a name, sources, one system's corrections and two references per sentence.

    The corpus is cut or repeated to have `n_sentences`.
    """
    if folder := os.environ.get("GREEN_DATA_DIR"):
        name, folder, system = "CoNLL-14, AMU", Path(folder) / "conll14", "systems/AMU"
    else:
        name, folder, system = "bundled examples, bold", EXAMPLES, "bold.txt"
    columns = [
        list(islice(cycle(read_lines(folder / file)), n_sentences))
        for file in ("source.txt", system, "reference0.txt", "reference1.txt")
    ]
    return name, columns[0], columns[1], [list(pair) for pair in zip(*columns[2:], strict=True)]
