"""The Space in a process of its own, a browser, and scripts in several processes."""

import ast
import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from typing import NamedTuple

import pytest
from shared import EXAMPLES, ROOT


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
    path = os.pathsep.join(map(str, (EXAMPLES, ROOT / "tests", ROOT / "tests/integrations")))
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
