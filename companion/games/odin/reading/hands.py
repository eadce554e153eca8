"""Hands of Odin laid open when a hand is over: a cross-check of the books.

The sizes follow from the plays. People lay down what they hold, anywhere beside the lanes and
piles, each hand by itself; the cards are counted. A difference is a question, never an objection.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.notation import Seat
from companion.deciding.scene import Scene, Weighed, ranked
from companion.games.odin.layout import word_of
from companion.games.odin.rules.actions import Count
from companion.games.odin.rules.cards import GOAT
from companion.games.odin.rules.state import Hand, State, goat_holders
from companion.tabletop.geometry import apart
from companion.tabletop.observations import Thing
from companion.tabletop.readings import Reading
from companion.tracking.matching import is_back

TOGETHER = 66.0
"""Millimetres between the middles of two cards of one hand: they overlap, or touch."""
DIFFERS = 0.5
"""How likely the books are right, when the cards on the table are more or fewer."""
GOAT_SEEN = 0.5
"""How likely a card must be the goat to be it."""


def laid_open(scene: Scene) -> tuple[Thing, ...]:
    """Face-up cards beside all zones."""
    return tuple(
        thing
        for thing in scene.things
        if thing.kind == "card"
        and not is_back(thing.label)
        and not thing.covered
        and scene.zone(thing) is None
    )


def read_hands(state: State, scene: Scene) -> tuple[Reading, ...]:
    """The count, once every hand that is not empty lies open; until then nothing."""
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
    """Cards that lie together."""
    hands: list[list[Thing]] = []
    for card in cards:
        near = [h for h in hands if any(apart(card.middle, o.middle) <= TOGETHER for o in h)]
        hands = [h for h in hands if h not in near]
        hands.append([card, *(each for h in near for each in h)])
    return hands


def _agreed(state: State, hand: Hand, hands: list[list[Thing]]) -> Iterator[Weighed]:
    """The sizes are right; and now it can be seen who holds the goat."""
    holders = goat_holders(state, hand)
    if len(holders) > 1:
        holders = _goat_at(hand, hands, holders)
    for holder in holders:
        yield Weighed((str(Count(hand.sizes, holder)),), 1.0 / len(holders))


def _goat_at(
    hand: Hand, hands: list[list[Thing]], holders: tuple[Seat | None, ...]
) -> tuple[Seat | None, ...]:
    """Who may hold it, by the size of the hand it lies in."""
    with_goat = [len(each) for each in hands if any(_is_goat(thing) for thing in each)]
    if not with_goat:
        return (None,) if None in holders else holders
    may = tuple(seat for seat in holders if seat is not None and hand.sizes[seat] == with_goat[0])
    return may or tuple(seat for seat in holders if seat is not None) or holders


def _is_goat(thing: Thing) -> bool:
    return any(word_of(label) == str(GOAT) and p >= GOAT_SEEN for label, p in thing.odds)


def _differing(state: State, hand: Hand, hands: list[list[Thing]]) -> Iterator[Weighed]:
    """As the books have it, or as it lies there."""
    holder = goat_holders(state, hand)[0]
    yield Weighed((str(Count(hand.sizes, holder)),), DIFFERS)
    seats = sorted((s for s in state.seats if hand.sizes[s]), key=lambda seat: hand.sizes[seat])
    if len(hands) != len(seats):
        return
    left = list(hand.sizes)
    for seat, cards in zip(seats, sorted(hands, key=len), strict=True):
        left[seat] = len(cards)
    yield Weighed((str(Count(tuple(left), holder)),), 1.0 - DIFFERS, legal=False)
