"""The Battle Phase: Supports, the cards revealed, what the Draugr among them cost, and who takes
what out of the armory. Rules VLLA-BAT-1 to -6, the Supports of VLLA-AXE, -HAM, -SWO and -DEI."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhalla.rules import census
from companion.games.valhalla.rules.actions import Armory, Fetch, Return, Take, Turn
from companion.games.valhalla.rules.cards import Card, draugr_in, is_deity
from companion.games.valhalla.rules.codes import Code
from companion.games.valhalla.rules.phases.draugr import draugr_cost, hit
from companion.games.valhalla.rules.phases.strategy import take_objections, takeable
from companion.games.valhalla.rules.placing import (
    changed,
    deities_sent_back,
    noted,
    off_the_deck,
    out_of_armory,
    served,
    stage_set,
    stocked,
    to_discard,
    to_hand,
)
from companion.games.valhalla.rules.state import Battle, Happening, Stage, State

# Supports


def supported(state: State) -> State:
    """VLLA-BAT-2: Supports that still lie there are used before anything is revealed. A Wolf is
    used later (A-15); a Deity is used even without a battle (A-27)."""
    battle = Battle(due=0)
    turning: list[Seat] = []
    for seat in state.playing_order:
        match state.players[seat].support:
            case Card.AXE if state.fighters:
                battle = replace(battle, axes=(*battle.axes, seat))
            case Card.HAMMER if state.fighters:
                battle = replace(battle, hammers=(*battle.hammers, seat))
            case Card.SWORD if state.fighters:
                battle = replace(battle, swords=(*battle.swords, seat))
            case card if is_deity(card):
                turning.append(seat)
            case _:
                continue
        state = support_used(state, seat)
    state = replace(state, battle=battle if state.fighters else None)
    return stage_set(state, Stage.SUPPORT, tuple(turning))


def support_used(state: State, seat: Seat) -> State:
    """A-15: a used Support leaves the table, even if it had no effect."""
    support = state.players[seat].support
    if support is None:
        return state
    state = noted(changed(state, seat, support=None), Happening.SUPPORT_USED, seat, (support,))
    if state.options.used_support_goes_to == "hand":
        return to_hand(state, seat, (support,))
    return to_discard(state, seat, (support,))


def turn_objections(state: State, action: Turn) -> Iterator[Reason]:
    yield from in_order(state, action)
    yield from census.from_deck(stocked(state, 1), (action.card,))


def turned(state: State, action: Turn) -> State:
    """VLLA-DEI as Support: the top card goes onto the own pile; a Draugr goes to the armory and
    hits (A-27)."""
    seat, card = action.seat, action.card
    state = off_the_deck(stocked(served(state, seat), 1), 1)
    if card is not Card.DRAUGR:
        return changed(state, seat, discard=(*state.players[seat].discard, card))
    cost = draugr_cost(state)
    state = replace(state, armory=(*state.armory, card))
    return hit(state, _struck_by_turn(state, seat), cost)


def _struck_by_turn(state: State, seat: Seat) -> tuple[Seat, ...]:
    match state.options.deity_support_draugr_hits:
        case "involved":
            return state.fighters
        case "both":
            return tuple(each for each in state.playing_order if each in (seat, *state.fighters))
        case _:
            return (seat,)


# Cards revealed


def joined(state: State) -> State:
    """VLLA-BAT-3: two cards for each involved player, two more for each Axe (VLLA-AXE)."""
    battle = state.battle
    if battle is None or not state.fighters:  # VLLA-BAT-1; all may have fallen to a Deity
        return stage_set(replace(state, battle=None), Stage.SPOILS)
    wanted = 2 * len(state.fighters) + 2 * len(battle.axes)
    state = stocked(state, wanted)
    battle = replace(battle, due=min(wanted, state.deck))
    return stage_set(replace(state, battle=battle), Stage.BATTLE)


def armory_objections(state: State, action: Armory) -> Iterator[Reason]:
    yield from census.from_deck(stocked(state, 1), (action.card,))


def added(state: State, action: Armory) -> State:
    """The card goes to the armory; so does a Deity until all are revealed (VLLA-ARM-4)."""
    battle = state.battle
    if battle is None:
        raise ValueError("no battle is being fought")
    card = action.card
    costs = (draugr_cost(state),) if card is Card.DRAUGR else ()
    battle = replace(battle, revealed=(*battle.revealed, card), costs=battle.costs + costs)
    state = stocked(state, 1)
    return replace(state, deck=state.deck - 1, armory=(*state.armory, card), battle=battle)


def struck(state: State, battle: Battle) -> State:
    """VLLA-BAT-4: all cards are revealed, and every Draugr hits every involved player."""
    cost = sum(battle.costs)
    if len(battle.costs) == 1 and battle.hammers:  # VLLA-HAM: exactly one Draugr, Axes included
        if state.options.hammer_support_stacks:
            cost += len(battle.hammers)
        else:
            cost = max(cost, 2)
    state = deities_sent_back(replace(state, battle=replace(battle, cost=cost)))
    return hit(state, state.fighters, cost) if cost else state


# Out of the armory


def spoils(state: State, battle: Battle) -> State:
    """VLLA-BAT-6 and VLLA-SWO as Support: who takes a card, in which order (A-17, A-18)."""
    everybody = state.options.battle_armory_draw == "all"
    takers = state.playing_order if everybody else state.fighters
    living = tuple(seat for seat in battle.swords if state.players[seat].alive)
    swords = living if draugr_in(battle.revealed) == 1 else ()
    if state.options.sword_support_timing == "after":
        return stage_set(state, Stage.SPOILS, takers + swords)
    return stage_set(state, Stage.SPOILS, swords + takers)


def spoil_objections(state: State, action: Take) -> Iterator[Reason]:
    yield from in_order(state, action)
    yield from take_objections(state, action)


def took(state: State, action: Take) -> State:
    """A-17: the card goes to the hand. A-18: once only Draugr are left, nobody takes any more."""
    seat, card = action.seat, action.card
    state = to_hand(out_of_armory(served(state, seat), card), seat, (card,))
    return state if takeable(state) else replace(state, waiting=())


def in_order(state: State, action: Turn | Take | Fetch | Return) -> Iterator[Reason]:
    """Objections to who does it: somebody who has nothing to do now, or whose turn comes later."""
    seat = action.seat
    if seat not in state.waiting:
        yield reason(Code.NOT_YOURS_TO_DO, _RULES[type(action)], may_stand=False, seat=seat)
    elif seat is not state.waiting[0]:
        to_move = state.waiting[0]
        yield reason(Code.NOT_YOUR_TURN, _RULES[type(action)], seat=seat, to_move=to_move)


_RULES = {Turn: "VLLA-DEI", Take: "VLLA-BAT-6", Fetch: "VLLA-WOL", Return: "VLLA-ARM-2"}
