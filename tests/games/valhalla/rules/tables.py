"""Tables of Valhalla for tests: arranged ones, random ones, and a real one with real hidden cards.

Lines of notation set a table up; a line that begins with `!` is refused and the table lets it
stand.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, product

from hypothesis import strategies as st

from companion.core.game import Setup
from companion.core.notation import Seat
from companion.core.options import Whole
from companion.games.valhalla import rules as valhalla
from companion.games.valhalla.rules.actions import (
    Armory,
    Dare,
    Declare,
    Decline,
    Draw,
    Fetch,
    First,
    Has,
    Lose,
    Pass,
    Place,
    Ready,
    Return,
    Reveal,
    Shows,
    Stand,
    Take,
    Turn,
)
from companion.games.valhalla.rules.cards import Card
from companion.games.valhalla.rules.options import cards_in_play
from companion.games.valhalla.rules.state import Phase, Player, Stage, State, others_in_deck, unseen
from tests.strategies import NAMES, accepted, objections, option_texts, played

A, B, C, D, E = Seat.A, Seat.B, Seat.C, Seat.D, Seat.E

TURN = ("first A", "ready")
MOST_STEPS = 6000


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(word) for word in text.split())


def setup(seats: int = 2, edition: str = "en", **changes: str) -> Setup:
    return Setup("valhalla", NAMES[:seats], edition, tuple(changes.items()))


def table(*lines: str, seats: int = 2, **changes: str) -> State:
    return played(valhalla, valhalla.start(setup(seats, **changes)), *lines)


def codes(state: State, line: str) -> list[str]:
    return [each.code for each in objections(valhalla.judge(state, valhalla.parse(line)))]


def total(state: State) -> int:
    return sum(cards_in_play(state.options).values())


def arranged(
    state: State,
    *,
    hands: dict[Seat, str] | None = None,
    piles: dict[Seat, str] | None = None,
    armory: str | None = None,
    deck: str | None = None,
) -> State:
    """The table with these cards there, all known; the deck has the rest, or just these cards
    and the rest is in the graveyard."""
    players = list(state.players)
    for seat, text in (hands or {}).items():
        players[seat] = replace(players[seat], hand=len(cards(text)), known=cards(text))
    for seat, text in (piles or {}).items():
        players[seat] = replace(players[seat], discard=cards(text))
    state = replace(state, players=tuple(players))
    if armory is not None:
        state = replace(state, armory=cards(armory))
    if deck is not None:
        gone = unseen(state) - Counter(cards(deck))
        state = replace(state, graveyard=state.graveyard + tuple(gone.elements()))
    return replace(state, deck=total(state) - _outside(state))


def _outside(state: State) -> int:
    owned = sum(player.owned for player in state.players)
    return len(state.armory) + len(state.graveyard) + state.buried + owned


def fought(mains: str, *reveals: str, seats: int = 3, **changes: str) -> State:
    """A turn in which A and B clash and the others, if any, do nothing; then cards revealed.
    Every word of `mains` is a seat's Main and Support, such as hammer/wolf."""
    lines = [
        f"{seat} reveals {word.replace('/', ' ')}"
        for seat, word in zip(Seat, mains.split(), strict=False)
    ]
    state = table(*TURN, *lines, seats=seats, **changes)
    while state.phase is Phase.STRATEGY:
        state = accepted(valhalla.judge(state, Pass(state.waiting[0])))
    return played(valhalla, state, *reveals)


def begun(changes: dict[str, str], *lines: str, seats: int = 2) -> State:
    return played(valhalla, valhalla.start(setup(seats, **changes)), *lines)


def turn(changes: dict[str, str], laid: str, *lines: str) -> State:
    """A first turn; every word is a seat's Main and Support."""
    words = laid.split()
    reveals = (
        f"{seat} reveals {word.replace('/', ' ')}" for seat, word in zip(Seat, words, strict=False)
    )
    return begun(changes, *TURN, *reveals, *lines, seats=len(words))


def throne(changes: dict[str, str]) -> dict[str, str]:
    return {"expansion": "true", **changes}


def hammered(changes: dict[str, str], *lines: str) -> State:
    state = turn(changes, "hammer/axe sword/axe", "A declares hammer on B", "A passes")
    return played(valhalla, state, *lines)


def axed(changes: dict[str, str], line: str, laid: str = "axe/wolf sword/axe") -> State:
    return turn(changes, laid, "A declares axe on B", "A passes", line)


# What always holds


