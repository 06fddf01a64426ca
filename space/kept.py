"""Holds visitors' corpora between requests, in files: a number of bytes in all, each for a time."""

import atexit
import os
import shutil
import tempfile
import time
import uuid
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from . import limits


class File(NamedTuple):
    """When it was written, where it is, and its size."""

    when: float
    path: str
    n_bytes: int


class Kept:
    """Files by key; if they have too many bytes, the oldest go first.

    Workers write and read them, so that they take no memory here.
    """

    def __init__(self, most: int = limits.MOST_KEPT, seconds: float = limits.KEPT) -> None:
        self._most, self._seconds = most, seconds
        self._held: OrderedDict[str, File] = OrderedDict()
        self._lock = Lock()
        self._folder = tempfile.mkdtemp(prefix="green_gec-")
        atexit.register(shutil.rmtree, self._folder, ignore_errors=True)

    @contextmanager
    def file(self, key: str) -> Iterator[str]:
        """The path of a file to read or, if there is none, to write; it goes unless it is added."""
        path = self.get(key) or os.path.join(self._folder, uuid.uuid4().hex)
        try:
            yield path
        finally:
            with self._lock:
                if path not in (file.path for file in self._held.values()):
                    Path(path).unlink(missing_ok=True)

    def add(self, key: str, path: str) -> None:
        """Keep a file, as the newest one."""
        with self._lock:
            if key in self._held and self._held[key].path != path:
                self._drop(key)
            self._held[key] = File(time.monotonic(), path, os.path.getsize(path))
            self._held.move_to_end(key)
        self.purge()

    def get(self, key: str | None) -> str | None:
        self.purge()
        with self._lock:
            return self._held[key].path if key in self._held else None

    def purge(self, *_) -> None:
        """Drop what is too old, then the oldest until the rest is small enough."""
        with self._lock:
            oldest_kept = time.monotonic() - self._seconds
            while self._held:
                key, file = next(iter(self._held.items()))
                if file.when >= oldest_kept and self.n_bytes <= self._most:
                    break
                self._drop(key)

    def _drop(self, key: str) -> None:
        with suppress(OSError):  # where an open file cannot be deleted, it goes with the folder
            os.unlink(self._held.pop(key).path)

    @property
    def n_bytes(self) -> int:
        return sum(file.n_bytes for file in self._held.values())
