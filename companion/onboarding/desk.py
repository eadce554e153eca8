"""Everything set-up works with, on the pictures of the camera that watches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.foundation.frames import Frame
from companion.onboarding.deck_shelf import DeckShelf
from companion.onboarding.enrolment import Enrolment
from companion.onboarding.lens_desk import LensDesk
from companion.onboarding.picture_quality import Gauge, gauges
from companion.onboarding.practice import Practice
from companion.onboarding.table_place import TablePlace

DECKS = "decks"
"""The folder of the owner's decks, inside the data folder."""


class Desk:
    def __init__(
        self,
        folder: Path,
        frame: Callable[[], Frame | None] = lambda: None,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """`changed` is called when the table must be looked at anew."""
        self.frame = frame
        self.place = TablePlace(folder, frame, changed)
        self.lens = LensDesk(frame, self.place)
        self.shelf = DeckShelf(folder / DECKS)
        self.enrolment = Enrolment(self.shelf, frame, self.place.plane, changed)
        self.practice = Practice(folder / DECKS, frame, self.place.plane)

    def close(self) -> None:
        """Ends what still computes; nothing is half done."""
        self.enrolment.close()

    def gauges(self) -> tuple[Gauge, ...]:
        """How good the picture is; nothing without one."""
        frame = self.frame()
        return () if frame is None else gauges(frame, self.place.plane(frame))
