"""Whether cards can come from where they are said to come from. There may be no copy left, or a
hand may be known to hold others. Such objections are about the books, not about the play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhalla.rules.cards import Card, draugr_in
from companion.games.valhalla.rules.codes import Code
from companion.games.valhalla.rules.options import cards_in_play
from companion.games.valhalla.rules.state import State, others_in_deck, unseen


def from_deck(state: State, cards: tuple[Card, ...], kept: int = 0) -> Iterator[Reason]:
    """Objections to these cards being drawn from a stocked deck for all to see, together with
    `kept` unseen ones that are no Draugr."""
    left = unseen(state)
    missing = list(_missing(state, left, cards))
    yield from missing
    others = len(cards) - draugr_in(cards) + kept
    if not missing and others > others_in_deck(state, left):
        yield reason(
            Code.ONLY_DRAUGR_LEFT,
            "VLLA-COMP-1",
            may_stand=False,
            got=others,
            left=others_in_deck(state, left),
        )


def from_hand(state: State, seat: Seat, cards: tuple[Card, ...]) -> Iterator[Reason]:
    """Objections to these cards coming out of one hand."""
    player = state.players[seat]
    strangers = _strangers(player.known, cards)
    if strangers:
        yield from _missing(state, unseen(state), strangers)
    if len(strangers) > player.hidden:
        yield reason(Code.HAND_KNOWN, "VLLA-COMP-1", seat=seat, cards=player.known)


def _strangers(known: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards that are not among the known ones, each copy counted."""
    left, strangers = list(known), []
    for card in cards:
        if card in left:
            left.remove(card)
        else:
            strangers.append(card)
    return tuple(strangers)


def _missing(state: State, left: Counter[Card], cards: tuple[Card, ...]) -> Iterator[Reason]:
    for card, count in Counter(cards).items():
        copies = cards_in_play(state.options).get(card, 0)
        if copies == 0:
            rule = "VLLA-COMP-1" if card is Card.DRAUGR else "VLLA-COMP-3"
            yield reason(Code.NOT_IN_GAME, rule, may_stand=False, card=card)
        elif count > left[card]:
            yield reason(
                Code.NONE_LEFT,
                "VLLA-COMP-1",
                may_stand=False,
                card=card,
                copies=copies,
                left=left[card],
            )
