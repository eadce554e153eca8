"""What light, lens, sensor and file do to a picture, at random.

`hard` runs from 0, a good lamp and camera, to 1.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.sim.faces.canvas import Image
from companion.sim.render import traced

Floats = npt.NDArray[Any]
_TRACED = 0.45
"""How often light is of a traced room, where there are maps of such."""


def soft_field(rng: np.random.Generator, height: int, width: int, cells: int = 3) -> Floats:
    """A smooth random field of about -1 to 1, for uneven light, stains and the like."""
    coarse = rng.uniform(-1, 1, (cells, cells)).astype(np.float32)
    return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)


def lit(image: Image, rng: np.random.Generator, hard: float) -> Image:
    """Uneven light and, now and then, the edge of a shadow."""
    height, width = image.shape[:2]
    maps = traced.maps()
    if maps is not None and rng.random() < _TRACED:
        fall = maps.falling(rng, height, width) ** np.float32(rng.uniform(0.5, 0.8 + 0.4 * hard))
        return cv2.multiply(image, fall, dtype=cv2.CV_8U)
    field = 1 + soft_field(rng, height, width, 2) * rng.uniform(0, 0.12 + 0.25 * hard)
    if rng.random() < 0.15 + 0.2 * hard:
        field *= _shadow(rng, height, width)
    return cv2.multiply(image, cv2.merge([field] * 3), dtype=cv2.CV_8U)


def _shadow(rng: np.random.Generator, height: int, width: int) -> Floats:
    """The share of light left at each pixel, with a soft straight edge across the picture."""
    angle = rng.uniform(0, 2 * np.pi)
    x = np.linspace(-1, 1, 64, dtype=np.float32)[None, :] * np.cos(angle)
    y = np.linspace(-1, 1, 64, dtype=np.float32)[:, None] * np.sin(angle)
    soft = rng.uniform(0.05, 0.5)
    edge = 1 / (1 + np.exp(-np.clip((x + y - rng.uniform(-0.8, 0.8)) / soft * 4, -30, 30)))
    dark = (1 - rng.uniform(0.2, 0.65) * edge).astype(np.float32)
    return cv2.resize(dark, (width, height), interpolation=cv2.INTER_CUBIC)


def glare(
    image: Image, rng: np.random.Generator, hard: float, gloss: Floats | None = None
) -> Image:
    """A lamp mirrored in varnish: ink turns pale or brown, paper stays white. `gloss` says how
    strongly each pixel mirrors, 0 to 1."""
    height, width = image.shape[:2]
    maps = traced.maps()
    veil: Floats
    for _ in range(int(rng.integers(1, 3))):
        if maps is not None and rng.random() < _TRACED:
            veil = maps.mirrored(rng, height, width) * np.float32(
                rng.uniform(0.3, 0.7 + 0.3 * hard)
            )
        else:
            coarse = _veil(rng, hard, height / width)
            veil = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
        veil = np.clip(veil if gloss is None else veil * gloss, 0, 1)
        lamp = np.empty_like(image)
        lamp[:] = tuple(int(255 * rng.uniform(low, 1)) for low in (0.75, 0.85, 0.98))
        image = cv2.blendLinear(lamp, image, veil, 1 - veil)
    return image


def _veil(rng: np.random.Generator, hard: float, high: float) -> Floats:
    """How much of the lamp is mirrored at each place, on a coarse grid; `high` is the height of
    the picture, its width being 1."""
    cells = 56
    cx, cy = rng.uniform(-0.1, 1.1), rng.uniform(-0.1, 1.1) * high
    size = rng.uniform(0.15, 0.75) * max(high, 1.0)
    angle, long = rng.uniform(0, np.pi), rng.uniform(1, 3)
    x = np.linspace(0, 1, cells, dtype=np.float32)[None, :] - np.float32(cx)
    y = np.linspace(0, high, cells, dtype=np.float32)[:, None] - np.float32(cy)
    along, across = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    far = (along / (size * long)) ** 2 + (across / size) ** 2
    fade = np.exp(-np.minimum(far ** rng.uniform(0.5, 3), 30) * 2)
    return (rng.uniform(0.2, 0.65 + 0.3 * hard) * fade).astype(np.float32)


def developed(image: Image, rng: np.random.Generator, hard: float) -> Image:
    """White balance, exposure and tone, by one lookup table per channel."""
    if rng.random() < 0.35:
        strong = rng.uniform(0.55, 1.35)
        mix = np.full((3, 3), (1 - strong) / 3) + np.eye(3) * strong
        image = cv2.transform(image, mix)
    cast = rng.normal(0, 0.05 + 0.1 * hard, 3)
    cast -= cast.mean()
    exposure = np.exp(rng.normal(0.0, 0.14 + 0.22 * hard) - 0.06 - 0.12 * hard)
    gamma = np.exp(rng.normal(0, 0.15 + 0.1 * hard))
    lift = rng.uniform(0, 0.06 + 0.1 * hard)
    top = rng.uniform(0.9, 1.04)
    levels = np.arange(256)[:, None] / 255 * exposure * np.exp(cast)[None]
    tone = lift + np.clip(levels, 0, 1) ** gamma * (top - lift)
    table = np.clip(tone * 255, 0, 255).astype(np.uint8)
    return cv2.LUT(image, table.reshape(256, 1, 3))


@lru_cache(maxsize=1)
def _grain() -> npt.NDArray[Any]:
    """One sheet of noise with a standard deviation of 64."""
    return np.random.default_rng(0).normal(0, 64, (1024, 1024, 3)).astype(np.int16)


def grainy(image: Image, rng: np.random.Generator, hard: float) -> Image:
    """Sensor noise, a piece of one sheet: fresh noise would cost more than all the rest."""
    height, width = image.shape[:2]
    strength = abs(rng.normal(0, 2.0 + 6.0 * hard))
    if strength < 0.5 or height > 1024 or width > 1024:
        return image
    y, x = int(rng.integers(1025 - height)), int(rng.integers(1025 - width))
    sheet = _grain()[y : y + height, x : x + width]
    return cv2.addWeighted(image, 1.0, sheet, strength / 64, 0, dtype=cv2.CV_8U)


def blurred(image: Image, rng: np.random.Generator, most: float) -> Image:
    """Soft focus, or a camera that moved; `most` is the widest blur in pixels."""
    if rng.random() < 0.7:
        sigma = rng.uniform(0, most)
        if sigma < 0.25:
            return image
        return cv2.GaussianBlur(image, (0, 0), sigma)
    length = max(2, round(1 + rng.random() * 2 * most))
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    middle = (length - 1) / 2
    dx, dy = np.cos(angle) * middle, np.sin(angle) * middle
    ends = [(round(middle - dx), round(middle - dy)), (round(middle + dx), round(middle + dy))]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1)
    return cv2.filter2D(image, -1, kernel / kernel.sum())


def compressed(image: Image, rng: np.random.Generator, worst: int = 35) -> Image:
    quality = int(rng.integers(worst, 97))
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    opened: Image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))
    return opened
