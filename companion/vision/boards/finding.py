"""Finding every enrolled board in a picture: by features, a robust homography, and a second look.

A board counts as found only if its print, laid over the picture where it should be, agrees with
what is seen there. So no board is found where none is, however many features happen to match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from companion.vision.boards.board import Board
from companion.vision.boards.features import Features, features_in, grey_of, outside
from companion.vision.boards.fitting import Print, refined
from companion.vision.boards.plane import FoundBoard, on_one_plane
from companion.vision.boards.twins import as_board, of_one_print
from companion.vision.boards.voting import voted_places
from companion.vision.crops import Floats, Image, corners

SEARCH_PX = 640
"""The longest side of the picture in which features are sought first ..."""
FINE_PX = 1280
"""... and if a board is still missing then."""
PRINT_FEATURES = 700
"""At most so many features are known of a board."""
PICTURE_FEATURES = 2600
"""And are sought in a picture."""
RATIO = 0.86
"""How much nearer the best match must be than the next best of another spot."""
_OTHER_SPOT_PX = 6.0
"""Spots of a print nearer to each other than this are one."""
_SAME_SPOT_TRIES = 2
"""SIFT describes a spot twice or thrice, if it may be turned in more than one way."""
LEAST_MATCHES = 7
"""Fewer matches that agree say nothing."""
_THRESHOLD_PX = 3.0
"""How far a match may be off and still agree, in the picture that is searched."""
_MOST_TRIES = 3
"""Homographies tried for one copy of a board."""
_NEAR = 0.2
"""How far about where it was a pushed board is sought first: a share of its longer side."""
OVERLAP = 0.3
"""Two boards never share more of their area than this."""


class BoardFinder:
    """Knows the prints of some boards and finds them in pictures."""

    def __init__(self, boards: Sequence[Board]) -> None:
        self.boards = tuple(boards)
        self._prints = [Print.of(board) for board in boards]
        known = [features_in(grey_of(board.pixels), PRINT_FEATURES) for board in boards]
        self._copies = list(of_one_print(self._prints, known))
        kinds = [next(iter(mine)) for mine in self._copies]
        self._kinds = kinds
        self._at = np.concatenate([known[i].at for i in kinds] or [np.zeros((0, 2))])
        looks = [known[i].looks for i in kinds] or [np.zeros((0, 128), np.float32)]
        self._looks = np.concatenate(looks)
        self._turns = np.concatenate([known[i].turns for i in kinds] or [np.zeros(0)])
        self._whose = np.concatenate(
            [np.full(len(known[i]), at) for at, i in enumerate(kinds)] or [np.zeros(0, int)]
        )

    @property
    def copies(self) -> list[list[Board]]:
        """The boards, those of one print together."""
        return [[self.boards[i] for i in group] for group in self._copies]

    def print_of(self, board: Board) -> Print:
        return self._prints[self.boards.index(board)]

    def named(self, one: FoundBoard, board: Board) -> FoundBoard:
        """A found board as the one of its twins that it is."""
        mine, its = self.boards.index(board), self.boards.index(one.board)
        ways = next(group for group in self._copies if its in group)
        return as_board(one, board, np.linalg.inv(ways[its]) @ ways[mine])

    def find(self, picture: Image, known: Sequence[FoundBoard] = ()) -> tuple[FoundBoard, ...]:
        """Every board that is seen in the picture. `known` are those that are where they were:
        they are not sought again, and nothing else is found there."""
        grey = grey_of(picture)
        found = list(known)
        for side in (SEARCH_PX, FINE_PX):
            if len(found) == len(self.boards) or not len(self._at):
                break
            if side > SEARCH_PX and max(grey.shape) <= SEARCH_PX:
                break
            seen, scale = self._features(grey, side, found)
            found += self._search(grey, seen, scale, found)
            found += self._voted(grey, seen, scale, found)
        found = list(on_one_plane(found))
        order = {id(board): at for at, board in enumerate(self.boards)}
        return tuple(sorted(found, key=lambda each: order[id(each.board)]))

    def find_near(
        self, picture: Image, known: Sequence[FoundBoard], part: Floats
    ) -> list[FoundBoard]:
        """Boards that have moved a little, in a part of the picture: this costs far less than
        searching all of it."""
        grey = grey_of(picture)
        left, top, right, bottom = _about(part, grey.shape)
        small, scale = _shrunk(grey[top:bottom, left:right], SEARCH_PX, max(grey.shape))
        seen = features_in(small, PICTURE_FEATURES)
        seen = Features(seen.at + np.array([left, top]) * scale, seen.looks, seen.turns)
        for each in known:
            seen = seen.outside(each.quad * scale)
        found = self._search(grey, seen, scale, known)
        return found or self._voted(grey, seen, scale, known)

    @staticmethod
    def _features(grey: Image, side: int, found: Sequence[FoundBoard]) -> tuple[Features, float]:
        """The features of the picture where boards may still be, and how it was shrunk."""
        small, scale = _shrunk(grey, side)
        return features_in(small, PICTURE_FEATURES, _free(small, scale, found)), scale

    def _voted(
        self, grey: Image, seen: Features, scale: float, found: Sequence[FoundBoard]
    ) -> list[FoundBoard]:
        """Boards of which little can be seen, beside those that were found."""
        new: list[FoundBoard] = []
        have = {id(each.board) for each in found}
        beside = max(found, key=lambda each: each.agreement.spots, default=None)
        shown = Features(seen.at / scale, seen.looks, seen.turns)
        for kind, group in enumerate(self._copies):
            for copy in [i for i in group if id(self.boards[i]) not in have]:
                one = None if beside is None else self._beside(grey, shown, kind, beside)
                if one is None or any(overlapping(one, each) for each in (*found, *new)):
                    break
                new.append(self.named(one, self.boards[copy]))
                shown = shown.outside(one.quad)
        return new

    def _beside(
        self, grey: Image, seen: Features, kind: int, beside: FoundBoard
    ) -> FoundBoard | None:
        """A board of that print on the plane of another one."""
        what = self._prints[self._kinds[kind]]
        mine = self._whose == kind
        known = Features(self._at[mine], self._looks[mine], self._turns[mine])
        middle = np.array(what.grey.shape[::-1]) / 2
        for way in voted_places(seen, known, middle, what.board.px_per_mm, beside):
            better = refined(grey, what, way) if possible(way, what, grey.shape) else None
            if better is not None:
                return FoundBoard(what.board, better[0] @ what.from_mm, better[1])
        return None

    def _search(
        self, grey: Image, seen: Features, scale: float, found: Sequence[FoundBoard]
    ) -> list[FoundBoard]:
        pairs, whose, likeness = self._matched(seen)
        new: list[FoundBoard] = []
        have = {id(each.board) for each in found}
        order = np.argsort([-np.count_nonzero(whose == kind) for kind in range(len(self._kinds))])
        for kind in order.tolist():
            missing = [i for i in self._copies[kind] if id(self.boards[i]) not in have]
            mine = np.nonzero(whose == kind)[0]
            best = mine[np.argsort(-likeness[mine])]
            spots = _Matches(seen.at[pairs[best, 0]] / scale, self._at[pairs[best, 1]])
            for copy in missing:
                one, spots = self._one(grey, self._kinds[kind], spots, scale)
                if one is None:
                    break
                if not any(overlapping(one, each) for each in (*found, *new)):
                    new.append(self.named(one, self.boards[copy]))
        return new

    def _matched(self, seen: Features) -> tuple[Floats, Floats, Floats]:
        """Pairs of a feature of the picture and one of a print, of which print, and how alike."""
        nothing = np.zeros((0, 2), int), np.zeros(0, int), np.zeros(0)
        if not len(seen) or len(self._at) < 2:
            return nothing
        like = seen.looks @ self._looks.T
        rows = np.arange(len(seen))
        best = like.argmax(1)
        top = like[rows, best].copy()
        second = self._next_best(like, best)
        # Looks have length 1, so their distance follows from their product.
        far = np.sqrt(np.maximum(2 - 2 * np.stack([top, second]), 1e-9))
        good = far[0] < RATIO * far[1]
        return np.stack([rows[good], best[good]], 1), self._whose[best[good]], top[good]

    def _next_best(self, like: Floats, best: Floats) -> Floats:
        """How alike the next best match is that is not the same spot of the same print."""
        rows = np.arange(len(best))
        second = np.full(len(best), -1.0)
        at = best
        for _ in range(_SAME_SPOT_TRIES):
            like[rows, at] = -1
            at = like.argmax(1)
            near = np.abs(self._at[at] - self._at[best]).max(1) < _OTHER_SPOT_PX
            near &= self._whose[at] == self._whose[best]
            second = np.where((second < 0) & ~near, like[rows, at], second)
        return second

    def _one(
        self, grey: Image, kind: int, spots: _Matches, scale: float
    ) -> tuple[FoundBoard | None, _Matches]:
        """One copy of that print, and the matches that are left for further ones."""
        what = self._prints[kind]
        for _ in range(_MOST_TRIES):
            if len(spots.seen) < LEAST_MATCHES:
                return None, spots
            found: Any = cv2.findHomography(
                spots.known, spots.seen, cv2.USAC_MAGSAC, _THRESHOLD_PX / scale,
                maxIters=3000, confidence=0.999,
            )  # fmt: skip
            way, agreed = found  # None if there is none
            if way is None or agreed.sum() < LEAST_MATCHES:
                return None, spots
            inside = agreed.ravel() > 0
            if possible(way, what, grey.shape):
                better = refined(grey, what, way)
                if better is not None:
                    one = FoundBoard(what.board, better[0] @ what.from_mm, better[1])
                    return one, spots.outside(one.quad)
            spots = spots.kept(~inside)
        return None, spots


@dataclass(frozen=True, slots=True, eq=False)
class _Matches:
    """Spots in the picture, and those of a print that look like them."""

    seen: Floats
    known: Floats

    def kept(self, which: Floats) -> _Matches:
        return _Matches(self.seen[which], self.known[which])

    def outside(self, quad: Floats) -> _Matches:
        return self.kept(outside(quad, self.seen))


def possible(way: Floats, what: Print, shape: tuple[int, ...]) -> bool:
    """Whether a camera could see a flat board so: not mirrored, not edge on, not tiny."""
    height, width = what.grey.shape
    quad = cv2.perspectiveTransform(corners(width, height).reshape(-1, 1, 2), way).reshape(4, 2)
    depth = np.c_[corners(width, height), np.ones(4)] @ way[2]
    if not np.isfinite(quad).all() or depth.min() * depth.max() <= 0:
        return False
    if abs(depth).max() > 2.5 * abs(depth).min():
        return False
    size = cv2.contourArea(quad.astype(np.float32), oriented=True)
    sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
    if size < 24 * 24 or size > 16 * shape[0] * shape[1]:
        return False
    thin = size / (sides.max() ** 2 + 1e-9) * max(width / height, height / width)
    return bool(cv2.isContourConvex(quad.astype(np.float32).reshape(-1, 1, 2)) and thin > 0.2)


def overlapping(one: FoundBoard, other: FoundBoard) -> bool:
    """Whether both claim one part of the picture."""
    a, b = one.quad.astype(np.float32), other.quad.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(a, b)
    return shared > OVERLAP * min(abs(cv2.contourArea(a)), abs(cv2.contourArea(b)))


def _about(part: Floats, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the part of a picture that is searched for what was there."""
    low, high = part.min(0), part.max(0)
    room = _NEAR * float((high - low).max())
    left, top = (int(each) for each in np.maximum(low - room, 0))
    right, bottom = (int(each) for each in np.minimum(high + room, shape[1::-1]))
    return left, top, max(right, left + 2), max(bottom, top + 2)


def _shrunk(grey: Image, side: int, whole: int = 0) -> tuple[Image, float]:
    """A picture, or part of one whose longest side is `whole`, as if that side were `side`."""
    scale = min(1.0, side / (whole or max(grey.shape)))
    if scale == 1.0:
        return grey, 1.0
    size = (round(grey.shape[1] * scale), round(grey.shape[0] * scale))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA)), scale


def _free(small: Image, scale: float, found: Sequence[FoundBoard]) -> Image | None:
    """Where boards may still be: not where some were found already."""
    if not found:
        return None
    mask: Image = np.full(small.shape, 255, np.uint8)
    for each in found:
        cv2.fillConvexPoly(mask, np.round(each.quad * scale).astype(np.int32), 0)
    return mask
