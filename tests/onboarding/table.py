"""A painted table before a camera that can be pulled out, for whoever sets a box up on it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from functools import cache

from companion.foundation.frames import Frame, jpeg
from companion.sim.steps import Lying
from companion.sim.virtual_table import LAID_COLUMNS_MM, LAID_ROWS_MM, Painter, ViewSettings
from companion.tabletop.layout import PLAYING_CARDS
from companion.vision.crops import Image

SIZE = (1280, 720)
SEED = 5
WORDS = ("7H", "KS", "2C", "9D", "QH", "AS", "4D", "TC", "JS", "3H", "8C", "6S")
"""Cards of the painted deck."""


@cache
def painter() -> Painter:
    return Painter(PLAYING_CARDS, ViewSettings(SIZE, seed=SEED))


def painted(*faces: str) -> Image:
    """Cards side by side in rows, in this order."""
    spots = [(x, y) for y in LAID_ROWS_MM for x in LAID_COLUMNS_MM]
    table = tuple(Lying(f, f, *spot) for f, spot in zip(faces, spots, strict=False))
    return painter().still(table)


def photograph(face: str) -> bytes:
    """One card on a table, as a phone takes it."""
    return jpeg(painted(face), SIZE[0], 90)


@dataclass
class PaintedCamera:
    """What it sees can be changed; unplugged, nothing comes from it."""

    image: Image | None = None
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _frame: Frame | None = None

    def lay(self, *faces: str) -> None:
        self.show(painted(*faces))

    def show(self, image: Image) -> None:
        number = next(self._numbers)
        self._frame = Frame(image, float(number), number)

    def unplug(self) -> None:
        self._frame = None

    def __call__(self) -> Frame | None:
        return self._frame
