"""The functions that green.yaml names."""

from pathlib import Path
from typing import Any

from datasets import Dataset

from green_gec import extract_answer, score
from green_gec.corpus import read_lines

EXAMPLES = Path(__file__).parent.parent
SOURCE = EXAMPLES / "source.txt"
REFERENCES = [EXAMPLES / "reference0.txt", EXAMPLES / "reference1.txt"]

# Options of `score`. Few models tokenise their output, so all texts are tokenised here.
OPTIONS = {"tokenizer": "13a"}


def load(source=SOURCE, references=REFERENCES, **others: Any) -> dict[str, Dataset]:
    """Read files with one sentence per line. `--metadata` sets the arguments."""
    columns = zip(*map(read_lines, references), strict=True)
    rows = {"source": read_lines(source), "references": list(columns)}
    return {"test": Dataset.from_dict(rows)}


def process_results(doc: dict, results: list[str]) -> dict[str, tuple]:
    """Pass on the texts of a sentence: the scores are computed from the whole corpus."""
    source = doc["source"]
    texts = source, extract_answer(results[0], source), doc["references"]
    return dict.fromkeys(("green", "precision", "recall"), texts)


def corpus_score(items: list[tuple]) -> dict[str, float]:
    return score(*zip(*items, strict=True), **OPTIONS)


def green(items: list[tuple]) -> float:
    return corpus_score(items)["green"]


def precision(items: list[tuple]) -> float:
    return corpus_score(items)["precision"]


def recall(items: list[tuple]) -> float:
    return corpus_score(items)["recall"]
