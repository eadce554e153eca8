"""Somebody wants to see a question: the next play is asked about, however sure the camera is."""

from __future__ import annotations

import threading
from dataclasses import replace

from companion.deciding.memory import Decision, Limits
from companion.tabletop.readings import Question

UNSURE = 2.0
"""As a bound for being sure: no probability reaches it, so whatever is read is asked."""


class QuestionWish:
    """Made by any thread; the table loop grants it, and then all is as usual again."""

    def __init__(self) -> None:
        self._open = threading.Event()
        self._asked_after: int | None = None

    @property
    def open(self) -> bool:
        return self._open.is_set()

    def make(self) -> None:
        self._open.set()

    def limits(self, usual: Limits, readings: int) -> Limits:
        """By which the loop decides, with that many readings of the table at hand. While the wish
        is open, all of them are offered, however unlikely; of one alone there is no question."""
        grants = self.open and readings > 1
        return replace(usual, sure=UNSURE, worth_asking=0.0) if grants else usual

    def follow(self, decision: Decision, seq: int) -> None:
        """The loop has decided; `seq` is how far the log was then. The wish is granted once the
        question was answered or taken away."""
        asks = isinstance(decision.opinion, Question)
        if self._asked_after is None:
            self._asked_after = seq if self.open and asks else None
        elif seq != self._asked_after or decision.opinion is None:
            self._asked_after = None
            self._open.clear()
