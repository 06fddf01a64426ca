"""Time the commands, start-up included: python benchmarks/cli.py

If GREEN_DATA_DIR is set, they run on CoNLL-2014, otherwise on the bundled examples.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

from texts import EXAMPLES


def main() -> None:
    if folder := os.environ.get("GREEN_DATA_DIR"):
        folder = Path(folder) / "conll14"
        systems = sorted(str(path) for path in (folder / "systems").iterdir())
    else:
        folder = EXAMPLES
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
    print("| command | s, median | s, best |")
    print("|---|---:|---:|")
    for name, values in times.items():
        print(f"| `{name}` | {sorted(values)[len(values) // 2]:.3f} | {min(values):.3f} |")


if __name__ == "__main__":
    main()
