"""Dice as real cubes: rounded edges, pips cut in, sides in view, marbled or plain."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.sim.faces.canvas import Image

Floats = npt.NDArray[Any]
BGR = tuple[float, float, float]
"""A colour: blue, green and red, 0 to 1."""

_SPOTS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Where the pips of each number sit; 1 is the style's `spread` away from the middle."""

_LEAST_CONTRAST = 30.0
"""Pips are at least this much lighter or darker than the body; black and white are 100 apart. A
difference in hue alone is not enough, because not everybody sees every colour."""
_HOLDS_CUBE = 1.73
"""A ball of this radius, the root of three, holds the whole cube."""


@dataclass(frozen=True, slots=True)
class DieLook:
    """How one die is made. Lengths are shares of half a side, strengths run from 0 to 1."""

    body: BGR = (0.93, 0.95, 0.96)
    vein: BGR = (0.93, 0.95, 0.96)
    """The second colour of a marbled die."""
    marbled: float = 0.0
    """How strong the veins are; 0 is one plain colour."""
    pip: BGR = (0.05, 0.05, 0.05)
    pip_size: float = 0.19
    """The radius of a pip."""
    spread: float = 0.5
    """How far the outer pips sit from the middle."""
    rounding: float = 0.25
    """The radius of the edges."""
    shine: float = 0.5
    """How strong the highlight of the lamp is."""
    ring: float = 0.0
    """How strong the lamp is mirrored as a ring in the top face."""
    big_one: float = 1.0
    """How much larger than other pips the pip of a one is."""
    seed: int = 0
    """Of the veins, and of which numbers are on which sides."""
    fine: float = 2.2
    """How fine the marbling is."""
    ball: float = 2.0
    """The corners are cut off by a ball of this radius, if it is less than the root of three."""
    narrow: float = 1.0
    """The distance of the two columns of a six, compared with that of other pips."""
    bowl: float = 0.0
    """The slope at the rims of the faces: above 0 they are hollow, below 0 they bulge."""
    rim: float = 1.0
    """1 is a bowl; more is flat in the middle, with a steeper rim."""
    pit: float = 0.0
    """How steep the walls of pips are."""
    lamps: int = 0
    """How many lamps are mirrored in it."""


def everyday_style(rng: np.random.Generator) -> DieLook:
    """A random die such as people own: mostly plain, some marbled, some dim. Its pips stand out
    from the body, or nobody would play with it."""
    body = _paint(rng)
    vein = _clipped(np.asarray(body) + rng.normal(0, 0.3, 3))
    marbled = float(rng.uniform(0.3, 1) if rng.random() < 0.4 else 0.0)
    plain = (0.97, 0.97, 0.97) if _brightness(body) < 0.5 else (0.04, 0.04, 0.04)
    roll = rng.random()
    pip = plain if roll < 0.6 else (0.08, 0.05, 0.75) if roll < 0.7 else _paint(rng)
    grounds = [body, vein] if marbled else [body]
    for _ in range(20):
        if all(abs(_lightness(pip) - _lightness(each)) > _LEAST_CONTRAST for each in grounds):
            break
        pip = _paint(rng)
    else:
        pip, vein = plain, body
    return DieLook(
        body=body,
        vein=vein,
        marbled=marbled,
        pip=pip,
        pip_size=rng.uniform(0.13, 0.25),
        spread=rng.uniform(0.42, 0.58),
        rounding=rng.uniform(0.08, 0.5),
        shine=rng.uniform(0, 1.0),
        ring=float(rng.uniform(0.2, 0.9) if rng.random() < 0.3 else 0.0),
        big_one=rng.uniform(1, 1.7) if rng.random() < 0.3 else 1.0,
        seed=int(rng.integers(1 << 30)),
    )


