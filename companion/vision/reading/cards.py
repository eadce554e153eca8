"""Reading what was found: which face, which way up, and how sure; dice are read in `dice.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import atan2, degrees
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.tabletop.observations import Sighting
from companion.vision.calibration import Plane
from companion.vision.crops import Halves, card_cuts
from companion.vision.decks import Deck, Match
from companion.vision.detecting.finding import (
    AS_SURE,
    Found,
    Quad,
    Warmth,
    clockwise,
    pairs_of_sides,
    rounded,
    sorted_by_kind,
)
from companion.vision.detecting.fitting import Sizes
from companion.vision.detecting.placing import placed
from companion.vision.detecting.refining import corrected, refine
from companion.vision.networks import network
from companion.vision.reading.dice import (
    NAMED,
    die_sized,
    grown,
    off_cards,
    one_of,
    read_dice,
    thrown,
)
from companion.vision.reading.tokens import SMALL, Places, read_tokens, token_size

_SQUARISH = 0.77
"""From this ratio of its sides on, a quad may be a card lying across: both ways are read."""
_CARD = 0.3
"""What the refiner must think of a cut's being a card at all."""
_DOUBT = 0.9
"""A card read with less than this is looked at again."""
_HOPELESS = 0.05
_SUPPOSED, _PLAIN_FACE = 0.25, 0.97
"""No finder is less sure than the first of a card: it is supposed to be there; if its face is plain
it is."""
_ELSEWHERE = (
    *((1.0, (0, 0)), (0.97, (0, 0)), (1.04, (0, 0)), (1.0, (0.02, 0)), (1.0, (-0.02, 0))),
    *((1.0, (0, 0.02)), (1.0, (0, -0.02)), (0.95, (0, 0)), (1.07, (0, 0)), (1.02, (0.02, 0.02))),
)
_BORDERS = (1.0, 1.05, 0.96, 0.92, 0.88, 0.85, 0.82)
"""Sizes of a quad at which a card of a deck with a head is looked at again: borders differ, and a
finder may stop at the art or go on to the rim. Its head has learnt all of them."""
_LEAST_STRANGE = 3
"""How many of those looks count: the ones that look most like cards of the deck."""
_LARGEST = 150.0
"""Millimetres; no pieces are larger."""
_PICTURE = (0.3, 23.0)
"""How sure, and how many millimetres, a small find is at least that may be a card's picture."""
_TURNED = [[(first + k) % 4 for k in range(4)] for first in range(4)]
"""The corners' order if a quad begins with another of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Calibrated:
    """A live table: sizes are known, and it will be looked at again."""

    plane: Plane
    warmth: Warmth
    """Where cards may lie that were not found."""
    places: Places = field(default_factory=Places)
    """Where tokens may lie that were not found."""
    lying: Sequence[Quad] = ()
    """Cards that are known to lie there."""


def read(
    image: Halves, found: Sequence[Found], deck: Deck, table: Calibrated | None = None
) -> list[Sighting]:
    """Everything found, as sightings: cards first, then dice."""
    if table is None:
        cards, dice = sorted_by_kind(found)
        return [*read_cards(image, cards, deck), *read_dice(image(0), dice)]
    plane = table.plane
    cards, dice = sorted_by_kind(f for f in found if f.side / plane.px_per_mm < _LARGEST)
    small = [f for f in cards if deck.sizes and f.side / plane.px_per_mm < SMALL]
    # Of a card in a row of cards, the finder may have seen its picture only.
    cards = [f for f in cards if f not in small or _may_be_larger(f, plane)]
    dice = [grown(f, plane) for f in dice if die_sized(f, plane)]
    seen = read_cards(image, cards, deck, table)
    tokens: list[Sighting] = []
    if token_size(deck) is not None:
        places = table.places.among(seen, deck)
        tokens = read_tokens(image, [*dice, *small], deck, plane, places)
    named = [np.array(s.quad) for s in seen if s.label is not None and s.p >= NAMED]
    maybe = off_cards([*dice, *(f for f in small if die_sized(f, plane))], [*table.lying, *named])
    dice_seen = thrown(image(0), maybe)
    return [*seen, *(die for die in dice_seen if not one_of(die, tokens)), *tokens]


def _may_be_larger(found: Found, plane: Plane) -> bool:
    return found.sure >= _PICTURE[0] and found.side / plane.px_per_mm > _PICTURE[1]


def quarter_turn(quad: Quad) -> int:
    """How far a face is turned, from where its upper edge points, in whole quarters."""
    (x0, y0), (x1, y1) = quad[:2].tolist()
    return round(degrees(atan2(y1 - y0, x1 - x0)) / 90) % 4 * 90


def read_cards(
    image: Halves,
    found: Sequence[Found],
    deck: Deck,
    table: Calibrated | None = None,
) -> list[Sighting]:
    """Every card as a sighting; one batch through each network."""
    if not found:
        return []
    quads = np.stack([standing(f.quad) for f in found])
    quads, cards, whose = _corners_of(image, quads, deck, table)
    there = [i for i, card in enumerate(cards) if card > _CARD]
    if not there:
        return []
    plane = None if table is None else table.plane
    best = _matched(image, {number: quads[number] for number in there}, deck, plane)
    # A live table is looked at again anyway, and looks are weighed there; a photograph is not.
    for number, (match, quarter) in best.items() if table is None else ():
        if match.label is None or match.p < _DOUBT:
            best[number] = (
                _again(image, quads[number][_TURNED[quarter]], deck, match),
                quarter,
            )
    seen = [
        _sighting(found[whose[i]], quads[i], match, quarter)
        for i, (match, quarter) in sorted(best.items())
    ]
    if table is None:
        return seen
    return [_supposed(one) if one.found < _SUPPOSED else one for one in seen if not _vain(one)]


def _vain(one: Sighting) -> bool:
    """Supposed to be a card, because something has changed, and not plainly one."""
    return one.found < _SUPPOSED and (one.label is None or one.p < _PLAIN_FACE)


def _supposed(one: Sighting) -> Sighting:
    return replace(one, found=AS_SURE)


def _corners_of(
    image: Halves, quads: Quad, deck: Deck, table: Calibrated | None
) -> tuple[Quad, npt.NDArray[Any], npt.NDArray[Any]]:
    """Where corners really are, how probably each is a card, and from which find it came."""
    if table is not None and deck.sizes:
        known = Sizes(table.plane, tuple(size for size in deck.sizes if size[0] >= SMALL))
        # Where cards lie side by side, none is half under another.
        warmth = None if deck.side_by_side else table.warmth
        places = placed(image, quads, network("refiner"), known, warmth)
        return places.quads, places.cards, places.whose
    quads, cards = corrected(image, quads, network("refiner"), 1 if table else 2)
    return refine(image(0), quads), cards, np.arange(len(quads))


def _matched(
    image: Halves, quads: dict[int, Quad], deck: Deck, plane: Plane | None
) -> dict[int, tuple[Match, int]]:
    """What each card is, and by how many quarters its quad had to be turned to say so."""
    whose = [
        (number, quarter)
        for number, quad in quads.items()
        for quarter in range(2 if _squarish(quad) and not deck.four_ways else 1)
    ]
    turned = np.stack([quads[number][_TURNED[quarter]] for number, quarter in whose])
    sizes = None if plane is None else sides_in_mm(turned, plane)
    matches = deck.match(network("embedder").run(card_cuts(image, turned)), sizes)
    best: dict[int, tuple[Match, int]] = {}
    for (number, quarter), match in zip(whose, matches, strict=True):
        if number not in best or _weight(match) > _weight(best[number][0]):
            best[number] = (match, quarter)
    return best


def sides_in_mm(quads: Quad, plane: Plane) -> npt.NDArray[Any]:
    """The sides of cards on a calibrated table, short side first."""
    mm = plane.table(quads.reshape(-1, 2)).reshape(-1, 4, 2)
    edges = np.linalg.norm(np.roll(mm, -1, 1) - mm, axis=2)
    return np.sort((edges[:, :2] + edges[:, 2:]) / 2, axis=1)


def _again(image: Halves, quad: Quad, deck: Deck, first: Match) -> Match:
    """A card in doubt, looked at with its corners a little elsewhere, and all looks weighed."""
    if deck.head is None and _weight(first) < _HOPELESS:
        return first
    middle, side = quad.mean(0), float(np.linalg.norm(quad[3] - quad[0]))
    places = _ELSEWHERE if deck.head is None else [(size, (0, 0)) for size in _BORDERS]
    elsewhere = np.stack(
        [middle + (quad - middle) * size + np.array(shift) * side for size, shift in places]
    )
    odds = deck.odds(network("embedder").run(card_cuts(image, elsewhere)))
    if deck.head is not None:
        odds = odds[np.argsort(odds[:, -1])[:_LEAST_STRANGE]]
    mean = odds.mean(0)
    order = [int(i) for i in np.argsort(-mean)[:4]]
    named = [(deck.labels[i], float(mean[i])) for i in order if i < len(deck.labels)]
    if order[0] == len(deck.labels):
        return Match(None, first.turn, float(mean[-1]), tuple(named[:3]))
    return Match(named[0][0], first.turn, named[0][1], tuple(named[1:]))


def _weight(match: Match) -> float:
    return match.p if match.label is not None else max((p for _, p in match.others), default=0.0)


def _sighting(found: Found, quad: Quad, match: Match, quarter: int) -> Sighting:
    turns = (quarter + match.turn // 90) % 4
    corners = quad[_TURNED[turns]]
    p = match.p if match.label is not None else found.sure
    turn = quarter_turn(corners)
    return Sighting("card", match.label, p, rounded(corners), turn, match.others, found.sure)


def standing(quad: Quad) -> Quad:
    """Clockwise, beginning with a short side, the one nearer the picture's top."""
    quad = clockwise(quad)
    first, second = pairs_of_sides(quad)
    if first > second:
        quad = quad[_TURNED[1]]
    if quad[:2, 1].sum() > quad[2:, 1].sum():
        quad = quad[_TURNED[2]]
    return quad


def _squarish(quad: Quad) -> bool:
    across, down = pairs_of_sides(quad)
    return across > _SQUARISH * down
