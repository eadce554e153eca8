"""Which card lies under another on a pile, when several left the table at once.

Two cards are thrown on the discard pile in one reach, and of the lower one only a rim is in view.
That is too little to read it, but enough to tell which of two known cards it is: how both looked is
known from where they lay before. Each is laid under the upper card in thought, in every way, and
compared with the picture; the better one wins if it is better by far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import dist
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.tabletop.observations import Corner, Quad, Sighting
from companion.vision.calibration import Plane
from companion.vision.crops import Image, corners, flat_crop, overlap_mask

Pixels = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

_PX_PER_MM = 2
"""The resolution at which poses are compared with the picture ("fine pixels"). Likely poses are
searched for at half of it, one pixel to a millimetre ("coarse pixels")."""
_ASIDE_MM = 12
"""How far the lower card may stick out."""
_TURNED_DEG = 28
"""How far it may be turned against the upper one ..."""
_TURN_STEP_DEG = 4
"""... and in which steps that is tried."""
_SHADOW_MM = 1.6
"""So near the upper card nothing can be told: it throws a shadow, and may lie a little aside."""
_EDGE_MM = 1.0
"""So near the lower card's edge, to both sides, either it or the ground may show."""
_NOISE_LEVELS = 14.0
"""How many levels a pixel may be off."""
_ANOTHER = 3.0
"""A pixel that is off by so many times that simply shows something else: it gets no worse."""
_TOLERANCE = 0.5
"""How far towards its neighbours' levels a pixel may be off besides: edges fall between pixels."""
_POSES = 40
"""Likely poses that are compared with the picture ..."""
_IMPROVED_ROUGHLY = 6
"""... of which so many are improved in rough steps ..."""
_IMPROVED_FINELY = 2
"""... and so many of these in fine ones."""
_ROUGH_STEPS_MM = (1.0,)
_FINE_STEPS_MM = (0.5, 0.25)
_MOVES = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 2), (0, 0, -2))
"""The moves that may improve a pose: across, down, and the turn in degrees, for a step of 1 mm."""
_ROW_PX = 64
"""The pixels about the upper card are kept in rows of this length, as OpenCV wants them."""
# Costs are about square millimetres that look wrong.
_MOST_COST = 600.0
"""A card that explains the picture costs at most this ..."""
_MOST_COST_SHARE = 0.4
"""... and at most this share of the cost of no card lying there."""
_MORE_COST = 120.0
"""The other card must cost at least this much more ..."""
_MORE_COST_TIMES = 1.3
"""... and at least so many times as much. Of 216 rendered piles, 107 were told right and 1 wrong in
good light, 66 and 1 in hard light."""
_LAID_OVER = 0.12
"""Where two cards overlapped and more than this share of one looks otherwise, it lay under the
other."""
_OVERLAP = 0.03
"""An overlap of more than this share of a card is worth looking at."""
_LIGHT = (0.7, 1.4)
"""The light changes by a factor between these from one place and moment to the other."""
_SAME_SPOT_MM = 5.0
"""A card seen nearer than this to where it was lies there still."""


class _Pose(NamedTuple):
    """How a card lies: its middle in millimetres, and its turn in degrees."""

    x: float
    y: float
    turn: float

    def quad(self, size: Corner, more: float = 0.0) -> Pixels:
        """The corners of a card of that size, or of one `more` millimetres larger on each side."""
        at = corners(*size) - np.array(size) / 2
        turn = np.radians(self.turn)
        c, s = np.cos(turn), np.sin(turn)
        out: Pixels = (at + np.sign(at) * more) @ np.array([[c, s], [-s, c]]) + (self.x, self.y)
        return out


def _pose(quad: Quad) -> _Pose:
    at = np.array(quad)
    along = at[1] - at[0] + at[2] - at[3]
    x, y = at.mean(0)
    return _Pose(float(x), float(y), float(np.degrees(np.arctan2(along[1], along[0]))))


@dataclass(frozen=True, slots=True, eq=False)
class _Face:
    """How a card looks, upright, in fine pixels."""

    pixels: Image
    hidden: Image
    """Not nought where nothing is known of it: another card lay there."""


@dataclass(frozen=True, slots=True, eq=False)
class ThrownCards:
    """Cards that lay on the table together and were thrown on a pile together."""

    upper: Sighting
    """The card that is seen on the pile now."""
    was: Sighting
    """The same card where it lay before."""
    others: tuple[Sighting, ...]
    """The others where they lay before: one of them may lie under the upper one."""

    def is_again(self, other: ThrownCards) -> bool:
        """Whether both are the same cards on the same spot."""
        return (
            self.upper.label == other.upper.label
            and dist(self.upper.middle, other.upper.middle) < _SAME_SPOT_MM
            and {each.label for each in self.others} == {each.label for each in other.others}
        )


