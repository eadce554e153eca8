"""Hand-held pictures of a drawn table: what a phone sees of dice, hands and boards.

A phone is held aslant by some 35 degrees at most, over any table top, under any lamp, and is never
quite still. The seeds are of their own, so nothing is judged on a picture it was tried out on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from companion.core.game import Setup
from companion.scanning.scanner import ScannedView, Subject
from companion.sim.boards import BoardsOnTable
from companion.sim.faces.canvas import Image
from companion.sim.render import clutter, tables
from companion.sim.render.crops import DrawnFace
from companion.sim.render.dice import everyday_style, sprite
from companion.sim.render.scene import (
    CardOn,
    DieOn,
    Light,
    Points,
    PropOn,
    RenderCamera,
    Rendering,
    Thing,
    camera,
    render,
)
from companion.sim.steps import Lying
from companion.tabletop.observations import Quad, Sighting
from companion.vision.boards.board import Board
from companion.vision.boards.kept import BoardSet

_SEEDS = 970_000
SLANT = 35.0
"""The most degrees by which a phone leans."""
_PROPS = 4
"""The most things that lie about."""
_DIE_MM = 16.0
_ROOM = 1.12
"""How much more than what it is taken of a picture shows."""


@dataclass(frozen=True, slots=True)
class PhoneShot:
    """How a phone is held, and what it makes of the light."""

    size: tuple[int, int] = (1600, 1200)
    slant: float = SLANT
    light: Light = field(default_factory=lambda: Light(hard=0.35, glare=0.35, blur=1.0))
    shake_px: float = 3.0
    """The furthest the picture is smeared by a hand that moves."""
    props: int = _PROPS


USUAL = PhoneShot()


@dataclass(frozen=True, slots=True, eq=False)
class ScanDrill:
    """A picture to judge scans by, and what is really so."""

    setup: Setup
    state: Any
    """The books; the table lies as they say."""
    subject: Subject
    picture: bytes
    """As the phone sends it."""
    truth: tuple[ScannedView, ...]
    """What a perfect eye sees."""
    boards: BoardSet | None = None
    """The owner's boards, if it is taken of one."""
    cards: tuple[str, ...] = ()
    """The cards of hands laid open."""


def phone_rng(seed: int) -> np.random.Generator:
    """The random source of one picture."""
    return np.random.default_rng([_SEEDS, seed])


def taken(
    things: Sequence[Thing], corners: Points, rng: np.random.Generator, how: PhoneShot = USUAL
) -> Rendering:
    """A picture of things on a table; all of `corners`, in millimetres, is in view."""
    view = _aimed(corners, rng, how)
    ground = tables.surface(how.size, rng)
    about = _lying_about(corners, rng, how.props)
    light = replace(how.light, blur=how.light.blur * how.size[0] / 1600, jpeg=False)
    seen = render(view, ground, [*about, *things], light, rng)
    image = _developed(_shaken(seen.image, rng, how.shake_px), rng)
    return replace(seen, image=image)


