"""The house: what is in the root is what evaluate copies; type checkers see the interface."""

import re
import subprocess
import sys

import pytest
from shared import MODULES, ROOT

import green_gec


def test_every_module_in_the_root_is_copied_by_evaluate():
    """evaluate.load copies what green.py names at the start of a line, and nothing else."""
    source = (ROOT / "green.py").read_text("utf-8")
    named = re.findall(r"^from \.(\w+) import [^#\n]*$", source, flags=re.M)
    assert sorted([*named, "green"]) == MODULES
    assert not re.search(r"^\s+from \.", source, flags=re.M)
    assert "from evaluate import Metric" not in source


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
