"""The table of Odin as a page shows it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.notation import Seat, Word
from companion.games.odin.rules.actions import Action, Play, Take
from companion.games.odin.rules.cards import GOAT, NUMBERS, Card, value
from companion.games.odin.rules.options import colours_in_play
from companion.games.odin.rules.state import Hand, Phase, State, goat_holders
from companion.games.odin.words.sentences import piece
from companion.views.chart import Chart, chart
from companion.views.glance import Glance, OwnSeat
from companion.views.speech import N_, Speech


@dataclass(frozen=True, slots=True)
class Face:
    """A card on the page: never told by its colour alone, so it has a shape and words too."""

    card: str  # in notation
    digit: str
    colour: str
    words: str
    place: str = ""  # "mine", "held", "table", "gone", or nowhere known


@dataclass(frozen=True, slots=True)
class Place:
    """One seat."""

    seat: Seat
    name: str
    points: int
    size: int
    known: tuple[Face, ...]
    to_move: bool
    passed: bool
    owner: bool
    out: bool


@dataclass(frozen=True, slots=True)
class Goat:
    """Who may hold the goat at the count."""

    seat: Seat | None
    name: str


@dataclass(frozen=True, slots=True)
class Table:
    phase: str
    hand: int
    round: int
    limit: str
    places: tuple[Place, ...]
    middle: tuple[Face, ...]
    value: int | None
    owner: str
    beaten: tuple[Face, ...]
    grid: tuple[tuple[Face, ...], ...]
    to_move: Seat | None
    starter: Seat | None  # of the hand that is being played
    starters: tuple[Place, ...]
    draws_starter: bool
    goats: tuple[Goat, ...]
    tallies: tuple[tuple[int, ...], ...]
    chart: Chart | None


def table(speech: Speech, state: State) -> Table:
    hand = state.hand
    places = tuple(_place(speech, state, seat) for seat in state.seats)
    return Table(
        phase=state.phase,
        hand=len(state.tallies) + (1 if not state.over else 0),
        round=hand.round if hand else 0,
        limit=_limit(speech, state),
        places=places,
        middle=_faces(speech, _from_high(hand.middle)) if hand else (),
        value=value(hand.middle) if hand and hand.middle else None,
        owner=speech.word(hand.owner) if hand and hand.owner is not None else "",
        beaten=_faces(speech, hand.beaten) if hand else (),
        grid=_grid(speech, state, hand) if hand else (),
        to_move=hand.to_move if hand and hand.out is None else None,
        starter=hand.starter if hand else None,
        starters=_starters(state, places),
        draws_starter=state.next_starter is None and state.options.first_starter == "random",
        goats=_goats(speech, state),
        tallies=state.tallies,
        chart=_chart(speech, state),
    )


def glance(speech: Speech, state: State) -> tuple[Glance, ...]:
    """The value to beat and the hand that is played."""
    middle = state.hand.middle if state.hand else ()
    return (
        Glance("value", speech.say(N_("Value to beat")), str(value(middle)) if middle else ""),
        Glance("hand", speech.say(N_("Hand")), str(len(state.tallies) + (not state.over))),
    )


def own_seat(speech: Speech, state: State, seat: Seat) -> OwnSeat:
    """How many cards are in this hand, and those that everybody saw going into it."""
    hand = state.hand
    if hand is None:
        return OwnSeat()
    size = Glance("size", speech.say(N_("In your hand")), str(hand.sizes[seat]))
    return OwnSeat(tuple(map(str, _ordered(hand.known[seat]))), (size,))


def _limit(speech: Speech, state: State) -> str:
    limit = state.options.limit
    if isinstance(limit, str):
        return speech.say(N_("a single hand"))
    return str(limit)


def _place(speech: Speech, state: State, seat: Seat) -> Place:
    hand = state.hand
    return Place(
        seat=seat,
        name=speech.word(seat),
        points=state.points[seat],
        size=hand.sizes[seat] if hand else 0,
        known=_faces(speech, _ordered(hand.known[seat])) if hand else (),
        to_move=hand is not None and hand.out is None and hand.to_move is seat,
        passed=hand is not None and seat in hand.passed,
        owner=hand is not None and hand.owner is seat,
        out=hand is not None and hand.out is seat,
    )


def _starters(state: State, places: tuple[Place, ...]) -> tuple[Place, ...]:
    if state.phase is not Phase.DEAL:
        return ()
    return places if state.next_starter is None else (places[state.next_starter],)


def _goats(speech: Speech, state: State) -> tuple[Goat, ...]:
    if state.phase is not Phase.COUNT or state.hand is None or GOAT not in state.deck:
        return ()
    return tuple(Goat(seat, speech.word(seat)) for seat in goat_holders(state, state.hand))


def _chart(speech: Speech, state: State) -> Chart | None:
    if not state.tallies:
        return None
    lines = []
    for seat in state.seats:
        total = state.carried[seat]
        line = [total]
        for tally in state.tallies:
            total += tally[seat]
            line.append(total)
        lines.append(tuple(line))
    limit = state.options.limit
    return chart(speech.names, tuple(lines), limit if isinstance(limit, int) else None)


def _from_high(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """As the value is read."""
    return tuple(sorted(cards, key=lambda card: -card.number))


def _ordered(cards: frozenset[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=lambda card: (str(card.colour), card.number)))


def faces_named(speech: Speech, words: tuple[str, ...]) -> tuple[Face, ...]:
    """Cards by their notation, from high to low."""
    cards = tuple(Card.parse(Word(word, 1)) for word in words)
    return _faces(speech, _from_high(cards))


def all_cards(state: State) -> tuple[str, ...]:
    """Colour by colour, each from low to high."""
    rows = colours_in_play(state.options, len(state.seats))
    cards = [Card(number, colour) for colour in rows for number in NUMBERS]
    return tuple(str(card) for card in (*cards, GOAT) if card in state.deck)


def cards_of(action: Action) -> tuple[str, ...]:
    """The cards it is about, in notation."""
    match action:
        case Play(_, cards):
            return tuple(map(str, cards))
        case Take(_, card, more):
            return tuple(map(str, (card, *more)))
        case _:
            return ()


def _faces(speech: Speech, cards: tuple[Card, ...]) -> tuple[Face, ...]:
    return tuple(_face(speech, card) for card in cards)


def _face(speech: Speech, card: Card, place: str = "") -> Face:
    return Face(
        card=str(card),
        digit="A" if card.ace else str(card.number),
        colour="goat" if card.colour is None else card.colour.word,
        words=piece(speech, card),
        place=place,
    )


def _grid(speech: Speech, state: State, hand: Hand) -> tuple[tuple[Face, ...], ...]:
    rows = [
        tuple(
            _face(speech, card, _where(state, hand, card))
            for number in NUMBERS
            for card in (Card(number, colour),)
            if card in state.deck
        )
        for colour in colours_in_play(state.options, len(state.seats))
    ]
    if GOAT in state.deck:
        rows.append((_face(speech, GOAT, _where(state, hand, GOAT)),))
    return tuple(rows)


def _where(state: State, hand: Hand, card: Card) -> str:
    if card in hand.middle or card in hand.beaten:
        return "table"
    if card in hand.known[hand.to_move]:
        return "mine"
    if any(card in known for known in hand.known):
        return "held"
    if card in hand.discards and state.options.discards_public:  # A-ODIN-13
        return "gone"
    return ""
