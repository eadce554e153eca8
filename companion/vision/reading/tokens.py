"""Reading tokens. They are small and mostly round, and on printed cards the finder hardly finds
them; but whoever reads one where it lies knows it for sure.

So no corners are looked for. Every place where a token may lie is read, and the best places are
moved step by step to where they look most like a token.
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
from companion.vision.crops import ImagePyramid, card_crops
from companion.vision.decks import Deck, Match
from companion.vision.detecting.finding import AROUND, Detection, first_of_each
from companion.vision.networks import network

Points = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

TOKEN_MAX_MM = 30.0
"""Pieces of a deck whose short side is smaller are tokens."""
_GRID_MM = 3.8
"""The distance between places tried: a token read two millimetres off still looks like itself."""
_INSIDE_MM = 9.0
"""How far from a card's edge the places tried on it begin."""
_SAME_CARD_PX = 15.0
"""Cards whose middles are nearer are one card."""
_CLEAR_OUTSIDE_MM = 4.0
"""A token beside a card has its middle at least this far from the card's edge ..."""
_CLEAR_INSIDE_MM = 6.0
"""... and one on a card at least this far: across an edge none lies."""
_NAMED = 0.9
"""Cards read more surely than this lie there for sure."""
_MOST_PLACES = 260
"""Places tried in one look, those on cards first. Where more has changed, the finder must do."""
_PEAK_MM = 5.5
"""Of the places nearer to each other than this, only the one most like a token is moved on."""
_ROUNDS = ((1.5, 0.0, 0.25), (0.8, 20.0, 0.36), (0.4, 20.0, 0.48))
"""Of each round: by how many millimetres and degrees a place is moved, and from which likeness to
a token on it is moved at all."""
_EIGHTH_TURN = 45.0
"""Degrees."""
_PLAIN = 0.66
"""A place at least this like a token is near enough: it is not moved any more."""
_ALIKE = 0.598
"""A token must be more like a known one than this: print on cards looks like tokens, too."""
_FACE_P = 0.97
"""And its face must be more probable than this among all."""
_SAME_TOKEN_MM = 9.0
"""Two tokens never lie nearer than this."""


_MOST_FINDS = 60
"""The surest finds of a look that are read as tokens: print may flood the finder ..."""
_MOST_FOLLOWED = 40
"""... and the best places that are followed to where they look like a token most."""


def token_size(deck: Deck) -> float | None:
    """The side of the deck's smallest tokens in millimetres; None if it has no tokens."""
    return min((short for short, _ in deck.sizes if short < TOKEN_MAX_MM), default=None)


