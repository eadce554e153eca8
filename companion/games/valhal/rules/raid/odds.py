"""How a battle goes: the chance to win it, the units it costs on average, and which unit is best
sent to the front. Nobody retreats and no more cards are used; what lies on the table already,
dice and what cards change for this round, is reckoned with (VHAL-BAT-15)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from companion.games.valhal.rules.raid.battle import fighters, front_fighter, hp_left
from companion.games.valhal.rules.raid.solver import (
    Battle,
    Dice,
    Line,
    Odds,
    Unit,
    best_front,
    odds,
    round_odds,
)
from companion.games.valhal.rules.sheet.checking import unit_gaps
from companion.games.valhal.rules.state import Raid, Stage, State, rows_of
from companion.games.valhal.rules.vocabulary import ADJUSTED, Effect, Symbol


def battle_odds(state: State) -> Odds | None:
    """Of the battle being fought; None while a number is missing or nothing is fought."""
    raid = state.raid
    if raid is None or state.stage is not Stage.BATTLE or state.asks or raid.won or raid.surplus:
        return None
    plain, place = _positioned(state, raid)
    ability = state.sheet.town(raid.town).ability
    lasting = tuple(each for each in raid.adjusted if each.lasting)
    later = _adjusted(state, plain, (*lasting, *ability))
    dice = Dice(raid.attack, raid.defence)
    if lasting != raid.adjusted or dice != Dice():
        return round_odds(_adjusted(state, plain, (*raid.adjusted, *ability)), later, place, dice)
    return best_front(later) if place is None else odds(later, place)


def _positioned(state: State, raid: Raid) -> tuple[Battle, Line | None]:
    """As the cards are printed, but with every hit point there is now; and who stands in front. A
    unit with more hit points than its card is a kind of its own, and so is such a row."""
    behind = Counter(fighter.name for _, fighter in fighters(raid))
    kinds = [_unit(state, name) for name in behind]
    front, line = front_fighter(raid), None
    if front is not None:
        behind[front.name] -= 1
        place, left = list(behind).index(front.name), hp_left(state, front)
        if left > kinds[place].hp[front.wounded]:
            well, ill = kinds[place].hp
            stronger = (well, left) if front.wounded else (left, ill)
            kinds.append(replace(kinds[place], hp=stronger))
            place = len(kinds) - 1
        line = Line(place, int(front.wounded), left)
    counts = (*behind.values(), 0) if len(kinds) > len(behind) else tuple(behind.values())
    first, *others = rows_of(state, raid)[raid.row :]
    left = first.hp - raid.hurt
    rows = (replace(first, hp=max(first.hp, left)), *others)
    overflow = state.options.overflow_to_wounded_side
    return Battle(tuple(kinds), counts, rows, left, state.sheet.faces, overflow), line


def attack_odds(state: State, town: str, units: tuple[str, ...]) -> Odds | None:
    """Of an attack that could be chosen; None while the sheet lacks a number."""
    rows, line = state.sheet.town(town).rows, Counter(units)
    if not rows or not units or any(True for name in line for _ in unit_gaps(state.sheet, name)):
        return None
    battle = Battle(
        tuple(_unit(state, name) for name in line),
        tuple(line.values()),
        rows,
        rows[0].hp,
        state.sheet.faces,
        state.options.overflow_to_wounded_side,
    )
    return best_front(_adjusted(state, battle, state.sheet.town(town).ability))


def _adjusted(state: State, battle: Battle, effects: tuple[Effect, ...]) -> Battle:
    """VHAL-BAT-15: with everything that lasts. Attack and dice a Special Unit brings go with it;
    whatever else it changes is counted to the end of the battle."""
    own = (each for unit in battle.units for each in state.sheet.unit(unit.name).ability)
    more = Counter(dict.fromkeys(ADJUSTED, 0))
    for each in (*effects, *(e for e in own if e.symbol not in (Symbol.ATTACK, Symbol.DICE))):
        if each.symbol in ADJUSTED:  # what is done by a tap counts once it is done
            more[each.symbol] += each.amount
    rows = tuple(
        replace(
            row,
            base=max(0, row.base + more[Symbol.TOWN_ATTACK]),
            dice=max(0, row.dice + more[Symbol.TOWN_DICE]),
        )
        for row in battle.rows
    )
    return replace(
        battle,
        rows=rows,
        attack=more[Symbol.ATTACK],
        dice=more[Symbol.DICE],
        damage=more[Symbol.DAMAGE],
        town_damage=more[Symbol.TOWN_DAMAGE],
    )


def _unit(state: State, name: str) -> Unit:
    card = state.sheet.unit(name)
    well, ill = card.healthy, card.wounded
    more = Counter(dict.fromkeys(ADJUSTED, 0))
    for each in card.ability:
        more[each.symbol] += each.amount
    base, dice = more[Symbol.ATTACK], more[Symbol.DICE]
    return Unit(
        name,
        (well.hp or 1, ill.hp or 1),
        ((well.base or 0) + base, (ill.base or 0) + base),
        ((well.dice or 0) + dice, (ill.dice or 0) + dice),
    )
