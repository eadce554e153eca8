"""What a game brings so that people can follow it: its sentences, and its table on the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from companion.core.catalog import pack_named
from companion.core.notation import Seat
from companion.views.glance import Glance, OwnSeat
from companion.views.sheet_tour import Tour
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


class Done(NamedTuple, Generic[S, A]):
    """One entry of a game: the state before it, what was done, and the state after it."""

    before: S
    action: A
    after: S


class Spoken(NamedTuple):
    """An entry as a voice tells it, as short as can be."""

    sentence: str
    """Empty: nothing is said of it."""
    value: str = ""
    """What is said of it after a correction; empty: the sentence."""
    summary: str = ""
    """What ended with it, such as a hand or a season; empty: nothing."""


class Feat(NamedTuple):
    """Something a seat has done in a game that is worth remembering: the larger, the better."""

    kind: str
    seat: Seat
    amount: int


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
    examples: Mapping[str, str] = field(default_factory=dict)
    """A worked example of a rule, by the rule's id: it is told to who asks why."""
    hand: Callable[[Speech, tuple[str, ...]], tuple[HandCard, ...]] = in_words
    """The cards of a hand, if more is drawn than their words."""
    cards: Callable[[A], tuple[str, ...]] = lambda _action: ()
    """The cards an action is about, in notation: they are drawn where it is refused."""
    deck: Callable[[S], tuple[str, ...]] = lambda _state: ()
    """All cards that may lie on this table, in notation: somebody picks one of them."""
    shape: Callable[[A], str] = lambda _action: ""
    """The name of the shape in `_shapes.svg` that is drawn beside an action; empty for none."""
    zones: Mapping[str, str] = field(default_factory=dict)
    """What zones are called, by their names or the part before the dash; any other zone is called
    by its name."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """What a visitor in a bot's place is asked, by the kind of choice."""
    leaves: Mapping[str, str] = field(default_factory=dict)
    """What a visitor may do instead of choosing, by the kind of that."""
    chapters: Mapping[str, str] = field(default_factory=dict)
    """The headings of the rules, by the part of a rule's id between its first two dashes; several
    parts may share one. Rules without a heading stand at the end."""
    feat_words: Mapping[str, str] = field(default_factory=dict)
    """What feats are called, by their kind."""
    feats: Callable[[Iterable[Done[S, A]]], Iterable[Feat]] = lambda _done: ()
    """What people may boast of after a whole game; the largest of each kind is remembered."""
    glance: Callable[[Speech, S], tuple[Glance, ...]] = lambda _speech, _state: ()
    """What somebody who walks past wants to know of this game, beside turn and points. It always
    has the same keys."""
    own_seat: Callable[[Speech, S, Seat], OwnSeat] = lambda _speech, _state, _seat: OwnSeat()
    """What somebody's own phone shows first."""
    highlights: Mapping[str, str] = field(default_factory=dict)
    """What may happen in this game and is worth a lamp or a sound, by a code: what it is called."""
    highlight: Callable[[A], str] = lambda _action: ""
    """The code of the highlight that an action is; empty for none."""
    spoken: Callable[[Speech, Done[S, A]], Spoken] | None = None
    """An entry as a voice tells it; without it the entry is told as in the history."""
    sheet_tour: Callable[[Speech, Any, S | None], Tour] | None = None
    """The owner's sheet as a guided tour, for the game that is running if there is one; its
    template is `_stop.html`."""
    sheet_question: Callable[[Speech, str], str] | None = None
    """The question that asks for an entry of the owner's sheet."""


def words_of(game: str) -> Words[Any, Any]:
    """The words of the game of that name."""
    return pack_named(game).words()
