"""Leagues: everything of one game that a club plays between two days, in one table. And the
leaderboard of a club, which is a league without an end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.hub.clubs import named
from companion.hub.store import Transaction

MOST_LISTED = 100


class Scoring(StrEnum):
    """What a game is worth in a league."""

    PLACES = "places"
    """As many points as seats were beaten or shared: the first of four has three."""
    WINS = "wins"
    """One for a win, whoever else played."""


@dataclass(frozen=True, slots=True)
class League:
    number: int
    name: str
    game: str
    scoring: Scoring
    first_day: str
    last_day: str


@dataclass(frozen=True, slots=True)
class LeagueRow:
    person: int
    name: str
    games: int
    wins: int
    score: int
    place: int


_SCORES = {Scoring.PLACES: "SUM(seats - place)", Scoring.WINS: "SUM(won)"}


def make_league(transaction: Transaction, club: int, league: League) -> int:
    """The number of a new league; that of `league` is not looked at."""
    first, last = _day(league.first_day), _day(league.last_day)
    if last < first:
        raise BadInput("league-days", N_("a league ends after it has begun"))
    row = transaction.one(
        "INSERT INTO league (club, name, game, scoring, first_day, last_day)"
        " VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
        club, named(league.name), league.game, league.scoring, first.isoformat(), last.isoformat(),
    )  # fmt: skip
    assert row is not None, "an insert returns its row"  # noqa: S101
    return int(row[0])


def leagues_of(transaction: Transaction, club: int) -> list[League]:
    rows = transaction.all(
        "SELECT id, name, game, scoring, first_day, last_day FROM league"
        f" WHERE club = ? ORDER BY id DESC LIMIT {MOST_LISTED}",
        club,
    )
    return [
        League(n, name, game, Scoring(s), first, last) for n, name, game, s, first, last in rows
    ]


def league_table(transaction: Transaction, club: int, league: League) -> list[LeagueRow]:
    """The table: score, then wins, then who needed fewer games."""
    rows = transaction.all(
        f"SELECT person, COUNT(*), SUM(won), {_SCORES[league.scoring]} FROM result"
        " WHERE club = ? AND game = ? AND at >= ? AND at < ? GROUP BY person",
        club, league.game, league.first_day, league.last_day + "~",
    )  # fmt: skip
    return _ranked(transaction, club, [(p, int(n), int(w), int(s)) for p, n, w, s in rows])


def leaderboard(transaction: Transaction, club: int, game: str, month: str = "") -> list[LeagueRow]:
    """Wins of one game, ever or in a month such as 2026-11."""
    rows = transaction.all(
        "SELECT person, COUNT(*), SUM(won), SUM(won) FROM result"
        " WHERE club = ? AND game = ? AND at >= ? AND at < ? GROUP BY person",
        club, game, month, (month or "9") + "~",
    )  # fmt: skip
    return _ranked(transaction, club, [(p, int(n), int(w), int(s)) for p, n, w, s in rows])


def _ranked(
    transaction: Transaction, club: int, rows: list[tuple[int, int, int, int]]
) -> list[LeagueRow]:
    """With shared places for equal scores and wins."""
    ordered = sorted(rows, key=lambda row: (-row[3], -row[2], row[1], row[0]))
    blanks = ", ".join("?" * len(ordered)) or "NULL"
    names: dict[int, str] = dict(
        transaction.all(
            f"SELECT id, name FROM person WHERE club = ? AND id IN ({blanks})",
            club, *(row[0] for row in ordered),
        )
    )  # fmt: skip
    made: list[LeagueRow] = []
    for at, (person, games, wins, score) in enumerate(ordered, start=1):
        shared = made and (made[-1].score, made[-1].wins) == (score, wins)
        place = made[-1].place if shared else at
        made.append(LeagueRow(person, names.get(person, "?"), games, wins, score, place))
    return made[:MOST_LISTED]


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadInput(
            "league-day", N_("a day is written like 2026-11-30, got %(text)s"), text=repr(text[:20])
        ) from None
