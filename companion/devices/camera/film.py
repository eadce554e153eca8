"""A film, or a folder of pictures in the order of their names, as a camera: at the speed it was
taken, or one picture each time it is asked."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.devices.camera.frame_buffer import FrameBuffer
from companion.foundation.errors import CameraLost, CameraMissing, FilmOver
from companion.foundation.frames import Frame
from companion.foundation.messages import N_

PICTURES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".webp"})
FOLDER_RATE = 2.0  # pictures a second, of a folder
USUAL_RATE = 25.0  # pictures a second, of a film that does not say it
LOOKED_AT_RATE = 8.0  # pictures a second that are enough to tell rest from motion
FILMS = frozenset({".avi", ".m4v", ".mkv", ".mov", ".mp4", ".mpeg", ".mpg", ".ogv", ".webm"})
MOST_RATE = 240.0  # pictures a second; a film that claims more is wrong about it


@contextmanager
def pictures_of(film: Path) -> Iterator[Iterator[tuple[float, NDArray[np.uint8]]]]:
    """The pictures of a film with the second of each; a few a second, as many as it takes to see
    whether anything moves."""
    capture, rate = _opened(film)
    step = max(1, round(rate / LOOKED_AT_RATE))
    try:
        numbered = enumerate(_in_film(capture))
        yield ((number / rate, pixels) for number, pixels in numbered if number % step == 0)
    finally:
        capture.release()


class FileCamera:
    """A film or folder as a camera.

    With `real_speed` false every picture comes once, as fast as pictures are asked for.
    """

    def __init__(self, path: Path, *, real_speed: bool = True) -> None:
        self._path = path
        self._real_speed = real_speed
        self._reader: FrameBuffer | _OneByOne | None = None

    @property
    def name(self) -> str:
        return f"file {self._path.name}"

    def __enter__(self) -> Self:
        source = _Film(self._path, real_speed=self._real_speed)
        self._reader = FrameBuffer(source, self.name) if self._real_speed else _OneByOne(source)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._reader is not None:
            self._reader.close()

    def newest(self) -> Frame | None:
        return None if self._reader is None else self._reader.frame()

    def settle(self) -> None:
        """Nothing to do: a film is as it is."""


class _OneByOne:
    """Reads one picture each time it is asked, without a thread."""

    def __init__(self, source: _Film) -> None:
        self._source = source
        self._number = 0

    def frame(self) -> Frame:
        pixels = self._source.read()
        self._number += 1
        return Frame(pixels, time.monotonic(), self._number)

    def close(self) -> None:
        self._source.close()


class _Film:
    """A source of pictures that gives the next one when it is due."""

    def __init__(self, path: Path, *, real_speed: bool) -> None:
        self._path = path
        self._capture: cv2.VideoCapture | None = None
        rate = FOLDER_RATE
        if path.is_dir():
            self._pictures = _in_folder(path)
        else:
            self._capture, rate = _opened(path)
            self._pictures = _in_film(self._capture)
        self._seconds = 1 / rate if real_speed else 0.0
        self._due = time.monotonic()

    def read(self) -> NDArray[np.uint8]:
        pixels = next(self._pictures, None)
        if pixels is None:
            time.sleep(self._seconds)  # show the last picture as long as any other
            raise FilmOver("over", N_("%(path)s is over"), path=self._path)
        if self._seconds:
            time.sleep(max(0.0, self._due - time.monotonic()))
            self._due += self._seconds
        return pixels

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()


def _in_folder(folder: Path) -> Iterator[NDArray[np.uint8]]:
    try:
        files = sorted(each for each in folder.iterdir() if each.suffix.lower() in PICTURES)
    except OSError as closed:
        raise CameraMissing(
            "folder-cannot-read",
            N_("the folder %(folder)s cannot be read (%(why)s)"),
            folder=folder,
            why=closed.strerror,
        ) from None
    if not files:
        raise CameraMissing(
            "folder-has-no-pictures",
            N_("the folder %(folder)s has no pictures; %(sorted)s are read"),
            folder=folder,
            sorted=", ".join(sorted(PICTURES)),
        )
    return map(_picture, files)


def _picture(file: Path) -> NDArray[np.uint8]:
    pixels = cv2.imread(str(file), cv2.IMREAD_COLOR)
    if pixels is None:
        raise CameraLost(
            "no-picture-can-read", N_("%(file)s is no picture that can be read"), file=file
        )
    return np.asarray(pixels, np.uint8)


def _opened(path: Path) -> tuple[cv2.VideoCapture, float]:
    if not path.is_file():
        raise CameraMissing(
            "no-film-or-folder", N_("there is no film or folder of pictures %(path)s"), path=path
        )
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    if not capture.isOpened():
        capture.release()
        raise CameraMissing(
            "no-film-can-read", N_("%(path)s is no film that can be read"), path=path
        )
    rate = capture.get(cv2.CAP_PROP_FPS)
    return capture, rate if 0 < rate <= MOST_RATE else USUAL_RATE


def _in_film(capture: cv2.VideoCapture) -> Iterator[NDArray[np.uint8]]:
    while True:
        good, pixels = capture.read()
        if not good:
            return
        yield np.asarray(pixels, np.uint8)
