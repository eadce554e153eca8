"""Hands laid open in a fan: cards of which a strip is in view.

The finder looks for the middles of cards, and in a fan most of them are covered. But a strip is
enough to read a card by, once it is known where its outline must be. So each card that was read
plainly is asked where its neighbours may lie, on either side, and what is read there plainly is a
card that asks in turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.tabletop.observations import Sighting
from companion.vision.calibration import Plane
from companion.vision.crops import ImagePyramid, card_crops, corners
from companion.vision.decks import Deck
from companion.vision.detecting.finding import rounded
from companion.vision.detecting.fitting import KnownSizes
from companion.vision.detecting.refining import moved
from companion.vision.networks import network
from companion.vision.reading.cards import quarter_turn

Quads = npt.NDArray[Any]
CARD_MM = (63.0, 88.0)
"""The size of a card of whose deck nobody knows it; only how the sides compare matters."""
ASKS = 0.5
"""A card read or found at least this surely is asked for its neighbours ..."""
PLAIN = 0.97
"""... and a neighbour whose face is at least this probable, over several looks, is one."""
SURE = 0.9
"""A card read at least this surely needs no further look."""
CARD_P = 0.25
"""How probably there must be a card at all, says the refiner: of a strip it is never sure."""
_ASIDE_MM = (10.0, 18.0, 26.0, 34.0, 43.0)
"""How far to the side a neighbour lies, of a card 63 mm wide."""
_BENT = (-4.0, 5.0, 13.0)
"""By how many degrees it is turned away from the card that asks."""
_DOWN_MM = (22.0, 34.0)
"""How far below or above, where a hand is laid in a column."""
_APART = 0.18
"""Two cards whose middles are nearer than this share of a card's height are one."""
_SIZES = (0.72, 1.38)
"""How much smaller or larger than the card that asks a neighbour looks."""
_ROUNDS = 2
"""How often the corners of a supposed card are moved."""
_MOST_STEPS = 10
"""The longest way from a card in plain view to the last of its hand."""
_MOST_READ = 14
"""Places that are read closely in one step: the likeliest."""
_SHIFTS = tuple(product((-0.012, 0.0, 0.012), (-0.015, 0.015), (-1.5, 1.5)))
"""How a supposed quad is varied to be read closely: shares of its long side, and degrees."""
_BEST = 3
"""It shows what the best so many of these looks show together."""


def unfanned(image: ImagePyramid, seen: Sequence[Sighting], deck: Deck) -> list[Sighting]:
    """What was seen in a photograph, and the cards of fans of which only a strip is in view."""
    cards = [s for s in seen if s.kind == "card"]
    known = [s for s in cards if s.label is not None and s.p >= SURE]
    asked = [s for s in cards if max(s.p, s.found) >= ASKS]
    for _ in range(_MOST_STEPS):
        if not asked:
            break
        asked = _neighbours(image, asked, known, deck)
        known += asked
    rest = [s for s in cards if not any(_same_place(s, each) for each in known)]
    rest = [s for s in rest if not _is_part(s, known)]
    return [*known, *rest, *(s for s in seen if s.kind != "card")]


def _neighbours(
    image: ImagePyramid, asked: Sequence[Sighting], known: Sequence[Sighting], deck: Deck
) -> list[Sighting]:
    """The cards beside these that nobody knew of, each once."""
    size = deck.sizes[-1] if deck.sizes else CARD_MM
    places = [
        quad
        for one in asked
        for quad in _placed(image, one, _supposed(size), size)
        if _fits(quad, one) and not any(_at_place(quad, other) for other in known)
    ]
    places = _each_once(places)
    if not places:
        return []
    named = {str(s.label) for s in known}
    found = sorted(_read(image, places, deck), key=lambda s: -s.p)
    kept: list[Sighting] = []
    for one in found:
        again = str(one.label) in named and not deck.several(one.label)
        if one.p < PLAIN or again or any(_same_place(one, other) for other in kept):
            continue
        named.add(str(one.label))
        kept.append(one)
    return kept


def _read(image: ImagePyramid, places: Sequence[Quads], deck: Deck) -> list[Sighting]:
    """Each place as what it shows over several looks at it; the likeliest places only."""
    quads = np.stack(places)
    first = deck.odds(network("embedder").run(card_crops(image, quads)))
    order = np.argsort(-first[:, :-1].max(1))[:_MOST_READ]
    quads = quads[order]
    varied = np.stack([_varied(quad) for quad in quads])
    points = network("embedder").run(card_crops(image, varied.reshape(-1, 4, 2)))
    odds = deck.odds(points).reshape(len(quads), len(_SHIFTS), -1)
    return [_closest(*each, deck) for each in zip(varied, odds, strict=True)]


