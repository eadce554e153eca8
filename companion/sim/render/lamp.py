"""The light of one evening: chosen at random once, then the same for every picture of a table.

Because it stays the same, only the part of a picture that changed has to be lit again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.sim.faces.canvas import Image
from companion.sim.render import light
from companion.sim.render.scene import Light

Box = tuple[slice, slice]
_PAD_PX = 10
"""How far beyond the edge of a part its blur reaches."""
_SPARE_PX = 64
"""By how much the sheet of noise is larger than a picture, so that each picture is given another
piece of it."""


@dataclass(slots=True, eq=False)
class SceneLamp:
    """Lamp, lens and sensor over a table of `size` pixels."""

    size: tuple[int, int]
    how: Light
    seed: int
    # One number for all three colours: at a camera's resolution every plane costs time.
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
        lit = light.lit(grey, self._rng(1), self.how.hard)[..., :1].astype(np.float32) / 128
        self._gain = cv2.GaussianBlur(lit[..., 0], (0, 0), 4)  # smooths the steps of whole numbers
        rng = self._rng(2)
        if rng.random() < self.how.glare:
            # A black sheet shows what glare adds; a white one also shows what it takes away.
            black = light.glare(np.zeros_like(grey), self._rng(3), self.how.hard)
            white = light.glare(np.full_like(grey, 255), self._rng(3), self.how.hard)
            self._glow = cv2.GaussianBlur(black.astype(np.float32), (0, 0), 4)
            veil = 1 - (white[..., 0].astype(np.float32) - black[..., 0]) / 255
            self._veil = cv2.GaussianBlur(veil, (0, 0), 4)
        strength = float(rng.uniform(0.8, 1.4) + 1.8 * self.how.hard)
        size = (height + _SPARE_PX, width + _SPARE_PX, 3)
        self._brighter, self._darker = np.empty(size, np.uint8), np.empty(size, np.uint8)
        chance = np.random.default_rng(5)
        for brighter, darker in zip(self._brighter, self._darker, strict=True):
            grain = np.round(chance.standard_normal(size[1:], np.float32) * strength)
            brighter[:], darker[:] = np.maximum(grain, 0), np.maximum(-grain, 0)

    def _tried(self) -> tuple[float, float, float]:
        """How a grey sheet would look: its darkest pixel, its mean, and how far its colours are
        apart."""
        sheet = np.full((36, 64, 3), 128, np.uint8)
        lit = light.lit(sheet, self._rng(1), self.how.hard)
        seen = light.developed(lit, self._rng(6), self.how.hard)
        cast = seen.mean((0, 1))
        return float(lit.min()), float(seen.mean()), float(np.ptp(cast))

    def _rng(self, part: int) -> np.random.Generator:
        """Each part of the light has a random source of its own, so that it can be drawn again."""
        return np.random.default_rng([self.seed, part])

    def seen(self, raw: Image, gloss: Image, box: Box | None = None) -> Image:
        """The picture `raw` in this light, without noise; only its part `box`, if that is given.
        `gloss` says how strongly each pixel mirrors the lamp, 0 to 255."""
        height, width = raw.shape[:2]
        rows, columns = box or (slice(0, height), slice(0, width))
        top, left = max(rows.start - _PAD_PX, 0), max(columns.start - _PAD_PX, 0)
        part = raw[
            top : min(rows.stop + _PAD_PX, height), left : min(columns.stop + _PAD_PX, width)
        ]
        if self.how.blur > 0:
            part = light.blurred(part, self._rng(4), self.how.blur * width / 1280)
        part = part[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
        gain = cv2.merge([self._gain[rows, columns]] * 3)
        part = cv2.multiply(part, gain, dtype=cv2.CV_8U)
        if self._veil is not None and self._glow is not None:
            shine = gloss[rows, columns, None] / np.float32(255)
            mixed = part * (1 - self._veil[rows, columns, None] * shine)
            part = np.clip(mixed + self._glow[rows, columns] * shine, 0, 255).astype(np.uint8)
        return light.developed(part, self._rng(6), self.how.hard)

    def taken(self, seen: Image, rng: np.random.Generator) -> Image:
        """The picture as the sensor takes it now: with noise."""
        height, width = seen.shape[:2]
        y, x = (int(v) for v in rng.integers(0, _SPARE_PX, 2))
        part = slice(y, y + height), slice(x, x + width)
        return cv2.subtract(cv2.add(seen, self._brighter[part]), self._darker[part])


def _fits(how: Light, darkest: float, mean: float, cast: float) -> bool:
    """Whether this light is what was asked for. A good lamp lights the whole table in nearly its
    own colours; hard light is dim, tinted or uneven."""
    if how.hard < 0.5:
        return darkest > 100 and 95 < mean < 170 and cast < 22
    return 40 < mean < 190 and (mean < 95 or cast > 25 or darkest < 80)
