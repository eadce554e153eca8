"""What the table loop expects of an eye, and what some eyes can do besides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from companion.foundation.frames import Frame
from companion.tabletop.alike_boards import AlikeBoard
from companion.tabletop.observations import Observed, Quad
from companion.tabletop.zones import Outline


class Eye(Protocol):
    """What looks at pictures of one game."""

    def observe(self, frame: Frame, /) -> Observed: ...

    def again(self, *, everywhere: bool = False) -> None:
        """Look once more at what was looked at last, from a little elsewhere; or everywhere."""
        ...

    def forget(self) -> None:
        """Another game is on the table: nothing that was seen counts."""
        ...

    def crop(self, frame: Frame, quad: Quad, /) -> bytes:
        """That part of the table as a small JPEG picture."""
        ...


@runtime_checkable
class OwnPlaces(Protocol):
    """An eye that looks at boards, not at the mat: it knows itself where the places are."""

    @property
    def zones(self) -> Mapping[str, Outline]: ...

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of what it shows, in millimetres."""
        ...


@runtime_checkable
class MayBeLost(Protocol):
    """An eye that may find out that another kind of eye is needed here."""

    @property
    def lost(self) -> bool:
        """It cannot see what it looks at any more, or another eye would see more."""
        ...


@runtime_checkable
class AsksWhose(Protocol):
    """An eye that cannot tell boards of one print apart by itself."""

    def alike(self) -> tuple[AlikeBoard, ...]:
        """Those that people have to name."""
        ...

    def name_board(self, number: int, name: str) -> None:
        """People say which of them it is."""
        ...
