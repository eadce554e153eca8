"""What a camera is to the companion, whichever it is."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self

from companion.foundation.frames import Frame


class Camera(Protocol):
    """Looks down on the table. It is opened by `with` and closed at its end; opening raises
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
        """The newest picture, at once; None before the first. The same one again if there is no
        newer. Raises `CameraLost` when no more will come, `FilmOver` at the end of a film."""
        ...

    def settle(self) -> None:
        """Finds exposure, white balance and focus anew and holds them: a table must not change
        its colours because a hand came into view. Takes a few seconds."""
        ...
