"""What the companion expects of a camera, of whatever kind it is."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self

from companion.foundation.frames import Frame


class Camera(Protocol):
    """A camera that looks down on the table. `with` opens and closes it; opening raises
    `CameraMissing` if it is not there."""

    @property
    def name(self) -> str:
        """What a person would call it."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def newest(self) -> Frame | None:
        """The newest picture, without waiting; None before the first one. If there is no newer one
        it is the same again. Raises `CameraLost` if no more will come, `FilmOver` at the end of a
        film."""
        ...

    def settle(self) -> None:
        """Find exposure, white balance and focus anew, then hold them: the table must not change
        its colours because a hand comes into view. Takes a few seconds."""
        ...
