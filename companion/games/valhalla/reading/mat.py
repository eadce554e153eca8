"""What lies where on the mat of Valhalla, in the words of the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from companion.core.notation import Seat
from companion.deciding.scene import Guess, Scene, Weighed, joint, judged, unread
from companion.games.valhalla import rules as valhalla
from companion.games.valhalla.rules.cards import Card, is_deity
from companion.games.valhalla.rules.options import cards_in_play
from companion.games.valhalla.rules.state import State
from companion.tabletop.observations import Corner, TableChange, Thing, What
from companion.tabletop.zones import size
from companion.tracking.matching import is_back

Found = tuple[list[Weighed], float]
"""Readings with their weights, and the weight of what could not be read."""
NOTHING: Found = ([], 0.0)

CENSUS = frozenset({"VLLA-COMP-1", "VLLA-COMP-3"})
"""Rules about how many cards there are. What breaks one was more likely misread than wrong."""
SHOWS = 0.3
"""A pile shows a card if what lies on top is at least this likely to be it."""
MISREAD = 0.02
"""A thing less likely than this to be a card is not that card ..."""
CLEARLY = 0.9
"""... if it is another one at least this likely."""
MOST_KINDS = 5
"""Kinds that one card may be that are followed up."""


def weighed(state: State, guesses: Iterable[Guess]) -> list[Weighed]:
    """The guesses with what the rules say of each."""
    return [judged(valhalla, state, each, CENSUS) for each in guesses]


# One card


def words(state: State, thing: Thing) -> Mapping[str, float]:
    """What a thing may be among the cards in play, with the probabilities. Deities are one kind
    unless the options tell them apart."""
    deck = cards_in_play(state.options)
    found: dict[str, float] = {}
    for label, p in thing.odds:
        try:
            card = Card(str(label))
        except ValueError:
            continue
        word = str(card) if card in deck else "deity" if is_deity(card) else ""
        if word:
            found[word] = found.get(word, 0.0) + p
    return found


def kinds(state: State, thing: Thing) -> list[tuple[str, float]]:
    """What a thing may be, likeliest first, also by how often the deck has each kind.

    Half of the probability that the pixels leave open is shared out in that way: then the table can
    be asked which one it is, even of a card that cannot be read at all.
    """
    deck = cards_in_play(state.options)
    seen = words(state, thing)
    left = max(0.0, 1.0 - sum(p for _, p in thing.odds)) / 2 / sum(deck.values())
    odds = {str(card): seen.get(str(card), 0.0) + left * copies for card, copies in deck.items()}
    order = sorted(odds.items(), key=lambda each: -each[1])
    return [each for each in order if each[1] > 0.0][:MOST_KINDS]


def best(state: State, thing: Thing) -> str:
    """What a thing most likely is, by the pixels alone."""
    seen = words(state, thing)
    return max(seen, key=lambda word: seen[word], default="?")


def as_read(
    state: State, things: Sequence[Thing], most: int
) -> list[tuple[tuple[str, ...], float]]:
    """What several cards may be together, likeliest first."""
    return joint([kinds(state, thing) for thing in things], most)


def unknown(state: State, things: Iterable[Thing]) -> float:
    """The weight of what the things may be besides the kinds followed up."""
    return unread([kinds(state, thing) for thing in things])


def named(things: Sequence[Thing], told: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """The things' numbers, each with the card it is told to be."""
    return tuple((thing.number, word) for thing, word in zip(things, told, strict=True))


# Places of the seats


def cards(scene: Scene, zone: str) -> tuple[Thing, ...]:
    """Cards in a zone that nothing was laid over, face up or down, the oldest first."""
    return tuple(
        thing
        for thing in scene.things
        if thing.kind == "card" and not thing.covered and scene.zone(thing) == zone
    )


def top(scene: Scene, zone: str) -> Thing | None:
    """The card that came last to a zone."""
    lying = cards(scene, zone)
    return lying[-1] if lying else None


def slots(scene: Scene, seat: Seat) -> tuple[Thing, ...]:
    """The cards that lie as Main and Support, in this order, face up or down."""
    tops = (
        [each for each in cards(scene, zone) if not crosswise(scene, each)][-1:]
        for zone in (f"{seat}.main", f"{seat}.support")
    )
    return tuple(thing for each in tops for thing in each)


