"""What the live page shows of a camera: crops with their alternatives, and the simulated table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from companion.core.notation import seats
from companion.dashboard.parts import SimulatedTable, TableSide
from companion.dashboard.watched.visitors import Choosing, choosing, held
from companion.ledger.referee import Moment
from companion.tabletop.deck_offers import DeckOffer
from companion.tabletop.readings import Desync, Question
from companion.views.speech import Speech
from companion.views.watched import CardName, cards_named
from companion.views.words import HandCard

LOOKED_BACK = 8
"""Entries that can be disputed and put right by their pictures."""
MOST_LEARNT = 4
"""Cards a look can be learnt as, by one tap."""


@dataclass(frozen=True, slots=True)
class Watched:
    things: Mapping[int, tuple[int, ...]]
    """What an entry was read from, by its number: their pictures are shown, and put right."""
    disputed: Mapping[int, str]
    learnable: tuple[tuple[int, tuple[CardName, ...]], ...]
    """Things that are asked about, and the cards they may be."""
    offer: DeckOffer | None = None
    """The deck on the table, if nearly all of it was seen in play; ..."""
    missing: tuple[CardName, ...] = ()
    """... the cards that were not, ..."""
    offer_told: str = ""
    """... and what came of it."""


@dataclass(frozen=True, slots=True)
class Simulated:
    game: str
    seats: tuple[tuple[str, str], ...]
    """Letter and name."""
    seat: str
    """Where somebody sits in a bot's place; empty if the bots play alone."""
    name: str
    hand: tuple[HandCard, ...]
    asked: Choosing | None
    """What they are to choose, when it is their turn."""
    asks_next: bool = False
    """The camera asks about the next play: somebody wants to see a question."""


def watched_part(table: TableSide, moment: Moment, speech: Speech) -> Watched:
    session = moment.session
    entries = () if session is None else tuple(islice(session.entries, LOOKED_BACK))
    seqs = [entry.event.seq for entry in entries]
    opinion = moment.opinion
    about = opinion.about if isinstance(opinion, Question | Desync) else ()
    deck = table.offer()
    offered = [(each.number, table.likely(each.number)[:MOST_LEARNT]) for each in about]
    return Watched(
        things={seq: tuple(each.thing for each in table.alternatives(seq)) for seq in seqs},
        disputed={seq: table.disputed(seq) for seq in seqs},
        learnable=tuple((thing, cards_named(speech, words)) for thing, words in offered if words),
        offer=deck,
        missing=() if deck is None else cards_named(speech, deck.missing),
        offer_told="" if deck is None or deck.told is None else speech.told(deck.told),
    )


def simulated_part(
    table: SimulatedTable, speech: Speech | None, *, asks_next: bool = False
) -> Simulated:
    visitors, asked = table.visitors, table.visitors.asked
    names = () if speech is None else speech.names
    seat = visitors.seat
    return Simulated(
        game=table.text.partition(",")[0],
        seats=tuple((str(each), names[each]) for each in seats(len(names))),
        seat="" if seat is None else str(seat),
        name="" if seat is None or seat >= len(names) else names[seat],
        hand=() if speech is None else held(speech, visitors.hand),
        asked=None if speech is None or asked is None else choosing(speech, asked),
        asks_next=asks_next,
    )
