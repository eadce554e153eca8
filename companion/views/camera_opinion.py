"""What the camera makes of the table, in words: an entry it is about to make, a question, or that
books and table disagree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.core.notation import Seat
from companion.tabletop.observations import Thing
from companion.tabletop.readings import CameraOpinion, Desync, Question, Reading, Shown
from companion.views.speech import N_, Speech

Retell = Callable[[str], str]
"""Turns a line of notation into a sentence."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer that can be tapped."""

    number: int
    sentence: str
    percent: int
    lines: str = ""
    """The reading in notation. An answer carries it, because meanwhile the readings may have
    changed places."""


@dataclass(frozen=True, slots=True)
class OpinionView:
    """`kind` is shown, question or desync; `things` are pictured beside it."""

    kind: str
    sentence: str
    choices: tuple[Choice, ...] = ()
    things: tuple[int, ...] = ()
    books: str = ""
    table: str = ""

    @property
    def urgent(self) -> bool:
        return self.kind != "shown"


def opinion_told(speech: Speech, opinion: CameraOpinion, retell: Retell) -> OpinionView:
    match opinion:
        case Shown(reading):
            return OpinionView(
                "shown",
                speech.say(N_("Seen, and entered in a moment:")),
                _choices(speech, (reading,), retell),
            )
        case Question(readings, about):
            return OpinionView(
                "question",
                speech.say(N_("What was it? The camera is not sure.")),
                _choices(speech, readings, retell),
                _numbers(about),
            )
        case Desync(books, table, readings, about):
            return OpinionView(
                "desync",
                speech.say(
                    N_("The table and the books disagree. Nothing counts until one is right.")
                ),
                _choices(speech, readings[:1], retell),
                _numbers(about),
                _listed(speech, books),
                _listed(speech, table),
            )


def _choices(speech: Speech, readings: tuple[Reading, ...], retell: Retell) -> tuple[Choice, ...]:
    nothing = speech.say(N_("Nothing has happened yet."))
    return tuple(
        Choice(
            number,
            " ".join(map(retell, each.lines)) or nothing,
            round(100 * each.p),
            each.spelt,
        )
        for number, each in enumerate(readings)
    )


def _numbers(about: tuple[Thing, ...]) -> tuple[int, ...]:
    return tuple(thing.number for thing in about)


def _listed(speech: Speech, said: tuple[str, ...]) -> str:
    return ", ".join(_spelt(speech, each) for each in said) or speech.say(N_("nothing"))


def _spelt(speech: Speech, said: str) -> str:
    """What books or table say, such as `A glory 12`, with the seat's name and the game's words."""
    first, *rest = said.split(" ")
    seats = {str(Seat(at)): name for at, name in enumerate(speech.names)} if rest else {}
    words = [seats.get(first) or speech.piece(speech, first)]
    return " ".join([*words, *(speech.piece(speech, each) for each in rest)])
