"""Where output goes, as bytes: standard output, or a file that is written as a whole."""

from __future__ import annotations

import errno
import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

# The formats that the ending of a file chooses; others keep that of the output.
FORMATS = {".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex", ".html": "html"}


def encode(text: str) -> bytes:
    """The output's bytes: UTF-8 on every system, and file names as they came in."""
    return text.encode("utf-8", sys.getfilesystemencodeerrors())


def write(parser: ArgumentParser, output: bytes) -> int:
    """Write to standard output; return the exit status."""
    # Not through sys.stdout, which can lose data silently if it is unbuffered, and which on Windows
    # has another encoding and other line ends.
    try:
        with open(1, "wb", closefd=False) as file:
            file.write(output)
    except OSError as error:
        # The reader has seen enough; Windows may call its closed pipe an invalid argument.
        if error.errno == errno.EPIPE or (sys.platform == "win32" and error.errno == errno.EINVAL):
            return 141
        parser.error(f"cannot write the output: {error.strerror}")
    return 0


def save(path: str, output: bytes) -> None:
    """Write a file atomically: as a whole or not at all."""
    if is_special(path):
        with open(path, "wb") as file:
            file.write(output)
        return
    import tempfile  # slow

    path = os.path.realpath(path)
    descriptor, temporary = tempfile.mkstemp(prefix=".green-", dir=os.path.dirname(path))
    try:
        with open(descriptor, "wb") as file:
            file.write(output)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _mode(path: str) -> int:
    """The permissions of a file, or those that new files get here."""
    if os.path.exists(path):
        return stat.S_IMODE(os.stat(path).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def ending(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def is_special(path: str) -> bool:
    """Whether a path is a device or a pipe."""
    return os.path.exists(path) and not os.path.isfile(path)
