"""The virtual table: plays a script before a camera that takes ten pictures a second.

A table that lies still is painted once; each further picture of it costs only its noise. An arm
and what it carries are painted over that, and only that part is lit again.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

import cv2
import numpy as np

from companion.core.game import Setup
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.sim.boards import APART, BoardsOnTable
from companion.sim.faces import drawn_decks, playing
from companion.sim.faces.canvas import Face, Image, Shape, raster
from companion.sim.render import surfaces, tables
from companion.sim.render.crops import DrawnFace, drawn
from companion.sim.render.dice import everyday_style, sprite
from companion.sim.render.lamp import Box, SceneLamp
from companion.sim.render.reach import Arm, Stage, held, stages
from companion.sim.render.scene import CardOn, DieOn, Light, Points, RenderCamera, Thing, Truth, lay
from companion.sim.steps import Lying, Script, Step
from companion.tabletop.layout import PLAYING_CARDS
from companion.tabletop.mat import MARKER, MARKER_BORDER, MARKER_DICTIONARY, MARKERS, MAT
from companion.vision.crops import corners

FPS = 10.0
"""Pictures a second."""
LIGHTS: Mapping[str, Light] = MappingProxyType({"good": tables.GOOD, "hard": tables.HARD})
_MARGIN_MM = 190.0
"""How much of the table is painted about the mat: as much as a camera may see."""
_KEPT = 3
"""Painted tables that are remembered, beside the bare one."""

LAID_COLUMNS_MM = (140.0, 297.0, 454.0)
"""Where cards are laid to be learnt: ..."""
LAID_ROWS_MM = (82.0, 210.0, 338.0)
"""... nine of them, clear of the markers."""

GoOn = Callable[[Step, float], bool]
"""Whether the next step may begin. Asked at each picture after a step, with the seconds since."""


@dataclass(frozen=True, slots=True)
class ViewSettings:
    """What camera, lamp and mat the virtual table has."""

    size: tuple[int, int] = (1280, 720)
    light: str = "good"
    seed: int = 0
    mat: tuple[Shape, ...] = ()
    """What is printed on the mat; if nothing, four markers lie on a bare table."""
    bumps: float = 0.0
    """How often somebody knocks against the table between two steps."""
    speed: float = 1.0
    """How much faster than people the game is played."""
    boards: BoardsOnTable | None = None
    """Boards that lie there in place of mat and markers."""
    pushes: float = 0.0
    """How often somebody pushes a board between two steps."""


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One picture, and what is true of it."""

    image: Image
    at: float
    """Seconds since the camera was switched on."""
    table: tuple[Lying, ...]
    hand: bool = False
    """An arm is in the way, or something shakes."""
    done: Step | None = None
    """The step that has just ended, on the first picture after it."""
    press: str = ""
    """The button somebody presses now."""


