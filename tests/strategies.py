"""What tests draw and build their tables from: first what all games share, then a section a game.

Lines of notation set a table up; a line that begins with `!` is refused and the table lets it
stand. So `played(odin, state, "deal A", "! A shows r1 r5", "A r1")` leads from a hand of two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Generic, TypeAlias, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import Phase as Trial
from hypothesis import strategies as st

from companion.core.game import Accepted, Game, Reason, Refused, Setup, Verdict
from companion.core.notation import Seat, seats
from companion.core.options import Kind, Several, Whole
from companion.games.odin import rules as odin
from companion.games.odin.rules.actions import Carry, Count, Deal, Has, Pass, Play, Shows, Take
from companion.games.odin.rules.cards import COLOURS, GOAT, NUMBERS, SUITS, Card
from companion.games.odin.rules.state import Phase

S = TypeVar("S")
A = TypeVar("A")

NAMES = ("Anna", "Bo", "Céline", "Dirk", "Elin", "Frigg")


@dataclass(frozen=True, slots=True)
class Step(Generic[S, A]):
    """One action of a game and the tables on both sides of it."""

    before: S
    action: A
    after: S


def examples(count: int, *, shrink: bool = True) -> settings:
    """So many of them; a whole game is one, and may take its time. To look for a shorter game
    that fails as well would take longer than a test may, so those are shown as they were found."""
    slow = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)
    phases = [each for each in Trial if shrink or each not in (Trial.shrink, Trial.explain)]
    return settings(max_examples=count, deadline=None, suppress_health_check=slow, phases=phases)


def accepted(verdict: Verdict[S]) -> S:
    assert isinstance(verdict, Accepted), verdict
    return verdict.state


def objections(verdict: Verdict[S]) -> tuple[Reason, ...]:
    return verdict.reasons if isinstance(verdict, Refused) else ()


def played(game: Game[S, A], state: S, *lines: str) -> S:
    for line in lines:
        action = game.parse(line.removeprefix("!"))
        verdict = game.judge(state, action)
        if line.startswith("!"):
            assert isinstance(verdict, Refused), f"{line} needs no overruling"
            verdict = game.let_stand(state, action)
        assert isinstance(verdict, Accepted), f"{line}: {verdict}"
        state = verdict.state
    return state


def option_texts(kind: Kind) -> st.SearchStrategy[str]:
    """Any value an option may have, as text."""
    if isinstance(kind, Whole):
        numbers = st.integers(kind.least, kind.most).map(str)
        return numbers | st.sampled_from(kind.words) if kind.words else numbers
    if isinstance(kind, Several):
        return st.permutations(kind.words).map(lambda words: " ".join(words[: kind.count]))
    return st.sampled_from(kind.words)


any_seat = st.sampled_from(Seat)


# Odin

OdinStep: TypeAlias = Step[odin.State, odin.Action]

ODIN_CARDS = (*(Card(number, colour) for colour in COLOURS + SUITS for number in NUMBERS), GOAT)


def odin_setup(seats: int = 2, edition: str = "en", **changes: str) -> Setup:
    return Setup("odin", NAMES[:seats], edition, tuple(changes.items()))


def odin_table(*lines: str, seats: int = 2, **changes: str) -> odin.State:
    return played(odin, odin.start(odin_setup(seats, **changes)), *lines)


@st.composite
def odin_setups(draw: st.DrawFn, count: int | None = None) -> Setup:
    """Every deck and option; hands of up to nine and limits low enough to play games out."""
    count = draw(st.integers(2, 6)) if count is None else count
    texts = {option.name: option_texts(option.kind) for option in odin.OPTIONS}
    texts["deck"] = texts["deck"].filter(lambda deck: count <= 4 or deck != "valhalla36")
    four = st.permutations([colour.word for colour in COLOURS]).map(lambda words: words[:4])
    texts["colours"] = (four | st.just([suit.word for suit in SUITS])).map(" ".join)
    texts["limit"] = st.integers(1, 15).map(str) | st.just("one_hand")
    texts["hand_size"] = st.integers(1, 9).map(str)
    named = draw(st.sets(st.sampled_from(sorted(texts)))) | {"goat"}  # half the tables have it
    changes = {name: draw(texts[name]) for name in sorted(named)}
    return odin_setup(count, draw(st.sampled_from(sorted(odin.EDITIONS))), **changes)


@lru_cache(maxsize=16)
def _odin_legal(state: odin.State, most: int | None) -> tuple[odin.Action, ...]:
    return tuple(islice(odin.actions(state), most))


@st.composite
def odin_moves(draw: st.DrawFn, state: odin.State) -> odin.Action | None:
    """One of `odin.actions`, or None when there is none.

    Hidden hands allow thousands of plays, nearly all of them large: left to chance, somebody
    would lead a whole hand at once and nobody would ever pass. To list them all takes its time.
    """
    if state.phase is Phase.TURN and state.hand is not None and draw(st.booleans()):
        return Pass(state.hand.to_move)
    legal = _odin_legal(state, draw(st.sampled_from([60, 60, 60, None])))
    if state.phase is Phase.LEAD and draw(st.integers(0, 7)):
        legal = tuple(m for m in legal if isinstance(m, Play) and len(m.cards) == 1) or legal
    return draw(st.sampled_from(legal)) if legal else None


@st.composite
def odin_games(draw: st.DrawFn, count: int | None = None) -> tuple[OdinStep, ...]:
    """A whole game by the rules, to its end."""
    state = odin.start(draw(odin_setups(count)))
    steps: list[OdinStep] = []
    while (move := draw(odin_moves(state))) is not None:
        after = accepted(odin.judge(state, move))
        steps.append(Step(state, move, after))
        state = after
    return tuple(steps)


@st.composite
def odin_positions(draw: st.DrawFn) -> odin.State:
    """A table some way into a game by the rules."""
    state = odin.start(draw(odin_setups()))
    for _ in range(draw(st.integers(0, 20))):
        move = draw(odin_moves(state))
        if move is None:
            break
        state = accepted(odin.judge(state, move))
    return state


@st.composite
def odin_muddles(draw: st.DrawFn) -> tuple[OdinStep, ...]:
    """Some steps at a table that lets everything stand that can."""
    state = draw(odin_positions())
    steps: list[OdinStep] = []
    for _ in range(draw(st.integers(1, 12))):
        action = draw(odin_candidates(state) | odin_moves(state))
        if action is None:
            break
        verdict = odin.let_stand(state, action)
        if isinstance(verdict, Accepted):
            steps.append(Step(state, action, verdict.state))
            state = verdict.state
    return tuple(steps)


def odin_cards(cards: Sequence[Card] = ODIN_CARDS) -> st.SearchStrategy[tuple[Card, ...]]:
    return st.lists(st.sampled_from(cards), min_size=1, max_size=6).map(tuple)


def odin_actions() -> st.SearchStrategy[odin.Action]:
    """Anything that can be written down, most of it nonsense at any one table."""
    numbers = st.lists(st.integers(0, 12) | st.integers(0, 9999), min_size=1, max_size=7).map(tuple)
    return st.one_of(
        st.builds(Deal, any_seat),
        st.builds(Play, any_seat, odin_cards()),
        st.builds(Take, any_seat, st.sampled_from(ODIN_CARDS)),
        st.builds(Pass, any_seat),
        st.builds(Count, numbers, st.none() | any_seat),
        st.builds(Has, any_seat, st.integers(0, 12) | st.integers(0, 9999)),
        st.builds(Shows, any_seat, odin_cards()),
        st.builds(Carry, numbers),
    )


@st.composite
def odin_candidates(draw: st.DrawFn, state: odin.State) -> odin.Action:
    """Sense, near misses and nonsense at one table."""
    action = draw(odin_moves(state) | odin_actions() | _odin_at_the_table(state))
    if action is None:
        return draw(odin_actions())
    return draw(st.just(action) | _odin_near(state, action))


def _odin_at_the_table(state: odin.State) -> st.SearchStrategy[odin.Action]:
    """What these seats could say of these cards, true or not."""
    cards = sorted(state.deck, key=str)
    seat = st.sampled_from(state.seats)
    fresh = (state.options.hand_size,) * len(state.seats)
    sizes = fresh if state.hand is None else state.hand.sizes
    around = [st.just(size) | st.integers(0, size + 2) for size in sizes]
    return st.one_of(
        st.builds(Deal, seat),
        st.builds(Play, seat, odin_cards(cards)),
        st.builds(Take, seat, st.sampled_from(cards)),
        st.builds(Pass, seat),
        st.builds(Count, st.tuples(*around), st.none() | seat),
        seat.flatmap(lambda who: st.builds(Has, st.just(who), around[who])),
        st.builds(Shows, seat, odin_cards(cards)),
        st.builds(Carry, st.tuples(*(st.integers(0, 20) for _ in state.seats))),
    )


@st.composite
def _odin_near(draw: st.DrawFn, state: odin.State, action: odin.Action) -> odin.Action:
    """The same with one thing different."""
    other = draw(st.sampled_from(seats(6)))
    card = draw(st.sampled_from(sorted(state.deck, key=str)))
    match action:
        case Play(_, cards) | Shows(_, cards):
            at = draw(st.integers(0, len(cards) - 1))
            changed = [(*cards, card), (*cards[:at], card, *cards[at + 1 :]), cards[::-1]]
            if len(cards) > 1:
                changed.append((*cards[:at], *cards[at + 1 :]))
            return replace(action, cards=draw(st.sampled_from(changed)))
        case Take():
            return draw(st.sampled_from([replace(action, card=card), replace(action, seat=other)]))
        case Count():
            return replace(action, goat=draw(st.none() | st.just(other)))
        case Deal():
            return Deal(other)
        case Pass() | Has():
            return replace(action, seat=other)
        case Carry(points):
            return Carry(points[::-1])
