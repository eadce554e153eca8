"""What could come next. Dice show every face and cards are those of the sheet; dice that lie
together are told in one order only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, combinations_with_replacement, islice, product
from types import MappingProxyType

from companion.core.notation import Seat
from companion.games.valhal.rules.cards import drawable
from companion.games.valhal.rules.notation.actions import (
    Action,
    Agree,
    Attack,
    Boats,
    Build,
    Choose,
    Commissioning,
    Continue,
    Curse,
    Decline,
    Disagree,
    Draw,
    Event,
    Feed,
    First,
    FrontLine,
    Give,
    Heidrun,
    Join,
    Laid,
    Lay,
    Offering,
    PayFor,
    Remove,
    Retreat,
    Roll,
    Stay,
    Strike,
    Take,
    TownRoll,
    Unfeed,
    Withdraw,
)
from companion.games.valhal.rules.objections import objections
from companion.games.valhal.rules.raid.battle import attack_dice, row_of
from companion.games.valhal.rules.raid.mainland import change_due, removal
from companion.games.valhal.rules.raid.vikingfahrt import able, ready_units, targets
from companion.games.valhal.rules.settlement.giving import lying
from companion.games.valhal.rules.settlement.planning import plan
from companion.games.valhal.rules.sheet.sheet import SPECIALS, WARRIORS
from companion.games.valhal.rules.state import Offer, Owed, Phase, Raid, State
from companion.games.valhal.rules.vocabulary import SPACES, TOKEN_FOR, Kind, Pay, Stack

_ASKING = (
    Phase.FIRST,
    Phase.INVITE,
    Phase.FRONT,
    Phase.HEIDRUN,
    Phase.REMOVAL,
    Phase.ASK,
    Phase.DRAW,
    Phase.OPTION,
    Phase.CURSE,
    Phase.GIVE,
)
"""Phases in which people have to decide or tell something first."""


def actions(state: State) -> Iterator[Action]:
    """Every move `judge` accepts now. Entries of the sheet, kept cards, Achievements that are
    told and what sets the books right are no moves and can be said at any time; going on as
    planned is short for several moves, and cards nobody has named are not counted."""
    return (action for action in candidates(state) if not any(objections(state, action)))


def to_move(state: State) -> Seat | None:
    """None while the table waits for several at once, for a number of the sheet or for nobody."""
    waited = waited_for(state)
    return waited[0] if len(waited) == 1 or state.phase is Phase.CHOOSE else None


def waited_for(state: State) -> tuple[Seat, ...]:
    """Everybody the table waits for, in order."""
    match state.phase:
        case Phase.SPECIALS | Phase.ROLL | Phase.INVITE:
            return state.waiting
        case Phase.EVENT | Phase.HEIDRUN | Phase.REMOVAL:
            return (state.first,)
        case Phase.CHOOSE:
            return state.queue[:1]
        case Phase.FRONT | Phase.BATTLE | Phase.STRIKE:
            return state.raids[0].seats[:1]
        case Phase.COMMISSION:
            return tuple(seat for seat in state.order if not state.players[seat].agreed)
        case Phase.DRAW | Phase.OPTION | Phase.CURSE | Phase.GIVE:
            return state.dues[0].seats
        case _:
            return ()


def needs_answer(state: State) -> bool:
    """Must people decide or tell something before the play goes on?"""
    return state.phase in _ASKING


def expected(state: State) -> Action | None:
    """The only move there is; and that all agree, if nothing speaks against it and no project
    rests that could go on."""
    if state.phase is Phase.COMMISSION:
        rests = any(plan(state, seat) is not None for seat in state.seats)
        return None if rests or any(objections(state, Agree())) else Agree()
    if state.phase is Phase.STRIKE:
        return Strike()
    one, *more = (*islice(actions(state), 2), None)
    return one if more == [None] else None


def passing(state: State) -> Action | None:
    """Not to attack now; not to join."""
    match state.phase:
        case Phase.CHOOSE:
            return Stay(state.queue[0])
        case Phase.INVITE:
            return Decline(state.waiting[0])
        case _:
            return None


def regardless(mine: Action, theirs: Action) -> bool:
    """VHAL-COM-3: all commission at the same time, each in the own settlement. But who agrees has
    to have seen what the others do."""
    together = isinstance(mine, Agree | Disagree) or mine == Continue()
    if not isinstance(mine, Commissioning) or together:
        return False
    return isinstance(theirs, Commissioning) and theirs.seat not in (None, mine.seat)


def candidates(state: State) -> Iterator[Action]:
    found = _BY_PHASE.get(state.phase)
    return iter(()) if found is None else found(state)


# Set-up and Mainland


def _first(state: State) -> Iterator[Action]:
    return (First(seat) for seat in state.seats)


def _specials(state: State) -> Iterator[Action]:
    return (Take(seat, unit) for seat in state.waiting for unit in (*SPECIALS, WARRIORS))


def _towns(state: State) -> Iterator[Action]:
    yield from (Lay(town.name) for town in state.sheet.towns)
    yield Laid()


def _heidrun(state: State) -> Iterator[Action]:
    return (Heidrun(town.name) for town in state.sheet.towns)


def _removal(state: State) -> Iterator[Action]:
    change = change_due(state)
    if change is None:
        return
    level, count = removal(state, change)
    towns = [town.name for town in state.sheet.towns if town.level is level]
    for chosen in combinations(sorted(towns), count):
        yield Remove(state.first, chosen)


# Cards


def _named(state: State, stack: Stack) -> Iterator[str]:
    return (card.name for card in state.sheet.cards if card.stack is stack)


def _event(state: State) -> Iterator[Action]:
    return (Event(name) for name in _named(state, Stack.EVENT))


def _draw(state: State) -> Iterator[Action]:
    if state.dues[0].what is not Owed.DRAW:
        return
    for at, due in enumerate(drawable(state)):
        stack = due.stack if at else None
        for name in _named(state, due.stack):
            yield from (Draw(seat, name, stack) for seat in due.seats)


def _option(state: State) -> Iterator[Action]:
    due = state.dues[0]
    card = state.sheet.card(due.stack, due.card)
    lots = 0 if card is None else len(card.choices)
    return (Choose(seat, lot) for seat in due.seats for lot in range(1, lots + 1))


def _curse(state: State) -> Iterator[Action]:
    return (Curse(seat, target) for seat in state.dues[0].seats for target in state.seats)


def _give(state: State) -> Iterator[Action]:
    due = state.dues[0]
    for seat in due.seats:
        yield from (Give(seat, each.name, each.at) for each in lying(state, seat, due.thing))


# Vikingfahrt


def _roll(state: State) -> Iterator[Action]:
    faces = dict.fromkeys(state.sheet.faces)
    return (Roll(seat, (face,)) for seat in state.waiting for face in faces)


def _choose(state: State) -> Iterator[Action]:
    seat = state.queue[0]
    others = [each for each in state.seats if each is not seat and able(state, each)]
    guests = [g for size in range(len(others) + 1) for g in combinations(others, size)]
    for (units, boats), town in product(loads(state, seat), targets(state, seat)):
        yield from (Attack(seat, town, units, boats, each) for each in guests)
    yield Stay(seat)


def loads(state: State, seat: Seat) -> list[tuple[tuple[str, ...], Boats]]:
    """What a Jarl could send: units in the order of their names."""
    if not able(state, seat):
        return []
    player = state.players[seat]
    counts = Counter(ready_units(state, seat))
    lots = product(*(range(count + 1) for count in counts.values()))
    fleets = product(range(player.boats - player.damaged + 1), range(player.damaged + 1))
    boats = [Boats(sound, damaged) for sound, damaged in fleets if sound + damaged]
    sent = [
        tuple(unit for unit, number in zip(counts, lot, strict=True) for _ in range(number))
        for lot in lots
    ]
    return [(units, b) for units in sent for b in boats if b.count <= len(units) <= b.room]


def _invite(state: State) -> Iterator[Action]:
    for seat in state.waiting:
        yield from (Join(seat, units, boats) for units, boats in loads(state, seat))
        yield Decline(seat)


def _front(state: State) -> Iterator[Action]:
    raid = state.raids[0]
    for seat in raid.seats:
        for force in raid.forces:
            owner = None if force.seat is seat else force.seat
            for unit in dict.fromkeys(fighter.name for fighter in force.fighters):
                yield FrontLine(seat, unit, owner)
        yield Retreat(seat)


def _battle(state: State) -> Iterator[Action]:
    raid = state.raids[0]
    row = row_of(state, raid)
    if raid.attack is None:
        for dice in _dice(state, attack_dice(state, raid)):
            yield from (Roll(seat, dice) for seat in raid.seats)
    if raid.defence is None and row is not None:
        yield from (TownRoll(dice) for dice in _dice(state, row.dice))
    yield Strike()  # if neither side has dice
    yield from _retreats(raid)


def _dice(state: State, count: int) -> Iterator[tuple[int, ...]]:
    """Who has no dice does not roll."""
    if not count:
        return iter(())
    return combinations_with_replacement(sorted(set(state.sheet.faces)), count)


def _retreats(raid: Raid) -> Iterator[Action]:
    return (Retreat(seat) for seat in raid.seats)


def _strike(_: State) -> Iterator[Action]:
    yield Strike()


# Commission


def _commission(state: State) -> Iterator[Action]:
    for seat in state.seats:
        yield from _builds(state, seat)
        for project in state.players[seat].projects:
            for pay in _payments(state, project.kind):
                yield PayFor(seat, project.site, pay)
            yield Withdraw(seat, project.site)
        for space in SPACES:
            yield from (Feed(seat, space), Feed(seat, space, larder=True), Unfeed(seat, space))
        yield from (Offering(seat, offer) for offer in Offer)
        yield from (Withdraw(seat, "sacrifice"), Agree(seat), Disagree(seat))
    yield Agree()


def _builds(state: State, seat: Seat) -> Iterator[Action]:
    for kind in Kind:
        units = dict.fromkeys(state.players[seat].units) if kind is Kind.VETERANS else ("",)
        for unit, pay in product(units, _payments(state, kind)):
            yield Build(seat, kind, pay, unit)


def _payments(state: State, kind: Kind) -> Iterator[tuple[Pay, ...]]:
    """In one order: the coin first."""
    token = TOKEN_FOR[kind]
    for coins, tokens in product(range(2), range(state.options.tokens_per_project + 1)):
        if coins + tokens:
            yield (Pay.COIN,) * coins + (token,) * tokens


_BY_PHASE: Mapping[Phase, Callable[[State], Iterator[Action]]] = MappingProxyType(
    {
        Phase.FIRST: _first,
        Phase.SPECIALS: _specials,
        Phase.LAYING: _towns,
        Phase.EVENT: _event,
        Phase.ROLL: _roll,
        Phase.CHOOSE: _choose,
        Phase.INVITE: _invite,
        Phase.FRONT: _front,
        Phase.BATTLE: _battle,
        Phase.STRIKE: _strike,
        Phase.HEIDRUN: _heidrun,
        Phase.REMOVAL: _removal,
        Phase.COMMISSION: _commission,
        Phase.DRAW: _draw,
        Phase.OPTION: _option,
        Phase.CURSE: _curse,
        Phase.GIVE: _give,
    }
)