def everywhere(places: Points) -> Mask:
    return np.ones(len(places), np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class TokenPlaces:
    """Where tokens may lie. All places are in pixels."""

    bearing: tuple[Points, ...] = ()
    """Quads of cards that bear tokens: one may lie anywhere on them that is `fresh`."""
    lying: tuple[tuple[Points, bool], ...] = ()
    """Quads of cards that lie there for sure, and whether they bear tokens. What looks like a token
    across a card's edge, or on a card that bears none, is print."""
    beside: Points = field(default_factory=lambda: np.zeros((0, 2)))
    """Further places, beside the cards."""
    before: tuple[Points, ...] = ()
    """Where tokens lay before."""
    fresh: Callable[[Points], Mask] = everywhere
    """At which places a token may have come since the last look."""
    shifted: float = 0.0
    """By how much of its step the grid is shifted: another look should try other places."""

    def among(self, seen: Sequence[Sighting], deck: Deck) -> TokenPlaces:
        """These places, and those on and beside the cards that were just read."""
        cards = [(np.array(s.quad), s) for s in seen]
        known = [each.mean(0) for each in self.bearing]
        new = [
            quad
            for quad, one in cards
            if deck.bears(one.label)
            and all(np.linalg.norm(quad.mean(0) - at) > _SAME_CARD_PX for at in known)
        ]
        sure = [(q, deck.bears(s.label)) for q, s in cards if s.label is not None and s.p > _NAMED]
        return replace(self, bearing=(*self.bearing, *new), lying=(*self.lying, *sure))

    def to_read(self, found: Sequence[Detection], plane: Plane) -> tuple[Points, Points]:
        """The places to read, with those found and those of before; and for each how surely
        something lies there. On cards that counts as unsure: print may look like it."""
        known = np.reshape([*self.before, *(f.middle for f in found)], (-1, 2))
        certain = np.array([*(1.0 for _ in self.before), *(f.sure for f in found)])
        tried = [self._tried(quad, plane) for quad in self.bearing]
        new = np.concatenate([np.zeros((0, 2)), *tried])
        new = np.concatenate([new[self.fresh(new)], self._off(self.beside, plane.px_per_mm)])
        places = np.concatenate([known, new[:_MOST_PLACES]])
        certain = np.concatenate([certain, np.zeros(len(places) - len(known))])
        for quad in (*self.bearing, *(quad for quad, _ in self.lying)):
            certain[_within(places, quad) > 0] = 0.0
        may = self._may(places, plane.px_per_mm)
        return places[may], certain[may]

    def _off(self, places: Points, px: float) -> Points:
        """Those of the places that lie beside all cards."""
        off = np.ones(len(places), np.bool_)
        for quad, _ in self.lying:
            off &= _within(places, quad) < -_CLEAR_OUTSIDE_MM * px
        return places[off]

    def _may(self, places: Points, px: float) -> Mask:
        """At which places a token may lie: not across an edge, nor on a card that bears none."""
        may = np.ones(len(places), np.bool_)
        for quad, bears in self.lying:
            deep = _within(places, quad)
            clear = deep < -_CLEAR_OUTSIDE_MM * px
            may &= clear | ((deep > _CLEAR_INSIDE_MM * px) & bears)
        return may

    def _tried(self, quad: Points, plane: Plane) -> Points:
        """A hexagonal grid of places on a card with these corners."""
        mm = plane.table(np.asarray(quad, np.float64))
        (left, top), (right, bottom) = mm.min(0) + _INSIDE_MM, mm.max(0) - _INSIDE_MM
        shift = self.shifted * _GRID_MM
        down = np.arange(top + shift * 0.87, bottom, _GRID_MM * 0.87)
        rows = [
            (x, y)
            for at, y in enumerate(down)
            for x in np.arange(left + (shift + at % 2 * _GRID_MM / 2) % _GRID_MM, right, _GRID_MM)
        ]
        at = np.array(rows).reshape(-1, 2)
        return plane.pixels(at) if len(at) else at


def _within(places: Points, quad: Points) -> Points:
    """How far inside a quad each place is; for one outside, minus how far away at least."""
    side = np.roll(quad, -1, 0) - quad
    off = places[:, None] - quad[None]
    deep = side[:, 0] * off[..., 1] - side[:, 1] * off[..., 0]
    out: Points = (deep / np.linalg.norm(side, axis=1)).min(1)
    return out


def grid_over(cells: npt.NDArray[Any], stride: int, px: float, shifted: float) -> Points:
    """A grid of places over the cells that are true, in pixels of the picture.

    `stride` is the side of a cell, `px` are the picture's pixels to a millimetre, and `shifted` is
    the share of a cell by which the grid begins later.
    """
    rows, columns = np.nonzero(cells)
    if not len(rows):
        return np.zeros((0, 2))
    step = _GRID_MM * px
    across = np.arange((columns.min() + shifted) * stride, (columns.max() + 1) * stride, step)
    down = np.arange((rows.min() + shifted) * stride, (rows.max() + 1) * stride, step)
    at = np.stack(np.meshgrid(across, down), -1).reshape(-1, 2)
    column, row = np.floor(at / stride).astype(int).T
    return at[cells[row.clip(0, len(cells) - 1), column.clip(0, cells.shape[1] - 1)]]


def read_tokens(
    image: ImagePyramid, found: Sequence[Detection], deck: Deck, plane: Plane, places: TokenPlaces
) -> list[Sighting]:
    """Read the tokens among what was found as dice or small cards, and in further places."""
    mm = token_size(deck)
    if mm is None:
        return []
    surest = sorted(found, key=lambda f: -f.sure)[:_MOST_FINDS]
    at, certain = places.to_read(surest, plane)
    if not len(at):
        return []
    look = _Look(image, deck, plane.px_per_mm, mm * plane.px_per_mm / 2)
    spots = look.first(at, certain)
    for step, turn, least in _ROUNDS:
        spots = spots.of(spots.like > least)
        peaks = _apart(spots, _PEAK_MM * look.px, _EIGHTH_TURN / 2)
        spots = look.nearer(spots.of(peaks[:_MOST_FOLLOWED]), step, turn)
    spots = spots.of(spots.like > _ALIKE)
    spots = spots.of(_apart(spots, _SAME_TOKEN_MM * look.px))
    matches = deck.match(spots.faces, np.full((len(spots.at), 2), mm))
    return [
        _sighting(match, spots.at[n], look.half, float(spots.certain[n]))
        for n, match in enumerate(matches)
        if match.label is not None and match.p > _FACE_P
    ]


def _sighting(match: Match, at: Points, half: float, certain: float) -> Sighting:
    """A token as a sighting. That it is there is at least as certain as what it is; how a round
    thing is turned means nothing."""
    found = max(certain, match.p)
    return Sighting("card", match.label, match.p, _square(at, half), 0, match.others, found)


def _square(at: Points, half: float) -> Corners:
    a, b, c, d = ((round(x, 2), round(y, 2)) for x, y in (at + AROUND * half).tolist())
    return a, b, c, d


@dataclass(frozen=True, slots=True, eq=False)
class _Spots:
    """Places that were read, one in each row."""

    at: Points
    turned: Points
    """By how many degrees the crop was turned."""
    certain: Points
    """How surely something lies there."""
    like: Points
    """How like a token it looks there."""
    faces: Points
    """What the embedder makes of it."""

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
    """The indices of those that are not within reach of a better one, best first.

    Two that are turned apart by more than `turn` degrees both stay: either may turn out better.
    """
    order = np.argsort(-spots.like)
    at, turned = spots.at[order], spots.turned[order]
    near = np.linalg.norm(at[:, None] - at[None], axis=2) < reach
    near &= np.abs(turned[:, None] - turned[None]) < turn
    return order[first_of_each(near)].astype(np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """Reads places in one picture."""

    image: ImagePyramid
    deck: Deck
    px: float
    """Pixels to a millimetre."""
    half: float
    """Half a token's side, in pixels."""

    def first(self, at: Points, certain: Points) -> _Spots:
        """Read all places straight, and those beside cards where something lies also turned by an
        eighth: on cards that would make tokens of print."""
        sure = np.flatnonzero(certain > 0)
        ways = np.concatenate([np.zeros(len(at)), np.full(len(sure), _EIGHTH_TURN)])
        both = np.concatenate([np.arange(len(at)), sure])
        return self._read(at[both], ways, certain[both])

    def nearer(self, spots: _Spots, step: float, turn: float) -> _Spots:
        """Move each place that is not plain yet by a step, or turn it, where that looks more like a
        token; `step` is in millimetres, `turn` in degrees."""
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
        faces = network("embedder").run(card_crops(self.image, quads))
        return _Spots(at, turned, certain, self.deck.like_small(faces, TOKEN_MAX_MM), faces)
