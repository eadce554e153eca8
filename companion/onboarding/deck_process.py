"""What the process does that decks are made in. The libraries are loaded in there."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.vision.enrolment.deck_training import ShownCard

NICE = 3
"""How far it gives way to the page and the table: they are answered at once, and it still gets
half of a core that it shares."""


def work(pipe: Connection) -> None:
    """Takes an order from the pipe; gives back how far it is, and at last the deck or why not."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with the companion, not before it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(OSError):
        os.nice(NICE)

    import cv2

    from companion.foundation.errors import BadInput
    from companion.onboarding.deck_workshop import deck_of

    cv2.setNumThreads(1)
    order = pipe.recv()

    def counted(shown: Sequence[ShownCard]) -> Iterable[ShownCard]:
        for at, each in enumerate(shown):
            pipe.send((at, len(shown)))
            yield each
        pipe.send((len(shown), len(shown)))

    try:
        pipe.send(deck_of(order.name, order.fresh, order.before, order.instead_of, counted))
    except BadInput as bad:
        pipe.send(bad)


def _end_with_parent() -> None:
    """A companion that was killed leaves nobody computing for it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
