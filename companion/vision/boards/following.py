"""Boards followed from picture to picture: found once, checked whenever something has stirred, and
sought again only if they are no longer where they were."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from companion.vision.boards.board import Board
from companion.vision.boards.features import grey_of
from companion.vision.boards.finding import BoardFinder
from companion.vision.boards.fitting import refined
from companion.vision.boards.plane import FoundBoard, on_one_plane
from companion.vision.crops import Floats, Image

STILL_PX = 0.8
"""A board whose corners moved by less has not moved: else every look would shake it."""
LOST_SHARE = 0.5
"""A board of which less is in view than this share of what was seen last is sought elsewhere."""


class BoardFollower:
    """Knows where each board was seen last."""

    def __init__(self, boards: Sequence[Board]) -> None:
        self._finder = BoardFinder(boards)
        self.found: tuple[FoundBoard, ...] = ()

    def begin(self, picture: Image) -> tuple[FoundBoard, ...]:
        """Every board of the picture; those of one print are told apart by where they lie."""
        found = self._finder.find(picture)
        self.found = in_seating_order(found, self._finder.copies)
        return self.found

    def follow(self, picture: Image) -> bool:
        """Looks whether boards have moved; whether any has, or has come into view."""
        grey = grey_of(picture)
        kept = [better for each in self.found if (better := self._checked(grey, each)) is not None]
        if len(kept) < len(self._finder.boards):
            kept = self._sought(picture, kept)
        before = {id(each.board): each for each in self.found}
        settled = [_steadied(each, before.get(id(each.board))) for each in on_one_plane(kept)]
        moved = any(each is not before.get(id(each.board)) for each in settled)
        self.found = tuple(settled)
        return moved

    def _checked(self, grey: Image, one: FoundBoard) -> FoundBoard | None:
        """The board where it was, or a little beside it."""
        what = self._finder.print_of(one.board)
        better = refined(grey, what, one.matrix @ np.linalg.inv(what.from_mm))
        if better is None or better[1].share < LOST_SHARE * one.agreement.share:
            return None
        return FoundBoard(one.board, better[0] @ what.from_mm, better[1])

    def _sought(self, picture: Image, kept: Sequence[FoundBoard]) -> list[FoundBoard]:
        """With those that are elsewhere now; of one print, each is the one that was nearest."""
        there = {id(each.board) for each in kept}
        new = [each for each in self._finder.find(picture, kept) if id(each.board) not in there]
        return [*kept, *nearest_of_print(new, kept, self.found, self._finder.copies)]


def in_seating_order(
    found: Sequence[FoundBoard], copies: Sequence[Sequence[Board]]
) -> tuple[FoundBoard, ...]:
    """Boards of one print lie before their owners, clockwise from the near left."""
    if not found:
        return ()
    middle = np.mean([each.quad.mean(0) for each in found], axis=0)
    alone = (each for each in found if not _twins(each, copies))
    groups = (_seated(found, group, middle) for group in copies if len(group) > 1)
    return (*alone, *chain.from_iterable(groups))


def _seated(
    found: Sequence[FoundBoard], group: Sequence[Board], middle: Floats
) -> Iterator[FoundBoard]:
    """The found boards of one print, each as the board of the owner who sits there."""
    mine = [each for each in found if any(each.board is board for board in group)]
    mine.sort(key=lambda each: _from_near_left(each.quad.mean(0) - middle))
    owned = sorted(group, key=lambda board: (board.owner, board.name))
    return (replace(each, board=board) for each, board in zip(mine, owned, strict=False))


def nearest_of_print(
    new: Sequence[FoundBoard],
    kept: Sequence[FoundBoard],
    before: Sequence[FoundBoard],
    copies: Sequence[Sequence[Board]],
) -> list[FoundBoard]:
    """Of boards of one print, each is the one that was seen nearest to it last."""
    taken = {id(each.board) for each in kept}
    lay = {id(each.board): each.quad.mean(0) for each in before}
    out: list[FoundBoard] = []
    for each in new:
        here = each.quad.mean(0)
        group = next(group for group in copies if any(each.board is board for board in group))
        far = {
            at: float(np.linalg.norm(lay[id(board)] - here)) if id(board) in lay else np.inf
            for at, board in enumerate(group)
            if id(board) not in taken
        }
        best = group[min(far, key=far.__getitem__)]
        taken.add(id(best))
        out.append(replace(each, board=best))
    return out


def _twins(one: FoundBoard, copies: Sequence[Sequence[Board]]) -> bool:
    return any(len(group) > 1 and any(one.board is board for board in group) for group in copies)


def _from_near_left(spot: Floats) -> float:
    """How far round the table it is, clockwise from the near left corner of the picture."""
    angle = float(np.arctan2(spot[1], spot[0]))  # 0 right, clockwise, for y goes down
    return (angle - 0.75 * np.pi + 1e-9 + np.pi / 4) % (2 * np.pi)


def _steadied(now: FoundBoard, before: FoundBoard | None) -> FoundBoard:
    """The board as it was, if it has not really moved."""
    if before is None or np.abs(now.quad - before.quad).max() > STILL_PX:
        return now
    return before
