"""A camera on the network: what phone apps and IP cameras send as MJPEG over HTTP, or by RTSP."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import TracebackType
from typing import Any, Protocol, Self
from urllib.parse import urlsplit

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.devices.camera.frame_buffer import FrameBuffer
from companion.foundation.errors import CameraLost, CameraMissing
from companion.foundation.frames import Frame
from companion.foundation.messages import N_

OPEN_MS = 6_000
"""So long a stream has to answer."""
READ_MS = 6_000
"""And so long each of its pictures has to come."""
MOST_PIXELS = 12_000_000
"""Of one picture; larger ones are no film, and would fill the memory."""
_SECRET = re.compile(r"//[^/@]*@")


class StreamCapture(Protocol):
    """The part of `cv2.VideoCapture` that is used here."""

    def isOpened(self) -> bool: ...  # noqa: N802 - OpenCV's name
    def read(self) -> tuple[bool, Any]: ...
    def release(self) -> None: ...


def open_stream(address: str) -> StreamCapture:
    waits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_MS]
    return cv2.VideoCapture(address, cv2.CAP_FFMPEG, waits)


def told_address(address: str) -> str:
    """Without the password that may be in it."""
    return _SECRET.sub("//", address)


class StreamCamera:
    """A camera by its address. Its pictures have the size it sends them in."""

    def __init__(
        self, address: str, open_capture: Callable[[str], StreamCapture] = open_stream
    ) -> None:
        self._address = address
        self._open = open_capture
        self._newest: FrameBuffer | None = None

    @property
    def name(self) -> str:
        return f"network camera {urlsplit(self._address).hostname or ''}".rstrip()

    def __enter__(self) -> Self:
        source = _StreamSource(self._address, self._open)
        self._newest = FrameBuffer(source, self.name)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._newest is not None:
            self._newest.close()

    def newest(self) -> Frame | None:
        return None if self._newest is None else self._newest.frame()

    def settle(self) -> None:
        """Nothing to do: its exposure is its own."""


class _StreamSource:
    def __init__(self, address: str, open_capture: Callable[[str], StreamCapture]) -> None:
        self._told = told_address(address)
        self._capture = open_capture(address)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraMissing(
                "stream-not-there",
                N_(
                    "no pictures come from %(address)s; check the address, and that the camera is"
                    " on and in the same network"
                ),
                address=self._told,
            )

    def read(self) -> NDArray[np.uint8]:
        good, pixels = self._capture.read()
        if not good or pixels.shape[0] * pixels.shape[1] > MOST_PIXELS:
            raise CameraLost(
                "stream-lost",
                N_("the network camera %(address)s sends no more pictures"),
                address=self._told,
            )
        return np.asarray(pixels, np.uint8)

    def close(self) -> None:
        self._capture.release()
