"""Words of a line that several actions share: names of cards, dice, one word out of a few."""

from __future__ import annotations

from companion.core.notation import Word, some
from companion.foundation.messages import N_, Message, message, phrase
from companion.games.valhal.rules.sheet.filling import NAME


def card_name(word: Word) -> str:
    if not NAME.fullmatch(word.text.lower()):
        raise word.bad(
            "no-name-card-letters",
            N_("%(text)s is no name of a card; letters, digits and dashes"),
            text=repr(word.text),
        )
    return word.text.lower()


def among(word: Word, allowed: tuple[str, ...]) -> str:
    if word.text.lower() not in allowed:
        raise word.bad(
            "none",
            N_("%(text)s is none of %(allowed)s"),
            text=repr(word.text),
            allowed=", ".join(allowed),
        )
    return word.text.lower()


def all_dice(verb: Word, rest: list[Word]) -> tuple[int, ...]:
    return tuple(word.number() for word in some(verb, rest, N_("the dice")))


def split(rest: list[Word], at: str) -> tuple[list[Word], list[Word]]:
    """The words before and after one of them; if it is said, something has to follow."""
    for place, word in enumerate(rest):
        if word.text.lower() == at:
            return rest[:place], some(word, rest[place + 1 :], _belonging_to(at))
    return rest, []


def _belonging_to(word: str) -> Message:
    return message("what-belongs", N_("what belongs to %(word)s"), word=repr(word))


def must(word: Word, wanted: str, problem: str) -> None:
    if word.text.lower() != wanted:
        raise word.bad("another-word-wanted", problem)


def only(before: Word, rest: list[Word], wanted: str) -> Word:
    if len(rest) > 1:
        raise rest[1].bad(
            "only-belongs-here", N_("only %(wanted)s belongs here"), wanted=phrase(wanted)
        )
    return some(before, rest, wanted)[0]


def nothing(before: Word, rest: list[Word]) -> None:
    if rest:
        raise rest[0].bad(
            "nothing-comes-after", N_("nothing comes after %(text)s"), text=repr(before.text)
        )
