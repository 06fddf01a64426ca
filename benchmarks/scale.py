"""Time and memory as the corpus grows: python benchmarks/scale.py [SENTENCES …]

Every size runs in a process of its own, so that its peak memory (on top of the texts) is its own;
one and two threads take turns, and times are medians. Linux only, for the memory.
"""

import json
import re
import statistics
import subprocess
import sys
import time
import warnings
from pathlib import Path

SIZES = (1_000, 10_000, 100_000, 1_000_000)


def measure(n_sentences: int, tokenizer: str, rounds: int) -> None:
    import pyarrow
    from texts import load

    from green_gec import score

    warnings.simplefilter("ignore")
    # Texts of their own, as a user's are: repeated sentences would share their memory.
    _, *columns = load(n_sentences)
    copied = json.loads(json.dumps(columns))
    del columns
    score(*(column[:1000] for column in copied), tokenizer=tokenizer)
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak of making the copy
    before = memory("VmRSS")
    seconds = {1: [], 2: []}
    for _ in range(rounds):
        for n_threads, times in seconds.items():
            pyarrow.set_cpu_count(n_threads)
            start = time.perf_counter()
            score(*copied, tokenizer=tokenizer)
            times.append(time.perf_counter() - start)
    print(json.dumps([*map(statistics.median, seconds.values()), memory("VmHWM") - before]))


def memory(field: str) -> float:
    """This process's memory in MB, as Linux reports it."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+)", status)[1]) / 1024


def run(*arguments: object) -> list[float]:
    command = [sys.executable, __file__, "--measure", *map(str, arguments)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def main(sizes: list[int]) -> None:
    print("| tokens | sentences | s, one thread | s, two threads | gain | memory, MB |")
    print("|---|---:|---:|---:|---:|---:|")
    for tokenizer in ("word", "char"):
        for size in sizes:
            one, two, megabytes = run(size, tokenizer, max(1, min(9, 500_000 // size)))
            print(
                f"| {tokenizer} | {size:,} | {one:.3f} | {two:.3f} | {one / two:.2f} | "
                f"{megabytes:,.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        size, tokenizer, rounds = sys.argv[2:]
        measure(int(size), tokenizer, int(rounds))
    else:
        main([int(size) for size in sys.argv[1:]] or list(SIZES))
