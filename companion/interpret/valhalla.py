"""What a table of Valhalla means. Cards lie in zones: Main, Support and discard pile of every seat,
the armory, the reveal spot and the graveyard. Copies of a card are alike, so piles and rows are
compared with the books by kind.

Draws nobody else sees, and whom a Main is aimed at, no camera can tell: they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from types import MappingProxyType

from companion.interpret.scene import (
    Guess,
    Scene,
    Weighed,
    joint,
    judged,
    matched,
    ranked,
    unread,
)
from companion.pieces import Seat
from companion.rules import valhalla
from companion.rules.core import Accepted
from companion.rules.valhalla.actions import Action, Declare, Draw, Fetch, Lose, Place, Stand
from companion.rules.valhalla.cards import Card, is_deity
from companion.rules.valhalla.draugr import stand_size
from companion.rules.valhalla.options import cards_in_play
from companion.rules.valhalla.state import Phase, State
from companion.table import Desync, Reading, Thing, What

_CENSUS = frozenset({"VLLA-COMP-1", "VLLA-COMP-3"})
DRAWN = 0.8
"""Who did something nobody saw has more likely drawn than done nothing."""
OWN = 0.98
"""A card that went from one zone to another was moved by whoever it belongs to."""
DUG = 0.25
"""A lost card that also lies deeper in the pile: was it dug out of there?"""
MOST_KINDS = 3
"""Kinds of one card that are considered."""


def read(state: State, scene: Scene) -> tuple[Reading, ...]:
    found, unknown = _guesses(state, scene)
    return ranked(found, unknown)


def on_table(_state: State) -> frozenset[str]:
    return frozenset()  # copies are alike: a name lasts as long as its thing


def disagreement(state: State, scene: Scene) -> Desync | None:
    """The armory, whose cards all can see at all times."""
    row = _Row.of(state, scene)
    if state.over or not (row.new or row.missing):
        return None
    lying = tuple(_best(state, thing) for thing in scene.cards_in("armory"))
    return Desync(tuple(map(str, state.armory)), lying, (), row.new)


def _guesses(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """Weighed readings, and the weight of what could not be read."""
    if state.phase in _CERTAIN:
        return _weighed(state, _CERTAIN[state.phase](state, scene)), 0.0
    reading = _BY_PHASE.get(state.phase)
    return ([], 0.0) if reading is None else reading(state, scene)


def _weighed(state: State, guesses: Iterator[Guess]) -> list[Weighed]:
    return [judged(valhalla, state, each, _CENSUS) for each in guesses]


# Cards in words


def _words(state: State, thing: Thing) -> Mapping[str, float]:
    """What a thing may be among the cards in play; Deities are one kind unless told apart."""
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


def _kinds(state: State, thing: Thing) -> list[tuple[str, float]]:
    return sorted(_words(state, thing).items(), key=lambda each: -each[1])[:MOST_KINDS]


def _best(state: State, thing: Thing) -> str:
    kinds = _kinds(state, thing)
    return kinds[0][0] if kinds else "?"


# Laying and turning up


def _slots(scene: Scene, seat: Seat) -> tuple[Thing, ...]:
    """What lies as Main and Support, Main first, face up or down."""
    zones = (f"{seat}.main", f"{seat}.support")
    return tuple(thing for zone in zones for thing in _top(scene, zone))


def _top(scene: Scene, zone: str) -> tuple[Thing, ...]:
    lying = [*scene.cards_in(zone), *scene.backs_in(zone)]
    open_ones = [thing for thing in lying if not thing.covered]
    return tuple(open_ones[-1:])


def _ready(state: State, scene: Scene) -> Iterator[Guess]:
    """VLLA-STR-1: two backs, or one from a hand of one."""
    backs = {thing.number for thing in scene.backs_in("")}
    laid = [
        seat
        for seat in state.waiting
        if len(_slots(scene, seat)) >= min(2, state.players[seat].layable)
        and all(thing.number in backs for thing in _slots(scene, seat))
    ]
    if laid:
        yield Guess(tuple(f"{seat} ready" for seat in laid), 1.0)
    for seat in state.playing_order:  # turned up before all are ready
        things = _slots(scene, seat)
        if state.players[seat].down and len(things) >= state.players[seat].down:
            faces = [_kinds(state, thing) for thing in things if thing.number not in backs]
            if len(faces) == len(things) and all(faces):
                words, p = joint(faces, 1)[0]
                yield Guess((f"{seat} reveals {' '.join(words)}",), p, p)


def _revealed(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """VLLA-STR-2: every seat whose cards lie face up, Main before Support."""
    backs = {thing.number for thing in scene.backs_in("")}
    shown = {
        seat: things
        for seat in state.waiting
        if len(things := _slots(scene, seat)) >= state.players[seat].down
        and not any(thing.number in backs for thing in things)
    }
    if not shown:
        return [], 0.0
    each = {
        seat: joint([_kinds(state, thing) for thing in things], 6) for seat, things in shown.items()
    }
    unknown = unread([_kinds(state, t) for things in shown.values() for t in things])
    best = {seat: options[0] for seat, options in each.items() if options}
    if len(best) < len(each):
        return [], 1.0
    guesses = [_reveal(best)]
    for seat, options in each.items():  # one seat misread at a time is enough to consider
        guesses += [_reveal({**best, seat: option}) for option in options[1:]]
    return _weighed(state, iter(guesses)), unknown


def _reveal(seats: Mapping[Seat, tuple[tuple[str, ...], float]]) -> Guess:
    pixels = 1.0
    for _, p in seats.values():
        pixels *= p
    lines = tuple(f"{seat} reveals {' '.join(words)}" for seat, (words, _) in seats.items())
    return Guess(lines, pixels, pixels)


# The armory row


class _Row:
    """The armory beside the books: cards they know nothing of, and kinds that are missing."""

    def __init__(self, new: tuple[Thing, ...], missing: tuple[str, ...]) -> None:
        self.new = new
        self.missing = missing

    @classmethod
    def of(cls, state: State, scene: Scene) -> _Row:
        lying = sorted(scene.cards_in("armory"), key=lambda thing: thing.covered)
        due = [str(card) for card in state.armory]
        found, missing = matched(due, lying, lambda thing: _words(state, thing))
        new = [t for t in lying if t.number not in found and not t.covered]
        return cls(tuple(sorted(new, key=lambda t: (t.since, t.middle))), missing)


def _armed(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """VLLA-BAT-3: new cards in the row, in the order they came."""
    new = _Row.of(state, scene).new
    if not new:
        return [], 0.0
    odds = [_kinds(state, thing) for thing in new]
    found = [Guess(tuple(f"armory {word}" for word in words), p, p) for words, p in joint(odds, 24)]
    return _weighed(state, iter(found)), unread(odds)


def _left_armory(state: State, scene: Scene) -> Iterator[Guess]:
    """VLLA-BAT-6, A-20: a card leaves the row, in playing order."""
    missing = _Row.of(state, scene).missing
    verb = "takes" if state.phase is Phase.SPOILS else "returns"
    for word in dict.fromkeys(missing):
        if state.waiting:
            yield Guess((f"{state.waiting[0]} {verb} {word}",), 1.0)


# The Strategy Phase


def _strategy(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    shown, unknown = _drawn(state, scene)
    found = [*_weighed(state, _taken(state, scene)), *shown]
    found += _weighed(state, _declared(state, scene))
    if found:
        return found, unknown
    return _gone_on(state, scene)


def _taken(state: State, scene: Scene) -> Iterator[Guess]:
    """VLLA-STR-4b: out of the row and onto somebody's pile."""
    missing = _Row.of(state, scene).missing
    for word, seat in product(dict.fromkeys(missing), state.playing_order):
        if _pile_shows(state, scene, seat, word):
            yield Guess((f"{seat} takes {word}",), 1.0 if _stirred(scene, seat) else 0.02)


