"""Rendered tables to judge the vision by: a camera at its usual height over a mat.

Training uses `training_scenes` with small seeds; these tables have seeds of their own, so nothing
is judged on a picture it was trained on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from companion.sim.faces import drawn_decks, playing
from companion.sim.faces.canvas import Image
from companion.sim.render import surfaces
from companion.sim.render.crops import TOKEN_BELOW_MM, DrawnFace, drawn
from companion.sim.render.dice import everyday_style, sprite
from companion.sim.render.scene import (
    CardOn,
    DieOn,
    Light,
    RenderCamera,
    Rendering,
    Thing,
    camera,
    render,
)
from companion.tabletop.layout import PLAYING_CARDS
from companion.tabletop.mat import MAT
from companion.vision.calibration import Plane

_SEEDS = 900_000
"""Mixed into every seed here; no training uses it."""
PRINTINGS = 6
"""How many printings of a house held out of training there are: tables take turns."""
GOOD = Light(hard=0.15, glare=0.1, blur=0.5)
HARD = Light(hard=0.75, glare=0.6, blur=1.3)


@dataclass(frozen=True, slots=True)
class Table:
    """What to lay out, and how it is seen."""

    deck: str
    cards: int = 12
    dice: int = 0
    overlap: float = 0.0
    """The share of a card's width covered by the next in its row; 0 lays cards apart."""
    size: tuple[int, int] = (1280, 720)
    light: Light = GOOD
    px_per_mm: float | None = None
    """How near the camera is; None: the mat fills the picture."""
    house: str = ""
    """Whose playing cards, of those held out of training: see `held_out_faces`."""


@lru_cache(maxsize=8)
def faces_of(deck: str) -> tuple[DrawnFace, ...]:
    """The cards of a deck, without its tokens."""
    if deck == PLAYING_CARDS:
        return tuple(drawn(f) for f in playing.faces())
    return tuple(drawn(f) for f in drawn_decks()[deck].faces() if f.height >= TOKEN_BELOW_MM)


@lru_cache(maxsize=24)
def held_out_faces(house: str, number: int) -> tuple[DrawnFace, ...]:
    """The cards of one printing of a house that no training has seen."""
    style = playing.held_out(np.random.default_rng([_SEEDS, number, len(house)]), house)
    return tuple(drawn(playing.face(label, style)) for label in playing.LABELS)


def over_mat(
    size: tuple[int, int], rng: np.random.Generator, px_per_mm: float | None = None
) -> RenderCamera:
    """A camera over the mat's middle, mounted by hand: never quite straight."""
    scale = px_per_mm or min(size[0] / (MAT[0] + 60), size[1] / (MAT[1] + 60))
    tilt = rng.normal(0, 1.5, 2)
    middle = (MAT[0] / 2 + rng.normal(0, 6), MAT[1] / 2 + rng.normal(0, 6))
    return camera(
        *size,
        scale,
        tilt=(float(tilt[0]), float(tilt[1])),
        roll=float(rng.normal(0, 2)),
        middle=middle,
    )


def plane_of(view: RenderCamera) -> Plane:
    """The calibration of this camera without any error."""
    return Plane(view.matrix, (view.width, view.height))


def table(seed: int, what: Table) -> tuple[Rendering, RenderCamera]:
    """One picture and the camera that took it."""
    rng = np.random.default_rng([_SEEDS, seed])
    view = over_mat(what.size, rng, what.px_per_mm)
    deck = held_out_faces(what.house, seed % PRINTINGS) if what.house else faces_of(what.deck)
    things = [*_rows(what, deck, rng), *_thrown(what, rng)]
    ground = surface(what.size, rng)
    blur = what.light.blur * what.size[0] / 1280
    return render(view, ground, things, replace(what.light, blur=blur), rng), view


def surface(size: tuple[int, int], rng: np.random.Generator) -> Image:
    small = surfaces.surface(rng, 540, 960)
    return cv2.resize(small, size, interpolation=cv2.INTER_LINEAR)


def _rows(what: Table, deck: tuple[DrawnFace, ...], rng: np.random.Generator) -> list[Thing]:
    """Rows of cards across the mat, lightly jumbled."""
    order = rng.permutation(len(deck))
    width, height = 63.0, 88.0
    step = width * (1 - what.overlap) if what.overlap else width + 14
    out: list[Thing] = []
    x, y = 60.0, 62.0
    for number in range(what.cards):
        card = deck[order[number % len(deck)]]
        turn = rng.normal(0, 5) + (180 if rng.random() < 0.5 else 0)
        out.append(
            CardOn(
                card,
                x + rng.normal(0, 2),
                y + rng.normal(0, 2),
                float(turn),
                worn=float(rng.random() * 0.3),
            )
        )
        x += step
        if x > MAT[0] - 50 or (what.overlap and (number + 1) % 4 == 0):
            if what.overlap:
                x += width + 20 - step
            if x > MAT[0] - 50 - (3 * step if what.overlap else 0):
                x, y = 60.0 + rng.uniform(0, 15), y + height + 8
        if y > MAT[1] - 40:
            y = 62.0 + rng.uniform(0, 20)
    return out


def _thrown(what: Table, rng: np.random.Generator) -> list[Thing]:
    out: list[Thing] = []
    spots: list[tuple[float, float]] = []
    style = everyday_style(rng)
    while len(out) < what.dice:
        x, y = (
            rng.uniform(40, MAT[0] - 40),
            rng.uniform(MAT[1] * 0.55, MAT[1] - 30),
        )
        if any(np.hypot(x - a, y - b) < 20 for a, b in spots):
            continue
        spots.append((x, y))
        if rng.random() < 0.3:
            style = everyday_style(rng)
        lean = float(np.degrees(np.arctan2(np.hypot(x - 297, y - 210), 700)))
        die = sprite(int(rng.integers(1, 7)), style, rng, 40, tilt=lean)
        out.append(DieOn(die, x, y, 16.0))
    return out
