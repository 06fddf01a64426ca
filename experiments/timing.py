"""Time the scores as Table 3 of the paper does."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from green_gec import compare, score

from .corpora import Corpus
from .files import Missing
from .metrics import NGRAMS
from .rivals import i_measure

N_RUNS = 3


class Times(NamedTuple):
    """Seconds to score AMU and AMU-S; NaN if there is no command."""

    metric: str
    command: list[float]
    in_python: list[float]


def times(conll: Corpus) -> list[Times]:
    """Time the scores as in Table 3: the mean of several runs, as a command and in Python."""
    texts = [conll.systems["AMU"], slow_texts(conll)]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("AMU", "AMU-S")]
        for file, lines in zip(files, texts, strict=True):
            file.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        for metric, (flags, in_python) in _ways_to_score(conll).items():
            runs = [
                partial(subprocess.run, [*flags, "-c", file], check=True, capture_output=True)
                for file in files
            ]
            calls = [partial(in_python, lines) for lines in texts]
            found.append(Times(metric, _seconds(runs if flags else []), _seconds(calls)))
    return found


def slow_texts(conll: Corpus) -> list[str]:
    """AMU-S: AMU with nothing but other words in place of the longest sentence's."""
    texts = list(conll.systems["AMU"])
    index = max(range(len(texts)), key=lambda at: len(conll.sources[at].split()))
    texts[index] = " ".join(f"other{n}" for n in range(len(conll.sources[index].split())))
    return texts


def _ways_to_score(conll: Corpus) -> dict[str, tuple[list[Any], Callable[[list[str]], Any]]]:
    """A command without its system, if there is one, and a function of a system's texts."""
    folder = conll.data / conll.folder
    green = [sys.executable, "-c", "from green_gec.cli import green; raise SystemExit(green())"]
    plain = [
        "-s",
        folder / "source.txt",
        "-r",
        folder / "reference0.txt",
        folder / "reference1.txt",
    ]
    ways = {}
    for metric in ("wordGLEU", "charGLEU", "wordGREEN", "charGREEN"):
        options = NGRAMS[metric]
        flags = ["-m", options["metric"], "-t", options["tokenizer"]]
        flags += ["--formula", "paper"] * (options["metric"] == "gleu")

        def of_ngrams(texts: list[str], options: dict = options) -> Any:
            return score(conll.sources, texts, conll.references, **options)

        ways[metric] = ([*green, *plain, *flags], of_ngrams)
    try:
        gold = conll.edits.official
    except Missing:  # which the report's tables say
        return ways

    def of_m2(texts: list[str]) -> Any:
        return compare({"AMU": texts}, gold=gold, metric="m2", n_resamples=0)

    def of_i_measure(texts: list[str]) -> Any:
        i_measure.forget()
        return i_measure.score(conll.sources, texts, conll.references)

    m2 = [*green, "--m2", folder / "official.m2", "-m", "m2"]
    return ways | {"M²": (m2, of_m2), "I-measure": ([], of_i_measure)}


def _seconds(functions: Sequence[Callable[[], Any]]) -> list[float]:
    """The mean seconds of each function, one after the other in turns."""
    seconds = np.zeros((N_RUNS, len(functions)))
    for of_run in seconds:
        for at, function in enumerate(functions):
            start = time.perf_counter()
            function()
            of_run[at] = time.perf_counter() - start
    return seconds.mean(axis=0).tolist()
