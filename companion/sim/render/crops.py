"""Single cards as an imperfect detector cuts them out of a photograph, to train readers on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.sim.faces.canvas import Face, Image, raster, rectangle
from companion.sim.render import light, surfaces
from companion.vision.crops import HIGH, WIDE, card_crop, corners, grown, index_crops

_PX_PER_MM = 2.5
"""How finely faces are drawn before they are photographed."""
TOKEN_BELOW_MM = 35.0
"""Faces lower than this are tokens, which may lie on cards and any way round."""
_CARD_PX = (48, 180)
"""The least and the greatest height of a card in the photographs it is cut from."""
_SLEEVED = 0.08
"""The share of cards in sleeves."""
_TOKEN_PX = (24, 80)
"""The same for tokens."""

_INDEX_PX = (60, 220)
"""The heights of cards whose corners are read."""
Quad = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class DrawnFace:
    """A face and its pixels: drawn once, photographed often."""

    face: Face
    pixels: Image
    """Upright, some 160 x 224."""
    lying: bool = False
    """The face is wider than high, so the pixels were turned by a quarter."""


def drawn(face: Face) -> DrawnFace:
    pixels = raster(face, _PX_PER_MM * min(1.0, 88 / max(face.width, face.height)), finer=2)
    lying = pixels.shape[1] > pixels.shape[0]
    return DrawnFace(face, np.ascontiguousarray(np.rot90(pixels)) if lying else pixels, lying)


def view(
    of: DrawnFace,
    rng: np.random.Generator,
    *,
    turn: int = 0,
    others: list[DrawnFace] | None = None,
    covered: float = 0.3,
    hard: float | None = None,
    astray: float | None = None,
) -> Image:
    """One cut of the face, with some light, some blur, corners a little off, perhaps covered.

    `turn` is in degrees, clockwise. `covered` is how often another card lies over it. `hard` runs
    from 0 (a good lamp) to 1; `astray` is how far corners are off, as a share of the height.
    Without them both are random.
    """
    hard = rng.beta(1.2, 2.0) if hard is None else hard
    astray = abs(rng.normal(0.012, 0.014)) if astray is None else astray
    low, top = _TOKEN_PX if of.face.height < TOKEN_BELOW_MM else _CARD_PX
    high = round(float(np.exp(rng.uniform(np.log(low), np.log(top)))))
    scene, home = _laid(of, rng, high, turn=turn, others=others)
    _cover(scene, home, rng, others, covered)
    seen = _blurred(scene, rng, hard, high)
    jitter = rng.normal(0, 1, (4, 2)).astype(np.float32) * astray * high
    if rng.random() < 0.15:  # one corner far off
        jitter[int(rng.integers(4))] += rng.normal(0, 0.035, 2) * high
    shift = rng.normal(0, 0.4, 2).astype(np.float32) * astray * high
    aim = home + jitter + shift
    if of.face.height < TOKEN_BELOW_MM:
        # Tokens lie any way round, and most are discs: no corner says exactly where they are.
        middle = aim.mean(0)
        aim = (aim - middle) @ _spun(rng.uniform(-0.4, 0.4)) + middle
        aim = (aim + rng.normal(0, 0.07, 2) * high).astype(np.float32)
    # Light and tone are applied to the small cut: it looks the same at a third of the cost.
    image = card_crop(seen, aim)
    image = light.lit(image, rng, hard)
    if rng.random() < 0.25 + 0.25 * hard:
        image = light.glare(image, rng, hard)
    return light.developed(image, rng, hard)


def _laid(
    of: DrawnFace,
    rng: np.random.Generator,
    high: int,
    *,
    turn: int = 0,
    others: list[DrawnFace] | None = None,
) -> tuple[Image, Quad]:
    """The card lying on something, so many pixels high, and where its corners are."""
    wide = round(high * WIDE / HIGH * rng.uniform(0.9, 1.1))
    pad = max(6, round(high * 0.16))
    scene = _ground(rng, (wide + 2 * pad, high + 2 * pad), others)
    home = corners(wide, high) + pad
    home = home + rng.normal(0, 0.02, (4, 2)).astype(np.float32) * high  # a slanting camera
    if of.face.height >= TOKEN_BELOW_MM and rng.random() < _SLEEVED:
        _sleeve(scene, home, rng)
    _lay(scene, of, home, rng, turn=turn)
    return scene, home


def _cover(
    scene: Image,
    home: Quad,
    rng: np.random.Generator,
    others: list[DrawnFace] | None,
    covered: float,
) -> None:
    """Another card over it, or some thing, or nothing."""
    if others and rng.random() < covered:
        over = others[int(rng.integers(len(others)))]
        _lay(scene, over, _above(home, rng), rng)
    elif rng.random() < 0.06:
        _thing(scene, home, rng)


@dataclass(frozen=True, slots=True, eq=False)
class CornerView:
    """The cuts of a card's four corners before any light, and what of the card is covered."""

    cuts: Image
    """(4, 48, 32, 3): top left, top right, then bottom right and bottom left turned by half."""
    hard: float
    """How hard the light is, to be used with `corner_lit`."""
    home: Quad
    hidden: Image
    """Which pixels of the photograph are covered; `home` is where the card lies in it."""


