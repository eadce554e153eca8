"""Rendered tables with boards, to judge finding them by: pushed about, half covered, in any light.

The seeds are of their own, so nothing is judged on a picture it was tried out on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.sim.faces import playing
from companion.sim.faces.board_prints import BoardPrint, board_pixels, drawn_board
from companion.sim.faces.canvas import ellipse
from companion.sim.render import tables
from companion.sim.render.crops import DrawnFace, drawn
from companion.sim.render.reach import Arm
from companion.sim.render.scene import (
    Blot,
    CardOn,
    Light,
    RenderCamera,
    Rendering,
    Thing,
    camera,
    render,
)
from companion.vision.boards.board import Board, Place, print_px
from companion.vision.crops import corners

_SEEDS = 950_000
SIDES_MM = ((150.0, 200.0), (105.0, 140.0))
"""The least and the greatest width and height of a drawn board."""
_COLUMN_MM, _ROW_MM = 262.0, 232.0
"""Room for one board, whichever way it is turned."""
_MASK = 40
"""Cells along a board's side in which it is counted what is covered."""


@dataclass(frozen=True, slots=True)
class BoardTable:
    """What is laid out, and how it is seen."""

    styles: tuple[str, ...]
    boards: int = 6
    covered: tuple[float, float] = (0.2, 0.6)
    """The least and the greatest share of a board that lies under other things."""
    light: Light = tables.HARD
    px_per_mm: float = 1.5
    size: tuple[int, int] = (1280, 720)
    slant: float = 2.0
    """How many degrees the camera leans at most."""
    twins: bool = False
    """The first two boards are of one print."""
    strangers: bool = False
    """Other boards lie there than the known ones."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenBoards:
    """A picture, the boards somebody had enrolled, and where they really are."""

    rendering: Rendering
    view: RenderCamera
    boards: tuple[Board, ...]
    quads: tuple[npt.NDArray[Any], ...]
    """In pixels, one for each board; empty where strangers lie."""


def board_of(name: str, what: BoardPrint, places: Sequence[Place] = ()) -> Board:
    """A drawn board as an owner enrols it: from one photograph, taken in fair light."""
    pixels = board_pixels(what)
    rng = np.random.default_rng([_SEEDS, what.seed, 1])
    dull = np.clip(pixels.astype(np.float32) * rng.uniform(0.8, 0.97, 3) + 6, 0, 255)
    small = cv2.resize(dull.astype(np.uint8), print_px(what.size_mm), interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return Board(name, what.size_mm, data.tobytes(), tuple(places))


def random_print(rng: np.random.Generator, styles: Sequence[str]) -> BoardPrint:
    """Any board: of any style, size and number of spaces."""
    (low_w, high_w), (low_h, high_h) = SIDES_MM
    wide, high = round(rng.uniform(low_w, high_w), 1), round(rng.uniform(low_h, high_h), 1)
    many = int(rng.integers(0, 6))
    step = (wide - 20) / max(many, 1)
    spaces = tuple((10 + step * at, high - 44, min(30.0, step - 4), 30.0) for at in range(many))
    style = styles[int(rng.integers(len(styles)))]
    return BoardPrint(style, int(rng.integers(1 << 30)), (wide, high), spaces)


def board_table(seed: int, what: BoardTable) -> SeenBoards:
    """One picture of boards on a table."""
    rng = np.random.default_rng([_SEEDS, seed])
    prints = [random_print(rng, what.styles) for _ in range(what.boards)]
    if what.twins:
        prints[1] = prints[0]
    known = tuple(board_of(f"board-{at}", each) for at, each in enumerate(prints))
    if what.strangers:
        prints = [random_print(rng, what.styles) for _ in prints]
    view = _view(what, rng)
    lying = [_laid(f"board-{at}", each, at, rng) for at, each in enumerate(prints)]
    covering = [thing for one in lying for thing in _covering(one, what, rng)]
    ground = tables.surface(what.size, rng)
    blur = what.light.blur * what.size[0] / 1280
    picture = render(view, ground, [*lying, *covering], replace(what.light, blur=blur), rng)
    # In a rendering the middle of the first pixel is at 0; those who look say it is at a half.
    quads = () if what.strangers else tuple(view.pixels(_own_quad(one)) + 0.5 for one in lying)
    return SeenBoards(picture, view, known, quads)


def _own_quad(one: CardOn) -> npt.NDArray[Any]:
    """The board's corners from its own top left on, whichever way its pixels were turned."""
    quad = one.quad()
    return np.roll(quad, 1, axis=0) if one.card.lying else quad


def _view(what: BoardTable, rng: np.random.Generator) -> RenderCamera:
    a, lean = rng.uniform(0, 2 * np.pi), rng.uniform(0, what.slant)
    tilt = (float(lean * np.cos(a)), float(lean * np.sin(a)))
    return camera(*what.size, what.px_per_mm, tilt=tilt, roll=float(rng.uniform(-8, 8)))


def _laid(name: str, what: BoardPrint, at: int, rng: np.random.Generator) -> CardOn:
    column, row = at % 3 - 1, at // 3 - 0.5
    x, y = column * _COLUMN_MM + rng.normal(0, 4), row * _ROW_MM * 0.92 + rng.normal(0, 4)
    return CardOn(drawn_board(name, what), x, y, float(rng.uniform(0, 360)), lift=1.5)


@lru_cache(maxsize=1)
def _cards() -> tuple[DrawnFace, ...]:
    return tuple(drawn(face) for face in playing.faces())


def _covering(one: CardOn, what: BoardTable, rng: np.random.Generator) -> list[Thing]:
    """Cards, tokens and an arm over a board, until as much of it is covered as there should be."""
    goal = rng.uniform(*what.covered)
    out: list[Thing] = []
    mask = np.zeros((_MASK, _MASK), np.uint8)
    quad = one.quad().astype(np.float32)
    way = cv2.getPerspectiveTransform(quad, corners(_MASK, _MASK))
    while mask.mean() < goal and len(out) < 40:
        u, v = rng.uniform(0, 1, 2)
        spot = quad[0] + u * (quad[1] - quad[0]) + v * (quad[3] - quad[0])
        for thing in _one_thing(spot, rng):
            outline = thing.outline if isinstance(thing, Blot) else thing.outline()
            flat = cv2.perspectiveTransform(np.float32(outline).reshape(-1, 1, 2), way)
            after = mask.copy()
            cv2.fillPoly(after, [np.round(flat).astype(np.int32)], 1)
            if after.mean() <= what.covered[1]:
                mask = after
                out.append(thing)
    return out


def _one_thing(spot: npt.NDArray[Any], rng: np.random.Generator) -> list[Blot | CardOn]:
    x, y = (float(v) for v in spot)
    kind = rng.random()
    if kind < 0.45:
        cards = _cards()
        return [CardOn(cards[int(rng.integers(len(cards)))], x, y, float(rng.uniform(0, 360)))]
    if kind < 0.9:
        ink = tuple(int(v) for v in rng.integers(0, 256, 3))
        radius = float(rng.uniform(6, 22))
        return [Blot(ellipse(x, y, radius, radius), (ink[0], ink[1], ink[2]), 2.0)]
    beyond = (x + float(rng.normal(0, 60)), 700.0 if y > 0 else -700.0)  # from the nearer edge
    arm = Arm(beyond, (120, 150, 205), (60, 40, 90))
    return [each for each in arm.over(np.array([x, y])) if isinstance(each, Blot)]
