"""What a game brings so that people can follow it: its sentences, and its table on the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from companion.core.catalog import pack_named
from companion.views.speech import Speech
from companion.views.waiting import Waiting

S = TypeVar("S")
A = TypeVar("A")


class HandCard(Protocol):
    """A card of a hand on the page. The game's template `_card.html` may draw more of it than its
    words."""

    @property
    def card(self) -> str:
        """The card in notation."""
        ...

    @property
    def words(self) -> str: ...


@dataclass(frozen=True, slots=True)
class NamedCard:
    """A card shown by its words alone."""

    card: str
    words: str


def in_words(speech: Speech, cards: tuple[str, ...]) -> tuple[HandCard, ...]:
    """A hand of cards shown by their words alone."""
    return tuple(NamedCard(card, speech.piece(speech, card)) for card in cards)


@dataclass(frozen=True, slots=True)
class Words(Generic[S, A]):
    """All words of one game; `S` is its state, `A` its actions.

    Sentences are marked with `N_` and translated when they are said. Their blanks, such as
    `%(seat)s`, are filled with the facts of the reason.
    """

    sentences: Mapping[str, str]
    """Why an action is refused, by the code of the objection."""
    rules: Mapping[str, str]
    """Each rule in short, by its id."""
    editions: Mapping[str, str]
    """What each edition is called."""
    options: Mapping[str, str]
    """The question each option answers, by the option's name."""
    piece: Callable[[Speech, object], str]
    """A card, die or token in words; it may be given as its word in the notation."""
    retell: Callable[[Speech, A], str]
    """An action as a sentence."""
    waiting: Callable[[Speech, S], Waiting]
    """What the table waits for."""
    notes: Callable[[Speech, S], tuple[str, ...]]
    """What followed from the last entry by itself."""
    table: Callable[[Speech, S], Any]
    """What the template `table.html` shows; it has a `phase`."""
    values: Mapping[str, str] = field(default_factory=dict)
    """What the values of options are called."""
    readings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The options that say how a rule is read which the rule book leaves open, by the rule's id."""
    hand: Callable[[Speech, tuple[str, ...]], tuple[HandCard, ...]] = in_words
    """The cards of a hand, if more is drawn than their words."""
    shape: Callable[[A], str] = lambda _action: ""
    """The name of the shape in `_shapes.svg` that is drawn beside an action; empty for none."""
    zones: Mapping[str, str] = field(default_factory=dict)
    """What zones are called, by their names or the part before the dash; any other zone is called
    by its name."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """What a visitor in a bot's place is asked, by the kind of choice."""
    leaves: Mapping[str, str] = field(default_factory=dict)
    """What a visitor may do instead of choosing, by the kind of that."""
    sheet_question: Callable[[Speech, str], str] | None = None
    """The question that asks for an entry of the owner's sheet."""


def words_of(game: str) -> Words[Any, Any]:
    """The words of the game of that name."""
    return pack_named(game).words()
