"""Trying it: lay any card, and the box says what it is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.foundation.errors import BadInput
from companion.foundation.frames import Frame
from companion.onboarding.table_place import NO_PICTURE, Spot
from companion.tabletop.observations import Sighting
from companion.vision.calibration import Plane, is_marker
from companion.vision.decks import Deck
from companion.vision.enrolment.deck_making import opened
from companion.vision.look import look

SURE = 0.5
"""What is less probable is said to be unknown."""


@dataclass(frozen=True, slots=True)
class PractisedCard:
    label: str
    """Empty: it lies there, but nobody could say what it is."""
    p: float
    outline: tuple[Spot, ...]


class Practice:
    def __init__(
        self,
        folder: Path,
        frame: Callable[[], Frame | None],
        plane: Callable[[Frame], Plane | None] = lambda _frame: None,
    ) -> None:
        """`folder` is where the owner's decks lie."""
        self._folder = folder
        self._frame = frame
        self._plane = plane
        self._lock = threading.Lock()
        self._deck: tuple[str, float, Deck] | None = None
        self._last: tuple[int, str, tuple[PractisedCard, ...]] | None = None

    def lying(self, deck: str) -> tuple[PractisedCard, ...]:
        """The cards that lie there, read with that deck; the same picture is read once."""
        frame = self._frame()
        if frame is None:
            raise BadInput("no-camera-picture", NO_PICTURE)
        with self._lock:
            if self._last is not None and self._last[:2] == (frame.number, deck):
                return self._last[2]
            cards = self._read(frame, self._opened(deck))
            self._last = (frame.number, deck, cards)
            return cards

    def _opened(self, name: str) -> Deck:
        changed = max((each.stat().st_mtime for each in self._folder.glob("*.deck")), default=0.0)
        if self._deck is None or self._deck[:2] != (name, changed):
            self._deck = (name, changed, opened(name, self._folder))
        return self._deck[2]

    def _read(self, frame: Frame, deck: Deck) -> tuple[PractisedCard, ...]:
        plane = self._plane(frame)
        seen = look(frame.pixels, deck, plane=plane)
        wide, high = frame.size
        out = []
        for each in seen:
            if each.kind != "card" or _is_marker(each, plane):
                continue
            outline = tuple((round(x / wide, 4), round(y / high, 4)) for x, y in each.quad)
            known = each.label is not None and each.p >= SURE
            out.append(PractisedCard(str(each.label) if known else "", round(each.p, 3), outline))
        return tuple(out)


def _is_marker(seen: Sighting, plane: Plane | None) -> bool:
    """A marker of the mat looks much like a card."""
    return plane is not None and is_marker(plane.table(np.array([seen.middle]))[0])
