"""Random table tops to lay things on: wood, carpet, cloth, tiles, print, or a plain board."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.sim.faces.canvas import Image
from companion.sim.render.clutter import photograph
from companion.sim.render.light import Floats, soft_field


def surface(rng: np.random.Generator, height: int, width: int) -> Image:
    """A random piece of some table top."""
    base = rng.uniform(0.05, 0.95, 3) if rng.random() < 0.4 else _earthy(rng)
    kind = int(rng.integers(6))
    make = {0: _wood, 1: _carpet, 2: _cloth, 3: _tiles}.get(kind, _plain)
    field = make(rng, height, width)
    stains = soft_field(rng, height, width, int(rng.integers(2, 9)))
    field += stains * np.float32(rng.uniform(0, 0.08))
    colour = base.astype(np.float32)[None, None] * (1 + field[..., None] * 1.5)
    image = np.clip(colour * 255, 0, 255).astype(np.uint8)
    if kind == 5:  # a printed cloth or a magazine: shapes all over
        for _ in range(int(rng.integers(5, 60))):
            _blot(image, rng)
    return image


def printed(rng: np.random.Generator, height: int, width: int) -> Image:
    """A printed cloth, a magazine or a photograph that fills the picture: things that may be taken
    for cards and dice all over, and none."""
    if rng.random() < 0.4:
        return photograph(rng, height, width)
    image = surface(rng, height, width)
    step = int(rng.integers(14, 90))
    ink, other = (tuple(int(v) for v in rng.integers(0, 256, 3)) for _ in range(2))
    kind, turn = int(rng.integers(6)), int(rng.integers(2))
    for row, y in enumerate(range(step // 2, height, step)):
        for column, x in enumerate(range(step // 2 + (row % 2) * step // 2 * turn, width, step)):
            colour = ink if (row + column) % 2 else other
            _figure(image, kind, (x, y, step), colour)
    return image


def _figure(image: Image, kind: int, at: tuple[int, int, int], ink: tuple[int, ...]) -> None:
    """One figure of a pattern: a dot, a box, a ring, a flower, a check, a letter."""
    x, y, step = at
    r = max(2, step // 3)
    match kind:
        case 0:
            cv2.circle(image, (x, y), r, ink, -1, cv2.LINE_AA)
        case 1:
            cv2.rectangle(image, (x - r, y - r), (x + r, y + r), ink, -1)
        case 2:
            cv2.circle(image, (x, y), r, ink, max(1, r // 4), cv2.LINE_AA)
        case 3:
            for a in np.arange(5) * 2 * np.pi / 5:
                spot = (int(x + r * 0.6 * np.cos(a)), int(y + r * 0.6 * np.sin(a)))
                cv2.circle(image, spot, max(1, r // 3), ink, -1, cv2.LINE_AA)
        case 4:
            cv2.rectangle(image, (x - step // 2, y - step // 2), (x, y), ink, -1)
        case _:
            letter = chr(65 + (x * 7 + y * 3) % 26)
            cv2.putText(image, letter, (x - r, y + r), 2, step / 40, ink, 2, cv2.LINE_AA)


def _wood(rng: np.random.Generator, height: int, width: int) -> Floats:
    rows = max(2, int(height / rng.uniform(1.5, 8)))
    columns = max(2, int(width / rng.uniform(30, 120)))
    streaks = rng.normal(0, 1, (rows, columns)).astype(np.float32)
    field: Floats = cv2.resize(streaks, (width, height), interpolation=cv2.INTER_CUBIC)
    field = field * np.float32(rng.uniform(0.02, 0.14))
    if rng.random() < 0.5:
        field = np.ascontiguousarray(cv2.resize(field.T, (width, height)))
    return field


def _carpet(rng: np.random.Generator, height: int, width: int) -> Floats:
    step = rng.uniform(1, 6)
    cells = (max(2, int(height / step)), max(2, int(width / step)))
    grain = rng.normal(0, 1, cells).astype(np.float32)
    field = cv2.resize(grain, (width, height), interpolation=cv2.INTER_LINEAR)
    return field * np.float32(rng.uniform(0.02, 0.2))


def _cloth(rng: np.random.Generator, height: int, width: int) -> Floats:
    x = np.arange(width, dtype=np.float32)[None]
    y = np.arange(height, dtype=np.float32)[:, None]
    step = rng.uniform(2, 14)
    threads = np.sin(x * 2 * np.pi / step) * np.sin(y * 2 * np.pi / step)
    return (threads * rng.uniform(0.01, 0.12)).astype(np.float32)


def _tiles(rng: np.random.Generator, height: int, width: int) -> Floats:
    field = np.zeros((height, width), np.float32)
    step = int(rng.integers(20, 120))
    field[::step, :] -= rng.uniform(0.1, 0.4)
    if rng.random() < 0.6:
        field[:, ::step] -= rng.uniform(0.1, 0.4)
    return cv2.GaussianBlur(field, (0, 0), rng.uniform(0.5, 1.5))


def _plain(rng: np.random.Generator, height: int, width: int) -> Floats:  # noqa: ARG001
    return np.zeros((height, width), np.float32)


def _blot(image: Image, rng: np.random.Generator) -> None:
    height, width = image.shape[:2]
    ink = tuple(int(v) for v in rng.integers(0, 256, 3))
    x, y = int(rng.integers(width)), int(rng.integers(height))
    match int(rng.integers(4)):
        case 0:
            w, h = (int(v) for v in rng.integers(3, max(4, width // 3), 2))
            cv2.rectangle(image, (x, y), (x + w, y + h), ink, -1 if rng.random() < 0.7 else 2)
        case 1:
            axes = tuple(int(v) for v in rng.integers(2, max(3, width // 6), 2))
            cv2.ellipse(
                image, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, ink, -1, cv2.LINE_AA
            )
        case 2:
            to = int(rng.integers(width)), int(rng.integers(height))
            cv2.line(image, (x, y), to, ink, int(rng.integers(1, 6)), cv2.LINE_AA)
        case _:
            text = "".join(chr(c) for c in rng.integers(65, 91, int(rng.integers(2, 12))))
            font = int(rng.integers(0, 5))
            cv2.putText(
                image,
                text,
                (x - width // 3, y),
                font,
                float(rng.uniform(0.3, 1.6)),
                ink,
                int(rng.integers(1, 4)),
                cv2.LINE_AA,
            )


def _earthy(rng: np.random.Generator) -> npt.NDArray[Any]:
    """The colour of a wooden, grey, green or dark table: blue, green, red."""
    light = rng.uniform(0.04, 0.9)
    tone = rng.choice(4)
    tilt = [(0.55, 0.75, 1.0), (1.0, 1.0, 1.0), (0.75, 1.0, 0.7), (1.0, 0.8, 0.75)][tone]
    return np.clip(light * np.asarray(tilt) * rng.uniform(0.9, 1.1, 3), 0, 1)
