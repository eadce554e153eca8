"""Renders what a camera sees of a table: cards and dice under a lamp, with the truth about each.

The table is a plane in millimetres; a camera maps it to pixels. All chance comes from the random
source that is handed in, so the same seed gives the same picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.sim.faces.canvas import Image, rectangle
from companion.sim.render import light
from companion.sim.render.clutter import Prop
from companion.sim.render.crops import DrawnFace
from companion.sim.render.dice import Sprite
from companion.sim.render.laying import cover_with, lay_card, lay_prop, shadow
from companion.vision.crops import corners

Points = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class RenderCamera:
    """Maps millimetres of the table to pixels: a plane in perspective, and a lens that bends."""

    width: int
    height: int
    matrix: Points
    bend: float = 0.0

    def pixels(self, table: Points) -> Points:
        flat = cv2.perspectiveTransform(table.reshape(-1, 1, 2), self.matrix).reshape(-1, 2)
        return self.bent(flat)

    def bent(self, flat: Points) -> Points:
        """Where this lens shows what a perfect lens would show at `flat`."""
        if not self.bend:
            return flat
        middle = np.array([self.width, self.height]) / 2
        off = (flat - middle) / middle[0]
        return middle + off * middle[0] * (1 + self.bend * (off**2).sum(1, keepdims=True))

    def table(self, px: Points) -> Points:
        """The millimetres that pixels show; the bend of the lens is undone step by step."""
        middle = np.array([self.width, self.height]) / 2
        off = aim = (px - middle) / middle[0]
        for _ in range(6):
            off = aim / (1 + self.bend * (off**2).sum(1, keepdims=True))
        flat = (middle + off * middle[0]).reshape(-1, 1, 2)
        return cv2.perspectiveTransform(flat, np.linalg.inv(self.matrix)).reshape(-1, 2)


def camera(
    width: int,
    height: int,
    px_per_mm: float,
    *,
    tilt: tuple[float, float] = (0.0, 0.0),
    roll: float = 0.0,
    middle: tuple[float, float] = (0.0, 0.0),
    bend: float = 0.0,
) -> RenderCamera:
    """A camera over `middle` (mm), leaning by `tilt` degrees about its own x and y axes.

    The focal length is that of a Pi camera: a view 66 degrees wide.
    """
    focal = width / (2 * np.tan(np.radians(33)))
    height_mm = focal / px_per_mm
    ax, ay, az = np.radians([*tilt, roll])
    rx = np.array([[1, 0, 0], [0, np.cos(ax), -np.sin(ax)], [0, np.sin(ax), np.cos(ax)]])
    ry = np.array([[np.cos(ay), 0, np.sin(ay)], [0, 1, 0], [-np.sin(ay), 0, np.cos(ay)]])
    rz = np.array([[np.cos(az), -np.sin(az), 0], [np.sin(az), np.cos(az), 0], [0, 0, 1]])
    turn = rx @ ry @ rz
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    move = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 0.0]])
    plane = turn @ move + np.array([[0, 0, 0], [0, 0, 0], [0, 0, height_mm]])
    return RenderCamera(width, height, lens @ plane, bend)


@lru_cache(maxsize=64)
def _edge(width: float, height: float, corner: float) -> Points:
    """The outline of a card about the origin, its corners rounded."""
    return rectangle(-width / 2, -height / 2, width, height, corner)


@dataclass(frozen=True, slots=True, eq=False)
class CardOn:
    """A card lying on the table. `turn` is clockwise, in degrees, about its middle."""

    card: DrawnFace
    x: float
    y: float
    turn: float
    sleeve: bool = False
    worn: float = 0.0
    lift: float = 0.3
    """Millimetres its edge stands above the table: that makes its shadow."""

    def quad(self) -> Points:
        w, h = self.card.face.width, self.card.face.height
        if self.card.lying:
            w, h = h, w
        return self._lying(corners(w, h) - (w / 2, h / 2))

    def outline(self) -> Points:
        """As `quad`, but with rounded corners."""
        face = self.card.face
        w, h = face.width, face.height
        if self.card.lying:
            w, h = h, w
        return self._lying(_edge(w, h, face.corner))

    def _lying(self, points: Points) -> Points:
        a = np.radians(self.turn)
        spin = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        return points @ spin + (self.x, self.y)


@dataclass(frozen=True, slots=True, eq=False)
class DieOn:
    die: Sprite
    x: float
    y: float
    size: float = 16.0


@dataclass(frozen=True, slots=True, eq=False)
class Blot:
    """Something on the table that is neither card nor die: an outline in one colour. `inner` is
    the colour of a smaller one inside it, if there is any."""

    outline: Points
    colour: tuple[int, int, int]
    lift: float = 2.0
    inner: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PropOn:
    """Something of `clutter.py` lying there, turned clockwise by `turn` degrees."""

    prop: Prop
    x: float
    y: float
    turn: float

    def quad(self) -> Points:
        w, h = self.prop.width, self.prop.height
        a = np.radians(self.turn)
        spin = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        return (corners(w, h) - (w / 2, h / 2)) @ spin + (self.x, self.y)


Thing = CardOn | DieOn | Blot | PropOn


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """One thing that really lies there: its corners in pixels (as the lens shows them) and in
    millimetres."""

    kind: str
    label: str | int
    quad: Points
    quad_mm: Points
    visible: float
    """Share of it that is inside the picture and not covered."""


@dataclass(frozen=True, slots=True)
class Light:
    """How hard the table is to see."""

    hard: float = 0.2
    """0 is a good lamp and camera, 1 the worst."""
    glare: float = 0.3
    """How often a lamp is mirrored."""
    blur: float = 0.6
    """The widest blur in pixels."""
    jpeg: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Rendering:
    image: Image
    truths: list[Truth] = field(default_factory=list)


def render(
    view: RenderCamera, ground: Image, things: Sequence[Thing], how: Light, rng: np.random.Generator
) -> Rendering:
    """A picture of the things on the ground; they come in the order they were laid, the last on
    top."""
    image = _fitted(ground, view)
    who = np.zeros((view.height, view.width), np.int16)
    gloss = np.full((view.height, view.width), rng.uniform(0.1, 0.8), np.float32)
    fall = rng.normal(0, 1.0, 2)
    areas: list[tuple[CardOn | DieOn, Points, float]] = []
    for number, thing in enumerate(things, 1):
        quad = _draw(image, view, thing, fall, rng)
        if isinstance(thing, Blot | PropOn):
            cv2.fillPoly(who, [np.round(quad).astype(np.int32)], 0)
            continue
        shape = np.round(quad * 16).astype(np.int32)
        cv2.fillConvexPoly(who, shape, number, cv2.LINE_8, 4)
        if isinstance(thing, CardOn):
            shine = 1.0 if thing.sleeve else rng.uniform(0.4, 1.0)
            cv2.fillConvexPoly(gloss, shape, shine, cv2.LINE_8, 4)
        areas.append((thing, quad, float(cv2.contourArea(quad.astype(np.float32)))))
    counts = np.bincount(who.ravel(), minlength=len(things) + 1)
    if view.bend:
        image = _through_lens(image, view)
    image = _photographed(image, gloss, how, rng)
    truths = []
    order = {id(thing): number for number, thing in enumerate(things, 1)}
    for thing, quad, size in areas:
        seen = counts[order[id(thing)]] / max(size, 1.0)
        truths.append(_truth(view, thing, quad, min(1.0, float(seen))))
    return Rendering(image, truths)


def lay(
    image: Image, view: RenderCamera, thing: Thing, fall: Points, rng: np.random.Generator
) -> Points:
    """Draw one more thing into a picture, its shadow falling along `fall`. Returns its outline in
    pixels."""
    return _draw(image, view, thing, fall, rng)


def _truth(view: RenderCamera, thing: CardOn | DieOn, quad: Points, seen: float) -> Truth:
    if isinstance(thing, CardOn):
        return Truth("card", thing.card.face.label, view.bent(quad), thing.quad(), seen)
    r = thing.size / 2
    mm = corners(2 * r, 2 * r) + np.array([thing.x - r, thing.y - r])
    return Truth("die", thing.die.value, view.bent(quad), mm.astype(np.float64), seen)


def _fitted(ground: Image, view: RenderCamera) -> Image:
    if ground.shape[:2] == (view.height, view.width):
        return ground.copy()
    return cv2.resize(ground, (view.width, view.height), interpolation=cv2.INTER_AREA)


def _flat(view: RenderCamera, table: Points) -> Points:
    return cv2.perspectiveTransform(table.reshape(-1, 1, 2), view.matrix).reshape(-1, 2)


def _draw(
    image: Image, view: RenderCamera, thing: Thing, fall: Points, rng: np.random.Generator
) -> Points:
    if isinstance(thing, CardOn):
        quad = _flat(view, thing.quad())
        shadow(image, _flat(view, thing.outline()), fall * thing.lift, rng)
        lay_card(image, _worn(thing, rng), quad, thing.card.face.corner / thing.card.face.width)
        return quad
    if isinstance(thing, Blot):
        outline = _flat(view, thing.outline)
        shadow(image, outline, fall * thing.lift, rng)
        shape = [np.round(outline * 16).astype(np.int32)]
        cv2.fillPoly(image, shape, thing.colour, cv2.LINE_AA, 4)
        if thing.inner is not None:
            middle = outline.mean(0)
            smaller = middle + (outline - middle) * 0.86
            cv2.fillPoly(
                image, [np.round(smaller * 16).astype(np.int32)], thing.inner, cv2.LINE_AA, 4
            )
        return outline
    if isinstance(thing, PropOn):
        quad = _flat(view, thing.quad())
        lay_prop(image, thing.prop, quad, fall)
        return quad
    return _die(image, view, thing, fall, rng)


def _die(
    image: Image, view: RenderCamera, thing: DieOn, fall: Points, rng: np.random.Generator
) -> Points:
    here = _flat(view, np.array([[thing.x, thing.y], [thing.x + thing.size, thing.y]]))
    px = float(np.linalg.norm(here[1] - here[0]))
    grow = px / thing.die.side
    size = max(4, round(thing.die.colour.shape[0] * grow))
    how = cv2.INTER_AREA if grow < 1 else cv2.INTER_LINEAR
    colour = cv2.resize(thing.die.colour, (size, size), interpolation=how)
    cover = cv2.resize(thing.die.cover, (size, size), interpolation=how)
    left, top = round(here[0][0] - size / 2), round(here[0][1] - size / 2)
    rows, columns = np.nonzero(cover.max(1) > 127)[0], np.nonzero(cover.max(0) > 127)[0]
    box = (
        corners(float(np.ptp(columns)) + 1, float(np.ptp(rows)) + 1)
        + (columns[0], rows[0])
        + (left, top)
    )
    shadow(image, box.astype(np.float64), fall * 4, rng)
    y0, y1 = max(top, 0), min(top + size, image.shape[0])
    x0, x1 = max(left, 0), min(left + size, image.shape[1])
    if y0 < y1 and x0 < x1:
        part = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
        cover_with(image[y0:y1, x0:x1], colour[part], cover[part])
    return box.astype(np.float64)


def _worn(thing: CardOn, rng: np.random.Generator) -> Image:
    pixels = thing.card.pixels
    if not thing.worn and not thing.sleeve:
        return pixels
    pixels = pixels.copy()
    height, width = pixels.shape[:2]
    for _ in range(int(thing.worn * 8)):
        a, b = (tuple(int(v) for v in rng.uniform(0, 1, 2) * (width, height)) for _ in range(2))
        cv2.line(pixels, a, b, tuple(int(v) for v in rng.integers(150, 240, 3)), 1, cv2.LINE_AA)
    if thing.sleeve:
        cv2.rectangle(pixels, (0, 0), (width - 1, height - 1), (200, 200, 200), 2)
    return pixels


def _through_lens(image: Image, view: RenderCamera) -> Image:
    x, y = np.meshgrid(
        np.arange(view.width, dtype=np.float64), np.arange(view.height, dtype=np.float64)
    )
    px = np.stack([x.ravel(), y.ravel()], 1)
    middle = np.array([view.width, view.height]) / 2
    off = aim = (px - middle) / middle[0]
    for _ in range(4):
        off = aim / (1 + view.bend * (off**2).sum(1, keepdims=True))
    flat = (middle + off * middle[0]).astype(np.float32).reshape(view.height, view.width, 2)
    return cv2.remap(
        image, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def _photographed(image: Image, gloss: light.Floats, how: Light, rng: np.random.Generator) -> Image:
    seen = light.blurred(image, rng, how.blur) if how.blur > 0 else image
    seen = light.lit(seen, rng, how.hard)
    if rng.random() < how.glare:
        seen = light.glare(seen, rng, how.hard, gloss)
    out = light.grainy(light.developed(seen, rng, how.hard), rng, how.hard)
    return light.compressed(out, rng, 50) if how.jpeg else out