def as_jpeg(image: Image, quality: int = 88) -> bytes:
    """As the phone sends it."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()


def _aimed(corners: Points, rng: np.random.Generator, how: PhoneShot) -> RenderCamera:
    """A camera aslant over the middle, near enough to fill the picture."""
    lean, toward = rng.uniform(0, how.slant), rng.uniform(0, 2 * np.pi)
    tilt = (float(lean * np.cos(toward)), float(lean * np.sin(toward)))
    middle = (corners.min(0) + corners.max(0)) / 2
    at = (float(middle[0]), float(middle[1]))
    roll = float(rng.normal(0, 8) + (90 if rng.random() < 0.2 else 0))
    px = 8.0
    room = _ROOM * float(rng.uniform(1.0, 1.25))
    view = camera(*how.size, px, tilt=tilt, roll=roll, middle=at)
    for _ in range(60):
        view = camera(*how.size, px, tilt=tilt, roll=roll, middle=at)
        seen = view.pixels(corners.astype(np.float64))
        off = np.abs(seen - np.array(how.size) / 2) / (np.array(how.size) / 2)
        if np.isfinite(seen).all() and off.max() * room <= 1:
            break
        px *= 0.94
    return view


def _lying_about(corners: Points, rng: np.random.Generator, most: int) -> list[Thing]:
    """Pens, keys and the like beside what the picture is taken of."""
    low, high = corners.min(0), corners.max(0)
    out: list[Thing] = []
    for _ in range(int(rng.integers(0, most + 1))):
        what = clutter.prop(rng)
        far = np.hypot(what.width, what.height) / 2 + 4
        side = int(rng.integers(4))
        x, y = rng.uniform(low - 40, high + 40)
        x = low[0] - far if side == 0 else high[0] + far if side == 1 else x
        y = low[1] - far if side == 2 else high[1] + far if side == 3 else y
        out.append(PropOn(what, float(x), float(y), float(rng.uniform(0, 360))))
    return out


def _shaken(image: Image, rng: np.random.Generator, most: float) -> Image:
    length = int(rng.uniform(0, most)) + 1
    if length < 2:
        return image
    kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
    a = rng.uniform(0, np.pi)
    dx, dy = np.cos(a) * length / 2, np.sin(a) * length / 2
    ends = [(round(length + s * dx), round(length + s * dy)) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def _developed(image: Image, rng: np.random.Generator) -> Image:
    noisy = image + rng.normal(0, rng.uniform(0.5, 3.0), image.shape).astype(np.float32)
    data = as_jpeg(np.clip(noisy, 0, 255).astype(np.uint8))
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)


# -- hands ------------------------------------------------------------------------------------


def fanned(
    cards: Sequence[DrawnFace], at: tuple[float, float], turn: float, rng: np.random.Generator
) -> list[CardOn]:
    """A hand laid open as people do: a fan, or a slanting row, each card half over the one before
    it so that its corner is in view."""
    if rng.random() < 0.5:
        return _row(cards, at, turn, rng)
    step = float(rng.uniform(11, 17))
    pivot = float(rng.uniform(95, 150))
    out = []
    for number, card in enumerate(cards):
        angle = (number - (len(cards) - 1) / 2) * step + float(rng.normal(0, 1.2))
        a = np.radians(angle + turn)
        base = np.array(at) + pivot * np.array(
            [-np.sin(np.radians(turn)), np.cos(np.radians(turn))]
        )
        x, y = base + pivot * np.array([np.sin(a), -np.cos(a)]) + rng.normal(0, 1.0, 2)
        out.append(CardOn(card, float(x), float(y), angle + turn, worn=float(rng.random() * 0.3)))
    return out


def _row(
    cards: Sequence[DrawnFace], at: tuple[float, float], turn: float, rng: np.random.Generator
) -> list[CardOn]:
    step = float(rng.uniform(20, 34))
    a = np.radians(turn)
    along = np.array([np.cos(a), np.sin(a)])
    out = []
    for number, card in enumerate(cards):
        x, y = np.array(at) + along * step * (number - (len(cards) - 1) / 2) + rng.normal(0, 1.5, 2)
        lies = turn + float(rng.normal(0, 2.5))
        out.append(CardOn(card, float(x), float(y), lies, worn=float(rng.random() * 0.3)))
    return out


def hands_laid_open(
    hands: Sequence[Sequence[DrawnFace]], rng: np.random.Generator
) -> list[list[CardOn]]:
    """Each hand before its player, well apart from the others."""
    laid: list[list[CardOn]] = []
    for number, cards in enumerate(hands):
        column, row = number % 2, number // 2
        at = (column * 330.0 + float(rng.normal(0, 6)), row * 210.0 + float(rng.normal(0, 6)))
        laid.append(fanned(cards, at, float(rng.normal(0, 7)), rng))
    return laid


def thrown(pips: Sequence[int], rng: np.random.Generator) -> list[DieOn]:
    """Dice as they come to lie."""
    style = everyday_style(rng)
    out: list[DieOn] = []
    while len(out) < len(pips):
        x, y = rng.uniform(-60, 60, 2)
        if any(np.hypot(x - one.x, y - one.y) < 24 for one in out):
            continue
        die = sprite(pips[len(out)], style, rng, 48, tilt=float(rng.uniform(0, 18)))
        out.append(DieOn(die, float(x), float(y), _DIE_MM))
    return out


def around(things: Sequence[Thing]) -> Points:
    """The corners of all that lies there."""
    spots = [
        one.quad() if isinstance(one, CardOn) else np.array([[one.x, one.y]])
        for one in things
        if isinstance(one, CardOn | DieOn)
    ]
    every = np.concatenate(spots)
    (left, top), (right, bottom) = every.min(0) - 20, every.max(0) + 20
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


# -- boards -----------------------------------------------------------------------------------


def board_taken(
    boards: BoardsOnTable,
    owner: str,
    pieces: Sequence[tuple[Lying, DrawnFace]],
    rng: np.random.Generator,
    how: PhoneShot = USUAL,
) -> Rendering:
    """A picture of one seat's board, with all that lies on it and on the boards about it."""
    lying = boards.lying
    mine = next(at for at, each in enumerate(boards.enrolled().boards) if each.owner == owner)
    things: list[Thing] = [*lying]
    for one, face in pieces:
        x, y, turn = boards.moved(one.x, one.y, one.turn)
        things.append(CardOn(face, x, y, turn, worn=float(rng.random() * 0.2)))
    return taken(things, lying[mine].quad(), rng, how)


def as_on_board(
    board: Board, on_mat: tuple[float, float, float, float], *, upside_down: bool, one: Lying,
    size: tuple[float, float],
) -> Sighting:  # fmt: skip
    """A piece of the mat as a perfect eye sees it on its seat's board."""
    left, top, right, bottom = on_mat
    wide, high = board.size_mm[0] / (right - left), board.size_mm[1] / (bottom - top)
    x, y, turn = (one.x - left) * wide, (one.y - top) * high, one.turn
    if upside_down:
        x, y, turn = board.size_mm[0] - x, board.size_mm[1] - y, turn + 180
    half = np.array(size) / 2
    a = np.radians(turn)
    spin = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    around_it = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    p, q, r, s = (tuple(map(float, at)) for at in around_it @ spin + (x, y))
    quad: Quad = ((p[0], p[1]), (q[0], q[1]), (r[0], r[1]), (s[0], s[1]))
    return Sighting("card", one.face, 1.0, quad, round(turn / 90) % 4 * 90)
