"""One look at any photograph: no mat, no calibration, whatever scale the cards have in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.tabletop.observations import Sighting
from companion.tabletop.polygons import boxes_meet
from companion.vision.calibration import Plane
from companion.vision.crops import Halves, Image, Part
from companion.vision.decks import Deck
from companion.vision.detecting.finding import Finds, Found, find
from companion.vision.networks import network
from companion.vision.reading.cards import Calibrated, read
from companion.vision.reading.dice import NAMED, OFF_PRINT
from companion.vision.reading.tokens import SMALL, token_size

_PX_PER_MM = 0.75
"""The scale a calibrated table is looked at: a card is 66 pixels high there, a die 12."""
_FINER = 1.4
"""And how much finer if pieces smaller than a die's double lie on it."""
_LEAST = {"card": 0.3, "die": 0.15, "token": 0.15}
"""How sure a finder must be on a calibrated table; of dice and tokens less, which print hides and
only their faces show."""
_LONG_SIDES = (112, 152, 208, 280, 384, 520, 704)
"""The sizes a picture is looked at: close-ups are found in the first, small dice in the last."""
_CARD_BEST = (34.0, 120.0)
"""A card's long side, in pixels of the size looked at, for which the finder was trained."""


_DIE_SURE = 0.62
"""In a photograph of anything, what is less surely a die is print or clutter."""
_DIE_ON_CARD = (0.16, 0.34)
"""A die's side against the root of a card's area: dice are 12 to 20 mm, cards 63 x 88."""
_PLAIN_DIE = (0.97, 0.7)
"""How surely a plain die is read, and how surely it is found."""
_FAINT = 0.5
"""How surely a card is found, at most, that a plain die makes doubtful."""
_AS_LARGE = (0.4, 2.2)
"""How large such a card is against the die, if it is the die itself."""
_ONE_SIZE = 0.6
_ONE_CARD = 0.5
"""Quads that share this much of both are one card's: of cards over each other that do, the lower
cannot be read."""
_ONE_FACE = 0.1
"""With a face that exists once, this much will do."""
_PLAIN = 0.6
"""A find read less surely than this may be made of parts of surer cards."""
_OUT_OF_SIGHT = 0.9
"""It is, if this share of it lies in them;"""
_HALF_OVER = 0.2
"""where cards lie side by side, if this share does."""
_SURE = 0.9
"""Cards read as surely as this say how large cards are in the picture."""
_CERTAIN = 0.95
"""Where cards lie side by side, a find read less surely than this may be made of others."""
_GRID = np.stack(np.meshgrid(*[np.linspace(0.06, 0.94, 9)] * 2), -1).reshape(-1, 2)


def look(image: Image, deck: Deck, *, plane: Plane | None = None) -> list[Sighting]:
    """Cards and dice in the picture; of a calibrated table it is looked at once, at its scale."""
    halves = Halves(image)
    if plane is None:
        seen = without_dice(read(halves, find_any(halves), deck))
        return of_one_size(tidied(seen, deck.several), deck.several)
    finds = find_on_table(halves, deck, plane)
    seen = read(halves, finds.found, deck, Calibrated(plane, finds.warmth))
    return tidied(seen, deck.several, side_by_side=deck.side_by_side)


def find_on_table(
    image: Image | Halves,
    deck: Deck,
    plane: Plane,
    nearer: float = 1.0,
    part: Part | None = None,
) -> Finds:
    """What lies on a calibrated table, or on a part of it, looked at from the usual distance or a
    little `nearer`."""
    scale = finder_scale(deck, plane) * nearer
    tokens = token_size(deck) is not None
    least = min(_LEAST["card"], _LEAST["die"], _LEAST["token"] if tokens else 1.0)
    finds = find(image, network("detector"), scale, least, part)
    sure = [f for f in finds.found if f.sure >= _LEAST[f.kind]]
    if tokens:
        unsure = [f for f in finds.found if f.sure < _LEAST[f.kind]]
        small = [f for f in unsure if f.side < SMALL * plane.px_per_mm]
        sure += [replace(f, kind="card") for f in small]
    return replace(finds, found=sure)


def finder_scale(deck: Deck, plane: Plane) -> float:
    """How much a calibrated table's picture is shrunk before things are looked for in it."""
    return _PX_PER_MM * (1.0 if token_size(deck) is None else _FINER) / plane.px_per_mm


def without_dice(seen: Sequence[Sighting]) -> list[Sighting]:
    """Without cards that hardly were found and are a die that was, or the ground of several."""
    read, found = _PLAIN_DIE
    dice = [s for s in seen if s.kind == "die" and s.p >= read and s.found >= found]
    return [s for s in seen if s.kind != "card" or s.found > _FAINT or not _only_dice(s, dice)]


def _only_dice(card: Sighting, dice: Sequence[Sighting]) -> bool:
    on_it = [die for die in dice if _holds(card, die)]
    low, high = _AS_LARGE
    return len(on_it) > 1 or any(low * area(d) < area(card) < high * area(d) for d in on_it)


def of_one_size(
    seen: Sequence[Sighting], several: Callable[[str | int | None], bool]
) -> list[Sighting]:
    """Cards of a deck are of one size: what is far smaller or larger than the sure ones is none.
    Far away in a picture taken from the side they are small: a face that exists once may be."""
    sure = [s for s in seen if s.kind == "card" and s.label is not None and s.p >= _SURE]
    if not sure:
        return list(seen)
    usual = max(area(s) for s in sure)
    faces = [s for s in sure if not several(s.label)]
    cards = [s for s in seen if s in faces or 0.3 * usual < area(s) < 3.0 * usual]
    kept = [s for s in seen if s.kind != "card" or s in cards]
    low, high = (share**2 * usual for share in _DIE_ON_CARD)
    return [s for s in kept if s.kind != "die" or low < area(s) < high]


