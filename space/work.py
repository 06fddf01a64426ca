"""Runs what visitors ask for in processes of their own, which can be stopped at any moment.

A process per request costs some milliseconds, and its end stops everything that it does, whatever
that is, and frees its memory. Processes are forked from one that has imported everything; where
the system cannot fork, they start from scratch.
"""

import atexit
import multiprocessing
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ..significance import Progress
from . import limits

_PACKAGE = __package__.partition(".")[0]
_CAN_FORK = "forkserver" in multiprocessing.get_all_start_methods()
_context = multiprocessing.get_context("forkserver" if _CAN_FORK else "spawn")
_PAUSE = 0.25  # seconds between looks at the clock
TOO_LATE = (
    f"this takes longer than {limits.DEADLINE:.0f} seconds; send fewer or shorter texts, or score "
    "on your own computer with the command `green`"
)
LEFT = f"stopped, because nobody has read the answers for {limits.UNHEARD:.0f} seconds"
TOO_LARGE = "this takes too much memory; send fewer or shorter texts, or choose a lower order"
FAILED = "this failed here, and it is not your fault; please report it, with what you sent"


@cache
def start() -> None:
    """Start the process that the others are forked from."""
    if not _CAN_FORK:
        return
    # A new interpreter must find this package by its name, also where it is not installed.
    folder = tempfile.mkdtemp(prefix=f"{_PACKAGE}-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.symlink(Path(__file__).resolve().parents[1], Path(folder, _PACKAGE))
    paths = [folder, os.environ.get("PYTHONPATH")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    _context.set_forkserver_preload([f"{__package__}.warm"])
    from multiprocessing import forkserver

    forkserver.ensure_running()


def run(
    function: Callable[..., Any],
    *given: Any,
    show: Callable[[int, int], Any] | None = None,
    has_left: Callable[[], bool] = lambda: False,
    **named: Any,
) -> Any:
    """Call a function in a process of its own, and stop it when it is late or nobody waits.

    With `show`, the function gets the argument `progress`, and `show` is told how many of its work
    units are done. Errors of the function that are for visitors are raised here.
    """
    start()
    receiver, sender = _context.Pipe(duplex=False)
    how = (function, given, named, show is not None)
    worker = _context.Process(target=_work, args=(sender, *how), daemon=True)
    try:
        worker.start()
        sender.close()
        return _answer(receiver, show, has_left)
    except RecursionError:  # in sending it
        raise ValueError("this is nested too deeply") from None
    except (EOFError, OSError):
        raise ValueError(FAILED) from None
    finally:
        if worker.pid is not None:
            worker.kill()
            worker.join()
        for connection in (sender, receiver):
            connection.close()


def _answer(
    receiver: Connection, show: Callable[[int, int], Any] | None, has_left: Callable[[], bool]
) -> Any:
    """Wait for what a process sends."""
    end = time.monotonic() + limits.DEADLINE
    while True:
        if receiver.poll(_PAUSE):
            kind, *value = receiver.recv()
            if kind == "answer":
                return value[0]
            if kind == "error":
                raise ValueError(value[0])
            show(*value)
        if time.monotonic() > end:
            raise ValueError(TOO_LATE)
        if has_left():
            raise ValueError(LEFT)


def _work(sender: Connection, function: Callable, given: tuple, named: dict, shows: bool) -> None:
    """What the process does."""
    _bound_memory()
    if shows:
        named["progress"] = _told(sender)
    try:
        sender.send(("answer", function(*given, **named)))
    except MemoryError:
        sender.send(("error", TOO_LARGE))
    except (TypeError, ValueError) as error:
        sender.send(("error", str(error)))


def _bound_memory() -> None:
    # Windows has no such limits, and elsewhere a lower one may be in force.
    with suppress(ImportError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (limits.MOST_MEMORY, limits.MOST_MEMORY))


def _told(sender: Connection) -> Progress:
    """Progress that is told to the visitor's page, a few times per second."""

    def tell(parts: Iterable, n_parts: int) -> Iterable:
        last = 0.0
        for done, part in enumerate(parts, 1):
            yield part
            if time.monotonic() > last + _PAUSE:
                last = time.monotonic()
                sender.send(("progress", done, n_parts))

    return tell
