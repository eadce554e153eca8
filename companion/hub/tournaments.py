"""Tournaments as they are kept: made, paired round by round, and told how each board ended."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum

from companion.core.catalog import game_named
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.hub.clubs import named
from companion.hub.pairing import (
    Pairing,
    Rank,
    Seated,
    board_sizes,
    next_round,
    ranking,
    round_robin,
    rounds_needed,
)
from companion.hub.people import person_at, person_called
from companion.hub.store import Transaction
from companion.ledger.journal import now

MOST_LISTED = 100
MOST_ROUNDS = 64
_SELECT = "SELECT id, name, game, kind, seats, rounds FROM tournament"


class Kind(StrEnum):
    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"


@dataclass(frozen=True, slots=True)
class Tournament:
    number: int
    name: str
    game: str
    kind: Kind
    seats: int
    rounds: int


@dataclass(frozen=True, slots=True)
class TournamentNow:
    """A tournament with its rounds and its ranking."""

    tournament: Tournament
    people: tuple[int, ...]
    names: dict[int, str]
    rounds: tuple[tuple[Pairing, ...], ...]
    ranks: tuple[Rank, ...]

    @property
    def round_done(self) -> bool:
        """Whether the round that was paired last is over; so before the first."""
        return not self.rounds or all(board.done for board in self.rounds[-1])

    @property
    def over(self) -> bool:
        return len(self.rounds) >= self.tournament.rounds and self.round_done


def make_tournament(
    transaction: Transaction, club: int, asked: Tournament, names: tuple[str, ...]
) -> int:
    """The number of a new tournament for these people; that of `asked` is not looked at."""
    seats = game_named(asked.game).SEATS
    if asked.seats not in seats:
        raise BadInput(
            "tournament-seats",
            N_("this game is for %(least)s to %(most)s at a table, not %(got)s"),
            least=seats.start,
            most=seats.stop - 1,
            got=asked.seats,
        )
    people = tuple(dict.fromkeys(person_called(transaction, club, named(each)) for each in names))
    board_sizes(len(people), asked.seats, seats.start)
    rounds = min(asked.rounds or rounds_needed(len(people), asked.seats), MOST_ROUNDS)
    row = transaction.one(
        "INSERT INTO tournament (club, name, game, kind, seats, rounds, made_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
        club, named(asked.name), asked.game, asked.kind, asked.seats, rounds, now(),
    )  # fmt: skip
    assert row is not None, "an insert returns its row"  # noqa: S101
    for person in people:
        transaction.run("INSERT INTO entrant (tournament, person) VALUES (?, ?)", row[0], person)
    return int(row[0])


def tournaments_of(transaction: Transaction, club: int) -> list[Tournament]:
    rows = transaction.all(f"{_SELECT} WHERE club = ? ORDER BY id DESC LIMIT {MOST_LISTED}", club)
    return [_tournament(*row) for row in rows]


def tournament_now(transaction: Transaction, club: int, number: int) -> TournamentNow | None:
    row = transaction.one(f"{_SELECT} WHERE club = ? AND id = ?", club, number)
    if row is None:
        return None
    tournament = _tournament(*row)
    entrants = transaction.all(
        "SELECT person FROM entrant WHERE tournament = ? ORDER BY person", number
    )
    people = tuple(person for (person,) in entrants)
    found = (person_at(transaction, club, each) for each in people)
    names = {each.number: each.name for each in found if each is not None}
    rounds = _rounds(transaction, number)
    return TournamentNow(tournament, people, names, rounds, tuple(ranking(people, rounds)))


def pair(transaction: Transaction, now_: TournamentNow) -> None:
    """Draws up the next round."""
    tournament = now_.tournament
    if not now_.round_done or len(now_.rounds) >= tournament.rounds:
        raise BadInput(
            "tournament-round-open",
            N_("the next round begins when every table of this one has ended"),
        )
    least = game_named(tournament.game).SEATS.start
    if tournament.kind is Kind.ROUND_ROBIN and tournament.seats == 2:
        boards = round_robin(now_.people, len(now_.rounds))
    else:
        sizes = board_sizes(len(now_.people), tournament.seats, least)
        boards = next_round(now_.people, now_.rounds, sizes)
    transaction.many(
        "pairing",
        ("tournament", "round", "board", "seat", "person"),
        [
            (tournament.number, len(now_.rounds) + 1, board, seat, person)
            for board, people in enumerate(boards, start=1)
            for seat, person in enumerate(people)
        ],
    )


def report(
    transaction: Transaction, now_: TournamentNow, board: int, places: dict[int, tuple[int, int]]
) -> None:
    """How a board of the last round ended: place and points of each person there."""
    boards = now_.rounds[-1] if now_.rounds else ()
    if not 1 <= board <= len(boards) or set(places) != set(boards[board - 1].people):
        raise BadInput(
            "tournament-no-board", N_("this round has no such table, or others sit there")
        )
    size = len(places)
    ranks = sorted(place for place, _ in places.values())
    if any(not 1 <= place <= size for place in ranks) or ranks[0] != 1:
        raise BadInput(
            "tournament-places", N_("places are 1 to %(size)s, and somebody is first"), size=size
        )
    for person, (place, points) in places.items():
        transaction.run(
            "UPDATE pairing SET place = ?, points = ?"
            " WHERE tournament = ? AND round = ? AND board = ? AND person = ?",
            place, points, now_.tournament.number, len(now_.rounds), board, person,
        )  # fmt: skip


def _rounds(transaction: Transaction, number: int) -> tuple[tuple[Pairing, ...], ...]:
    rows = transaction.all(
        "SELECT round, board, person, place, points FROM pairing WHERE tournament = ?"
        " ORDER BY round, board, seat",
        number,
    )
    rounds: dict[int, dict[int, list[Seated]]] = defaultdict(lambda: defaultdict(list))
    for round_, board, person, place, points in rows:
        rounds[round_][board].append(Seated(person, place, points))
    return tuple(
        tuple(Pairing(tuple(seats)) for seats in boards.values()) for boards in rounds.values()
    )


def _tournament(number: int, name: str, game: str, kind: str, seats: int, *rest: int) -> Tournament:
    return Tournament(number, name, game, Kind(kind), seats, rest[0])
