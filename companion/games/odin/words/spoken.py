"""How a voice tells Odin: shorter than the history, the way people say it at the table."""

from __future__ import annotations

from companion.games.odin.rules import Action, State
from companion.games.odin.rules.actions import Count, Play
from companion.games.odin.rules.cards import Card, value
from companion.games.odin.words.sentences import VALUE_WORDS, retell
from companion.views.speech import N_, Speech
from companion.views.words import Done, Spoken


def spoken(speech: Speech, done: Done[State, Action]) -> Spoken:
    """*Ben, red 5 and 6: 65.* After a correction only the 65."""
    match done.action:
        case Play(seat, cards) if len(cards) > 1:
            worth = value(cards)
            said = speech.say(
                N_("%(seat)s, %(cards)s: %(value)s."),
                seat=seat,
                cards=together(speech, cards),
                value=worth,
            )
            return Spoken(said, f"{worth}.")
        case Play(seat, cards):
            card = together(speech, cards)
            return Spoken(speech.say(N_("%(seat)s, %(card)s."), seat=seat, card=card), f"{card}.")
        case Count():
            return Spoken("", summary=_counted(speech, done.after))
        case _:
            return Spoken(retell(speech, done.action))


def together(speech: Speech, cards: tuple[Card, ...]) -> str:
    """A set in as few words as possible: red 5 and 6, or blue and red 7."""
    ordered = sorted(cards, key=lambda card: card.number)
    colours = tuple(dict.fromkeys(card.colour for card in ordered))
    numbers = tuple(dict.fromkeys(card.number for card in ordered))
    named = [speech.say(VALUE_WORDS[each.word]) for each in colours if each is not None]
    plain = len(named) == len(colours) and not any(card.ace for card in cards)
    if not plain or (len(colours) > 1 and len(numbers) > 1):
        return speech.listed(cards)
    return speech.say(
        N_("%(colour)s %(number)s"), colour=speech.listed(named), number=speech.listed(numbers)
    )


def _counted(speech: Speech, state: State) -> str:
    points = [f"{name} {got}" for name, got in zip(speech.names, state.points, strict=True)]
    return speech.say(N_("The hand is over: %(points)s."), points=speech.listed(points))
