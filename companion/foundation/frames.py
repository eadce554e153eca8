"""Pictures: with the vision package, the only place that knows pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

STRIDE = 8  # every eighth pixel each way says enough about light


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the table. Nobody can write into it."""

    pixels: NDArray[np.uint8]  # rows x columns x (blue, green, red)
    taken_at: float  # monotonic seconds
    number: int  # rises by at least one with every picture of a camera

    def __post_init__(self) -> None:
        if self.pixels.dtype != np.uint8 or self.pixels.ndim != 3 or self.pixels.shape[2] != 3:
            raise ValueError(
                "pixels must be rows x columns x 3 of uint8, "
                f"got {self.pixels.shape} of {self.pixels.dtype}"
            )
        if not self.pixels.size:
            raise ValueError("a picture has at least one pixel")
        fixed = self.pixels.view()
        fixed.flags.writeable = False
        object.__setattr__(self, "pixels", fixed)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.pixels.shape[1], self.pixels.shape[0]


def light(frame: Frame) -> float:
    """How bright the picture is, 0 to 255."""
    return float(frame.pixels[::STRIDE, ::STRIDE].mean())


def burnt(frame: Frame) -> float:
    """The share of the picture that is too bright to show anything, 0 to 1."""
    return float((frame.pixels[::STRIDE, ::STRIDE].min(axis=2) >= 250).mean())


def sharpness(frame: Frame) -> float:
    """Variance of the Laplacian: low for a picture out of focus, and for an empty table."""
    import cv2

    grey = cv2.cvtColor(frame.pixels, cv2.COLOR_BGR2GRAY)
    return float(cv2.Laplacian(grey, cv2.CV_64F).var())


def same_picture(one: Frame, other: Frame) -> bool:
    """Equal to the last bit: a live sensor never gives that, noise sees to it."""
    return one.number == other.number or np.array_equal(one.pixels, other.pixels)


def jpeg(pixels: NDArray[np.uint8], width: int, quality: int) -> bytes:
    """The picture as JPEG, at most so wide."""
    import cv2

    small: NDArray[Any] = pixels
    if pixels.shape[1] > width:
        height = max(1, round(pixels.shape[0] * width / pixels.shape[1]))
        small = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes() if done else b""