class VirtualTable:
    """Plays a script before a camera. Its `shots` can be walked through once."""

    def __init__(self, script: Script, seen: ViewSettings, go_on: GoOn | None = None) -> None:
        self._script = script
        self._seen = seen
        self._go_on = go_on or (lambda _step, _rested: True)
        self._rng = np.random.default_rng([11, seen.seed])
        self.painter = Painter(script.deck, seen)
        self._arms = [_arm(place, self._rng) for place in script.places]
        self._table: tuple[Lying, ...] = ()
        self._number = 0

    @property
    def view(self) -> RenderCamera:
        return self.painter.view

    @property
    def setup(self) -> Setup:
        return self._script.setup

    def shots(self) -> Iterator[Shot]:
        yield from self._rest(1.5)
        for step in self._script.steps:
            if self._rng.random() < self._seen.bumps:
                yield from self._bumped()
            if self._seen.boards is not None and self._rng.random() < self._seen.pushes:
                yield from self._pushed(self._seen.boards)
            yield from self._reach(step)
            self._table = step.table
            yield from self._after(step)
        yield from self._rest(2.0)

    def laid_out(self, faces: Sequence[str]) -> Shot:
        """Cards of the deck side by side in rows, as somebody lays them to be learnt."""
        spots = ((x, y) for y in LAID_ROWS_MM for x in LAID_COLUMNS_MM)
        table = tuple(Lying(face, face, x, y) for face, (x, y) in zip(faces, spots, strict=False))
        return self._taken(self.painter.still(table), table)

    def idle(self) -> Shot:
        """One more picture of the table as it lies."""
        return self._shot()

    def _after(self, step: Step) -> Iterator[Shot]:
        """The pictures from the end of a step until the next may begin; a button may be pressed
        in them."""
        least = (2.2 if step.refused else 1.1) + self._rng.exponential(0.4)
        rested, first, press = 0.0, True, step.press
        press_at = 0.3 / self._seen.speed
        while rested < least / self._seen.speed or not self._go_on(step, rested):
            now = press if rested >= press_at else ""
            press = "" if now else press
            yield self._shot(done=step if first else None, press=now)
            first = False
            rested += 1 / FPS
        if press:
            yield self._shot(press=press)

    def _rest(self, seconds: float) -> Iterator[Shot]:
        for _ in range(max(1, round(seconds * FPS / self._seen.speed))):
            yield self._shot()

    def _bumped(self) -> Iterator[Shot]:
        """Somebody knocks against the table: the camera shakes, and then points a little
        elsewhere for good."""
        still = self.painter.still(self._table)
        for strength in (5.0, 7.0, 4.0, 2.0):
            dx, dy = self._rng.normal(0, strength, 2) * self._seen.size[0] / 1280
            shift = np.array([[1, 0, dx], [0, 1, dy]])
            shaken = cv2.warpAffine(still, shift, self._seen.size, borderMode=cv2.BORDER_REPLICATE)
            yield self._taken(shaken, self._table, hand=True)
        self.painter.nudge(self._rng)
        yield from self._rest(0.5)

    def _pushed(self, boards: BoardsOnTable) -> Iterator[Shot]:
        """A hand pushes a board, with all that stands on it."""
        arm = self._arms[int(self._rng.integers(len(self._arms)))]
        tip = np.array(boards.push(self._rng))
        self.painter.board_pushed()
        for away in (1.0, 0.5, 0.0, 0.0, 0.4, 0.9):
            at = tip + (np.array(arm.place) - tip) * 0.6 * away
            image = self.painter.with_arm(self._table, (), arm.over(at))
            yield self._taken(image, self._table, hand=True)
        yield from self._rest(0.8)

    def _reach(self, step: Step) -> Iterator[Shot]:
        """The pictures of an arm that carries out the step."""
        if step.table == self._table and step.what != "point":
            return
        arm = self._arms[step.seat or 0]
        spot = self._rng.uniform(0.25, 0.75, 2) * MAT
        aim = (float(spot[0]), float(spot[1]))
        for stage in stages(self._table, step.table, arm.place, aim):
            yield from self._stage(stage, arm)

    def _stage(self, stage: Stage, arm: Arm) -> Iterator[Shot]:
        many = max(1, round(stage.seconds * FPS / self._seen.speed))
        start, end = np.array(stage.start), np.array(stage.end)
        for at in range(many):
            share = (at + 0.5) / many
            eased = share * share * (3 - 2 * share)
            tip = start + (end - start) * eased
            carried = held(stage.carried, tip, arm)
            image = self.painter.with_arm(stage.table, carried, arm.over(tip))
            yield self._taken(image, stage.table, hand=True)

    def _shot(self, *, done: Step | None = None, press: str = "") -> Shot:
        still = self.painter.still(self._table)
        return replace(self._taken(still, self._table), done=done, press=press)

    def _taken(self, image: Image, table: tuple[Lying, ...], *, hand: bool = False) -> Shot:
        self._number += 1
        noisy = self.painter.lamp.taken(image, self._rng)
        return Shot(noisy, (self._number - 1) / FPS, table, hand)


