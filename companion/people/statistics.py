"""What people have done in all their games: a fold over summaries. Only finished games count."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from companion.people.register import Person, Register
from companion.people.summaries import Summary

FORM = 12
"""Games that the form of a person looks back on."""


@dataclass(frozen=True, slots=True)
class Played:
    """One finished game of one person."""

    summary: Summary
    seat: int

    @property
    def won(self) -> bool:
        return self.seat in self.summary.winners

    @property
    def points(self) -> int:
        return self.summary.points[self.seat]

    @property
    def rank(self) -> int:
        return self.summary.ranks[self.seat]


@dataclass(frozen=True, slots=True)
class WinTally:
    """Games and wins, points and the best finish, of one game or of all."""

    games: int = 0
    wins: int = 0
    points: int = 0
    streak: int = 0
    """Games won in a row, up to the last one."""
    longest: int = 0
    """The longest such row."""

    @property
    def share(self) -> float:
        return self.wins / self.games if self.games else 0.0

    @property
    def average(self) -> float:
        return self.points / self.games if self.games else 0.0


@dataclass(frozen=True, slots=True)
class BestFeat:
    """The best of its kind in all games; whoever did it first holds it."""

    game: str
    kind: str
    amount: int
    holder: Person
    number: int
    at: str


@dataclass(frozen=True, slots=True)
class PersonFigures:
    person: Person
    total: WinTally
    by_game: Mapping[str, WinTally]
    best: tuple[BestFeat, ...]
    """Their own best of each kind."""
    form: tuple[bool, ...]
    """Of the last games, whether they were won; the newest last."""
    curve: tuple[int, ...]
    """Wins after each game."""
    last_at: str


@dataclass(frozen=True, slots=True)
class PairFigures:
    """Two people in the games they have played together."""

    one: Person
    other: Person
    games: int
    wins: tuple[int, int]
    ahead: tuple[int, int]
    """How often each has finished before the other."""
    curve: tuple[int, ...]
    """By how much the first was ahead of the other, after each game."""


@dataclass(frozen=True, slots=True)
class LeaderRow:
    """A line of a leaderboard."""

    person: Person
    tally: WinTally


class Statistics:
    """All figures of one register and its games; made anew whenever either has changed."""

    def __init__(self, register: Register, summaries: Iterable[Summary]) -> None:
        self.register = register
        self._played: dict[int, list[Played]] = defaultdict(list)
        self._finished: list[tuple[Summary, dict[int, Person]]] = []
        for each in summaries:
            if each.over and not each.broken:
                self._count(each)

    def _count(self, summary: Summary) -> None:
        who = {
            seat: person
            for seat, name in enumerate(summary.names)
            if (person := self.register.who(name, summary.number)) is not None
        }
        self._finished.append((summary, who))
        for seat, person in who.items():
            self._played[person.number].append(Played(summary, seat))

    @property
    def games(self) -> int:
        return len(self._finished)

    @property
    def people(self) -> tuple[PersonFigures, ...]:
        """Everybody who has finished a game, those with most games first."""
        found = [self.of(each) for each in self.register.people if self._played[each.number]]
        return tuple(sorted(found, key=lambda each: (-each.total.games, each.person.name)))

    def of(self, person: Person) -> PersonFigures:
        played = self._played[person.number]
        return PersonFigures(
            person,
            tally_of(played),
            {game: tally_of(theirs) for game, theirs in _by_game(played).items()},
            tuple(self.best_feats(person)),
            tuple(each.won for each in played[-FORM:]),
            tuple(_running(1 if each.won else 0 for each in played)),
            played[-1].summary.last_at if played else "",
        )

    def best_feats(self, only: Person | None = None) -> Iterator[BestFeat]:
        """The best of each kind in each game; of one person, or of all."""
        found: dict[tuple[str, str], BestFeat] = {}
        for summary, who in self._finished:
            for best in summary.best:
                holder = who.get(best.seat)
                if holder is None or only not in (None, holder):
                    continue
                key = (summary.game, best.kind)
                if key not in found or best.amount > found[key].amount:
                    found[key] = BestFeat(
                        *key, best.amount, holder, summary.number, summary.last_at
                    )
        yield from found.values()

    def companions(self, person: Person) -> tuple[PairFigures, ...]:
        """With everybody they have played with, most often first."""
        met = Counter(
            other.number
            for _, who in self._finished
            if person in who.values()
            for other in who.values()
            if other != person
        )
        return tuple(self.pair(person, self.register.person(each)) for each, _ in met.most_common())

    def pair(self, one: Person, other: Person) -> PairFigures:
        wins, ahead, curve = [0, 0], [0, 0], [0]
        for summary, who in self._finished:
            seats = {person.number: seat for seat, person in who.items()}
            if one.number not in seats or other.number not in seats:
                continue
            mine, theirs = seats[one.number], seats[other.number]
            wins[0] += mine in summary.winners
            wins[1] += theirs in summary.winners
            before = summary.ranks[mine] < summary.ranks[theirs]
            after = summary.ranks[theirs] < summary.ranks[mine]
            ahead[0] += before
            ahead[1] += after
            curve.append(curve[-1] + before - after)
        return PairFigures(
            one, other, len(curve) - 1, (wins[0], wins[1]), (ahead[0], ahead[1]), tuple(curve)
        )

    def months(self) -> tuple[str, ...]:
        """Those in which a game was finished, the latest first."""
        return tuple(sorted({each.month for each, _ in self._finished}, reverse=True))

    def leaderboard(self, game: str = "", month: str = "") -> tuple[LeaderRow, ...]:
        """Most wins first; of equals, who needed fewer games. Of one game or month, or of all."""
        rows = []
        for person in self.register.people:
            played = [
                each
                for each in self._played[person.number]
                if game in ("", each.summary.game) and month in ("", each.summary.month)
            ]
            if played:
                rows.append(LeaderRow(person, tally_of(played)))
        rows.sort(key=lambda row: (-row.tally.wins, row.tally.games, row.person.name))
        return tuple(rows)

    def together(self, number: int, into: int) -> bool:
        """Whether both have sat in one game: then they are two people."""
        return any(
            {number, into} <= {person.number for person in who.values()}
            for _, who in self._finished
        )


def tally_of(played: list[Played]) -> WinTally:
    streak = longest = 0
    for each in played:
        streak = streak + 1 if each.won else 0
        longest = max(longest, streak)
    return WinTally(
        len(played),
        sum(each.won for each in played),
        sum(each.points for each in played),
        streak,
        longest,
    )


def _by_game(played: list[Played]) -> Mapping[str, list[Played]]:
    found: dict[str, list[Played]] = defaultdict(list)
    for each in played:
        found[each.summary.game].append(each)
    return found


def _running(steps: Iterable[int]) -> Iterator[int]:
    total = 0
    yield total
    for step in steps:
        total += step
        yield total