def _varied(quad: Quads) -> Quads:
    """The quad a little elsewhere, in many ways; along its own sides."""
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    long = max(float(np.linalg.norm(down)), 1.0)
    right, below = across / max(float(np.linalg.norm(across)), 1.0), down / long
    middle = quad.mean(0)
    out = []
    for x, y, turn in _SHIFTS:
        a = np.radians(turn)
        spin = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        out.append((quad - middle) @ spin + middle + (right * x + below * y) * long)
    return np.stack(out)


def _closest(quads: Quads, odds: Quads, deck: Deck) -> Sighting:
    """What the best looks at one place show, and where it fits best."""
    label = int(odds[:, :-1].max(0).argmax())
    best = np.argsort(-odds[:, label])[:_BEST]
    return _sighting(quads[best[0]], odds[best].mean(0), deck)


def _supposed(size: tuple[float, float]) -> Quads:
    """Where neighbours may lie, and where the card itself does: quads about a card's own middle,
    in its millimetres."""
    width, height = size
    grow = width / CARD_MM[0]
    spots = [
        (side * far * grow, 0.0, side * bent)
        for side, far, bent in product((-1, 1), _ASIDE_MM, _BENT)
    ]
    spots += [(0.0, side * far * grow, 0.0) for side, far in product((-1, 1), _DOWN_MM)]
    out = []
    for x, y, turn in ((0.0, 0.0, 0.0), *spots):
        a = np.radians(turn)
        spin = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        # A fan turns about a point below the cards: what is turned away also sinks.
        sunk = abs(x) * abs(np.tan(a / 2))
        out.append((corners(width, height) - (width / 2, height / 2)) @ spin + (x, y + sunk))
    return np.stack(out)


def _placed(image: ImagePyramid, one: Sighting, quads: Quads, size: tuple[float, float]) -> Quads:
    """The supposed quads in the picture, moved onto what is seen there; without those that are no
    cards. The plane is that of the card which asks."""
    wide, high = size
    own = (corners(wide, high) - (wide / 2, high / 2)).astype(np.float32)
    way = cv2.getPerspectiveTransform(own, np.array(one.quad, np.float32)).astype(np.float64)
    rows, columns = image(0).shape[:2]
    plane = Plane(way, (columns, rows))
    there = plane.pixels(quads.reshape(-1, 2)).reshape(-1, 4, 2)
    sure = np.ones(len(there))
    sizes = KnownSizes(plane, (size,))
    for _ in range(_ROUNDS):
        there, sure = moved(image, there, network("refiner"), sizes)
    return there[sure > CARD_P]


def _fits(quad: Quads, one: Sighting) -> bool:
    """Whether it is about as large as the card that asked."""
    low, high = _SIZES
    mine, its = (_long_side(each) for each in (quad, np.array(one.quad)))
    return bool(np.isfinite(quad).all() and low < mine / max(its, 1.0) < high)


def _long_side(quad: Quads) -> float:
    return float(np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2


def _each_once(places: Sequence[Quads]) -> list[Quads]:
    """Many suppositions come to lie on one card: their mean, the more the surer first."""
    groups: list[list[Quads]] = []
    for quad in places:
        near = next((g for g in groups if _near(quad, g[0])), None)
        if near is None:
            groups.append([quad])
        else:
            near.append(quad)
    groups.sort(key=len, reverse=True)
    return [np.median(np.stack(group), 0) for group in groups]


def _near(one: Quads, other: Quads) -> bool:
    """Whether two quads are one card's: each corner is near its like."""
    off = np.linalg.norm(one - other, axis=1).max()
    return bool(off < _APART * _long_side(other))


def _at_place(quad: Quads, other: Sighting) -> bool:
    x, y = quad.mean(0)
    a, b = other.middle
    return bool(np.hypot(x - a, y - b) < _APART * _long_side(np.array(other.quad)))


def _same_place(one: Sighting, other: Sighting) -> bool:
    return _at_place(np.array(one.quad), other)


def _is_part(one: Sighting, known: Sequence[Sighting]) -> bool:
    """Whether something hardly read is only a part of cards that were: its middle lies on one."""
    if one.label is not None and one.p >= SURE:
        return False
    x, y = one.middle
    return any(
        cv2.pointPolygonTest(np.array(other.quad, np.float32), (float(x), float(y)), False) >= 0
        for other in known
    )


def _sighting(quad: Quads, odds: Quads, deck: Deck) -> Sighting:
    """The likeliest face; that it may be none at all is what is missing to 1."""
    order = np.argsort(-odds[:-1])[:4]
    (label, p), *others = [(deck.labels[i], float(odds[i])) for i in order]
    return Sighting("card", label, p, rounded(quad), quarter_turn(quad), tuple(others), p)