def hard_style(rng: np.random.Generator) -> DieLook:
    """A die as in the worst photographs: hollow faces, pits that shine, lamps mirrored across
    pips, veins of another colour, pips that hardly differ from the body. For training; harder
    than `everyday_style`."""
    if rng.random() < 0.22:
        return replace(hard_style(rng), **_smoky(rng))
    body, vein = _paint(rng), _paint(rng)
    marbled = float(rng.uniform(0.3, 1) if rng.random() < 0.5 else 0.0)
    if rng.random() < 0.4:
        vein = _clipped(np.asarray(body) + rng.normal(0, 0.2, 3))
    grounds = [np.asarray(body), np.asarray(vein)] if marbled > 0.4 else [np.asarray(body)]
    pip = _any_pip(rng, grounds)
    if rng.random() < 0.3:  # pips that hardly differ from the body
        faint = rng.uniform(0.5, 0.85)
        pip = tuple(float(b + (p - b) * faint) for b, p in zip(body, pip, strict=True))  # type: ignore[assignment]
    # With some makers the pips of a four are as close together as those of a five with others.
    spread = rng.uniform(0.32, 0.64)
    return DieLook(
        body=body,
        vein=vein,
        marbled=marbled,
        pip=pip,
        pip_size=min(rng.uniform(0.12, 0.28), 0.5 * spread),
        spread=spread,
        rounding=rng.uniform(0.08, 0.5),
        shine=rng.uniform(0, 1.0),
        ring=float(rng.uniform(0.2, 0.9) if rng.random() < 0.15 else 0.0),
        big_one=rng.uniform(1, 1.7) if rng.random() < 0.3 else 1.0,
        seed=int(rng.integers(1 << 30)),
        fine=float(rng.uniform(1.2, 5.0)),
        ball=rng.uniform(1.28, 1.6) if rng.random() < 0.4 else 2.0,
        narrow=rng.uniform(0.75, 1.05) if rng.random() < 0.5 else 1.0,
        bowl=float(rng.normal(0, 0.22)) if rng.random() < 0.8 else 0.0,
        rim=float(rng.choice([1, 1, 2, 4, 7])),
        pit=rng.uniform(0.2, 1.2) if rng.random() < 0.7 else 0.0,
        lamps=int(rng.integers(1, 5)) if rng.random() < 0.8 else 0,
    )


def _any_pip(rng: np.random.Generator, grounds: list[Floats]) -> BGR:
    """A colour for the pips that can be told from every colour of the body, `grounds`."""
    unlike = rng.uniform(0.18, 0.5)
    brightness = float(np.mean([_brightness(ground) for ground in grounds]))
    plain = (0.96, 0.96, 0.96) if brightness < 0.5 else (0.05, 0.05, 0.05)
    if rng.random() >= 0.6:
        return plain
    same_brightness = rng.random() < 0.4  # only the hue differs: red on blue
    for _ in range(12):
        colour = _paint(rng)
        if same_brightness:
            dim = brightness / max(_brightness(colour), 0.05)
            colour = _clipped(np.asarray(colour) * dim)
        if all(np.abs(np.asarray(colour) - ground).max() > unlike for ground in grounds):
            return colour
    return plain


def _smoky(rng: np.random.Generator) -> dict[str, Any]:
    """What is special about dice of dark glass: smoky veins, and pips of a deep colour that are
    hardly brighter than the body."""
    dark = rng.uniform(0.1, 0.42)
    tint = rng.uniform(0.8, 1.2, 3)
    hue = rng.normal(0, 6) % 180 if rng.random() < 0.65 else rng.uniform(0, 180)
    pip = _of_hue(hue, rng.uniform(140, 255), rng.uniform(80, 210))
    return {
        "body": _clipped(dark * tint),
        "vein": _clipped(dark * tint * rng.uniform(0.3, 1.9) + rng.normal(0, 0.04, 3)),
        "marbled": float(rng.uniform(0.3, 1)),
        "pip": pip,
    }


def _clipped(colour: Floats) -> BGR:
    b, g, r = (float(v) for v in np.clip(colour, 0, 1))
    return b, g, r


def _brightness(colour: BGR | Floats) -> float:
    """The weighted mean of blue, green and red, 0 to 1: quick, and good enough to choose black or
    white pips by."""
    return float(np.dot(colour, (0.11, 0.59, 0.3)))


