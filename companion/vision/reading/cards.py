"""Reading what was found: which face each card shows, which way up, and how surely.

`read` is the entrance for everything found; dice and tokens have their readers in `dice.py` and
`tokens.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import atan2, degrees
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.tabletop.observations import Sighting
from companion.vision.calibration import Plane
from companion.vision.crops import ImagePyramid, card_crops
from companion.vision.decks import Deck, Match
from companion.vision.detecting.finding import (
    READ_PLAINLY,
    CardHeatmap,
    Detection,
    Quad,
    clockwise,
    opposite_sides,
    rounded,
    sorted_by_kind,
)
from companion.vision.detecting.fitting import KnownSizes
from companion.vision.detecting.placing import place_cards
from companion.vision.detecting.refining import fit_edges, move_corners
from companion.vision.networks import network
from companion.vision.reading.agreement import agreed, index_labels
from companion.vision.reading.dice import (
    CARD_NAMED,
    at_least_die_sized,
    die_sized,
    is_token,
    read_dice,
    read_live_dice,
    without_print,
)
from companion.vision.reading.tokens import TOKEN_MAX_MM, TokenPlaces, read_tokens, token_size

_SQUARISH = 0.77
"""A quad whose short side is more than this share of the long one may be a card found lying
across: it is read both ways."""
_CARD_P = 0.3
"""How probably a crop must show a card at all, says the refiner."""
_DOUBT = 0.9
"""A card in a photograph read less surely than this is looked at again."""
_MOST_AGAIN = 24
"""The surest finds in doubt that are: print may flood the finder."""
_HOPELESS = 0.05
"""One read less surely than this is not: it will not get any better."""
_ONLY_SUPPOSED = 0.25
"""Cards the finder finds are surer than this. Less sure ones it did not find: they are supposed to
be there because the picture has changed ..."""
_PLAIN_FACE = 0.97
"""... and are real if their faces are read at least this surely."""
_ELSEWHERE = (
    *((1.0, (0, 0)), (0.97, (0, 0)), (1.04, (0, 0)), (1.0, (0.02, 0)), (1.0, (-0.02, 0))),
    *((1.0, (0, 0.02)), (1.0, (0, -0.02)), (0.95, (0, 0)), (1.07, (0, 0)), (1.02, (0.02, 0.02))),
)
"""How a quad is varied for another look: its size, and its shift as shares of its left side."""
_BORDERS = (1.0, 1.05, 0.96, 0.92, 0.88, 0.85, 0.82)
"""Sizes of a quad at which a card of a deck with a head is looked at again: borders differ, and a
finder may stop at the art or go on to the rim. Its head has learnt all of them."""
_LEAST_STRANGE = 3
"""How many of those looks count: the ones that look most like cards of the deck."""
_LARGEST_MM = 150.0
"""No piece is larger."""
_PICTURE_SURE = 0.3
"""A find too small for a card may be the picture printed on one, if it is at least this sure ..."""
_PICTURE_MM = 23.0
"""... and larger than this."""
_ORDERS = [[(first + k) % 4 for k in range(4)] for first in range(4)]
"""The order of a quad's corners if it begins with its first, second, third or fourth."""


@dataclass(frozen=True, slots=True, eq=False)
class LiveTable:
    """What is known of a calibrated table. Sizes are known there, and it will be looked at again,
    so one look may leave doubts."""

    plane: Plane
    heatmap: CardHeatmap
    """Where cards may lie that were not found."""
    places: TokenPlaces = field(default_factory=TokenPlaces)
    """Where tokens may lie that were not found."""
    lying: Sequence[Quad] = ()
    """Cards known to lie there, in pixels."""


