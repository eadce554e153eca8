"""People across tables. Whoever is called the same in one club is taken for the same person until
the owner says otherwise; two names of one person can be merged."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.hub.store import Row, Transaction

PEOPLE_A_PAGE = 100


@dataclass(frozen=True, slots=True)
class ClubMember:
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class PersonTally:
    """What somebody has played, of one game."""

    game: str
    games: int
    wins: int
    points: int
    best_place: int


@dataclass(frozen=True, slots=True)
class PlayedGame:
    box: str
    number: int
    game: str
    seats: int
    points: int
    place: int
    won: bool
    at: str


def known_as(name: str) -> str:
    """The same for every spelling that means the same person: case and accents aside."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).split())


def person_called(transaction: Transaction, club: int, name: str) -> int:
    """The number of the person of that name; a new one if nobody is called so yet."""
    row = transaction.one(
        "INSERT INTO person (club, name, known_as) VALUES (?, ?, ?)"
        " ON CONFLICT (club, known_as) DO UPDATE SET name = person.name"
        " RETURNING id, merged_into",
        club, name, known_as(name),
    )  # fmt: skip
    assert row is not None, "an upsert returns its row"  # noqa: S101
    return int(row[1] if row[1] is not None else row[0])


def people_of(transaction: Transaction, club: int, page: int = 1) -> list[ClubMember]:
    """By name, so many to a page; one more if there is a next page."""
    rows = transaction.all(
        "SELECT id, name FROM person WHERE club = ? AND merged_into IS NULL"
        " ORDER BY known_as LIMIT ? OFFSET ?",
        club, PEOPLE_A_PAGE + 1, (page - 1) * PEOPLE_A_PAGE,
    )  # fmt: skip
    return [ClubMember(number, name) for number, name in rows]


def person_known(transaction: Transaction, club: int, name: str) -> int | None:
    """The number of the person of that name, if there is one."""
    row = transaction.one(
        "SELECT id, merged_into FROM person WHERE club = ? AND known_as = ?", club, known_as(name)
    )
    return None if row is None else int(row[1] if row[1] is not None else row[0])


def person_at(transaction: Transaction, club: int, number: int) -> ClubMember | None:
    row = transaction.one(
        "SELECT id, name FROM person WHERE club = ? AND id = ? AND merged_into IS NULL",
        club, number,
    )  # fmt: skip
    return None if row is None else ClubMember(*row)


def merge(transaction: Transaction, club: int, person: int, into: int) -> None:
    """From now on and for all games played, `person` is `into`."""
    both = {
        each.number for each in (person_at(transaction, club, n) for n in (person, into)) if each
    }
    if person == into or both != {person, into}:
        raise BadInput("hub-merge-two", N_("choose two different people of this club"))
    transaction.run(
        "UPDATE result SET person = ? WHERE club = ? AND person = ?", into, club, person
    )
    transaction.run(
        "UPDATE person SET merged_into = ? WHERE club = ? AND (id = ? OR merged_into = ?)",
        into, club, person, person,
    )  # fmt: skip
    _merge_entrants(transaction, club, person, into)


def _merge_entrants(transaction: Transaction, club: int, person: int, into: int) -> None:
    """In tournaments, too. Who plays in one that has begun is not two people of it at once."""
    both = transaction.all(
        "SELECT tournament.id, tournament.name FROM tournament"
        " JOIN entrant one ON one.tournament = tournament.id AND one.person = ?"
        " JOIN entrant other ON other.tournament = tournament.id AND other.person = ?"
        " WHERE tournament.club = ?",
        person, into, club,
    )  # fmt: skip
    for number, name in both:
        if transaction.one("SELECT 1 FROM pairing WHERE tournament = ? LIMIT 1", number):
            raise BadInput(
                "hub-merge-both-play",
                N_("both of them play in the tournament %(name)s, so they are two people"),
                name=name,
            )
        transaction.run("DELETE FROM entrant WHERE tournament = ? AND person = ?", number, person)
    for table in ("entrant", "pairing"):
        transaction.run(
            f"UPDATE {table} SET person = ? WHERE person = ? AND tournament IN"
            " (SELECT id FROM tournament WHERE club = ?)",
            into, person, club,
        )  # fmt: skip


def tallies(transaction: Transaction, club: int, person: int) -> list[PersonTally]:
    rows = transaction.all(
        "SELECT game, COUNT(*), SUM(won), SUM(points), MIN(place) FROM result"
        " WHERE club = ? AND person = ? GROUP BY game ORDER BY game",
        club, person,
    )  # fmt: skip
    return [PersonTally(game, *(int(each) for each in rest)) for game, *rest in rows]


def last_games(
    transaction: Transaction, club: int, person: int, most: int = 20
) -> list[PlayedGame]:
    rows = transaction.all(
        "SELECT box, number, game, seats, points, place, won, at FROM result"
        " WHERE club = ? AND person = ? ORDER BY at DESC LIMIT ?",
        club, person, most,
    )  # fmt: skip
    return [_played(row) for row in rows]


def _played(row: Row) -> PlayedGame:
    box, number, game, seats, points, place, won, at = row
    return PlayedGame(box, number, game, seats, points, place, bool(won), at)
