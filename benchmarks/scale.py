"""Time and memory as the corpus grows: python benchmarks/scale.py [SENTENCES …]

Every size runs in a process of its own, so that its peak memory is its own. Times are medians.
Linux only, for the memory.
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


def measure(n_sentences: int, tokenizer: str, n_threads: int, rounds: int) -> None:
    import pyarrow
    from corpus import load

    from green_gec import score

    warnings.simplefilter("ignore")
    pyarrow.set_cpu_count(n_threads)
    # Texts of their own, as a user's are: repeated sentences would share their memory.
    _, *columns = load(n_sentences)
    copied = json.loads(json.dumps(columns))
    del columns
    score(*(column[:1000] for column in copied), tokenizer=tokenizer)
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak of making the copy
    before = memory("VmRSS")
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        score(*copied, tokenizer=tokenizer)
        seconds.append(time.perf_counter() - start)
    print(json.dumps([statistics.median(seconds), memory("VmHWM") - before]))


def memory(field: str) -> float:
    """This process's memory in MB, as Linux reports it."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+)", status)[1]) / 1024


def run(*arguments: object) -> list[float]:
    command = [sys.executable, __file__, "--measure", *map(str, arguments)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def main(sizes: list[int]) -> None:
    print("| tokens | threads | sentences | s | sentences/s | memory on top of the texts, MB |")
    print("|---|---:|---:|---:|---:|---:|")
    notes = []
    for tokenizer in ("word", "char"):
        times = {}
        for n_threads in (1, 2):
            for size in sizes:
                rounds = 2 if size == 1_000_000 else 9
                seconds, megabytes = run(size, tokenizer, n_threads, rounds)
                times[n_threads, size] = seconds
                print(
                    f"| {tokenizer} | {n_threads} | {size:,} | {seconds:.3f} | "
                    f"{size / seconds:,.0f} | {megabytes:,.0f} |"
                )
        if {10_000, 1_000_000} <= set(sizes):
            growth = times[1, 1_000_000] / times[1, 10_000]
            notes.append(f"{tokenizer}: a million sentences take {growth:.0f} times ten thousand")
        if 100_000 in sizes:
            gain = times[1, 100_000] / times[2, 100_000]
            notes.append(f"{tokenizer}: two threads are {gain:.2f} times as fast as one on 100,000")
    print("", *notes, sep="\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        size, tokenizer, n_threads, rounds = sys.argv[2:]
        measure(int(size), tokenizer, int(n_threads), int(rounds))
    else:
        main([int(size) for size in sys.argv[1:]] or list(SIZES))
