"""Pictures of Odin's table beside the books: hands laid open when a hand is over, and what was laid
in the middle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from math import dist
from types import MappingProxyType

from companion.core.notation import Seat, Word
from companion.foundation.errors import BadNotation
from companion.foundation.messages import N_
from companion.games.odin import reading
from companion.games.odin.rules.actions import Count, Has, Shows
from companion.games.odin.rules.cards import GOAT, Card
from companion.games.odin.rules.state import Hand, Phase, State, goat_holders
from companion.scanning.scanner import ScannedFact, ScannedView, Scanner, Subject
from companion.scanning.scenes import scene_in
from companion.tabletop.observations import Sighting
from companion.tracking.matching import is_back

HANDS, HAND, PLAY = "hands", "hand", "play"
TOGETHER = 0.8
"""Cards whose middles are no further apart than this share of a card's height are one hand."""
TWO_WITNESSES = 0.995
"""How sure a count is on which picture and books agree."""
AGAINST_BOOKS = 0.8
"""A count that differs from the books is never surer: it is looked at before it is taken."""
_MOST_HANDS = 6


def subjects(state: State) -> tuple[Subject, ...]:
    hand = state.hand
    if hand is None:
        return ()
    if state.phase is Phase.COUNT:
        open_hands = [Subject(HAND, seat) for seat in state.seats if hand.sizes[seat]]
        return (Subject(HANDS), *open_hands)
    return (Subject(PLAY),)


def read(state: State, subject: Subject, views: tuple[ScannedView, ...]) -> tuple[ScannedFact, ...]:
    hand = state.hand
    if hand is None:
        return ()
    if subject.kind == PLAY:
        return tuple(_played(state, views))
    hands = [cards for view in views for cards in hands_in(view)]
    if subject.kind == HAND and subject.seat is not None:
        every = [each for cards in hands for each in cards]
        return tuple(_shown(hand, subject.seat, every))
    return tuple(_counted(state, hand, hands))


def _played(state: State, views: tuple[ScannedView, ...]) -> Iterator[ScannedFact]:
    """What the reader makes of cards that lie in the middle."""
    readings = reading.read(state, scene_in("middle-1", views))
    if readings and len(readings[0].lines) == 1:
        yield ScannedFact(readings[0].lines[0], readings[0].p)


def hands_in(view: ScannedView) -> list[list[Sighting]]:
    """The cards of a picture in groups that lie together, from left to right."""
    cards = [s for s in view.sightings if s.kind == "card" and not is_back(s.label)]
    hands: list[list[Sighting]] = []
    for card in cards:
        near = [hand for hand in hands if any(_together(card, other) for other in hand)]
        hands = [hand for hand in hands if hand not in near]
        hands.append([card, *(each for hand in near for each in hand)])
    for hand in hands:
        hand.sort(key=lambda each: each.middle)
    return sorted(hands, key=lambda hand: hand[0].middle)


def _together(one: Sighting, other: Sighting) -> bool:
    side = (_height(one) + _height(other)) / 2
    return dist(one.middle, other.middle) <= TOGETHER * side


def _height(one: Sighting) -> float:
    return max(dist(one.quad[0], one.quad[1]), dist(one.quad[1], one.quad[2]))


def _shown(hand: Hand, seat: Seat, cards: Sequence[Sighting]) -> Iterator[ScannedFact]:
    """One hand, card by card."""
    named = [card for each in cards if (card := _card(each)) is not None]
    if not named or len(set(named)) < len(named):
        return
    sure = min(each.p for each in cards)
    if len(named) != hand.sizes[seat]:
        sure = min(sure, AGAINST_BOOKS)
    yield ScannedFact(str(Shows(seat, tuple(named))), sure, str(Has(seat, hand.sizes[seat])))


def _counted(state: State, hand: Hand, hands: list[list[Sighting]]) -> Iterator[ScannedFact]:
    """Every hand that can only be one player's, and the count that follows."""
    due = [seat for seat in state.seats if hand.sizes[seat]]
    if not hands or len(hands) != len(due) or len(hands) > _MOST_HANDS:
        return
    best = _whose(hand, due, hands)
    sizes = list(hand.sizes)
    for seat, cards in best.items():
        sizes[seat] = len(cards)
        if _only_this(hand, seat, due):
            yield from _shown(hand, seat, cards)
    yield _count(state, hand, tuple(sizes), best)


def _count(
    state: State, hand: Hand, sizes: tuple[int, ...], hands: dict[Seat, list[Sighting]]
) -> ScannedFact:
    seen = [seat for seat, cards in hands.items() if any(each.label == str(GOAT) for each in cards)]
    holders = goat_holders(state, hand)
    goat = seen[0] if seen else None if None in holders else holders[0]
    line = str(Count(sizes, goat))
    if sizes == hand.sizes:
        told = len(holders) == 1 or bool(seen) or None in holders
        return ScannedFact(line, TWO_WITNESSES if told else AGAINST_BOOKS)
    return ScannedFact(line, AGAINST_BOOKS, str(Count(hand.sizes, holders[0])))


def _whose(
    hand: Hand, due: Sequence[Seat], hands: Sequence[list[Sighting]]
) -> dict[Seat, list[Sighting]]:
    """The hand of each player: by the cards known to be in it, and by its size."""

    def unlike(order: Iterable[list[Sighting]]) -> int:
        return sum(_unlike(hand, seat, cards) for seat, cards in zip(due, order, strict=True))

    return dict(zip(due, min(permutations(hands), key=unlike), strict=True))


def _unlike(hand: Hand, seat: Seat, cards: Sequence[Sighting]) -> int:
    shown = {str(each.label) for each in cards}
    missing = sum(str(card) not in shown for card in hand.known[seat])
    return abs(len(cards) - hand.sizes[seat]) + 2 * missing


def _only_this(hand: Hand, seat: Seat, due: Sequence[Seat]) -> bool:
    """Whether nobody else has a hand of that size: else nobody knows whose it is."""
    return sum(hand.sizes[other] == hand.sizes[seat] for other in due) == 1


def _card(one: Sighting) -> Card | None:
    try:
        return Card.parse(Word(str(one.label), 1))
    except BadNotation:
        return None


SCANNER = Scanner(
    subjects=subjects,
    read=read,
    words=MappingProxyType(
        {
            HANDS: N_("The hands that lie open"),
            HAND: N_("The hand of %(seat)s"),
            PLAY: N_("The cards just laid"),
        }
    ),
)
