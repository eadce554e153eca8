"""A camera that hangs sideways or upside down: its pictures are turned before anybody sees them."""

from __future__ import annotations

from types import TracebackType
from typing import Self

import numpy as np

from companion.devices.camera.camera import Camera
from companion.foundation.frames import Frame

QUARTERS = 4


class TurnedCamera:
    def __init__(self, camera: Camera, degrees: int) -> None:
        """`degrees` clockwise, a multiple of 90."""
        self._camera = camera
        self._quarters = degrees // 90 % QUARTERS
        self._turned: Frame | None = None

    @property
    def name(self) -> str:
        return self._camera.name

    def __enter__(self) -> Self:
        self._camera.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._camera.__exit__(kind, error, trace)

    def newest(self) -> Frame | None:
        frame = self._camera.newest()
        if frame is None:
            return None
        if self._turned is None or self._turned.number != frame.number:
            pixels = np.ascontiguousarray(np.rot90(frame.pixels, -self._quarters))
            self._turned = Frame(pixels, frame.taken_at, frame.number)
        return self._turned

    def settle(self) -> None:
        self._camera.settle()
