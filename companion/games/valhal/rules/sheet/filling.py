"""Filling in the owner's sheet, one entry at a time: a path and its value, both plain words.

unit.veterans.hp 4 2                  healthy and wounded; also base, dice; unit.veterans.text
build.longboat.stages 4               also saw and anvil; 0 where there is no such mark
town.v1.level village                 town.v1.rows 2/8/2 1/8/2*   hit points/base/dice of each row
town.v1.glory 2                       town.v1.loot lesser lesser, or none; town.v1.text
town.v1 2/8/2 glory:2 loot:lesser     all of it at once, level:village too
unit.veterans 4/2/1 2/1/1             healthy and wounded: hit points/base/dice
build.longboat 4 saw:3                a whole back; anvil:1 for Warriors
card.lesser.l3 coins+2 | glory+1      card.benevolence.b1 activated reroll text Heimdall
card.event.e1 hourglass nothing       nothing: no effect the books have to know of
card.lesser.l4 copies:2 food+1        there are two of that card
town.v1.ability town-dice+1           unit.berserkir.ability reroll-own; none: it has none
town.v1 2/8/2 ability:hp-1 text:Odd   with the ability and its words; unit.berserkir alike
favour.wrath 3 5                      favour.change 2 4; fast.wrath, fast.change: on the back
glory.max 20                          achievement.double.group 2; achievement.fourth.text
dice.faces 1 2 3 4 5 6                mainland.2 5: spaces for two; box.village 6: cards of a level
copy.edition second                   of the box; first, second
final.marker sacrifice token          gift.turn coins; gift.defeat glory: one of what is shown
longhouse.food stock                  or usable: may its food tokens be laid out?
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from companion.games.valhal.rules.sheet.gluing import glued
from companion.games.valhal.rules.sheet.sheet import (
    ACHIEVEMENTS,
    COPIES,
    UNITS,
    Back,
    CardText,
    Display,
    Row,
    Sheet,
    Side,
    TownCard,
    UnitCard,
)
from companion.games.valhal.rules.vocabulary import (
    ADJUSTED,
    GIFTS,
    HURT,
    LEVELS,
    LOOT,
    REROLLS,
    Effect,
    Kind,
    Level,
    Stack,
    effect,
)

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,23}")
_BAR, _TEXT, _NONE, _NOTHING = "|", "text", "none", "nothing"

Words = tuple[str, ...]


def filled(sheet: Sheet, path: str, value: Words) -> Sheet:
    """The sheet with one more entry; ValueError if there is no such path or no such value."""
    first, *rest = path.split(".")
    if first not in _READERS or not value:
        raise ValueError(path)
    return _READERS[first](sheet, tuple(rest), glued(path, value))


def sheet_from(table: Mapping[str, Any], sheet: Sheet) -> Sheet:
    """A whole sheet read from nested tables, as a file has them; ValueError names the entry."""
    for path, value in _flat(table, ()):
        try:
            sheet = filled(sheet, path, value)
        except ValueError:
            raise ValueError(f"{path} = {' '.join(value)}") from None
    return sheet


def _flat(table: Mapping[str, Any], above: Words) -> Iterator[tuple[str, Words]]:
    for name, value in table.items():
        path = (*above, str(name))
        if isinstance(value, Mapping):
            yield from _flat(value, path)
        elif isinstance(value, list | tuple):
            yield ".".join(path), tuple(str(each) for each in value)
        else:
            yield ".".join(path), tuple(str(value).split())


# Reading an entry


def _number(text: str, least: int = 0, most: int = 99) -> int:
    if not re.fullmatch(r"[0-9]{1,2}", text) or not least <= int(text) <= most:
        raise ValueError(text)
    return int(text)


def _one(value: Words, least: int = 0, most: int = 99) -> int:
    (only,) = value
    return _number(only, least, most)


def _rising(value: Words) -> tuple[int, ...]:
    if value == (_NONE,):
        return ()
    numbers = tuple(_number(text, 1) for text in value)
    if list(numbers) != sorted(set(numbers)):
        raise ValueError(value)
    return numbers


def _named(name: str) -> str:
    if not NAME.fullmatch(name):
        raise ValueError(name)
    return name


def _unit(sheet: Sheet, path: Words, value: Words) -> Sheet:
    name, *stats = path
    if name not in UNITS:
        raise ValueError(name)
    card = _unit_card(sheet.unit(name), stats, value)
    return replace(sheet, units=tuple(card if u.name == name else u for u in sheet.units))


def _unit_card(card: UnitCard, stats: list[str], value: Words) -> UnitCard:
    if not stats:
        for each, words in _parted(value, "sides"):
            card = _unit_card(card, [each], words)
        return card
    (stat,) = stats
    if stat == "sides":
        healthy, wounded = (_side(text) for text in value)
        return replace(card, healthy=healthy, wounded=wounded)
    if stat == _TEXT:
        return replace(card, text=" ".join(value))
    if stat == "ability":
        return replace(card, ability=_ability(value), plain=value == (_NONE,))
    if stat not in ("hp", "base", "dice"):
        raise ValueError(stat)
    well, ill = (_number(text, 1 if stat == "hp" else 0) for text in value)
    return replace(
        card,
        healthy=replace(card.healthy, **{stat: well}),
        wounded=replace(card.wounded, **{stat: ill}),
    )


def _side(text: str) -> Side:
    row = _row(text)
    if row.falls:
        raise ValueError(text)
    return Side(row.hp, row.base, row.dice)


def _parted(value: Words, first: str) -> Iterator[tuple[str, Words]]:
    """Words of several entries, one after the other: 4 saw:3 are stages 4 and saw 3."""
    found: dict[str, list[str]] = {}
    for word in value:
        name, colon, text = word.partition(":")
        found.setdefault(name if colon else first, []).append(text if colon else word)
    return ((name, tuple(words)) for name, words in found.items())


def _build(sheet: Sheet, path: Words, value: Words) -> Sheet:
    if len(path) == 1:
        for mark, words in _parted(value, "stages"):
            sheet = _build(sheet, (*path, mark), words)
        return sheet
    name, mark = path
    kind = Kind(name)
    if mark not in ("stages", "saw", "anvil"):
        raise ValueError(path)
    marks: dict[str, Any] = {mark: _one(value, int(mark == "stages"), 4)}
    back: Back = replace(sheet.back(kind), **marks)
    return replace(sheet, backs=tuple(back if b.kind is kind else b for b in sheet.backs))


def _town(sheet: Sheet, path: Words, value: Words) -> Sheet:
    if len(path) == 1:
        for field, words in _parted(value, "rows"):
            sheet = _town(sheet, (*path, field), words)
        return sheet
    name, field = path
    card = _town_card(sheet.town(_named(name)), field, value)
    others = tuple(town for town in sheet.towns if town.name != name)
    return replace(sheet, towns=(*others, card))


def _town_card(card: TownCard, field: str, value: Words) -> TownCard:
    match field:
        case "level":
            (level,) = value
            return replace(card, level=Level(level))
        case "rows":
            return replace(card, rows=tuple(_row(text) for text in value))
        case "glory":
            return replace(card, glory=_one(value))
        case "loot":
            return replace(card, loot=_loot(value))
        case "text":
            return replace(card, text=" ".join(value))
        case "ability":
            return replace(card, ability=_ability(value), plain=value == (_NONE,))
        case _:
            raise ValueError(field)


def _ability(value: Words) -> tuple[Effect, ...]:
    """VHAL-BAT-15: for every battle the card is in, so nothing is said of how long; but hit points
    may be more than is printed."""
    found = () if value == (_NONE,) else tuple(effect(text) for text in value)
    for each in found:
        if each.symbol not in (*ADJUSTED, *HURT, *REROLLS):
            raise ValueError(value)
        if each.lasting and each.symbol not in HURT:
            raise ValueError(value)
    return found


def _row(text: str) -> Row:
    parts = re.fullmatch(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{1,2})(\*?)", text)
    if parts is None or int(parts[1]) == 0:
        raise ValueError(text)
    return Row(int(parts[1]), int(parts[2]), int(parts[3]), falls=bool(parts[4]))


def _loot(value: Words) -> tuple[Stack, ...]:
    stacks = () if value == (_NONE,) else tuple(Stack(text) for text in value)
    if not set(stacks) <= set(LOOT):
        raise ValueError(value)
    return stacks


def _card(sheet: Sheet, path: Words, value: Words) -> Sheet:
    pile, name = path
    card = replace(card_said(value), stack=Stack(pile), name=_named(name))
    others = tuple(c for c in sheet.cards if (c.stack, c.name) != (card.stack, card.name))
    return replace(sheet, cards=(*others, card))


def card_said(value: Words) -> CardText:
    """What the words of an entry say of a card, whichever it is; ValueError if nothing."""
    at = value.index(_TEXT) if _TEXT in value else len(value)
    said, text = value[:at], " ".join(value[at + 1 :])
    kept, said = _flag(said, "activated")
    hourglass, said = _flag(said, "hourglass")
    if (not said and not text) or (at < len(value) and not text):
        raise ValueError(value)
    copies, said = _copies(said)
    return CardText(Stack.EVENT, "", _choices(said), kept, hourglass, copies, text)


def _flag(said: Words, word: str) -> tuple[bool, Words]:
    return (True, said[1:]) if said[:1] == (word,) else (False, said)


def _copies(said: Words) -> tuple[int | None, Words]:
    count = re.fullmatch(r"copies:([1-9][0-9]?)", said[0]) if said else None
    return (None, said) if count is None else (int(count[1]), said[1:])


def _choices(said: Words) -> tuple[tuple[Effect, ...], ...]:
    if said in ((), (_NOTHING,)):
        return ((),)
    lots: list[tuple[Effect, ...]] = [()]
    for word in said:
        if word == _BAR:
            lots.append(())
        elif word != _NOTHING:
            lots[-1] = (*lots[-1], effect(word))
    return tuple(lots)


def _display(field: str) -> Callable[[Sheet, Words, Words], Sheet]:
    def read(sheet: Sheet, path: Words, value: Words) -> Sheet:
        (which,) = path
        display: Display = getattr(sheet, field)
        spaces = _rising(value)
        if which not in ("wrath", "change") or (which == "change" and len(spaces) != 2):
            raise ValueError(path)
        changes: dict[str, Any] = {field: replace(display, **{which: spaces})}
        return replace(sheet, **changes)

    return read


def _track(sheet: Sheet, path: Words, value: Words) -> Sheet:
    if path != ("max",):
        raise ValueError(path)
    return replace(sheet, glory_max=_one(value, 7))


def _achievement(sheet: Sheet, path: Words, value: Words) -> Sheet:
    name, field = path
    if name not in ACHIEVEMENTS or field not in ("group", _TEXT):
        raise ValueError(path)
    token = sheet.token(name)
    if field == "group":
        token = replace(token, group=_one(value, 2, 4))
    else:
        token = replace(token, text=" ".join(value))
    return replace(sheet, tokens=tuple(token if t.name == name else t for t in sheet.tokens))


def _dice(sheet: Sheet, path: Words, value: Words) -> Sheet:
    if path != ("faces",):
        raise ValueError(path)
    return replace(sheet, faces=tuple(sorted(_number(text) for text in value)))


def _mainland(sheet: Sheet, path: Words, value: Words) -> Sheet:
    at = _one(path, 2, 4) - 2
    spaces = _one(value, 1, 24)
    return replace(sheet, spaces=(*sheet.spaces[:at], spaces, *sheet.spaces[at + 1 :]))


def _box(sheet: Sheet, path: Words, value: Words) -> Sheet:
    (level,) = path
    at, count = LEVELS.index(Level(level)), _one(value, 1, 24)
    return replace(sheet, box=(*sheet.box[:at], count, *sheet.box[at + 1 :]))


def _final(sheet: Sheet, path: Words, value: Words) -> Sheet:
    if path != ("marker",):
        raise ValueError(path)
    return replace(sheet, final_marker=" ".join(value))


def _copy(sheet: Sheet, path: Words, value: Words) -> Sheet:
    (edition,) = value
    if path != ("edition",) or edition not in COPIES:
        raise ValueError(path)
    return replace(sheet, edition=edition)


def _gift(sheet: Sheet, path: Words, value: Words) -> Sheet:
    (which,), (thing,) = path, value
    if which not in ("turn", "defeat") or thing not in GIFTS:
        raise ValueError(path)
    changes: dict[str, Any] = {f"{which}_gift": thing}
    return replace(sheet, **changes)


def _longhouse(sheet: Sheet, path: Words, value: Words) -> Sheet:
    (usable,) = value
    if path != ("food",) or usable not in ("usable", "stock"):
        raise ValueError(path)
    return replace(sheet, longhouse_food=usable)


_READERS: Mapping[str, Callable[[Sheet, Words, Words], Sheet]] = MappingProxyType(
    {
        "unit": _unit,
        "build": _build,
        "town": _town,
        "card": _card,
        "favour": _display("front"),
        "fast": _display("fast"),
        "glory": _track,
        "achievement": _achievement,
        "dice": _dice,
        "mainland": _mainland,
        "box": _box,
        "final": _final,
        "copy": _copy,
        "gift": _gift,
        "longhouse": _longhouse,
    }
)
