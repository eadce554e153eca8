"""One look at a picture: find the cards and dice, read them, and drop what cannot be real.

Works on any photograph, whatever size the cards have in it; a calibrated table is looked at faster.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.tabletop.observations import Sighting
from companion.vision.calibration import Plane
from companion.vision.crops import Image, ImagePyramid, Part
from companion.vision.decks import Deck
from companion.vision.detecting.finding import Detection, Detections, find
from companion.vision.networks import network
from companion.vision.plausibility import plausible_in_photograph, without_duplicates
from companion.vision.reading.cards import LiveTable, read
from companion.vision.reading.tokens import TOKEN_MAX_MM, token_size
from companion.vision.reading.trust import trusted

# Finding on a calibrated table
_PX_PER_MM = 0.75
"""The scale at which the finder sees the table: a card is 66 pixels high then, a die 12."""
_FINER = 1.4
"""How much larger that scale is for a deck with tokens, which are small."""
_LEAST_SURE = {"card": 0.3, "die": 0.15, "token": 0.15}
"""Finds less sure than this are dropped. Dice and tokens need less: on print the finder hardly
sees them, and the reader tells the real ones by their faces."""

# Finding in any photograph
_LONG_SIDES_PX = (112, 152, 208, 280, 384, 520, 704)
"""The sizes a picture is searched at: close-ups are found in the first, small dice in the last."""
_MOST_ENLARGED = 1.6
"""A picture is enlarged no further than this."""
_CARD_BEST_PX = (34.0, 120.0)
"""The finder was trained on cards whose long side is between these."""
_DIE_BEST_PX = 9
"""The finder was trained on dice whose side is at least this."""
_DIE_SURE = 0.4
"""A die found less surely than this is print or clutter."""
_SIZE_RATIO = 0.6
"""Cards found at one spot are one card if the ratio of their sides is above this."""


def look(image: Image, deck: Deck, *, plane: Plane | None = None) -> list[Sighting]:
    """Find and read the cards and dice in a picture.

    With a `plane` the scale is known, so the picture is searched once; without, at several sizes.
    """
    pyramid = ImagePyramid(image)
    if plane is None:
        # An enrolled deck has learnt by itself how sure it may be.
        own = deck.head is not None
        seen = look_as_read(pyramid, deck)
        return [one if own and one.kind == "card" else trusted(one, seen) for one in seen]
    detections = find_on_table(pyramid, deck, plane)
    seen = read(pyramid, detections.found, deck, LiveTable(plane, detections.heatmap))
    return without_duplicates(seen, deck.several, side_by_side=deck.side_by_side)


def look_as_read(image: Image | ImagePyramid, deck: Deck) -> list[Sighting]:
    """What a photograph shows, each label as probable as its reader says."""
    pyramid = ImagePyramid.of(image)
    seen = read(pyramid, find_at_any_scale(pyramid), deck)
    return plausible_in_photograph(seen, deck.several, one_size=len(deck.sizes) < 2)


def find_on_table(
    image: Image | ImagePyramid,
    deck: Deck,
    plane: Plane,
    nearer: float = 1.0,
    part: Part | None = None,
) -> Detections:
    """Find what lies on a calibrated table, or on a part of it.

    `nearer` enlarges the picture a little: another scale may find what this one overlooks.
    If the deck has tokens, faint finds of their size are kept as small cards.
    """
    scale = finder_scale(deck, plane) * nearer
    tokens = token_size(deck) is not None
    least = min(_LEAST_SURE["card"], _LEAST_SURE["die"], _LEAST_SURE["token"] if tokens else 1.0)
    detections = find(image, network("detector"), scale, least, part)
    sure = [f for f in detections.found if f.sure >= _LEAST_SURE[f.kind]]
    if tokens:
        unsure = [f for f in detections.found if f.sure < _LEAST_SURE[f.kind]]
        small = [f for f in unsure if f.side < TOKEN_MAX_MM * plane.px_per_mm]
        sure += [replace(f, kind="card") for f in small]
    return replace(detections, found=sure)


def finder_scale(deck: Deck, plane: Plane) -> float:
    """The factor by which a calibrated table's picture is resized for the finder."""
    return _PX_PER_MM * (1.0 if token_size(deck) is None else _FINER) / plane.px_per_mm


def find_at_any_scale(image: Image | ImagePyramid) -> list[Detection]:
    """Find things at every size of `_LONG_SIDES_PX`; each thing once, as it was found best."""
    pyramid = ImagePyramid.of(image)
    longest = max(pyramid(0).shape[:2])
    found: list[Detection] = []
    for side in _LONG_SIDES_PX:
        scale = side / longest
        if side != _LONG_SIDES_PX[0] and scale > _MOST_ENLARGED:
            break
        found += _found_at(pyramid, scale)
    found.sort(key=lambda f: -f.sure)
    kept: list[Detection] = []
    for one in found:
        if not any(_same_thing(one, other) for other in kept):
            kept.append(one)
    return kept


def _found_at(pyramid: ImagePyramid, scale: float) -> list[Detection]:
    """What is found at one scale, marked down where a thing has not the size trained on."""
    found = find(pyramid, network("detector"), scale).found
    weighed = [replace(one, sure=one.sure * _fitness(one, scale)) for one in found]
    return [one for one in weighed if one.kind == "card" or one.sure >= _DIE_SURE]


def _fitness(one: Detection, scale: float) -> float:
    """How much a find counts: less if it was far smaller or larger than what was trained on."""
    if one.kind == "die":
        return 1.0 if one.side * scale >= _DIE_BEST_PX else 0.7
    low, high = _CARD_BEST_PX
    side = one.side * scale
    return 1.0 if low <= side <= high else 0.75


def _same_thing(a: Detection, b: Detection) -> bool:
    """Whether one thing was found twice.

    A small find inside a larger one counts as another thing: reading will tell which is real.
    """
    if a.kind != b.kind:
        return False
    apart = float(np.linalg.norm(a.middle - b.middle))
    if a.kind == "die":
        return apart < 0.6 * min(a.side, b.side)
    ratio = min(a.side, b.side) / max(a.side, b.side)
    return ratio > _SIZE_RATIO and apart < 0.2 * min(a.side, b.side)
