"""Setting the books right: everything a Jarl has by them, with how many; and what lies on the table
without standing there at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.core.notation import Seat
from companion.games.valhal.rules.cards import unnamed_card
from companion.games.valhal.rules.corrections import MOST_STAGES, owned
from companion.games.valhal.rules.notation.actions import OWNED, Has
from companion.games.valhal.rules.notation.parsing import SITES
from companion.games.valhal.rules.sheet.sheet import SPECIALS
from companion.games.valhal.rules.state import Held, State
from companion.games.valhal.rules.vocabulary import BUILDINGS, SEASONS, SPACES, THINGS, Stack
from companion.games.valhal.words.entry.fields import Field, Form, Option, says
from companion.games.valhal.words.naming import piece
from companion.games.valhal.words.settlement import card_words
from companion.views.speech import N_, Speech


@dataclass(frozen=True, slots=True)
class Owning:
    thing: str
    words: str
    count: int


@dataclass(frozen=True, slots=True)
class Books:
    """What one Jarl has by the books, to be set right."""

    seat: Seat
    name: str
    owned: tuple[Owning, ...]


def books(speech: Speech, state: State, seat: Seat) -> Books:
    things = tuple(
        Owning(thing, _owned_words(speech, thing), owned(state, Has(seat, thing, 0)))
        for thing in (*OWNED, *BUILDINGS, *_lying(state, seat))
    )
    return Books(seat, speech.word(seat), things)


def _lying(state: State, seat: Seat) -> Iterator[str]:
    """What else could be set right: Special Units, food, projects, kept cards, markers."""
    player = state.players[seat]
    yield from SPECIALS if state.options.special_units else ()
    yield from (f"{what}.{space}" for space in SPACES for what in ("food", "coin"))
    yield from ("larder",) if player.larder else ()
    yield from (f"stage.{project.site}" for project in player.projects)
    yield from dict.fromkeys(f"{held.stack}.{held.name}" for held in player.kept)
    yield from (f"block.{season}" for season in player.blocked)
    yield from (f"unusable.{each.thing}.{each.season}" for each in player.unusable)


OWNED_WORDS = {
    "coins": N_("coins"),
    "iron": N_("iron"),
    "wood": N_("wood"),
    "glory": N_("glory"),
    "favour": N_("favour"),
    "longboats": N_("longboats"),
}


def _owned_words(speech: Speech, thing: str) -> str:
    return speech.say(OWNED_WORDS[thing]) if thing in OWNED_WORDS else piece(speech, thing)


# What the books know nothing of


def adding(speech: Speech, state: State) -> tuple[Form, ...]:
    """A project, a card "when activated" or a marker that lies there, for anybody."""
    tops = tuple(Option(str(number), str(number)) for number in range(1, MOST_STAGES + 1))
    top = Field("pick", tops[0].value, speech.say(N_("number on top")), tops)
    kinds = (
        (N_("A project is missing"), [f"stage.{site}" for site in SITES], top),
        (N_("A card when activated is missing"), list(_cards(state)), says("1")),
        (N_("A marker is missing"), list(_markers()), says("1")),
    )
    return tuple(_form(speech, state, *kind) for kind in kinds)


def _form(speech: Speech, state: State, words: str, things: list[str], count: Field) -> Form:
    seats = tuple(Option(f"{seat} has", speech.word(seat)) for seat in state.seats)
    whose = Field("pick", seats[0].value, speech.say(N_("Whose")), seats)
    options = tuple(Option(thing, _thing_words(speech, state, thing)) for thing in things)
    which = Field("select", words=speech.say(N_("Which")), options=options)
    return Form(
        speech.say(words), (whose, which, count), speech.say(N_("It lies there")), folded=True
    )


def _thing_words(speech: Speech, state: State, thing: str) -> str:
    stack, _, name = thing.partition(".")
    if stack not in tuple(Stack):
        return piece(speech, thing)
    return f"{piece(speech, stack)}: {card_words(speech, state, Held(Stack(stack), name))}"


def _cards(state: State) -> Iterator[str]:
    """Those that are known to be kept; and one nobody has named yet."""
    yield from (f"{card.stack}.{card.name}" for card in state.sheet.cards if card.kept)
    yield f"{Stack.BENEVOLENCE}.{unnamed_card(state, Stack.BENEVOLENCE)}"


def _markers() -> Iterator[str]:
    for season in SEASONS:
        yield f"block.{season}"
        yield from (f"unusable.{thing}.{season}" for thing in THINGS)
