"""Mau-Mau, a shedding game with 32 cards: be the first to have none left.

Everybody holds five cards, one is turned up as the pile, and seat A begins. Clockwise, everybody
lays a card of the suit or the rank on top of the pile, or draws one and passes. After a seven the
next seat draws two before its turn; after an eight it misses its turn. A jack fits on every card,
and whoever lays it wishes for a suit.

deal 9H      the cards are dealt, and 9H is turned up
A 9S         A lays the nine of spades; ten, jack, queen, king and ace are T J Q K A
A wish H     A has laid a jack and wishes for hearts
A draw       A cannot lay a card, draws one and passes
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal, NewType, TypeAlias

from companion.core.game import Accepted, Reason, Refused, Setup, Standing, Verdict, reason
from companion.core.notation import Seat, Word, nothing, only, seats, some, words
from companion.core.options import Whole, described, option
from companion.core.seating import seated
from companion.foundation.messages import N_

NAME = "maumau"
VERSION = 1  # raise it when a change would judge an old log differently
SEATS = range(2, 7)

Card = NewType("Card", str)  # rank and suit, as the deck of ordinary cards labels them
SUITS = ("S", "H", "D", "C")
DECK = tuple(Card(rank + suit) for suit in SUITS for rank in "789TJQKA")


def card_of(word: Word) -> Card:
    if word.text.upper() not in DECK:
        raise word.bad("no-card", N_("%(word)s is not a card; write 7H or TS"), word=word.text)
    return Card(word.text.upper())


@dataclass(frozen=True, slots=True)
class Options:
    hand_size: int = option(5, Whole(1, 5), "MAU-DEAL-1")


OPTIONS = described(Options)
EDITIONS: dict[str, dict[str, str]] = {"en": {}}


@dataclass(frozen=True, slots=True)
class Deal:
    card: Card


@dataclass(frozen=True, slots=True)
class Play:
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Wish:
    seat: Seat
    suit: str


@dataclass(frozen=True, slots=True)
class Draw:
    seat: Seat


Action: TypeAlias = Deal | Play | Wish | Draw


def parse(text: str) -> Action:
    first, *rest = words(text)
    if first.text.lower() == "deal":
        return Deal(card_of(only(first, rest, N_("the card that is turned up"))))
    seat, (verb, *more) = first.seat(), some(first, rest, N_("a card, or wish, or draw"))
    match verb.text.lower():
        case "wish":
            suit = only(verb, more, N_("a suit"))
            if suit.text.upper() not in SUITS:
                raise suit.bad("no-suit", N_("%(word)s is no suit: S, H, D or C"), word=suit.text)
            return Wish(seat, suit.text.upper())
        case "draw":
            nothing(verb, more)
            return Draw(seat)
        case _:
            return Play(seat, card_of(only(first, rest, N_("one card"))))


def format(action: Action) -> str:  # noqa: A001 - the pair of parse
    match action:
        case Deal(card):
            return f"deal {card}"
        case Play(seat, card):
            return f"{seat} {card}"
        case Wish(seat, suit):
            return f"{seat} wish {suit}"
        case Draw(seat):
            return f"{seat} draw"


Phase: TypeAlias = Literal["deal", "turn", "wish", "over"]


@dataclass(frozen=True, slots=True)
class State:
    """Only what everybody may know: hands are sizes."""

    options: Options
    sizes: tuple[int, ...]
    pile: tuple[Card, ...] = ()  # the last is on top; none before the deal
    to_move: Seat = Seat.A
    wishing: bool = False
    wished: str = ""
    notes: tuple[Reason, ...] = ()  # what the last entry brought about by itself

    @property
    def phase(self) -> Phase:
        if not self.pile:
            return "deal"
        if 0 in self.sizes:
            return "over"
        return "wish" if self.wishing else "turn"

    @property
    def drawable(self) -> int:
        """Cards in the deck, and those of the pile that go back to it when it is empty."""
        return len(DECK) - sum(self.sizes) - 1

    @property
    def suit(self) -> str:
        """What the next card must be, unless it has the rank on top."""
        return self.wished or self.pile[-1][1]

    def seat_after(self, seat: Seat, steps: int = 1) -> Seat:
        return Seat((seat + steps) % len(self.sizes))


def start(setup: Setup) -> State:
    options = seated(setup, SEATS, EDITIONS, Options, lambda _options: ())
    return State(options, (0,) * len(setup.names))


class Code(StrEnum):
    NOT_SEATED = "not-seated"
    NOT_DEALT = "not-dealt"
    DEALT_ALREADY = "dealt-already"
    GAME_OVER = "game-over"
    NOT_YOUR_TURN = "not-your-turn"
    ON_THE_PILE = "on-the-pile"
    NO_MATCH = "no-match"
    WISH_FIRST = "wish-first"
    NOTHING_TO_WISH = "nothing-to-wish"


def judge(state: State, action: Action) -> Verdict[State]:
    reasons = tuple(_objections(state, action))
    trust = reason("on-trust", "MAU-DRAW-1", seat=state.to_move)  # no card fitted: nobody sees
    assumes = (trust,) if isinstance(action, Draw) else ()
    return Refused(reasons) if reasons else Accepted(_after(state, action), assumes)


def let_stand(state: State, action: Action) -> Verdict[State]:
    reasons = tuple(each for each in _objections(state, action) if not each.may_stand)
    return Refused(reasons) if reasons else Accepted(_after(state, action))


def _objections(state: State, action: Action) -> Iterator[Reason]:
    if isinstance(action, Deal):
        if state.phase != "deal":
            yield reason(Code.DEALT_ALREADY, "MAU-DEAL-1", may_stand=False)
    elif action.seat >= len(state.sizes):
        yield reason(Code.NOT_SEATED, "MAU-TURN-1", may_stand=False, seat=action.seat)
    elif state.phase == "deal":
        yield reason(Code.NOT_DEALT, "MAU-DEAL-1", may_stand=False)
    elif state.phase == "over":
        yield reason(Code.GAME_OVER, "MAU-END-1", may_stand=False)
    else:
        yield from _in_turn(state, action)


def _in_turn(state: State, action: Play | Wish | Draw) -> Iterator[Reason]:
    seat, to_move, top = action.seat, state.to_move, state.pile[-1]
    if seat is not to_move:
        yield reason(Code.NOT_YOUR_TURN, "MAU-TURN-1", seat=seat, to_move=to_move)
    match action:
        case Wish() if not state.wishing:
            yield reason(Code.NOTHING_TO_WISH, "MAU-JACK-2", may_stand=False, seat=seat)
        case Play() | Draw() if state.wishing:
            yield reason(Code.WISH_FIRST, "MAU-JACK-2", seat=to_move)
        case Play(card=card) if card in state.pile:
            yield reason(Code.ON_THE_PILE, "MAU-DECK-1", may_stand=card != top, card=card)
        case Play(card=card) if card[1] != state.suit and card[0] not in ("J", top[0]):
            yield reason(Code.NO_MATCH, "MAU-PLAY-1", card=card, top=top, suit=state.suit)
        case _:
            return


def _after(state: State, action: Action) -> State:
    state = replace(state, notes=())
    match action:
        case Deal(card):
            return replace(state, pile=(card,), sizes=(state.options.hand_size,) * len(state.sizes))
        case Play(seat, card):
            return _played(state, seat, card)
        case Wish(suit=suit):
            to_move = state.seat_after(state.to_move)
            return replace(state, wishing=False, wished=suit, to_move=to_move)
        case Draw(seat):
            drawn = _grown(state, seat, min(1, state.drawable))
            return replace(drawn, to_move=state.seat_after(seat), wishing=False)


def _played(state: State, seat: Seat, card: Card) -> State:
    pile = (*(each for each in state.pile if each != card), card)
    laid = replace(_grown(state, seat, -1), pile=pile, to_move=seat)
    laid = replace(laid, wished="", wishing=card[0] == "J")
    following = laid.seat_after(seat)
    if 0 in laid.sizes or laid.wishing:
        return laid
    if card[0] == "7":
        count = min(2, laid.drawable)
        note = reason("draws-more", "MAU-SEVEN-1", seat=following, count=count)
        return replace(_grown(laid, following, count), to_move=following, notes=(note,))
    if card[0] == "8":
        note = reason("misses-turn", "MAU-EIGHT-1", seat=following)
        return replace(laid, to_move=laid.seat_after(seat, 2), notes=(note,))
    return replace(laid, to_move=following)


def _grown(state: State, seat: Seat, count: int) -> State:
    """MAU-DRAW-2: when the deck is empty, all of the pile but its top card is the new deck."""
    left = state.drawable + 1 - len(state.pile)
    pile = state.pile if left >= count else state.pile[-1:]
    sizes = (*state.sizes[:seat], state.sizes[seat] + count, *state.sizes[seat + 1 :])
    return replace(state, sizes=sizes, pile=pile)


def actions(state: State) -> Iterator[Action]:
    seat = state.to_move
    turns: tuple[Action, ...] = (*(Play(seat, card) for card in DECK), Draw(seat))
    each = (*map(Deal, DECK), *turns, *(Wish(seat, suit) for suit in SUITS))
    return (action for action in each if not any(_objections(state, action)))


def to_move(state: State) -> Seat | None:
    return state.to_move if state.phase in ("turn", "wish") else None


def expected(_state: State) -> Action | None:
    return None  # people always have a choice


def passing(state: State) -> Action | None:
    return Draw(state.to_move) if state.phase == "turn" else None


def needs_answer(state: State) -> bool:
    return state.phase == "wish"


def regardless(_mine: Action, _theirs: Action) -> bool:
    return False  # what is done depends on what was done before


def standing(state: State) -> Standing:
    """Points are the cards left."""
    ranks = tuple(1 + sum(other < mine for other in state.sizes) for mine in state.sizes)
    over = state.phase == "over"
    winners = tuple(seat for seat in seats(len(ranks)) if over and ranks[seat] == 1)
    return Standing(state.sizes, ranks, over, winners)
