"""Several cameras over one table: the loop goes on as long as one of them sees anything."""

from __future__ import annotations

from collections.abc import Sequence

from companion.foundation.frames import Frame
from companion.watch.loop import TableCamera


class SeveralCameras:
    """The first one there is the one that the page shows; boards are looked at through all."""

    def __init__(self, cameras: Sequence[TableCamera]) -> None:
        self._cameras = tuple(cameras)
        self._shown: tuple[Frame | None, ...] = (None,) * len(self._cameras)
        self._number = 0

    def newest(self) -> Frame | None:
        """A new picture of any of them is a new picture of the table."""
        shown = tuple(each.newest() for each in self._cameras)
        first = next((each for each in shown if each is not None), None)
        if first is None:
            self._shown = shown
            return None
        if _numbers(shown) != _numbers(self._shown):
            self._number += 1
        self._shown = shown
        return Frame(first.pixels, first.taken_at, self._number)

    def frames(self) -> tuple[Frame | None, ...]:
        """Of each camera, as they were when the newest was asked for; None where one is away."""
        return self._shown

    def __len__(self) -> int:
        return len(self._cameras)


def _numbers(shown: Sequence[Frame | None]) -> list[int | None]:
    return [None if each is None else each.number for each in shown]
