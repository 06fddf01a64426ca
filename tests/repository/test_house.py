"""The house: what the root holds, what modules may use of each other, what type checkers see."""

import ast
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from importlib.util import resolve_name

import pytest
from shared import MODULES, ROOT

import green_gec

# The package's modules by name: green_gec.api, green_gec.edits, green_gec.edits.errant and so on.
PROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
PACKAGES = re.findall(r'^ +"(green_gec[\w.]*)",$', PROJECT, flags=re.M)
TREES = {
    f"{package}.{path.stem}".removesuffix(".__init__"): ast.parse(path.read_text("utf-8"))
    for package in PACKAGES
    for path in ROOT.joinpath(*package.split(".")[1:]).glob("*.py")
}
# The public interface of a named tuple.
NAMED_TUPLE = ("_asdict", "_fields", "_make", "_replace")


def test_every_module_in_the_root_is_copied_by_evaluate():
    """evaluate.load copies what green.py names at the start of a line, and nothing else."""
    source = (ROOT / "green.py").read_text("utf-8")
    named = re.findall(r"^from \.(\w+) import [^#\n]*$", source, flags=re.M)
    assert sorted([*named, "green"]) == MODULES
    assert not re.search(r"^\s+from \.", source, flags=re.M)
    assert "from evaluate import Metric" not in source


def imports(name, tree):
    """The modules that a module imports, in functions too, but not those for types only."""
    package = name if name in PACKAGES else name.rpartition(".")[0]
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        nodes += ast.iter_child_nodes(node)
        if isinstance(node, ast.ImportFrom):
            home = resolve_name("." * node.level + (node.module or ""), package)
            for alias in node.names:  # a module of a package, or what a module defines
                inner = f"{home}.{alias.name}"
                yield inner if inner in TREES else home


def test_no_module_is_in_a_cycle_of_imports():
    graph = {name: TREES.keys() & imports(name, tree) for name, tree in TREES.items()}
    assert {"green_gec.counting", "green_gec.edits"} <= graph["green_gec.api"]
    assert {"green_gec.counting", "green_gec.edits.errant"} <= graph["green_gec.edits"]
    assert "green_gec.corpus.m2" in graph["green_gec.edits.errant"]
    TopologicalSorter(graph).prepare()


def test_no_module_uses_private_names_of_others():
    """Its own are those that it defines, or that objects have in it."""
    for name, tree in TREES.items():
        nodes = [*ast.walk(tree)]
        used = {(ast.unparse(n.value), n.attr) for n in nodes if isinstance(n, ast.Attribute)}
        own = {node.name for node in nodes if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        own |= {attribute for value, attribute in used if value in ("self", "cls")}
        private = {each for each in used if re.match("_[^_]", each[1]) and each[1] not in own}
        private = {each for each in private if each[1] not in NAMED_TUPLE}
        assert not private, (name, private)


def test_editors_and_type_checkers_see_the_options(tmp_path):
    """The signature of `score` is written out, and lazy names are known."""
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
    """`python app.py` puts the root on the path, where modules with common names lie."""
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
