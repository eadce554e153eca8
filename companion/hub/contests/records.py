"""Records of a club in one game: the best result, the longest run of wins, the longest game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.hub.games import minutes_between
from companion.hub.store import Transaction

MOST_LOOKED_AT = 20_000
"""Results, the last ones: records of a club that has more are those of its last years."""
LONGEST_MINUTES = 24 * 60
"""A game that lay there overnight is no long game."""


class RecordKind(StrEnum):
    BEST = "best"
    STREAK = "streak"
    MOST_GAMES = "most-games"
    LONGEST = "longest"


@dataclass(frozen=True, slots=True)
class ClubRecord:
    kind: RecordKind
    value: int
    name: str = ""
    """Whose it is; empty if it is a table's."""
    box: str = ""
    number: int = 0
    """The game it was made in, if it was one."""
    at: str = ""


def records_of(transaction: Transaction, club: int, game: str) -> list[ClubRecord]:
    found = (_best(transaction, club, game), *_runs(transaction, club, game))
    longest = _longest(transaction, club, game)
    return [each for each in (*found, longest) if each is not None]


def _best(transaction: Transaction, club: int, game: str) -> ClubRecord | None:
    """The most points somebody won with; the fewest in games that are won with few."""
    averages = transaction.one(
        "SELECT AVG(CASE WHEN won = 1 THEN points END), AVG(CASE WHEN won = 0 THEN points END)"
        " FROM result WHERE club = ? AND game = ?",
        club, game,
    )  # fmt: skip
    if averages is None or averages[0] is None:
        return None
    more_is_better = averages[1] is None or averages[0] >= averages[1]
    row = transaction.one(
        "SELECT result.points, person.name, result.box, result.number, result.at FROM result"
        " JOIN person ON person.id = result.person"
        " WHERE result.club = ? AND result.game = ? AND result.won = 1"
        f" ORDER BY result.points {'DESC' if more_is_better else 'ASC'}, result.at LIMIT 1",
        club, game,
    )  # fmt: skip
    return None if row is None else ClubRecord(RecordKind.BEST, *row)


def _runs(transaction: Transaction, club: int, game: str) -> list[ClubRecord]:
    """The longest run of wins, and who has played most."""
    rows = transaction.all(
        "SELECT person, won, at FROM result WHERE club = ? AND game = ?"
        f" ORDER BY at DESC, number DESC LIMIT {MOST_LOOKED_AT}",
        club, game,
    )  # fmt: skip
    games: dict[int, int] = {}
    running: dict[int, int] = {}
    streak, holder, ended = 0, 0, ""
    for person, won, at in reversed(rows):
        games[person] = games.get(person, 0) + 1
        running[person] = running.get(person, 0) + 1 if won else 0
        if running[person] > streak:
            streak, holder, ended = running[person], person, at
    if not games:
        return []
    busiest = max(games, key=lambda each: games[each])
    found = [ClubRecord(RecordKind.MOST_GAMES, games[busiest], _name(transaction, club, busiest))]
    if streak > 1:
        name = _name(transaction, club, holder)
        found.insert(0, ClubRecord(RecordKind.STREAK, streak, name, at=ended))
    return found


def _longest(transaction: Transaction, club: int, game: str) -> ClubRecord | None:
    rows = transaction.all(
        "SELECT box, number, opened_at, last_at FROM game"
        " WHERE club = ? AND game = ? AND over = 1 AND broken = ''"
        f" ORDER BY last_at DESC LIMIT {MOST_LOOKED_AT}",
        club, game,
    )  # fmt: skip
    lasted = [(minutes_between(first, last), box, n, last) for box, n, first, last in rows]
    fitting = [each for each in lasted if 0 < each[0] <= LONGEST_MINUTES]
    if not fitting:
        return None
    minutes, box, number, at = max(fitting)
    return ClubRecord(RecordKind.LONGEST, minutes, "", box, number, at)


def _name(transaction: Transaction, club: int, person: int) -> str:
    row = transaction.one("SELECT name FROM person WHERE club = ? AND id = ?", club, person)
    return "?" if row is None else str(row[0])
