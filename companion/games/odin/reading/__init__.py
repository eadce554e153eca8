"""Reading a table of Odin: what was played, taken or passed since the books' last entry.

The set to beat lies in one lane; the set that beats it comes into the other. The card that is taken
up leaves the table, and the rest of the beaten set goes to the discard zone. So cards in the lanes
that the books do not know of are a play.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import prod

from companion.core.game import Accepted
from companion.core.notation import Word
from companion.deciding.scene import ILLEGAL, LEAST, UNREADABLE, Scene, Weighed, ranked
from companion.foundation.errors import BadNotation
from companion.games.odin import rules as odin
from companion.games.odin.reading.hands import laid_open, read_hands
from companion.games.odin.reading.lanes import Table, variants
from companion.games.odin.reading.missing_entries import (
    Start,
    counts,
    passes_to_round_end,
    starts,
    takes,
)
from companion.games.odin.rules.actions import Play
from companion.games.odin.rules.cards import Card
from companion.games.odin.rules.state import Hand, Phase, State, unknown_places
from companion.tabletop.observations import Thing
from companion.tabletop.readings import Desync, Reading

SWEPT = 0.97
"""The set in the middle lies on the discard pile: how likely all have passed."""
LIFTED = 0.55
"""It has left the table: how likely all have passed. Else somebody takes the beaten set up first
and lays the set that beats it afterwards."""
NONE_TAKEN = 0.03
"""How likely a beaten set was discarded whole: people seldom forget to take a card."""
UNREAD_IN_SET = 0.12
"""The weight of an unread card in a set, where a single one has `UNREADABLE`. The other cards tell
its colour or its number, so there are few cards that people would have laid with them."""
# How likely a card is laid from a hand, by where the books believe it to be.
KNOWN = 1.0
"""In this very hand."""
UNSEEN = 0.2
"""Nobody knows."""
NO_ROOM = 0.001
"""Nobody knows, but all cards of this hand are known."""
HELD_BY_OTHER = 0.0005
DISCARDED = 0.002
ON_TABLE = 0.0005
TWO_ALIKE = 0.0001
"""How likely a set holds one card twice: it exists once, so one of the two was misread."""

_CENSUS = frozenset({"ODIN-INV-1", "ODIN-INV-4", "ODIN-COMP-1", "ODIN-COMP-2", "ODIN-COMP-3"})
"""Rules about where cards are. A play that breaks one was more likely misread than wrong."""


def read(state: State, scene: Scene) -> tuple[Reading, ...]:
    """Readings of what happened since the books' last entry, likeliest first; none if nothing did.

    A reading without lines says only which thing on the table is which card.
    """
    table = Table.of(state, scene)
    if state.phase is Phase.OVER:
        return ()
    if state.phase is Phase.COUNT and laid_open(scene):
        return read_hands(state, scene)
    if not table.new:
        return ranked(_without_play(state, table)) or _named_only(table)
    found: list[Weighed] = []
    unknown = 0.0
    for seen, share in variants(table, scene):
        readings, unread = _read_variant(state, seen)
        unknown += unread * share
        found += [replace(each, weight=each.weight * share) for each in readings]
    most = max((each.weight for each in found), default=0.0)
    return ranked((each for each in found if each.weight > most * LEAST), unknown)


def _read_variant(state: State, table: Table) -> tuple[list[Weighed], float]:
    """Readings of one way to see the table, and the weight of what cannot be read."""
    if not table.new:
        return _unplayed(state, table), 0.0
    odds, unread = _faces(state, table.new)
    readings = [
        each
        for start in starts(state, table)
        for cards, pixels in odds
        for each in _plays(start, table, cards, pixels)
    ]
    return readings, unread


def on_table(state: State) -> frozenset[str]:
    """The cards that lie in the lanes, as the books have it."""
    hand = state.hand
    return frozenset(map(str, (*hand.middle, *hand.beaten))) if hand is not None else frozenset()


def disagreement(state: State, scene: Scene) -> Desync | None:
    """How the books and the table differ in the lanes; None if they agree."""
    hand = state.hand
    if hand is None or hand.out is not None:
        return None
    table = Table.of(state, scene)
    missing = tuple(card for card in hand.middle if table.place(card) != "lane")
    if not missing and not table.new:
        return None
    lying = tuple(str(thing.label or "?") for thing in table.new)
    kept = tuple(str(card) for card in hand.middle if card not in missing)
    return Desync(
        books=tuple(map(str, hand.middle)),
        table=(*kept, *lying),
        readings=_adopting(state, table),
        about=table.new,
    )


def _adopting(state: State, table: Table) -> tuple[Reading, ...]:
    """What would have to be entered for the books to agree with the table."""
    if table.new:
        return read_play(state, table)
    passes = passes_to_round_end(state)
    return (Reading(tuple(map(str, passes)), 1.0),) if passes else ()


def read_play(state: State, table: Table) -> tuple[Reading, ...]:
    """The new cards as a play of whoever is to move, whether it is legal or not."""
    seat = odin.to_move(state)
    words = [str(thing.label) for thing in table.new if thing.label is not None]
    if seat is None or not words or len(words) < len(table.new):
        return ()
    names = tuple(zip((thing.number for thing in table.new), words, strict=True))
    return (Reading((f"{seat} {' '.join(words)}",), 1.0, legal=False, names=names),)


def _named_only(table: Table) -> tuple[Reading, ...]:
    return (Reading((), 1.0, names=table.matched),) if table.matched else ()


# What the new cards show


def _faces(
    state: State, things: tuple[Thing, ...]
) -> tuple[list[tuple[tuple[Card, ...], float]], float]:
    """What the cards may be together, by the pixels alone; and the weight of what stays unread."""
    most = {1: 8, 2: 6, 3: 4, 4: 3}.get(len(things), 2)
    each = [_cards(state, thing)[:most] for thing in things]
    found = [(tuple(card for card, _ in row), prod(p for _, p in row)) for row in product(*each)]
    read = prod(sum(p for _, p in row) for row in each)
    may_be = UNREADABLE if len(things) == 1 else UNREAD_IN_SET
    return found, max(0.0, 1.0 - read) * may_be * UNSEEN ** len(things)


def _cards(state: State, thing: Thing) -> list[tuple[Card, float]]:
    """The cards of this game that a thing may be, with their probabilities."""
    found = []
    for label, p in thing.odds:
        try:
            card = Card.parse(Word(str(label), 1))
        except BadNotation:
            continue
        if card in state.deck:
            found.append((card, p))
    return found


# The play


def _plays(start: Start, table: Table, cards: tuple[Card, ...], pixels: float) -> Iterator[Weighed]:
    """These cards as a play, weighed by the pixels, by what the books know, and by the rules."""
    state, hand = start.state, start.state.hand
    if hand is None:
        return
    play = Play(hand.to_move, _in_order(cards))
    verdict = odin.judge(state, play)
    weight = start.weight * pixels * prod(_census(hand, card) for card in cards)
    if len(set(cards)) < len(cards):
        weight *= TWO_ALIKE
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


def _with_take(made: Weighed, after: State, table: Table) -> Iterator[Weighed]:
    """The play alone; or, if a card has left the beaten set already, with that card taken up."""
    disturbed = any(table.place(card) != "lane" for card in after.hand.beaten) if after.hand else 0
    if not made.legal or after.phase is not Phase.TAKE or not disturbed:
        yield made
        return
    for taken in takes(after, table):
        lines = (*made.lines, *map(str, taken.lines))
        yield replace(made, lines=lines, weight=made.weight * taken.weight, open_end=False)


def _open_end(hand: Hand, cards: tuple[Card, ...], table: Table) -> bool:
    """Whether another card may still be laid to the set."""
    if any(table.place(card) != "lane" for card in hand.middle):
        return False  # whoever touches the beaten set has finished laying
    if hand.middle:
        return len(cards) <= min(len(hand.middle), hand.sizes[hand.to_move] - 1)
    return 1 < len(cards) < hand.sizes[hand.to_move]


def _in_order(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """From high to low, as people name the cards of a set."""
    return tuple(sorted(cards, key=lambda card: (-card.number, str(card))))


def _census(hand: Hand, card: Card) -> float:
    """How likely the card comes out of the hand of whoever is to move, by the books."""
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


def _without_play(state: State, table: Table) -> Iterator[Weighed]:
    """What may have happened if no new cards lie in the lanes: a card taken, a count, passes."""
    match state.phase:
        case Phase.TAKE:
            for start in takes(state, table):
                yield Weighed(_lines(start), start.weight, names=table.matched)
        case Phase.COUNT if table.clear:
            for start in counts(state):
                yield Weighed(_lines(start), start.weight, names=table.matched)
        case Phase.TURN if "lane" not in table.places.values():
            passes = passes_to_round_end(state)
            if passes:
                sure = SWEPT if "discard" in table.places.values() else LIFTED
                yield Weighed(tuple(map(str, passes)), sure)
                yield Weighed((), 1.0 - sure)
        case _:
            return


def _unplayed(state: State, table: Table) -> list[Weighed]:
    """The same; or, if that is nothing, the reading that nothing happened."""
    return [*_without_play(state, table)] or [Weighed((), 1.0, names=table.matched)]


def _lines(start: Start) -> tuple[str, ...]:
    return tuple(map(str, start.lines))
