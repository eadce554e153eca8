"""Reading the hands of Odin that people lay open when a hand is over.

The books know the sizes from the plays; counting the cards checks them. People lay down what they
hold anywhere beside the lanes and piles, each hand by itself. A difference is a question, never an
objection.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.notation import Seat
from companion.deciding.scene import Scene, Weighed, ranked
from companion.games.odin.rules.actions import Count
from companion.games.odin.rules.cards import GOAT
from companion.games.odin.rules.state import Hand, State, goat_holders
from companion.tabletop.geometry import apart
from companion.tabletop.observations import Thing
from companion.tabletop.readings import Reading
from companion.tracking.matching import is_back

TOGETHER_MM = 66.0
"""Cards whose middles are no further apart overlap or touch: they are one hand."""
DIFFERS = 0.5
"""How likely the books are right if more or fewer cards lie on the table."""
GOAT_SEEN = 0.5
"""A card is the goat if it is at least this likely to be it."""


def laid_open(scene: Scene) -> tuple[Thing, ...]:
    """Face-up cards that lie in no zone."""
    return tuple(
        thing
        for thing in scene.things
        if thing.kind == "card"
        and not is_back(thing.label)
        and not thing.covered
        and scene.zone(thing) is None
    )


def read_hands(state: State, scene: Scene) -> tuple[Reading, ...]:
    """Readings of the count; none until every hand that is not empty lies open."""
    hand = state.hand
    if hand is None:
        return ()
    hands = _hands(laid_open(scene))
    due = sorted(size for size in hand.sizes if size)
    many, books = sum(map(len, hands)), sum(due)
    if many == books:
        return ranked(_agreed(state, hand, hands))
    if len(hands) < len(due):
        return ()  # somebody has yet to lay down
    return ranked(_differing(state, hand, hands), 1.0 - DIFFERS if len(hands) != len(due) else 0.0)


def _hands(cards: tuple[Thing, ...]) -> list[list[Thing]]:
    """The cards in groups that lie together."""
    hands: list[list[Thing]] = []
    for card in cards:
        near = [h for h in hands if any(apart(card.middle, o.middle) <= TOGETHER_MM for o in h)]
        hands = [h for h in hands if h not in near]
        hands.append([card, *(each for h in near for each in h)])
    return hands


def _agreed(state: State, hand: Hand, hands: list[list[Thing]]) -> Iterator[Weighed]:
    """Readings if the sizes are right; now it can be seen who holds the goat."""
    holders = goat_holders(state, hand)
    if len(holders) > 1:
        holders = _goat_at(hand, hands, holders)
    for holder in holders:
        yield Weighed((str(Count(hand.sizes, holder)),), 1.0 / len(holders))


def _goat_at(
    hand: Hand, hands: list[list[Thing]], holders: tuple[Seat | None, ...]
) -> tuple[Seat | None, ...]:
    """Who may hold the goat, by the size of the hand it lies in."""
    with_goat = [len(each) for each in hands if any(_is_goat(thing) for thing in each)]
    if not with_goat:
        return (None,) if None in holders else holders
    may = tuple(seat for seat in holders if seat is not None and hand.sizes[seat] == with_goat[0])
    return may or tuple(seat for seat in holders if seat is not None) or holders


def _is_goat(thing: Thing) -> bool:
    return any(str(label) == str(GOAT) and p >= GOAT_SEEN for label, p in thing.odds)


def _differing(state: State, hand: Hand, hands: list[list[Thing]]) -> Iterator[Weighed]:
    """Readings if the sizes differ: as the books have them, or as the hands lie there."""
    holder = goat_holders(state, hand)[0]
    yield Weighed((str(Count(hand.sizes, holder)),), DIFFERS)
    seats = sorted((s for s in state.seats if hand.sizes[s]), key=lambda seat: hand.sizes[seat])
    if len(hands) != len(seats):
        return
    left = list(hand.sizes)
    for seat, cards in zip(seats, sorted(hands, key=len), strict=True):
        left[seat] = len(cards)
    yield Weighed((str(Count(tuple(left), holder)),), 1.0 - DIFFERS, legal=False)
