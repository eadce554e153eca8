"""One evening's light: drawn by lot once, then the same for every picture of a table, whole or
only the part of it that changed."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.sim import light
from companion.sim.faces.canvas import Image
from companion.sim.scene import Light

Box = tuple[slice, slice]
_PAD = 10  # what a blur reaches beyond a part's edge
_SPARE = 64


@dataclass(slots=True, eq=False)
class Lamp:
    """Lamp, lens and sensor over a table of `size` pixels."""

    size: tuple[int, int]
    how: Light
    seed: int
    _gain: light.Floats = field(init=False)
    _veil: light.Floats | None = field(init=False, default=None)
    _glow: light.Floats | None = field(init=False, default=None)
    _brighter: Image = field(init=False)
    _darker: Image = field(init=False)

    def __post_init__(self) -> None:
        width, height = self.size
        grey = np.full((height, width, 3), 128, np.uint8)
        while not _fits(self.how, *self._tried()):
            self.seed += 1
        lit = light.lit(grey, self._rng(1), self.how.hard).astype(np.float32) / 128
        self._gain = cv2.GaussianBlur(lit, (0, 0), 4)  # without the steps of whole numbers
        rng = self._rng(2)
        if rng.random() < self.how.glare:
            # Mirrored in black only the lamp is seen; in white, what it takes away as well.
            black = light.glare(np.zeros_like(grey), self._rng(3), self.how.hard)
            white = light.glare(np.full_like(grey, 255), self._rng(3), self.how.hard)
            self._glow = cv2.GaussianBlur(black.astype(np.float32), (0, 0), 4)
            veil = 1 - (white.astype(np.float32) - black) / 255
            self._veil = cv2.GaussianBlur(veil, (0, 0), 4)
        strength = float(rng.uniform(0.8, 1.4) + 1.8 * self.how.hard)
        grain = np.random.default_rng(5).standard_normal(
            (height + _SPARE, width + _SPARE, 3), np.float32
        )
        grain = np.round(grain * strength)
        self._brighter = np.maximum(grain, 0).astype(np.uint8)
        self._darker = np.maximum(-grain, 0).astype(np.uint8)

    def _tried(self) -> tuple[float, float, float]:
        """How a grey sheet would look: its darkest and its mean light, and the strongest cast."""
        sheet = np.full((36, 64, 3), 128, np.uint8)
        lit = light.lit(sheet, self._rng(1), self.how.hard)
        seen = light.developed(lit, self._rng(6), self.how.hard)
        cast = seen.mean((0, 1))
        return float(lit.min()), float(seen.mean()), float(np.ptp(cast))

    def _rng(self, part: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, part])

    def seen(self, raw: Image, gloss: light.Floats, box: Box | None = None) -> Image:
        """What a perfect sensor would give of the part `box` of a picture painted `raw`."""
        height, width = raw.shape[:2]
        rows, columns = box or (slice(0, height), slice(0, width))
        top, left = max(rows.start - _PAD, 0), max(columns.start - _PAD, 0)
        part = raw[top : min(rows.stop + _PAD, height), left : min(columns.stop + _PAD, width)]
        if self.how.blur > 0:
            part = light.blurred(part, self._rng(4), self.how.blur * width / 1280)
        part = part[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
        part = cv2.multiply(part, self._gain[rows, columns], dtype=cv2.CV_8U)
        if self._veil is not None and self._glow is not None:
            shine = gloss[rows, columns, None]
            mixed = part * (1 - self._veil[rows, columns] * shine)
            part = np.clip(mixed + self._glow[rows, columns] * shine, 0, 255).astype(np.uint8)
        return light.developed(part, self._rng(6), self.how.hard)

    def taken(self, seen: Image, rng: np.random.Generator) -> Image:
        """A picture of it, with this moment's noise."""
        height, width = seen.shape[:2]
        y, x = (int(v) for v in rng.integers(0, _SPARE, 2))
        part = slice(y, y + height), slice(x, x + width)
        return cv2.subtract(cv2.add(seen, self._brighter[part]), self._darker[part])


def _fits(how: Light, darkest: float, mean: float, cast: float) -> bool:
    """A good lamp lights the whole table in nearly its own colours; a hard one is all but that."""
    if how.hard < 0.5:
        return darkest > 100 and 95 < mean < 170 and cast < 22
    return 40 < mean < 190 and (mean < 95 or cast > 25 or darkest < 80)
