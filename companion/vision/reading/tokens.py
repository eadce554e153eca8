"""Tokens: small, mostly round, on printed cards hardly to be found, but plain to read where they
lie. So no corners are looked for. Every place where one may lie is read, and the best of them is
followed to where it looks like a token most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.tabletop.observations import Quad as Corners
from companion.tabletop.observations import Sighting
from companion.vision.calibration import Plane
from companion.vision.crops import Halves, card_cuts
from companion.vision.decks import Deck, Match
from companion.vision.detecting.finding import AROUND, Found, firsts
from companion.vision.networks import network

Points = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

SMALL = 30.0
"""Millimetres; pieces of a deck that are smaller are tokens."""
_GRID = 3.8
"""Millimetres between places tried on a card: from two millimetres away a token is still like
itself."""
_INSIDE = 9.0
"""Millimetres from the card's edge to the nearest of them."""
_CARD = 15.0
"""Pixels within which two cards' middles are one card's."""
_OUTSIDE = 4.0
"""Millimetres outside a card's edge from which on a token is clear of it."""
_ACROSS = 6.0
"""Millimetres inside it from which on a token is clear of it."""
_NAMED = 0.9
_MOST = 260
"""Places tried in one look, on cards first: where more has changed, the finder must do."""
_PEAK = 5.5
"""Millimetres within which only the place most like a token is followed."""
_ROUNDS = ((1.5, 0.0, 0.25), (0.8, 20.0, 0.36), (0.4, 20.0, 0.48))
"""How far, in millimetres and degrees, it is followed in each round, and from which likeness on."""
_EIGHTH = 45.0
_PLAIN = 0.66
"""What is as like a token as this lies there, near enough."""
_ALIKE = 0.598
"""How like a known one a token must look, for what is printed on cards looks like tokens, too."""
_FACE = 0.97
"""How sure its face must be among all."""
_ONE = 9.0
"""Millimetres; nearer than this only one token lies."""


def token_size(deck: Deck) -> float | None:
    """The side of its tokens in millimetres, if it has any."""
    return min((short for short, _ in deck.sizes if short < SMALL), default=None)


