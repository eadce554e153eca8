"""The eye behind a phone: one picture after the other, each by itself."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2

from companion.core.game import Setup
from companion.core.notation import Seat
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.scanning.scanner import ScannedView, Subject
from companion.tabletop.layout import layout_of
from companion.vision.boards.finding import BoardFinder
from companion.vision.boards.kept import boards_file
from companion.vision.boards.kept import load as load_boards
from companion.vision.crops import Image
from companion.vision.decks import Deck
from companion.vision.pictures import phone_picture
from companion.vision.scanning.hands import look_at_hands
from companion.vision.scanning.places import views_on_boards, views_on_mat
from companion.watch.eyes import Eyes

SIDE_PX = 1600
"""The longest side in which a picture is read: phones shrink it to this themselves."""
BLANK = 4.0
"""A picture whose brightness varies by less shows nothing."""


class PhoneEye:
    """Knows the owner's decks and boards in the data folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._eyes = Eyes(folder, lambda _notice: None)
        self._opened: tuple[tuple[str, str, int], Deck] | None = None

    def look(
        self, setup: Setup, data: bytes, name: str, subject: Subject
    ) -> tuple[ScannedView, ...]:
        """What one picture shows of that game. Of boards that look alike it shows the subject's.
        Raises `BadInput` in words for its sender."""
        picture = phone_picture(data, name, SIDE_PX)
        _check_light(picture)
        deck = self._deck(setup)
        if not subject.on_places:
            return (ScannedView(tuple(look_at_hands(picture, deck))),)
        views = self._on_places(setup, picture, deck, subject.seat)
        if not views:
            raise BadInput(
                "no-board-in-picture",
                N_(
                    "None of your boards is in the picture, nor the mat with its four markers. "
                    "Take it again with the whole board in view."
                ),
            )
        return tuple(views)

    def warm(self, setup: Setup) -> None:
        """Opens the deck and the boards beforehand: that takes a moment, and only once."""
        self._deck(setup)
        self._finder(setup)

    def _deck(self, setup: Setup) -> Deck:
        decks = self._folder / "decks"
        changed = decks.stat().st_mtime_ns if decks.exists() else 0
        name = (setup.game, self._eyes.deck_name(setup), changed)
        if self._opened is None or self._opened[0] != name:
            self._opened = (name, self._eyes.deck(setup))
        return self._opened[1]

    def _finder(self, setup: Setup) -> BoardFinder | None:
        file = boards_file(self._folder, setup.game)
        return _finder(file, file.stat().st_mtime_ns) if file.exists() else None

    def _on_places(
        self, setup: Setup, picture: Image, deck: Deck, seat: Seat | None
    ) -> list[ScannedView]:
        finder, owner = self._finder(setup), "" if seat is None else str(seat)
        if finder is not None and (views := views_on_boards(picture, finder, deck, owner)):
            return views
        layout = layout_of(setup.game)
        return [] if layout is None else views_on_mat(picture, layout.zones, deck)


def _check_light(picture: Image) -> None:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    if float(grey.std()) < BLANK:
        raise BadInput(
            "picture-blank",
            N_("The picture is blank: too dark, too bright, or something covers the lens."),
        )


@lru_cache(maxsize=2)
def _finder(file: Path, _changed_at: int) -> BoardFinder:
    """Looking at the prints takes a moment: kept as long as the file is."""
    return BoardFinder(load_boards(file).boards)
