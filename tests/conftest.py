"""Fixtures. Everything that Hugging Face caches goes to a folder of this run."""

import ast
import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import NamedTuple

import hypothesis
import pytest
from shared import EXAMPLES, MODULES, ROOT

from green_gec.corpus import read_lines

for name in ("HF_EVALUATE_CACHE", "HF_METRICS_CACHE", "HF_MODULES_CACHE"):
    os.environ.pop(name, None)
os.environ["HF_HOME"] = tempfile.mkdtemp(prefix="green-tests-")
# An example may take long on a busy machine, which says nothing about the code.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")
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


class Served(NamedTuple):
    """The Space in a process of its own."""

    url: str
    process: subprocess.Popen


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    pytest.importorskip("gradio")
    log = tmp_path_factory.mktemp("space") / "log"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = {**os.environ, "GRADIO_SERVER_PORT": str(port), "GRADIO_TEMP_DIR": str(log.parent)}
    # Not from the clone: the Space must find its own files.
    command = [sys.executable, str(ROOT / "app.py")]
    with open(log, "w") as file:
        process = subprocess.Popen(command, cwd=log.parent, env=env, stdout=file, stderr=file)
    url = f"http://127.0.0.1:{port}"
    for _ in range(300):
        with contextlib.suppress(OSError), urllib.request.urlopen(url):
            break
        assert process.poll() is None, log.read_text()
        time.sleep(0.2)
    yield Served(url, process)
    process.terminate()
    process.wait()
    crashes = re.findall(r"Traceback.*?^\w\S*Error.*?$", log.read_text(), flags=re.S | re.M)
    assert all("InvalidPathError" in crash for crash in crashes), crashes


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs Playwright")
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip(f"needs a browser, one of {', '.join(names)} (on Debian, package chromium)")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def torchrun(tmp_path):
    """Run a script in two processes that can talk to each other; return what each printed."""
    pytest.importorskip("torch")
    if sys.platform == "win32":
        pytest.skip("torchrun needs libuv, which torch lacks there")
    folder = tmp_path / "logs"
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    command += [f"--log-dir={folder}", "--redirects=3"]
    path = os.pathsep.join(map(str, (EXAMPLES, ROOT / "tests")))
    env = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"}

    def run(script):
        (tmp_path / "script.py").write_text(script, "utf-8")
        ran = subprocess.run(
            [*command, "script.py"], cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True
        )
        printed, errors = (
            [log.read_text("utf-8") for log in sorted(folder.rglob(f"*/{name}.log"))]
            for name in ("stdout", "stderr")
        )
        assert not ran.returncode, "".join([ran.stderr, *errors])
        return [list(map(ast.literal_eval, text.splitlines())) for text in printed]

    return run


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
