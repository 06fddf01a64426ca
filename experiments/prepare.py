"""Convert the public corpora, as distributed, to the layout that `experiments.reproduce` reads.

python -m experiments.prepare DOWNLOADS --data DIR
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path

from green_gec.corpus import read_m2

from . import corpora

Files = dict[str, bytes]  # contents by path, relative to the corpus's folder


def conll14(downloads: Path) -> Files:
    """Collect the test set (from its M2 file), the submissions and the judgments."""
    m2 = downloads / "conll14st-test-data" / "noalt" / "official-2014.combined.m2"
    judgments = downloads / "evaluation" / "data" / "judgments.xml"
    files = {"official.m2": _get(m2, "conll14"), "judgments.xml": _get(judgments, "conll14")}
    sources, references = read_m2(m2)
    files["source.txt"] = _lines(sources)
    for annotator in (0, 1):
        # If a sentence lists a single annotator, both agree.
        texts = [listed[min(annotator, len(listed) - 1)] for listed in references]
        files[f"reference{annotator}.txt"] = _lines(texts)
    names = {name for pair in corpora.read_judgments(judgments) for name in pair} - {"INPUT"}
    for name in sorted(names):
        path = downloads / "official_submissions" / name
        files[f"systems/{name}"] = _get(path, "conll14", len(sources))
    return files


def seeda(downloads: Path) -> Files:
    """Collect the outputs for all sentences of CoNLL-2014 and the human scores."""
    outputs, human = (downloads / "SEEDA" / part for part in ("outputs/all", "scores/human"))
    first = outputs / f"{corpora.SEEDA_SYSTEMS[0]}.txt"
    n_sentences = len(corpora.read_texts(first, "seeda"))
    files = {}
    for name in corpora.SEEDA_SYSTEMS:
        files[f"systems/{name}.txt"] = _get(outputs / f"{name}.txt", "seeda", n_sentences)
    for name in corpora.SEEDA_HUMAN.values():
        corpora.read_human(human / name)
        files[f"human/{name}"] = _get(human / name, "seeda")
    return files


def gmeg_fce(downloads: Path) -> Files:
    """Collect the FCE part of GMEG."""
    files = {}
    for part in ("dev", "test"):
        folder = downloads / "GMEG" / "data" / part
        n_sentences = len(corpora.read_texts(folder / "fce" / "source", "gmeg-fce"))
        for name in (*corpora.GMEG_SYSTEMS, *(f"ref{n}" for n in range(4))):
            files[f"{part}/{name}"] = _get(folder / "fce" / name, "gmeg-fce", n_sentences)
        scores = "fce-segment-scores.csv"
        corpora.read_segment_scores(folder / scores, n_sentences)
        files[f"{part}/{scores}"] = _get(folder / scores, "gmeg-fce")
    return files


PARTS: dict[str, Callable[[Path], Files]] = {
    "conll14": conll14,
    "seeda": seeda,
    "gmeg-fce": gmeg_fce,
}


def _get(path: Path, corpus: str, n_sentences: int | None = None) -> bytes:
    """Return the content of a file after checking its number of lines."""
    corpora.read_texts(path, corpus, n_sentences)
    return path.read_bytes()


def _lines(texts: Sequence[str]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = ArgumentParser("python -m experiments.prepare", description=__doc__.split("\n")[0])
    parser.add_argument(
        "downloads",
        type=Path,
        help="the folder with the unpacked archives and clones listed in experiments/README.md",
    )
    parser.add_argument(
        "--data", type=Path, metavar="DIR", required=True, help="the folder to write to"
    )
    given = parser.parse_args(arguments)
    n_made = 0
    try:
        for folder, collect in PARTS.items():
            try:
                files = collect(given.downloads)
            except corpora.Missing as missing:
                print(f"{folder}: left out: {missing}")
                continue
            for name, content in files.items():
                path = given.data / folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            print(f"{folder}: {len(files)} files")
            n_made += 1
    except (OSError, ValueError) as error:
        parser.exit(2, f"{parser.prog}: error: {error}\n")
    return 0 if n_made else 2


if __name__ == "__main__":
    sys.exit(main())
