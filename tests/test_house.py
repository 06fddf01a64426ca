"""The house: what is in the root, what evaluate copies, and that nothing is listed by hand."""

import re
import subprocess
import sys

import pytest
from shared import MODULES, ROOT, run_doctests

import green_gec
from green_gec import Statistics, compare, explain, extract_answer, reward, score, score_batch

GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
PACKAGES = sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))


def test_every_module_in_the_root_is_copied_by_evaluate():
    """evaluate.load copies what green.py names at the start of a line, and nothing else."""
    source = (ROOT / "green.py").read_text("utf-8")
    named = re.findall(r"^from \.(\w+) import [^#\n]*$", source, flags=re.M)
    assert sorted([*named, "green"]) == MODULES
    assert not re.search(r"^\s+from \.", source, flags=re.M)
    assert "from evaluate import Metric" not in source


def test_the_root_is_small():
    assert len(list(ROOT.glob("*.py"))) <= 14
    assert len((ROOT / "app.py").read_text("utf-8").splitlines()) <= 30


def test_the_guide_lists_what_there_is():
    """Every module of the root and every folder, and nothing else."""
    listed = re.findall(r"^\| `([\w.]+/?)` \|", GUIDE, flags=re.M)
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    tracked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode:
        pytest.skip("needs a git checkout")
    folders = {name.split("/")[0] for name in tracked.stdout.splitlines() if "/" in name}
    expected = {f"{path.name}" for path in ROOT.glob("*.py")}
    expected |= {f"{name}/" for name in folders if not name.startswith(".")}
    assert sorted(listed) == sorted(expected)


def test_the_package_has_every_folder_with_code():
    project = pytest.importorskip("tomllib").loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packages = [f"green_gec.{name}" for name in PACKAGES if name not in ("experiments", "tests")]
    assert project["tool"]["setuptools"]["packages"] == ["green_gec", *packages]


@pytest.mark.parametrize(
    "function", [compare, explain, extract_answer, reward, score, score_batch, Statistics]
)
def test_docstrings(function):
    run_doctests(function.__doc__, function.__name__)


def test_public_names():
    assert dir(green_gec) == green_gec.__all__
    for name in green_gec.__all__:
        assert getattr(green_gec, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'blue'"):
        _ = green_gec.blue


def test_editors_and_type_checkers_see_the_options(tmp_path):
    """The decorator of `score` keeps its signature, and lazy names are known."""
    pytest.importorskip("mypy")
    (tmp_path / "green_gec").symlink_to(ROOT)
    lines = ["from green_gec import blue, score", "score([], [], [], beta=2)", "score(betta=2)"]
    (tmp_path / "use.py").write_text("\n".join(lines))
    command = [sys.executable, "-m", "mypy", "--follow-imports=silent", "--ignore-missing-imports"]
    ran = subprocess.run(
        [*command, "use.py"], cwd=tmp_path, capture_output=True, text=True
    ).stdout.splitlines()
    errors = [line for line in ran if ": error: " in line]
    assert len(errors) == 2, ran
    assert 'Module "green_gec" has no attribute "blue"' in errors[0]
    assert 'Unexpected keyword argument "betta" for "score"; did you mean "beta"?' in errors[1]


def test_the_space_does_not_hide_other_modules(tmp_path):
    """`python app.py` puts the root on the path, where a module named arrow lies."""
    code = (
        f"import runpy, sys; sys.argv = ['app.py']; sys.path.insert(0, {str(ROOT)!r}); "
        f"runpy.run_path({str(ROOT / 'app.py')!r}); print({str(ROOT)!r} in sys.path)"
    )
    pytest.importorskip("gradio")
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "False"


def test_version_is_in_the_changelog():
    assert f"## {green_gec.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")
