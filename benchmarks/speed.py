"""Time the scores next to their peers, in one run and on one thread: python benchmarks/speed.py

Needs the extra `test`, for the peers. Set GREEN_DATA_DIR to run on CoNLL-2014.

`--against FOLDER` compares with another clone of this project instead, such as an older commit.
"""

import os

# Must precede the imports of libraries that read it.
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}

import contextlib
import importlib.util
import io
import logging
import shutil
import sys
import tempfile
import time
import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest import mock

import bleuscore
import gleu.aggreg
import gleu.corpus_main
import gleu.count
import gleu.ngram
import gleu.util
import pyarrow
import sacrebleu
from texts import load

from green_gec import inputs, score

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import oracle  # noqa: E402


def metric():
    """Load the evaluate module as a user would: from a folder named `green`."""
    import evaluate

    folder = Path(tempfile.mkdtemp()) / "green"
    folder.mkdir()
    for path in ROOT.glob("*.py"):
        shutil.copy(path, folder)
    return evaluate.load(str(folder))


def score_of(folder: Path) -> Callable[..., dict]:
    """Import `score` from another clone of this project, under a package name of its own."""
    name = "green_before"
    where = {"submodule_search_locations": [str(folder)]}
    spec = importlib.util.spec_from_file_location(name, folder / "__init__.py", **where)
    # Not executed: a clone's __init__.py looks its modules up in `green_gec`, which is ours.
    sys.modules[name] = importlib.util.module_from_spec(spec)
    return importlib.import_module(f"{name}.api").score


def best(functions: dict, rounds: int) -> dict[str, float]:
    """The shortest time of each function, in seconds.

    Functions take turns, so that the machine's load affects all alike.
    """
    times = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            times[name].append(time.perf_counter() - start)
    return {name: min(values) for name, values in times.items()}


def public_gleu(sources, predictions, references, **options):
    """Prepare a run of the package `gleu` as its command calls it, but with empty caches."""
    folder = Path(tempfile.mkdtemp())
    columns = [sources, predictions, *zip(*references, strict=True)]
    paths = [folder / str(index) for index in range(len(columns))]
    for path, column in zip(paths, columns, strict=True):
        path.write_text("".join(f"{text}\n" for text in column), "utf-8")
    settings = {"n": 4, "iter": 500, "fix_seed": True, "proc": 1, "verbose": False, "digit": 4}
    arguments = Namespace(
        source_path=paths[0],
        hyp_path_list=[str(paths[1])],
        ref_path_list=paths[2:],
        **{**settings, **options},
    )

    def run():
        for module in (gleu.aggreg, gleu.count, gleu.ngram, gleu.util):
            for function in vars(module).values():
                if hasattr(function, "cache_clear"):
                    function.cache_clear()
        gleu.count.set_tokenization("word")
        with contextlib.redirect_stdout(io.StringIO()):
            gleu.corpus_main.corpus_main(arguments)

    return run


def main() -> None:
    parser = ArgumentParser(description="Time the scores next to their peers.")
    help_ = "the root of another clone of this project, to compare with instead of the peers"
    parser.add_argument("--against", type=Path, metavar="FOLDER", help=help_)
    given = parser.parse_args()
    if given.against and not (given.against / "api.py").is_file():
        parser.error(f"--against: {given.against} is not the root of a clone: it has no api.py")
    logging.disable()
    warnings.simplefilter("ignore")
    pyarrow.set_cpu_count(1)
    name, sources, *columns = load()
    texts = {"sources": sources, "predictions": columns[0], "references": columns[1]}
    print(f"{name}: {len(sources):,} sentences, 2 references, one thread, best of several runs\n")
    if given.against:
        compare_clones(texts, given.against)
    else:
        compare_peers(**texts)


