"""Who plays whom: rounds of a tournament, and its ranking. Pure; people are numbers here.

A board is a table of two or more people who play one game. In a **round robin** everybody meets
everybody; in a **Swiss** tournament those with like scores meet, and nobody twice if it can be
helped. If the people do not fill the boards, some boards have one seat less; where two play, one
person rests and is given the points of a win.

The score of a board is the number of people one left behind: the first of four has three. Ties in
the ranking are broken by the scores of those one met (Buchholz), then by boards won, then by who
did better where the tied people met, then by the points of the games themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_

MOST_PEOPLE = 256
MOST_TRIES = 20_000
"""Steps in the search for a round of two without meeting again; then a meeting again is allowed."""


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody at a board, and how it ended there; place 0 while it is played."""

    person: int
    place: int = 0
    points: int = 0


@dataclass(frozen=True, slots=True)
class Pairing:
    """The people who meet at one board of a round."""

    seats: tuple[Seated, ...]

    @property
    def people(self) -> tuple[int, ...]:
        return tuple(each.person for each in self.seats)

    @property
    def rests(self) -> bool:
        """One person, and nobody to play with."""
        return len(self.seats) == 1

    @property
    def done(self) -> bool:
        return self.rests or all(each.place for each in self.seats)


@dataclass(frozen=True, slots=True)
class Rank:
    place: int
    person: int
    score: int
    buchholz: int
    wins: int
    points: int


