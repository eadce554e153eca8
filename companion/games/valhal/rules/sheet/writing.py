"""Writing the owner's sheet: every entry as a path and its value, as `filling` reads them."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.valhal.rules.sheet.sheet import CardText, Sheet, TownCard, UnitCard
from companion.games.valhal.rules.vocabulary import LEVELS

_BAR, _TEXT, _NONE, _NOTHING = "|", "text", "none", "nothing"


def entries(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Everything a sheet knows, as paths and values that read back."""
    for unit in sheet.units:
        yield from _unit_entries(unit)
    for back in sheet.backs:
        marks = {"stages": back.stages, "saw": back.saw, "anvil": back.anvil}
        yield from ((f"build.{back.kind}.{n}", str(v)) for n, v in marks.items() if v is not None)
    for town in sheet.towns:
        yield from _town_entries(town)
    for card in sheet.cards:
        yield f"card.{card.stack}.{card.name}", card_words(card)
    yield from _track_entries(sheet)
    yield from _count_entries(sheet)


def told(sheet: Sheet, path: str) -> str:
    """What a sheet says at a path, also at one that stands for a whole card; empty: nothing."""
    known = dict(entries(sheet))
    if path in known or path.count(".") != 1:
        return known.get(path, "")
    first = path.partition(".")[0]
    parts = {each: known.get(f"{path}.{each}", "") for each in _PARTS.get(first, ())}
    match first:
        case "unit":
            ability, stats = parts.pop("ability").split(), list(parts.values())
            sides = zip(*(text.split() for text in stats), strict=True) if all(stats) else ()
            words = ["/".join(side) for side in sides]
            return " ".join((*words, *(f"ability:{w}" for w in ability))) if words else ""
        case "town" | "build" if parts.get(_PARTS[first][0]):
            bare, *named = parts.items()
            more = (f"{key}:{word}" for key, text in named for word in text.split())
            return " ".join((bare[1], *more))
        case _:
            return ""


_PARTS = {
    "unit": ("hp", "base", "dice", "ability"),
    "town": ("rows", "level", "glory", "loot", "ability"),
    "build": ("stages", "saw", "anvil"),
}


def card_words(card: CardText) -> str:
    lots = (" ".join(str(each) for each in lot) or _NOTHING for lot in card.choices)
    flags = [word for word, on in (("activated", card.kept), ("hourglass", card.hourglass)) if on]
    flags += [] if card.copies is None else [f"copies:{card.copies}"]
    text = [_TEXT, card.text] if card.text else []
    return " ".join([*flags, f" {_BAR} ".join(lots), *text])


def _unit_entries(unit: UnitCard) -> Iterator[tuple[str, str]]:
    for stat in ("hp", "base", "dice"):
        both = (getattr(unit.healthy, stat), getattr(unit.wounded, stat))
        if None not in both:
            yield f"unit.{unit.name}.{stat}", f"{both[0]} {both[1]}"
    if unit.text:
        yield f"unit.{unit.name}.text", unit.text
    if unit.ability or unit.plain:
        yield f"unit.{unit.name}.ability", " ".join(map(str, unit.ability)) or _NONE


def _town_entries(town: TownCard) -> Iterator[tuple[str, str]]:
    if town.level is not None:
        yield f"town.{town.name}.level", town.level
    if town.rows is not None:
        yield f"town.{town.name}.rows", " ".join(str(row) for row in town.rows)
    if town.glory is not None:
        yield f"town.{town.name}.glory", str(town.glory)
    if town.loot is not None:
        yield f"town.{town.name}.loot", " ".join(town.loot) or _NONE
    if town.text:
        yield f"town.{town.name}.text", town.text
    if town.ability or town.plain:
        yield f"town.{town.name}.ability", " ".join(map(str, town.ability)) or _NONE


def _track_entries(sheet: Sheet) -> Iterator[tuple[str, str]]:
    for field, display in (("favour", sheet.front), ("fast", sheet.fast)):
        for which, spaces in (("wrath", display.wrath), ("change", display.change)):
            if spaces is not None:
                yield f"{field}.{which}", " ".join(map(str, spaces)) or _NONE
    if sheet.glory_max is not None:
        yield "glory.max", str(sheet.glory_max)
    for token in sheet.tokens:
        if token.group is not None:
            yield f"achievement.{token.name}.group", str(token.group)
        if token.text:
            yield f"achievement.{token.name}.text", token.text


def _count_entries(sheet: Sheet) -> Iterator[tuple[str, str]]:
    yield "dice.faces", " ".join(map(str, sheet.faces))
    yield from ((f"mainland.{n}", str(v)) for n, v in enumerate(sheet.spaces, 2) if v is not None)
    yield from (
        (f"box.{level}", str(v))
        for level, v in zip(LEVELS, sheet.box, strict=True)
        if v is not None
    )
    if sheet.edition:
        yield "copy.edition", sheet.edition
    if sheet.final_marker:
        yield "final.marker", sheet.final_marker
    gifts = {"gift.turn": sheet.turn_gift, "gift.defeat": sheet.defeat_gift}
    told = gifts | {"longhouse.food": sheet.longhouse_food}
    yield from ((path, value) for path, value in told.items() if value is not None)