def _lightness(colour: BGR) -> float:
    """How light people see the colour: black is 0, white 100."""
    pixel = np.array([[colour]], np.float32)
    return float(cv2.cvtColor(pixel, cv2.COLOR_BGR2LAB)[0, 0, 0])


def _of_hue(hue: float, deep: float, bright: float) -> BGR:
    """A colour by hue (0 to 180), saturation and value (0 to 255), as OpenCV counts them."""
    pixel = np.array([[[hue, deep, bright]]], np.uint8)
    return _clipped(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] / 255)


def _paint(rng: np.random.Generator) -> BGR:
    """A colour dice are made in: nearly white, nearly black, or any other."""
    roll = rng.random()
    if roll < 0.22:
        v = rng.uniform(0.8, 1)
        return v * rng.uniform(0.8, 1), v * rng.uniform(0.92, 1), v
    if roll < 0.4:
        v = rng.uniform(0.03, 0.25)
        return tuple(float(c) for c in v * rng.uniform(0.7, 1.3, 3))  # type: ignore[return-value]
    hue = rng.uniform(0, 180)
    return _of_hue(hue, rng.uniform(110, 255), rng.uniform(60, 250))


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A die seen from one side: its colours, how much of each pixel it covers, and its value."""

    colour: Image
    cover: Image
    value: int
    side: float
    """Pixels to a side of the cube's top face."""


def sprite(
    value: int, style: DieLook, rng: np.random.Generator, side: int = 40, tilt: float | None = None
) -> Sprite:
    """One die on the table under one camera and one lamp; the camera leans by `tilt` degrees."""
    lean = np.radians(min(abs(rng.normal(0, 16)), 42) if tilt is None else tilt)
    toward, yaw = rng.uniform(0, 2 * np.pi, 2)
    px = round(side * 2.0)
    grid = (np.arange(px, dtype=np.float32) - (px - 1) / 2) / (side / 2)
    x, y = np.meshgrid(grid, grid)
    back = _axes(lean, toward)
    rays = x[..., None] * back[0] + y[..., None] * back[1] + 3.0 * back[2]
    spin = np.array(
        [[np.cos(yaw), np.sin(yaw), 0], [-np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]], np.float32
    )
    start = (rays @ spin.T).reshape(-1, 3)
    way = (-back[2] @ spin.T).astype(np.float32)
    at, hit = _march(start, way, style)
    lamp = rng.normal(0, 0.6, 3)
    lamp[2] = 1.2
    lamp = (lamp / np.linalg.norm(lamp)) @ spin.T
    colour = _shade(at, value, style, lamp.astype(np.float32), -way, rng)
    cover = cv2.GaussianBlur((hit.reshape(px, px) * 255).astype(np.uint8), (3, 3), 0)
    pixels = (np.clip(colour, 0, 1) * 255).astype(np.uint8).reshape(px, px, 3)
    return Sprite(pixels, cover, value, float(side))


def _axes(lean: float, toward: float) -> Floats:
    """The camera's right, down and backward directions over the table (z up)."""
    back = np.array([np.sin(lean) * np.cos(toward), np.sin(lean) * np.sin(toward), np.cos(lean)])
    right = np.array([1.0, 0, 0]) - back[0] * back
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(back, right) * 1.0, back]).astype(np.float32)


def _march(start: Floats, way: Floats, style: DieLook) -> tuple[Floats, npt.NDArray[Any]]:
    """Where rays meet a rounded cube whose half side is 1, and which rays do (sphere tracing)."""
    at = start.T.copy()  # three long rows are summed far quicker than many short ones
    inner, rounding = np.float32(1 - style.rounding), np.float32(style.rounding)
    far = np.zeros(len(start), np.float32)
    for _ in range(14):
        q = np.abs(at) - inner
        out = np.maximum(q, 0) ** 2
        outside = np.sqrt(out[0] + out[1] + out[2])
        far = outside + np.minimum(q.max(0), 0) - rounding
        if style.ball < _HOLDS_CUBE:
            far = np.maximum(far, np.sqrt((at**2).sum(0)) - np.float32(style.ball))
        at += far * way[:, None]
    return np.ascontiguousarray(at.T), far < 0.04


