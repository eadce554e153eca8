"""How a season goes on by itself until somebody has to do something. Rules VHAL-SEA-1 to -6."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from companion.core.notation import Seat
from companion.games.valhal.rules.cards import can_carry_out, event_read, income, read
from companion.games.valhal.rules.notation.actions import Agree, Event, First, Take
from companion.games.valhal.rules.raid.battle import (
    attack_dice,
    fighters,
    front_hurt,
    row_fallen,
    row_of,
    strikes_by_itself,
    struck,
    to_the_front,
)
from companion.games.valhal.rules.raid.loot import concluded, gone_home, looted, rescued
from companion.games.valhal.rules.raid.mainland import change_due, covered, removal, room, taken_out
from companion.games.valhal.rules.raid.vikingfahrt import (
    choosing_over,
    dropped,
    embarked,
    invited,
    roll_settled,
    unable,
)
from companion.games.valhal.rules.settlement.achievements import achieved
from companion.games.valhal.rules.settlement.books import changed, fighting, noted
from companion.games.valhal.rules.settlement.building import turned
from companion.games.valhal.rules.settlement.clerk import steps
from companion.games.valhal.rules.settlement.favour import (
    arrived,
    change_reached,
    ended,
    favoured,
    final_reached,
)
from companion.games.valhal.rules.settlement.food import cleared
from companion.games.valhal.rules.settlement.gifts import TURN, gift
from companion.games.valhal.rules.settlement.giving import demanded, lying
from companion.games.valhal.rules.settlement.sacrifice import carried_out
from companion.games.valhal.rules.sheet.asking import asking
from companion.games.valhal.rules.state import (
    OVER_PRINT,
    Due,
    Front,
    Happening,
    Mark,
    Owed,
    Raid,
    Stage,
    State,
    Work,
    scored,
)
from companion.games.valhal.rules.vocabulary import Season


def onward(state: State) -> State:
    """Everything that follows without anybody's choice."""
    while (following := _following(state)) is not None:
        state = following
    return state


def _following(state: State) -> State | None:
    """The next thing that happens by itself; None if the table waits for people, dice, cards."""
    if state.over:
        return None
    if state.winner is not None:
        return ended(state)
    for check in (change_reached, final_reached, achieved, rescued):
        if (after := check(state)) is not None:
            return after
    asks = asking(state)
    if asks or state.asks:
        return replace(state, asks=asks) if asks != state.asks else None
    if state.dues:
        return _settled(state, state.dues[0])
    return _STAGES[state.stage](state) if state.stage in _STAGES else None


def _settled(state: State, due: Due) -> State | None:
    rest = replace(state, dues=state.dues[1:])
    if due.what is Owed.ARRIVE:
        return arrived(rest, due)
    if due.what is Owed.STEP:
        return favoured(rest, due.seats[0], due.space)
    if due.what is Owed.HURT:
        return front_hurt(rest, due.space, over_print=due.thing == OVER_PRINT)
    if due.what is Owed.GIFT:
        return gift(rest, due.seats[0], due.thing)
    if due.what is Owed.GIVE:  # what was there to choose from may be gone
        one = len(lying(state, due.seats[0], due.thing)) < 2
        return demanded(rest, due.seats[0], due.thing) if one else None
    card = state.sheet.card(due.stack, due.card)
    if due.what is Owed.OPTION and card is not None and state.version > 1:
        seat = due.seats[0]  # VHAL-CARD-7: if nothing can be done, nothing happens
        vain = not can_carry_out(state, seat, card)
        return noted(rest, Happening.IN_VAIN, seat, card.name) if vain else None
    if due.what is Owed.READ and card is not None:
        return read(rest, due, card)
    return None


# Set-up


def begun(state: State, action: First) -> State:
    """VHAL-SET-10; then Special Units, where they are used, and the Mainland."""
    state = replace(state, first=action.seat)
    if state.options.special_units:
        return replace(state, stage=Stage.SPECIALS, waiting=state.order)
    return replace(state, stage=Stage.LAYING)


def special_taken(state: State, action: Take) -> State:
    """VHAL-SET-3 and VHAL-VAR-SPEC: instead of the Warriors, or the Warriors after all."""
    state = changed(state, action.seat, units=(action.unit,))
    waiting = tuple(seat for seat in state.waiting if seat is not action.seat)
    return replace(state, waiting=waiting, stage=Stage.SPECIALS if waiting else Stage.LAYING)


def _laying(state: State) -> State | None:
    most = room(state)
    return covered(state) if most is not None and len(state.mainland) >= most else None


# Summer


