"""A card thrown on a pile under another: which of those that left the table it is.

Two cards go to the discard pile in one reach, and of the lower one only a rim is in view: too
little to be read, but enough to tell which of two cards it is, for how both looked is known from
where they lay. Each is laid under the upper one in thought, in every way, and held against the
picture.
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
from companion.vision.crops import Image, corners, flat_cut, overlaid

Pixels = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

_FINE = 2
"""Pixels to a millimetre where a way to lie is held against the picture; half as many where it is
looked for."""
_ASIDE = 12
"""Millimetres by which the lower card may stick out."""
_TURNED = 28
"""Degrees by which it may be turned against the upper one."""
_TURN = 4
"""Degrees of one step of turning it."""
_RIM = 1.6
"""Millimetres about the upper card that tell nothing, for it throws a shadow and may be placed a
little aside."""
_EDGE = 1.0
"""Millimetres to both sides of the lower card's edge, which may show the one or the other."""
_NOISE = 14.0
"""Levels a pixel may be off."""
_ANOTHER = 3.0
"""How many times that makes it simply another one."""
_TOLERANCE = 0.5
"""How far towards its neighbours' levels it may be off besides: edges fall between pixels."""
_WAYS = 40
"""Ways to lie that are held against the picture."""
_STARTS = 6
"""How many of those are made better roughly."""
_BEST = 2
"""How many of these are made better finely."""
_ROUGHLY = 1.0
"""Millimetres by which they are moved to make them better roughly."""
_FINELY = (0.5, 0.25)
"""Millimetres by which they are moved to make them better finely."""
_STEPS = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 2), (0, 0, -2))
_LONG = 64
_MOST = 600.0
"""What a card that explains the picture costs at most."""
_SHARE_LEFT = 0.4
"""The same as a share of what it costs to think that no card lies there."""
_PLAINLY = 120.0
"""By how much the other card must explain it worse."""
_BY_FAR = 1.3
"""How many times worse it must explain it. Of 216 rendered piles, in good light 107 were told right
and 1 wrong, in hard light 66 and 1."""
_LAID_OVER = 0.12
"""A card of which more than this looks otherwise where another overlaps it lies under that one."""
_SHARE = 0.03
"""Of a card, an overlap that is worth looking at."""
_LIGHT = (0.7, 1.4)
_SAME_SPOT = 5.0
"""Millimetres."""


class _Way(NamedTuple):
    """How a card lies: its middle in millimetres, and its turn in degrees."""

    x: float
    y: float
    turn: float

    def quad(self, size: Corner, more: float = 0.0) -> Pixels:
        """Its corners, or those of a card so many millimetres larger on each side."""
        at = corners(*size) - np.array(size) / 2
        turn = np.radians(self.turn)
        c, s = np.cos(turn), np.sin(turn)
        out: Pixels = (at + np.sign(at) * more) @ np.array([[c, s], [-s, c]]) + (self.x, self.y)
        return out


def _way(quad: Quad) -> _Way:
    at = np.array(quad)
    along = at[1] - at[0] + at[2] - at[3]
    x, y = at.mean(0)
    return _Way(float(x), float(y), float(np.degrees(np.arctan2(along[1], along[0]))))


@dataclass(frozen=True, slots=True, eq=False)
class _Face:
    """A card as it lay, upright, in fine pixels; of some of them nothing may be known."""

    pixels: Image
    hidden: Image
    """Not nought where nothing is known."""


@dataclass(frozen=True, slots=True, eq=False)
class Thrown:
    """Cards that lay together, overlapping or not; `upper` lies on the pile now, `was` is where it
    lay before, and of the others one may lie under it."""

    upper: Sighting
    was: Sighting
    others: tuple[Sighting, ...]

    def is_again(self, other: Thrown) -> bool:
        """Whether the same cards were thrown there, seen once more."""
        return (
            self.upper.label == other.upper.label
            and dist(self.upper.middle, other.upper.middle) < _SAME_SPOT
            and {each.label for each in self.others} == {each.label for each in other.others}
        )