def _shade(
    at: Floats, value: int, style: DieLook, lamp: Floats, eye: Floats, rng: np.random.Generator
) -> Floats:
    """The colour of each point of the die: body and pips, lit by the lamp as seen from `eye`."""
    inner = np.float32(1 - style.rounding)
    normal = np.where(np.abs(at) > inner, at - np.sign(at) * inner, 0)
    flat = np.abs(normal).max(1) < 1e-3
    normal[flat] = at[flat]
    normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-6
    if style.ball < _HOLDS_CUBE:
        out = np.linalg.norm(at, axis=1, keepdims=True)
        normal = np.where(out > style.ball - 0.02, at / out, normal)
    body = np.tile(np.asarray(style.body, np.float32), (len(at), 1))
    if style.marbled:
        r = np.random.default_rng(style.seed)
        wave = np.zeros(len(at), np.float32)
        for _ in range(3):
            k, phase = r.normal(0, style.fine, 3).astype(np.float32), np.float32(r.uniform(0, 6))
            wave += np.sin(at @ k + phase + np.sin(at @ k[::-1] * 1.7))
        share = np.clip(wave * 0.5 + 0.5, 0, 1)[:, None] * np.float32(style.marbled)
        body = body * (1 - share) + np.asarray(style.vein, np.float32) * share
    pit, lean = _pits(at, value, style)
    if style.bowl or style.pit:
        normal = _hollowed(at, normal, lean, style)
    colour = body * (1 - pit[:, None]) + np.asarray(style.pip, np.float32) * pit[:, None]
    light = 0.45 + 0.55 * np.clip(normal @ lamp, 0, 1)
    light *= np.where(normal[:, 2] > 0.6, 1.0, np.float32(rng.uniform(0.6, 0.95)))
    half = lamp + eye
    half /= np.linalg.norm(half) + 1e-6
    gloss = np.clip(normal @ half, 0, 1) ** np.float32(rng.uniform(20, 90)) * np.float32(
        style.shine * 0.9
    )
    flat_share = np.where(np.abs(at).max(1) > 0.97, np.float32(0.4), np.float32(1.0))
    out = colour * light[:, None] + (gloss * flat_share * (1 - 0.5 * pit))[:, None]
    if style.ring:
        out += _ring(at, style, rng)[:, None]
    if style.lamps:
        out += _mirrored(at, normal, eye, style, rng)
    return out.astype(np.float32)


def _pits(at: Floats, value: int, style: DieLook) -> tuple[Floats, Floats]:
    """How much of each point is pip, on all faces, and which way the wall of its pit leans."""
    pit = np.zeros(len(at), np.float32)
    lean = np.zeros((len(at), 3), np.float32)
    for (axis, sign), number in _numbered_faces(value, style).items():
        on = at[:, axis] * sign > 0.9
        if axis != 2:
            on = on & (at[:, 2] < 0.97)
        if not on.any():
            continue
        here, wall = _pits_on_face(at[on], axis, number, style)
        pit[on] = np.maximum(pit[on], here)
        lean[on] = wall
    return pit, lean


def _numbered_faces(value: int, style: DieLook) -> dict[tuple[int, int], int]:
    """The number on each face that can be seen, by the face's axis and direction. `value` is on
    top; opposite faces add up to seven."""
    sides = [v for v in range(1, 7) if v not in (value, 7 - value)]
    r = np.random.default_rng(style.seed + value)
    a = int(r.choice(sides))
    b = int(r.choice([v for v in sides if v not in (a, 7 - a)]))
    return {(2, 1): value, (0, 1): a, (0, -1): 7 - a, (1, 1): b, (1, -1): 7 - b}


