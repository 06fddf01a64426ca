"""The documentation is true: its examples run, its commands work, its files are there."""

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import MODULES, OTHERS, ROOT

import green_gec
from green_gec import Statistics, compare, reward, score, score_batch
from green_gec.explain import explain


def run_doctests(text, name):
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    assert len(test.examples) >= 2
    output = []
    failures = doctest.DocTestRunner().run(test, out=output.append).failed
    assert not failures, "".join(output)


def test_readme_examples(clone, monkeypatch):
    monkeypatch.chdir(clone.parent)
    shutil.copytree(ROOT / "examples", clone.parent / "examples")
    run_doctests((ROOT / "README.md").read_text("utf-8"), "README.md")


COMMANDS = re.findall(
    r"```console\n\$ (.*?)\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), flags=re.S
)


@pytest.mark.parametrize(("command", "output"), COMMANDS, ids=[line for line, _ in COMMANDS])
def test_readme_commands(command, output):
    scripts = Path(sys.executable).parent
    ran = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT / "examples",
        env={**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == output
    assert ran.stderr == ""


def test_readme_has_commands():
    assert len(COMMANDS) >= 4


@pytest.mark.parametrize("function", [compare, explain, reward, score, score_batch, Statistics])
def test_docstrings(function):
    run_doctests(function.__doc__, function.__name__)


def test_main_command():
    ran = subprocess.run(
        [sys.executable, "examples/score.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines = ran.stdout.splitlines()
    assert lines[0].split()[:2] == ["system", "GREEN"]
    scores = {line.split()[0]: float(line.split()[1]) for line in lines[1:]}
    assert scores["bold"] > scores["careful"] > scores["source"] > scores["broken"]


def test_readme_has_both_commands():
    readme = (ROOT / "README.md").read_text("utf-8")
    commands = re.findall(r"```sh\n(.*?)\n```", readme)
    assert len(commands) == 2
    assert commands[0].endswith("&& .venv/bin/python examples/score.py")
    assert commands[1].endswith("&& .venv/bin/python -m pytest")


@pytest.mark.parametrize("name", [*MODULES, *OTHERS])
def test_every_module_is_in_the_guide(name):
    assert f"| `{name}.py` |" in (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_green_imports_every_module_that_scoring_needs():
    """evaluate.load copies what green.py names at the start of a line, and nothing else."""
    source = (ROOT / "green.py").read_text("utf-8")
    named = set(re.findall(r"^from \.(\w+) import [^#\n]*$", source, flags=re.M))
    assert named == set(MODULES) - {"green"}
    assert {*MODULES, *OTHERS} == {path.stem for path in ROOT.glob("*.py")}


def test_version_is_in_the_changelog():
    assert f"## {green_gec.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")
