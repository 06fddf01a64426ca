"""Time the scores next to their peers, in one process: python benchmarks/speed.py

Prints Markdown tables of best times; functions that are compared take turns. Everything but the
table "threads" runs on one thread. Needs the extra `dev`, for the peers. Set GREEN_DATA_DIR to run
on CoNLL-2014. The whole takes minutes; `--only worst one-sentence` prints some of the tables. Use
an idle machine: load slows down long calls, such as those of slow peers, more than short ones.

`--against FOLDER` adds another clone of this project, such as an older commit, to all tables but
"peers", and says whether the results are equal.

`--peer FILE` adds your own rows to the table "peers". FILE is a Python file with a function
`prepare`, which gets the corpus (two references per sentence) and returns functions without
arguments: for each group of the table, those to time, by the names of their rows. `peers.py` is one
such file; this is another:

    from nltk.translate.bleu_score import corpus_bleu

    def prepare(sources, predictions, references):
        tokens = [text.split() for text in predictions]
        listed = [[text.split() for text in texts] for texts in references]
        return {"BLEU": {"NLTK": lambda: corpus_bleu(listed, tokens)}}
"""

import os

# Must precede the imports of libraries that read it.
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}

import contextlib
import importlib.util
import io
import json
import logging
import math
import subprocess
import sys
import time
import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Hashable, Iterable
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pyarrow
from clones import Clone, add_against, make_clones
from texts import COLUMNS, N_SENTENCES, load, load_systems, worst_cases

from green_gec import counting, score
from green_gec.input_warnings import Findings

PEERS = Path(__file__).parent / "peers.py"
# What `--only` selects, and the line before each table.
TABLES = {
    "peers": "The corpus with other implementations and other options, as times `score`.",
    "corpus": "The whole corpus: `score`.",
    "one-sentence": "The first sentence of the corpus: `score`.",
    "metric": "What `compute` of the metric that `evaluate.load` returns takes on top of `score`.",
    "reward": "Rewards for reinforcement learning: `reward`.",
    "systems": "Two systems in one pass: `compare` without resampling.",
    "worst": "Texts that are hard to score: `score`; twelve systems in one pass: `compare`.",
    "resamples": "Intervals and tests, 1,000 resamples: `score`, and `compare` of twelve systems.",
    "threads": "One and two threads: `score` of the corpus, repeated.",
}
TOKENIZERS = {"words": "word", "characters": "char"}
SECONDS = 2.0  # for each function that is timed

Function = Callable[[], Any]  # to be timed
Groups = dict[str, dict[str, Function]]  # by the names of groups and rows
Rows = dict[str, tuple[str, dict[str, Any]]]  # name: (what to call of a clone, arguments)


def best(functions: dict[Hashable, Function], least: int, most: float) -> dict[Hashable, float]:
    """The shortest time of each function, in seconds.

    Functions take turns, so that the machine's load affects all alike. Each one is called until it
    has taken SECONDS altogether, but at least and at most so many times.
    """
    times = {key: [] for key in functions}
    left = dict.fromkeys(functions, SECONDS)
    n_calls = 0
    with contextlib.redirect_stdout(io.StringIO()):  # for peers that print
        while left and n_calls < most:
            n_calls += 1
            for key in left:
                start = time.perf_counter()
                functions[key]()
                times[key].append(time.perf_counter() - start)
                left[key] -= times[key][-1]
            left = {key: rest for key, rest in left.items() if rest > 0 or n_calls < least}
    return {key: min(values) for key, values in times.items()}


def print_groups(groups: Groups, most: float) -> None:
    """Time the functions of each group and print them as times the group's first, `score`."""
    print("| score | what | ms | times `score` |\n|---|---|---:|---:|")
    for group, functions in groups.items():
        times = best(functions, 1, most)
        for what, seconds in times.items():
            ratio = seconds / times["`score`"]
            print(f"| {group} | {what} | {1000 * seconds:,.1f} | {ratio:,.2f} |", flush=True)


def print_rows(rows: Rows, clones: dict[str, Clone], least: int, most: float) -> None:
    """Time each row's call in each clone; if there are two, compare times and results."""
    if len(clones) == 1:
        print("| what | ms |\n|---|---:|")
    else:
        print("| what | ms, before | ms, now | times as fast | results equal |")
        print("|---|---:|---:|---:|---|")
    for what, (name, arguments) in rows.items():
        times = time_call(name, arguments, clones, least, most)
        cells = [what, *(f"{1000 * seconds:,.3f}" for seconds in times.values())]
        if len(clones) > 1:
            cells.append(f"{times['before'] / times['now']:.2f}")
            cells.append(how_equal(name, arguments, clones))
        print(f"| {' | '.join(cells)} |", flush=True)


