"""Convert the public corpora, as distributed, to the layout that `experiments.reproduce` reads.

python -m experiments.prepare DOWNLOADS --data DIR
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from green_gec.corpus import read_m2

from .corpora import GMEG, GMEG_PARTS, GMEG_SYSTEMS, RANKINGS, SEEDA_HUMAN, SEEDA_SYSTEMS
from .files import Missing, present, read_texts
from .judgments import read_human, read_items, read_judgments, read_segments

Files = dict[str, bytes]  # contents by path


def conll14(downloads: Path) -> Files:
    """Collect the test set (from its M2 file), the submissions and the judgments."""
    m2 = downloads / "conll14st-test-data" / "noalt" / "official-2014.combined.m2"
    judgments = downloads / "evaluation" / "data" / "judgments.xml"
    files = {
        "conll14/official.m2": _get(m2, "conll14"),
        "conll14/judgments.xml": _get(judgments, "conll14"),
    }
    sources, references = read_m2(m2)
    files["conll14/source.txt"] = _lines(sources)
    for annotator in (0, 1):
        # If a sentence lists a single annotator, both agree.
        texts = [listed[min(annotator, len(listed) - 1)] for listed in references]
        files[f"conll14/reference{annotator}.txt"] = _lines(texts)
    for name in _submissions(downloads):
        path = downloads / "official_submissions" / name
        files[f"conll14/systems/{name}"] = _get(path, "conll14", len(sources))
    return files


def conll14_edits(downloads: Path) -> Files:
    """Collect ERRANT's edits of the references and of the submissions of CoNLL-2014."""
    folder = downloads / "CLEME" / "demo" / "examples"
    files = {"conll14/errant.m2": _get(folder / "conll14.errant", "edits")}
    for name in _submissions(downloads):
        files[f"conll14/errant/{name}.m2"] = _get(folder / f"conll14-{name}.errant", "edits")
    return files


def _submissions(downloads: Path) -> list[str]:
    """The names of CoNLL-2014's submissions, which the judgments have."""
    judgments = present(downloads / "evaluation" / "data" / "judgments.xml", "conll14")
    names = {name for pair in read_judgments(judgments) for name in pair}
    return sorted(names - {"INPUT"})


def seeda(downloads: Path) -> Files:
    """Collect the outputs for all sentences of CoNLL-2014 and the human judgments."""
    outputs, human, judgments = (
        downloads / "SEEDA" / part for part in ("outputs/all", "scores/human", "data/all")
    )
    n_sentences = len(read_texts(outputs / f"{SEEDA_SYSTEMS[0]}.txt", "seeda"))
    files = {}
    for name in SEEDA_SYSTEMS:
        files[f"seeda/systems/{name}.txt"] = _get(outputs / f"{name}.txt", "seeda", n_sentences)
    for name in SEEDA_HUMAN.values():
        read_human(human / name, SEEDA_SYSTEMS)
        files[f"seeda/human/{name}"] = _get(human / name, "seeda")
    for path, _ in RANKINGS["seeda"].values():
        name = Path(path).name
        read_items(present(judgments / name, "seeda"))
        files[f"seeda/human/{name}"] = _get(judgments / name, "seeda")
    return files


def gmeg(downloads: Path, folder: str) -> Files:
    """Collect a domain of GMEG."""
    domain = GMEG[folder].lower()
    files = {}
    for part in GMEG_PARTS:
        texts = downloads / "GMEG" / "data" / part
        n_sentences = len(read_texts(texts / domain / "source", folder))
        for name in (*GMEG_SYSTEMS, *(f"ref{n}" for n in range(4))):
            files[f"{folder}/{part}/{name}"] = _get(texts / domain / name, folder, n_sentences)
        scores = f"{domain}-segment-scores.csv"
        for _ in read_segments(texts / scores, folder, GMEG_SYSTEMS, n_sentences):
            pass  # it checks every row
        files[f"{folder}/{part}/{scores}"] = _get(texts / scores, folder)
    return files


PARTS: dict[str, Callable[[Path], Files]] = {
    "conll14": conll14,
    "conll14/errant": conll14_edits,
    "seeda": seeda,
    **{folder: partial(gmeg, folder=folder) for folder in GMEG},
}


def _get(path: Path, corpus: str, n_sentences: int | None = None) -> bytes:
    """Return the content of a file after checking its number of lines."""
    read_texts(path, corpus, n_sentences)
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
        for part, collect in PARTS.items():
            try:
                files = collect(given.downloads)
            except Missing as missing:
                print(f"{part}: left out: {missing}")
                continue
            for name, content in files.items():
                path = given.data / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            print(f"{part}: {len(files)} files")
            n_made += 1
    except (OSError, ValueError) as error:
        parser.exit(2, f"{parser.prog}: error: {error}\n")
    return 0 if n_made else 2


if __name__ == "__main__":
    sys.exit(main())
