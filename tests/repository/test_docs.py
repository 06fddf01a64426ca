"""The documentation is true: its examples run, its commands work, its links lead somewhere."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from shared import ROOT, run_doctests

import green_gec
from green_gec.options import Options, option_names

PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md")))
}
README = PAGES["README.md"]
FENCES = re.compile(r"^```(\w*)\n(.*?)^```$", flags=re.M | re.S)
CODE = [(name, *found) for name, text in PAGES.items() for found in FENCES.findall(text)]
COMMANDS = [
    pytest.param(*code.removeprefix("$ ").split("\n", 1), id=f"{page}: {code.splitlines()[0]}")
    for page, language, code in CODE
    if language == "console"
]


@pytest.mark.parametrize("page", [name for name, text in PAGES.items() if ">>> " in text])
def test_examples(page, clone, monkeypatch):
    monkeypatch.chdir(clone.parent)
    shutil.copytree(ROOT / "examples", clone.parent / "examples", dirs_exist_ok=True)
    run_doctests(PAGES[page], page)


@pytest.mark.parametrize(("command", "output"), COMMANDS)
def test_commands(command, output):
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


def test_there_are_examples_and_commands():
    assert sum(">>> " in code for _, language, code in CODE if language == "python") >= 8
    assert len(COMMANDS) >= 8


def test_examples_that_need_more_are_run_by_other_tests():
    """Examples without a prompt need objects, such as a model, that a test provides."""
    tests = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    named = [*re.findall(r'\w+_code\("(.+?)"\)', tests), "from gradio_client import"]
    for page, language, code in CODE:
        if language == "python" and ">>> " not in code:
            compile(code, page, "exec")
            assert any(name in code for name in named), f"no test runs this of {page}:\n{code}"


def anchors(path):
    """What GitHub makes of a page's headings."""
    headings = re.findall(r"^#+ (.*)$", FENCES.sub("", path.read_text("utf-8")), flags=re.M)
    seen, found = Counter(), set()
    for heading in headings:
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return found


@pytest.mark.parametrize("page", PAGES)
def test_links(page):
    here = ROOT / page
    links = re.findall(r"\]\((?!https?:)(.+?)\)", FENCES.sub("", PAGES[page]))
    for link in links:
        name, _, anchor = link.partition("#")
        target = here.parent / name if name else here
        assert target.is_file(), link
        assert not anchor or anchor in anchors(target), link
    assert links  # every page leads somewhere


def test_the_card_is_short():
    assert len(README.splitlines()) <= 250


def test_the_cards_table_of_contents():
    contents = README.partition("\n## ")[0]
    linked = re.findall(r"\]\(#(.+?)\)", contents)
    chapters = re.findall(r"^## (.*)$", FENCES.sub("", README), flags=re.M)
    assert {title.lower().replace(" ", "-") for title in chapters} <= set(linked)


def test_the_cards_two_commands():
    in_card = [code for page, language, code in CODE if page == "README.md" and language == "sh"]
    install, *commands = in_card
    assert [line.split()[:2] for line in install.splitlines()] == [
        ["pip", "install"],
        ["green", "register"],
    ]
    assert README.index(install) < README.index(">>> ")
    assert len(commands) == 2
    assert commands[0].endswith("&& .venv/bin/python examples/score.py\n")
    assert commands[1].endswith("&& .venv/bin/python -m pytest\n")
    assert README.count("-m pytest") == 1  # .ci/run looks for it


def test_the_cards_options_are_those_of_green():
    rows = re.findall(r"^\| `(\w+)` \| `?(.+?)`? \|", README, flags=re.M)
    declared = {name: getattr(Options(), name) for name in option_names("green")}
    del declared["seed"], declared["paired"]
    assert [name for name, _ in rows] == list(declared)
    for name, default in rows:
        if name != "max_order":  # it depends on the tokenizer
            assert ast.literal_eval(default) == declared[name]


def test_main_command(tmp_path):
    """Of the card's first command, all but the installation."""
    (command,) = (code for _, _, code in CODE if code.endswith("examples/score.py\n"))
    _, _, command = command.split(" && ", 2)
    ran = subprocess.run(
        ["bash", "-c", command.replace(".venv/bin", str(Path(sys.executable).parent))],
        cwd=ROOT,
        env=os.environ | {"HF_HOME": str(tmp_path), "HF_EVALUATE_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    registered, *lines = ran.stdout.splitlines()
    assert str(tmp_path) in registered
    assert lines[0].split()[:2] == ["system", "GREEN"]
    scores = {line.split()[0]: float(line.split()[1]) for line in lines[1:]}
    assert scores["bold"] > scores["careful"] > scores["source"] > scores["broken"]


def test_every_page_is_in_the_navigation():
    listed = re.findall(r"^ +- .+: (\S+\.md)", (ROOT / "mkdocs.yml").read_text("utf-8"), flags=re.M)
    assert listed[0] == "index.md"  # the README
    assert {name.removeprefix("docs/") for name in PAGES} - {"README.md"} <= set(listed)


def test_the_site(tmp_path):
    """The site builds, has the repository's other files, and fetches nothing from elsewhere."""
    pytest.importorskip("mkdocstrings")
    pytest.importorskip("pyspark")  # the reference imports everything
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    for path in tmp_path.rglob("*.html"):
        page = path.read_text("utf-8")
        tags = re.findall(r"<(?:script|link|img|iframe)\b[^>]*>", page)
        assert not [tag for tag in tags if re.search(r'(?:src|href)="?(?:https?:)?//', tag)], path
    for name in ("CONTRIBUTING.html", "experiments/RESULTS.html", "screenshots/systems.png"):
        assert (tmp_path / name).is_file()
    reference = (tmp_path / "api.html").read_text("utf-8")
    for name in set(green_gec.__all__) - {"__version__"}:
        assert f'id="green_gec.{name}"' in reference