def _arm(place: tuple[float, float], rng: np.random.Generator) -> Arm:
    """An arm of random skin and sleeve."""
    tone = rng.uniform(0.38, 1.1)
    b, g, r = (int(min(255, v * tone)) for v in (132, 160, 214))
    cloth = rng.integers(20, 225, 3)
    return Arm(place, (b, g, r), (int(cloth[0]), int(cloth[1]), int(cloth[2])))


# -- painting -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Painted:
    """A table as it is painted before light falls on it, and how strongly each pixel mirrors."""

    table: tuple[Lying, ...]
    raw: Image
    gloss: Image


@dataclass(slots=True, eq=False)
class Painter:
    """Paints tables as one camera under one lamp sees them. It remembers the last few, so that a
    table with one more card costs only that card."""

    deck: str
    seen: ViewSettings
    view: RenderCamera = field(init=False)
    lamp: SceneLamp = field(init=False)
    _faces: dict[str, DrawnFace] = field(init=False)
    _surface: Image = field(init=False)
    _fall: Points = field(init=False)
    _painted: list[_Painted] = field(init=False, default_factory=list)
    _still: tuple[_Painted, Image] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        rng = np.random.default_rng([13, self.seen.seed])
        self.view = tables.over_mat(self.seen.size, rng)
        if self.seen.boards is not None:
            self.view = _from_higher_up(self.view, max(APART))
        how = LIGHTS[self.seen.light]
        self.lamp = SceneLamp(self.seen.size, how, int(rng.integers(1 << 30)))
        self._faces = {card.face.label: card for card in pieces_of(self.deck)}
        marked = self.seen.boards is None
        self._surface = _surface(self.seen.mat, rng, self._grain_px, marked=marked)
        self._fall = rng.normal(0, 0.8, 2) * self.seen.size[0] / 1280

    @property
    def _grain_px(self) -> float:
        """How many pixels a millimetre of the table top is painted with: somewhat more than the
        camera sees of it."""
        width, height = self.seen.size
        return 1.35 * min(width / (MAT[0] + 60), height / (MAT[1] + 60))

    def nudge(self, rng: np.random.Generator) -> None:
        """The camera has been knocked a few millimetres."""
        width, height = self.seen.size
        dx, dy = rng.normal(0, 0.0012, 2) * width
        a = np.radians(rng.normal(0, 0.12))
        middle = np.array([[1, 0, width / 2], [0, 1, height / 2], [0, 0, 1]])
        turn = np.array([[np.cos(a), -np.sin(a), dx], [np.sin(a), np.cos(a), dy], [0, 0, 1]])
        moved = middle @ turn @ np.linalg.inv(middle) @ self.view.matrix
        self.view = replace(self.view, matrix=moved)
        self._painted.clear()
        self._still = None

    def board_pushed(self) -> None:
        """A board lies elsewhere now, and so does all that stands on it."""
        self._painted.clear()
        self._still = None

    def still(self, table: tuple[Lying, ...]) -> Image:
        """The table with nobody near it."""
        if self._still is not None and self._still[0].table == table:
            return self._still[1]
        painted = self._paint(table)
        image = self.lamp.seen(painted.raw, painted.gloss)
        self._still = (painted, image)
        return image

    def with_arm(
        self, table: tuple[Lying, ...], carried: Sequence[Lying], arm: Sequence[Thing]
    ) -> Image:
        image = self.still(table).copy()
        painted = self._paint(table)
        raw = painted.raw.copy()
        quads = [
            lay(raw, self.view, thing, self._fall, np.random.default_rng(17))
            for thing in (*(self.thing(one) for one in carried), *arm)
        ]
        box = self._box(quads)
        if box is not None:
            image[box] = self.lamp.seen(raw, painted.gloss, box)
        return image

    def _box(self, quads: Sequence[Points]) -> Box | None:
        """The part of the picture these lie in, with their shadows; None if outside it."""
        width, height = self.seen.size
        every = np.concatenate(list(quads))
        reach = 16 * float(np.abs(self._fall).max()) + 12
        x0, y0 = (max(0, int(v)) for v in np.floor(every.min(0) - reach))
        x1, y1 = (int(v) for v in np.ceil(every.max(0) + reach))
        x1, y1 = min(x1, width), min(y1, height)
        return (slice(y0, y1), slice(x0, x1)) if x0 < x1 and y0 < y1 else None

    def _paint(self, table: tuple[Lying, ...]) -> _Painted:
        known = [one for one in self._painted if one.table == table[: len(one.table)]]
        best = max(known, key=lambda one: len(one.table), default=None) or self._bare()
        if best.table == table:
            return best
        raw, gloss = best.raw.copy(), best.gloss.copy()
        for one in table[len(best.table) :]:
            thing = self.thing(one)
            quad = lay(raw, self.view, thing, self._fall, _own(one.piece))
            if isinstance(thing, CardOn):
                shape = np.round(quad * 16).astype(np.int32)
                shine = 255 * _own(one.piece).uniform(0.4, 1.0)
                cv2.fillConvexPoly(gloss, shape, shine, cv2.LINE_8, 4)
        return self._remember(_Painted(table, raw, gloss))

    def _bare(self) -> _Painted:
        width, height = self.seen.size
        px = self._grain_px
        to_mm = np.array([[1 / px, 0, -_MARGIN_MM], [0, 1 / px, -_MARGIN_MM], [0, 0, 1]])
        ground = cv2.warpPerspective(
            self._surface,
            self.view.matrix @ to_mm,
            (width, height),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for board in () if self.seen.boards is None else self.seen.boards.lying:
            lay(ground, self.view, board, self._fall, np.random.default_rng(23))
        return self._remember(_Painted((), ground, np.full((height, width), 77, np.uint8)))

    def _remember(self, painted: _Painted) -> _Painted:
        bare = [one for one in self._painted if not one.table][:1]
        others = [one for one in self._painted if one.table][-_KEPT + 1 :]
        self._painted = [*bare, *others, painted]
        return painted

    def thing(self, one: Lying) -> Thing:
        rng, at = _own(one.piece), one.x
        if self.seen.boards is not None:
            x, y, turn = self.seen.boards.moved(one.x, one.y, one.turn)
            one = replace(one, x=x, y=y, turn=turn)
        if one.kind == "die":
            style, spot = everyday_style(rng), (one.x - MAT[0] / 2, one.y - MAT[1] / 2)
            lean = float(np.degrees(np.arctan2(np.hypot(*spot), 700)))
            thrown = np.random.default_rng(zlib.crc32(f"{one.piece} {at:.2f}".encode()))
            return DieOn(sprite(int(one.face), style, thrown, 40, tilt=lean), one.x, one.y)
        worn = float(rng.random() * 0.25)
        return CardOn(self._faces[one.face], one.x, one.y, one.turn, worn=worn)

    def truths(self, table: Sequence[Lying]) -> list[Truth]:
        """What really lies there, and how much of each piece can be seen."""
        things = [self.thing(one) for one in table]
        width, height = self.seen.size
        who = np.zeros((height, width), np.int32)
        found = []
        for number, thing in enumerate(things, 1):
            mm = thing.quad() if isinstance(thing, CardOn) else _die_quad(thing)
            quad = self.view.pixels(mm)
            cv2.fillConvexPoly(who, np.round(quad * 16).astype(np.int32), number, cv2.LINE_8, 4)
            found.append((thing, mm, quad))
        counts = np.bincount(who.ravel(), minlength=len(things) + 1)
        return [
            Truth(
                "card" if isinstance(thing, CardOn) else "die",
                thing.card.face.label if isinstance(thing, CardOn) else _pips(thing),
                quad,
                mm,
                min(1.0, float(seen / max(cv2.contourArea(quad.astype(np.float32)), 1.0))),
            )
            for (thing, mm, quad), seen in zip(found, counts[1:], strict=True)
        ]


@lru_cache(maxsize=4)
def pieces_of(deck: str) -> tuple[DrawnFace, ...]:
    """Every card, tile and token of a deck."""
    if deck == PLAYING_CARDS:
        return tuple(drawn(face) for face in playing.faces())
    known = drawn_decks()
    if deck not in known:
        raise BadInput(
            "nobody-has-drawn-deck",
            N_("nobody has drawn the deck %(deck)s; there are %(known)s"),
            deck=repr(deck),
            known=", ".join(known),
        )
    return tuple(drawn(face) for face in known[deck].faces())


def _own(piece: str) -> np.random.Generator:
    """The random source of one piece, always the same, so that it keeps its wear and shine."""
    return np.random.default_rng(zlib.crc32(piece.encode()))


def _die_quad(thing: Thing) -> Points:
    assert isinstance(thing, DieOn)  # noqa: S101 - blots do not lie on a virtual table
    half = thing.size / 2
    return (corners(thing.size, thing.size) + (thing.x - half, thing.y - half)).astype(np.float64)


def _pips(thing: Thing) -> int:
    return thing.die.value if isinstance(thing, DieOn) else 0


# -- the surface ------------------------------------------------------------------------------


def _from_higher_up(view: RenderCamera, further: float) -> RenderCamera:
    """The camera so many times as far away."""
    width, height = view.width, view.height
    shrink = np.array([
        [1 / further, 0, width / 2 * (1 - 1 / further)],
        [0, 1 / further, height / 2 * (1 - 1 / further)],
        [0, 0, 1],
    ])  # fmt: skip
    return replace(view, matrix=shrink @ view.matrix)


def _surface(
    mat: tuple[Shape, ...], rng: np.random.Generator, px: float, *, marked: bool = True
) -> Image:
    """The table top with the mat and its markers, straight from above, `px` pixels to a
    millimetre."""
    wide, high = (round((side + 2 * _MARGIN_MM) * px) for side in MAT)
    image = cv2.resize(
        surfaces.surface(rng, 540, 675), (wide, high), interpolation=cv2.INTER_LINEAR
    )
    left = top = round(_MARGIN_MM * px)
    if mat:
        sheet = raster(Face("mat", *MAT, mat, corner=0.0), px, finer=2)
        sheet = sheet[: high - top, : wide - left]
        image[top : top + sheet.shape[0], left : left + sheet.shape[1]] = sheet
    for number, (x, y) in MARKERS.items() if marked else ():
        _marker(image, number, (x + _MARGIN_MM) * px, (y + _MARGIN_MM) * px, px)
    return image


def _marker(image: Image, number: int, x: float, y: float, px: float) -> None:
    """A printed marker on its white card."""
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARKER_DICTIONARY))
    fine = 4
    edge = MARKER_BORDER
    whole = round((MARKER + 2 * edge) * px * fine)
    card = np.full((whole, whole), 246, np.uint8)
    side, rim = round(MARKER * px * fine), round(edge * px * fine)
    inner = cv2.aruco.generateImageMarker(book, number, max(side, 6))
    card[rim : rim + inner.shape[0], rim : rim + inner.shape[1]] = np.maximum(inner, 22)
    to = np.array([[1 / fine, 0, x - edge * px], [0, 1 / fine, y - edge * px]])
    small = cv2.GaussianBlur(card, (0, 0), fine * 0.45)
    box = (image.shape[1], image.shape[0])
    cover = cv2.warpAffine(np.full_like(card, 255), to, box)
    printed = cv2.warpAffine(small, to, box)
    image[cover > 127] = printed[cover > 127, None]