def beneath(before: Image, after: Image, plane: Plane, thrown: Thrown) -> Sighting | None:
    """The one of the others that lies under the upper card, if it can be told plainly."""
    size = _size(thrown.upper.quad)
    pile = _Pile.of(before, after, plane, _way(thrown.upper.quad), size)
    if pile.bare < _PLAINLY:
        return None
    found = [
        (*pile.best(face), one)
        for one, face in zip(thrown.others, _faces(before, after, plane, thrown), strict=True)
    ]
    found.sort(key=lambda each: each[0])
    (cost, way, card), *rest = found
    worse = min(each[0] for each in rest)
    if cost > min(_MOST, _SHARE_LEFT * pile.bare) or worse < max(cost + _PLAINLY, cost * _BY_FAR):
        return None
    a, b, c, d = ((round(x, 1), round(y, 1)) for x, y in way.quad(size).tolist())
    return replace(card, quad=(a, b, c, d), under=True)


def _size(quad: Quad) -> Corner:
    a, b, c, d = quad
    return (dist(a, b) + dist(c, d)) / 2, (dist(b, c) + dist(d, a)) / 2


# How they looked


def _faces(before: Image, after: Image, plane: Plane, thrown: Thrown) -> list[_Face]:
    """The others as they lay. What another card hid of one is taken from its other end, turned:
    most faces are the same upside down along their rims."""
    size = _size(thrown.upper.quad)
    now = _cut(after, plane, thrown.upper.quad, size)
    then = _cut(before, plane, thrown.was.quad, size)
    plain = ~_under(thrown.was.quad, thrown.others, size)
    light = np.ones(3)
    if plain.mean() > _SHARE:
        light = np.median((now[plain] + 8.0) / (then[plain] + 8.0), axis=0).clip(*_LIGHT)
    row = _row(thrown, ~_like(_lit(then, light), now))
    out = []
    for one in thrown.others:
        pixels = _lit(_cut(before, plane, one.quad, size), light)
        hidden = _under(one.quad, row[row.index(one) + 1 :], size)
        hidden = cv2.dilate(hidden.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        turned = hidden[::-1, ::-1]
        pixels = np.where((hidden & ~turned)[..., None], pixels[::-1, ::-1], pixels)
        out.append(_Face(pixels, (hidden & turned).astype(np.uint8)))
    return out


def _lit(pixels: Image, light: Pixels) -> Image:
    return (pixels * light + 0.5).clip(0, 255).astype(np.uint8)


def _row(thrown: Thrown, differs: Mask) -> list[Sighting]:
    """From the lowest to the uppermost. People lay a row from one end to the other; where another
    card overlapped the upper one and it looked otherwise then, that one lay over it."""
    cards = [thrown.was, *thrown.others]
    at = np.array([one.middle for one in cards])
    along = (at - at.mean(0)) @ np.linalg.svd(at - at.mean(0))[2][0]
    size = _size(thrown.upper.quad)
    rising = 0.0
    for other, further in zip(thrown.others, along[1:] < along[0], strict=True):
        shared = _under(thrown.was.quad, [other], size)
        if shared.mean() > _SHARE:
            over = (_LAID_OVER - differs[shared].mean()) * shared.sum()
            rising += over if further else -over
    order = np.argsort(along if rising >= 0 else -along)
    return [cards[n] for n in order]


def _cut(image: Image, plane: Plane, quad: Quad, size: Corner) -> Image:
    px = plane.pixels(np.array(quad, np.float64))
    return flat_cut(image, px, _fine(size))


def _fine(size: Corner) -> tuple[int, int]:
    return round(size[0] * _FINE), round(size[1] * _FINE)


def _under(quad: Quad, over: Sequence[Sighting], size: Corner) -> Mask:
    """The fine pixels of a card that lie under others, or over them."""
    return overlaid(quad, (each.quad for each in over), _fine(size))


def _like(one: Image, other: Image, levels: int = 25) -> Mask:
    """Where two cuts are alike, but for a millimetre."""
    near = np.ones((2 * _FINE + 1, 2 * _FINE + 1), np.uint8)
    return _off(one, cv2.erode(other, near), cv2.dilate(other, near)) < levels


# How they would lie


@dataclass(frozen=True, slots=True, eq=False)
class _Rim:
    """The fine pixels about the upper card that tell something, in rows of equal length."""

    x: Pixels
    y: Pixels
    """In millimetres."""
    low: Image
    high: Image
    """Between what levels each may be."""
    unlike: Pixels
    """What each costs if nothing lies under the upper card."""

    @classmethod
    def of(cls, told: Mask, corner: Corner, now: Image, before: Image) -> _Rim:
        near = np.ones((3, 3), np.uint8)
        low = cv2.addWeighted(cv2.erode(now, near), _TOLERANCE, now, 1 - _TOLERANCE, 0)
        high = cv2.addWeighted(cv2.dilate(now, near), _TOLERANCE, now, 1 - _TOLERANCE, 0)
        rows, columns = (n[: len(n) // _LONG * _LONG].reshape(-1, _LONG) for n in np.nonzero(told))
        x, y = ((n + 0.5) / _FINE + off for n, off in zip((columns, rows), corner, strict=True))
        low, high, before = (each[rows, columns] for each in (low, high, before))
        unlike = _unlike(before, low, high)
        return cls(x.astype(np.float32), y.astype(np.float32), low, high, unlike)


@dataclass(frozen=True, slots=True, eq=False)
class _Pile:
    """The pile about its upper card in fine pixels, now and before that was thrown on it."""

    upper: _Way
    size: Corner
    corner: Corner
    """Of the pixels, in millimetres."""
    now: Image
    before: Image
    told: Mask
    """Pixels that tell something."""
    rim: _Rim

    @classmethod
    def of(cls, before: Image, after: Image, plane: Plane, upper: _Way, size: Corner) -> _Pile:
        box = upper.quad(size, _ASIDE + _EDGE)
        low_corner = np.floor(box.min(0))
        wide, high = (int(n) for n in np.ceil(box.max(0) - low_corner))
        corner = (float(low_corner[0]), float(low_corner[1]))
        a, b, c, d = (corners(wide, high) + low_corner).tolist()
        quad = (tuple(a), tuple(b), tuple(c), tuple(d))
        now, then = (_cut(image, plane, quad, (wide, high)) for image in (after, before))
        told = np.ones(now.shape[:2], np.uint8)
        at = (upper.quad(size, _RIM) - corner) * _FINE - 0.5
        cv2.fillConvexPoly(told, np.round(at).astype(np.int32), 0)
        rim = _Rim.of(told > 0, corner, now, then)
        return cls(upper, size, corner, now, then, told > 0, rim)

    @property
    def bare(self) -> float:
        """What it costs to think that nothing lies under the upper card."""
        return float(self.rim.unlike.sum()) / _FINE**2

    def best(self, face: _Face) -> tuple[float, _Way]:
        """How the card would lie at the least cost."""
        ways = sorted((self.cost(face, way), way) for way in self._likely(face))
        roughly = sorted(self._better(face, *each, _ROUGHLY) for each in ways[:_STARTS])
        return min(self._better(face, *each, *_FINELY) for each in roughly[:_BEST])

    def cost(self, face: _Face, way: _Way) -> float:
        """In square millimetres of noise, about: how wrong the picture would be."""
        rim, turn = self.rim, np.radians(way.turn)
        c, s = np.float32(np.cos(turn)), np.float32(np.sin(turn))
        x, y = rim.x - np.float32(way.x), rim.y - np.float32(way.y)
        across, down = x * c + y * s, y * c - x * s
        half_wide, half_high = (np.float32(side / 2) for side in self.size)
        out = np.maximum(np.abs(across) - half_wide, np.abs(down) - half_high)
        column, row = (across + half_wide) * _FINE - 0.5, (down + half_high) * _FINE - 0.5
        edge = cv2.BORDER_REPLICATE
        laid = cv2.remap(face.pixels, column, row, cv2.INTER_LINEAR, borderMode=edge)
        unlike = _unlike(laid, rim.low, rim.high)
        unlike = np.where(out < -_EDGE, unlike, np.minimum(unlike, rim.unlike))
        seen = covered = out < _EDGE
        if face.hidden.any():
            hidden = cv2.remap(face.hidden, column, row, cv2.INTER_NEAREST, borderMode=edge)
            seen = covered & ((hidden == 0) | (out >= -_EDGE))
        there, many = float(unlike[seen].sum()), int(seen.sum())
        unseen = there / max(many, 1) * (int(covered.sum()) - many)  # as wrong as the rest of it
        rest = float(rim.unlike.sum()) - float(rim.unlike[covered].sum())
        return (there + unseen + rest) / _FINE**2

    def _likely(self, face: _Face) -> list[_Way]:
        """Ways to lie, found in coarse pixels: for every turn the two best places. The sum of
        squared differences at all places at once is three correlations."""
        now, before = _coarse(self.now) - 128, _coarse(self.before) - 128
        told = np.repeat(_coarse(self.told.astype(np.float32))[..., None], 3, 2)
        most = (_NOISE * _ANOTHER) ** 2
        without = told * (now**2 - np.minimum((now - before) ** 2, most))
        seen = told * now
        small, known = _coarse(face.pixels) - 128, 1 - _coarse(face.hidden.astype(np.float32))
        middle = np.array([self.upper.x, self.upper.y]) - self.corner
        room = np.array([n - 2 * _ASIDE for n in now.shape[1::-1]])
        found: list[tuple[float, _Way]] = []
        for end, off in product((0.0, 180.0), range(-_TURNED, _TURNED + 1, _TURN)):
            turn = self.upper.turn + end + off
            to_room = _turned(small.shape, turn, middle - _ASIDE)
            laid = cv2.warpAffine(small, to_room, room.tolist())
            there = np.repeat(cv2.warpAffine(known, to_room, room.tolist())[..., None], 3, 2)
            cost = (
                cv2.matchTemplate(without, there, cv2.TM_CCORR)
                - 2 * cv2.matchTemplate(seen, there * laid, cv2.TM_CCORR)
                + cv2.matchTemplate(told, there * laid**2, cv2.TM_CCORR)
            )
            for _ in range(2):
                row, column = np.unravel_index(np.argmin(cost), cost.shape)
                x, y = self.upper.x + column - _ASIDE, self.upper.y + row - _ASIDE
                found.append((float(cost[row, column]), _Way(float(x), float(y), turn)))
                cost[max(0, row - 2) : row + 3, max(0, column - 2) : column + 3] = np.inf
        return [way for _, way in sorted(found)[:_WAYS]]

    def _better(self, face: _Face, cost: float, way: _Way, *by: float) -> tuple[float, _Way]:
        """Moved by so many millimetres, and turned by twice as many degrees, in turn, for as long
        as that helps."""
        for step in by:
            at = float("inf")
            while cost < at:
                at = cost
                for dx, dy, turn in _STEPS:
                    moved = _Way(way.x + dx * step, way.y + dy * step, way.turn + turn * step)
                    if (now := self.cost(face, moved)) < cost:
                        cost, way = now, moved
        return cost, way


_COSTS = np.minimum((np.arange(256, dtype=np.float32) / _NOISE) ** 2, _ANOTHER**2)
"""Of a pixel that is so many levels off."""


def _unlike(pixels: Image, low: Image, high: Image) -> Pixels:
    """What each pixel costs."""
    return _COSTS[_off(pixels, low, high)]


def _off(pixels: Image, low: Image, high: Image) -> Image:
    """By how many levels each pixel is outside of its bounds, in the colour where it is most."""
    blue, green, red = cv2.split(cv2.max(cv2.subtract(low, pixels), cv2.subtract(pixels, high)))
    return cv2.max(cv2.max(blue, green), red)


def _coarse(pixels: Pixels) -> Pixels:
    high, wide = (n // _FINE for n in pixels.shape[:2])
    small = cv2.resize(pixels, (wide, high), interpolation=cv2.INTER_AREA)
    return small.astype(np.float32)


def _turned(shape: tuple[int, ...], turn: float, middle: Pixels) -> Pixels:
    """The map of a card's coarse pixels to where it lies turned about that middle."""
    high, wide = shape[:2]
    out: Pixels = cv2.getRotationMatrix2D(((wide - 1) / 2, (high - 1) / 2), -turn, 1.0)
    out[:, 2] += middle - 0.5 - ((wide - 1) / 2, (high - 1) / 2)
    return out
