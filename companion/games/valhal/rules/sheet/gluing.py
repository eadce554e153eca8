"""Forms say a word in several parts: `coins` and `2`, `2 / 8 / 2`, `glory:` and `3`. Here they
become the words of the sheet; what is zero or empty is not said at all. Words that are whole
already stay as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from companion.games.valhal.rules.vocabulary import COUNTED, LOOT, SEASONAL, Symbol

Words = tuple[str, ...]

_NUMBER = re.compile(r"[+-]?[0-9]{1,2}")
_FLAGS = re.compile(r"activated|hourglass|copies:[0-9]+")
SEASONED = (*SEASONAL, Symbol.UNUSABLE)
_BAR, _TEXT, _NOTHING = "|", "text", "nothing"


def glued(path: str, value: Words) -> Words:
    """The value of an entry of the sheet."""
    first, *rest = path.split(".")
    if first == "card":
        return glued_card(value)
    if first in ABLE and rest[1:] == ["ability"]:
        return _ability(value)
    if first not in ("unit", "town", "build") or rest[1:] not in ([], ["rows"]):
        return value
    value, more = _parts(value) if first in ABLE and len(rest) == 1 else (value, ())
    text = re.sub(r"\s*/\s*", "/", " ".join(value))
    text = re.sub(r":\s+", ":", re.sub(r"\s+\*", "*", text))
    words = [word for word in text.split() if not word.startswith("0/")]
    return (*_loot(words), *more)


ABLE = ("unit", "town")  # cards that may have an ability, and words


def _parts(value: Words) -> tuple[Words, Words]:
    """A whole card: its numbers, then `ability:` with what it changes, then `text` with words."""
    value, text = _cut(value, _TEXT)
    value, able = _cut(value, "ability:")
    ability = () if able is None else tuple(f"ability:{word}" for word in _ability(able))
    return value, (*ability, *(f"text:{word}" for word in text or ()))


def _cut(value: Words, at: str) -> tuple[Words, Words | None]:
    place = value.index(at) if at in value else len(value)
    return value[:place], value[place + 1 :] if place < len(value) else None


def _ability(value: Words) -> Words:
    """What chips say of it; nothing at all: it has none."""
    return tuple(_effects(value)) or ("none",)


def _loot(words: list[str]) -> Iterator[str]:
    """Loot may be counted: lesser:2 are two of the Lesser cards; none at all is none. ValueError
    for more than any stack has: each becomes a word."""
    counted = [word for word in words if word.partition(":")[0] in LOOT]
    found = []
    for word in counted:
        stack, _, count = word.partition(":")
        if count.isdigit() and not _NUMBER.fullmatch(count):
            raise ValueError(word)
        found += [f"loot:{stack}"] * (int(count) if count.isdigit() else 1)
    yield from (word for word in words if word not in counted)
    yield from found or (["loot:none"] if counted else [])


def glued_card(value: Words) -> Words:
    """What a card says: flags, lots of effects with a bar between them, then its text."""
    at = value.index(_TEXT) if _TEXT in value else len(value)
    said, text = value[:at], value[at + 1 :]
    words = list(_effects(said))
    flags = [word for word in words if _FLAGS.fullmatch(word)]
    lots = [
        list(lot)
        for bar, lot in groupby((w for w in words if w not in flags), lambda word: word == _BAR)
        if not bar
    ]
    told = [word for lot in lots for word in (_BAR, *lot)][1:]
    if not told and not (text and not value[:at]):
        told = [_NOTHING]
    return (*flags, *told, *((_TEXT, *text) if text else ()))


def _effects(said: Words) -> Iterator[str]:
    """`later:spring` and `battle` count for all that follows, `season:winter` for what is blocked
    or cannot be used then; up to `now` or a bar."""
    prefix = suffix = ""
    words = iter(said)
    for word in words:
        if word in ("now", _BAR):
            prefix = suffix = ""
        if re.fullmatch(r"later:\w+", word) or word == "battle":
            prefix = f"{word}:"
        elif season := re.fullmatch(r"season:(\w+)", word):
            suffix = f":{season[1]}"
        elif suffix and word.partition(":")[0] in SEASONED:
            yield f"{word}{suffix}"
        elif word in COUNTED or word == "copies:":
            number = next(words, "")
            yield from _counted(prefix, word, number)
        elif word != "now":
            yield word


def _counted(prefix: str, word: str, number: str) -> Iterator[str]:
    if not _NUMBER.fullmatch(number):
        yield from (word, number) if number else (word,)
    elif int(number) and word == "copies:":
        yield f"copies:{int(number)}"
    elif int(number):
        yield f"{prefix}{word}{int(number):+d}"