def compare_clones(texts: dict, folder: Path) -> None:
    """Time `score` of this clone and of another one in turns; print both and their ratio."""
    before = score_of(folder)
    first = {name: column[:1] for name, column in texts.items()}
    no_sources = {name: column for name, column in texts.items() if name != "sources"}
    calls = {
        "GREEN, words": texts,
        "GREEN, characters": {**texts, "tokenizer": "char"},
        "GREEN, words, 1,000 resamples": {**texts, "n_resamples": 1000},
        "GLEU, 500 iterations": {**texts, "metric": "gleu"},
        "GLEU, best reference": {**texts, "metric": "gleu", "selection": "max"},
        "BLEU": {**no_sources, "metric": "bleu"},
        "GREEN, words, one sentence": first,
        "GREEN, characters, one sentence": {**first, "tokenizer": "char"},
    }
    print("| score | ms, before | ms, now | now / before | same result |\n|---|---:|---:|---:|---|")
    for what, arguments in calls.items():
        functions = {"before": partial(before, **arguments), "now": partial(score, **arguments)}
        rounds = 3000 if len(arguments["predictions"]) == 1 else 60
        times = best(functions, rounds)
        same = "yes" if functions["before"]() == functions["now"]() else "no"
        print(
            f"| {what} | {1000 * times['before']:,.3f} | {1000 * times['now']:,.3f} | "
            f"{times['now'] / times['before']:.2f} | {same} |",
            flush=True,
        )


def without_checks(texts: dict) -> None:
    """Score without inspecting the texts for what is probably wrong with them."""
    seen = inputs.Findings()
    seen.numbers.update({("texts", column): len(texts["sources"]) for column in range(3)})
    with mock.patch.object(inputs, "inspect", return_value=seen):
        score(**texts)


def compare_peers(sources: list[str], predictions: list[str], references: list[list[str]]) -> None:
    texts = {"sources": sources, "predictions": predictions, "references": references}
    no_sources = {"predictions": predictions, "references": references}
    by_rank = [list(column) for column in zip(*references, strict=True)]
    green = metric()

    def corpus_bleu():
        options = {"tokenize": "none", "smooth_method": "none", "force": True}
        sacrebleu.corpus_bleu(predictions, by_rank, **options)

    peers = {
        "bleuscore": lambda: bleuscore.compute(references, predictions),
        "sacreBLEU, BLEU": corpus_bleu,
    }
    groups = {
        "GREEN, words": {
            "`score`": lambda: score(**texts),
            "`score`, without looking for warnings": lambda: without_checks(texts),
            '`score`, `"13a"`': lambda: score(**texts, tokenizer="13a"),
            '`score`, `"intl"`': lambda: score(**texts, tokenizer="intl"),
            "`compute`": lambda: green.compute(**texts),
            "`score`, 1,000 resamples": lambda: score(**texts, n_resamples=1000),
            **peers,
            "oracle": lambda: oracle.green(**texts),
        },
        "GREEN, characters": {
            "`score`": lambda: score(**texts, tokenizer="char"),
            "`compute`": lambda: green.compute(**texts, tokenizer="char"),
            "sacreBLEU, chrF": lambda: sacrebleu.corpus_chrf(predictions, by_rank),
            "oracle": lambda: oracle.green(**texts, tokenizer="char"),
        },
        "GLEU, 500 iterations": {
            "`score`": lambda: score(**texts, metric="gleu"),
            "`score`, 1,000 resamples": lambda: score(**texts, metric="gleu", n_resamples=1000),
            "gleu, fixed seeds": public_gleu(**texts, max=False),
        },
        "GLEU, best reference": {
            "`score`": lambda: score(**texts, metric="gleu", selection="max"),
            "gleu": public_gleu(**texts, max=True),
        },
        "BLEU": {
            "`score`": lambda: score(**no_sources, metric="bleu"),
            **peers,
        },
    }
    print("| score | what | ms | times `score` |\n|---|---|---:|---:|")
    slow = ("oracle", "gleu", "gleu, fixed seeds")
    for group, functions in groups.items():
        quick = {key: value for key, value in functions.items() if key not in slow}
        times = best(quick, 25)
        times |= best({key: value for key, value in functions.items() if key in slow}, 1)
        for what, seconds in times.items():
            print(
                f"| {group} | {what} | {1000 * seconds:,.1f} | {seconds / times['`score`']:.2f} |"
            )


if __name__ == "__main__":
    main()
