"""What cannot be real among what was seen in one picture: cards made of parts of others, print
taken for dice, things of impossible sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from companion.tabletop.observations import Sighting
from companion.tabletop.polygons import boxes_meet
from companion.vision.reading.dice import CARD_NAMED, DIE_NOT_PRINT

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
_SURE_FOUND = 0.6
"""... if they were found at least this surely, or make up for it: print may read like a card by
chance, but is hardly found."""
_PART_OF = 0.7
"""A card smaller than another by more than this ratio of areas, and mostly inside it, is part of
it: a deck's cards have one size."""
_DIE_SIDES = (0.55, 1.8)
"""A die's side over that of the plain dice in the picture: they are 12 to 20 mm, some farther."""
_DICE_TELL = 3
"""So many plain dice tell how large the dice are, even of two found in one place."""
_UNLIKE = 5.0
"""What twice or half the usual size counts against a die, in log odds: about as much as reading."""
_GRID = np.stack(np.meshgrid(*[np.linspace(0.06, 0.94, 9)] * 2), -1).reshape(-1, 2)
"""Where in a card, as shares of its sides, it is checked whether others cover it."""


Several = Callable[[str | int | None], bool]
"""Of which faces the deck has more than one."""


def plausible_in_photograph(
    seen: Sequence[Sighting], several: Several, *, one_size: bool
) -> list[Sighting]:
    """What may be real in a photograph of unknown scale. With `one_size`, all cards of the deck are
    equally large."""
    seen = without_die_lookalikes(seen)
    if one_size:
        seen = without_parts(seen)
    seen = without_odd_sizes(without_duplicates(seen, several), several)
    return without_odd_dice(seen)


def without_parts(seen: Sequence[Sighting]) -> list[Sighting]:
    """Of a card and a far smaller one inside it, both named, keep the plainer."""
    cards = [s for s in seen if s.kind == "card" and s.label is not None]
    dropped = []
    for small in cards:
        for large in cards:
            if area(small) < _PART_OF * area(large) and _inside(small, large):
                dropped.append(min(small, large, key=_plainness))
    return [s for s in seen if not any(s is each for each in dropped)]


def _plainness(one: Sighting) -> float:
    """How surely it was both found and read: the log odds of both together."""
    return _log_odds(one.p) + _log_odds(one.found)


def _log_odds(p: float) -> float:
    sure = min(max(p, 1e-6), 1 - 1e-6)
    return float(np.log(sure / (1 - sure)))


def _inside(small: Sighting, large: Sighting) -> bool:
    if not meet(small, large):
        return False
    a, b = np.array(small.quad, np.float32), np.array(large.quad, np.float32)
    shared, _ = cv2.intersectConvexConvex(a, b)
    return bool(shared > _MOSTLY_INSIDE * area(small))


def without_odd_dice(seen: Sequence[Sighting]) -> list[Sighting]:
    """Drop dice in other dice, and those far smaller or larger than the plain ones."""
    dice = [s for s in seen if s.kind == "die"]
    plain = [s for s in dice if s.p >= _DIE_READ and s.found >= _DIE_FOUND]
    usual = float(np.median([_side(s) for s in plain])) if plain else None
    fitting = [s for s in dice if s in plain or _die_fits(s, usual)]
    kept = _first_of_each_place(fitting, usual if len(plain) >= _DICE_TELL else None)
    return [s for s in seen if s.kind != "die" or s in kept]


def _first_of_each_place(dice: Sequence[Sighting], usual: float | None) -> list[Sighting]:
    """Of dice in each other the plainest."""
    kept: list[Sighting] = []
    for one in sorted(dice, key=lambda s: _die_rank(s, usual)):
        if not any(_one_in_other(one, other) for other in kept):
            kept.append(one)
    return kept


def _die_fits(die: Sighting, usual: float | None) -> bool:
    low, high = _DIE_SIDES
    return usual is None or low < _side(die) / usual < high


def _die_rank(die: Sighting, usual: float | None) -> float:
    """Lower is plainer; where the usual size is known, that of two sizes nearer to it."""
    unlike = 0.0 if usual is None else abs(float(np.log(_side(die) / usual)))
    return _UNLIKE * unlike - _plainness(die)


def _one_in_other(one: Sighting, other: Sighting) -> bool:
    """Whether the middle of either lies in the other."""
    reach = max(_side(one), _side(other)) / 2
    (x, y), (u, v) = one.middle, other.middle
    return max(abs(x - u), abs(y - v)) < reach


def _side(one: Sighting) -> float:
    return max(float(np.sqrt(area(one))), 1.0)


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
    `several` says of which faces the deck has more than one. Backs tell no size: any pattern may
    look like one.
    """
    least = _log_odds(_SURE) + _log_odds(_SURE_FOUND)
    named = [s for s in seen if s.kind == "card" and s.label is not None]
    sure = [s for s in named if s.p >= _SURE and _plainness(s) >= least and not _is_back(s)]
    if not sure:
        return list(seen)
    usual = max(area(s) for s in sure)
    unmistakable = [s for s in sure if not several(s.label)]
    return [s for s in seen if s in unmistakable or _fits(s, usual)]


def _is_back(one: Sighting) -> bool:
    return str(one.label).endswith("back")


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