def corner_view(
    of: DrawnFace, rng: np.random.Generator, others: list[DrawnFace], *, turn: int = 0
) -> CornerView:
    """One photograph of a card, cut at its corners as a reader of indices sees them."""
    hard = rng.beta(1.2, 2.0)
    high = round(float(np.exp(rng.uniform(*np.log(_INDEX_PX)))))
    scene, home = _laid(of, rng, high, turn=turn, others=others)
    before = scene.copy()
    _cover(scene, home, rng, others, 0.4)
    hidden = (scene != before).any(2).astype(np.uint8)
    seen = _blurred(scene, rng, hard, high)
    astray = abs(rng.normal(0.01, 0.012))
    aim = home + rng.normal(0, 1, (4, 2)).astype(np.float32) * astray * high
    return CornerView(index_crops(seen, aim[None])[0], hard, home, hidden)


def corner_lit(cut: Image, rng: np.random.Generator, hard: float) -> Image:
    """Such a cut in some light: one photograph serves for several."""
    image = light.lit(cut, rng, hard)
    if rng.random() < 0.2 + 0.2 * hard:
        image = light.glare(image, rng, hard)
    return light.developed(image, rng, hard)


def print_on(card: DrawnFace, rng: np.random.Generator) -> Image:
    """A cut of something printed on a card, as large as a token: a detector may take it for one,
    so the reader has to learn that it is none."""
    hard = rng.beta(1.2, 2.0)
    side = float(np.exp(rng.uniform(*np.log(_TOKEN_PX))))
    grow = side / 20.0
    wide, high = card.pixels.shape[1], card.pixels.shape[0]
    wide, high = (n * grow * max(card.face.width, card.face.height) / high for n in (wide, high))
    pad = side / 2
    scene = surfaces.surface(rng, round(high + 2 * pad), round(wide + 2 * pad))
    _lay(scene, card, corners(wide, high) + np.float32(pad), rng, turn=180 * int(rng.integers(2)))
    seen = _blurred(scene, rng, hard, round(side))
    middle = rng.uniform(0.05, 0.95, 2) * (wide, high) + pad
    square = (corners(side, side) - side / 2) @ _spun(rng.uniform(0, 2 * np.pi)) + middle
    image = light.lit(card_crop(seen, square.astype(np.float32)), rng, hard)
    return light.developed(image, rng, hard)


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """A photograph of one card with others beside it and perhaps over it."""

    image: Image
    home: Quad
    """The corners of that card."""
    laid: list[Quad]
    """The corners of every card, in the order they were laid."""
    seen: list[float]
    """The share of each of those that is in view."""


def spread(of: DrawnFace, rng: np.random.Generator, others: list[DrawnFace]) -> Spread:
    """A random photograph of the card among others; cards may bear tokens, tokens lie on cards."""
    hard = rng.beta(1.2, 2.0)
    token = of.face.height < TOKEN_BELOW_MM
    low, top = (22, 80) if token else (44, 150)
    high = round(float(np.exp(rng.uniform(np.log(low), np.log(top)))))
    wide = high * of.pixels.shape[1] / of.pixels.shape[0] * rng.uniform(0.92, 1.08)
    pad = round(high * 0.5)
    scene = surfaces.surface(rng, high + 2 * pad, round(wide) + 2 * pad)
    slant = np.array([[1.0, rng.normal(0, 0.08)], [rng.normal(0, 0.08), rng.uniform(0.78, 1.03)]])
    flat = (corners(wide, high) - (wide / 2, high / 2)) @ slant + (wide / 2, high / 2)
    home = (flat + pad + rng.normal(0, 0.02, (4, 2)) * high).astype(np.float32)
    alike = [card for card in others if (card.face.height < TOKEN_BELOW_MM) == token]
    others = [card for card in others if card not in alike]
    pile = _pile(of, home, rng, alike, others if token else [])
    if not token and others and rng.random() < 0.35:
        pile += _tokens_on(of, home, rng, others)
    whose = np.zeros(scene.shape[:2], np.uint8)
    _lay_pile(scene, pile, whose, rng)
    if pile[-1][1] is home and rng.random() < 0.1:
        _thing(scene, home, rng)
    seen = light.lit(_blurred(scene, rng, hard, high), rng, hard)
    if rng.random() < 0.3:
        seen = light.glare(seen, rng, hard)
    many = np.bincount(whose.ravel(), minlength=len(pile) + 1)[1:]
    laid = [quad for _, quad in pile]
    areas = [abs(float(cv2.contourArea(quad))) for quad in laid]
    share = [float(n) / max(area, 1.0) for n, area in zip(many, areas, strict=True)]
    return Spread(light.developed(seen, rng, hard), home, laid, share)


