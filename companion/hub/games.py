"""Games as a club's pages show them: who played, how it ended, where and when."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from companion.hub.store import Row, Transaction

_GAME = (
    "SELECT game.box, game.number, game.game, game.opened_at, game.last_at, game.over, box.name"
    " FROM game JOIN box ON box.club = game.club AND box.id = game.box"
    " WHERE game.club = ? AND game.broken = ''"
)


@dataclass(frozen=True, slots=True)
class Finisher:
    """Somebody at the end of a game."""

    person: int
    name: str
    points: int
    place: int
    won: bool


@dataclass(frozen=True, slots=True)
class ClubGame:
    """One game at a table of the club; nobody has finished while it is played."""

    box: str
    number: int
    game: str
    opened_at: str
    last_at: str
    over: bool
    table: str
    finishers: tuple[Finisher, ...] = ()
    """By place."""

    @property
    def winners(self) -> list[str]:
        return [each.name for each in self.finishers if each.won]

    @property
    def minutes(self) -> int:
        """From the first entry to the last."""
        return minutes_between(self.opened_at, self.last_at)


def minutes_between(first: str, last: str) -> int:
    """0 if a box's clock was so wrong that nobody can tell."""
    try:
        seconds = (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()
    except (ValueError, TypeError):
        return 0
    return max(0, round(seconds / 60))


def recent_games(transaction: Transaction, club: int, most: int) -> list[ClubGame]:
    """The last ones first."""
    rows = transaction.all(f"{_GAME} ORDER BY game.last_at DESC LIMIT ?", club, most)
    return _with_finishers(transaction, club, rows)


def game_at(transaction: Transaction, club: int, box: str, number: int) -> ClubGame | None:
    rows = transaction.all(f"{_GAME} AND game.box = ? AND game.number = ?", club, box, number)
    found = _with_finishers(transaction, club, rows)
    return found[0] if found else None


def months_of(transaction: Transaction, club: int) -> list[str]:
    """Months such as 2026-11 in which a game ended, the last ones first."""
    rows = transaction.all(
        "SELECT DISTINCT substr(at, 1, 7) AS month FROM result WHERE club = ?"
        " ORDER BY month DESC LIMIT 24",
        club,
    )
    return [month for (month,) in rows]


def _with_finishers(transaction: Transaction, club: int, rows: list[Row]) -> list[ClubGame]:
    if not rows:
        return []
    blanks = ", ".join(["(?, ?)"] * len(rows))
    results = transaction.all(
        "SELECT result.box, result.number, result.person, person.name, result.points, result.place,"
        " result.won FROM result JOIN person ON person.id = result.person"
        f" WHERE result.club = ? AND (result.box, result.number) IN ({blanks})"
        " ORDER BY result.place, result.seat",
        club, *(each for row in rows for each in row[:2]),
    )  # fmt: skip
    finishers: dict[tuple[str, int], list[Finisher]] = defaultdict(list)
    for box, number, person, name, points, place, won in results:
        finishers[box, number].append(Finisher(person, name, points, place, bool(won)))
    return [
        ClubGame(
            box, number, game, opened_at, last_at, bool(over), table,
            tuple(finishers[box, number]),
        )
        for box, number, game, opened_at, last_at, over, table in rows
    ]  # fmt: skip
