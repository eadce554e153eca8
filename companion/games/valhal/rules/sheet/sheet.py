"""The owner's sheet: what is printed on one copy of the game. None is what nobody has told yet.

`RULEBOOK` holds what the rulebook itself says. Everything else is asked for when it first
matters, and an entry such as `sheet build.longboat.stages 4` answers it (see `filling`).
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.valhal.rules.vocabulary import Effect, Kind, Level, Stack

WARRIORS, VETERANS = "warriors", "veterans"
SPECIALS = ("berserkir", "special-2", "special-3", "special-4")  # one is known by name
UNITS = (WARRIORS, VETERANS, *SPECIALS)


def card_label(stack: str, name: str) -> str:
    """What a camera calls a card of a stack."""
    return f"{stack}.{name}"


def split_label(label: str) -> tuple[str, str]:
    """Stack and name; no stack in a deck that tells cards by their names alone."""
    stack, _, name = label.rpartition(".")
    return stack, name


class Asked(str):
    """A path of the sheet; people are told it as a question."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Side:
    """A unit card healthy, or turned by 180 degrees."""

    hp: int | None = None
    base: int | None = None
    dice: int | None = None


@dataclass(frozen=True, slots=True)
class UnitCard:
    name: str
    healthy: Side = Side()
    wounded: Side = Side()
    text: str = ""
    ability: tuple[Effect, ...] = ()  # VHAL-BAT-15: what the books can apply or offer
    plain: bool = False  # it is told that it has none


@dataclass(frozen=True, slots=True)
class Back:
    """A project's back: its highest number, and the numbers with a saw or an anvil (0: none)."""

    kind: Kind
    stages: int | None = None
    saw: int | None = None
    anvil: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """VHAL-BAT-7 and -8: one fortification; some fall by themselves after a round."""

    hp: int
    base: int
    dice: int
    falls: bool = False

    def __str__(self) -> str:
        return f"{self.hp}/{self.base}/{self.dice}{'*' if self.falls else ''}"


@dataclass(frozen=True, slots=True)
class TownCard:
    name: str
    level: Level | None = None
    rows: tuple[Row, ...] | None = None
    glory: int | None = None
    loot: tuple[Stack, ...] | None = None
    text: str = ""  # VHAL-BAT-9: a special ability
    ability: tuple[Effect, ...] = ()  # VHAL-BAT-15: what the books can apply or offer
    plain: bool = False  # it is told that it has none


@dataclass(frozen=True, slots=True)
class CardText:
    """What a card does: effects, or several lots of them of which one is chosen."""

    stack: Stack
    name: str
    choices: tuple[tuple[Effect, ...], ...] = ((),)
    kept: bool = False  # "when activated"
    hourglass: bool = False
    copies: int | None = None  # how many there are, once somebody has counted
    text: str = ""


@dataclass(frozen=True, slots=True)
class Display:
    """Spaces of the Favour display, counted in moves of the Raven Head."""

    wrath: tuple[int, ...] | None = None
    change: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """An Achievement: in play from so many players on."""

    name: str
    group: int | None = None
    text: str = ""


LONGBOATS, DOUBLE, BLESSED = "longboats", "double", "blessed"  # VHAL-ACH-2, -3 and -4
ACHIEVEMENTS = (LONGBOATS, DOUBLE, BLESSED, "fourth", "fifth", "sixth", "seventh")


COPIES = ("first", "second")  # editions of the box


@dataclass(frozen=True, slots=True)
class Sheet:
    units: tuple[UnitCard, ...]
    backs: tuple[Back, ...]
    towns: tuple[TownCard, ...] = ()
    cards: tuple[CardText, ...] = ()
    front: Display = Display()
    fast: Display = Display()
    glory_max: int | None = None
    tokens: tuple[Token, ...] = tuple(Token(name) for name in ACHIEVEMENTS)
    faces: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    spaces: tuple[int | None, ...] = (None, None, None)  # on the Mainland for 2, 3 and 4 players
    box: tuple[int | None, ...] = (None, None, None, None)  # Town cards of each level
    final_marker: str = ""  # VHAL-FIN-1: what is placed then
    edition: str = ""  # of the copy: one of `COPIES`
    turn_gift: str | None = None  # VHAL-SEA-5: what everybody gets at the end of a turn
    defeat_gift: str | None = None  # VHAL-BAT-11: what a defeated unit brings its owner
    longhouse_food: str | None = None  # "usable", or "stock"

    def unit(self, name: str) -> UnitCard:
        return next((card for card in self.units if card.name == name), UnitCard(name))

    def back(self, kind: Kind) -> Back:
        return next((back for back in self.backs if back.kind is kind), Back(kind))

    def town(self, name: str) -> TownCard:
        return next((town for town in self.towns if town.name == name), TownCard(name))

    def card(self, stack: Stack, name: str) -> CardText | None:
        return next((c for c in self.cards if (c.stack, c.name) == (stack, name)), None)

    def token(self, name: str) -> Token:
        return next((token for token in self.tokens if token.name == name), Token(name))


RULEBOOK = Sheet(
    units=(
        UnitCard(WARRIORS, Side(hp=2, base=1, dice=1), Side(hp=1, base=0), plain=True),
        UnitCard(VETERANS, Side(hp=4), Side(hp=2), plain=True),
        *(UnitCard(name) for name in SPECIALS),
    ),
    backs=tuple(Back(kind, stages=3 if kind is Kind.WARRIORS else None) for kind in Kind),
)