def _lay_pile(
    scene: Image, pile: list[tuple[DrawnFace, Quad]], whose: Image, rng: np.random.Generator
) -> None:
    """Lay one after the other, and note in `whose` which is on top; perhaps all are in sleeves."""
    sleeved = rng.random() < _SLEEVED
    for number, (card, quad) in enumerate(pile, 1):
        if sleeved and card.face.height >= TOKEN_BELOW_MM:
            _sleeve(scene, quad, rng)
        _lay(scene, card, quad, rng, turn=180 * int(rng.integers(2)))
        cv2.fillConvexPoly(whose, np.round(quad).astype(np.int32), number)


def _pile(
    of: DrawnFace,
    home: Quad,
    rng: np.random.Generator,
    alike: list[DrawnFace],
    larger: list[DrawnFace],
) -> list[tuple[DrawnFace, Quad]]:
    """What lies there, in the order it was laid: neighbours, the card itself, some over it. For
    a token `larger` are the cards under all of these, mostly one."""
    pile: list[tuple[DrawnFace, Quad]] = []
    if larger and rng.random() < 0.7:
        card = larger[int(rng.integers(len(larger)))]
        grow = np.array([card.face.width / of.face.width, card.face.height / of.face.height])
        middle, spot = home.mean(0), rng.uniform(-0.5, 0.5, 2) * (1 - 0.8 / grow)
        a = rng.normal(0, 0.1) if rng.random() < 0.6 else rng.uniform(0, np.pi)
        size = np.diag(grow) @ _spun(a)
        step = ((home[1] - home[0]) * spot[0] + (home[3] - home[0]) * spot[1]) @ size
        pile.append((card, ((home - middle) @ size + middle - step).astype(np.float32)))

    def another() -> DrawnFace:
        return alike[int(rng.integers(len(alike)))]

    pile += [(another(), _beside(home, rng)) for _ in range(int(rng.integers(0, 3)))]
    pile.append((of, home))
    if rng.random() < (0.2 if larger else 0.55):
        many = 1 if rng.random() < 0.8 else 2
        pile += [(another(), _above(home, rng)) for _ in range(many)]
    return pile


def _tokens_on(
    card: DrawnFace, home: Quad, rng: np.random.Generator, tokens: list[DrawnFace]
) -> list[tuple[DrawnFace, Quad]]:
    out = []
    for _ in range(int(rng.integers(1, 4))):
        token = tokens[int(rng.integers(len(tokens)))]
        share = np.diag([token.face.width / card.face.width, token.face.height / card.face.height])
        u, v = rng.uniform(0.12, 0.88, 2)
        middle = home[0] + (home[1] - home[0]) * u + (home[3] - home[0]) * v
        quad = (home - home.mean(0)) @ share @ _spun(rng.uniform(0, 2 * np.pi)) + middle
        out.append((token, quad.astype(np.float32)))
    return out


def _spun(a: float) -> Quad:
    """The matrix of a turn by `a` radians, for points as rows."""
    return np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])


def _beside(home: Quad, rng: np.random.Generator) -> Quad:
    """Where a neighbour lies: in line with the card or at any angle. The card will cover a part
    of it."""
    w, h = home[1] - home[0], home[3] - home[0]
    step = w * rng.choice([-1, 1]) * rng.uniform(0.4, 1.3) + h * rng.normal(0, 0.1)
    if rng.random() < 0.5:
        step = h * rng.choice([-1, 1]) * rng.uniform(0.3, 1.3) + w * rng.normal(0, 0.3)
    a = rng.normal(0, 0.08) if rng.random() < 0.6 else rng.uniform(0, np.pi)
    middle = home.mean(0)
    return ((home - middle) @ _spun(a) + middle + step).astype(np.float32)


def _blurred(scene: Image, rng: np.random.Generator, hard: float, high: int) -> Image:
    blur = (0.35 + 0.9 * hard) * (0.6 + high / 150)
    seen = light.blurred(scene, rng, blur)
    seen = light.grainy(seen, rng, hard)
    return light.compressed(seen, rng) if rng.random() < 0.7 else seen


def _ground(
    rng: np.random.Generator, size: tuple[int, int], others: list[DrawnFace] | None
) -> Image:
    if others and rng.random() < 0.35:
        other = others[int(rng.integers(len(others)))].pixels
        return cv2.resize(other, size, interpolation=cv2.INTER_LINEAR)
    return surfaces.surface(rng, size[1], size[0])


