"""Fixtures. Everything that Hugging Face caches goes to a folder of this run."""

import os
import sys
import tempfile
from pathlib import Path

import hypothesis
import pytest
from shared import IN_CI, MODULES, ROOT

from green_gec.corpus import read_lines

for name in ("HF_EVALUATE_CACHE", "HF_METRICS_CACHE", "HF_MODULES_CACHE"):
    os.environ.pop(name, None)
os.environ["HF_HOME"] = tempfile.mkdtemp(prefix="green-tests-")
# An example may take long on a busy machine, which says nothing about the code.
# Newcomers see what everybody sees; in CI, Hypothesis derandomises by itself.
hypothesis.settings.register_profile("quick", deadline=None, max_examples=10, derandomize=True)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=120)
hypothesis.settings.load_profile("thorough" if IN_CI else "quick")
sys.path.append(str(ROOT))  # for `experiments`; last, because modules here have common names


@pytest.fixture(scope="session")
def clone(tmp_path_factory):
    """A folder named `green` with the files that the Hub would serve."""
    folder = tmp_path_factory.mktemp("clone") / "green"
    folder.mkdir()
    for name in MODULES:
        (folder / f"{name}.py").write_bytes((ROOT / f"{name}.py").read_bytes())
    return folder


@pytest.fixture
def metric(clone):
    import evaluate

    return evaluate.load(str(clone), seed=7)


@pytest.fixture(scope="session")
def data_dir():
    """The folder with the public corpora, which cannot be part of this repository."""
    folder = os.environ.get("GREEN_DATA_DIR")
    if not folder:
        pytest.skip("needs the public corpora: set GREEN_DATA_DIR (see CONTRIBUTING.md)")
    return Path(folder)


@pytest.fixture(scope="session")
def conll14(data_dir):
    """Sources, references and a reader of the systems of CoNLL-2014."""
    folder = data_dir / "conll14"

    def read(name):
        return read_lines(folder / name)

    references = list(zip(read("reference0.txt"), read("reference1.txt"), strict=True))
    return read("source.txt"), references, lambda system: read(f"systems/{system}")
