"""Reading what Draugr bring about: lost cards, and the last stand (VLLA-DRA-1 and -2)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from companion.core.notation import Seat
from companion.deciding.scene import Guess, Scene, joint
from companion.games.valhalla import rules as valhalla
from companion.games.valhalla.reading.mat import (
    NOTHING,
    Found,
    best,
    came,
    cards,
    crosswise,
    fresh,
    kinds,
    named,
    on_reveal,
    pile_shows,
    pile_top,
    slots,
    top,
    unknown,
    weighed,
)
from companion.games.valhalla.reading.strategy import shown_as
from companion.games.valhalla.rules.actions import Lose, Place, Stand
from companion.games.valhalla.rules.phases.draugr import stand_size
from companion.games.valhalla.rules.state import Debt, Happening, State
from companion.tabletop.observations import Thing
from companion.tracking.matching import is_back

OWN = 0.98
"""How likely a lost card came from where its place on the mat says."""
DUG = 0.25
"""How likely a card on the graveyard was dug out of a pile that has one deeper down."""
EITHER = 0.5
"""How likely it is the top of a pile whose two upper cards are like it: nobody can tell."""
READINGS = 24
"""What lost cards may be together that is followed up."""


def lost(state: State, scene: Scene) -> Found:
    """Cards that were lost: laid crosswise before their owners, or straight on the graveyard."""
    laid = [
        (debt.seat, thing)
        for debt in state.debts
        for thing in _crosswise(scene, debt)[: debt.cards]
    ]
    return _before_owners(state, scene, laid) if laid else _on_graveyard(state, scene)


# Crosswise before its owner


def _crosswise(scene: Scene, debt: Debt) -> list[Thing]:
    """What a seat has laid across its places and is not entered yet, from the hand before from the
    pile: cards that came at once have no order of their own."""
    return [
        thing
        for zone in (f"{debt.seat}.main", f"{debt.seat}.support")
        for thing in fresh(scene, cards(scene, zone))
        if crosswise(scene, thing) and not is_back(thing.label)
    ]


def _before_owners(state: State, scene: Scene, laid: list[tuple[Seat, Thing]]) -> Found:
    things = [thing for _, thing in laid]
    odds = [list(_losses(state, scene, seat, thing)) for seat, thing in laid]
    found = []
    for lines, p in joint(odds, READINGS):
        told = [valhalla.parse(line) for line in lines]
        words = [str(each.card) for each in told if isinstance(each, Lose)]
        pixels = prod(dict(kinds(state, t))[w] for t, w in zip(things, words, strict=True))
        found.append(Guess(lines, p, pixels, named(things, words)))
    return weighed(state, found), unknown(state, things)


def _losses(state: State, scene: Scene, seat: Seat, thing: Thing) -> Iterator[tuple[str, float]]:
    """The losses that one card may mean. On the Main's place it came from the hand, on the
    Support's from the pile; or it is the Main or the Support itself."""
    player = state.players[seat]
    held = scene.zone(thing) == f"{seat}.main"
    own = player.main if held else player.support
    for word, p in kinds(state, thing):
        yield f"{seat} loses {word} from hand", p * (OWN if held else 1.0 - OWN)
        yield f"{seat} loses {word} from discard", p * (1.0 - OWN if held else OWN)
        if own is not None and str(own) == word:
            yield f"{seat} loses {word} from table", p * OWN


# Straight to the graveyard


def _on_graveyard(state: State, scene: Scene) -> Found:
    """A card that went straight to the graveyard. Whose it was and where it came from only the
    other places can tell; if they do not, the table is asked."""
    thing = top(scene, "graveyard")
    if thing is None or thing.number in scene.names:
        return NOTHING
    if best(state, thing) in _put_there(state):
        return weighed(state, _off_a_pile(state, scene, best(state, thing))), 0.0
    if not came(scene, thing):
        return NOTHING
    found = [
        Guess((str(action),), p * _way(state, scene, action), p, named((thing,), (word,)))
        for debt, (word, p) in product(state.debts, kinds(state, thing))
        for action in valhalla.actions(state)
        if isinstance(action, Lose) and action.seat is debt.seat and str(action.card) == word
    ]
    return weighed(state, found), unknown(state, (thing,))


def _put_there(state: State) -> tuple[str, ...]:
    """Cards that the books have on top of the graveyard. If several came at once, any of them may
    be the one that is seen."""
    several = sum(
        len(note.cards) for note in state.notes if note.what in (Happening.LOST, Happening.OUT)
    )
    return tuple(str(card) for card in state.graveyard[-2 - several :])


def _off_a_pile(state: State, scene: Scene, word: str) -> Iterator[Guess]:
    """Losses that can be seen only by their piles, because a like card was on the graveyard: the
    top card has left the pile of somebody who owes one."""
    for debt in state.debts:
        pile = state.players[debt.seat].discard
        if debt.cards and pile_top(state, debt.seat) == word and _stirred(scene, debt.seat):
            under = str(pile[-2]) if len(pile) > 1 else ""
            if under != word and not pile_shows(state, scene, debt.seat, word):
                yield Guess((f"{debt.seat} loses {word} from discard",), 1.0)


def _stirred(scene: Scene, seat: Seat) -> bool:
    """Whether anything has come to the seat's pile, or left it, since the last entry."""
    return any(scene.zone(each.thing) == f"{seat}.discard" for each in scene.changes)


def _way(state: State, scene: Scene, action: Lose) -> float:
    """How likely the table looks as it does, if the card came from where the action says."""
    player, seat, word = state.players[action.seat], action.seat, str(action.card)
    if action.place is Place.TABLE:
        lying = [best(state, thing) for thing in slots(scene, seat)]
        return 1.0 - OWN if lying.count(word) >= player.table.count(action.card) else OWN
    pile = [str(card) for card in player.discard]
    from_pile = _from_pile(state, scene, seat, word) if word in pile else 0.0
    return from_pile if action.place is Place.DISCARD else 1.0 - from_pile


def _from_pile(state: State, scene: Scene, seat: Seat, word: str) -> float:
    """How likely the card came off the seat's discard pile, of which only the top can be seen."""
    *under, uppermost = (str(card) for card in state.players[seat].discard)
    if uppermost != word:
        return DUG
    if not pile_shows(state, scene, seat, word):
        return OWN
    return EITHER if under and under[-1] == word else 1.0 - OWN


# The last stand


def stood(state: State, scene: Scene) -> Found:
    """VLLA-DRA-2: the cards of a last stand, on the reveal spot."""
    lying = on_reveal(scene)
    if not lying:
        return NOTHING
    stands = [a for a in valhalla.actions(state) if isinstance(a, Stand)]
    found, unread = shown_as(state, scene, stands)
    if len(lying) < stand_size(state):  # one Draugr is enough to fall, but more cards may follow
        unread += sum(each.weight for each in found if "draugr" in each.lines[0])
    return found, unread