def check(state: State) -> None:
    """Nothing is lost, nothing is twice, and a deal exists that looks like this."""
    left = unseen(state)
    assert state.deck + _outside(state) == total(state)
    assert state.deck >= len(state.bottom)
    assert min(left.values()) >= 0
    assert others_in_deck(state, left) >= 0
    assert left.total() == state.deck - sum(card is not None for card in state.bottom) + (
        state.buried + sum(player.hidden for player in state.players)
    )
    for player in state.players:
        _check_player(state, player)
    early = state.stage in (Stage.DAWN, Stage.SELECT, Stage.REVEAL)
    if early and state.options.short_hand != "last_stand":  # a stand at dawn adds to it again
        assert len(state.armory) <= 5
    if not state.debts and state.stage is not Stage.BATTLE:
        assert not any(card in valhalla_deities() for card in state.armory)
    assert valhalla.standing(state).over == (state.phase is Phase.OVER)


def _check_player(state: State, player: Player) -> None:
    assert player.hidden >= 0
    assert min(player.hand, player.down, player.layable) >= 0
    assert Card.DRAUGR not in (*player.discard, *player.table)
    if state.options.draugr_after_strategy_reveal != "one_to_hand":
        assert player.draugr == 0
    if not player.alive:
        assert player == Player(alive=False)


def valhalla_deities() -> frozenset[Card]:
    return frozenset(Card) - set(cards("hammer sword axe wolf draugr"))


# Random games


@st.composite
def setups(draw: st.DrawFn, seats: int | None = None) -> Setup:
    seats = draw(st.integers(2, 5)) if seats is None else seats
    named = draw(st.sets(st.sampled_from([option.name for option in valhalla.OPTIONS])))
    kinds = {option.name: option.kind for option in valhalla.OPTIONS}
    texts = {
        name: option_texts(kind) if not isinstance(kind, Whole) else st.sampled_from("1345")
        for name, kind in kinds.items()
    }
    changes = {name: draw(texts[name]) for name in sorted(named)}
    if seats == 5 and changes.get("expansion") != "true":
        changes["max_players"] = "five"
    return setup(seats, **changes)


seeds = st.integers(0, 2**32 - 1)


def random_game(start: State, seed: int) -> Iterator[tuple[State, valhalla.Action, State]]:
    """A whole game by the rules; hidden cards turn out to be anything they could be."""
    rng = random.Random(seed)
    state = start
    for _ in range(MOST_STEPS):
        moves = list(valhalla.actions(state))
        if not moves:
            return
        move = rng.choice(moves)
        after = accepted(valhalla.judge(state, move))
        yield state, move, after
        state = after
    raise AssertionError(f"no end after {MOST_STEPS} actions: {state}")


def random_position(start: State, seed: int, steps: int) -> State:
    state = start
    for count, (_, _, after) in enumerate(random_game(start, seed)):
        if count >= steps or after.over:
            break
        state = after
    return state


# Everything that could be written down


def universe(state: State) -> Iterator[valhalla.Action]:
    """Every conceivable move at this table, cards shown together in one order only."""
    kinds = tuple(cards_in_play(state.options))
    where = tuple(state.seats)
    yield Ready()
    yield from map(Armory, kinds)
    for seat in where:
        yield from (First(seat), Ready(seat), Pass(seat))
        for card in kinds:
            yield from (Take(seat, card), Turn(seat, card), Fetch(seat, card), Return(seat, card))
            yield from (Lose(seat, card, place) for place in Place)
            yield from (Reveal(seat, card, support) for support in (None, *kinds))
            yield from (Declare(seat, card, target) for target in (None, *where))
            yield Declare(seat, card, shuffles=True)
        for shown in _multisets(kinds, 3):
            yield from (Stand(seat, shown, keeps) for keeps in (None, *kinds) if shown)
            yield from (Draw(seat, shown, kept=kept) for kept in (None, 1, 2, 3))
            yield from (Draw(seat, shown, keeps) for keeps in _kept(shown))


def asides(state: State) -> Iterator[valhalla.Action]:
    kinds = tuple(cards_in_play(state.options))
    for seat in state.seats:
        yield Decline(seat)
        yield from (Dare(seat, other) for other in state.seats)
        yield from (Has(seat, size) for size in range(8))
        yield from (Shows(seat, shown) for shown in _multisets(kinds, 3) if shown)


def _multisets(kinds: tuple[Card, ...], most: int) -> Iterator[tuple[Card, ...]]:
    for count in range(most + 1):
        yield from combinations_with_replacement(kinds, count)


def _kept(shown: tuple[Card, ...]) -> set[tuple[Card, ...]]:
    chosen = product((False, True), repeat=len(shown))
    return {
        tuple(card for card, keep in zip(shown, keeps, strict=True) if keep) for keeps in chosen
    } - {()}


def in_one_order(action: valhalla.Action) -> valhalla.Action:
    match action:
        case Draw():
            return replace(
                action, shown=tuple(sorted(action.shown)), keeps=tuple(sorted(action.keeps))
            )
        case Stand():
            return replace(action, shown=tuple(sorted(action.shown)))
        case _:
            return action