def time_call(
    name: str, arguments: dict, clones: dict[str, Clone], least: int, most: float
) -> dict[str, float]:
    """The time of a call in each clone; of `compute`, what it takes on top of `score`."""
    names = ["compute", "score"] if name == "compute" else [name]
    calls = {
        (label, each): partial(clone.function(each), **arguments)
        for label, clone in clones.items()
        for each in names
    }
    times = best(calls, least, most)
    return {label: times[label, name] - sum(times[label, n] for n in names[1:]) for label in clones}


def how_equal(name: str, arguments: dict, clones: dict[str, Clone]) -> str:
    """How equal the results of the clones are, all counts included: many texts score 0."""
    detailed = {} if name == "reward" else {"detailed": True}
    before, now = (
        numbers_of(clone.function(name)(**arguments, **detailed)) for clone in clones.values()
    )
    for answer, most in {"yes": 0.0, "to 1e-12": 1e-12}.items():
        if before.keys() == now.keys() and all(
            before[key].shape == now[key].shape
            and np.allclose(before[key], now[key], rtol=0, atol=most, equal_nan=True)
            for key in before
        ):
            return answer
    return "NO"


def numbers_of(result: Any) -> dict[str, np.ndarray]:
    """The numbers of a result: a dictionary, a table of `compare`, or a list of rewards."""
    if isinstance(result, list):
        result = {"reward": result}
    elif not isinstance(result, dict):
        result = result.to_dict("list")
    columns = {name: np.array(column) for name, column in result.items()}
    return {name: column for name, column in columns.items() if column.dtype.kind in "iuf"}


def print_threads(n_sentences: int, clones: dict[str, Clone], most: float) -> None:
    """Time `score` on one and on two threads."""
    # Copy the texts, because repeated sentences would share their memory, unlike a user's.
    texts = json.loads(json.dumps(dict(zip(COLUMNS, load(n_sentences)[1:], strict=True))))

    def call(clone: Clone, n_threads: int, tokenizer: str) -> None:
        pyarrow.set_cpu_count(n_threads)
        clone.function("score")(**texts, tokenizer=tokenizer)

    print(f"| {n_sentences:,} sentences | clone | s, one thread | s, two threads | gain |")
    print("|---|---|---:|---:|---:|")
    for tokens, tokenizer in TOKENIZERS.items():
        pairs = [(label, n_threads) for label in clones for n_threads in (1, 2)]
        calls = {pair: partial(call, clones[pair[0]], pair[1], tokenizer) for pair in pairs}
        times = best(calls, 3, most)
        for label in clones:
            one, two = times[label, 1], times[label, 2]
            row = f"| GREEN, {tokens} | {label} | {one:.3f} | {two:.3f} | {one / two:.2f} |"
            print(row, flush=True)
    pyarrow.set_cpu_count(1)


def without_checks(texts: dict) -> None:
    """Score without inspecting the texts for what is probably wrong with them."""
    without = {"inspect_block": lambda *_: Findings(), "make_warnings": lambda *_: ()}
    with mock.patch.multiple(counting, **without):
        score(**texts)


def groups_of(texts: dict, files: Iterable[Path]) -> Groups:
    """Our own functions, and those that each file of peers prepares."""
    no_sources = {name: column for name, column in texts.items() if name != "sources"}
    groups = {
        "GREEN, words": {
            "`score`": lambda: score(**texts),
            "`score`, without looking for warnings": lambda: without_checks(texts),
            '`score`, `"13a"`': lambda: score(**texts, tokenizer="13a"),
            '`score`, `"intl"`': lambda: score(**texts, tokenizer="intl"),
            "`score`, 1,000 resamples": lambda: score(**texts, n_resamples=1000),
        },
        "GREEN, characters": {"`score`": lambda: score(**texts, tokenizer="char")},
        "GLEU, 500 iterations": {
            "`score`": lambda: score(**texts, metric="gleu"),
            "`score`, 1,000 resamples": lambda: score(**texts, metric="gleu", n_resamples=1000),
        },
        "GLEU, best reference": {
            "`score`": lambda: score(**texts, metric="gleu", selection="max"),
        },
        "BLEU": {"`score`": lambda: score(**no_sources, metric="bleu")},
    }
    for path in files:
        for group, functions in prepare_of(path)(**texts).items():
            if group not in groups:
                sys.exit(f"--peer: {path} names a group {group!r}; choose from {list(groups)}")
            groups[group] |= functions
    return groups


