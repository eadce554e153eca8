"""A table of Odin beside the books: what lies in the lanes, and where the cards are that the books
know of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.deciding.scene import Scene
from companion.games.odin.layout import word_of
from companion.games.odin.rules.cards import Card
from companion.games.odin.rules.state import State
from companion.tabletop.observations import Thing
from companion.tabletop.polygons import overlap

LANES, DISCARD = "middle", "discard"
MATCHED = 0.3
"""How likely a card must be the one the books expect there to be taken for it."""
FOUND_AGAIN = 0.6
TWICE, FOUND_TWICE = 0.7, 0.3
"""Cards that lie on each other by more than this share, and how often they are two indeed."""
MADE_UP = 0.01
"""How often a lone card that nearly lies on a known one in plain view is none: seldom enough for a
play to count, too often for anybody to be blamed for one."""
PILED = 0.1
"""How likely a card on the discard pile must be the one that is missed."""


@dataclass(frozen=True, slots=True)
class Table:
    new: tuple[Thing, ...]
    """Cards in the lanes the books know nothing of, from left to right."""
    matched: tuple[tuple[int, str], ...]
    """Things found to be cards the books expect, but never saw laid."""
    places: dict[Card, str]
    """Where each card of the middle and of a beaten set is: lane, discard or gone."""
    doubts: dict[Card, float]
    """How likely a card that lies on the discard pile is another one."""
    lying: dict[str, Thing]
    """What is taken for which card."""
    clear: bool
    """Nothing of what the books know lies in the lanes."""

    def place(self, card: Card) -> str:
        return self.places.get(card, "gone")

    def mistaken(self, card: Card, other: Card) -> float:
        """How likely what is taken for a card is that other one."""
        thing = self.lying.get(str(card))
        if thing is None:
            return 0.0
        it, that = likely(thing, card), likely(thing, other)
        return that / (it + that) if that > 0 else 0.0

    @classmethod
    def of(cls, state: State, scene: Scene) -> Table:
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
            lying=lying,
            clear=len(new) == len(lanes),
        )


def _matched(due: list[Card], scene: Scene, lanes: Iterable[Thing]) -> list[tuple[str, Thing]]:
    """Cards entered by hand, found on the table."""
    free = list(scene.unnamed(lanes))
    found = []
    for card in due:
        best = max(free, key=lambda thing: likely(thing, card), default=None)
        if best is not None and _is_meant(best, card, scene):
            free.remove(best)
            found.append((str(card), best))
    return found


def _is_meant(thing: Thing, card: Card, scene: Scene) -> bool:
    if str(card) in scene.names.values():  # it lay there before and was lost sight of
        return likely(thing, card) >= FOUND_AGAIN
    return thing.since <= scene.entered_at or likely(thing, card) >= MATCHED


def likely(thing: Thing, card: Card) -> float:
    return max((p for label, p in thing.odds if word_of(label) == str(card)), default=0.0)


def _place(card: Card, thing: Thing | None, scene: Scene) -> tuple[str, float]:
    if thing is not None:
        zone = scene.zone(thing)
        if zone is not None and zone.startswith(LANES):
            return "lane", 0.0
        if zone == DISCARD:
            return "discard", 0.0
    pile = scene.unnamed(scene.cards_in(DISCARD))
    best = max((likely(each, card) for each in pile), default=0.0)
    return ("discard", 1.0 - best) if best >= PILED else ("gone", 0.0)


def variants(table: Table, scene: Scene) -> Iterator[tuple[Table, float]]:
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
    lone = len(table.new) == 1
    two = (1 - MADE_UP if lone else FOUND_TWICE) if twice else 1.0
    yield table, two
    for ghost in twice:
        rest = tuple(thing for thing in table.new if thing is not ghost)
        matched = table.matched if lone else (*table.matched, (ghost.number, ""))
        yield replace(table, new=rest, matched=matched), (1 - two) / len(twice)