def everywhere(places: Points) -> Mask:
    return np.ones(len(places), np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where tokens may lie, in pixels: anywhere on cards that bear some, as far as it is `fresh`,
    in further places beside the cards, and where they lay before."""

    bearing: tuple[Points, ...] = ()
    lying: tuple[tuple[Points, bool], ...] = ()
    """Cards that lie there for sure, and whether they bear tokens: what seems to be one across a
    card's edge, or on one that bears none, is print."""
    beside: Points = field(default_factory=lambda: np.zeros((0, 2)))
    before: tuple[Points, ...] = ()
    fresh: Callable[[Points], Mask] = everywhere
    shifted: float = 0.0
    """By how much of its step the grid is shifted: whoever looks again looks elsewhere."""

    def among(self, seen: Sequence[Sighting], deck: Deck) -> Places:
        """With the cards that were just read."""
        cards = [(np.array(s.quad), s) for s in seen]
        known = [each.mean(0) for each in self.bearing]
        new = [
            quad
            for quad, one in cards
            if deck.bears(one.label)
            and all(np.linalg.norm(quad.mean(0) - at) > _CARD for at in known)
        ]
        sure = [(q, deck.bears(s.label)) for q, s in cards if s.label is not None and s.p > _NAMED]
        return replace(self, bearing=(*self.bearing, *new), lying=(*self.lying, *sure))

    def to_read(self, found: Sequence[Found], plane: Plane) -> tuple[Points, Points]:
        """Middles, and how sure it is that something lies there, beside the cards."""
        known = np.reshape([*self.before, *(f.middle for f in found)], (-1, 2))
        certain = np.array([*(1.0 for _ in self.before), *(f.sure for f in found)])
        tried = [self._tried(quad, plane) for quad in self.bearing]
        new = np.concatenate([np.zeros((0, 2)), *tried])
        new = np.concatenate([new[self.fresh(new)], self._off(self.beside, plane.px_per_mm)])
        places = np.concatenate([known, new[:_MOST]])
        certain = np.concatenate([certain, np.zeros(len(places) - len(known))])
        for quad in (*self.bearing, *(quad for quad, _ in self.lying)):
            certain[_within(places, quad) > 0] = 0.0
        may = self._may(places, plane.px_per_mm)
        return places[may], certain[may]

    def _off(self, places: Points, px: float) -> Points:
        """Those beside all cards."""
        off = np.ones(len(places), np.bool_)
        for quad, _ in self.lying:
            off &= _within(places, quad) < -_OUTSIDE * px
        return places[off]

    def _may(self, places: Points, px: float) -> Mask:
        """Not across an edge, nor on a card that bears none."""
        may = np.ones(len(places), np.bool_)
        for quad, bears in self.lying:
            deep = _within(places, quad)
            may &= (deep < -_OUTSIDE * px) | ((deep > _ACROSS * px) & bears)
        return may

    def _tried(self, quad: Points, plane: Plane) -> Points:
        """A grid of places on a card whose corners are these."""
        mm = plane.table(np.asarray(quad, np.float64))
        (left, top), (right, bottom) = mm.min(0) + _INSIDE, mm.max(0) - _INSIDE
        shift = self.shifted * _GRID
        down = np.arange(top + shift * 0.87, bottom, _GRID * 0.87)
        rows = [
            (x, y)
            for at, y in enumerate(down)
            for x in np.arange(left + (shift + at % 2 * _GRID / 2) % _GRID, right, _GRID)
        ]
        at = np.array(rows).reshape(-1, 2)
        return plane.pixels(at) if len(at) else at


def _within(places: Points, quad: Points) -> Points:
    """How far in a quad each place is; below zero, how far outside of it at least."""
    side = np.roll(quad, -1, 0) - quad
    off = places[:, None] - quad[None]
    deep = side[:, 0] * off[..., 1] - side[:, 1] * off[..., 0]
    out: Points = (deep / np.linalg.norm(side, axis=1)).min(1)
    return out


def over(cells: npt.NDArray[Any], stride: int, px: float, shifted: float) -> Points:
    """A grid of places over the cells that are true; `px` are the picture's pixels to a mm."""
    rows, columns = np.nonzero(cells)
    if not len(rows):
        return np.zeros((0, 2))
    step = _GRID * px
    across = np.arange((columns.min() + shifted) * stride, (columns.max() + 1) * stride, step)
    down = np.arange((rows.min() + shifted) * stride, (rows.max() + 1) * stride, step)
    at = np.stack(np.meshgrid(across, down), -1).reshape(-1, 2)
    column, row = np.floor(at / stride).astype(int).T
    return at[cells[row.clip(0, len(cells) - 1), column.clip(0, cells.shape[1] - 1)]]


def read_tokens(
    image: Halves, found: Sequence[Found], deck: Deck, plane: Plane, places: Places
) -> list[Sighting]:
    """The tokens among what looked like dice or small cards, and in further places."""
    mm = token_size(deck)
    if mm is None:
        return []
    at, certain = places.to_read(found, plane)
    if not len(at):
        return []
    look = _Look(image, deck, plane.px_per_mm, mm * plane.px_per_mm / 2)
    spots = look.first(at, certain)
    for step, turn, least in _ROUNDS:
        spots = spots.of(spots.like > least)
        spots = look.nearer(spots.of(_apart(spots, _PEAK * look.px, _EIGHTH / 2)), step, turn)
    spots = spots.of(spots.like > _ALIKE)
    spots = spots.of(_apart(spots, _ONE * look.px))
    matches = deck.match(spots.faces, np.full((len(spots.at), 2), mm))
    return [
        _sighting(match, spots.at[n], look.half, float(spots.certain[n]))
        for n, match in enumerate(matches)
        if match.label is not None and match.p > _FACE
    ]


def _sighting(match: Match, at: Points, half: float, certain: float) -> Sighting:
    """That it is there is as certain as what it is. How it is turned means nothing."""
    found = max(certain, match.p)
    return Sighting("card", match.label, match.p, _square(at, half), 0, match.others, found)


def _square(at: Points, half: float) -> Corners:
    a, b, c, d = ((round(x, 2), round(y, 2)) for x, y in (at + AROUND * half).tolist())
    return a, b, c, d


@dataclass(frozen=True, slots=True, eq=False)
class _Spots:
    at: Points
    turned: Points
    """In degrees."""
    certain: Points
    like: Points
    """How like a token it looks there."""
    faces: Points
    """What the embedder says of it."""

    def of(self, numbers: npt.NDArray[Any]) -> _Spots:
        parts = (self.at, self.turned, self.certain, self.like, self.faces)
        return _Spots(*(part[numbers] for part in parts))

    def and_also(self, more: _Spots) -> _Spots:
        return _Spots(
            np.concatenate([self.at, more.at]),
            np.concatenate([self.turned, more.turned]),
            np.concatenate([self.certain, more.certain]),
            np.concatenate([self.like, more.like]),
            np.concatenate([self.faces, more.faces]),
        )


def _apart(spots: _Spots, reach: float, turn: float = 360.0) -> npt.NDArray[np.intp]:
    """The numbers of those that are not near a better one, best first; what is turned by more
    than that many degrees is another way to see it."""
    order = np.argsort(-spots.like)
    at, turned = spots.at[order], spots.turned[order]
    near = np.linalg.norm(at[:, None] - at[None], axis=2) < reach
    near &= np.abs(turned[:, None] - turned[None]) < turn
    return order[firsts(near)].astype(np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    image: Halves
    deck: Deck
    px: float
    """Pixels to a millimetre."""
    half: float

    def first(self, at: Points, certain: Points) -> _Spots:
        """Straight, and by an eighth turned where something lies beside the cards: on them that
        would make tokens of print."""
        sure = np.flatnonzero(certain > 0)
        ways = np.concatenate([np.zeros(len(at)), np.full(len(sure), _EIGHTH)])
        both = np.concatenate([np.arange(len(at)), sure])
        return self._read(at[both], ways, certain[both])

    def nearer(self, spots: _Spots, step: float, turn: float) -> _Spots:
        """A little on, wherever it is not plain yet and looks more like one there."""
        on = np.flatnonzero(spots.like < _PLAIN)
        if not len(on):
            return spots
        moves = [(step, 0.0, 0.0), (-step, 0.0, 0.0), (0.0, step, 0.0), (0.0, -step, 0.0)]
        moves += [(0.0, 0.0, turn), (0.0, 0.0, -turn)] if turn else []
        way = np.array(moves)
        at = spots.at[on][:, None] + way[None, :, :2] * self.px
        turned = spots.turned[on][:, None] + way[None, :, 2]
        certain = np.repeat(spots.certain[on], len(way))
        tried = self._read(at.reshape(-1, 2), turned.ravel(), certain)
        like = tried.like.reshape(len(on), -1)
        best = np.arange(len(on)) * len(way) + like.argmax(1)
        better = like.max(1) > spots.like[on]
        keep = np.setdiff1d(np.arange(len(spots.at)), on[better])
        return spots.of(keep).and_also(tried.of(best[better]))

    def _read(self, at: Points, turned: Points, certain: Points) -> _Spots:
        a = np.radians(turned)
        spin = np.stack([np.cos(a), np.sin(a), -np.sin(a), np.cos(a)], 1).reshape(-1, 2, 2)
        quads = at[:, None] + (AROUND * self.half)[None] @ spin
        faces = network("embedder").run(card_cuts(self.image, quads))
        return _Spots(at, turned, certain, self.deck.like_small(faces, SMALL), faces)
