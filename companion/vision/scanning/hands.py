"""Cards in a hand-held picture, however they are fanned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import dist

import numpy as np

from companion.tabletop.observations import Quad, Sighting
from companion.vision.crops import Image, ImagePyramid
from companion.vision.decks import Deck
from companion.vision.look import look, look_as_read
from companion.vision.reading.fans import CARD_MM, unfanned
from companion.vision.scanning.flattening import HAND_MM, SURE, TABLE_MM, FlatPicture, flattened

NEAR = 2.4
"""Cards no further apart than so many times their side may be of one hand."""
LEAST = 0.4
"""A card whose face is less probable than this counts as none."""


def look_at_hands(photograph: Image, deck: Deck) -> list[Sighting]:
    """The cards and dice of a photograph, with those of which only a strip is in view. Quads are in
    the photograph's pixels."""
    seen = look(photograph, deck)
    plain = _plain(look_as_read(ImagePyramid(photograph), deck))
    first = _from_above(photograph, plain, deck, TABLE_MM) or []
    known = _each_once([*_plain(first), *plain], deck)
    # Each hand by itself: its own cards tell best how the phone leant there.
    found = [
        each
        for hand in _hands(known)
        for each in _from_above(photograph, hand, deck, HAND_MM) or ()
    ]
    if not found:
        return seen
    cards = _each_once([*(s for s in found if _read(s)), *known], deck)
    return [*cards, *(s for s in seen if s.kind != "card")]


def _plain(seen: Sequence[Sighting]) -> list[Sighting]:
    return [s for s in seen if s.kind == "card" and s.label is not None and s.p >= SURE]


def _hands(cards: Sequence[Sighting]) -> list[list[Sighting]]:
    """Cards that lie near each other: how the phone leant is told best by the cards themselves."""
    hands: list[list[Sighting]] = []
    for card in cards:
        near = [hand for hand in hands if any(_is_near(card, other) for other in hand)]
        hands = [hand for hand in hands if hand not in near]
        hands.append([card, *(each for hand in near for each in hand)])
    return hands


def _is_near(one: Sighting, other: Sighting) -> bool:
    side = max(dist(one.quad[0], one.quad[3]), dist(one.quad[0], one.quad[1]))
    return dist(one.middle, other.middle) < NEAR * side


def _each_once(cards: Sequence[Sighting], deck: Deck) -> list[Sighting]:
    """Each face once, where it was read best; of a deck with copies each place once."""
    kept: list[Sighting] = []
    for one in sorted(cards, key=lambda each: -each.p):
        same = [other for other in kept if other.label == one.label]
        if not same or (deck.several(one.label) and not any(_is_one(one, each) for each in same)):
            kept.append(one)
    return kept


def _is_one(one: Sighting, other: Sighting) -> bool:
    return dist(one.middle, other.middle) < 0.2 * dist(one.quad[0], one.quad[3])


def _from_above(
    photograph: Image, known: Sequence[Sighting], deck: Deck, room_mm: float
) -> list[Sighting] | None:
    """The cards as they are seen from above; None if nothing tells where above is."""
    flat = flattened(photograph, known, deck.sizes[-1] if deck.sizes else CARD_MM, room_mm)
    if flat is None:
        return None
    found = look(flat.image, deck, plane=flat.plane)
    every = unfanned(ImagePyramid(flat.image), found, deck)
    return [_moved(s, flat) for s in every if s.kind == "card"]


def _read(one: Sighting) -> bool:
    """What nobody can read is no card of a hand: a pen, or the edges of two cards."""
    return one.label is not None and one.p >= LEAST


def _moved(one: Sighting, flat: FlatPicture) -> Sighting:
    corners = flat.in_photograph(np.array(one.quad)).round(2).tolist()
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    quad: Quad = (a, b, c, d)
    return replace(one, quad=quad)
