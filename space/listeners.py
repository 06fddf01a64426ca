"""Knows whether somebody waits for the answer to a request.

Gradio knows that a connection has ended. A program may also post a request and never ask for the
answer: then nobody reads the messages about it, from the moment it was posted.
"""

import threading
import time

from gradio.context import LocalContext
from gradio.queueing import Event, Queue

from . import limits

_PAUSE = 0.5  # seconds between looks at the messages


def watch(queue: Queue) -> None:
    """Note from now on when each request's messages were last read, also while it waits."""

    def look() -> None:
        while not queue.stopped:
            for event in [*queue.event_ids_to_events.values()]:
                _listen(queue, event)
            time.sleep(_PAUSE)

    threading.Thread(target=look, daemon=True).start()


def _listen(queue: Queue, event: Event) -> None:
    messages = queue.pending_messages_per_session.get(event.session_hash)
    if messages is not None and messages.empty():
        event.last_heard = time.monotonic()


def _of_thread(queue: Queue) -> Event | None:
    """The request that this thread is about; None for a direct call, in a test."""
    return queue.event_ids_to_events.get(LocalContext.event_id.get(None))


def has_left(queue: Queue) -> bool:
    """Whether nobody waits for the answer to the request that this thread is about."""
    event = _of_thread(queue)
    if event is None:
        return False
    if not event.alive or event.session_hash not in queue.pending_messages_per_session:
        return True
    last_heard = getattr(event, "last_heard", event.enqueue_time)
    return time.monotonic() > last_heard + limits.UNHEARD


def was_heard(queue: Queue) -> bool:
    """Whether anybody has read a message about it."""
    event = _of_thread(queue)
    if event is not None:
        _listen(queue, event)
    return event is None or (event.alive and hasattr(event, "last_heard"))
