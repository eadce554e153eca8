"""One look at a picture: find the cards and dice, read them, and drop what cannot be real.

Works on any photograph, whatever size the cards have in it; a calibrated table is looked at faster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.tabletop.observations import Sighting
from companion.tabletop.polygons import boxes_meet
from companion.vision.calibration import Plane
from companion.vision.crops import Image, ImagePyramid, Part
from companion.vision.decks import Deck
from companion.vision.detecting.finding import Detection, Detections, find
from companion.vision.networks import network
from companion.vision.reading.cards import LiveTable, read
from companion.vision.reading.dice import CARD_NAMED, DIE_NOT_PRINT
from companion.vision.reading.tokens import TOKEN_MAX_MM, token_size

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
_DIE_SURE = 0.62
"""A die found less surely than this is print or clutter."""
_SIZE_RATIO = 0.6
"""Cards found at one spot are one card if the ratio of their sides is above this."""

# Dice and cards taken for each other
_DIE_SIDE_SHARE = (0.16, 0.34)
"""A die's side over the square root of a card's area: dice are 12 to 20 mm, cards 63 x 88 mm."""
_DIE_READ = 0.97
"""A die is plain if it is read at least this surely ..."""
_DIE_FOUND = 0.7
"""... and found at least this surely."""
_CARD_FAINT = 0.5
"""A card found no more surely than this may be nothing but plain dice."""
_DIE_AREA_RATIO = (0.4, 2.2)
"""A faint card whose area is between these multiples of a die's on it is that die."""

# Two finds of one card
_SAME_CARD = 0.5
"""Two quads are one card if their intersection over union is more than this. Real cards that
overlap so much do occur, but the lower one could not be read anyway."""
_SAME_FACE = 0.1
"""The same for two quads with one face, if the deck has that face only once."""
_MOSTLY_INSIDE = 0.75
"""A quad without a label is part of another if more than this share of it lies there."""
_PLAIN = 0.6
"""A card found or read less surely than this may be made of parts of other cards ..."""
_COVERED = 0.9
"""... if surer cards cover more than this share of it."""
_COVERED_SIDE_BY_SIDE = 0.2
"""The same share where cards lie side by side and never overlap ..."""
_CERTAIN = 0.95
"""... for cards read less surely than this."""
_SURE = 0.9
"""Cards read at least this surely tell how large the cards in a photograph are."""
_CARD_AREA_RATIO = (0.3, 3.0)
"""A card's area over that of the largest sure card: a slanted photograph makes them differ."""
_GRID = np.stack(np.meshgrid(*[np.linspace(0.06, 0.94, 9)] * 2), -1).reshape(-1, 2)
"""Where in a card, as shares of its sides, it is checked whether others cover it."""


def look(image: Image, deck: Deck, *, plane: Plane | None = None) -> list[Sighting]:
    """Find and read the cards and dice in a picture.

    With a `plane` the scale is known, so the picture is searched once; without, at several sizes.
    """
    pyramid = ImagePyramid(image)
    if plane is None:
        seen = without_die_lookalikes(read(pyramid, find_at_any_scale(pyramid), deck))
        return without_odd_sizes(without_duplicates(seen, deck.several), deck.several)
    detections = find_on_table(pyramid, deck, plane)
    seen = read(pyramid, detections.found, deck, LiveTable(plane, detections.heatmap))
    return without_duplicates(seen, deck.several, side_by_side=deck.side_by_side)


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


def without_die_lookalikes(seen: Sequence[Sighting]) -> list[Sighting]:
    """Drop faint cards that are really one plain die, or the ground several plain dice lie on."""
    dice = [s for s in seen if s.kind == "die" and s.p >= _DIE_READ and s.found >= _DIE_FOUND]
    return [s for s in seen if s.kind != "card" or s.found > _CARD_FAINT or not _only_dice(s, dice)]


def _only_dice(card: Sighting, dice: Sequence[Sighting]) -> bool:
    on_it = [die for die in dice if _holds(card, die)]
    low, high = _DIE_AREA_RATIO
    return len(on_it) > 1 or any(low * area(d) < area(card) < high * area(d) for d in on_it)


def without_odd_sizes(
    seen: Sequence[Sighting], several: Callable[[str | int | None], bool]
) -> list[Sighting]:
    """Drop cards far smaller or larger than the sure ones, and dice that do not fit them.

    All cards of a deck have one size. In a photograph taken from the side the far ones are small,
    so a card read surely stays whatever its size, if the deck has its face only once.
    `several` says of which faces the deck has more than one.
    """
    sure = [s for s in seen if s.kind == "card" and s.label is not None and s.p >= _SURE]
    if not sure:
        return list(seen)
    usual = max(area(s) for s in sure)
    unmistakable = [s for s in sure if not several(s.label)]
    return [s for s in seen if s in unmistakable or _fits(s, usual)]


def _fits(one: Sighting, card_area: float) -> bool:
    """Whether a card or a die may lie among cards of that area."""
    if one.kind == "card":
        low, high = _CARD_AREA_RATIO
        return low * card_area < area(one) < high * card_area
    low, high = (share**2 * card_area for share in _DIE_SIDE_SHARE)
    return low < area(one) < high


