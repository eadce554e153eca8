"""What Town cards and Special Units can do in a battle. Rules VHAL-BAT-9 and -15.

What changes attack, dice or damage is applied to every round by itself. Rerolls, hit points and
what stands there in words only are done by a tap, and the dice wait for it.
"""

from __future__ import annotations

from companion.games.valhal.rules.sheet.sheet import TownCard, UnitCard
from companion.games.valhal.rules.state import Raid, State
from companion.games.valhal.rules.vocabulary import ADJUSTED, Effect, Symbol


def able_cards(state: State, raid: Raid) -> tuple[TownCard | UnitCard, ...]:
    """The town and each kind of unit before it."""
    names = dict.fromkeys(each.name for force in raid.forces for each in force.fighters)
    return (state.sheet.town(raid.town), *map(state.sheet.unit, names))


def adjustment(state: State, raid: Raid, symbol: Symbol) -> int:
    """VHAL-BAT-15: cards, the town's ability, and those of Special Units that fight here."""
    return sum(each.amount for each in adjustments(state, raid) if each.symbol is symbol)


def adjustments(state: State, raid: Raid) -> tuple[Effect, ...]:
    fighters = (each for force in raid.forces for each in force.fighters)
    own = (each for fighter in fighters for each in state.sheet.unit(fighter.name).ability)
    every = (*state.sheet.town(raid.town).ability, *own)
    return (*raid.adjusted, *(each for each in every if each.symbol in ADJUSTED))


def by_tap(card: TownCard | UnitCard) -> tuple[Effect, ...]:
    """What of an ability somebody has to do, at a moment of their choice."""
    return tuple(each for each in card.ability if each.symbol not in ADJUSTED)


def only_in_words(card: TownCard | UnitCard) -> bool:
    return bool(card.text) and not card.ability and not card.plain


def may_change_a_round(state: State, raid: Raid) -> bool:
    return any(by_tap(card) or only_in_words(card) for card in able_cards(state, raid))