def read(
    image: ImagePyramid, found: Sequence[Detection], deck: Deck, table: LiveTable | None = None
) -> list[Sighting]:
    """Read everything found: cards first, then dice, then tokens."""
    if table is None:
        cards, dice = sorted_by_kind(found)
        return [*read_cards(image, cards, deck), *read_dice(image(0), dice)]
    plane = table.plane
    cards, dice = sorted_by_kind(f for f in found if f.side / plane.px_per_mm < _LARGEST_MM)
    small = [f for f in cards if deck.sizes and f.side / plane.px_per_mm < TOKEN_MAX_MM]
    # Of a card in a row of cards the finder may have found the printed picture only.
    cards = [f for f in cards if f not in small or _may_be_a_picture(f, plane)]
    dice = [at_least_die_sized(f, plane) for f in dice if die_sized(f, plane)]
    seen = read_cards(image, cards, deck, table)
    tokens: list[Sighting] = []
    if token_size(deck) is not None:
        places = table.places.among(seen, deck)
        tokens = read_tokens(image, [*dice, *small], deck, plane, places)
    named = [np.array(s.quad) for s in seen if s.label is not None and s.p >= CARD_NAMED]
    maybe = without_print(
        [*dice, *(f for f in small if die_sized(f, plane))], [*table.lying, *named]
    )
    dice_seen = read_live_dice(image(0), maybe)
    return [*seen, *(die for die in dice_seen if not is_token(die, tokens)), *tokens]


def _may_be_a_picture(found: Detection, plane: Plane) -> bool:
    return found.sure >= _PICTURE_SURE and found.side / plane.px_per_mm > _PICTURE_MM


def quarter_turn(quad: Quad) -> int:
    """How far a face is turned, in degrees, to the nearest quarter: where its upper edge points."""
    (x0, y0), (x1, y1) = quad[:2].tolist()
    return round(degrees(atan2(y1 - y0, x1 - x0)) / 90) % 4 * 90


def read_cards(
    image: ImagePyramid,
    found: Sequence[Detection],
    deck: Deck,
    table: LiveTable | None = None,
) -> list[Sighting]:
    """Read every card; all of them in one batch through each network."""
    if not found:
        return []
    quads = np.stack([upright_quad(f.quad) for f in found])
    quads, card_p, whose = _corners_of(image, quads, deck, table)
    cards = {i: quads[i] for i, p in enumerate(card_p) if p > _CARD_P}
    if not cards:
        return []
    best = _matched(image, cards, deck, None if table is None else table.plane)
    if table is None:  # a live table is looked at again anyway, and its looks are weighed later
        surest = sorted(cards, key=lambda i: -found[int(whose[i])].sure)
        best = _without_doubt(image, {i: cards[i] for i in surest}, deck, best)
    if names := index_labels(deck):
        best = _with_indices(image, cards, best, names)
    seen = [
        _sighting(found[whose[i]], quads[i], match, quarter)
        for i, (match, quarter) in sorted(best.items())
    ]
    return seen if table is None else _confirmed(seen)


def _confirmed(seen: Sequence[Sighting]) -> list[Sighting]:
    """Drop cards that were only supposed to be there, unless their faces are plain: those count as
    found."""
    out = []
    for one in seen:
        if one.found >= _ONLY_SUPPOSED:
            out.append(one)
        elif one.label is not None and one.p >= _PLAIN_FACE:
            out.append(replace(one, found=READ_PLAINLY))
    return out


def _corners_of(
    image: ImagePyramid, quads: Quad, deck: Deck, table: LiveTable | None
) -> tuple[Quad, npt.NDArray[Any], npt.NDArray[Any]]:
    """Where the corners really are, how probably each quad is a card, and the index of the find it
    came from."""
    if table is not None and deck.sizes:
        known = KnownSizes(
            table.plane, tuple(size for size in deck.sizes if size[0] >= TOKEN_MAX_MM)
        )
        # Where cards lie side by side, none is half under another.
        heatmap = None if deck.side_by_side else table.heatmap
        places = place_cards(image, quads, network("refiner"), known, heatmap)
        return places.quads, places.cards, places.whose
    quads, cards = move_corners(image, quads, network("refiner"), 1 if table else 2)
    return fit_edges(image(0), quads), cards, np.arange(len(quads))


def _matched(
    image: ImagePyramid, quads: dict[int, Quad], deck: Deck, plane: Plane | None
) -> dict[int, tuple[Match, int]]:
    """What each card is, and by how many quarters its quad was turned to read it."""
    whose = [
        (number, quarter)
        for number, quad in quads.items()
        for quarter in range(2 if _squarish(quad) and not deck.four_ways else 1)
    ]
    turned = np.stack([quads[number][_ORDERS[quarter]] for number, quarter in whose])
    sizes = None if plane is None else sides_in_mm(turned, plane)
    matches = deck.match(network("embedder").run(card_crops(image, turned)), sizes)
    best: dict[int, tuple[Match, int]] = {}
    for (number, quarter), match in zip(whose, matches, strict=True):
        if number not in best or _weight(match) > _weight(best[number][0]):
            best[number] = (match, quarter)
    return best


