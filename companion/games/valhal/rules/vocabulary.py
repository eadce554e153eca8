"""The words of Valhal: seasons and spaces, what is owned, what is built, stacks, levels, effects.

An effect is one word: `coins+2`, `food-1`, `later:spring:coins+1`, `block:winter`, `famine`,
`unusable:altar:spring`, `reroll`. Where no season is named the current one is meant. In a battle
`attack+1` counts for this round, `battle:town-dice-1` for all of them, and `hp-2` at once;
`hp+1` heals, `battle:hp+1` gives more than is printed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Season(StrEnum):
    SUMMER = "summer"
    WINTER = "winter"
    SPRING = "spring"

    @property
    def next(self) -> Season:
        """VHAL-SEA-1: summer, the long winter, spring, and round again."""
        return SEASONS[(SEASONS.index(self) + 1) % len(SEASONS)]


SEASONS = tuple(Season)


class Space(StrEnum):
    """The food display, clockwise; winter-2 lies at the bottom."""

    SUMMER = "summer"
    WINTER_1 = "winter-1"
    WINTER_2 = "winter-2"
    SPRING = "spring"


SPACES = tuple(Space)
SPACES_OF = {
    Season.SUMMER: (Space.SUMMER,),
    Season.WINTER: (Space.WINTER_1, Space.WINTER_2),  # VHAL-FOOD-3
    Season.SPRING: (Space.SPRING,),
}
SEASON_OF = {space: season for season, spaces in SPACES_OF.items() for space in spaces}


class Fill(StrEnum):
    """What lies on a food space."""

    EMPTY = "empty"
    TOKEN = "token"
    COIN = "coin"
    GRANARY = "granary"  # a food token turned over, for good


class Pay(StrEnum):
    """What is laid on a project."""

    COIN = "coin"
    WOOD = "wood"
    IRON = "iron"


class Kind(StrEnum):
    """What is built or recruited, each at its own place."""

    WARRIORS = "warriors"
    LONGBOAT = "longboat"
    WAREHOUSE = "warehouse"
    GRANARY = "granary"
    BLACKSMITH = "blacksmith"
    ALTAR = "altar"
    VETERANS = "veterans"


BUILDINGS = (Kind.WAREHOUSE, Kind.GRANARY, Kind.BLACKSMITH, Kind.ALTAR)
TOKEN_FOR = {
    kind: Pay.IRON if kind in (Kind.WARRIORS, Kind.VETERANS) else Pay.WOOD for kind in Kind
}  # VHAL-BT-3


class Stack(StrEnum):
    EVENT = "event"
    BENEVOLENCE = "benevolence"
    WRATH = "wrath"
    LESSER = "lesser"
    LARGER = "larger"
    GREATER = "greater"


CARD_INITIALS = {  # of the names that cards get by themselves
    Stack.EVENT: "e",
    Stack.BENEVOLENCE: "b",
    Stack.WRATH: "w",
    Stack.LESSER: "l",
    Stack.LARGER: "r",
    Stack.GREATER: "g",
}
LOOT = (Stack.LESSER, Stack.LARGER, Stack.GREATER)


class Level(StrEnum):
    VILLAGE = "village"
    FORTIFIED_VILLAGE = "fortified-village"
    TOWN = "town"
    FORTIFIED_TOWN = "fortified-town"


LEVELS = tuple(Level)
TOWN_INITIALS = {
    Level.VILLAGE: "v",
    Level.FORTIFIED_VILLAGE: "f",
    Level.TOWN: "t",
    Level.FORTIFIED_TOWN: "c",
}


class Symbol(StrEnum):
    """VHAL-LOOT-2, and what other cards do."""

    COINS = "coins"
    FOOD = "food"
    GLORY = "glory"
    IRON = "iron"
    WOOD = "wood"
    FAVOUR = "favour"
    WARRIORS = "warriors"
    VETERANS = "veterans"  # Warriors become Veterans at once
    LONGBOAT = "longboat"
    HULL = "hull"  # a longboat's hit point
    BENEVOLENCE = "benevolence"
    WRATH = "wrath"
    BLOCK = "block"  # no food may be provided
    FAMINE = "famine"  # as block, but a Granary wards it off
    UNUSABLE = "unusable"
    REROLL = "reroll"  # the Town card rolls again
    REROLL_OWN = "reroll-own"  # the attackers do
    ATTACK = "attack"  # VHAL-BAT-15: for this round, or for the battle
    DICE = "dice"
    DAMAGE = "damage"
    TOWN_ATTACK = "town-attack"
    TOWN_DICE = "town-dice"
    TOWN_DAMAGE = "town-damage"
    HP = "hp"  # of the front-line unit, at once; for the battle: over what is printed
    TOWN_HP = "town-hp"  # of the row that is attacked, at once


GIFTS = ("coins", "food", "iron", "wood", "glory")  # what a symbol for a gift can show
AMOUNTS = frozenset(tuple(Symbol)[:12])
ADJUSTED = (
    Symbol.ATTACK,
    Symbol.DICE,
    Symbol.DAMAGE,
    Symbol.TOWN_ATTACK,
    Symbol.TOWN_DICE,
    Symbol.TOWN_DAMAGE,
)
HURT = (Symbol.HP, Symbol.TOWN_HP)
REROLLS = (Symbol.REROLL, Symbol.REROLL_OWN)
COUNTED = AMOUNTS | frozenset((*ADJUSTED, *HURT))
SEASONAL = frozenset((Symbol.BLOCK, Symbol.FAMINE))
MECHANICS = ("vikingfahrt", "sacrifices", "food", "commission")
COMMISSIONS = tuple(f"commission-{kind}" for kind in Kind)
THINGS = (  # what can be unusable (VHAL-CARD-5)
    *(kind.value for kind in Kind),
    "runestone",
    "special",
    *(space.value for space in SPACES),
    *MECHANICS,
    *COMMISSIONS,
)


@dataclass(frozen=True, slots=True)
class Effect:
    symbol: Symbol
    amount: int = 1
    season: Season | None = None  # of what comes later, is blocked or cannot be used
    thing: str = ""  # what cannot be used
    lasting: bool = False  # for the whole battle, not only for this round

    def __str__(self) -> str:
        if self.symbol in COUNTED:
            later = "" if self.season is None else f"later:{self.season}:"
            later = "battle:" if self.lasting else later
            return f"{later}{self.symbol}{self.amount:+d}"
        parts = (self.symbol.value, self.thing, self.season or "")
        return ":".join(part for part in parts if part)


def effect(text: str) -> Effect:
    """An effect from its word; ValueError if it is none."""
    if amount := re.fullmatch(r"(?:later:(\w+):)?(battle:)?([a-z-]+?)([+-][0-9]{1,2})", text):
        later, battle, symbol, number = amount.groups()
        allowed = AMOUNTS if later else (*ADJUSTED, *HURT) if battle else COUNTED
        if symbol not in allowed or int(number) == 0:
            raise ValueError(text)
        season = Season(later) if later else None
        found = Effect(Symbol(symbol), int(number), season, lasting=bool(battle))
    else:
        name, *more = text.split(":")
        found = _plain(Symbol(name), more)
    if str(found) != text:
        raise ValueError(text)
    return found


def _plain(symbol: Symbol, more: list[str]) -> Effect:
    if symbol in COUNTED:
        raise ValueError(symbol)
    thing = ""
    if symbol is Symbol.UNUSABLE:
        thing, *more = more or [""]
        if thing not in THINGS:
            raise ValueError(thing)
    if symbol in REROLLS and more:
        raise ValueError(symbol)
    return Effect(symbol, 1, Season(":".join(more)) if more else None, thing)