def happened(state: State, action: Event) -> State:
    """VHAL-SEA-4: the event, then in summer the Vikingfahrt (VHAL-SEA-2), then the commission."""
    summer = state.season is Season.SUMMER
    state = replace(state, stage=Stage.ROLL if summer else Stage.COMMISSION)
    return event_read(state, action)


def _roll(state: State) -> State | None:
    if state.waiting:
        return None
    return roll_settled(state) if state.rolls else embarked(state)


def _choose(state: State) -> State | None:
    if choosing_over(state):
        return replace(state, stage=Stage.BATTLE, queue=(), stays=0, rolls=())
    seat = unable(state)
    return None if seat is None else dropped(state, seat)


def _invite(state: State) -> State | None:
    return None if state.waiting else invited(state)


def _battle(state: State) -> State | None:
    if not state.raids:
        return concluded(state)
    raid = state.raids[0]
    if raid.won or not raid.seats:
        return gone_home(state, raid)
    if (fallen := row_fallen(state, raid)) is not None:
        return fallen
    if row_of(state, raid) is None:
        return looted(state, raid)
    return _round(state, raid)


def _round(state: State, raid: Raid) -> State | None:
    line = fighters(raid)
    alike = state.version > 2 and len(set(line)) == 1  # VHAL-BAT-4: nothing to choose from
    if raid.front is None and (len(line) == 1 or alike):
        return to_the_front(state, raid, Front(line[0][0], 0))
    if raid.front is None:
        return None
    if raid.attack is None or raid.defence is None:
        return _diceless(state, raid)
    return struck(state) if strikes_by_itself(state) else None


def _diceless(state: State, raid: Raid) -> State | None:
    """Once one side has rolled, the other need not if it has no dice."""
    row = row_of(state, raid)
    if raid.attack is not None and row is not None and not row.dice:
        return fighting(state, replace(raid, defence=(), reroll=False))
    if raid.defence is not None and not attack_dice(state, raid):
        return fighting(state, replace(raid, attack=()))
    return None


def _removal(state: State) -> State | None:
    change = change_due(state)
    if change is None:
        return replace(state, stage=Stage.LAYING)
    if state.options.mainland_removal == "random" or removal(state, change)[1] == 0:
        return taken_out(state, change)
    return None


# Commission and construction


def agreed(state: State, action: Agree) -> State:
    for seat in state.seats:
        if action.seat in (None, seat):
            state = changed(state, seat, agreed=True)
    return state


def _commission(state: State) -> State | None:
    """VHAL-CON-3: from the moment all agree nothing may be changed."""
    if not all(player.agreed for player in state.players):
        return None
    return replace(state, stage=Stage.CONSTRUCTION, steps=steps(state))


def _construction(state: State) -> State:
    if not state.steps:
        return season_turned(state)
    step, *rest = state.steps
    state = replace(state, steps=tuple(rest))
    match step.what:
        case Work.TURN:
            return turned(state, step.seat, step.thing)
        case Work.SACRIFICE:
            return carried_out(state, step.seat)
        case Work.CLEAR:
            return cleared(state, step.seat)


def season_turned(state: State) -> State:
    """VHAL-SEA-5: the starting token to the left, the season marker on, a gift for each.
    VHAL-SEA-6: then what lies on the new season's space."""
    mark = Mark(state.year, state.season, scored(state))
    state = replace(state, chronicle=(*state.chronicle, mark))
    for seat in state.seats:
        state = _tidied(state, seat)
    season = state.season.next
    left = state.seats[(state.first + 1) % len(state.seats)]
    year = state.year + (season is Season.SUMMER)
    state = replace(state, season=season, first=left, year=year, stage=Stage.EVENT)
    state = noted(state, Happening.SEASON, left, season, year)
    for seat in state.order:
        state = gift(state, seat, TURN)
    for seat in state.order:
        state = income(state, seat)
    return state


def _tidied(state: State, seat: Seat) -> State:
    """A-26: markers of this season leave now."""
    player, season = state.players[seat], state.season
    return changed(
        state,
        seat,
        agreed=False,
        projects=tuple(replace(each, fresh=False, pay=()) for each in player.projects),
        blocked=tuple(each for each in player.blocked if each is not season),
        unusable=tuple(each for each in player.unusable if each.season is not season),
    )


_STAGES: Mapping[Stage, Callable[[State], State | None]] = MappingProxyType(
    {
        Stage.LAYING: _laying,
        Stage.ROLL: _roll,
        Stage.CHOOSE: _choose,
        Stage.INVITE: _invite,
        Stage.BATTLE: _battle,
        Stage.REMOVAL: _removal,
        Stage.COMMISSION: _commission,
        Stage.CONSTRUCTION: _construction,
    }
)
