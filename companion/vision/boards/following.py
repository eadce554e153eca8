"""Boards followed from picture to picture: found once, checked whenever something has stirred, and
sought again only if they are no longer where they were."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.vision.boards.board import Board
from companion.vision.boards.features import grey_of
from companion.vision.boards.finding import BoardFinder
from companion.vision.boards.fitting import Agreement, refined
from companion.vision.boards.plane import FoundBoard, off_px, on_one_plane
from companion.vision.boards.twins import Claims, Spot, seated, told_apart
from companion.vision.crops import Image

STILL_PX = 0.8
"""A board whose spots are off by less has not moved: else every look would shake it."""
PUSHED_SHARE = 0.85
"""A board that was followed to another place agrees as well there; else it may be off by one space
of a printed track, and is sought by its features."""
CHECKED_SPOTS = 70
"""So many spots of a board are enough to see whether it has moved."""
LOST_SHARE = 0.5
"""A board of which less is in view than this share of what was seen last is sought elsewhere."""
MOST_WAITING = 16
"""A board that is not there is sought after ever more stirs of the table, up to so many: most are
still in the box ..."""
SEEN_WAITING = 2
"""... but those that lay there before come back."""

Whereabouts = dict[str, Spot]
"""Where each board was seen last, by its name, over a whole game."""


class BoardFollower:
    """Knows where each board was seen last."""

    def __init__(self, boards: Sequence[Board], lay: Whereabouts | None = None) -> None:
        self._finder = BoardFinder(boards)
        self._lay: Whereabouts = {} if lay is None else lay
        self._in_vain = self._waited = 0
        self.found: tuple[FoundBoard, ...] = ()
        self.nameless: tuple[FoundBoard, ...] = ()
        """In view, but one of several of one print, and it is not clear which."""

    @property
    def boards(self) -> tuple[Board, ...]:
        """All that it looks for."""
        return self._finder.boards

    def begin(self, picture: Image) -> tuple[FoundBoard, ...]:
        """Every board of the picture; those of one print are told apart by where they lie."""
        self._settle([], self._finder.find(picture))
        return self.found

    def follow(self, picture: Image) -> bool:
        """Looks whether boards have moved; whether any has, or has come into view."""
        grey = grey_of(picture)
        kept = [better for each in self.found if (better := self._checked(grey, each)) is not None]
        unnamed = [b for each in self.nameless if (b := self._checked(grey, each)) is not None]
        lost = len(kept) + len(unnamed) < len(self.found) + len(self.nameless)
        if lost:
            unnamed += self._pushed(picture, [*kept, *unnamed])
            lost = len(kept) + len(unnamed) < len(self.found) + len(self.nameless)
        if self._worth_seeking(len(kept) + len(unnamed), lost=lost):
            there = {id(each.board) for each in (*kept, *unnamed)}
            seen = self._finder.find(picture, [*kept, *unnamed])
            unnamed += [each for each in seen if id(each.board) not in there]
            self._sought(in_vain=len(seen) == len(there))
        before = self.found
        self._settle(kept, unnamed)
        if len(self.found) == len(before) and all(each in before for each in self.found):
            self.found = before
            return False
        self.found = on_one_plane(self.found)
        return True

    def name(self, number: int, board: str) -> bool:
        """People say whose the board of that number among the nameless is; whether it may be."""
        one = self.nameless[number] if 0 <= number < len(self.nameless) else None
        mine = () if one is None else self.candidates(one)
        said = next((each for each in mine if each.name == board), None)
        if one is None or said is None:
            return False
        rest = [each for each in self.nameless if each is not one]
        self._settle([*self.found, self._finder.named(one, said)], rest)
        return True

    def candidates(self, one: FoundBoard) -> tuple[Board, ...]:
        """The boards that a nameless one may be."""
        taken = {id(each.board) for each in self.found}
        return tuple(each for each in self._group(one) if id(each) not in taken)

    def _worth_seeking(self, in_view: int, *, lost: bool) -> bool:
        """Whether boards that are not in view are sought now."""
        if in_view >= len(self._finder.boards):
            return False
        lay_there = sum(board.name in self._lay for board in self._finder.boards)
        most = SEEN_WAITING if in_view < lay_there else MOST_WAITING
        self._waited += 1
        return lost or self._waited > min(most, 2**self._in_vain // 4)

    def _sought(self, *, in_vain: bool) -> None:
        self._waited = 0
        self._in_vain = min(self._in_vain + 1, 10) if in_vain else 0

    def _pushed(self, picture: Image, kept: Sequence[FoundBoard]) -> list[FoundBoard]:
        """Boards that were here a moment ago and lie not far from there."""
        there = {id(each.board) for each in kept}
        found: list[FoundBoard] = []
        for each in (*self.found, *self.nameless):
            if id(each.board) not in there:
                found += self._finder.find_near(picture, [*kept, *found], each.quad)
        return found

    def _checked(self, grey: Image, one: FoundBoard) -> FoundBoard | None:
        """The board as it was, if it has not moved; or where it is now, a little beside that."""
        what = self._finder.print_of(one.board)
        least = LOST_SHARE * one.agreement.share
        now = refined(grey, what, one.matrix @ np.linalg.inv(what.from_mm), CHECKED_SPOTS)
        if now is None or now[1].share < least:
            return None
        if not _moved(one, now[1]):
            return one
        better = refined(grey, what, now[0])
        if better is None or better[1].share < PUSHED_SHARE * one.agreement.share:
            return None
        return FoundBoard(one.board, better[0] @ what.from_mm, better[1])

    def _settle(self, kept: Sequence[FoundBoard], unnamed: Sequence[FoundBoard]) -> None:
        """Names as many of the others as can be told, and remembers where each lies."""
        named, nameless = list(kept), list[FoundBoard]()
        for group in self._finder.copies:
            told, untold = self._told_of(group, kept, unnamed)
            named += told
            nameless += untold
        self._lay |= {each.board.name: Spot.of(each) for each in named}
        self.found, self.nameless = tuple(named), tuple(nameless)

    def _told_of(
        self, group: Sequence[Board], kept: Sequence[FoundBoard], unnamed: Sequence[FoundBoard]
    ) -> tuple[list[FoundBoard], list[FoundBoard]]:
        """Of the boards of one print, those whose names can be told, and the others. These are
        called by any name that is left, each by its own."""
        mine = [each for each in unnamed if any(each.board is board for board in group)]
        there = {id(each.board) for each in kept}
        missing = [board for board in group if id(board) not in there]
        claims = self._claims(mine, missing, group, [*kept, *unnamed])
        told = [self._finder.named(one, board) for one, board in claims if board is not None]
        taken = {id(each.board) for each in told}
        left = (board for board in missing if id(board) not in taken)
        unclear = [one for one, board in claims if board is None]
        untold = [self._finder.named(one, b) for one, b in zip(unclear, left, strict=False)]
        return told, untold

    def _claims(
        self,
        mine: Sequence[FoundBoard],
        missing: Sequence[Board],
        group: Sequence[Board],
        seen: Sequence[FoundBoard],
    ) -> Claims:
        if len(group) == 1:
            return [(each, group[0]) for each in mine]
        if not any(board.name in self._lay for board in group):
            return seated(mine, group, seen)
        return told_apart(mine, missing, self._lay)

    def _group(self, one: FoundBoard) -> Sequence[Board]:
        return next(
            group for group in self._finder.copies if any(one.board is each for each in group)
        )


def _moved(one: FoundBoard, now: Agreement) -> bool:
    known = now.known * (np.array(one.board.size_mm) / one.board.print_px)
    return off_px(one, now, known) > STILL_PX