def sides_in_mm(quads: Quad, plane: Plane) -> npt.NDArray[Any]:
    """The sides of cards on a calibrated table, in millimetres, short side first."""
    mm = plane.table(quads.reshape(-1, 2)).reshape(-1, 4, 2)
    edges = np.linalg.norm(np.roll(mm, -1, 1) - mm, axis=2)
    return np.sort((edges[:, :2] + edges[:, 2:]) / 2, axis=1)


def _without_doubt(
    image: ImagePyramid, quads: dict[int, Quad], deck: Deck, best: dict[int, tuple[Match, int]]
) -> dict[int, tuple[Match, int]]:
    """The same matches; of those in doubt the first, in the order of the quads, after another look
    at each."""
    out = dict(best)
    doubted = [n for n in quads if best[n][0].label is None or best[n][0].p < _DOUBT]
    for number in doubted[:_MOST_AGAIN]:
        match, quarter = best[number]
        out[number] = (_again(image, quads[number][_ORDERS[quarter]], deck, match), quarter)
    return out


def _with_indices(
    image: ImagePyramid,
    quads: dict[int, Quad],
    best: dict[int, tuple[Match, int]],
    names: tuple[str, ...],
) -> dict[int, tuple[Match, int]]:
    """The same matches of playing cards, called by these names, their corner indices asked as
    well."""
    turned = np.stack([quads[n][_ORDERS[quarter]] for n, (_, quarter) in best.items()])
    after = agreed(image, turned, [match for match, _ in best.values()], names)
    return {n: (match, best[n][1]) for n, match in zip(best, after, strict=True)}


def _again(image: ImagePyramid, quad: Quad, deck: Deck, first: Match) -> Match:
    """Look at a card with its corners a little elsewhere, several times, and take the mean."""
    if deck.head is None and _weight(first) < _HOPELESS:
        return first
    middle, side = quad.mean(0), float(np.linalg.norm(quad[3] - quad[0]))
    places = _ELSEWHERE if deck.head is None else [(size, (0, 0)) for size in _BORDERS]
    elsewhere = np.stack(
        [middle + (quad - middle) * size + np.array(shift) * side for size, shift in places]
    )
    odds = deck.odds(network("embedder").run(card_crops(image, elsewhere)))
    if deck.head is not None:
        odds = odds[np.argsort(odds[:, -1])[:_LEAST_STRANGE]]
    mean = odds.mean(0)
    order = [int(i) for i in np.argsort(-mean)[:4]]
    named = [(deck.labels[i], float(mean[i])) for i in order if i < len(deck.labels)]
    if order[0] == len(deck.labels):
        return Match(None, first.turn, float(mean[-1]), tuple(named[:3]))
    return Match(named[0][0], first.turn, named[0][1], tuple(named[1:]))


def _weight(match: Match) -> float:
    """How probable its best label is, also if "none of these" is more probable."""
    return match.p if match.label is not None else max((p for _, p in match.others), default=0.0)


def _sighting(found: Detection, quad: Quad, match: Match, quarter: int) -> Sighting:
    turns = (quarter + match.turn // 90) % 4
    corners = quad[_ORDERS[turns]]
    p = match.p if match.label is not None else found.sure
    turn = quarter_turn(corners)
    return Sighting("card", match.label, p, rounded(corners), turn, match.others, found.sure)


def upright_quad(quad: Quad) -> Quad:
    """The corners clockwise, beginning with a short side: the one nearer the picture's top."""
    quad = clockwise(quad)
    first, second = opposite_sides(quad)
    if first > second:
        quad = quad[_ORDERS[1]]
    if quad[:2, 1].sum() > quad[2:, 1].sum():
        quad = quad[_ORDERS[2]]
    return quad


def _squarish(quad: Quad) -> bool:
    across, down = opposite_sides(quad)
    return across > _SQUARISH * down
