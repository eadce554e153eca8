"""How Mau-Mau is told, and what its page shows."""

from __future__ import annotations

from dataclasses import dataclass

from companion.views.speech import N_, Speech
from companion.views.waiting import Waiting
from companion.views.words import HandCard, Words, in_words
from maumau.rules import DECK, SUITS, Action, Code, Deal, Draw, Play, State, Wish

SUIT_WORDS = {"S": N_("spades"), "H": N_("hearts"), "D": N_("diamonds"), "C": N_("clubs")}
RANK_WORDS = {"T": "10", "J": N_("jack"), "Q": N_("queen"), "K": N_("king"), "A": N_("ace")}

SENTENCES: dict[str, str] = {
    Code.NOT_SEATED: N_("Nobody sits at %(seat)s."),
    Code.NOT_DEALT: N_("The cards have not been dealt yet."),
    Code.DEALT_ALREADY: N_("The cards have been dealt already."),
    Code.GAME_OVER: N_("The game is over."),
    Code.NOT_YOUR_TURN: N_("It is %(to_move)s's turn, not %(seat)s's."),
    Code.ON_THE_PILE: N_("%(card)s lies on the pile already."),
    Code.NO_MATCH: N_("%(card)s does not fit on %(top)s: it takes %(suit)s or the same rank."),
    Code.WISH_FIRST: N_("%(seat)s has yet to wish for a suit."),
    Code.NOTHING_TO_WISH: N_("%(seat)s has laid no jack and cannot wish."),
    "on-trust": N_("Taken on trust: %(seat)s had no card that fits."),
    "draws-more": N_("%(seat)s draws %(count)s."),
    "misses-turn": N_("%(seat)s misses a turn."),
}
RULES = {
    "MAU-DECK-1": N_("The deck has 7 to ace in four suits, every card once."),
    "MAU-DEAL-1": N_("Everybody is dealt five cards, and one is turned up as the pile."),
    "MAU-TURN-1": N_("Seat A begins; turns go clockwise."),
    "MAU-PLAY-1": N_("A card must have the suit or the rank of the card on top."),
    "MAU-DRAW-1": N_("Who cannot lay a card draws one and passes."),
    "MAU-DRAW-2": N_("When the deck is empty, the pile under its top card is the new deck."),
    "MAU-SEVEN-1": N_("After a seven the next player draws two cards before playing."),
    "MAU-EIGHT-1": N_("After an eight the next player misses a turn."),
    "MAU-JACK-1": N_("A jack fits on every card."),
    "MAU-JACK-2": N_("Who lays a jack wishes for the suit that comes next."),
    "MAU-END-1": N_("Whoever has no cards left wins at once."),
}
WAITING = {
    "deal": N_("Deal, and turn up a card."),
    "turn": N_("%(seat)s's turn."),
    "wish": N_("%(seat)s wishes for a suit."),
    "over": N_("The game is over."),
}


def piece(speech: Speech, thing: object) -> str:
    """A card, or a suit alone."""
    rank, suit = str(thing)[:-1], str(thing)[-1:]
    if suit not in SUITS:
        return str(thing)
    return " ".join(map(speech.say, (SUIT_WORDS[suit], RANK_WORDS.get(rank, rank)))).strip()


def retell(speech: Speech, action: Action) -> str:
    match action:
        case Deal(card):
            return speech.say(N_("Dealt; %(card)s is turned up."), card=piece(speech, card))
        case Play(seat, card):
            return speech.say(N_("%(seat)s lays %(card)s."), seat=seat, card=piece(speech, card))
        case Wish(seat, suit):
            wished = piece(speech, suit)
            return speech.say(N_("%(seat)s wishes for %(suit)s."), seat=seat, suit=wished)
        case Draw(seat):
            return speech.say(N_("%(seat)s draws a card."), seat=seat)


def waiting(speech: Speech, state: State) -> Waiting:
    asked = state.phase in ("deal", "wish")
    return Waiting(speech.say(WAITING[state.phase], seat=state.to_move), state.to_move, asked)


def notes(speech: Speech, state: State) -> tuple[str, ...]:
    return tuple(speech.say(SENTENCES[each.code], **dict(each.facts)) for each in state.notes)


@dataclass(frozen=True, slots=True)
class Table:
    phase: str
    state: State
    cards: tuple[HandCard, ...]
    suits: tuple[HandCard, ...]
    notes: tuple[str, ...]


def table(speech: Speech, state: State) -> Table:
    cards, suits = in_words(speech, DECK), in_words(speech, SUITS)
    return Table(state.phase, state, cards, suits, notes(speech, state))


WORDS: Words[State, Action] = Words(
    sentences=SENTENCES,
    rules=RULES,
    editions={"en": "English"},
    options={"hand_size": N_("Cards dealt to each")},
    piece=piece,
    retell=retell,
    waiting=waiting,
    notes=notes,
    table=table,
    readings={"MAU-DEAL-1": ("hand_size",)},
    zones={"deck": N_("deck"), "pile": N_("pile")},
    choices={"lay": N_("Your turn."), "wish": N_("Which suit do you wish for?")},
    leaves={"draw": N_("Draw a card and pass")},
)
