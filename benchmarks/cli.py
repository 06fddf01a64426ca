"""Time the commands, start-up included: python benchmarks/cli.py

If GREEN_DATA_DIR is set, they run on CoNLL-2014, and the table shows how many times as fast as the
authors' tool they are. Its times come from a similar machine, with two cores like the one that
docs/speed.md was measured on. Otherwise, the commands run on the bundled examples.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

from texts import EXAMPLES

# Seconds that the authors' tool takes on CoNLL-2014.
THEIRS = {"green, 1 system": 1.0, "green, 12 systems": 5.4, "green -t char, 1 system": 3.3}


def main() -> None:
    if folder := os.environ.get("GREEN_DATA_DIR"):
        folder, on_conll14 = Path(folder) / "conll14", True
        systems = sorted(str(path) for path in (folder / "systems").iterdir())
    else:
        folder, on_conll14 = EXAMPLES, False
        systems = [str(EXAMPLES / f"{name}.txt") for name in ("careful", "bold", "broken")] * 4
    files = [
        "-s",
        folder / "source.txt",
        "-r",
        folder / "reference0.txt",
        folder / "reference1.txt",
    ]
    green = [Path(sys.executable).parent / "green", *files, "-c"]
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "python -c 'import numpy, pyarrow.compute'": [
            *(sys.executable, "-c", "import numpy, pyarrow.compute")
        ],
        "green --help": [green[0], "--help"],
        "green, 1 system": [*green, systems[0]],
        "green, 12 systems": [*green, *systems],
        "green -t char, 1 system": [*green, systems[0], "-t", "char"],
        "green, 12 systems, --confidence --paired --resamples 10000": [
            *(*green, *systems, "--confidence", "--paired", "--resamples", "10000")
        ],
    }
    times = {name: [] for name in commands}
    for _ in range(10):  # commands take turns, so that the machine's load affects all alike
        for name, command in commands.items():
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            times[name].append(time.perf_counter() - start)
    print("| command | s, median | s, best | times as fast as the authors' tool |")
    print("|---|---:|---:|---:|")
    for name, values in times.items():
        median, best = sorted(values)[len(values) // 2], min(values)
        known = on_conll14 and name in THEIRS
        ratio = f"{THEIRS[name] / median:.1f}" if known else ""
        print(f"| `{name}` | {median:.3f} | {best:.3f} | {ratio} |")


if __name__ == "__main__":
    main()
