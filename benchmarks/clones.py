"""Clones of this project, imported side by side, for benchmarks that compare them."""

import importlib
import importlib.util
import shutil
import sys
import tempfile
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


class Clone:
    """A clone of this project, imported as a package under the name given."""

    def __init__(self, folder: Path, package: str) -> None:
        self.folder, self.package = folder, package
        if package != "green_gec":
            where = {"submodule_search_locations": [str(folder)]}
            spec = importlib.util.spec_from_file_location(package, folder / "__init__.py", **where)
            # Not executed: a clone's __init__.py looks its modules up in `green_gec`, ours.
            sys.modules[package] = importlib.util.module_from_spec(spec)

    @cached_property
    def metric(self) -> Any:
        """The evaluate module, loaded as a user would: from a folder named `green`."""
        import evaluate

        with tempfile.TemporaryDirectory() as parent:
            folder = Path(parent) / "green"
            folder.mkdir()
            for path in self.folder.glob("*.py"):
                shutil.copy(path, folder)
            return evaluate.load(str(folder))

    def function(self, name: str) -> Callable:
        """`score`, `compare`, `reward`, or the metric's `compute`."""
        if name == "compute":
            return self.metric.compute
        module = "training.reward" if name == "reward" else "api"
        return getattr(importlib.import_module(f"{self.package}.{module}"), name)


def make_clones(against: Path | None) -> dict[str, Clone]:
    """This clone ("now") and, if there is one, another ("before")."""
    before = {"before": Clone(against.resolve(), "green_before")} if against else {}
    return {**before, "now": Clone(ROOT, "green_gec")}


def add_against(parser: ArgumentParser) -> None:
    help_ = "the root of another clone of this project, to compare with"
    parser.add_argument("--against", type=_clone_root, metavar="FOLDER", help=help_)


def _clone_root(folder: str) -> Path:
    if not (Path(folder) / "api.py").is_file():
        raise ArgumentTypeError(f"{folder} is not the root of a clone: it has no api.py")
    return Path(folder)
