"""Makes `evaluate.load("green")` load the installed package, for users who ask for it.

evaluate looks for a plain name in the working folder, on the Hub, and then in its cache of modules,
where the newest version wins. `register` adds a version that only imports `green_gec`: all of a
user's environments share the cache, and each of them loads the package that is installed in it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evaluate import config, loading

# The versions of the Hub's metric "green", each in a folder named after a hash of its code. Ours
# has a name that never changes, so that registering again leaves nothing behind.
_VERSIONS = Path(
    config.HF_MODULES_CACHE,
    config.MODULE_NAME_FOR_DYNAMIC_MODULES,
    "metrics",
    "evaluate-metric--green",
)
_OURS = _VERSIONS / hashlib.sha256(b"green_gec").hexdigest()


@contextmanager
def _naming_the_cache() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OSError(
            error.errno,
            f"cannot write to evaluate's cache of modules, {config.HF_MODULES_CACHE}: "
            f"{error.strerror}; set HF_HOME or HF_MODULES_CACHE to choose another folder",
        ) from error


@_naming_the_cache()
def register() -> str:
    """Make `evaluate.load("green")` load the installed package, in any folder, without the Hub.

    One call is enough for all environments and later versions; a further one does no harm. Returns
    a line that says what was done and where.
    """
    loading.init_dynamic_modules()
    _OURS.mkdir(parents=True, exist_ok=True)
    for package in (_VERSIONS.parent, _VERSIONS, _OURS):
        (package / "__init__.py").touch()
    # A copy is newer than all other versions. It replaces ours as a whole: other processes may be
    # loading or registering it.
    with tempfile.TemporaryDirectory(dir=_VERSIONS) as folder:
        module = shutil.copyfile(Path(__file__).with_name("green.py"), Path(folder, "module"))
        os.replace(module, _OURS / "green.py")
    return f'evaluate.load("green") now loads the installed green_gec, by way of {_OURS}'


@_naming_the_cache()
def unregister() -> str:
    """Undo `register`. Returns a line that says what was done and where."""
    if not _OURS.exists():
        return f"nothing to undo: there is no {_OURS}"
    shutil.rmtree(_OURS)
    return f'evaluate.load("green") no longer loads the installed green_gec; removed {_OURS}'