def prepare_of(path: Path) -> Callable[..., Groups]:
    """Import the function `prepare` from a file of peers."""
    if not path.is_file() or path.suffix != ".py":
        sys.exit(f"--peer: there is no Python file {path}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not callable(getattr(module, "prepare", None)):
        sys.exit(f"--peer: {path} has no function prepare(sources, predictions, references)")
    return module.prepare


def rows_of(table: str, texts: dict) -> Rows:
    """What each row of a table calls."""
    sources, predictions, references = texts.values()
    first = {name: column[:1] for name, column in texts.items()}
    gleu_texts = {**texts, "metric": "gleu"}
    if table == "corpus":
        return {
            **by_token("score", "GREEN", texts),
            "GREEN, words, 1,000 resamples": ("score", {**texts, "n_resamples": 1000}),
            "GLEU, 500 iterations": ("score", gleu_texts),
            "GLEU, best reference": ("score", {**gleu_texts, "selection": "max"}),
            "BLEU": ("score", {**texts, "sources": None, "metric": "bleu"}),
        }
    if table == "one-sentence":
        return by_token("score", "GREEN", first)
    if table == "metric":
        return {"one sentence": ("compute", first), "the corpus": ("compute", texts)}
    if table == "reward":
        columns = {"source": sources[:64], "references": references[:64]}
        return {"64 completions": ("reward", {"completions": predictions[:64], **columns})}
    systems = load_systems(len(sources))
    given = {"sources": sources, "references": references, "n_resamples": 0, "paired": None}
    if table == "systems":
        two = {name: systems[name] for name in list(systems)[:2]}
        return by_token("compare", "two systems", {"systems": two, **given})
    if table == "resamples":
        given |= {"systems": systems, "n_resamples": 1000, "paired": "ar"}
        return {
            "GREEN, 12 systems": ("compare", given),
            "GLEU, 500 iterations": ("score", {**gleu_texts, "n_resamples": 1000}),
            "GLEU, 500 iterations, 12 systems": ("compare", {**given, "metric": "gleu"}),
        }
    cases = {name: ("score", arguments) for name, arguments in worst_cases(texts).items()}
    return {**cases, **by_token("compare", "12 systems", {"systems": systems, **given})}


def by_token(function: str, name: str, arguments: dict) -> Rows:
    return {
        f"{name}, {tokens}": (function, {**arguments, "tokenizer": tokenizer})
        for tokens, tokenizer in TOKENIZERS.items()
    }


def simd() -> tuple[str, list[str]]:
    """How NumPy sorts, in words, and which of its features are AVX-512."""
    found = np.show_config(mode="dicts").get("SIMD Extensions", {}).get("found", [])
    avx512 = [name for name in found if "AVX512" in name or name == "X86_V4"]
    avx2 = any(name in ("AVX2", "X86_V3") for name in found)
    how = "AVX-512" if avx512 else "AVX2" if avx2 else "its baseline"
    return f"NumPy {np.__version__} sorts with: {how} (it found {', '.join(found) or '–'})", avx512


def parse() -> Namespace:
    parser = ArgumentParser(description="Time the scores next to their peers.")
    add = parser.add_argument
    add("--only", nargs="+", choices=TABLES, metavar="TABLE", help=f"some of {', '.join(TABLES)}")
    add_against(parser)
    help_ = "a Python file with further peers; may be repeated; speed.py's first lines explain it"
    add("--peer", type=Path, metavar="FILE", action="append", default=[], help=help_)
    add("--rounds", type=int, metavar="N", help="call each function at most N times")
    help_ = "the size of the corpus (default: %(default)s)"
    add("--sentences", type=int, metavar="N", default=N_SENTENCES, help=help_)
    help_ = "run as if the machine had no AVX-512, which NumPy would sort with"
    add("--numpy-without-avx512", action="store_true", help=help_)
    return parser.parse_args()


def main() -> None:
    given = parse()
    how, avx512 = simd()
    if given.numpy_without_avx512 and avx512 and "NPY_DISABLE_CPU_FEATURES" not in os.environ:
        # NumPy reads it when imported. It may name only what this NumPy has and can do without.
        environment = {**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(avx512)}
        sys.exit(subprocess.run([sys.executable, *sys.argv], env=environment).returncode)
    logging.disable()
    warnings.simplefilter("ignore")
    pyarrow.set_cpu_count(1)
    name, *columns = load(given.sentences)
    texts = dict(zip(COLUMNS, columns, strict=True))
    clones = make_clones(given.against)
    most = given.rounds or math.inf
    tables = [table for table in TABLES if table in (given.only or TABLES)]
    if "peers" in tables:
        groups = groups_of(texts, [*given.peer, PEERS])  # mistakes are found before slow imports
    print(f"{name}: {given.sentences:,} sentences, 2 references, one thread, best of several runs.")
    print(f"{how}.")
    for table in tables:
        print(f"\n**{table}**: {TABLES[table]}\n")
        if table == "peers":
            print_groups(groups, most)
        elif table == "threads":
            print_threads(min(100_000, 1000 * given.sentences), clones, most)
        else:
            least = 1 if table == "resamples" else 5  # those take seconds
            print_rows(rows_of(table, texts), clones, least, most)


if __name__ == "__main__":
    main()