def area(one: Sighting) -> float:
    """The area of its quad: half the cross product of the diagonals."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = one.quad
    return abs((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)) / 2


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


def without_duplicates(
    seen: Sequence[Sighting],
    several: Callable[[str | int | None], bool] = lambda _: False,
    *,
    side_by_side: bool = False,
) -> list[Sighting]:
    """Drop second finds of a card, cards made of parts of others, and pips taken for dice.

    `several` says of which faces more than one may lie there. Where cards lie `side_by_side`, a
    card that is not certain and overlaps a surer one is made of the edges of two: drop it, too.
    """
    cards = [s for s in seen if s.kind == "card"]
    out: list[Sighting] = []
    for one in sorted(seen, key=lambda s: -s.p if s.label is not None else 1 - s.p):
        surer = [other for other in out if other.kind == "card"]
        if one.kind == "die":
            dropped = _printed_on_any(one, cards)
        elif side_by_side:
            dropped = _made_of_its_like(one, cards) or _overlaps_neighbours(one, surer)
        else:
            dropped = _made_of_its_like(one, cards) or _repeats(one, surer, several)
        if not dropped:
            out.append(one)
    return out


def _printed_on_any(die: Sighting, cards: Sequence[Sighting]) -> bool:
    return any(_printed(die, card) for card in cards)


def _overlaps_neighbours(one: Sighting, surer: Sequence[Sighting]) -> bool:
    """Whether a card cannot be real where cards lie side by side: two of these never overlap."""
    if _repeats(one, surer, lambda _: False):
        return True
    return one.p < _CERTAIN and _covered(one, surer, _COVERED_SIDE_BY_SIDE)


def _repeats(
    one: Sighting, surer: Sequence[Sighting], several: Callable[[str | int | None], bool]
) -> bool:
    """Whether a card is one of the surer ones again, or unread and made of parts of them."""
    if any(_same_card(one, other, several) for other in surer):
        return True
    unread = one.label is None or one.p < _PLAIN
    return unread and _covered(one, surer, _COVERED)


def _made_of_its_like(one: Sighting, cards: Sequence[Sighting]) -> bool:
    """Whether a faint card is made of the halves of plainer ones that have its own face."""
    alike = [c for c in cards if c.label == one.label and c.found > one.found]
    return one.label is not None and one.found < _PLAIN and _covered(one, alike, _COVERED)


def _covered(less: Sighting, surer: Sequence[Sighting], share: float) -> bool:
    """Whether surer cards of about its own size cover more than this share of it.

    Larger ones do not count: a token lies on a card and is not made of it.
    """
    alike = [np.array(s.quad) for s in surer if 0.7 < area(s) / max(area(less), 1.0) < 1.5]
    a, b, _, d = np.array(less.quad)
    at = a + _GRID[:, :1] * (b - a) + _GRID[:, 1:] * (d - a)
    covered = np.zeros(len(at), np.bool_)
    for quad in alike:
        side = np.roll(quad, -1, 0) - quad
        off = at[:, None] - quad[None]
        covered |= (side[:, 0] * off[..., 1] - side[:, 1] * off[..., 0] > 0).all(1)
    return bool(covered.mean() > share)


def _same_card(less: Sighting, sure: Sighting, several: Callable[[str | int | None], bool]) -> bool:
    """Whether two quads are one card: they nearly coincide, or the one without a label lies mostly
    inside the other."""
    if not meet(less, sure):
        return False
    a, b = np.array(less.quad, np.float32), np.array(sure.quad, np.float32)
    areas = [area(less), area(sure)]
    shared, _ = cv2.intersectConvexConvex(a, b)
    if min(areas) < 1 or shared < 1:
        return False
    both = shared / (areas[0] + areas[1] - shared)
    same = less.label is not None and less.label == sure.label and not several(less.label)
    if both > (_SAME_FACE if same else _SAME_CARD):
        return True
    return less.label is None and shared / min(areas) > _MOSTLY_INSIDE


def meet(one: Sighting, other: Sighting) -> bool:
    """Whether their bounding boxes overlap: a cheap test before a dear one."""
    return boxes_meet(one.quad, other.quad)


def _printed(die: Sighting, card: Sighting) -> bool:
    """Whether a die is a pip or an index printed on this card.

    A card named less surely than `CARD_NAMED` proves nothing: it may itself be made of the dice
    that seem to lie on it.
    """
    if card.label is None or card.p < CARD_NAMED or not _holds(card, die):
        return False
    share = np.sqrt(area(die) / max(area(card), 1.0))
    low, high = _DIE_SIDE_SHARE
    of_wrong_size = bool(share < low or share > high)
    return of_wrong_size or die.found < DIE_NOT_PRINT or die.p < _DIE_READ


def _holds(card: Sighting, die: Sighting) -> bool:
    """Whether the die's middle lies on the card."""
    if not meet(card, die):
        return False
    quad = np.array(card.quad, np.float32)
    x, y = die.middle
    return cv2.pointPolygonTest(quad, (float(x), float(y)), False) > 0
