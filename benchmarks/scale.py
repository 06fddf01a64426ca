"""Measure time and memory as the corpus grows: python benchmarks/scale.py [SENTENCES …]

Each size runs in a separate process, to measure its peak memory (on top of the texts). Runs with
one and with two threads take turns, and times are medians. Measuring memory needs Linux.
`--against FOLDER` measures another clone of this project as well, and stops there.

Otherwise `datasets` and Spark score the largest of these corpora, cut to 400,000 sentences, from
files on disk with one and with two processes, next to `score` with one and two threads.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from clones import add_against, make_clones

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SIZES = (1_000, 10_000, 100_000, 1_000_000)


def measure(clone: str, against: str, n_sentences: int, tokenizer: str, rounds: int) -> None:
    import pyarrow
    from texts import load

    score = make_clones(Path(against) if against else None)[clone].function("score")
    warnings.simplefilter("ignore")
    # Copy the texts, because repeated sentences would share their memory, unlike a user's.
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
    """The memory of this process in MB, from Linux's /proc."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+)", status)[1]) / 1024


def prepare(n_sentences: int, folder: Path) -> None:
    """Write the corpus as a dataset in Arrow format, and as Parquet for Spark."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from datasets import Dataset, disable_progress_bars
    from texts import load

    _, *columns = load(n_sentences)
    names = ("source", "prediction", "references")
    table = pa.table(dict(zip(names, columns, strict=True)))
    disable_progress_bars()
    Dataset(table).save_to_disk(folder / "arrow")
    (folder / "parquet").mkdir()
    step = -(-n_sentences // 8)  # eight files, to be shared among workers
    for part, start in enumerate(range(0, n_sentences, step)):
        pq.write_table(table.slice(start, step), folder / f"parquet/{part}.parquet")


def with_score(folder: Path, n: int) -> Callable[[], dict]:
    import pyarrow
    from datasets import load_from_disk

    from green_gec import score

    table = load_from_disk(folder / "arrow").with_format("arrow")[:]
    pyarrow.set_cpu_count(n)
    return lambda: score(*table.columns)


def with_datasets(folder: Path, n: int) -> Callable[[], dict]:
    import datasets

    from green_gec import Statistics, score_batch

    datasets.disable_progress_bars()
    dataset = datasets.load_from_disk(folder / "arrow").with_format("arrow")
    how = {"batched": True, "batch_size": 10_000, "load_from_cache_file": False}
    how |= {"num_proc": n} if n > 1 else {}

    def score() -> dict:
        dataset.cleanup_cache_files()  # they would keep the number of processes
        rows = dataset.map(score_batch, **how)
        return sum(map(Statistics.from_arrow, rows.iter(batch_size=10_000))).score()

    return score


def read_in_spark(folder: Path, n: int) -> "DataFrame":
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{n}]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.log.level", "OFF").getOrCreate()
    return spark.read.parquet(str(folder / "parquet"))


def with_spark(folder: Path, n: int) -> Callable[[], dict]:
    from green_gec import spark

    frame = read_in_spark(folder, n)
    return lambda: spark.score(frame)


def with_spark_rows(folder: Path, n: int) -> Callable[[], Callable[[], dict]]:
    import pyarrow.parquet as pq

    from green_gec import Statistics, spark

    frame, out = read_in_spark(folder, n), str(folder / f"out{n}")

    def write() -> Callable[[], dict]:
        spark.score_rows(frame).write.mode("overwrite").parquet(out)
        return lambda: Statistics.from_arrow(pq.read_table(out)).score()

    return write


# Called in a separate process with the corpus's folder and the number of threads, processes or
# workers, each returns a function to be timed. That returns the score or, if reading the score
# should not be timed, a function that does.
ENGINES = {
    "`score`, threads": with_score,
    "`datasets`, `map(score_batch)` to disk and the sum, processes": with_datasets,
    "`spark.score`, workers": with_spark,
    "`spark.score_rows` to Parquet, workers": with_spark_rows,
}


def measure_engine(name: str, folder: Path, n: int) -> None:
    warnings.simplefilter("ignore")
    call, seconds = ENGINES[name](folder, n), []
    for _ in range(4):
        start = time.perf_counter()
        found = call()
        seconds.append(time.perf_counter() - start)
    found = found() if callable(found) else found
    # Without the first run, in which engines start their workers.
    print(json.dumps([statistics.median(seconds[1:]), found["green"]]))


def run(*arguments: object) -> list[float]:
    command = [sys.executable, __file__, *map(str, arguments)]
    ran = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(ran.stdout)


def print_sizes(sizes: list[int], against: Path | None) -> None:
    print("| tokens | sentences | clone | s, one thread | s, two threads | gain | memory, MB |")
    print("|---|---:|---|---:|---:|---:|---:|")
    for tokenizer, size, clone in product(("word", "char"), sizes, make_clones(against)):
        rounds = max(1, min(9, 500_000 // size))
        arguments = (clone, against or "", size, tokenizer, rounds)
        one, two, megabytes = run("--measure", *arguments)
        print(
            f"| {tokenizer} | {size:,} | {clone} | {one:.3f} | {two:.3f} | {one / two:.2f} | "
            f"{megabytes:,.0f} |",
            flush=True,
        )


def print_engines(n_sentences: int) -> None:
    print(f"\n| {n_sentences:,} sentences, words | sentences/s: one | two | gain | of `score` |")
    print("|---|---:|---:|---:|---:|")
    plain = expected = None
    with tempfile.TemporaryDirectory() as folder:
        prepare(n_sentences, Path(folder))
        for name in ENGINES:
            (one, green), (two, again) = (run("--engine", name, folder, n) for n in (1, 2))
            plain, expected = plain or one, expected or green
            assert green == again == expected, (name, green, again, expected)
            print(
                f"| {name} | {n_sentences / one:,.0f} | {n_sentences / two:,.0f} | "
                f"{one / two:.2f} | {plain / one:.2f} |",
                flush=True,
            )


def parse() -> Namespace:
    parser = ArgumentParser(description="Measure time and memory as the corpus grows.")
    help_ = "numbers of sentences (default: up to a million)"
    parser.add_argument(
        "sizes", nargs="*", type=int, metavar="SENTENCES", default=SIZES, help=help_
    )
    add_against(parser)
    return parser.parse_args()


def main() -> None:
    given = parse()
    print_sizes(given.sizes, given.against)
    if not given.against:
        print_engines(min(max(given.sizes), 400_000))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--measure", clone, against, size, tokenizer, rounds]:
            measure(clone, against, int(size), tokenizer, int(rounds))
        case ["--engine", name, folder, n]:
            measure_engine(name, Path(folder), int(n))
        case _:
            main()
