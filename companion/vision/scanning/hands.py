"""Cards in a hand-held picture, however they are fanned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.tabletop.observations import Quad, Sighting
from companion.vision.crops import Image, ImagePyramid
from companion.vision.decks import Deck
from companion.vision.look import look, look_as_read
from companion.vision.reading.fans import CARD_MM, unfanned
from companion.vision.scanning.flattening import FlatPicture, flattened

LEAST = 0.4
"""A card whose face is less probable than this counts as none."""


def look_at_hands(photograph: Image, deck: Deck) -> list[Sighting]:
    """The cards and dice of a photograph, with those of which only a strip is in view. Quads are in
    the photograph's pixels. The first look from above finds cards that tell better how the phone
    leant, so there is a second."""
    seen = look(photograph, deck)
    card_mm = deck.sizes[-1] if deck.sizes else CARD_MM
    flat = flattened(photograph, look_as_read(ImagePyramid(photograph), deck), card_mm)
    if flat is None:
        return seen
    found = look(flat.image, deck, plane=flat.plane)
    better = flattened(photograph, [_moved(each, flat) for each in found], card_mm)
    if better is not None:
        flat, found = better, look(better.image, deck, plane=better.plane)
    every = unfanned(ImagePyramid(flat.image), found, deck)
    cards = [_moved(s, flat) for s in every if s.kind == "card" and _read(s)]
    return [*cards, *(s for s in seen if s.kind != "card")]


def _read(one: Sighting) -> bool:
    """What nobody can read is no card of a hand: a pen, or the edges of two cards."""
    return one.label is not None and one.p >= LEAST


def _moved(one: Sighting, flat: FlatPicture) -> Sighting:
    corners = flat.in_photograph(np.array(one.quad)).round(2).tolist()
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    quad: Quad = (a, b, c, d)
    return replace(one, quad=quad)
