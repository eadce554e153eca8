"""What a game brings so that people can follow it: sentences, and its table on the page."""

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
    """A card of a hand on the page; the game's template `_card.html` may draw more of it."""

    @property
    def card(self) -> str:
        """The word for this very one."""
        ...

    @property
    def words(self) -> str: ...


@dataclass(frozen=True, slots=True)
class NamedCard:
    """A card that is shown by its words alone."""

    card: str
    words: str


def in_words(speech: Speech, cards: tuple[str, ...]) -> tuple[HandCard, ...]:
    """A hand whose cards are shown by their words alone."""
    return tuple(NamedCard(card, speech.piece(speech, card)) for card in cards)


@dataclass(frozen=True, slots=True)
class Words(Generic[S, A]):
    """`S` is the game's state, `A` its actions. Sentences are marked with `N_` and translated when
    they are said; their blanks, such as `%(seat)s`, are the facts of the reason."""

    sentences: Mapping[str, str]
    """By the code of an objection."""
    rules: Mapping[str, str]
    """By rule id: the rule in short."""
    editions: Mapping[str, str]
    options: Mapping[str, str]
    """By the option's name: the question it answers."""
    piece: Callable[[Speech, object], str]
    """A card, die or token in words; also by its word alone, as the notation has it."""
    retell: Callable[[Speech, A], str]
    """An action in a sentence."""
    waiting: Callable[[Speech, S], Waiting]
    """What the table waits for."""
    notes: Callable[[Speech, S], tuple[str, ...]]
    """What the last entry brought about by itself."""
    table: Callable[[Speech, S], Any]
    """What the template `table.html` shows; it has a `phase`."""
    values: Mapping[str, str] = field(default_factory=dict)
    """By the value of an option."""
    readings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By rule id, the options that settle how an open rule is read."""
    hand: Callable[[Speech, tuple[str, ...]], tuple[HandCard, ...]] = in_words
    """The cards of a hand, where they are drawn as more than their words."""
    shape: Callable[[A], str] = lambda _action: ""
    """The shape of `_shapes.svg` beside an action."""
    zones: Mapping[str, str] = field(default_factory=dict)
    """By a zone's name, or its part before a dash; another is called as it is named."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """What a visitor in a bot's place is asked, by the kind of choice."""
    leaves: Mapping[str, str] = field(default_factory=dict)
    """What a visitor does instead of choosing, by its kind."""
    sheet_question: Callable[[Speech, str], str] | None = None
    """How an entry of the owner's sheet is asked for."""


def words_of(game: str) -> Words[Any, Any]:
    return pack_named(game).words()
