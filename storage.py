"""Keeps a metric consistent between `add` and `compute`, even when a call fails.

evaluate writes before it checks, drops its sentences when a computation fails, takes a file for
complete even if the process that wrote it died, and is not thread-safe. Here, a call that fails
leaves the metric as it was before, and threads that share a metric take turns.

Texts are stored only if they have to wait for others, of a later call or another process. If
`compute` gets all of them, it scores them as they are: evaluate takes longer to write, read and
fingerprint a file than one sentence takes to score.
"""

import contextlib
import errno
import os
import threading

import pyarrow as pa
from datasets import Dataset
from datasets.utils.py_utils import temp_seed
from filelock import FileLock, Timeout

from .inputs import tables
from .options import Options
from .scores import scoring


class Storage:
    """Mixin for a metric that has a `_metric`; list it before `evaluate.Metric`."""

    # evaluate maps its files into memory and then removes them, which Windows does not allow.
    _copies_files = os.name == "nt"

    def __init__(self, *args, **kwargs):
        self._lock = threading.RLock()
        super().__init__(*args, **kwargs)

    def __getstate__(self):
        return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state):
        vars(self).update(state, _lock=threading.RLock())

    def compute(self, *, predictions=None, references=None, **kwargs):
        """Score the given sentences together with those added before, and forget them all."""
        if "sources" in kwargs and kwargs["sources"] is None:
            del kwargs["sources"]
        if predictions is not None or references is not None or "sources" in kwargs:
            self._check_sources(kwargs.get("sources"))
        options = {"predictions": predictions, "references": references, **kwargs}
        inputs = {name: options.pop(name, None) for name in self._feature_names()}
        Options.of(self._metric, options, seed=int(self.seed))
        with self._undone_if_it_fails():
            is_alone = self.writer is None and self.num_process == 1
            if is_alone and all(texts is not None for texts in inputs.values()):
                with temp_seed(self.seed):  # as in evaluate
                    return self._compute(**inputs, **options)
            result = super().compute(predictions=predictions, references=references, **kwargs)
            self.file_paths = self.filelocks = None  # the next file there may be another metric's
            return result

    def add_batch(self, *, predictions=None, references=None, **kwargs):
        """Add sentences to those that `compute` will score."""
        inputs = self._inputs({"predictions": predictions, "references": references, **kwargs})
        checked = tables(**inputs)
        with self._undone_if_it_fails():
            writer = self._open_writer()
            writer.write_rows_on_file()
            for table in checked:
                writer.write_table(table)

    def add(self, *, prediction=None, reference=None, **kwargs):
        """Add one sentence to those that `compute` will score."""
        inputs = {"predictions": prediction, "references": reference}
        for name, value in inputs.items():
            if value is not None and name in kwargs:
                raise TypeError(f"got both {name[:-1]} and {name}; give one of them")
        inputs = self._inputs(inputs | kwargs)
        (checked,) = tables(**{name: [value] for name, value in inputs.items()})
        with self._undone_if_it_fails():
            self._open_writer().write_row(checked)

    def _inputs(self, given):
        names = self._feature_names()
        for name in given:
            if name not in (*names, "sources"):
                raise TypeError(f"there is no input {name!r}; the inputs are {', '.join(names)}")
        self._check_sources(given.get("sources"))
        return {name: given.get(name) for name in names}

    def _check_sources(self, sources):
        scoring(Options(self._metric)).check_sources(sources)

    def _open_writer(self):
        if self.writer is None:
            # A reference given as a string is kept as a list of one.
            self.selected_feature_format = self.features[0]
            self._init_writer()
        return self.writer

    @contextlib.contextmanager
    def _undone_if_it_fails(self):
        with self._lock:
            # evaluate's writer buffers sentences that `add` gave it, and counts them.
            held_back = [] if self.writer is None else list(self.writer.current_rows)
            n_written = len(self) - len(held_back)
            try:
                yield
                if self.writer is not None and self.buf_writer is None:
                    self.writer.stream.flush()
            except BaseException as error:
                n_lost = self._restore(n_written, held_back)
                if getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT):
                    lost = f"; {n_lost:,} sentences added before are lost" if n_lost else ""
                    raise OSError(
                        error.errno,
                        f"{os.strerror(error.errno)} in evaluate's cache folder {self.data_dir}; "
                        "make room, or load the metric with another cache_dir or with "
                        f"keep_in_memory=True{lost}",
                    ) from error
                raise

    def _restore(self, n_written, held_back):
        """Restore the sentences of before, written or buffered; return how many are lost."""
        written = None
        if n_written and self.num_process == 1:  # otherwise some belong to other processes
            with contextlib.suppress(OSError):  # the file may have been removed
                written = _read(self.buf_writer, self.file_paths or [self.cache_file_name])
        self._drop()
        if written is not None:
            with contextlib.suppress(OSError):  # the disk may still be full
                self.add_batch(**written.slice(0, n_written).to_pydict())
        if held_back and self.num_process == 1:
            self._open_writer().current_rows.extend(held_back)
        return n_written + len(held_back) - len(self)

    def _drop(self):
        """Forget all sentences and remove their files."""
        if getattr(self, "writer", None) is not None:  # evaluate sometimes deletes the attribute
            with contextlib.suppress(OSError):  # buffered sentences are dropped, too
                self.writer.close()
        paths, locks = self.file_paths, self.filelocks
        if paths is None:
            paths, locks = [self.cache_file_name], [self.filelock]
        self.data = self.writer = self.buf_writer = None
        self.file_paths = self.filelocks = self.cache_file_name = self.filelock = None
        for path, lock in zip(paths, locks, strict=True):
            if path is not None:
                with contextlib.suppress(OSError):  # gone or in use; the error before counts
                    os.remove(path)
                lock.release()
        if self.rendez_vous_lock is not None:
            self.rendez_vous_lock.release()

    def _create_cache_file(self, timeout=1):
        """A file and its lock, which, unlike evaluate's, any thread can release."""
        path, lock = super()._create_cache_file(timeout)
        if self.num_process > 1:  # other processes may be waiting for this very lock
            return path, lock
        lock.release()
        shared = FileLock(f"{path}.lock", thread_local=False)
        try:
            shared.acquire(timeout=0)
        except Timeout:  # another metric was faster
            return self._create_cache_file(timeout)
        return path, shared

    def _finalize(self):
        super()._finalize()
        if self._copies_files and self.file_paths:
            stored = [_read(None, [path]) for path in self.file_paths]
            self.data = Dataset(pa.concat_tables(stored))

    def _get_all_cache_files(self):
        paths, locks = super()._get_all_cache_files()
        for process, path in enumerate(paths):
            if self.num_process > 1 and not _is_whole(path):
                self.file_paths, self.filelocks = paths, locks
                raise ValueError(
                    f"process {process} of {self.num_process} ended before it had written all its "
                    f"sentences ({path} breaks off); run all processes again"
                )
        return paths, locks


# How an Arrow stream ends.
_END = b"\xff\xff\xff\xff\0\0\0\0"


def _is_whole(path):
    with contextlib.suppress(OSError), open(path, "rb") as file:
        file.seek(-len(_END), os.SEEK_END)
        return file.read() == _END
    return False


def _read(memory, paths):
    """The sentences of an Arrow stream, in memory or in a file, as far as it was written."""
    if memory is not None:
        stream = memory.getvalue()
    elif paths[0] is not None:
        with open(paths[0], "rb") as file:
            stream = file.read()
    else:
        return None  # already read and removed
    batches = []
    with pa.ipc.open_stream(stream) as reader:
        with contextlib.suppress(StopIteration, pa.ArrowInvalid, OSError):
            while True:
                batches.append(reader.read_next_batch())
        return pa.Table.from_batches(batches, reader.schema)
