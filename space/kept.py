"""Holds visitors' files between requests: a number of bytes in all, each for a time."""

import atexit
import os
import shutil
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock

from . import limits

_LEAST = 4096  # bytes of the smallest file on a disk


class Kept:
    """Uploads, and counted corpora by key; if they have too many bytes, the oldest go first.

    Workers write and read the files, so that they take no memory here.
    """

    def __init__(self, most: int = limits.MOST_KEPT, seconds: float = limits.KEPT) -> None:
        self._most, self._seconds = most, seconds
        self._held: dict[str, str] = {}  # paths
        self._used: Counter[str] = Counter()  # paths, by requests at work
        self._lock = Lock()
        # A folder of our own: in Gradio's usual one, other programs may have files.
        within = os.environ.get("GRADIO_TEMP_DIR")
        if within:
            os.makedirs(within, exist_ok=True)
        self._folder = os.path.realpath(tempfile.mkdtemp(prefix="green_gec-", dir=within))
        atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        self._corpora = os.path.join(self._folder, "corpora")
        self.uploads = os.path.join(self._folder, "uploads")
        for folder in (self._corpora, self.uploads):
            os.mkdir(folder)

    @contextmanager
    def file(self, key: str, uploads: Iterable[str] = ()) -> Iterator[str]:
        """The path of a file to read or, if there is none, to write; it goes unless it is added.

        Meanwhile, neither it nor the uploads go.
        """
        self.purge()
        with self._lock:
            path = self._held.get(key) or os.path.join(self._corpora, uuid.uuid4().hex)
            used = Counter([path, *uploads])
            self._used += used
        try:
            yield path
        finally:
            with self._lock:
                self._used -= used
                self._forget(path)
        self.purge()

    def add(self, key: str, path: str) -> None:
        """Keep a file, as the newest one."""
        with self._lock:
            old = self._held.get(key, path)
            self._held[key] = path
            os.utime(path, ns=(time.time_ns(),) * 2)
            self._forget(old)

    def purge(self, *_, room: int = 0) -> None:
        """Delete what is too old, then the oldest until there is room for further bytes."""
        with self._lock:
            files = sorted(self._files())
            n_bytes = sum(size for _, size, _ in files) + room
            oldest_kept = time.time_ns() - self._seconds * 1e9
            for when, size, path in files:
                if when >= oldest_kept and n_bytes <= self._most:
                    break
                if path not in self._used:
                    self._delete(path)
                    n_bytes -= size
            self._held = {key: path for key, path in self._held.items() if os.path.exists(path)}

    def _files(self) -> Iterator[tuple[int, int, str]]:
        """Each file with the time since which it is here, in nanoseconds, and its size."""
        for folder, _, names in os.walk(self._folder):
            for path in (os.path.join(folder, name) for name in names):
                with suppress(OSError):  # it has just gone
                    found = os.stat(path)
                    # A copy may have the older time of the original.
                    when = max(found.st_mtime_ns, found.st_ctime_ns)
                    yield when, max(found.st_size, _LEAST), path

    def _forget(self, path: str) -> None:
        """Delete a file that has no key, unless a request works with it."""
        if path not in self._held.values() and path not in self._used:
            self._delete(path)

    def _delete(self, path: str) -> None:
        """Delete a file and, of an upload, the folder that Gradio made for it."""
        with suppress(OSError):  # where an open file cannot be deleted, it goes later
            os.unlink(path)
            if (folder := os.path.dirname(path)) not in (self._corpora, self.uploads):
                os.rmdir(folder)
