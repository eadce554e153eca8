"""Two sheets of one edition beside each other. Cards got their names in the order they were drawn
in, so the same card is e1 here and e7 there: cards are matched by their titles and by what they
say. A card that this sheet does not know gets a name that neither has used."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from itertools import count
from typing import TypeVar

from companion.games.valhal.rules.sheet.sheet import CardText, Sheet, TownCard
from companion.games.valhal.rules.vocabulary import (
    CARD_INITIALS,
    LEVELS,
    TOWN_INITIALS,
    Stack,
)

Card = TypeVar("Card", CardText, TownCard)


def aligned(mine: Sheet, theirs: Sheet) -> Sheet:
    """Their sheet, with the names that this one has for the same cards."""
    cards: list[CardText] = []
    for stack in Stack:
        own = [card for card in mine.cards if card.stack is stack]
        other = [card for card in theirs.cards if card.stack is stack]
        cards += _renamed(own, other, (_titled, _alike), (CARD_INITIALS[stack],))
    initials = tuple(TOWN_INITIALS[level] for level in LEVELS)
    towns = _renamed(list(mine.towns), list(theirs.towns), (_titled, _same_town), initials)
    return replace(theirs, cards=tuple(cards), towns=tuple(towns))


def _renamed(
    mine: list[Card],
    theirs: list[Card],
    tests: Iterable[Callable[[Card, Card], bool]],
    initials: tuple[str, ...],
) -> Iterator[Card]:
    """Who is known here gets the name of here; an automatic name that means another card here is
    replaced by a new one."""
    matched = _matched(mine, theirs, tests)
    known = {card.name for card in mine}
    taken = known | {card.name for card in theirs}
    for card in theirs:
        name = matched.get(card.name, card.name)
        if card.name not in matched and name in known and _automatic(name, initials):
            name = _unused(name[0], taken)
            taken.add(name)
        yield replace(card, name=name)


def _matched(
    mine: list[Card], theirs: list[Card], tests: Iterable[Callable[[Card, Card], bool]]
) -> dict[str, str]:
    """Their names and ours, by the surest test first; each card here is one card there."""
    left, found = list(mine), dict[str, str]()
    for same in tests:
        for card in (each for each in theirs if each.name not in found):
            twin = next((each for each in left if same(each, card)), None)
            if twin is not None:
                found[card.name] = twin.name
                left.remove(twin)
    return found


def _titled(mine: CardText | TownCard, other: CardText | TownCard) -> bool:
    return bool(mine.text) and _words(mine.text) == _words(other.text)


def _words(text: str) -> list[str]:
    """A title, however it was typed."""
    return "".join(each if each.isalnum() else " " for each in text.casefold()).split()


def _alike(mine: CardText, other: CardText) -> bool:
    """They say the same; two titles that differ are two cards. A card of words only tells
    nothing else."""
    if (mine.text and other.text) or not any(mine.choices):
        return False
    return (mine.choices, mine.kept) == (other.choices, other.kept)


def _same_town(mine: TownCard, other: TownCard) -> bool:
    """Whatever is told there is told here as well; what one sheet lacks is not guessed."""
    if mine.text and other.text:
        return False
    facts = ("level", "rows", "glory", "loot")
    told = [(getattr(mine, each), getattr(other, each)) for each in facts]
    return all(theirs in (None, ours) for ours, theirs in told)


def _automatic(name: str, initials: Collection[str]) -> bool:
    return name[0] in initials and name[1:].isdigit()


def _unused(initial: str, taken: Collection[str]) -> str:
    return next(name for number in count(1) if (name := f"{initial}{number}") not in taken)
