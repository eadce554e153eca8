"""Drawing from the deck in the Strategy Phase: how many cards, which of them everybody sees, and
where they go. Rules VLLA-STR-4a, VLLA-AXE and VLLA-HAM as Main, A-8 to A-10, A-26, A-31."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhalla.rules import census
from companion.games.valhalla.rules.actions import Draw
from companion.games.valhalla.rules.cards import DEITIES, Card, draugr_in, without
from companion.games.valhalla.rules.codes import Code
from companion.games.valhalla.rules.phases.draugr import draugr_cost, hit
from companion.games.valhalla.rules.placing import (
    buried,
    changed,
    off_the_deck,
    stocked,
    to_armory,
    to_hand,
    under_the_deck,
)
from companion.games.valhalla.rules.state import State, others_in_deck, unseen


@dataclass(frozen=True, slots=True)
class Outcome:
    """What everybody else sees of a draw that need not be shown: how many cards of each sort."""

    draugr: int  # shown, because they may not be ignored
    others: int  # shown, because they go to the armory
    kept: int  # unseen


def draw_size(state: State, seat: Seat) -> int:
    """How many cards are drawn. VLLA-HAM: three instead of two. A-24: fewer if the deck is too
    short."""
    wanted = 3 if state.players[seat].hammered else 2
    return min(wanted, stocked(state, wanted).deck)


def drawn_from(state: State, seat: Seat) -> State:
    """The state with the deck stocked for the draw."""
    return stocked(state, 3 if state.players[seat].hammered else 2)


def keeps_all(state: State, seat: Seat) -> bool:
    return state.players[seat].hammered and state.options.hammer_draw == "keep_all"


# What may be seen


def outcomes(state: State, seat: Seat) -> frozenset[Outcome]:
    """Everything a draw can look like to others that the cards left in the deck allow."""
    size = draw_size(state, seat)
    deck = drawn_from(state, seat)
    left = unseen(deck)
    others_left = others_in_deck(deck, left)
    return frozenset(
        outcome
        for draugr in range(size + 1)
        if draugr <= left[Card.DRAUGR] and size - draugr <= others_left
        for outcome in _outcomes(state, seat, left, (draugr, size - draugr))
    )


def _outcomes(
    state: State, seat: Seat, left: Counter[Card], drawn: tuple[int, int]
) -> Iterator[Outcome]:
    draugr, others = drawn
    if others == 0:  # VLLA-STR-4a: all Draugr, all shown
        yield Outcome(draugr, 0, 0)
        return
    deities = sum(left[card] for card in DEITIES)
    ignored = draugr if state.options.ignorable_draugr == "all" else min(draugr, 1)
    kept, shown = _kept_and_shown(state, seat, others)
    yield Outcome(draugr - ignored, shown, kept)
    if not state.options.deity_allows_ignore and deities >= others:  # nothing but Deities
        yield Outcome(draugr, shown, kept)


def _kept_and_shown(state: State, seat: Seat, others: int) -> tuple[int, int]:
    """How many of the drawn cards are kept unseen, and how many go to the armory for all to see.
    A-8: that depends on the Hammer."""
    if keeps_all(state, seat):
        return others, 0
    if state.players[seat].hammered and state.options.hammer_draw == "keep1_armory_rest":
        return 1, others - 1
    return 1, 0


# Objections


def draw_objections(state: State, action: Draw) -> Iterator[Reason]:
    seat, shown = action.seat, action.shown
    size = draw_size(state, seat)
    kept = unseen_kept(state, action)
    if size == 0:
        yield reason(Code.DECK_EMPTY, "VLLA-STR-4a", may_stand=False)
    elif len(shown) + kept > size:
        yield reason(
            Code.TOO_MANY_DRAWN, "VLLA-STR-4a", may_stand=False, got=len(shown) + kept, due=size
        )
    elif not Counter(action.keeps) <= Counter(shown):
        yield reason(Code.KEEPS_UNSHOWN, "VLLA-STR-4a", may_stand=False, cards=action.keeps)
    elif Card.DRAUGR in action.keeps:  # nobody chooses to hold one
        yield reason(Code.KEEPS_DRAUGR, "VLLA-STR-4a", may_stand=False, seat=seat)
    else:
        yield from census.from_deck(drawn_from(state, seat), shown, kept)
        yield from _showing(state, action, size)


def _showing(state: State, action: Draw, size: int) -> Iterator[Reason]:
    seat, shown = action.seat, action.shown
    others = len(shown) - draugr_in(shown)
    if state.players[seat].axed:  # VLLA-AXE
        if len(shown) != size:
            yield reason(Code.MUST_SHOW, "VLLA-AXE", seat=seat, got=len(shown), due=size)
            return
        due = others if keeps_all(state, seat) else min(1, others)
        if len(action.keeps) != due:
            yield reason(Code.KEEPS_WRONG, "VLLA-STR-4a", seat=seat, got=len(action.keeps), due=due)
        return
    if action.keeps:  # what is kept without an Axe stays unseen
        yield reason(Code.KEEPS_WRONG, "VLLA-STR-4a", seat=seat, got=len(action.keeps), due=0)
        return
    looks = Outcome(draugr_in(shown), others, unseen_kept(state, action))
    if looks not in outcomes(state, seat):
        rule = "VLLA-HAM" if state.players[seat].hammered else "VLLA-STR-4a"
        yield reason(Code.SHOWN_WRONG, rule, seat=seat, cards=shown, kept=looks.kept)
    elif (action.kept is not None) != (keeps_all(state, seat) and looks.kept > 0):
        yield reason(Code.KEEPS_WRONG, "VLLA-HAM", seat=seat, got=action.kept, due=looks.kept)


def unseen_kept(state: State, action: Draw) -> int:
    """How many cards went to the hand unseen: what the action says; if it does not, one, unless
    all cards were shown."""
    if action.kept is not None:
        return action.kept
    return 0 if action.keeps or len(action.shown) >= draw_size(state, action.seat) else 1


# What it does


def drew(state: State, action: Draw) -> State:
    seat, shown = action.seat, action.shown
    size, kept = draw_size(state, seat), unseen_kept(state, action)
    state = off_the_deck(drawn_from(state, seat), size)
    if kept:
        state = changed(state, seat, hand=state.players[seat].hand + kept)
    state = to_hand(state, seat, action.keeps)
    rest = _left_over(action)
    bottom: list[Card | None] = [None] * (size - len(shown) - kept)
    if state.players[seat].axed and state.options.axe_revealed_leftover == "deck_bottom":
        bottom += rest
    else:  # a Deity too, and from there it is shuffled back
        state = to_armory(state, rest)
    gained = kept + len(action.keeps)
    cost = 0
    for number in range(draugr_in(shown)):  # VLLA-DRA-1: every Draugr shown hits the drawer
        cost += draugr_cost(state)
        state, under = _put_away(state, seat, alone=number + gained == 0)
        bottom += under
    state = under_the_deck(state, bottom)
    return hit(state, (seat,), cost) if cost else state


def _left_over(action: Draw) -> tuple[Card, ...]:
    """VLLA-ARM-1: the cards that were shown and not kept, without Draugr."""
    rest: tuple[Card, ...] = tuple(card for card in action.shown if card is not Card.DRAUGR)
    for card in action.keeps:
        rest = without(rest, card)
    return rest


def _put_away(state: State, seat: Seat, *, alone: bool) -> tuple[State, tuple[Card, ...]]:
    """A-10: where a shown Draugr goes. Returns the state, and the cards to put under the deck."""
    match state.options.draugr_after_strategy_reveal:
        case "armory":
            return replace(state, armory=(*state.armory, Card.DRAUGR)), ()
        case "graveyard":
            return buried(state, (Card.DRAUGR,)), ()
        case "one_to_hand" if alone:  # nothing else was gained
            return to_hand(state, seat, (Card.DRAUGR,)), ()
        case _:
            return state, (Card.DRAUGR,)
