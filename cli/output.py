"""Where output goes: standard output, standard error, or a file that is written as a whole."""

import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path


def encode(text: str) -> bytes:
    """The output's bytes: UTF-8 on every system, and file names as they came in."""
    return text.encode("utf-8", sys.getfilesystemencodeerrors())


def write(text: str) -> int:
    """Write to standard output; return the exit status."""
    # Not through sys.stdout, which can lose data silently if it is unbuffered, and which on Windows
    # has another encoding and other line ends.
    try:
        with open(1, "wb", closefd=False) as file:
            file.write(encode(text))
    except OSError as error:
        # The reader has seen enough; Windows may call its closed pipe an invalid argument.
        if error.errno == errno.EPIPE or (sys.platform == "win32" and error.errno == errno.EINVAL):
            return 141
        raise OSError(error.errno, f"cannot write the output: {error.strerror}") from error
    return 0


def tell(prog: str, kind: str, message: str) -> None:
    """Write a message to standard error on one line, which no file name can break."""
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)
    print(f"{prog}: {kind}: {line}", file=sys.stderr)


def check_file(flag: str, path: str, inputs: Sequence[str]) -> None:
    """Fail early: check that a file can be written, and is not an input, before scoring."""
    # Devices and pipes are written to, files are replaced.
    written = path if is_special(path) else os.path.dirname(os.path.realpath(path))
    if path in ("", "-") or os.path.isdir(path) or not os.access(written, os.W_OK):
        raise ValueError(f"argument {flag}: cannot write {path!r}")
    if os.path.isfile(path) and os.path.realpath(path) in map(os.path.realpath, inputs):
        raise ValueError(f"argument {flag}: {path} is an input; choose another file")


def save(path: str, text: str) -> None:
    """Write a file atomically: as a whole or not at all."""
    target = os.path.realpath(path)
    try:
        if is_special(path):
            Path(path).write_bytes(encode(text))
            return
        with tempfile.TemporaryDirectory(prefix=".green-", dir=os.path.dirname(target)) as folder:
            temporary = os.path.join(folder, "output")
            with open(temporary, "wb") as file:
                file.write(encode(text))
                file.flush()
                os.fsync(file.fileno())
            if os.path.exists(target):
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
    except OSError as error:
        raise OSError(error.errno, f"cannot write {path}: {error.strerror}") from error


def is_special(path: str) -> bool:
    """Whether a path is a device or a pipe."""
    return os.path.exists(path) and not os.path.isfile(path)