def crosswise(scene: Scene, thing: Thing) -> bool:
    """Whether it lies across its zone, as lost cards do, and not along it."""
    zone = scene.zone(thing)
    if zone is None:
        return False
    wide, high = size(scene.zones[zone])
    across, down = _side(thing.quad[0], thing.quad[1]), _side(thing.quad[1], thing.quad[2])
    long = down if hypot(*down) >= hypot(*across) else across
    return (abs(long[0]) > abs(long[1])) != (wide > high)


def _side(one: Corner, other: Corner) -> Corner:
    return other[0] - one[0], other[1] - one[1]


def pile_shows(state: State, scene: Scene, seat: Seat, word: str) -> bool:
    """Whether the seat's discard pile has such a card on top."""
    thing = top(scene, f"{seat}.discard")
    return thing is not None and words(state, thing).get(word, 0.0) >= SHOWS


def pile_top(state: State, seat: Seat) -> str:
    """The card that the books have on top of the seat's discard pile; empty if there is none."""
    pile = state.players[seat].discard
    return str(pile[-1]) if pile else ""


# What has changed


def fresh(scene: Scene, things: Iterable[Thing]) -> list[Thing]:
    """Those that are not entered yet.

    If a card that was entered is taken away and a like one is laid soon after, it looks as if the
    first had come back, or come over from another zone. So such a card counts as not entered.
    """
    again = {each.thing.number for each in scene.changes if _laid_anew(scene, each)}
    return [each for each in things if each.number not in scene.names or each.number in again]


def _laid_anew(scene: Scene, change: TableChange) -> bool:
    if change.what is What.MOVED and change.before is not None:
        return scene.zone(change.before) != scene.zone(change.thing)
    return change.what is What.WITHDRAWN


def came(scene: Scene, thing: Thing) -> bool:
    """Whether it was put where it lies since the last entry."""
    return any(
        each.thing.number == thing.number and each.what in (What.APPEARED, What.MOVED)
        for each in scene.changes
    )


def on_reveal(scene: Scene) -> tuple[Thing, ...]:
    """Cards on the reveal spot that are not entered yet, from left to right."""
    lying = [each for each in cards(scene, "reveal") if not is_back(each.label)]
    return tuple(sorted(fresh(scene, lying), key=lambda thing: thing.middle))


def gone(scene: Scene, zone: str) -> Iterator[TableChange]:
    """The things that have left a zone, and the table, since the last entry."""
    for each in scene.changes:
        if each.what in (What.VANISHED, What.WITHDRAWN) and scene.zone(each.thing) == zone:
            yield each


# The armory row


@dataclass(frozen=True, slots=True)
class Row:
    """The armory compared with the books."""

    new: tuple[Thing, ...]
    """Cards that the books know nothing of, the oldest first."""
    missing: tuple[str, ...]
    """Kinds of cards that the books have there and that are not seen."""

    @classmethod
    def of(cls, state: State, scene: Scene) -> Row:
        """Match the cards that lie there with those that are due.

        The likeliest pairs come first. Then as many of the rest as possible count as misread: a
        card that is badly seen is still the card that lay there. A card that another was laid over
        may have been taken away, so it is never new. A card that is due may be on its way, on the
        reveal spot.
        """
        lying = scene.cards_in("armory")
        free, due = _placed(state, lying, [str(card) for card in state.armory])
        _, missing = _placed(state, scene.cards_in("reveal"), due)
        new = [each for each in free if not each.covered]
        return cls(tuple(sorted(new, key=lambda t: (t.since, t.middle))), tuple(missing))


def _placed(state: State, things: Sequence[Thing], due: list[str]) -> tuple[list[Thing], list[str]]:
    """The things that are none of the cards due, and the cards due that are none of the things."""
    free, wanted = list(things), list(due)
    odds = {each.number: words(state, each) for each in things}
    pairs = [
        (not each.covered, odds[each.number].get(word, 0.0), -each.since, each, word)
        for each in things
        for word in dict.fromkeys(due)
    ]
    for _, p, _, thing, word in sorted(pairs, key=lambda pair: pair[:3], reverse=True):
        if thing in free and word in wanted and not _surely_another(odds[thing.number], p):
            free.remove(thing)
            wanted.remove(word)
    return free, wanted


def _surely_another(odds: Mapping[str, float], p: float) -> bool:
    return p < MISREAD and max(odds.values(), default=0.0) >= CLEARLY
