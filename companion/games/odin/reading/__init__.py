"""What a table of Odin means. The set to beat lies in one lane, what beats it comes into the
other; a card taken back leaves the table, the rest goes to the discard zone.

The table is compared with the books: cards in the lanes that the books do not know are a play.
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
from companion.games.odin.layout import word_of
from companion.games.odin.reading.before import Start, counts, passes_to_round_end, starts, takes
from companion.games.odin.reading.hands import laid_open, read_hands
from companion.games.odin.reading.lanes import Table, variants
from companion.games.odin.rules.actions import Play
from companion.games.odin.rules.cards import Card
from companion.games.odin.rules.state import Hand, Phase, State, unknown_places
from companion.tabletop.observations import Thing
from companion.tabletop.readings import Desync, Reading

SWEPT, LIFTED = 0.97, 0.55
"""The middle lies on the discard pile: all have passed. It has gone: perhaps they have; or somebody
takes it up first and lays the set that beats it afterwards."""
NONE_TAKEN = 0.03
"""A set is beaten and all of it discarded: people do not forget to take a card so often."""
UNREAD_IN_SET = 0.12
"""What an unread card of a set may be, beside `UNREADABLE` of a single one: the others say its
colour or its number, so few cards are left that people would have laid to them."""
# Where the books believe a card to be, and how likely it is to be laid from a hand nevertheless
KNOWN, UNSEEN, NO_ROOM = 1.0, 0.2, 0.001
HELD_BY_OTHER, DISCARDED, ON_TABLE = 0.0005, 0.002, 0.0005
TWO_ALIKE = 0.0001
"""One card twice in a set: it exists once, so one of the two is another."""

_CENSUS = frozenset({"ODIN-INV-1", "ODIN-INV-4", "ODIN-COMP-1", "ODIN-COMP-2", "ODIN-COMP-3"})
"""Rules that say where cards are. Whoever breaks one was more likely misread than at fault."""


def read(state: State, scene: Scene) -> tuple[Reading, ...]:
    """Readings of what happened since the books' last entry; none if nothing did. A reading
    without lines only says which card is which."""
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
        if not seen.new:
            found += [replace(each, weight=each.weight * share) for each in _unplayed(state, seen)]
            continue
        odds, unread = _faces(state, seen.new)
        unknown += unread * share
        found += [
            replace(each, weight=each.weight * share)
            for start in starts(state, seen)
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
    table = Table.of(state, scene)
    missing = tuple(card for card in hand.middle if table.place(card) != "lane")
    if not missing and not table.new:
        return None
    lying = tuple(word_of(thing.label or "?") for thing in table.new)
    kept = tuple(str(card) for card in hand.middle if card not in missing)
    return Desync(
        books=tuple(map(str, hand.middle)),
        table=(*kept, *lying),
        readings=_adopting(state, table),
        about=table.new,
    )


def _adopting(state: State, table: Table) -> tuple[Reading, ...]:
    """What would have to be entered for the books to be as the table."""
    if table.new:
        return read_play(state, table)
    passes = passes_to_round_end(state)
    return (Reading(tuple(map(str, passes)), 1.0),) if passes else ()


def read_play(state: State, table: Table) -> tuple[Reading, ...]:
    seat = odin.to_move(state)
    words = [word_of(thing.label) for thing in table.new if thing.label is not None]
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
    """Joint readings of the cards by the pixels alone, and the weight of what stays unread."""
    most = {1: 8, 2: 6, 3: 4, 4: 3}.get(len(things), 2)
    each = [_cards(state, thing)[:most] for thing in things]
    found = [(tuple(card for card, _ in row), prod(p for _, p in row)) for row in product(*each)]
    read = prod(sum(p for _, p in row) for row in each)
    may_be = UNREADABLE if len(things) == 1 else UNREAD_IN_SET
    return found, max(0.0, 1.0 - read) * may_be * UNSEEN ** len(things)


def _cards(state: State, thing: Thing) -> list[tuple[Card, float]]:
    found = []
    for label, p in thing.odds:
        try:
            card = Card.parse(Word(word_of(label), 1))
        except BadNotation:
            continue
        if card in state.deck:
            found.append((card, p))
    return found


# The play


def _plays(start: Start, table: Table, cards: tuple[Card, ...], pixels: float) -> Iterator[Weighed]:
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
    """The play alone, or with the card taken up, if one has left the beaten set already."""
    disturbed = any(table.place(card) != "lane" for card in after.hand.beaten) if after.hand else 0
    if not made.legal or after.phase is not Phase.TAKE or not disturbed:
        yield made
        return
    for taken in takes(after, table):
        lines = (*made.lines, *map(str, taken.lines))
        yield replace(made, lines=lines, weight=made.weight * taken.weight, open_end=False)


def _open_end(hand: Hand, cards: tuple[Card, ...], table: Table) -> bool:
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


def _without_play(state: State, table: Table) -> Iterator[Weighed]:
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
    """The same; and if that is nothing, that nothing happened."""
    return [*_without_play(state, table)] or [Weighed((), 1.0, names=table.matched)]


def _lines(start: Start) -> tuple[str, ...]:
    return tuple(map(str, start.lines))