def _lay(
    scene: Image, card: DrawnFace, home: Quad, rng: np.random.Generator, *, turn: int = 0
) -> None:
    pixels = card.pixels
    if turn:
        pixels = np.ascontiguousarray(np.rot90(pixels, -turn // 90))
    high = max(float(np.linalg.norm(home[3] - home[0])), 1.0)
    level = min(1.0, high / pixels.shape[0] * 1.25)
    if level < 0.8:
        small = (max(8, round(pixels.shape[1] * level)), max(8, round(pixels.shape[0] * level)))
        pixels = cv2.resize(pixels, small, interpolation=cv2.INTER_AREA)
    height, width = pixels.shape[:2]
    way = cv2.getPerspectiveTransform(corners(width, height), home)
    size = (scene.shape[1], scene.shape[0])
    warped = cv2.warpPerspective(
        pixels, way, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    mask = np.zeros(scene.shape[:2], np.uint8)
    outline = rectangle(0, 0, width, height, card.face.corner / card.face.width * width)
    outline = cv2.perspectiveTransform(outline.reshape(-1, 1, 2), way.astype(np.float64))
    cv2.fillConvexPoly(mask, np.round(outline * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    if rng.random() < 0.8:  # the card's own soft shadow
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.8, high * 0.012))
        dark = cv2.addWeighted(soft, -rng.uniform(0.1, 0.5), soft, 0, 255)
        cv2.multiply(scene, cv2.merge([dark] * 3), scene, 1 / 255)
    cv2.copyTo(warped, mask, scene)


def _above(home: Quad, rng: np.random.Generator) -> Quad:
    """Where a card lies that covers this one, as in a row, a column or at any angle. A strip of
    this one stays in view."""
    w, h = home[1] - home[0], home[3] - home[0]
    lot = rng.random()
    aside, along = rng.choice([-1, 1], 2)
    if lot < 0.6:
        step = w * aside * rng.uniform(0.35, 0.9) + h * rng.normal(0, 0.05)
    elif lot < 0.8:
        step = h * along * rng.uniform(0.3, 0.9) + w * rng.normal(0, 0.08)
    else:
        step = w * aside * rng.uniform(0.3, 0.9) + h * along * rng.uniform(0.2, 0.8)
    middle = home.mean(0)
    a = rng.normal(0, 0.09 if lot < 0.8 else 0.3) + (np.pi if rng.random() < 0.4 else 0)
    return ((home - middle) @ _spun(a) + middle + step).astype(np.float32)


def _sleeve(scene: Image, home: Quad, rng: np.random.Generator) -> None:
    """A clear sleeve a little larger than the card: the card ends inside it."""
    rim = grown(home, float(rng.uniform(0.012, 0.04)))
    shape = np.round(rim * 16).astype(np.int32)
    tint = scene.copy()
    ink = tuple(int(v) for v in rng.integers(90, 256, 3))
    share = float(rng.uniform(0.25, 0.6))
    cv2.fillConvexPoly(tint, shape, ink, cv2.LINE_AA, 4)
    cv2.addWeighted(tint, share, scene, 1 - share, 0, dst=scene)
    cv2.polylines(scene, [shape], True, ink, 1, cv2.LINE_AA, 4)


def _thing(scene: Image, home: Quad, rng: np.random.Generator) -> None:
    """A coin, a die, a pen, a fingertip on the card."""
    middle, span = home.mean(0), np.ptp(home, 0)
    at = middle + rng.uniform(-0.45, 0.45, 2) * span
    ink = tuple(int(v) for v in rng.integers(0, 256, 3))
    match int(rng.integers(3)):
        case 0:
            axes = tuple(int(v) for v in rng.uniform(0.06, 0.2, 2) * span[1])
            turn, spot = float(rng.uniform(0, 180)), (int(at[0]), int(at[1]))
            cv2.ellipse(scene, spot, axes, turn, 0, 360, ink, -1, cv2.LINE_AA)
        case 1:
            end = at + rng.normal(0, 1, 2) * span
            thick = max(2, round(float(span[1]) * 0.1))
            cv2.line(scene, _whole(at), _whole(end), ink, thick, cv2.LINE_AA)
        case _:
            away = at - middle
            end = middle + away / max(float(np.linalg.norm(away)), 1.0) * float(span[1])
            shade = rng.uniform(0.35, 1.15)
            skin = (int(120 * shade), int(150 * shade), int(205 * shade))
            thick = max(3, round(float(span[1]) * rng.uniform(0.14, 0.2)))
            cv2.line(scene, _whole(at), _whole(end), skin, thick, cv2.LINE_AA)


def _whole(at: Quad) -> tuple[int, int]:
    return round(float(at[0])), round(float(at[1]))
