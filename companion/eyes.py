"""Eyes for the table loop: the observer with its deck, kept on the mat by the corner markers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from companion.errors import BadInput
from companion.frames import Frame
from companion.notices import Notice
from companion.rules.catalog import game_named
from companion.rules.core import Setup
from companion.rules.odin.cards import SUITS
from companion.rules.odin.state import State as OdinState
from companion.table import Observed, Quad
from companion.vision import calibrating, decks
from companion.vision.calibrating import Keeper, Plane, State
from companion.vision.cuts import card_cut, grown
from companion.vision.observing import Observer

CHECK_SECONDS = 5.0
"""How often the markers are looked at, while nothing moves."""
TRY_SECONDS = 1.0
"""And how often as long as they have not been found."""
Tell = Callable[[Notice | None], None]


class TableEye:
    def __init__(self, observer: Observer, tell: Tell) -> None:
        self._observer = observer
        self._keeper = Keeper(observer.plane)
        self._tell = tell
        self._check_at = float("-inf")

    def observe(self, frame: Frame) -> Observed:
        seen = self._observer.observe(frame)
        if seen.motion == "still" and not seen.looked and frame.taken_at >= self._check_at:
            self._check_at = frame.taken_at + CHECK_SECONDS
            self._check(frame)
        return seen

    def forget(self) -> None:
        self._observer.forget()

    def crop(self, frame: Frame, quad: Quad) -> bytes:
        corners = grown(self._observer.plane.pixels(np.array(quad)), 0.05)
        done, data = cv2.imencode(".jpg", card_cut(frame.pixels, corners))
        return data.tobytes() if done else b""

    def _check(self, frame: Frame) -> None:
        """Small shifts of the camera are taken in silently, large ones are told."""
        health = self._keeper.check(frame.pixels)
        if health.state is State.RESOLVED:
            self._observer.use(plane=self._keeper.plane)
        elif health.state is State.MOVED:
            try:
                self._keeper.adopt(frame.pixels)
            except BadInput:
                self._tell(Notice("table-moved"))
                return
            self._observer.use(plane=self._keeper.plane)
        self._tell(None)


class Eyes:
    """Makes the eye for a game. `tell` hears what keeps the table from being seen."""

    def __init__(self, folder: Path, tell: Tell) -> None:
        self._folder = folder
        self._tell = tell
        self._try_at = float("-inf")

    def __call__(self, setup: Setup, frame: Frame) -> TableEye | None:
        if frame.taken_at < self._try_at:
            return None
        self._try_at = frame.taken_at + TRY_SECONDS
        try:
            observer = Observer(decks.named(self._deck(setup), self._folder), self._plane(frame))
        except BadInput as unseen:
            self._tell(Notice("table-unseen", (("why", str(unseen)),)))
            return None
        self._tell(None)
        return TableEye(observer, self._tell)

    def _plane(self, frame: Frame) -> Plane:
        """The markers as they are seen now; else what `companion calibrate` found."""
        file = self._folder / "table.json"
        kept = calibrating.load(file) if file.exists() else None
        if kept is not None and kept.size != frame.size:
            kept = None
        if kept is not None and kept.by_hand:
            return kept
        lens = None if kept is None else kept.lens
        try:
            return calibrating.solve(
                calibrating.markers_in(frame.pixels), frame.size, lens, before=kept
            )
        except BadInput:
            if kept is None:
                raise
            return kept

    def _deck(self, setup: Setup) -> str:
        """The owner's own deck of the game's name, if one was enrolled; else the built-in one."""
        own = self._folder / "decks" / f"{setup.game}.deck"
        if own.exists():
            return str(own)
        state = game_named(setup.game).start(setup)
        suits = isinstance(state, OdinState) and any(card.colour in SUITS for card in state.deck)
        return "playing-cards" if suits else setup.game
