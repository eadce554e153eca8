"""What a table of Odin means. The set to beat lies in one lane, what beats it comes into the
other; a card taken back leaves the table, the rest goes to the discard zone.

The table is compared with the books: cards in the lanes that the books do not know are a play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from companion.errors import BadNotation
from companion.interpret.scene import (
    ILLEGAL,
    LEAST,
    UNREADABLE,
    UNSAID,
    Scene,
    Weighed,
    odin_word,
    ranked,
)
from companion.pieces import Word
from companion.rules import odin
from companion.rules.core import Accepted
from companion.rules.odin.actions import Action, Count, Deal, Pass, Play, Take
from companion.rules.odin.cards import Card
from companion.rules.odin.state import Hand, Phase, State, goat_holders, unknown_places
from companion.settle import overlap
from companion.table import Desync, Reading, Thing

LANES, DISCARD = "middle", "discard"
ROUND_UNSAID = 0.0002
"""A round is over and nobody said so, while the middle still lies there to be beaten."""
ROUND_CLEARED = 0.6
"""The same, when the middle was cleared away: that is how people say it."""
SWEPT, LIFTED = 0.97, 0.55
"""The middle lies on the discard pile: all have passed. It has gone: perhaps they have; or somebody
takes it up first and lays the set that beats it afterwards."""
NONE_TAKEN = 0.03
"""A set is beaten and all of it discarded: people do not forget to take a card so often."""
MATCHED = 0.3
"""How likely a card must be the one the books expect there to be taken for it."""
FOUND_AGAIN = 0.6
TWICE, FOUND_TWICE = 0.7, 0.3
"""Cards that lie on each other by more than this share, and how often they are two indeed."""
PILED = 0.1
"""How likely a card on the discard pile must be the one that is missed."""
# Where the books believe a card to be, and how likely it is to be laid from a hand nevertheless
KNOWN, UNSEEN, NO_ROOM = 1.0, 0.2, 0.001
HELD_BY_OTHER, DISCARDED, ON_TABLE = 0.0005, 0.002, 0.0005
# A card of a beaten set: is it the one taken, or one of the others?
TAKEN = {"lane": 0.001, "gone": 1.0}
LEFT = {"lane": 0.8, "gone": 0.3, "discard": 1.0}

_CENSUS = frozenset({"ODIN-INV-1", "ODIN-INV-4", "ODIN-COMP-1", "ODIN-COMP-2", "ODIN-COMP-3"})
"""Rules that say where cards are. Whoever breaks one was more likely misread than at fault."""


def read(state: State, scene: Scene) -> tuple[Reading, ...]:
    """Readings of what happened since the books' last entry; none if nothing did. A reading
    without lines only says which card is which."""
    table = _Table.of(state, scene)
    if state.phase is Phase.OVER:
        return ()
    if not table.new:
        return ranked(_without_play(state, table)) or _named_only(table)
    found: list[Weighed] = []
    unknown = 0.0
    for seen, share in _variants(table, scene):
        odds, unread = _faces(state, seen.new)
        unknown += unread * share
        found += [
            replace(each, weight=each.weight * share)
            for start in _starts(state, seen)
            for cards, pixels in odds
            for each in _plays(start, seen, cards, pixels)
        ]
    most = max((each.weight for each in found), default=0.0)
    return ranked((each for each in found if each.weight > most * LEAST), unknown)


def on_table(state: State) -> frozenset[str]:
    """The cards the books have lying in the middle."""
    hand = state.hand
    return frozenset(map(str, (*hand.middle, *hand.beaten))) if hand is not None else frozenset()


def disagreement(state: State, scene: Scene) -> Desync | None:
    """The lanes as the books and as the table have them, if no entry would make them agree."""
    hand = state.hand
    if hand is None or hand.out is not None:
        return None
    table = _Table.of(state, scene)
    missing = tuple(card for card in hand.middle if table.place(card) != "lane")
    if not missing and not table.new:
        return None
    lying = tuple(odin_word(thing.label or "?") for thing in table.new)
    kept = tuple(str(card) for card in hand.middle if card not in missing)
    return Desync(
        books=tuple(map(str, hand.middle)),
        table=(*kept, *lying),
        readings=_adopting(state, table),
        about=table.new,
    )


def _adopting(state: State, table: _Table) -> tuple[Reading, ...]:
    """What would have to be entered for the books to be as the table."""
    if table.new:
        return read_play(state, table)
    passes = _passes_to_round_end(state)
    return (Reading(tuple(map(str, passes)), 1.0),) if passes else ()


def read_play(state: State, table: _Table) -> tuple[Reading, ...]:
    seat = odin.to_move(state)
    words = [odin_word(thing.label) for thing in table.new if thing.label is not None]
    if seat is None or not words or len(words) < len(table.new):
        return ()
    names = tuple(zip((thing.number for thing in table.new), words, strict=True))
    return (Reading((f"{seat} {' '.join(words)}",), 1.0, legal=False, names=names),)


# The table beside the books


@dataclass(frozen=True, slots=True)
class _Table:
    new: tuple[Thing, ...]
    """Cards in the lanes the books know nothing of, from left to right."""
    matched: tuple[tuple[int, str], ...]
    """Things found to be cards the books expect, but never saw laid."""
    places: dict[Card, str]
    """Where each card of the middle and of a beaten set is: lane, discard or gone."""
    doubts: dict[Card, float]
    """How likely a card that lies on the discard pile is another one."""
    clear: bool
    """Nothing of what the books know lies in the lanes."""

    def place(self, card: Card) -> str:
        return self.places.get(card, "gone")

    @classmethod
    def of(cls, state: State, scene: Scene) -> _Table:
        hand = state.hand
        lanes = scene.cards_in(LANES)
        named = {scene.names[t.number]: t for t in scene.things if t.number in scene.names}
        books = (*hand.middle, *hand.beaten) if hand is not None else ()
        matched = _matched([card for card in books if str(card) not in named], scene, lanes)
        lying = {**named, **dict(matched)}
        places: dict[Card, str] = {}
        doubts: dict[Card, float] = {}
        for card in books:
            places[card], doubts[card] = _place(card, lying.get(str(card)), scene)
        mine = {thing.number for _, thing in matched}
        new = tuple(t for t in scene.unnamed(lanes) if t.number not in mine)
        return cls(
            new=tuple(sorted(new, key=lambda thing: thing.middle)),
            matched=tuple((thing.number, word) for word, thing in matched),
            places=places,
            doubts=doubts,
            clear=len(new) == len(lanes),
        )


def _matched(due: list[Card], scene: Scene, lanes: Iterable[Thing]) -> list[tuple[str, Thing]]:
    """Cards entered by hand, found on the table."""
    free = list(scene.unnamed(lanes))
    found = []
    for card in due:
        best = max(free, key=lambda thing: _likely(thing, card), default=None)
        if best is not None and _is_meant(best, card, scene):
            free.remove(best)
            found.append((str(card), best))
    return found


def _is_meant(thing: Thing, card: Card, scene: Scene) -> bool:
    if str(card) in scene.names.values():  # it lay there before and was lost sight of
        return _likely(thing, card) >= FOUND_AGAIN
    return thing.since <= scene.entered_at or _likely(thing, card) >= MATCHED


def _likely(thing: Thing, card: Card) -> float:
    return max((p for label, p in thing.odds if odin_word(label) == str(card)), default=0.0)


def _place(card: Card, thing: Thing | None, scene: Scene) -> tuple[str, float]:
    if thing is not None:
        zone = scene.zone(thing)
        if zone is not None and zone.startswith(LANES):
            return "lane", 0.0
        if zone == DISCARD:
            return "discard", 0.0
    pile = scene.unnamed(scene.cards_in(DISCARD))
    best = max((_likely(each, card) for each in pile), default=0.0)
    return ("discard", 1.0 - best) if best >= PILED else ("gone", 0.0)


def _named_only(table: _Table) -> tuple[Reading, ...]:
    return (Reading((), 1.0, names=table.matched),) if table.matched else ()


def _variants(table: _Table, scene: Scene) -> Iterator[tuple[_Table, float]]:
    """The table as it is seen; and, where one card nearly lies on another, without either: it may
    be one card that was found twice."""
    lanes = scene.cards_in(LANES)
    twice = [
        thing
        for thing in table.new
        if any(
            overlap(thing.quad, [other.quad]) > TWICE
            for other in lanes
            if other is not thing and not (other.covered or thing.covered)
        )
    ]
    yield table, FOUND_TWICE if twice else 1.0
    for ghost in twice if len(table.new) > 1 else ():
        rest = tuple(thing for thing in table.new if thing is not ghost)
        matched = (*table.matched, (ghost.number, ""))
        yield replace(table, new=rest, matched=matched), (1 - FOUND_TWICE) / len(twice)


# What the new cards show


def _faces(
    state: State, things: tuple[Thing, ...]
) -> tuple[list[tuple[tuple[Card, ...], float]], float]:
    """Joint readings of the cards by the pixels alone, and the weight of what stays unread."""
    most = {1: 8, 2: 6, 3: 4, 4: 3}.get(len(things), 2)
    each = [_cards(state, thing)[:most] for thing in things]
    found = [(tuple(card for card, _ in row), prod(p for _, p in row)) for row in product(*each)]
    read = prod(sum(p for _, p in row) for row in each)
    return found, max(0.0, 1.0 - read) * UNREADABLE * UNSEEN ** len(things)


def _cards(state: State, thing: Thing) -> list[tuple[Card, float]]:
    found = []
    for label, p in thing.odds:
        try:
            card = Card.parse(Word(odin_word(label), 1))
        except BadNotation:
            continue
        if card in state.deck:
            found.append((card, p))
    return found


# What may have come before the play


@dataclass(frozen=True, slots=True)
class _Start:
    """Lines that lead to a state in which somebody plays."""

    state: State
    lines: tuple[Action, ...]
    weight: float


def _starts(state: State, table: _Table) -> Iterator[_Start]:
    match state.phase:
        case Phase.COUNT if table.clear and len(table.new) == 1:
            for counted in _counts(state):
                yield from _dealt(counted)
        case Phase.DEAL:
            yield from _dealt(_Start(state, (), 1.0))
        case Phase.TAKE:
            for taken in _takes(state, table):
                yield from _passed(taken, table)
        case Phase.LEAD | Phase.TURN:
            yield from _passed(_Start(state, (), 1.0), table)
        case _:
            return


def _counts(state: State) -> Iterator[_Start]:
    """The points follow from the sizes; only the goat may be anywhere."""
    hand = state.hand
    holders = goat_holders(state, hand) if hand is not None else ()
    for holder in holders:
        assert hand is not None  # noqa: S101 - there are no holders without
        yield from _entered(_Start(state, (), 1.0 / len(holders)), Count(hand.sizes, holder), 1.0)


def _dealt(start: _Start) -> Iterator[_Start]:
    following = start.state.next_starter
    seats = start.state.seats if following is None else (following,)
    for seat in seats:
        yield from _entered(start, Deal(seat), 1.0 / len(seats))


def _passed(start: _Start, table: _Table) -> Iterator[_Start]:
    """As it stands, or after passes nobody told of."""
    yield start
    before = start.weight
    cleared = bool(table.places) and "lane" not in table.places.values()
    hand = start.state.hand
    for _ in start.state.seats[1:]:
        if hand is None or start.state.phase is not Phase.TURN or start.state.hand is None:
            return
        owner, seat = start.state.hand.owner, start.state.hand.to_move
        after = next(_entered(start, Pass(seat), UNSAID), None)
        if after is None:
            return
        start = after
        if after.state.phase is Phase.LEAD:
            if owner is not None:
                told = ROUND_CLEARED * _emptied(hand, table) if cleared else ROUND_UNSAID
                yield replace(after, weight=before * told)
            return
        yield after


def _emptied(hand: Hand, table: _Table) -> float:
    """A lone card that left the table was more likely taken up by who beat it."""
    gone = [card for card in hand.middle if table.place(card) == "gone"]
    if not gone:
        return 1.0
    return 0.05 if len(hand.middle) == 1 else 0.3


def _entered(start: _Start, action: Action, weight: float) -> Iterator[_Start]:
    """Nothing, if the rules do not allow it."""
    verdict = odin.judge(start.state, action)
    if isinstance(verdict, Accepted):
        lines = (*start.lines, action)
        yield _Start(verdict.state, lines, start.weight * weight)


# The play


def _plays(
    start: _Start, table: _Table, cards: tuple[Card, ...], pixels: float
) -> Iterator[Weighed]:
    state, hand = start.state, start.state.hand
    if hand is None:
        return
    play = Play(hand.to_move, _in_order(cards))
    verdict = odin.judge(state, play)
    weight = start.weight * pixels * prod(_census(hand, card) for card in cards)
    if hand.middle and all(table.place(card) == "discard" for card in hand.middle):
        weight *= NONE_TAKEN
    blamed = False
    if isinstance(verdict, Accepted):
        after, legal = verdict.state, True
    else:
        legal = False
        blamed = all(each.rule not in _CENSUS for each in verdict.reasons)
        weight *= ILLEGAL
        let = odin.let_stand(state, play)
        after = let.state if isinstance(let, Accepted) else state
    made = Weighed(
        lines=tuple(map(str, (*start.lines, play))),
        weight=weight,
        pixels=pixels,
        legal=legal,
        blamed=blamed,
        names=(
            *table.matched,
            *((t.number, str(card)) for t, card in zip(table.new, cards, strict=True)),
        ),
        open_end=_open_end(hand, cards, table),
    )
    yield from _with_take(made, after, table)


def _with_take(made: Weighed, after: State, table: _Table) -> Iterator[Weighed]:
    """The play alone, or with the card taken up, if one has left the beaten set already."""
    disturbed = any(table.place(card) != "lane" for card in after.hand.beaten) if after.hand else 0
    if not made.legal or after.phase is not Phase.TAKE or not disturbed:
        yield made
        return
    for taken in _takes(after, table):
        lines = (*made.lines, *map(str, taken.lines))
        yield replace(made, lines=lines, weight=made.weight * taken.weight, open_end=False)


def _open_end(hand: Hand, cards: tuple[Card, ...], table: _Table) -> bool:
    """Could another card be laid to it yet?"""
    if any(table.place(card) != "lane" for card in hand.middle):
        return False  # who has touched the beaten set has finished laying
    if hand.middle:
        return len(cards) <= min(len(hand.middle), hand.sizes[hand.to_move] - 1)
    return 1 < len(cards) < hand.sizes[hand.to_move]


def _in_order(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """From high to low, as people say a set."""
    return tuple(sorted(cards, key=lambda card: (-card.number, str(card))))


def _census(hand: Hand, card: Card) -> float:
    """How likely the card is to come out of the hand of whoever is to move."""
    seat = hand.to_move
    if card in hand.known[seat]:
        return KNOWN
    if card in hand.middle or card in hand.beaten:
        return ON_TABLE
    if card in hand.discards:
        return DISCARDED
    if any(card in known for known in hand.known):
        return HELD_BY_OTHER
    return UNSEEN if unknown_places(hand, seat) > 0 else NO_ROOM


# Without a play


def _without_play(state: State, table: _Table) -> Iterator[Weighed]:
    match state.phase:
        case Phase.TAKE:
            for start in _takes(state, table):
                yield Weighed(_lines(start), start.weight, names=table.matched)
        case Phase.COUNT if table.clear:
            for start in _counts(state):
                yield Weighed(_lines(start), start.weight, names=table.matched)
        case Phase.TURN if "lane" not in table.places.values():
            passes = _passes_to_round_end(state)
            if passes:
                sure = SWEPT if "discard" in table.places.values() else LIFTED
                yield Weighed(tuple(map(str, passes)), sure)
                yield Weighed((), 1.0 - sure)
        case _:
            return


def _lines(start: _Start) -> tuple[str, ...]:
    return tuple(map(str, start.lines))


def _takes(state: State, table: _Table) -> Iterator[_Start]:
    """Which card of the beaten set went to the hand; nothing while all of it lies there."""
    hand = state.hand
    if hand is None or all(table.place(card) == "lane" for card in hand.beaten):
        return
    weights = {card: _taken(card, hand.beaten, table) for card in hand.beaten}
    whole = sum(weights.values())
    for card, weight in weights.items():
        yield from _entered(_Start(state, (), 1.0), Take(hand.to_move, card), weight / whole)


def _taken(card: Card, beaten: tuple[Card, ...], table: _Table) -> float:
    here = TAKEN.get(table.place(card), max(0.002, table.doubts.get(card, 0.0)))
    return here * prod(LEFT[table.place(other)] for other in beaten if other != card)


def _passes_to_round_end(state: State) -> list[Action]:
    start: _Start | None = _Start(state, (), 1.0)
    while start is not None and start.state.phase is Phase.TURN and start.state.hand is not None:
        start = next(_entered(start, Pass(start.state.hand.to_move), 1.0), None)
    over = start is not None and start.state.phase is Phase.LEAD
    return list(start.lines) if start is not None and over else []
