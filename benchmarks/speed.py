"""Time GREEN beside other scores, in one run and on one thread: python benchmarks/speed.py

Needs the extra `test`, for the peers. Set GREEN_DATA_DIR to run on CoNLL-2014.
"""

import os

# Before anything is imported that reads it.
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}

import logging
import shutil
import sys
import tempfile
import time
import warnings
from pathlib import Path

import bleuscore
import pyarrow
import sacrebleu
from texts import load

from green_gec import score

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import oracle  # noqa: E402


def metric():
    """The evaluate module as a user would load it: from a folder named `green`."""
    import evaluate

    folder = Path(tempfile.mkdtemp()) / "green"
    folder.mkdir()
    for path in ROOT.glob("*.py"):
        shutil.copy(path, folder)
    return evaluate.load(str(folder))


def best(functions: dict, rounds: int) -> dict[str, float]:
    """The shortest time of each, in seconds; all take turns, since machines have moods."""
    times = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            times[name].append(time.perf_counter() - start)
    return {name: min(values) for name, values in times.items()}


def main() -> None:
    logging.disable()
    warnings.simplefilter("ignore")
    pyarrow.set_cpu_count(1)
    name, sources, predictions, references = load()
    texts = {"sources": sources, "predictions": predictions, "references": references}
    by_rank = [list(column) for column in zip(*references, strict=True)]
    green = metric()

    word = {
        "score": lambda: score(**texts),
        "compute": lambda: green.compute(**texts),
        "score, 1,000 resamples": lambda: score(**texts, n_resamples=1000),
        "bleuscore": lambda: bleuscore.compute(references, predictions),
        "sacreBLEU corpus_bleu": lambda: sacrebleu.corpus_bleu(
            predictions, by_rank, tokenize="none", force=True
        ),
        "oracle": lambda: oracle.green(**texts),
    }
    char = {
        "score": lambda: score(**texts, tokenizer="char"),
        "compute": lambda: green.compute(**texts, tokenizer="char"),
        "sacreBLEU corpus_chrf": lambda: sacrebleu.corpus_chrf(predictions, by_rank),
        "oracle": lambda: oracle.green(**texts, tokenizer="char"),
    }
    print(f"{name}: {len(sources):,} sentences, 2 references, one thread, best of several runs\n")
    print("| tokens | what | ms | times `score` |\n|---|---|---:|---:|")
    for tokens, functions in (("word", word), ("char", char)):
        quick = {key: value for key, value in functions.items() if key != "oracle"}
        times = best(quick, 15 if tokens == "word" else 6)
        times |= best({"oracle": functions["oracle"]}, 1)
        for what, seconds in times.items():
            print(f"| {tokens} | {what} | {1000 * seconds:,.1f} | {seconds / times['score']:.1f} |")


if __name__ == "__main__":
    main()
