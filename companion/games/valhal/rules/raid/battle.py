"""A battle, round by round. Rules VHAL-BAT-1 to -15, VHAL-JOIN-2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.notation.actions import FrontLine, Retreat, Roll, Strike, TownRoll
from companion.games.valhal.rules.raid.abilities import adjustment, may_change_a_round
from companion.games.valhal.rules.raid.vikingfahrt import faces_objections
from companion.games.valhal.rules.settlement.books import changed, fighting, noted
from companion.games.valhal.rules.settlement.gifts import DEFEAT, gift
from companion.games.valhal.rules.sheet.sheet import CardText, Row, Side
from companion.games.valhal.rules.state import (
    Fighter,
    Force,
    Front,
    Happening,
    Phase,
    Raid,
    Stage,
    State,
    force_of,
    rows_of,
)
from companion.games.valhal.rules.vocabulary import ADJUSTED, HURT, REROLLS, Symbol

IN_BATTLE = frozenset((*ADJUSTED, *HURT, *REROLLS, Symbol.WARRIORS, Symbol.VETERANS))


@dataclass(frozen=True, slots=True)
class Tableau:
    """VHAL-BAT-1: the three markers, and the dice of both."""

    enemy_hp: int
    base: int
    front_hp: int
    dice: int
    town_base: int
    town_dice: int


def side(state: State, fighter: Fighter) -> Side:
    """VHAL-BAT-5: a wounded unit is turned and other numbers count."""
    card = state.sheet.unit(fighter.name)
    return card.wounded if fighter.wounded else card.healthy


def hp_left(state: State, fighter: Fighter) -> int:
    return max(1, (side(state, fighter).hp or 1) - fighter.hurt)


def fighters(raid: Raid) -> tuple[tuple[Seat, Fighter], ...]:
    return tuple((force.seat, fighter) for force in raid.forces for fighter in force.fighters)


def base_attack(state: State, raid: Raid) -> int:
    """VHAL-JOIN-2: all of them together; VHAL-BAT-6: it falls with wounds and losses."""
    printed = sum(side(state, fighter).base or 0 for _, fighter in fighters(raid))
    return max(0, printed + adjustment(state, raid, Symbol.ATTACK))


def attack_dice(state: State, raid: Raid) -> int:
    printed = sum(side(state, fighter).dice or 0 for _, fighter in fighters(raid))
    return max(0, printed + adjustment(state, raid, Symbol.DICE))


def row_of(state: State, raid: Raid) -> Row | None:
    """The row as it fights now: printed, and what cards and abilities have changed."""
    rows = rows_of(state, raid)
    if raid.row >= len(rows):
        return None
    row = rows[raid.row]
    base = row.base + adjustment(state, raid, Symbol.TOWN_ATTACK)
    dice = row.dice + adjustment(state, raid, Symbol.TOWN_DICE)
    return replace(row, base=max(0, base), dice=max(0, dice))


def tableau(state: State) -> Tableau | None:
    raid = state.raid
    row = None if raid is None else row_of(state, raid)
    if raid is None or row is None:
        return None
    front = front_fighter(raid)
    return Tableau(
        enemy_hp=max(0, row.hp - raid.hurt),
        base=base_attack(state, raid),
        front_hp=0 if front is None else hp_left(state, front),
        dice=attack_dice(state, raid),
        town_base=row.base,
        town_dice=row.dice,
    )


def marked(before: State, state: State) -> State:
    """VHAL-BAT-1 and -6: the markers are set for each battle and row, and moved."""
    marks = _markers(state)
    if not marks:
        return state
    same = marks == _markers(before) and _where(before) == _where(state)
    return state if same else noted(state, Happening.MARKED, None, marks)


def _where(state: State) -> tuple[int, int]:
    return len(state.raids), state.raids[0].row


def _markers(state: State) -> str:
    """Nothing before the front line stands and every number is known."""
    marks = tableau(state)
    fighting_now = state.stage is Stage.BATTLE and state.raids[:1] and state.raids[0].front
    if marks is None or not fighting_now or state.asks:
        return ""
    return f"{marks.enemy_hp} {marks.base} {marks.front_hp}"


def front_fighter(raid: Raid) -> Fighter | None:
    force = None if raid.front is None else force_of(raid, raid.front.seat)
    return None if force is None or raid.front is None else force.fighters[raid.front.at]


def town_roller(state: State) -> Seat | None:
    """VHAL-BAT-2 and A-17: the Jarl to the left; in a joint attack the next who does not attack;
    None: anybody."""
    raid = state.raid
    if raid is None:
        return None
    at = raid.forces[0].seat
    around = (*state.seats[at + 1 :], *state.seats[:at])
    return next((seat for seat in around if seat not in raid.allies), None)


# The front line


def front_objections(state: State, action: FrontLine) -> Iterator[Reason]:
    """VHAL-BAT-4 and A-18: the inviting Jarl picks, or any of them after a vote."""
    raid = state.raid
    if raid is None:
        return
    seat, owner = action.seat, _owner(action)
    pickers = raid.seats if state.options.joint_front_line_by == "vote" else raid.seats[:1]
    if seat not in raid.seats:
        yield reason(Code.NOT_YOURS_TO_DO, "VHAL-BAT-4", may_stand=False, seat=seat)
    elif seat not in pickers:
        yield reason(Code.NOT_YOUR_TURN, "VHAL-JOIN-2", seat=seat, to_move=pickers[0])
    force = force_of(raid, owner)
    if force is None or _place(force, action.unit) is None:
        yield reason(
            Code.NO_SUCH_FIGHTER, "VHAL-BAT-4", may_stand=False, seat=owner, unit=action.unit
        )


def _owner(action: FrontLine) -> Seat:
    return action.seat if action.owner is None else action.owner


def _place(force: Force, unit: str) -> int | None:
    """Units of one name are alike; a wounded one goes first."""
    places = [at for at, fighter in enumerate(force.fighters) if fighter.name == unit]
    return min(places, key=lambda at: not force.fighters[at].wounded) if places else None


def fronted(state: State, action: FrontLine) -> State:
    raid, owner = state.raid, _owner(action)
    force = None if raid is None else force_of(raid, owner)
    place = None if force is None else _place(force, action.unit)
    if raid is None or place is None:
        return state
    return to_the_front(state, raid, Front(owner, place))


def to_the_front(state: State, raid: Raid, front: Front) -> State:
    """Surplus damage waits for the next in the line."""
    surplus = raid.surplus
    raid = replace(raid, front=front, surplus=0)
    return _hit(fighting(state, raid), raid, surplus) if surplus else fighting(state, raid)


# Dice


def roll_objections(state: State, action: Roll) -> Iterator[Reason]:
    """VHAL-BAT-2: the dice of all attackers."""
    raid = state.raid
    if raid is None:
        return
    if action.seat not in raid.seats:
        yield reason(Code.NOT_YOURS_TO_DO, "VHAL-BAT-2", may_stand=False, seat=action.seat)
    if raid.attack is not None:
        yield reason(Code.DICE_LIE, "VHAL-BAT-2", dice=raid.attack)
    yield from _dice_objections(state, action.dice, attack_dice(state, raid))


def town_roll_objections(state: State, action: TownRoll) -> Iterator[Reason]:
    raid = state.raid
    row = None if raid is None else row_of(state, raid)
    if raid is None or row is None:
        return
    if raid.defence is not None:
        yield reason(Code.DICE_LIE, "VHAL-BAT-2", dice=raid.defence)
    yield from _dice_objections(state, action.dice, row.dice)


def _dice_objections(state: State, dice: tuple[int, ...], need: int) -> Iterator[Reason]:
    if len(dice) != need:
        yield reason(Code.DICE_COUNT, "VHAL-BAT-2", got=len(dice), need=need)
    yield from faces_objections(state, dice)


def strike_objections(state: State, _: Strike) -> Iterator[Reason]:
    """VHAL-BAT-3: when all dice lie; where nobody has any, at once."""
    raid = state.raid
    row = None if raid is None else row_of(state, raid)
    if raid is None or row is None or state.phase is Phase.STRIKE:
        return
    if attack_dice(state, raid) or row.dice:
        yield reason(Code.NOT_NOW, "VHAL-BAT-3", may_stand=False, phase=state.phase)


def rolled(state: State, action: Roll) -> State:
    raid = state.raid
    return state if raid is None else fighting(state, replace(raid, attack=action.dice))


def town_rolled(state: State, action: TownRoll) -> State:
    raid = state.raid
    if raid is None:
        return state
    return fighting(state, replace(raid, defence=action.dice, reroll=False))


def strikes_by_itself(state: State) -> bool:
    """Nobody has a card that could still change the round, nor has the town or a unit there an
    ability of that kind (VHAL-BAT-9)."""
    kept = [held for player in state.players for held in player.kept]
    if state.version < 2:
        return not kept
    raid = state.raid
    if state.version > 4 and raid is not None and may_change_a_round(state, raid):
        return False
    return not any(_matters_now(state.sheet.card(held.stack, held.name)) for held in kept)


def _matters_now(card: CardText | None) -> bool:
    """Does it do something in battle, or something only its words tell?"""
    if card is None or not all(card.choices):
        return True
    return any(each.symbol in IN_BATTLE for lot in card.choices for each in lot)


def struck(state: State, _: Strike | None = None) -> State:
    """VHAL-BAT-3: the higher result wins the round by the difference. A-14: equal, nothing."""
    raid = state.raid
    row = None if raid is None else row_of(state, raid)
    if raid is None or row is None:
        return state
    attack = sum(raid.attack or ()) + base_attack(state, raid)
    defence = sum(raid.defence or ()) + row.base
    at = raid.row
    dealt, taken = _damage(state, raid, attack - defence)
    lasting = tuple(each for each in raid.adjusted if each.lasting)
    raid = replace(raid, attack=None, defence=None, rounds=raid.rounds + 1, adjusted=lasting)
    raid = replace(raid, hurt=raid.hurt + dealt)
    state = fighting(state, raid)
    if raid.hurt >= row.hp or row.falls:  # VHAL-BAT-7: surplus is lost; VHAL-BAT-8
        raid = replace(raid, row=at + 1, hurt=0)
        state = noted(fighting(state, raid), Happening.ROW_DOWN, None, raid.town, at + 1)
    return _hit(state, raid, taken) if taken else state


def _damage(state: State, raid: Raid, margin: int) -> tuple[int, int]:
    """To the town, and to the attackers; VHAL-BAT-15: who wins a round may do more or less."""
    if margin > 0:
        return max(0, margin + adjustment(state, raid, Symbol.DAMAGE)), 0
    more = adjustment(state, raid, Symbol.TOWN_DAMAGE)
    return 0, max(0, more - margin) if margin else 0


def row_fallen(state: State, raid: Raid) -> State | None:
    """A card has taken the last hit points of a row (VHAL-BAT-15)."""
    row = row_of(state, raid)
    if row is None or raid.hurt < row.hp:
        return None
    raid = replace(raid, row=raid.row + 1, hurt=0)
    return noted(fighting(state, raid), Happening.ROW_DOWN, None, raid.town, raid.row)


def healed(hurt: int, amount: int, *, over_print: bool) -> int:
    """What is missing of the printed hit points afterwards; less than nothing if a card has given
    more than is printed (VHAL-BAT-15), which simple healing neither does nor takes away."""
    return hurt - amount if over_print or amount < 0 else max(min(0, hurt), hurt - amount)


def front_hurt(state: State, damage: int, *, over_print: bool) -> State | None:
    """VHAL-BAT-15: a card hurts the front-line unit, or heals it on this side of its card. Nobody
    stands there yet: it waits."""
    raid = state.raid
    front = None if raid is None else front_fighter(raid)
    if raid is None or raid.front is None or front is None:
        waits = 0 if raid is None else raid.surplus + max(0, damage)
        return state if raid is None else fighting(state, replace(raid, surplus=waits))
    if damage > 0:
        return _hit(state, raid, damage)
    better = replace(front, hurt=healed(front.hurt, -damage, over_print=over_print))
    return fighting(state, _with(raid, raid.front, better))


def _hit(state: State, raid: Raid, damage: int) -> State:
    """VHAL-BAT-4 and -5: on the front-line unit, its wounded side too (A-15), then on the next.
    A-16: it is always the front-line unit that is lost."""
    front = raid.front
    while damage and front is not None:
        force = force_of(raid, front.seat)
        if force is None:
            break
        fighter = force.fighters[front.at]
        left = hp_left(state, fighter)
        if damage < left:
            fighter = replace(fighter, hurt=fighter.hurt + damage)
            return fighting(state, _with(raid, front, fighter))
        damage -= left
        if fighter.wounded:
            return _defeated(state, raid, front, damage)
        if not state.options.overflow_to_wounded_side:
            damage = 0
        raid = _with(raid, front, Fighter(fighter.name, wounded=True))
        state = noted(fighting(state, raid), Happening.WOUNDED, front.seat, fighter.name)
    return state


def _with(raid: Raid, front: Front, fighter: Fighter | None) -> Raid:
    """The raid with the front-line unit changed, or without it."""
    forces = []
    for force in raid.forces:
        line = list(force.fighters)
        if force.seat is front.seat:
            line[front.at : front.at + 1] = [] if fighter is None else [fighter]
        forces.append(replace(force, fighters=tuple(line)))
    return replace(raid, forces=tuple(forces))


def _defeated(state: State, raid: Raid, front: Front, surplus: int) -> State:
    """VHAL-BAT-11: its owner gets something for it (A-2)."""
    force = force_of(raid, front.seat)
    name = "" if force is None else force.fighters[front.at].name
    raid = replace(_with(raid, front, None), front=None, surplus=surplus)
    state = noted(fighting(state, raid), Happening.DEFEATED, front.seat, name)
    return gift(state, front.seat, DEFEAT)


# Retreat and the way home


def retreat_objections(state: State, action: Retreat) -> Iterator[Reason]:
    """VHAL-BAT-10; A-18: each Jarl for the own units."""
    raid = state.raid
    if raid is None:
        return
    if action.seat not in raid.seats:
        yield reason(Code.NOT_YOURS_TO_DO, "VHAL-BAT-10", may_stand=False, seat=action.seat)
    if raid.attack is not None or raid.defence is not None or raid.surplus:
        yield reason(
            Code.DICE_LIE, "VHAL-BAT-10", dice=(*(raid.attack or ()), *(raid.defence or ()))
        )


def retreated(state: State, action: Retreat) -> State:
    raid = state.raid
    force = None if raid is None else force_of(raid, action.seat)
    if raid is None or force is None:
        return state
    forces = tuple(each for each in raid.forces if each is not force)
    front = None if raid.front is None or raid.front.seat is action.seat else raid.front
    raid = replace(raid, forces=forces, front=front, attack=None, defence=None, surplus=0)
    return home(fighting(state, raid), force)


def home(state: State, force: Force) -> State:
    """VHAL-BAT-12: units are seated anew, longboats without any are left behind."""
    seat, player = force.seat, state.players[force.seat]
    lost = max(0, force.boats - len(force.fighters))
    units = tuple(sorted((*player.units, *(fighter.name for fighter in force.fighters))))
    state = changed(
        state,
        seat,
        units=units,
        boats=player.boats + force.boats - lost,
        damaged=player.damaged + max(0, force.damaged - lost),
    )
    return noted(state, Happening.STRANDED, seat, "longboat", lost) if lost else state
