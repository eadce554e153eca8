"""Makes decks in a process of its own. Learning takes seconds of a core: beside it the page answers
at once and the table is watched as before. Whatever ends that process, or the companion, a deck is
there as a whole or not at all."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from companion.foundation.blas import one_thread_each
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.onboarding.deck_process import work
from companion.vision.decks import Deck, Picture
from companion.vision.enrolment.deck_making import Enrolled, enrolled
from companion.vision.enrolment.deck_training import Progress

LEAVE_SECONDS = 5.0
"""So long a process that was told to end is waited for."""


def deck_of(
    name: str,
    fresh: Sequence[Picture],
    before: Deck | None = None,
    instead_of: Collection[str] = (),
    progress: Progress = iter,
) -> Enrolled:
    """The deck made anew; or, of one that is there, with these pictures besides those it has. What
    it has of the cards `instead_of` is left out."""
    if before is None:
        return enrolled(name, fresh, "", progress)
    base = before.base if before.eyes else name  # a built-in deck is added to as it is
    kept = [each for each in before.pictures if each.label not in instead_of]
    return enrolled(name, [*kept, *fresh], base, progress)


@dataclass(frozen=True, slots=True)
class DeckOrder:
    """What `deck_of` is to make."""

    name: str
    fresh: tuple[Picture, ...]
    before: Deck | None = None
    instead_of: frozenset[str] = frozenset()


class DeckWorkshop:
    """One deck at a time. Any thread may close it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None

    def make(self, order: DeckOrder, learnt: Callable[[int, int], None]) -> Enrolled:
        """Waits until it is made; `learnt` is told how many pictures were learnt, of how many.
        Raises `BadInput` if it cannot be made, or the process was ended."""
        one_thread_each()
        spawned = multiprocessing.get_context("spawn")
        here, there = spawned.Pipe()
        with here:
            with self._lock, there:
                self._process = spawned.Process(
                    target=work, args=(there,), name="deck workshop", daemon=True
                )
                self._process.start()
            try:
                here.send(order)
                return _result(here, learnt)
            except (EOFError, ConnectionError):
                raise BadInput(
                    "deck-making-ended",
                    N_("The deck was not finished. What was shown is kept; try it again."),
                ) from None
            finally:
                self.close()

    def close(self) -> None:
        """Ends what is going on."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join(LEAVE_SECONDS)
            process.close()


def _result(pipe: Connection, learnt: Callable[[int, int], None]) -> Enrolled:
    while True:
        told = pipe.recv()
        if isinstance(told, Enrolled):
            return told
        if isinstance(told, BadInput):
            raise told
        learnt(*told)
