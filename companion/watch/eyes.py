"""Eyes for the table loop: the observer with its deck, kept on the mat by the corner markers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from urllib.parse import quote, unquote

import cv2
import numpy as np

from companion.core.catalog import game_named
from companion.core.game import Setup
from companion.foundation.errors import BadInput
from companion.foundation.files import replace_file
from companion.foundation.frames import Frame, jpeg
from companion.foundation.messages import N_
from companion.foundation.notices import Notice
from companion.ledger.photographs import CardPhotographs
from companion.onboarding.table_files import plane_in
from companion.tabletop.layout import Layout, layout_of
from companion.tabletop.mat import MAT
from companion.tabletop.observations import Motion, Observed, Quad
from companion.vision import decks
from companion.vision.calibrating.monitor import CalibrationMonitor, CalibrationState
from companion.vision.calibration import Plane
from companion.vision.crops import HIGH, MARGIN, WIDE, card_crop, corners, grown, within
from companion.vision.decks import Deck, file_of
from companion.vision.enrolment.card_photographs import with_photographs
from companion.vision.enrolment.deck_making import Sample, learnt, opened
from companion.vision.observing.observer import Observer
from companion.vision.pictures import small_picture
from companion.watch.board_eye import BoardEye
from companion.watch.evidence import ConfirmedLook
from companion.watch.known_boards import KnownBoards
from companion.watch.played_looks import PlayedLooks

log = logging.getLogger(__name__)

CHECK_SECONDS = 5.0
"""How often the markers are looked at, while nothing moves."""
TRY_SECONDS = 1.0
"""And how often as long as they have not been found."""
CROP_ROOM = 0.05
"""How much about a card its picture shows: a share of its side."""
MAT_PX_PER_MM = 1.6
"""Of the picture of the whole mat."""
MOST_LOOKS = 60
"""Learnt pictures a deck has room for: each is looked at when a game begins."""
MOST_LOOKS_OF_ONE_CARD = 6
"""Of these, so that no card crowds the others out."""
Tell = Callable[[Notice | None], None]


def from_above(plane: Plane, frame: Frame) -> bytes:
    """The whole mat from straight above, as JPEG."""
    size = tuple(round(side * MAT_PX_PER_MM) for side in MAT)
    flat = plane.pixels(corners(*MAT).astype(np.float64))
    way = cv2.getPerspectiveTransform(flat.astype(np.float32), corners(*size))
    return jpeg(np.asarray(cv2.warpPerspective(frame.pixels, way, size), np.uint8), size[0], 80)


class TableEye:
    """Looks at the mat. `elsewhere` says whether another eye would see more, such as an owner's
    boards that have come back; it is asked now and then, if something has stirred."""

    def __init__(
        self,
        observer: Observer,
        tell: Tell,
        elsewhere: Callable[[Frame], bool] = lambda _frame: False,
    ) -> None:
        self._observer = observer
        self._keeper = CalibrationMonitor(observer.plane)
        self._tell = tell
        self._elsewhere = elsewhere
        self._stirred = True
        self._check_at = float("-inf")
        self.lost = False

    def observe(self, frame: Frame) -> Observed:
        seen = self._observer.observe(frame)
        self._stirred = self._stirred or seen.motion is not Motion.STILL
        if seen.motion is Motion.STILL and not seen.looked and frame.taken_at >= self._check_at:
            self._check_at = frame.taken_at + CHECK_SECONDS
            self._check(frame)
        return seen

    def again(self, *, everywhere: bool = False) -> None:
        self._observer.again(everywhere=everywhere)

    def forget(self) -> None:
        self._observer.forget()

    @property
    def deck(self) -> Deck:
        """The looks it knows."""
        return self._observer.deck

    def crop(self, frame: Frame, quad: Quad) -> bytes:
        about = grown(self._observer.plane.pixels(np.array(quad)), CROP_ROOM)
        return jpeg(card_crop(frame.pixels, about), WIDE, 95)

    def mat(self, frame: Frame) -> bytes:
        """The whole mat from straight above, as JPEG."""
        return from_above(self._observer.plane, frame)

    def _check(self, frame: Frame) -> None:
        """Small shifts of the camera are taken in silently, large ones are told."""
        if self._stirred:
            self._stirred = False
            self.lost = self._elsewhere(frame)
        health = self._keeper.check(frame.pixels)
        if health.state is CalibrationState.RESOLVED:
            self._observer.use(plane=self._keeper.plane)
        elif health.state is CalibrationState.MOVED:
            try:
                self._keeper.adopt(frame.pixels)
            except BadInput:
                self._tell(Notice("table-moved"))
                return
            self._observer.use(plane=self._keeper.plane)
        self._tell(None)


class Eyes:
    """Makes the eye for a game. `tell` hears what keeps the table from being seen."""

    def __init__(
        self,
        folder: Path,
        tell: Tell,
        frames: Callable[[], Sequence[Frame | None]] | None = None,
        cameras: int = 1,
    ) -> None:
        """`frames` gives the newest picture of each of several cameras."""
        self._folder = folder
        self._frames = frames
        self._tell = tell
        self._try_at = float("-inf")
        self._boards = KnownBoards(folder, cameras)
        self.played = PlayedLooks(folder / "decks", _QUAD)

    def __call__(self, setup: Setup, frame: Frame) -> TableEye | BoardEye | None:
        if frame.taken_at < self._try_at:
            return None
        self._try_at = frame.taken_at + TRY_SECONDS
        try:
            if self._on_boards(setup, frame):
                self._tell(None)
                followers, zones = self._boards.followers(setup), _layout(setup).zones
                return BoardEye(self.deck(setup), zones, followers, self._tell, self._frames)
            plane = self.plane(frame)  # first: a deck takes long to open
            observer = Observer(self.deck(setup), plane)
        except BadInput as unseen:
            code = "boards-unseen" if self._boards.of(setup) else "table-unseen"
            self._tell(Notice(code, (("why", unseen.message),)))
            return None
        self._tell(None)
        return TableEye(observer, self._tell, partial(self._on_boards, setup))

    def _on_boards(self, setup: Setup, frame: Frame) -> bool:
        shown = (frame,) if self._frames is None else self._frames()
        return self._boards.in_view(setup, *shown)

    def above(self, frame: Frame) -> bytes:
        """The mat from straight above where no game is on; empty if the table is not found."""
        try:
            return from_above(self.plane(frame), frame)
        except BadInput:
            return b""

    def plane(self, frame: Frame) -> Plane:
        """The markers as they are seen now; else what was shown at set-up."""
        return plane_in(self._folder, frame)

    def learn(self, setup: Setup, word: str, picture: bytes) -> None:
        """A further look of a card, kept as a picture: another version of the networks learns
        from it as well. Raises `BadInput` if the deck has no such card, or no room."""
        deck = self._enrolled(setup)
        label = self._label(setup, deck, word)
        if label is None:
            raise BadInput(
                "deck-has-no-card",
                N_("The deck %(name)s has no card %(word)s."),
                name=deck.name,
                word=word,
            )
        folder = self._looks_folder(setup)
        have = list(_looks_in(folder))
        mine = [file for name, file in have if name == label]
        if len(mine) >= MOST_LOOKS_OF_ONE_CARD:
            raise BadInput(
                "has-been-learnt-times",
                N_(
                    "%(label)s has been learnt %(count)s times already. Show the card anew: "
                    "Set-up, Your deck"
                ),
                label=label,
                count=len(mine),
            )
        if len(have) >= MOST_LOOKS:
            raise BadInput(
                "deck-has-learnt-looks",
                N_(
                    "The deck has %(count)s learnt looks and no room for more. Show it anew: "
                    "Set-up, Your deck"
                ),
                count=len(have),
            )
        if small_picture(picture, (WIDE, HIGH)) is None:
            raise BadInput("no-picture-card-any", N_("There is no picture of that card any more."))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            free = next(n for n in range(1, 100) if not _look_file(folder, label, n).exists())
            replace_file(_look_file(folder, label, free), picture)
        except OSError as broken:
            raise BadInput(
                "look-cannot-kept",
                N_("The look cannot be kept in %(folder)s (%(why)s)."),
                folder=folder,
                why=broken.strerror,
            ) from None

    def gather(self, setup: Setup, look: ConfirmedLook, picture: bytes) -> None:
        """A look of a card from a play that stood, kept in case its owner wants a deck of them.
        An owner's own deck needs none."""
        name = self.deck_name(setup)
        own = self._folder / "decks"
        if file_of(name, own).parent == own:
            return
        label = self._label(setup, _built_in(name), look.word)
        if label is not None and label in self.cards_of(setup):
            self.played.add(name, label, picture, read=look.read)

    def cards_of(self, setup: Setup) -> tuple[str, ...]:
        """The faces that this game is played with, as its deck calls them; none of a deck with
        pieces of several sizes: one picture does not tell those."""
        name, layout = self.deck_name(setup), _layout(setup)
        deck = _built_in(name)
        mine = name == layout.deck
        faces = [label for label in deck.labels if not label.endswith("back")]
        if len(deck.sizes) > 1:
            return ()
        return tuple(label for label in faces if mine or layout.word_of(label) != label)

    def words_of(self, setup: Setup, labels: Iterable[str]) -> tuple[str, ...]:
        """What the game calls these cards."""
        return tuple(map(_layout(setup).word_of, labels))

    def _label(self, setup: Setup, deck: Deck, word: str) -> str | None:
        """What the deck calls the card that the game calls so."""
        known = _may_have(deck, self.deck_name(setup))
        word_of = _layout(setup).word_of
        return next((each for each in known if word in (each, word_of(each))), None)

    def deck(self, setup: Setup) -> Deck:
        """With what was learnt of it; its labels become the game's words here, and only here."""
        deck, layout = self._enrolled(setup), _layout(setup)
        known = _may_have(deck, self.deck_name(setup))
        # Whatever its owner calls it, it is laid as this game's.
        deck = replace(deck, name=setup.game, lying=layout.lying)
        looks = _samples(self._looks_folder(setup), known)
        named = learnt(deck, looks).renamed(layout.word_of)
        return with_photographs(named, CardPhotographs(setup.game, self._folder).files())

    def _enrolled(self, setup: Setup) -> Deck:
        """The owner's own deck of that name, if one was enrolled; else the built-in one."""
        return opened(self.deck_name(setup), self._folder / "decks")

    def _looks_folder(self, setup: Setup) -> Path:
        return self._folder / "decks" / f"{self.deck_name(setup)}.looks"

    def deck_name(self, setup: Setup) -> str:
        """The deck that a game set up so is played with."""
        layout = _layout(setup)
        return layout.deck_of(game_named(setup.game).start(setup)) or layout.deck


