"""How good the camera's picture is for reading cards: focus, light, glare, distance, and what to do
about each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from companion.foundation.frames import Frame, burnt, light, sharpness
from companion.foundation.messages import N_, Message, message
from companion.vision.calibration import Plane

LOOKED_AT_PX = 960
"""Pictures are measured at this width, so that one camera is like another."""
SHARP, BLURRED = 120.0, 15.0
"""Variance of the Laplacian of a table in focus, and of one that is not."""
BLACK, DARK, DIM, BRIGHT, DAZZLED = 6.0, 30.0, 70.0, 200.0, 235.0
"""Mean brightness, of 255. Below the first there is nothing to be seen at all."""
SOME_GLARE, MUCH_GLARE = 0.01, 0.05
"""Shares of the picture that are burnt out."""
FAR, NEAR_ENOUGH = 0.9, 1.4
"""Pixels to a millimetre."""


class Tone(StrEnum):
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Gauge:
    """One reading as a bar: how full it is, whether that is good, and what to do."""

    name: str
    share: float
    tone: Tone
    said: Message


_SAID: dict[tuple[str, Tone], str] = {
    ("focus", Tone.GOOD): N_("sharp"),
    ("focus", Tone.WARN): N_("a little soft: turn the lens ring, or lay a card down and try again"),
    ("focus", Tone.BAD): N_("blurred: turn the lens ring, wipe the lens, or raise the camera"),
    ("light", Tone.GOOD): N_("good light"),
    ("light", Tone.WARN): N_("could be more even: a white lamp beside the table helps"),
    ("light", Tone.BAD): N_("too dark or too bright: change the lamp"),
    ("glare", Tone.GOOD): N_("no glare"),
    ("glare", Tone.WARN): N_("some glare: move the lamp aside"),
    ("glare", Tone.BAD): N_("much glare: move the lamp aside, or shade it with paper"),
    ("distance", Tone.GOOD): N_("near enough"),
    ("distance", Tone.WARN): N_("rather far: lower the camera if the whole table stays in view"),
    ("distance", Tone.BAD): N_(
        "too far to read cards: lower the camera, or choose larger pictures"
    ),
}


@dataclass(frozen=True, slots=True)
class PictureQuality:
    """What was measured in a picture, and how good that is."""

    sharp: float
    bright: float
    shine: float

    @property
    def focus(self) -> Tone:
        return _rising(self.sharp, BLURRED, SHARP)

    @property
    def light(self) -> Tone:
        if not DARK <= self.bright <= DAZZLED:
            return Tone.BAD
        return Tone.GOOD if DIM <= self.bright <= BRIGHT else Tone.WARN

    @property
    def glare(self) -> Tone:
        if self.shine >= MUCH_GLARE:
            return Tone.BAD
        return Tone.WARN if self.shine >= SOME_GLARE else Tone.GOOD


def quality_of(frame: Frame) -> PictureQuality:
    small = _small(frame)
    return PictureQuality(sharpness(small), light(small), burnt(small))


def distance_tone(px_per_mm: float) -> Tone:
    return _rising(px_per_mm, FAR, NEAR_ENOUGH)


def gauges(frame: Frame, plane: Plane | None) -> tuple[Gauge, ...]:
    """Focus, light and glare; and the distance, once the table has been found."""
    seen = quality_of(frame)
    found = [
        _gauge("focus", math.log1p(seen.sharp) / math.log1p(3 * SHARP), seen.focus),
        _gauge("light", seen.bright / 255, seen.light),
        _gauge("glare", seen.shine / MUCH_GLARE, seen.glare),
    ]
    if plane is not None:
        scale = plane.px_per_mm
        found.append(_gauge("distance", scale / 2.5, distance_tone(scale)))
    return tuple(found)


def _small(frame: Frame) -> Frame:
    wide, high = frame.size
    if wide <= LOOKED_AT_PX:
        return frame
    size = (LOOKED_AT_PX, max(1, round(high * LOOKED_AT_PX / wide)))
    pixels = cv2.resize(frame.pixels, size, interpolation=cv2.INTER_AREA)
    return Frame(np.asarray(pixels, np.uint8), frame.taken_at, frame.number)


def _gauge(name: str, share: float, tone: Tone) -> Gauge:
    said = message(f"{name}-{tone}", _SAID[name, tone])
    return Gauge(name, min(1.0, max(0.02, share)), tone, said)


def _rising(value: float, least: float, enough: float) -> Tone:
    if value < least:
        return Tone.BAD
    return Tone.GOOD if value >= enough else Tone.WARN