def find_occluded_card(
    before: Image, after: Image, plane: Plane, thrown: ThrownCards
) -> Sighting | None:
    """The one of the others that lies under the upper card, if it can be told plainly."""
    size = _size(thrown.upper.quad)
    pile = _Pile.of(before, after, plane, _pose(thrown.upper.quad), size)
    if pile.bare_cost < _MORE_COST:
        return None
    found = [
        (*pile.best(face), one)
        for one, face in zip(thrown.others, _faces(before, after, plane, thrown), strict=True)
    ]
    found.sort(key=lambda each: each[0])
    (cost, pose, card), *rest = found
    next_cost = min(each[0] for each in rest)
    if cost > min(_MOST_COST, _MOST_COST_SHARE * pile.bare_cost):
        return None
    if next_cost < max(cost + _MORE_COST, cost * _MORE_COST_TIMES):
        return None
    a, b, c, d = ((round(x, 1), round(y, 1)) for x, y in pose.quad(size).tolist())
    return replace(card, quad=(a, b, c, d), under=True)


def _size(quad: Quad) -> Corner:
    """Its width and height."""
    a, b, c, d = quad
    return (dist(a, b) + dist(c, d)) / 2, (dist(b, c) + dist(d, a)) / 2


# How they looked


def _faces(before: Image, after: Image, plane: Plane, thrown: ThrownCards) -> list[_Face]:
    """How the others looked where they lay, in the light of the pile.

    What another card hid of one is taken from its opposite end, turned: along their rims most faces
    are the same upside down.
    """
    size = _size(thrown.upper.quad)
    now = _crop(after, plane, thrown.upper.quad, size)
    then = _crop(before, plane, thrown.was.quad, size)
    plain = ~_under(thrown.was.quad, thrown.others, size)
    light = np.ones(3)
    if plain.mean() > _OVERLAP:
        light = np.median((now[plain] + 8.0) / (then[plain] + 8.0), axis=0).clip(*_LIGHT)
    row = _row(thrown, ~_like(_lit(then, light), now))
    out = []
    for one in thrown.others:
        pixels = _lit(_crop(before, plane, one.quad, size), light)
        hidden = _under(one.quad, row[row.index(one) + 1 :], size)
        hidden = cv2.dilate(hidden.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        turned = hidden[::-1, ::-1]
        pixels = np.where((hidden & ~turned)[..., None], pixels[::-1, ::-1], pixels)
        out.append(_Face(pixels, (hidden & turned).astype(np.uint8)))
    return out


def _lit(pixels: Image, light: Pixels) -> Image:
    """The pixels in another light: a factor for each colour."""
    return (pixels * light + 0.5).clip(0, 255).astype(np.uint8)


def _row(thrown: ThrownCards, differs: Mask) -> list[Sighting]:
    """The cards as they lay, from the lowest to the uppermost.

    People lay a row from one end to the other, so only its direction is open. Where another card
    overlapped the upper one, and it looked otherwise there (`differs`), the other lay over it.
    """
    cards = [thrown.was, *thrown.others]
    at = np.array([one.middle for one in cards])
    along = (at - at.mean(0)) @ np.linalg.svd(at - at.mean(0))[2][0]
    size = _size(thrown.upper.quad)
    rising = 0.0
    for other, further in zip(thrown.others, along[1:] < along[0], strict=True):
        shared = _under(thrown.was.quad, [other], size)
        if shared.mean() > _OVERLAP:
            over = (_LAID_OVER - differs[shared].mean()) * shared.sum()
            rising += over if further else -over
    order = np.argsort(along if rising >= 0 else -along)
    return [cards[n] for n in order]


def _crop(image: Image, plane: Plane, quad: Quad, size: Corner) -> Image:
    """What lies in a quad of that size, in fine pixels."""
    px = plane.pixels(np.array(quad, np.float64))
    return flat_crop(image, px, _fine(size))


def _fine(size: Corner) -> tuple[int, int]:
    return round(size[0] * _PX_PER_MM), round(size[1] * _PX_PER_MM)


def _under(quad: Quad, over: Sequence[Sighting], size: Corner) -> Mask:
    """The fine pixels of a card that others overlap."""
    return overlap_mask(quad, (each.quad for each in over), _fine(size))


def _like(one: Image, other: Image, levels: int = 25) -> Mask:
    """Where two crops are alike, if things may be a millimetre aside."""
    near = np.ones((2 * _PX_PER_MM + 1, 2 * _PX_PER_MM + 1), np.uint8)
    return _off(one, cv2.erode(other, near), cv2.dilate(other, near)) < levels


# How they would lie


@dataclass(frozen=True, slots=True, eq=False)
class _Rim:
    """The fine pixels about the upper card that can tell something, in rows of equal length."""

    x: Pixels
    y: Pixels
    """Where each is, in millimetres."""
    low: Image
    high: Image
    """The levels between which each pixel is right."""
    bare_costs: Pixels
    """What each costs if nothing lies under the upper card."""

    @classmethod
    def of(cls, told: Mask, corner: Corner, now: Image, before: Image) -> _Rim:
        near = np.ones((3, 3), np.uint8)
        low = cv2.addWeighted(cv2.erode(now, near), _TOLERANCE, now, 1 - _TOLERANCE, 0)
        high = cv2.addWeighted(cv2.dilate(now, near), _TOLERANCE, now, 1 - _TOLERANCE, 0)
        whole = np.count_nonzero(told) // _ROW_PX * _ROW_PX
        rows, columns = (n[:whole].reshape(-1, _ROW_PX) for n in np.nonzero(told))
        x, y = (
            (n + 0.5) / _PX_PER_MM + off for n, off in zip((columns, rows), corner, strict=True)
        )
        low, high, before = (each[rows, columns] for each in (low, high, before))
        bare_costs = _costs(before, low, high)
        return cls(x.astype(np.float32), y.astype(np.float32), low, high, bare_costs)


@dataclass(frozen=True, slots=True, eq=False)
class _Pile:
    """The pile about its upper card in fine pixels, now and before that card came."""

    upper: _Pose
    size: Corner
    """Of a card, in millimetres."""
    corner: Corner
    """Where on the mat the pixels begin, in millimetres."""
    now: Image
    before: Image
    told: Mask
    """The pixels that can tell something."""
    rim: _Rim

    @classmethod
    def of(cls, before: Image, after: Image, plane: Plane, upper: _Pose, size: Corner) -> _Pile:
        box = upper.quad(size, _ASIDE_MM + _EDGE_MM)
        low_corner = np.floor(box.min(0))
        wide, high = (int(n) for n in np.ceil(box.max(0) - low_corner))
        corner = (float(low_corner[0]), float(low_corner[1]))
        a, b, c, d = (corners(wide, high) + low_corner).tolist()
        quad = (tuple(a), tuple(b), tuple(c), tuple(d))
        now, then = (_crop(image, plane, quad, (wide, high)) for image in (after, before))
        told = np.ones(now.shape[:2], np.uint8)
        at = (upper.quad(size, _SHADOW_MM) - corner) * _PX_PER_MM - 0.5
        cv2.fillConvexPoly(told, np.round(at).astype(np.int32), 0)
        rim = _Rim.of(told > 0, corner, now, then)
        return cls(upper, size, corner, now, then, told > 0, rim)

    @property
    def bare_cost(self) -> float:
        """The cost of nothing lying under the upper card."""
        return float(self.rim.bare_costs.sum()) / _PX_PER_MM**2

    def best(self, face: _Face) -> tuple[float, _Pose]:
        """The pose of that card that explains the picture best, and its cost."""
        poses = sorted((self.cost(face, pose), pose) for pose in self._likely(face))
        starts = poses[:_IMPROVED_ROUGHLY]
        roughly = sorted(self._improved(face, *each, _ROUGH_STEPS_MM) for each in starts)
        return min(
            self._improved(face, *each, _FINE_STEPS_MM) for each in roughly[:_IMPROVED_FINELY]
        )

    def cost(self, face: _Face, pose: _Pose) -> float:
        """How wrong the picture would be if the card lay so: about square millimetres of noise."""
        rim, turn = self.rim, np.radians(pose.turn)
        c, s = np.float32(np.cos(turn)), np.float32(np.sin(turn))
        x, y = rim.x - np.float32(pose.x), rim.y - np.float32(pose.y)
        across, down = x * c + y * s, y * c - x * s
        half_wide, half_high = (np.float32(side / 2) for side in self.size)
        out = np.maximum(np.abs(across) - half_wide, np.abs(down) - half_high)
        column = (across + half_wide) * _PX_PER_MM - 0.5
        row = (down + half_high) * _PX_PER_MM - 0.5
        edge = cv2.BORDER_REPLICATE
        laid = cv2.remap(face.pixels, column, row, cv2.INTER_LINEAR, borderMode=edge)
        costs = _costs(laid, rim.low, rim.high)
        costs = np.where(out < -_EDGE_MM, costs, np.minimum(costs, rim.bare_costs))
        seen = covered = out < _EDGE_MM
        if face.hidden.any():
            hidden = cv2.remap(face.hidden, column, row, cv2.INTER_NEAREST, borderMode=edge)
            seen = covered & ((hidden == 0) | (out >= -_EDGE_MM))
        there, many = float(costs[seen].sum()), int(seen.sum())
        # Where nothing is known of the face, the picture counts as wrong as in the rest of it.
        unseen = there / max(many, 1) * (int(covered.sum()) - many)
        rest = float(rim.bare_costs.sum()) - float(rim.bare_costs[covered].sum())
        return (there + unseen + rest) / _PX_PER_MM**2

    def _likely(self, face: _Face) -> list[_Pose]:
        """Poses worth comparing, found in coarse pixels: for every turn the two best places.

        The sum of squared differences at all places at once is made of three correlations.
        """
        now, before = _coarse(self.now) - 128, _coarse(self.before) - 128
        told = np.repeat(_coarse(self.told.astype(np.float32))[..., None], 3, 2)
        most = (_NOISE_LEVELS * _ANOTHER) ** 2
        without = told * (now**2 - np.minimum((now - before) ** 2, most))
        seen = told * now
        small, known = _coarse(face.pixels) - 128, 1 - _coarse(face.hidden.astype(np.float32))
        middle = np.array([self.upper.x, self.upper.y]) - self.corner
        room = np.array([n - 2 * _ASIDE_MM for n in now.shape[1::-1]])
        found: list[tuple[float, _Pose]] = []
        turns = range(-_TURNED_DEG, _TURNED_DEG + 1, _TURN_STEP_DEG)
        for end, off in product((0.0, 180.0), turns):
            turn = self.upper.turn + end + off
            to_room = _turned(small.shape, turn, middle - _ASIDE_MM)
            laid = cv2.warpAffine(small, to_room, room.tolist())
            there = np.repeat(cv2.warpAffine(known, to_room, room.tolist())[..., None], 3, 2)
            cost = (
                cv2.matchTemplate(without, there, cv2.TM_CCORR)
                - 2 * cv2.matchTemplate(seen, there * laid, cv2.TM_CCORR)
                + cv2.matchTemplate(told, there * laid**2, cv2.TM_CCORR)
            )
            for _ in range(2):
                row, column = np.unravel_index(np.argmin(cost), cost.shape)
                x, y = self.upper.x + column - _ASIDE_MM, self.upper.y + row - _ASIDE_MM
                found.append((float(cost[row, column]), _Pose(float(x), float(y), turn)))
                cost[max(0, row - 2) : row + 3, max(0, column - 2) : column + 3] = np.inf
        return [pose for _, pose in sorted(found)[:_POSES]]

    def _improved(
        self, face: _Face, cost: float, pose: _Pose, steps: Sequence[float]
    ) -> tuple[float, _Pose]:
        """The pose moved and turned by these steps, one after the other, as long as that helps."""
        for step in steps:
            at = float("inf")
            while cost < at:
                at = cost
                for dx, dy, turn in _MOVES:
                    moved = _Pose(pose.x + dx * step, pose.y + dy * step, pose.turn + turn * step)
                    if (now := self.cost(face, moved)) < cost:
                        cost, pose = now, moved
        return cost, pose


_COST_OF_LEVELS = np.minimum((np.arange(256, dtype=np.float32) / _NOISE_LEVELS) ** 2, _ANOTHER**2)
"""What a pixel costs that is off by so many levels."""


def _costs(pixels: Image, low: Image, high: Image) -> Pixels:
    """What each pixel costs that should be between those levels."""
    return _COST_OF_LEVELS[_off(pixels, low, high)]


def _off(pixels: Image, low: Image, high: Image) -> Image:
    """By how many levels each pixel is out of its bounds, in the colour where that is most."""
    blue, green, red = cv2.split(cv2.max(cv2.subtract(low, pixels), cv2.subtract(pixels, high)))
    return cv2.max(cv2.max(blue, green), red)


def _coarse(pixels: Pixels) -> Pixels:
    """Fine pixels made coarse."""
    high, wide = (n // _PX_PER_MM for n in pixels.shape[:2])
    small = cv2.resize(pixels, (wide, high), interpolation=cv2.INTER_AREA)
    return small.astype(np.float32)


def _turned(shape: tuple[int, ...], turn: float, middle: Pixels) -> Pixels:
    """The affine map from a card's coarse pixels to where it lies, turned about that middle."""
    high, wide = shape[:2]
    out: Pixels = cv2.getRotationMatrix2D(((wide - 1) / 2, (high - 1) / 2), -turn, 1.0)
    out[:, 2] += middle - 0.5 - ((wide - 1) / 2, (high - 1) / 2)
    return out
