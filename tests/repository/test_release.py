"""A release: what sdist and wheel hold, that they install, and that the workflows are safe."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from shared import ROOT, run_doctests

import green_gec

pytest.importorskip("build")
yaml = pytest.importorskip("yaml")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
IGNORED = [name.rstrip("/") for name in (ROOT / ".gitignore").read_text("utf-8").split()]


def run(*command, **settings):
    """Run Python; what it printed."""
    ran = subprocess.run([sys.executable, *command], capture_output=True, text=True, **settings)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The sdist and the wheel that is made of it, built without a network from a copy."""
    folder = tmp_path_factory.mktemp("release")
    shutil.copytree(ROOT, folder / "clone", ignore=shutil.ignore_patterns(".git", *IGNORED))
    run("-m", "build", "--no-isolation", "--outdir", folder / "dist", folder / "clone")
    name = f"green_gec-{green_gec.__version__}"
    paths = folder / "dist" / f"{name}.tar.gz", folder / "dist" / f"{name}-py3-none-any.whl"
    assert sorted(paths) == sorted((folder / "dist").iterdir())
    return paths


def test_metadata(built):
    pytest.importorskip("twine")
    assert run("-m", "twine", "check", "--strict", *built).count("PASSED") == 2
    with zipfile.ZipFile(built[1]) as file:
        (name,) = (name for name in file.namelist() if name.endswith("/METADATA"))
        run_doctests(file.read(name).decode(), "the description on the registry")


def test_the_sdist_has_every_file(built):
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    tracked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode:
        pytest.skip("needs a git checkout")
    expected = {name for name in tracked.stdout.splitlines() if (ROOT / name).exists()}
    with tarfile.open(built[0]) as file:
        names = {member.name.partition("/")[2] for member in file if member.isfile()}
    assert expected - names == set()
    made = {name for name in names - expected if not name.startswith("green_gec.egg-info/")}
    assert made == {"PKG-INFO", "setup.cfg"}


def test_the_wheel_has_the_package_and_nothing_else(built):
    with zipfile.ZipFile(built[1]) as file:
        names = {name for name in file.namelist() if ".dist-info/" not in name}
    folders = [path.parent for path in ROOT.glob("*/__init__.py")]
    folders = [path for path in folders if path.name not in ("experiments", "tests")]
    code = {path for folder in (ROOT, *folders) for path in folder.glob("*.py")}
    expected = {path.relative_to(ROOT).as_posix() for path in code}
    expected |= {f"reporting/{name}" for name in ("colors.css", "page.css", "page.js", "parts.css")}
    # The Space shows the metric card, with the picture that is not of itself, and the examples.
    shown = {"space/style.css", "experiments/figures/beta.png", "examples/sentences.json"}
    shown |= {f"examples/{path.name}" for path in (ROOT / "examples").glob("*.[mt][2x]*")}
    assert names == {f"green_gec/{name}" for name in expected | shown | {"README.md", "py.typed"}}


def test_the_wheel_installs(built, tmp_path):
    """Commands and the Space's files are there; the versions are the same everywhere."""
    venv.create(tmp_path, symlinks=os.name != "nt")
    scripts = tmp_path / ("Scripts" if os.name == "nt" else "bin")
    given = ["install", "--no-deps", "--no-index", "--disable-pip-version-check", built[1]]
    run("-m", "pip", "--python", scripts / "python", *given)
    for name in ("green", "green-gec", "mgreen", "sgreen"):
        printed = subprocess.run([scripts / name, "--version"], capture_output=True, text=True)
        assert printed.stdout == f"{name} {green_gec.__version__}\n"
        help_ = subprocess.run([scripts / name, "--help"], capture_output=True, text=True)
        assert help_.stdout.startswith(f"usage: {name} ")
        assert help_.stderr == ""


def test_requirements_of_the_space():
    """They repeat the bounds of the package and of its extra `app`."""
    project = pytest.importorskip("tomllib").loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project = project["project"]
    others = ("tqdm", "numpy>=2;")  # for the command line; for Windows
    needed = [name for name in project["dependencies"] if not name.startswith(others)]
    needed += project["optional-dependencies"]["app"]
    assert (ROOT / "requirements.txt").read_text("utf-8").split() == needed


def test_the_citation():
    """It is that of the metric card."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert cited["version"] == green_gec.__version__
    paper = cited["preferred-citation"]
    card = (ROOT / "README.md").read_text("utf-8")
    entry = {
        name: re.sub(r"[{}]", "", ast.literal_eval(value))
        for name, value in re.findall(r'^    (\w+) = (".*"),$', card, flags=re.M)
    }
    people = [f"{each['family-names']}, {each['given-names']}" for each in paper["authors"]]
    assert " and ".join(people) == entry["author"]
    assert paper["title"] == entry["title"]
    assert paper["collection-title"] == entry["booktitle"]
    assert f"{paper['start']}--{paper['end']}" == entry["pages"]
    assert (str(paper["year"]), paper["url"]) == (entry["year"], entry["url"])
    assert paper["publisher"]["name"] == entry["publisher"]


def test_actions_are_pinned():
    """By commit, with the version as a comment, and each action everywhere to the same."""
    uses = [
        found
        for path in WORKFLOWS
        for found in re.findall(r"^[\s-]+uses: (.*)$", path.read_text("utf-8"), flags=re.M)
    ]
    assert len(uses) >= 10
    for found in [each for each in uses if not each.startswith("./")]:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", found), found
    assert len(set(uses)) == len({found.partition("@")[0] for found in uses})


def test_the_workflows_are_safe():
    zizmor = shutil.which("zizmor", path=str(Path(sys.executable).parent))
    if zizmor is None:
        pytest.skip("needs zizmor")
    command = [zizmor, "--offline", "--no-progress", *WORKFLOWS]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_the_workflows_name_exists(path):
    """Files, extras and folders of tests."""
    text = path.read_text("utf-8")
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    for extra in re.findall(r'"\.\[(.+?)\]"', text):
        for name in extra.split(","):
            assert re.search(rf"^{name} = \[", project, flags=re.M), name
    for name in re.findall(r"(?:--ignore=|bash |python )((?:tests|\.ci|examples)/\S+)", text):
        assert (ROOT / name).exists(), name
