"""An eye for tables with an owner's own boards: it follows them, and reads the mosaic of them as
the other eye reads the mat."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.foundation.frames import Frame, jpeg
from companion.foundation.notices import Notice
from companion.tabletop.alike_boards import AlikeBoard
from companion.tabletop.observations import Motion, Observed, Quad, Sighting
from companion.tabletop.zones import Outline
from companion.vision.boards.bare import BareBoards
from companion.vision.boards.board import straightened
from companion.vision.boards.following import BoardFollower
from companion.vision.boards.mosaic import Mosaic
from companion.vision.boards.place_tokens import PlaceTokens
from companion.vision.boards.plane import FoundBoard
from companion.vision.crops import WIDE, card_crop, grown
from companion.vision.decks import Deck
from companion.vision.observing.observer import Observation, Observer
from companion.watch.board_view import BoardView, best_views, median_scale, whole_motion

CROP_ROOM = 0.05
"""How much about a card its picture shows: a share of its side."""
SETTLED = 4
"""Pictures after which the reader of a mosaic believes that it is still."""
REFRESHED = (10, 100)
"""A still table is taken into the mosaic again after so many pictures, and whenever so many more
have passed: light changes too slowly to be noticed from one picture to the next."""
LOST_SECONDS = 2.0
"""So long a still table shows none of the boards before they count as gone."""
WHOSE_PX = 480
"""The width of the picture of a board that people are asked about."""
Tell = Callable[[Notice | None], None]


class BoardEye:
    """Has a view through each camera; at least one of them shows a board. `frames` gives the newest
    picture of each, None where a camera is away; without it there is one camera. `tell` hears of
    boards that only people can tell apart."""

    def __init__(
        self,
        deck: Deck,
        zones: Mapping[str, Outline],
        followers: Sequence[BoardFollower],
        tell: Tell = lambda _notice: None,
        frames: Callable[[], Sequence[Frame | None]] | None = None,
    ) -> None:
        self._views = [BoardView(each) for each in followers]
        self._frames = frames
        self._tell = tell
        self._answers: deque[tuple[int, str]] = deque()
        self._alike: tuple[AlikeBoard, ...] = ()
        self._gone_since: float | None = None
        self.lost = False
        in_view = [each for view in self._views for each in view.in_view]
        self._mosaic = Mosaic.of(followers[0].boards, zones, median_scale(in_view))
        self._observer = Observer(deck, self._mosaic.plane)
        self._picture = self._mosaic.bare()
        self._bare = BareBoards(self._mosaic)
        self._tokens = PlaceTokens(self._mosaic.zones, deck, self._mosaic.plane)
        self._lying: tuple[Sighting, ...] = ()
        self._seen: Observation | None = None
        self._still = -1
        self._fresh = True
        self._unread = True

    @property
    def zones(self) -> Mapping[str, Outline]:
        """Where the places of its boards are, in the mosaic's millimetres."""
        return self._mosaic.zones

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of what it shows, in millimetres."""
        return self._mosaic.extent

    def spot(self, board: str, at: tuple[float, float]) -> tuple[float, float] | None:
        """Where in what it shows that spot of a board is, both in millimetres; None if it knows
        no such board."""
        tile = next((each for each in self._mosaic.tiles if each.board.name == board), None)
        if tile is None:
            return None
        x, y, _ = tile.matrix @ (*at, 1.0)
        return float(x), float(y)

    @property
    def deck(self) -> Deck:
        return self._observer.deck

    def observe(self, frame: Frame) -> Observed:
        """Only a still table is read; so that a pushed board is found before anything on it is."""
        shown = (frame,) if self._frames is None else self._frames()
        motion = whole_motion([v.step(f) for v, f in zip(self._views, shown, strict=True)])
        if motion is not Motion.STILL:
            self._still = -1
            if self._seen is not None:
                return self._unchanged(frame, motion)
            return Observation(frame.number, frame.taken_at, motion, (), looked=False)
        self._still += 1
        self._follow(frame)
        first, then = REFRESHED
        if self._still in (0, first) or self._still % then == 0 or self._fresh:
            self._taken_in()
            self._unread = True
        if not self._unread and self._seen is not None:
            return self._unchanged(frame, motion)
        seen = self._read(Frame(self._picture, frame.taken_at, frame.number))
        self._unread = seen.motion is not Motion.STILL  # it waits to see that no hand is there
        if seen.looked:
            for view in self._views:
                view.gate.settle()
            real = self._bare.without_print(self._picture, seen.sightings)
            self._lying = (*real, *self._tokens.overlooked(self._picture, self._bare, real))
        self._seen = replace(seen, sightings=self._lying)
        return self._seen

    def _unchanged(self, frame: Frame, motion: Motion) -> Observed:
        """What was seen last still counts."""
        assert self._seen is not None  # noqa: S101 - just looked
        return replace(
            self._seen, number=frame.number, taken_at=frame.taken_at, motion=motion,
            looked=False, part=None,
        )  # fmt: skip

    def alike(self) -> tuple[AlikeBoard, ...]:
        """Boards in view that people have to name."""
        return self._alike

    def name_board(self, number: int, name: str) -> None:
        """Any thread may say so; it counts from the next picture on."""
        self._answers.append((number, name))

    def _follow(self, frame: Frame) -> None:
        """Where the boards are now, and whose each is."""
        asked = self._alike
        while self._answers:
            number, name = self._answers.popleft()
            self._fresh = self._named(number, name) or self._fresh
        if self._still == 0:
            for view in self._views:
                view.follow()
        if self._still == 0 or self._fresh:
            self._alike = tuple(self._asked())
        if self._alike or asked:
            self._tell(Notice("boards-alike") if self._alike else None)
        if any(view.in_view for view in self._views):
            self._gone_since = None
        elif self._gone_since is None:
            self._gone_since = frame.taken_at
        else:
            self.lost = frame.taken_at - self._gone_since >= LOST_SECONDS

    def _nameless(self) -> list[tuple[BoardView, int, FoundBoard]]:
        """In all views, with their numbers there."""
        return [
            (view, number, each)
            for view in self._views
            for number, each in enumerate(view.follower.nameless)
        ]

    def _named(self, number: int, name: str) -> bool:
        every = self._nameless()
        if not 0 <= number < len(every):
            return False
        view, its, _ = every[number]
        return view.follower.name(its, name)

    def _asked(self) -> Iterator[AlikeBoard]:
        for number, (view, _, found) in enumerate(self._nameless()):
            if view.frame is not None:
                flat = straightened(view.frame.pixels, found.quad, found.board.print_px)
                mine = view.follower.candidates(found)
                names = tuple((each.name, each.owner) for each in mine)
                yield AlikeBoard(number, jpeg(flat, WHOSE_PX, 85), names)

    def _read(self, shown: Frame) -> Observation:
        """The camera's picture is known to be still: nothing is waited for again."""
        seen = self._observer.observe(shown)
        for _ in range(SETTLED):
            if seen.motion is Motion.STILL:
                break
            seen = self._observer.observe(shown)
        return seen

    def _taken_in(self) -> None:
        """Each board as the camera shows it that sees it best."""
        picture = self._picture.copy()
        for view, mine in best_views(self._views):
            self._mosaic.show(picture, view.pixels, mine)
        self._picture, self._fresh = picture, False

    def again(self, *, everywhere: bool = False) -> None:
        self._observer.again(everywhere=everywhere)
        self._fresh = True

    def forget(self) -> None:
        self._observer.forget()
        self._seen, self._lying, self._fresh = None, (), True

    def crop(self, _frame: Frame, quad: Quad) -> bytes:
        about = grown(self._mosaic.plane.pixels(np.array(quad)), CROP_ROOM)
        return jpeg(card_crop(self._picture, about), WIDE, 95)

    def mat(self, _frame: Frame) -> bytes:
        """All boards from straight above, as JPEG."""
        return jpeg(self._picture, self._picture.shape[1], 80)
