"""Entry by hand where there are too many possibilities for a button each, as with Deities that are
told apart by name: one card after the other is picked, and the last tap says it. What the rules
refuse is refused with its reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.core.notation import Seat
from companion.games.valhalla.rules.actions import Action, Draw, Reveal, Stand
from companion.games.valhalla.rules.cards import Card
from companion.views.speech import N_, Speech

KEEPS = "keeps"


@dataclass(frozen=True, slots=True)
class Pick:
    """One card, or how many; `word` is empty for none."""

    word: str
    words: str
    card: str = ""


@dataclass(frozen=True, slots=True)
class Slot:
    """One choice. Its field is called `name`: fields are said in the order of their names."""

    name: str
    words: str
    picks: tuple[Pick, ...]


@dataclass(frozen=True, slots=True)
class Picker:
    """`said` comes first, then what is picked in each slot; the last slot are buttons."""

    said: str
    words: str
    slots: tuple[Slot, ...]
    last: Slot


def picker(speech: Speech, actions: Iterable[Action]) -> Picker:
    """Of actions of one kind and one seat."""
    first, *rest = made = list(actions)
    lines = [_parted(each) for each in made]
    head = " ".join(str(first).split()[:2])
    shown = _slots(speech, [line for line, _ in lines], _labels(speech, first), "say.1")
    kept = _kept(speech, [line for _, line in lines])
    *slots, last = (*shown, *kept)
    return Picker(head, _title(speech, first) if rest else "", tuple(slots), last)


def seat_of(action: Action) -> Seat | None:
    """Whose action it is, if it is of a kind that is picked."""
    return action.seat if isinstance(action, Draw | Reveal | Stand) else None


def _parted(action: Action) -> tuple[list[str], list[str]]:
    """The cards of a line, and what is kept of them."""
    words = str(action).split()[2:]
    at = words.index(KEEPS) if KEEPS in words else len(words)
    return words[:at], words[at + 1 :]


def _title(speech: Speech, action: Action) -> str:
    match action:
        case Draw():
            return speech.say(N_("Draw"))
        case Stand():
            return speech.say(N_("last stand"))
        case _:
            return ""


def _labels(speech: Speech, action: Action) -> tuple[str, ...]:
    if isinstance(action, Reveal):
        return speech.say(N_("Main")), speech.say(N_("Support"))
    return tuple(speech.say(N_("Card %(number)s"), number=number) for number in range(1, 4))


def _slots(
    speech: Speech, lines: list[list[str]], labels: tuple[str, ...], name: str
) -> tuple[Slot, ...]:
    """As many as the longest line has cards. Every card can be in every place: people see them in
    any order."""
    most, least = max(map(len, lines)), min(map(len, lines))
    cards = dict.fromkeys(word for line in lines for word in line)
    picks = tuple(_pick(speech, word) for word in cards)
    none = Pick("", speech.say(N_("nothing")))
    return tuple(
        Slot(f"{name}{at}", labels[at], (none, *picks) if at >= least else picks)
        for at in range(most)
    )


def _kept(speech: Speech, lines: list[list[str]]) -> tuple[Slot, ...]:
    if not any(lines):
        return ()
    label = speech.say(N_("Kept:"))
    first, *rest = _slots(speech, lines, (label, "", ""), "say.2")
    return (Slot(f"{first.name}.{KEEPS}", first.words, first.picks), *rest)


def _pick(speech: Speech, word: str) -> Pick:
    if word.isdecimal():
        return Pick(word, word)
    return Pick(word, speech.word(Card(word)), word)
