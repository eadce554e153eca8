"""What an owner's sheet still lacks, and where it contradicts what the rulebook says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.core.game import Reason, reason
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.sheet.sheet import (
    BLESSED,
    DOUBLE,
    LONGBOATS,
    RULEBOOK,
    VETERANS,
    Asked,
    Back,
    Display,
    Row,
    Sheet,
    Side,
    Token,
    TownCard,
    UnitCard,
)
from companion.games.valhal.rules.vocabulary import LEVELS, Kind, Stack

MOST_ENEMY_HP, MOST_BASE, MOST_FRONT_HP = 13, 21, 6  # the tracks of the battle tableau
CARDS = {
    Stack.EVENT: 50,
    Stack.BENEVOLENCE: 30,
    Stack.WRATH: 30,
    Stack.LESSER: 15,
    Stack.LARGER: 10,
    Stack.GREATER: 10,
}
TOWNS = 24
BY_BOOKS = (LONGBOATS, DOUBLE, BLESSED)  # Achievements whose conditions the books can see
BY_PLAYERS = {2: (4, 7, 3, 1), 3: (5, 8, 5, 1)}  # VHAL-SET-5


def missing(sheet: Sheet) -> tuple[str, ...]:
    """The paths nobody has answered yet, in the order of the sheet."""
    return tuple(_missing(sheet))


def contradictions(sheet: Sheet) -> tuple[Reason, ...]:
    return tuple(_contradictions(sheet))


def _missing(sheet: Sheet) -> Iterator[str]:
    for unit in sheet.units:
        yield from (*unit_gaps(sheet, unit.name), *ability_gap(f"unit.{unit.name}", unit))
    for back in sheet.backs:
        yield from (f"build.{back.kind}.{mark}" for mark in unmarked(back))
    for town in sheet.towns:
        yield from (*town_gaps(town), *ability_gap(f"town.{town.name}", town))
    if len(sheet.towns) < TOWNS:
        yield "town"
    for stack, count in CARDS.items():
        if sum(card.copies or 1 for card in sheet.cards if card.stack is stack) < count:
            yield f"card.{stack}"
    yield from _missing_tracks(sheet)


def unit_gaps(sheet: Sheet, name: str) -> Iterator[str]:
    card = sheet.unit(name)
    for stat in ("hp", "base", "dice"):
        if None in (getattr(card.healthy, stat), getattr(card.wounded, stat)):
            yield f"unit.{name}.{stat}"


def ability_gap(path: str, card: UnitCard | TownCard) -> Iterator[str]:
    """No battle waits for it, but whoever fills in the sheet is asked."""
    if not card.ability and not card.plain:
        yield f"{path}.ability"


def unmarked(back: Back) -> Iterator[str]:
    """What is not known of a back; only Warriors can have an anvil."""
    if back.stages is None:
        yield "stages"
    if back.saw is None:
        yield "saw"
    if back.anvil is None and back.kind is Kind.WARRIORS:
        yield "anvil"


def town_gaps(town: TownCard) -> Iterator[str]:
    for field in ("level", "rows", "glory", "loot"):
        if getattr(town, field) is None:
            yield f"town.{town.name}.{field}"


def _missing_tracks(sheet: Sheet) -> Iterator[str]:
    for name, display in (("favour", sheet.front), ("fast", sheet.fast)):
        yield from (f"{name}.{w}" for w in ("wrath", "change") if getattr(display, w) is None)
    if sheet.glory_max is None:
        yield "glory.max"
    yield from (f"achievement.{t.name}.group" for t in sheet.tokens if t.group is None)
    yield from (f"achievement.{t.name}.text" for t in sheet.tokens if _unread(t))
    yield from (f"mainland.{n}" for n, v in enumerate(sheet.spaces, 2) if v is None)
    icons = {"gift.turn": sheet.turn_gift, "gift.defeat": sheet.defeat_gift}
    icons["longhouse.food"] = sheet.longhouse_food
    yield from (path for path, told in icons.items() if told is None)
    words = {"copy.edition": sheet.edition, "final.marker": sheet.final_marker}
    yield from (path for path, told in words.items() if not told)
    yield from (f"box.{level}" for level, v in zip(LEVELS, sheet.box, strict=True) if v is None)


def _unread(token: Token) -> bool:
    """VHAL-ACH-5: the books see what the first three ask for; of the others they remind."""
    return token.name not in BY_BOOKS and not token.text


# Contradictions


def _contradictions(sheet: Sheet) -> Iterator[Reason]:
    yield from _units(sheet)
    for back in sheet.backs:
        yield from _marks(back)
    for town in sheet.towns:
        for row in town.rows or ():
            yield from _tableau(f"town.{town.name}.rows", row)
    yield from _counts(sheet)
    yield from _displays("favour", sheet.front, 6)
    yield from _displays("fast", sheet.fast, 5)


def _units(sheet: Sheet) -> Iterator[Reason]:
    for unit in sheet.units:
        told = RULEBOOK.unit(unit.name)
        for mine, book in ((unit.healthy, told.healthy), (unit.wounded, told.wounded)):
            yield from _side(f"unit.{unit.name}", mine, book)
    veterans, berserkir = sheet.unit(VETERANS), sheet.unit("berserkir")
    base, worse, other = veterans.healthy.base, veterans.wounded.base, berserkir.healthy.base
    if base is not None and worse is not None and base - worse != 1:  # the example battle
        yield _wrong("unit.veterans.base", base - 1, worse)
    if base is not None and other is not None and base + other != 3:  # with one of the Warriors
        yield _wrong("unit.berserkir.base", 3 - base, other)


def _side(path: str, mine: Side, book: Side) -> Iterator[Reason]:
    for stat in ("hp", "base", "dice"):
        got, told = getattr(mine, stat), getattr(book, stat)
        if told is not None and got is not None and got != told:
            yield _wrong(f"{path}.{stat}", told, got)
    if mine.hp is not None and mine.hp > MOST_FRONT_HP:
        yield _wrong(f"{path}.hp", f"0..{MOST_FRONT_HP}", mine.hp)


def _marks(back: Back) -> Iterator[Reason]:
    told = RULEBOOK.back(back.kind).stages
    if told is not None and back.stages not in (None, told):
        yield _wrong(f"build.{back.kind}.stages", told, back.stages)
    for mark, number in (("saw", back.saw), ("anvil", back.anvil)):
        if number is not None and back.stages is not None and number > back.stages:
            yield _wrong(f"build.{back.kind}.{mark}", f"0..{back.stages}", number)


def _tableau(path: str, row: Row) -> Iterator[Reason]:
    if row.hp > MOST_ENEMY_HP:
        yield _wrong(path, f"0..{MOST_ENEMY_HP}", row.hp)
    if row.base > MOST_BASE:
        yield _wrong(path, f"0..{MOST_BASE}", row.base)


def _counts(sheet: Sheet) -> Iterator[Reason]:
    stacks: Counter[Stack] = Counter()
    for card in sheet.cards:
        stacks[card.stack] += card.copies or 1
    for stack, count in CARDS.items():
        if stacks[stack] > count:
            yield _wrong(f"card.{stack}", f"0..{count}", stacks[stack])
    if len(sheet.towns) > TOWNS:
        yield _wrong("town", f"0..{TOWNS}", len(sheet.towns))
    for level, least, got in zip(LEVELS, BY_PLAYERS[3], sheet.box, strict=True):
        if got is not None and got < least:  # three players need that many
            yield _wrong(f"box.{level}", f"{least}..", got)
    known = [count for count in sheet.box if count is not None]
    if len(known) == len(LEVELS) and sum(known) != TOWNS:
        yield _wrong("box", TOWNS, sum(known))


def _displays(name: str, display: Display, steps: int) -> Iterator[Reason]:
    for which, spaces in (("wrath", display.wrath), ("change", display.change)):
        if spaces and spaces[-1] >= steps:
            yield _wrong(f"{name}.{which}", f"1..{steps - 1}", spaces[-1])


def _wrong(path: str, told: object, got: object) -> Reason:
    return reason(Code.SHEET_CONTRADICTS, "VHAL-CARD-2", path=Asked(path), told=told, got=got)
