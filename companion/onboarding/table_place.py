"""Where the table is, three ways: markers, four corners shown by hand, cards of known size."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.foundation.errors import BadInput
from companion.foundation.frames import Frame
from companion.foundation.messages import N_, Message
from companion.foundation.ownership import keep
from companion.tabletop.mat import CARD, MAT
from companion.vision import calibration as calibrating
from companion.vision.calibrating.card_plane import plane_from_cards
from companion.vision.calibration import Lens, Plane, Points, Way
from companion.vision.crops import Image, corners
from companion.vision.enrolment.laid_out import cards_in

FILE = "table.json"
"""In the data folder: where the table was found."""
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


def plane_now(kept: Plane | None, frame: Frame) -> Plane:
    """Where the table is in a picture: what was shown by hand; else the markers as they are seen
    now, else as they were seen before. Raises `BadInput` if there is nothing to go by."""
    if kept is not None and kept.size != frame.size:
        kept = None
    if kept is not None and kept.by_hand:
        return kept
    lens = None if kept is None else kept.lens
    try:
        seen = calibrating.markers_in(frame.pixels)
        return calibrating.solve(seen, frame.size, lens, before=kept)
    except BadInput:
        if kept is None:
            raise
        return kept


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

    def plane(self, frame: Frame) -> Plane | None:
        """Where the table is in that picture; None if that is not known."""
        try:
            return plane_now(self.kept, frame)
        except BadInput:
            return None

    def look(self, way: Way, card_mm: tuple[float, float] = CARD) -> FoundTable:
        """What is seen now by markers or cards; the same picture is looked at once."""
        frame = self._picture()
        with self._lock:
            last = self._last
            if last is not None and last[:3] == (frame.number, way, card_mm):
                return last[3]
            found = _found(way, frame.pixels, card_mm)
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
            kept = self.kept
            lens = None if kept is None or kept.size != frame.size else kept.lens
            try:
                plane, _ = plane_by(way, frame.pixels, shown, mm, lens)
            except BadInput:  # a hand is in the way now: what people saw found a moment ago holds
                plane, _ = plane_by(way, self._just_now(way, mm, frame).pixels, shown, mm, lens)
            save_plane(plane, self._folder)
        self._changed()
        return plane

    def _just_now(self, way: Way, mm: tuple[float, float] | None, frame: Frame) -> Frame:
        """The last picture in which the table was found that way; else the one that is given."""
        good = self._good
        if good is None or good[:2] != (way, mm or CARD):
            return frame
        recent = frame.taken_at - good[2].taken_at <= JUST_NOW_SECONDS
        return good[2] if recent and good[2].size == frame.size else frame

    def forget(self) -> None:
        """Another camera: what was found by hand is not where the table is now."""
        (self._folder / FILE).unlink(missing_ok=True)

    def _picture(self) -> Frame:
        frame = self._frame()
        if frame is None:
            raise BadInput("no-camera-picture", NO_PICTURE)
        return frame


def save_plane(plane: Plane, folder: Path, to: Path | None = None) -> Path:
    """In the data folder, or in the file `to`; where it is then."""
    file = to or folder / FILE
    keep(file, folder, plane.save)
    return file


def _found(way: Way, image: Image, card_mm: tuple[float, float]) -> FoundTable:
    size = (image.shape[1], image.shape[0])
    error = None
    if way is Way.CARDS:
        quads = list(cards_in(image))
    else:
        quads = list(calibrating.markers_in(image).values())
    pieces = tuple(_spots(quad, size) for quad in quads)
    try:
        if way is Way.CARDS:
            cards = plane_from_cards(np.array(quads).reshape(-1, 4, 2), card_mm, size)
            plane, error = cards.plane, cards.error_mm
            pieces = tuple(pieces[i] for i in cards.used)
        else:
            plane = calibrating.solve(calibrating.markers_in(image), size)
    except BadInput as bad:
        return FoundTable(pieces=pieces, problem=bad.message)
    return FoundTable(outline_of(plane), pieces, error, plane.px_per_mm)


def outline_of(plane: Plane) -> tuple[Spot, ...]:
    """The mat in the picture."""
    return _spots(plane.pixels(corners(*MAT).astype(np.float64)), plane.size)


def _spots(px: Points, size: tuple[int, int]) -> tuple[Spot, ...]:
    return tuple((round(float(x) / size[0], 4), round(float(y) / size[1], 4)) for x, y in px)