def _pits_on_face(at: Floats, axis: int, number: int, style: DieLook) -> tuple[Floats, Floats]:
    """As `_pits`, for points that all lie on one face."""
    across = [k for k in range(3) if k != axis]
    turned = bool((style.seed >> (axis + 1)) & 1)
    u, v = (at[:, k] for k in across)
    if turned:
        u, v = v, -u
    grown = style.pip_size * (style.big_one if number == 1 else 1.0)
    wide = style.spread * (style.narrow if number == 6 else 1.0)
    spots = np.array([(x * wide, y * style.spread) for x, y in _SPOTS[number]], np.float32)
    du, dv = u[:, None] - spots[:, 0], v[:, None] - spots[:, 1]
    far = np.hypot(du, dv)
    which = far.argmin(1)[:, None]
    near, du, dv = (np.take_along_axis(of, which, 1)[:, 0] for of in (far, du, dv))
    if turned:
        du, dv = -dv, du
    here = np.clip((grown - near) / 0.06 + 0.5, 0, 1)
    wall = np.zeros((len(at), 3), np.float32)
    wall[:, across[0]], wall[:, across[1]] = -du * here / grown, -dv * here / grown
    return here, wall


def _hollowed(at: Floats, normal: Floats, lean: Floats, style: DieLook) -> Floats:
    """Normals bent inward by hollow faces and by the walls of pips."""
    flat = np.abs(at) > 0.97
    slope = np.where(flat, 0, at * np.abs(at) ** np.float32(style.rim - 1))
    on_face = flat.any(1, keepdims=True)
    bent = normal - np.where(on_face, slope * np.float32(style.bowl), 0)
    bent = bent + lean * np.float32(style.pit)
    out: Floats = bent / (np.linalg.norm(bent, axis=1, keepdims=True) + 1e-6)
    return out


def _mirrored(
    at: Floats, normal: Floats, eye: Floats, style: DieLook, rng: np.random.Generator
) -> Floats:
    """The light of lamps mirrored in polished plastic: discs, tubes and rings, wherever the
    surface is tilted towards them."""
    back = 2 * (normal @ eye)[:, None] * normal - eye
    out = np.zeros((len(normal), 3), np.float32)
    top = at[:, 2] > 0.9
    for _ in range(style.lamps):
        high, turn = rng.uniform(0, 1.2), rng.uniform(0, 2 * np.pi)
        lamp = np.array([np.sin(high) * np.cos(turn), np.sin(high) * np.sin(turn), np.cos(high)])
        side = np.cross(lamp, rng.normal(0, 1, 3))
        side /= np.linalg.norm(side)
        x, y = back @ side, back @ np.cross(lamp, side)
        wide, long = rng.uniform(0.04, 0.25), rng.uniform(0.1, 0.9)
        match int(rng.integers(3)):
            case 0:
                off = np.hypot(x, y) - wide
            case 1:
                off = np.maximum(np.abs(x) - wide, np.abs(y) - long)
            case _:
                off = np.abs(np.hypot(x, y) - long) - wide / 2
        soft = rng.uniform(0.01, 0.1)
        seen = np.clip(0.5 - off / (2 * soft), 0, 1) * (back @ lamp > 0)
        # Dim a lamp that fills much of the top face: it would hide the number.
        strength = rng.uniform(0.15, 1.0) * min(1.0, 0.25 / max(float(seen[top].mean()), 1e-3))
        out += (seen * strength)[:, None] * rng.uniform(0.85, 1, 3)
    return out.astype(np.float32)


def _ring(at: Floats, style: DieLook, rng: np.random.Generator) -> Floats:
    """The lamp's curved mirror image in a hollow top face."""
    radius, wide = rng.uniform(0.4, 0.8), rng.uniform(0.04, 0.12)
    centre = rng.normal(0, 0.1, 2)
    angle, arc = rng.uniform(-np.pi, np.pi), rng.uniform(0.5, 3.2)
    x, y = at[:, 0] - centre[0], at[:, 1] - centre[1]
    near = np.exp(-(((np.hypot(x, y) - radius) / wide) ** 2))
    turn = np.abs((np.arctan2(y, x) - angle + np.pi) % (2 * np.pi) - np.pi)
    return np.where((at[:, 2] > 0.9) & (turn < arc), near * style.ring, 0).astype(np.float32)
