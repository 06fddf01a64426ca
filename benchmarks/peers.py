"""Other implementations for `speed.py` to time, and an example of a file for its `--peer`."""

import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import bleuscore
import gleu.aggreg
import gleu.corpus_main
import gleu.count
import gleu.ngram
import gleu.util
import sacrebleu

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
import oracle

FOLDER = tempfile.TemporaryDirectory()  # of the texts for gleu; removed when the process ends


def prepare(
    sources: list[str], predictions: list[str], references: list[list[str]]
) -> dict[str, dict[str, Callable]]:
    """Return the functions to time: for each group of the table, by the names of their rows."""
    texts = {"sources": sources, "predictions": predictions, "references": references}
    by_rank = [list(column) for column in zip(*references, strict=True)]
    paths = _write([sources, predictions, *by_rank])
    plain = {"tokenize": "none", "smooth_method": "none", "force": True}
    of_bleu = {
        "bleuscore": lambda: bleuscore.compute(references, predictions),
        "sacreBLEU, BLEU": lambda: sacrebleu.corpus_bleu(predictions, by_rank, **plain),
    }
    return {
        "GREEN, words": {**of_bleu, "oracle": lambda: oracle.green(**texts)},
        "GREEN, characters": {
            "sacreBLEU, chrF": lambda: sacrebleu.corpus_chrf(predictions, by_rank),
            "oracle": lambda: oracle.green(**texts, tokenizer="char"),
        },
        "GLEU, 500 iterations": {"gleu, fixed seeds": lambda: _gleu(paths, best=False)},
        "GLEU, best reference": {"gleu": lambda: _gleu(paths, best=True)},
        "BLEU": of_bleu,
    }


def _write(columns: list[list[str]]) -> list[str]:
    paths = [str(Path(FOLDER.name) / str(index)) for index in range(len(columns))]
    for path, column in zip(paths, columns, strict=True):
        Path(path).write_text("".join(f"{text}\n" for text in column), "utf-8")
    return paths


def _gleu(paths: list[str], best: bool) -> None:
    """Run the package `gleu` as its command calls it, but with empty caches."""
    for module in (gleu.aggreg, gleu.count, gleu.ngram, gleu.util):
        for function in vars(module).values():
            if hasattr(function, "cache_clear"):
                function.cache_clear()
    gleu.count.set_tokenization("word")
    files = {"source_path": paths[0], "hyp_path_list": paths[1:2], "ref_path_list": paths[2:]}
    options = {"n": 4, "iter": 500, "fix_seed": True, "proc": 1, "verbose": False, "digit": 4}
    gleu.corpus_main.corpus_main(Namespace(**files, **options, max=best))