def _stirred(scene: Scene, seat: Seat) -> bool:
    """Has anything come to the seat's pile since the last entry?"""
    return any(scene.zone(each.thing) == f"{seat}.discard" for each in scene.changes)


def _pile_shows(state: State, scene: Scene, seat: Seat, word: str) -> bool:
    top = _top(scene, f"{seat}.discard")
    return bool(top) and _words(state, top[0]).get(word, 0.0) >= 0.3


def _declared(state: State, scene: Scene) -> Iterator[Guess]:
    """VLLA-STR-6: a used Main goes to the pile. Whom it is aimed at, nobody sees."""
    for seat in state.playing_order:
        main = state.players[seat].main
        if main is None or main is Card.WOLF or _top(scene, f"{seat}.main"):
            continue
        if _pile_shows(state, scene, seat, str(main)):
            aims = [a for a in valhalla.actions(state) if _declares(a, seat)]
            yield from (Guess((str(aim),), 1.0 / len(aims)) for aim in aims)


def _declares(action: Action, seat: Seat) -> bool:
    return isinstance(action, Declare) and action.seat is seat


def _drawn(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """VLLA-STR-4a, VLLA-AXE: cards shown on the reveal spot."""
    lying = _on_reveal(scene)
    if not lying or not state.waiting:
        return [], 0.0
    seat = state.waiting[0]
    draws = [a for a in valhalla.actions(state) if isinstance(a, Draw) and a.seat is seat]
    return _shown_as(state, scene, [(a, a.shown, a.keeps) for a in draws if a.shown])


def _shown_as(
    state: State,
    scene: Scene,
    actions: list[tuple[Action, tuple[Card, ...], tuple[Card, ...]]],
) -> tuple[list[Weighed], float]:
    """Actions that show cards, held against the reveal spot. A card that is kept may have left it
    again: then the rest of what was shown lies there still."""
    lying = _on_reveal(scene)
    left = _left_reveal(state, scene, min((each.since for each in lying), default=0.0))
    odds = [_kinds(state, thing) for thing in lying]
    rows = joint(odds, 24)
    found = []
    for action, shown, keeps in actions:
        whole = sorted(map(str, shown))
        for words, p in rows:
            if sorted((*words, *left)) == whole:
                fits = sorted(left) == sorted(map(str, keeps)) or not keeps
                only = len(set(shown) - {Card.DRAUGR}) <= 1
                if left and not fits:
                    continue
                weight = p if fits or only else 0.0
                if weight:
                    line = _in_order(action, (*words, *left))
                    found.append(Guess((line,), weight, p, _named(lying, words)))
    return _weighed(state, iter(found)), unread(odds)


def _in_order(action: Action, words: tuple[str, ...]) -> str:
    """The action with its cards as they lie, from left to right."""
    shown = tuple(map(Card, words))
    return str(replace(action, shown=shown) if isinstance(action, Draw | Stand) else action)


def _on_reveal(scene: Scene) -> tuple[Thing, ...]:
    """Cards on the reveal spot that have not been entered yet."""
    lying = [each for each in scene.unnamed(scene.cards_in("reveal")) if not each.covered]
    return tuple(sorted(lying, key=lambda thing: thing.middle))


def _named(things: Sequence[Thing], words: Sequence[str]) -> tuple[tuple[int, str], ...]:
    return tuple((thing.number, word) for thing, word in zip(things, words, strict=True))


def _left_reveal(state: State, scene: Scene, since: float) -> tuple[str, ...]:
    """Cards that lay on the reveal spot beside the others and left it for a hand."""
    zone = "reveal"
    return tuple(
        _best(state, each.thing)
        for each in scene.changes
        if each.what in (What.VANISHED, What.WITHDRAWN)
        and each.at >= since
        and each.thing.number not in scene.names
        and scene.zone(each.thing) == zone
    )


def _gone_on(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """The table is further than the books: who has not acted drew, or did nothing, unseen."""
    lines: tuple[str, ...] = ()
    ahead, weight = state, 1.0
    while ahead.phase is Phase.STRATEGY and ahead.waiting:
        line = f"{ahead.waiting[0]} draws"
        verdict = valhalla.judge(ahead, valhalla.parse(line))
        if not isinstance(verdict, Accepted):
            return [], 0.0
        ahead, lines, weight = verdict.state, (*lines, line), weight * DRAWN
    if ahead.phase is Phase.BATTLE:
        row = _Row.of(ahead, scene)
        found = [
            Guess((*lines, *(f"armory {word}" for word in words)), p * weight, p)
            for words, p in joint([_kinds(ahead, thing) for thing in row.new], 6)
            if words
        ]
        return _weighed(state, iter(found)), (1.0 - weight) if found else 0.0
    if ahead.phase is Phase.SELECT:
        found = [Guess((*lines, *each.lines), weight) for each in _ready(ahead, scene)]
        return _weighed(state, iter(found)), (1.0 - weight) if found else 0.0
    return [], 0.0


# The Battle Phase


def _turned(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """VLLA-DEI: a card turned up on the reveal spot, or put where it belongs at once."""
    if not state.waiting:
        return [], 0.0
    seat = state.waiting[0]
    top = _top(scene, f"{seat}.discard")
    pile = state.players[seat].discard
    fresh = top and not (pile and _words(state, top[0]).get(str(pile[-1]), 0.0) >= 0.3)
    lying = _on_reveal(scene) or _Row.of(state, scene).new or (top if fresh else ())
    if not lying:
        return [], 0.0
    odds = _kinds(state, lying[-1])
    found = [
        Guess((f"{state.waiting[0]} turns {word}",), p, p, _named(lying[-1:], (word,)))
        for word, p in odds
    ]
    return _weighed(state, iter(found)), unread([odds])


def _lost(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """VLLA-DRA-1: a card is laid on the graveyard; its way there says whose it was."""
    top = _top(scene, "graveyard")
    before = str(state.graveyard[-1]) if state.graveyard else ""
    if not top:
        return [], 0.0
    if _words(state, top[0]).get(before, 0.0) >= 0.3:  # perhaps a card on its like
        return _weighed(state, _off_a_pile(state, scene, before)), 0.0
    found: list[Guess] = []
    for debt, (word, p) in product(state.debts, _kinds(state, top[0])):
        for action in _losses(state, debt.seat, word):
            found.append(Guess((str(action),), p * _way(state, scene, action), p))
    return _weighed(state, iter(found)), unread([_kinds(state, top[0])])


def _off_a_pile(state: State, scene: Scene, word: str) -> Iterator[Guess]:
    """The top card has left the pile of somebody who owes one, and its like was on top already."""
    for debt in state.debts:
        pile = state.players[debt.seat].discard
        if debt.cards and pile and str(pile[-1]) == word and _stirred(scene, debt.seat):
            under = str(pile[-2]) if len(pile) > 1 else ""
            if under != word and not _pile_shows(state, scene, debt.seat, word):
                yield Guess((f"{debt.seat} loses {word} from discard",), 1.0)


def _losses(state: State, seat: Seat, word: str) -> Iterator[Lose]:
    for action in valhalla.actions(state):
        if isinstance(action, Lose) and action.seat is seat and str(action.card) == word:
            yield action


def _way(state: State, scene: Scene, action: Lose) -> float:
    """How well the table bears out where the card came from."""
    player, seat, word = state.players[action.seat], action.seat, str(action.card)
    if action.place is Place.TABLE:
        slots = [_best(state, thing) for thing in _slots(scene, seat)]
        return 0.02 if slots.count(word) >= player.table.count(action.card) else OWN
    pile = [str(card) for card in player.discard]
    from_pile = _from_pile(state, scene, seat, word) if word in pile else 0.0
    return from_pile if action.place is Place.DISCARD else 1.0 - from_pile


def _from_pile(state: State, scene: Scene, seat: Seat, word: str) -> float:
    """How likely the card came off the seat's discard pile, of which the top can be seen."""
    *under, top = (str(card) for card in state.players[seat].discard)
    if top != word:
        return DUG
    if not _pile_shows(state, scene, seat, word):
        return OWN
    return 0.5 if under and under[-1] == word else 1.0 - OWN


def _stood(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """VLLA-DRA-2: the last stand on the reveal spot."""
    lying = _on_reveal(scene)
    if not lying:
        return [], 0.0
    stands = [a for a in valhalla.actions(state) if isinstance(a, Stand)]
    found, unknown = _shown_as(
        state, scene, [(a, a.shown, () if a.keeps is None else (a.keeps,)) for a in stands]
    )
    if len(lying) < stand_size(state) and any("draugr" in each.lines[0] for each in found):
        unknown += sum(each.weight for each in found)  # one is enough to fall; more may follow
    return found, unknown


# The End Phase


def _fetched(state: State, scene: Scene) -> Iterator[Guess]:
    """VLLA-WOL: a card leaves its owner's pile. What lay under the top, the books know."""
    fetches = [a for a in valhalla.actions(state) if isinstance(a, Fetch)]
    if not fetches:
        return
    zone = f"{fetches[0].seat}.discard"
    shown = _on_reveal(scene)[-1:]
    for action in fetches if shown else ():
        p = _words(state, shown[0]).get(str(action.card), 0.0)
        if p > 0.01:
            yield Guess((str(action),), p, p, _named(shown, (str(action.card),)))
    gone = [
        _best(state, each.thing)
        for each in scene.changes
        if each.what in (What.VANISHED, What.WITHDRAWN) and scene.zone(each.thing) == zone
    ]
    for action in fetches:
        word = str(action.card)
        if not shown and word in gone and not _pile_shows(state, scene, action.seat, word):
            yield Guess((str(action),), 1.0)


_CERTAIN: Mapping[Phase, Callable[[State, Scene], Iterator[Guess]]] = MappingProxyType(
    {
        Phase.SELECT: _ready,
        Phase.SPOILS: _left_armory,
        Phase.TRIM: _left_armory,
        Phase.WOLF: _fetched,
    }
)
_BY_PHASE: Mapping[Phase, Callable[[State, Scene], tuple[list[Weighed], float]]] = MappingProxyType(
    {
        Phase.REVEAL: _revealed,
        Phase.STRATEGY: _strategy,
        Phase.SUPPORT: _turned,
        Phase.BATTLE: _armed,
        Phase.LOSS: _lost,
        Phase.STAND: _stood,
    }
)
