"""Texts for benchmarks: CoNLL-2014 if GREEN_DATA_DIR is set, else the bundled examples.

Also texts that are hard to score, made from those with fixed seeds.
"""

import os
import random
from collections.abc import Iterable, Sequence
from itertools import chain, count, cycle, islice
from pathlib import Path
from typing import Any

from green_gec.corpus import read_lines

EXAMPLES = Path(__file__).parent.parent / "examples"
# The arguments of `score` that are texts.
COLUMNS = ("sources", "predictions", "references")
N_SENTENCES = 1312  # of CoNLL-2014


def load(n_sentences: int = N_SENTENCES) -> tuple[str, list[str], list[str], list[list[str]]]:
    """Return a name, sources, one system's corrections and two references per sentence.

    The corpus is cut or repeated to have `n_sentences`.
    """
    if folder := os.environ.get("GREEN_DATA_DIR"):
        name, folder, system = "CoNLL-14, AMU", Path(folder) / "conll14", "systems/AMU"
    else:
        name, folder, system = "bundled examples, bold", EXAMPLES, "bold.txt"
    columns = [
        _read(folder / file, n_sentences)
        for file in ("source.txt", system, "reference0.txt", "reference1.txt")
    ]
    return name, columns[0], columns[1], [list(pair) for pair in zip(*columns[2:], strict=True)]


def load_systems(n_sentences: int = N_SENTENCES) -> dict[str, list[str]]:
    """Twelve systems' corrections: CoNLL-2014's, or the bundled ones with random edits."""
    if folder := os.environ.get("GREEN_DATA_DIR"):
        paths = sorted((Path(folder) / "conll14" / "systems").iterdir())
        return {path.name: _read(path, n_sentences) for path in paths}
    rng, systems = random.Random(0), {}
    for number, name in zip(range(12), cycle(("careful", "bold", "broken")), strict=False):
        texts = _read(EXAMPLES / f"{name}.txt", n_sentences)
        systems[f"{name} {number}"] = [" ".join(edit(text.split(), rng)) for text in texts]
    return systems


def _read(path: Path, n_sentences: int) -> list[str]:
    return list(islice(cycle(read_lines(path)), n_sentences))


def edit(tokens: Sequence[str], rng: random.Random) -> list[str]:
    """Delete, insert or replace a tenth of the tokens; new ones are others of the same text."""
    edited = []
    for token in tokens:
        kind = rng.randrange(30)
        if kind == 0:
            continue
        if kind == 1:
            edited.append(rng.choice(tokens))
        edited.append(rng.choice(tokens) if kind == 2 else token)
    return edited


def worst_cases(texts: dict[str, list]) -> dict[str, dict[str, Any]]:
    """Texts that are hard to score, made from a corpus: arguments of `score`, by a name.

    `texts` are the corpus's columns by their names, with the same number of references each.
    """
    cases = {
        "texts that share nothing, words": words_of_their_own(texts),
        "texts that share nothing, characters": letters_of_their_own(texts),
    }
    for name, changed in {
        "unrelated texts": unrelated(texts),
        "a document of 60,000 words": document(texts),
        "200 sentences with 100 references": many_references(texts, 200),
        "20 sentences with 100 references": many_references(texts, 20),
    }.items():
        cases |= {f"{name}, words": changed, f"{name}, characters": changed}
    cases |= {
        "12,000 Chinese characters in 300 sentences, characters": chinese(40),
        "12,000 Chinese characters in one text, characters": chinese(12_000),
    }
    return {
        name: {**changed, "tokenizer": "char" if name.endswith("characters") else "word"}
        for name, changed in cases.items()
    }


def words_of_their_own(texts: dict[str, list]) -> dict[str, list]:
    """Replace each word by a number that occurs once in the corpus."""
    numbers = count()
    return _of_columns(
        [" ".join(f"{next(numbers):x}" for _ in text.split()) for text in column]
        for column in _columns(texts)
    )


def letters_of_their_own(texts: dict[str, list]) -> dict[str, list]:
    """Replace the letters and blanks of each column by others, which no other column has."""

    def replaced(text: str, first: int) -> str:
        return "".join(chr(first + ord(letter) % 0x400) for letter in text)

    return _of_columns(
        [replaced(text, 0x3400 + 0x400 * index) for text in column]
        for index, column in enumerate(_columns(texts))
    )


def unrelated(texts: dict[str, list]) -> dict[str, list]:
    """Shuffle each column, so that the texts of a sentence have nothing to do with each other."""
    rng = random.Random(0)
    return _of_columns(rng.sample(column, len(column)) for column in _columns(texts))


def document(texts: dict[str, list], n_words: int = 60_000) -> dict[str, list]:
    """Join each column to one text, cut or repeated to have `n_words` words."""
    return _of_columns(
        [" ".join(islice(cycle(" ".join(column).split()), n_words))] for column in _columns(texts)
    )


def many_references(
    texts: dict[str, list], n_sentences: int, n_references: int = 100
) -> dict[str, list]:
    """The first sentences with many references: random edits of the first reference."""
    rng = random.Random(0)
    sources, predictions, references, *_ = (column[:n_sentences] for column in _columns(texts))
    edited = (
        [" ".join(edit(text.split(), rng)) for text in references] for _ in range(n_references)
    )
    return _of_columns([sources, predictions, *edited])


def chinese(length: int, n_characters: int = 12_000) -> dict[str, list]:
    """Sentences of this length that together have each of many Chinese characters once.

    The corrections and two references are random edits of them.
    """
    rng = random.Random(0)
    characters = rng.sample([chr(0x4E00 + index) for index in range(n_characters)], n_characters)
    sources = [characters[start : start + length] for start in range(0, n_characters, length)]
    edited = ([edit(source, rng) for source in sources] for _ in range(3))
    return _of_columns(["".join(text) for text in column] for column in chain([sources], edited))


def _columns(texts: dict[str, list]) -> list[list[str]]:
    """Sources, predictions, first references, second references and so on."""
    sources, predictions, references = (texts[name] for name in COLUMNS)
    return [sources, predictions, *map(list, zip(*references, strict=True))]


def _of_columns(columns: Iterable[list[str]]) -> dict[str, list]:
    """What `_columns` takes apart."""
    sources, predictions, *references = columns
    listed = [list(texts) for texts in zip(*references, strict=True)]
    return dict(zip(COLUMNS, (sources, predictions, listed), strict=True))
