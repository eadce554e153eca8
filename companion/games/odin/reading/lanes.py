"""The lanes of Odin compared with the books: new cards, and where the known ones are now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.deciding.scene import Scene
from companion.games.odin.rules.cards import Card
from companion.games.odin.rules.state import State
from companion.tabletop.observations import Thing
from companion.tabletop.polygons import overlap

LANES = "middle"
"""How the names of both lanes' zones begin."""
DISCARD = "discard"
"""The zone of the discard pile."""
EXPECTED = 0.3
"""A thing is a card the books expect there if it is at least this likely to be it."""
FOUND_AGAIN = 0.6
"""The same for a card that lay there before and was lost sight of."""
SAME_SPOT = 0.7
"""Two cards that overlap by more than this share may be one card found twice."""
REALLY_TWO = 0.3
"""How often they are two nevertheless, if more cards are new."""
MADE_UP = 0.01
"""How often they are one if only that card is new: seldom enough for it to count as a play, too
often for anybody to be blamed for one."""
PILED = 0.1
"""A missing card lies on the discard pile if a card there is at least this likely to be it."""


@dataclass(frozen=True, slots=True)
class Table:
    """What lies in the lanes, beside the books."""

    new: tuple[Thing, ...]
    """Cards in the lanes that the books know nothing of, from left to right."""
    matched: tuple[tuple[int, str], ...]
    """Numbers of things, and the cards they are: cards the books expect, but never saw laid."""
    places: dict[Card, str]
    """Where each card of the middle and of a beaten set is: lane, discard or gone."""
    doubts: dict[Card, float]
    """How likely what is taken for a card on the discard pile is another one."""
    lying: dict[str, Thing]
    """The thing that is taken for each card."""
    clear: bool
    """Whether no card that the books know lies in the lanes."""

    def place(self, card: Card) -> str:
        return self.places.get(card, "gone")

    def mistaken(self, card: Card, other: Card) -> float:
        """How likely the thing that is taken for a card is that other one."""
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
    """The things in the lanes that are cards due there, such as those entered by hand."""
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
    return thing.since <= scene.entered_at or likely(thing, card) >= EXPECTED


def likely(thing: Thing, card: Card) -> float:
    """How likely a thing is that card."""
    return max((p for label, p in thing.odds if str(label) == str(card)), default=0.0)


def _place(card: Card, thing: Thing | None, scene: Scene) -> tuple[str, float]:
    """Where a card is (lane, discard or gone), and how likely it is another one that lies there."""
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
    """The table as it is seen, and ways it may be instead, each with its probability.

    Where a new card nearly lies on another, they may be one card found twice: then the table is
    also given without the new one.
    """
    lanes = scene.cards_in(LANES)
    doubles = [thing for thing in table.new if _may_be_double(thing, lanes)]
    lone = len(table.new) == 1
    two = (1 - MADE_UP if lone else REALLY_TWO) if doubles else 1.0
    yield table, two
    for double in doubles:
        rest = tuple(thing for thing in table.new if thing is not double)
        matched = table.matched if lone else (*table.matched, (double.number, ""))
        yield replace(table, new=rest, matched=matched), (1 - two) / len(doubles)


def _may_be_double(thing: Thing, lanes: Iterable[Thing]) -> bool:
    """Whether a card may be another one found twice: they nearly coincide, both in plain view."""
    plain = [other for other in lanes if other is not thing and not other.covered]
    if thing.covered:
        return False
    return any(overlap(thing.quad, [other.quad]) > SAME_SPOT for other in plain)
