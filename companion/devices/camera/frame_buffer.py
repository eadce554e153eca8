"""A buffer for the newest picture: a thread reads the camera all the time and keeps only that, so
whoever asks never waits and never gets an old one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.foundation.errors import CameraError, CameraLost
from companion.foundation.frames import Frame
from companion.foundation.messages import N_

PATIENCE_SECONDS = 3.0  # so long closing waits for a thread that hangs in its driver


class FrameSource(Protocol):
    """Something that gives one picture after another. Only one thread uses it."""

    def read(self) -> NDArray[np.uint8]:
        """Wait for the next picture; raises `CameraLost` or `FilmOver`."""
        ...

    def close(self) -> None: ...


class FrameBuffer:
    """Reads a source in a thread of its own. Whatever else is done with the source is done by that
    thread, between two pictures."""

    def __init__(
        self, source: FrameSource, name: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._source = source
        self._clock = clock
        self._frame: Frame | None = None
        self._trouble: CameraError | None = None
        self._errands: list[tuple[Callable[[], None], Future[None]]] = []
        self._lock = threading.Lock()
        self._ended = False
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._thread.start()

    def frame(self) -> Frame | None:
        """The newest picture; None before the first. Raises what ended the thread, if anything."""
        if self._trouble is not None:
            raise self._trouble
        return self._frame

    def between(self, errand: Callable[[], None], seconds: float) -> None:
        """Have the thread do something with its source, and wait until it is done; raises
        `CameraLost` after so many seconds."""
        done: Future[None] = Future()
        with self._lock:
            if self._ended:
                raise self._trouble or CameraLost(
                    "camera-has-been-closed", N_("the camera has been closed")
                )
            self._errands.append((errand, done))
        try:
            done.result(seconds)
        except CameraError:
            raise
        except TimeoutError:
            raise CameraLost(
                "camera-does-not-answer", N_("the camera does not answer; check its cable")
            ) from None
        except Exception as broken:  # a driver may raise anything
            raise CameraLost(
                "camera-s-driver-has", N_("the camera's driver has failed (%(why)s)"), why=broken
            ) from None

    def close(self) -> None:
        self._stopping.set()
        self._thread.join(PATIENCE_SECONDS)

    def _run(self) -> None:
        number = 0
        try:
            while not self._stopping.is_set():
                self._run_errands()
                pixels = self._source.read()
                number += 1
                self._frame = Frame(pixels, self._clock(), number)
        except CameraError as trouble:
            self._trouble = trouble
        except Exception as broken:  # a driver may raise anything; the table goes on without it
            self._trouble = CameraLost(
                "camera-s-driver-has", N_("the camera's driver has failed (%(why)s)"), why=broken
            )
        finally:
            self._source.close()
            self._end()

    def _run_errands(self) -> None:
        with self._lock:
            errands, self._errands = self._errands, []
        for errand, done in errands:
            try:
                errand()
            except Exception as broken:  # handed to whoever asked
                done.set_exception(broken)
            else:
                done.set_result(None)

    def _end(self) -> None:
        """Answer all who still wait for the thread: it will do nothing any more."""
        with self._lock:
            self._ended = True
        for _, done in self._errands:
            done.set_exception(
                self._trouble
                or CameraLost("camera-has-been-closed", N_("the camera has been closed"))
            )