def area(one: Sighting) -> float:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = one.quad
    return abs((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)) / 2


def find_any(image: Image | Halves) -> list[Found]:
    """What is found at any of the sizes, each thing once, from where it was seen best."""
    halves = Halves.of(image)
    longest = max(halves(0).shape[:2])
    found: list[Found] = []
    for side in _LONG_SIDES:
        scale = side / longest
        if side != _LONG_SIDES[0] and scale > 1.6:
            break
        for one in find(halves, network("detector"), scale).found:
            sure = one.sure * _fitness(one, scale)
            if one.kind == "card" or sure >= _DIE_SURE:
                found.append(replace(one, sure=sure))
    found.sort(key=lambda f: -f.sure)
    kept: list[Found] = []
    for one in found:
        if not any(_one_thing(one, other) for other in kept):
            kept.append(one)
    return kept


def _fitness(one: Found, scale: float) -> float:
    """A size at which the thing was far smaller or larger than trained for counts less."""
    if one.kind == "die":
        return 1.0 if one.side * scale >= 9 else 0.7
    low, high = _CARD_BEST
    side = one.side * scale
    return 1.0 if low <= side <= high else 0.75


def _one_thing(a: Found, b: Found) -> bool:
    """The same thing found twice. What lies in something larger is kept: reading will tell."""
    if a.kind != b.kind:
        return False
    apart = float(np.linalg.norm(a.middle - b.middle))
    if a.kind == "die":
        return apart < 0.6 * min(a.side, b.side)
    ratio = min(a.side, b.side) / max(a.side, b.side)
    return ratio > _ONE_SIZE and apart < 0.2 * min(a.side, b.side)


def tidied(
    seen: Sequence[Sighting],
    several: Callable[[str | int | None], bool] = lambda _: False,
    *,
    side_by_side: bool = False,
) -> list[Sighting]:
    """Pips of a card are no dice, and what lies mostly in surer cards is one of them again.

    `several` says of which faces more than one may lie there. Where cards lie `side_by_side`, what
    is not certain and lies half over a card that is surer is the edges of two.
    """
    cards = [s for s in seen if s.kind == "card"]
    overlapping = several if not side_by_side else lambda _: False
    out: list[Sighting] = []
    for one in sorted(seen, key=lambda s: -s.p if s.label is not None else 1 - s.p):
        surer = [other for other in out if other.kind == "card"]
        if one.kind == "card" and (
            _of_two_halves(one, cards)
            or any(_twins(one, other, overlapping) for other in surer)
            or (_unread(one) and _hidden(one, surer, _OUT_OF_SIGHT))
            or (side_by_side and one.p < _CERTAIN and _hidden(one, surer, _HALF_OVER))
        ):
            continue
        if one.kind == "die" and any(_printed(one, c) for c in cards):
            continue
        out.append(one)
    return out


def _of_two_halves(one: Sighting, cards: Sequence[Sighting]) -> bool:
    """Whether a card that hardly was found is made of halves of plainer ones of its own face."""
    alike = [c for c in cards if c.label == one.label and c.found > one.found]
    return one.label is not None and one.found < _PLAIN and _hidden(one, alike, _OUT_OF_SIGHT)


def _unread(one: Sighting) -> bool:
    return one.label is None or one.p < _PLAIN


def _hidden(less: Sighting, surer: Sequence[Sighting], share: float) -> bool:
    """Whether surer cards of about its own size lie over so much of it; a token lies on a card."""
    alike = [np.array(s.quad) for s in surer if 0.7 < area(s) / max(area(less), 1.0) < 1.5]
    a, b, _, d = np.array(less.quad)
    at = a + _GRID[:, :1] * (b - a) + _GRID[:, 1:] * (d - a)
    covered = np.zeros(len(at), np.bool_)
    for quad in alike:
        side = np.roll(quad, -1, 0) - quad
        off = at[:, None] - quad[None]
        covered |= (side[:, 0] * off[..., 1] - side[:, 1] * off[..., 0] > 0).all(1)
    return bool(covered.mean() > share)


def _twins(less: Sighting, sure: Sighting, several: Callable[[str | int | None], bool]) -> bool:
    """Two quads of one card: nearly the same spot, or one without a name mostly in the other."""
    if not meet(less, sure):
        return False
    a, b = np.array(less.quad, np.float32), np.array(sure.quad, np.float32)
    areas = [area(less), area(sure)]
    shared, _ = cv2.intersectConvexConvex(a, b)
    if min(areas) < 1 or shared < 1:
        return False
    both = shared / (areas[0] + areas[1] - shared)
    same = less.label is not None and less.label == sure.label and not several(less.label)
    if both > (_ONE_FACE if same else _ONE_CARD):
        return True
    return less.label is None and shared / min(areas) > 0.75


def meet(one: Sighting, other: Sighting) -> bool:
    return boxes_meet(one.quad, other.quad)


def _printed(die: Sighting, card: Sighting) -> bool:
    """A pip or an index taken for a die: on a card that is surely one, and no larger than print. A
    card named less surely may be nothing but the dice that seem to lie on it."""
    if card.label is None or card.p < NAMED or not _holds(card, die):
        return False
    share = np.sqrt(area(die) / max(area(card), 1.0))
    return bool(
        share < _DIE_ON_CARD[0] or share > _DIE_ON_CARD[1] or die.found < OFF_PRINT or die.p < 0.97
    )


def _holds(card: Sighting, die: Sighting) -> bool:
    if not meet(card, die):
        return False
    quad = np.array(card.quad, np.float32)
    x, y = die.middle
    return cv2.pointPolygonTest(quad, (float(x), float(y)), False) > 0
