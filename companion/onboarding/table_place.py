"""Where the table is, three ways: markers, four corners shown by hand, cards of known size."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from companion.foundation.errors import BadInput
from companion.foundation.frames import Frame
from companion.foundation.messages import N_, Message
from companion.onboarding.table_files import (
    FILE,
    keep_lens_file,
    keep_place,
    lens_for,
    plane_in,
)
from companion.tabletop.mat import CARD, MAT
from companion.vision import calibration as calibrating
from companion.vision.calibrating.card_plane import plane_from_cards
from companion.vision.calibrating.lens import Lens, Points
from companion.vision.calibration import Plane, Way
from companion.vision.crops import Image, corners
from companion.vision.enrolment.laid_out import cards_in

AREAS_MM = {"mat": MAT, "a4": (297.0, 210.0), "letter": (279.4, 215.9)}
"""What four corners can be those of; anything else is told by its sides."""
CARD_SIZES_MM = {
    "63x88": (63.0, 88.0),
    "57x88": (57.0, 88.0),
    "59x92": (59.0, 92.0),
    "44x68": (44.0, 68.0),
    "70x120": (70.0, 120.0),
}
"""Standard sizes of cards: poker, bridge, European, mini, tarot."""
SAME_SIZE_MM = 1.5
JUST_NOW_SECONDS = 10.0
LEAST_SIDE_MM, MOST_SIDE_MM = 20.0, 3000.0
NO_PICTURE = N_("No picture comes from the camera. Check that it is plugged in.")

Spot = tuple[float, float]
"""A place in the picture, as shares of its width and height."""


@dataclass(frozen=True, slots=True)
class FoundTable:
    """What can be seen of the table in one picture, by one of the ways."""

    outline: tuple[Spot, ...] = ()
    """Of the mat, clockwise from the far left; empty if it was not found."""
    pieces: tuple[tuple[Spot, ...], ...] = ()
    """The markers or cards it was found by."""
    error_mm: float | None = None
    px_per_mm: float = 0.0
    problem: Message | None = None


def plane_by(
    way: Way,
    image: Image,
    shown: Sequence[Spot] = (),
    mm: tuple[float, float] | None = None,
    lens: Lens | None = None,
) -> tuple[Plane, float | None]:
    """The plane of a picture and, by cards, how far off it may be. `shown` are the corners by hand
    as shares of the picture; `mm` is their rectangle's size, or the cards'."""
    size = (image.shape[1], image.shape[0])
    match way:
        case Way.MARKERS:
            return calibrating.solve(calibrating.markers_in(image), size, lens), None
        case Way.CORNERS:
            px = [(x * size[0], y * size[1]) for x, y in shown]
            return calibrating.from_corners(px, size, lens, mm or MAT).seen_in(image), None
        case Way.CARDS:
            found = plane_from_cards(cards_in(image), mm or CARD, size, lens)
            return found.plane.seen_in(image), found.error_mm


def standard_size(size: tuple[float, float]) -> str:
    """The standard size that this is, within what measuring a card is off; empty: none of them."""
    off = {
        key: max(abs(mine - its) for mine, its in zip(size, each, strict=True))
        for key, each in CARD_SIZES_MM.items()
    }
    nearest = min(off, key=off.__getitem__)
    return nearest if off[nearest] <= SAME_SIZE_MM else ""


def checked_size(short: float, long: float) -> tuple[float, float]:
    """Two sides in millimetres; raises `BadInput`."""
    if not all(LEAST_SIDE_MM <= each <= MOST_SIDE_MM for each in (short, long)):
        raise BadInput(
            "side-out-of-range",
            N_("A side must have %(least)s to %(most)s mm."),
            least=round(LEAST_SIDE_MM),
            most=round(MOST_SIDE_MM),
        )
    return short, long


class TablePlace:
    """The three ways on live pictures. Any thread may ask; one picture is looked at at a time."""

    def __init__(
        self,
        folder: Path,
        frame: Callable[[], Frame | None],
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """`changed` is called when the table has another place from now on."""
        self._folder = folder
        self._frame = frame
        self._changed = changed
        self._lock = threading.Lock()
        self._last: tuple[int, Way, tuple[float, float], FoundTable] | None = None
        self._good: tuple[Way, tuple[float, float], Frame] | None = None

    @property
    def kept(self) -> Plane | None:
        """What is kept, whatever the camera shows now."""
        try:
            return calibrating.load(self._folder / FILE)
        except BadInput:
            return None

    @property
    def fits(self) -> bool:
        """Whether what is kept is of pictures such as the camera takes."""
        kept, frame = self.kept, self._frame()
        return kept is not None and (frame is None or kept.size == frame.size)

    @property
    def lens_known(self) -> bool:
        """Whether the lens of the camera that looks now has been measured."""
        frame, kept = self._frame(), self.kept
        size = frame.size if frame is not None else None if kept is None else kept.size
        return size is not None and lens_for(self._folder, size) is not None

    def plane(self, frame: Frame) -> Plane | None:
        """Where the table is in that picture; None if that is not known."""
        try:
            return plane_in(self._folder, frame)
        except BadInput:
            return None

    def look(self, way: Way, card_mm: tuple[float, float] = CARD) -> FoundTable:
        """What is seen now by markers or cards; the same picture is looked at once."""
        frame = self._picture()
        with self._lock:
            last = self._last
            if last is not None and last[:3] == (frame.number, way, card_mm):
                return last[3]
            lens = lens_for(self._folder, frame.size)
            found = _found(way, frame.pixels, card_mm, lens)
            self._last = (frame.number, way, card_mm, found)
            if found.outline:
                self._good = (way, card_mm, frame)
            return found

    def keep(
        self, way: Way, shown: Sequence[Spot] = (), mm: tuple[float, float] | None = None
    ) -> Plane:
        """Found in the newest picture, and watched with from now on; raises `BadInput`."""
        frame = self._picture()
        with self._lock:
            lens = lens_for(self._folder, frame.size)
            try:
                plane, _ = plane_by(way, frame.pixels, shown, mm, lens)
            except BadInput:  # a hand is in the way now: what people saw found a moment ago holds
                plane, _ = plane_by(way, self._just_now(way, mm, frame).pixels, shown, mm, lens)
            keep_place(plane, self._folder)
        self._changed()
        return plane

    def _just_now(self, way: Way, mm: tuple[float, float] | None, frame: Frame) -> Frame:
        """The last picture in which the table was found that way; else the one that is given."""
        good = self._good
        if good is None or good[:2] != (way, mm or CARD):
            return frame
        recent = frame.taken_at - good[2].taken_at <= JUST_NOW_SECONDS
        return good[2] if recent and good[2].size == frame.size else frame

    def keep_lens(self, lens: Lens) -> None:
        """Watched with from now on. A table that was shown by hand keeps its place."""
        with self._lock:
            kept = self.kept
            keep_lens_file(lens, self._folder)
            if kept is not None and kept.by_hand and kept.size == lens.size:
                mat = kept.pixels(corners(*MAT).astype(np.float64))
                bent = calibrating.from_corners([(x, y) for x, y in mat.tolist()], lens.size, lens)
                keep_place(replace(kept, matrix=bent.matrix, lens=lens), self._folder)
        self._changed()

    def _picture(self) -> Frame:
        frame = self._frame()
        if frame is None:
            raise BadInput("no-camera-picture", NO_PICTURE)
        return frame


def _found(way: Way, image: Image, card_mm: tuple[float, float], lens: Lens | None) -> FoundTable:
    size = (image.shape[1], image.shape[0])
    error = None
    if way is Way.CARDS:
        quads = list(cards_in(image))
    else:
        quads = list(calibrating.markers_in(image).values())
    pieces = tuple(_spots(quad, size) for quad in quads)
    try:
        if way is Way.CARDS:
            cards = plane_from_cards(np.array(quads).reshape(-1, 4, 2), card_mm, size, lens)
            plane, error = cards.plane, cards.error_mm
            pieces = tuple(pieces[i] for i in cards.used)
        else:
            plane = calibrating.solve(calibrating.markers_in(image), size, lens)
    except BadInput as bad:
        return FoundTable(pieces=pieces, problem=bad.message)
    return FoundTable(outline_of(plane), pieces, error, plane.px_per_mm)


def outline_of(plane: Plane) -> tuple[Spot, ...]:
    """The mat in the picture."""
    return _spots(plane.pixels(corners(*MAT).astype(np.float64)), plane.size)


def _spots(px: Points, size: tuple[int, int]) -> tuple[Spot, ...]:
    return tuple((round(float(x) / size[0], 4), round(float(y) / size[1], 4)) for x, y in px)
