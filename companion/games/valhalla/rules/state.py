"""What everybody may know of a game: of a hand, its size and the cards that were seen going into
it; of the deck, its size and what was put under it face up. Of all other cards only the number is
known."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from companion.core.notation import Seat
from companion.games.valhalla.rules.cards import Card
from companion.games.valhalla.rules.options import Options, cards_in_play


class Stage(StrEnum):
    """How far a turn has got. VLLA-END-1: the rule sheet leaves the order of the End Phase open."""

    FIRST = "first"  # who begins?
    DAWN = "dawn"  # a turn begins; short hands may have to make a last stand
    SELECT = "select"
    REVEAL = "reveal"
    STRATEGY = "strategy"
    SUPPORT = "support"  # Deities as Support turn a card each
    BATTLE = "battle"
    SPOILS = "spoils"  # cards are taken out of the armory
    WOLF = "wolf"  # Wolves as Support fetch a card each
    TRIM = "trim"
    OVER = "over"


class Phase(StrEnum):
    """What the table waits for: losses and last stands come before the stage goes on."""

    FIRST = "first"
    SELECT = "select"
    REVEAL = "reveal"
    STRATEGY = "strategy"
    SUPPORT = "support"
    BATTLE = "battle"
    LOSS = "loss"
    STAND = "stand"
    SPOILS = "spoils"
    WOLF = "wolf"
    TRIM = "trim"
    OVER = "over"


FIGHTING = (Stage.SUPPORT, Stage.BATTLE, Stage.SPOILS)  # the Battle Phase
ENDING = (Stage.WOLF, Stage.TRIM)  # the End Phase; all others are the Strategy Phase


@dataclass(frozen=True, slots=True)
class Player:
    """One player. `known` are cards that were seen going into the hand; some of them may lie face
    down on the table by now."""

    hand: int = 0
    known: tuple[Card, ...] = ()
    down: int = 0  # face down on the table, not yet revealed
    main: Card | None = None
    support: Card | None = None
    discard: tuple[Card, ...] = ()  # oldest first, the last lies on top
    alive: bool = True
    axed: bool = False  # has to show what is drawn in this phase
    hammered: bool = False  # has to draw three
    howls: bool = False  # a Wolf Main that clashed and is still due

    @property
    def hidden(self) -> int:
        """Cards in hand or face down that nobody else can name."""
        return self.hand + self.down - len(self.known)

    @property
    def table(self) -> tuple[Card, ...]:
        return tuple(card for card in (self.main, self.support) if card is not None)

    @property
    def draugr(self) -> int:
        """Draugr in the hand. They get there only with one of the options of A-10, and never
        unseen."""
        return self.known.count(Card.DRAUGR)

    @property
    def layable(self) -> int:
        return self.hand - self.draugr

    @property
    def owned(self) -> int:
        return self.hand + self.down + len(self.table) + len(self.discard)


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle while its cards are revealed."""

    due: int  # cards to reveal in all
    axes: tuple[Seat, ...] = ()  # who used which Support
    hammers: tuple[Seat, ...] = ()
    swords: tuple[Seat, ...] = ()
    revealed: tuple[Card, ...] = ()
    costs: tuple[int, ...] = ()  # of each Draugr revealed, for every involved player
    cost: int | None = None  # in all, once everything is revealed


@dataclass(frozen=True, slots=True)
class Debt:
    """What a seat owes to Draugr: cards still to lose, and whether a last stand follows."""

    seat: Seat
    cards: int
    stand: bool = False


@dataclass(frozen=True, slots=True)
class Fallen:
    seat: Seat
    turn: int
    stage: Stage


@dataclass(frozen=True, slots=True)
class Dared:
    """A dare. A-28: it is written down and has no effect."""

    by: Seat
    seat: Seat
    turn: int
    declined: bool = False


class Happening(StrEnum):
    """What the last action brought about by itself, for the table to do and the page to tell."""

    CLASHED = "clashed"  # Main to the discard pile
    SUPPORT_BACK = "support-back"
    SUPPORT_USED = "support-used"
    LOST = "lost"
    OUT = "out"
    HOWLED = "howled"  # the discard pile is back in hand
    TAKEN_BACK = "taken-back"
    PUT_AWAY = "put-away"  # unused cards to the discard pile
    SHUFFLED = "shuffled"  # these cards are to be shuffled into the deck
    RECALLED = "recalled"  # these Draugr are to be put under it


@dataclass(frozen=True, slots=True)
class Note:
    what: Happening
    seat: Seat | None = None
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    seats: tuple[Seat, ...]
    options: Options
    players: tuple[Player, ...]
    deck: int
    bottom: tuple[Card | None, ...] = ()  # the lowest cards of the deck, the last lies lowest
    armory: tuple[Card, ...] = ()  # oldest first
    graveyard: tuple[Card, ...] = ()
    buried: int = 0  # cards in the graveyard that were never shown
    reshuffled: bool = False  # has the graveyard gone back into the deck?
    first: Seat = Seat.A
    turn: int = 0
    stage: Stage = Stage.FIRST
    waiting: tuple[Seat, ...] = ()  # who has yet to do what the stage asks, in playing order
    involved: tuple[Seat, ...] = ()  # who clashed
    battle: Battle | None = None
    debts: tuple[Debt, ...] = ()
    fallen: tuple[Fallen, ...] = ()
    winners: tuple[Seat, ...] = ()
    darable: frozenset[Seat] = frozenset()  # who discarded a Deity since the last clash
    dares: tuple[Dared, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def phase(self) -> Phase:
        if self.debts and self.stage is not Stage.OVER:
            return Phase.LOSS if any(debt.cards for debt in self.debts) else Phase.STAND
        return Phase(self.stage) if self.stage is not Stage.DAWN else Phase.SELECT

    @property
    def over(self) -> bool:
        return self.stage is Stage.OVER

    @property
    def playing_order(self) -> tuple[Seat, ...]:
        """The living, clockwise from the first player (A-5)."""
        turned = (*self.seats[self.first :], *self.seats[: self.first])
        return tuple(seat for seat in turned if self.players[seat].alive)

    @property
    def fighters(self) -> tuple[Seat, ...]:
        """VLLA-BAT-1: who clashed and still lives."""
        return tuple(seat for seat in self.playing_order if seat in self.involved)


def unseen(state: State) -> Counter[Card]:
    """VLLA-COMP-1: of each card, how many are in places where nobody can name them."""
    seen = [*state.armory, *state.graveyard]
    for player in state.players:
        seen += (*player.known, *player.table, *player.discard)
    named = Counter(seen)
    named.update(card for card in state.bottom if card is not None)
    left = Counter[Card]()
    for card, copies in cards_in_play(state.options).items():
        left[card] = copies - named[card]
    return left


def hidden_outside(state: State) -> int:
    """How many cards outside the deck nobody can name. None of them is a Draugr, because a Draugr
    goes to a hand or the graveyard only after everybody has seen it (A-10)."""
    return state.buried + sum(player.hidden for player in state.players)


def others_in_deck(state: State, left: Counter[Card]) -> int:
    """How many of the cards nobody can name are in the deck and are no Draugr. `left` is what
    `unseen` says."""
    return sum(left.values()) - left[Card.DRAUGR] - hidden_outside(state)