def board_sizes(people: int, seats: int, fewest: int) -> list[int]:
    """How many sit at each board; raises `BadInput` if that cannot be."""
    if not 2 <= people <= MOST_PEOPLE:
        raise BadInput(
            "tournament-people",
            N_("a tournament is for 2 to %(most)s people, got %(people)s"),
            most=MOST_PEOPLE,
            people=people,
        )
    if seats == 2:
        return [2] * (people // 2) + [1] * (people % 2)
    boards = -(-people // seats)
    small, rest = divmod(people, boards)
    if small < fewest:
        raise BadInput(
            "tournament-boards",
            N_("%(people)s people cannot be put at tables of %(seats)s; choose another size"),
            people=people,
            seats=seats,
        )
    return [small + 1] * rest + [small] * (boards - rest)


def rounds_needed(people: int, seats: int) -> int:
    """Of a round robin, at the least."""
    return people - 1 + people % 2 if seats == 2 else -(-(people - 1) // (seats - 1))


def round_robin(people: Sequence[int], round_: int) -> list[tuple[int, ...]]:
    """Boards of two in a round (from 0), by the circle method: one stays, the others turn."""
    ring: list[int | None] = [*people, *([None] if len(people) % 2 else [])]
    turn = round_ % (len(ring) - 1)
    turned = [ring[0], *ring[1:][turn:], *ring[1:][:turn]]
    half = len(turned) // 2
    pairs = zip(turned[:half], reversed(turned[half:]), strict=True)
    return [tuple(each for each in pair if each is not None) for pair in pairs]


def next_round(
    people: Sequence[int], played: Sequence[Sequence[Pairing]], sizes: Sequence[int]
) -> list[tuple[int, ...]]:
    """The next round of a Swiss tournament, or of a round robin at boards of more than two: the
    best first, each with those nearest in rank whom they met least."""
    met = meetings(played)
    ranked = [each.person for each in ranking(people, played)]
    if 2 in sizes and max(sizes) == 2:
        return _pairs(ranked, met, played)
    boards = []
    left = list(ranked)
    for size in sizes:
        board = [left.pop(0)]
        while len(board) < size:
            board.append(_best(left, board, met))
        boards.append(tuple(board))
    return boards


def _best(left: list[int], board: Sequence[int], met: Counter[frozenset[int]]) -> int:
    """Takes out whom the people at a board met least; of several, the one nearest in rank."""
    chosen = min(left, key=lambda each: sum(met[frozenset((each, other))] for other in board))
    left.remove(chosen)
    return chosen


def _pairs(
    ranked: list[int], met: Counter[frozenset[int]], played: Sequence[Sequence[Pairing]]
) -> list[tuple[int, ...]]:
    resting: list[tuple[int, ...]] = []
    if len(ranked) % 2:
        rested = Counter(board.people[0] for boards in played for board in boards if board.rests)
        last = min(reversed(ranked), key=lambda each: rested[each])
        ranked = [each for each in ranked if each != last]
        resting = [(last,)]
    tries = [MOST_TRIES]
    pairs = _without_repeats(ranked, met, tries)
    if pairs is None:
        left, pairs = list(ranked), []
        while left:
            board = [left.pop(0)]
            pairs.append((board[0], _best(left, board, met)))
    return [*pairs, *resting]


def _without_repeats(
    left: list[int], met: Counter[frozenset[int]], tries: list[int]
) -> list[tuple[int, ...]] | None:
    """Pairs in which nobody meets again, nearest ranks first; None if there are none, or too many
    ways were tried."""
    if not left:
        return []
    first, *others = left
    for other in others:
        tries[0] -= 1
        if tries[0] < 0:
            return None
        if met[frozenset((first, other))]:
            continue
        rest = _without_repeats([each for each in others if each != other], met, tries)
        if rest is not None:
            return [(first, other), *rest]
    return None


def meetings(played: Iterable[Iterable[Pairing]]) -> Counter[frozenset[int]]:
    """How often any two met."""
    return Counter(
        frozenset(pair)
        for boards in played
        for board in boards
        for pair in combinations(board.people, 2)
    )


def ranking(people: Sequence[int], played: Sequence[Sequence[Pairing]]) -> list[Rank]:
    """The table after the rounds played; whoever is equal in everything shares a place."""
    tally = _tally(played)
    scores, buchholz = tally.scores, _buchholz(tally.scores, played)
    facts = {p: (scores[p], buchholz[p], tally.wins[p]) for p in people}
    direct = _direct(facts, played)
    key = {p: (*facts[p], direct[p], tally.points[p]) for p in people}
    ordered = sorted(people, key=lambda p: (key[p], -people.index(p)), reverse=True)
    ranks: list[Rank] = []
    for at, person in enumerate(ordered, start=1):
        shared = ranks and key[ranks[-1].person] == key[person]
        place = ranks[-1].place if shared else at
        ranks.append(Rank(place, person, *facts[person], tally.points[person]))
    return ranks


@dataclass(frozen=True, slots=True)
class _Tally:
    scores: Counter[int] = field(default_factory=Counter)
    wins: Counter[int] = field(default_factory=Counter)
    points: Counter[int] = field(default_factory=Counter)


def _tally(played: Sequence[Sequence[Pairing]]) -> _Tally:
    tally = _Tally()
    for board in (board for boards in played for board in boards if board.done):
        for each in board.seats:
            tally.scores[each.person] += 1 if board.rests else len(board.seats) - each.place
            tally.wins[each.person] += board.rests or each.place == 1
            tally.points[each.person] += each.points
    return tally


def _buchholz(scores: Counter[int], played: Sequence[Sequence[Pairing]]) -> Counter[int]:
    """The scores of everybody one met, each meeting counted."""
    summed = Counter[int]()
    for pair, times in meetings(played).items():
        one, other = pair
        summed[one] += scores[other] * times
        summed[other] += scores[one] * times
    return summed


def _direct(
    facts: dict[int, tuple[int, int, int]], played: Sequence[Sequence[Pairing]]
) -> Counter[int]:
    """Among people who are equal so far: how often one was before another of them."""
    direct = Counter[int]()
    for board in (board for boards in played for board in boards if board.done):
        for one, other in combinations(board.seats, 2):
            if facts.get(one.person) != facts.get(other.person) or one.place == other.place:
                continue
            direct[one.person if one.place < other.place else other.person] += 1
    return direct