@cache
def _built_in(name: str) -> Deck:
    return decks.named(name)


def _layout(setup: Setup) -> Layout:
    layout = layout_of(setup.game)
    if layout is None:
        raise BadInput(
            "cannot-watched-does-not",
            N_("%(game)s cannot be watched: it does not say how its cards lie."),
            game=setup.game,
        )
    return layout


def _may_have(deck: Deck, name: str) -> tuple[str, ...]:
    """The cards it knows, and those it can only learn from its owner."""
    return tuple(dict.fromkeys((*deck.labels, *decks.UNSEEN.get(name, ()))))


def _look_file(folder: Path, label: str, number: int) -> Path:
    return folder / f"{quote(label, safe='')}~{number}.jpg"


def _looks_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """The pictures of learnt looks, and of which card each is."""
    for file in sorted(folder.glob("*~*.jpg")):
        yield unquote(file.stem.rpartition("~")[0]), file


_QUAD = within(WIDE, HIGH, (1 + 2 * CROP_ROOM) * (1 + 2 * MARGIN))
"""Where the card is in its picture."""


def _samples(folder: Path, labels: tuple[str, ...]) -> Iterator[Sample]:
    for label, file in list(_looks_in(folder))[:MOST_LOOKS]:
        image = small_picture(file.read_bytes(), (WIDE, HIGH))
        if label in labels and image is not None:
            yield Sample(label, image, _QUAD, str(file))
        else:
            log.warning("%s: not a picture of a card of this deck; left out", file)
