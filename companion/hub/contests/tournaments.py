"""Tournaments as they are kept: made, paired round by round, and told how each board ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion.core.catalog import game_named
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.hub.clubs import named
from companion.hub.contests.all_meet import MOST_PEOPLE as MOST_WHO_MEET
from companion.hub.contests.board_results import Finish
from companion.hub.contests.pairing import (
    Rank,
    Seated,
    TournamentBoard,
    board_sizes,
    meeting_round,
    next_round,
    ranking,
    rounds_to_meet,
    swiss_rounds,
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
    rounds: tuple[tuple[TournamentBoard, ...], ...]
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
    rounds = _rounds_of(asked, len(people), seats.start)
    row = transaction.one(
        "INSERT INTO tournament (club, name, game, kind, seats, rounds, made_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
        club, named(asked.name), asked.game, asked.kind, asked.seats, rounds, now(),
    )  # fmt: skip
    assert row is not None, "an insert returns its row"  # noqa: S101
    entrants = [(row[0], person, number) for number, person in enumerate(people, start=1)]
    transaction.many("entrant", ("tournament", "person", "number"), entrants)
    return int(row[0])


def _rounds_of(asked: Tournament, people: int, fewest: int) -> int:
    """A round robin goes on until everybody has met everybody, whatever number was asked for."""
    sizes = board_sizes(people, asked.seats, fewest)
    if asked.kind is Kind.SWISS:
        return min(asked.rounds or swiss_rounds(people), MOST_ROUNDS)
    if asked.seats > 2 and people > MOST_WHO_MEET:
        raise BadInput(
            "tournament-too-many-meet",
            N_("at tables of %(seats)s at most %(most)s people can all meet; choose Swiss"),
            seats=asked.seats,
            most=MOST_WHO_MEET,
        )
    rounds = rounds_to_meet(sizes)
    if rounds > MOST_ROUNDS:
        raise BadInput(
            "tournament-too-long",
            N_("until everybody has met, %(rounds)s rounds are played; choose Swiss"),
            rounds=rounds,
        )
    return rounds


def tournaments_of(transaction: Transaction, club: int) -> list[Tournament]:
    rows = transaction.all(f"{_SELECT} WHERE club = ? ORDER BY id DESC LIMIT {MOST_LISTED}", club)
    return [_tournament(*row) for row in rows]


def tournament_now(transaction: Transaction, club: int, number: int) -> TournamentNow | None:
    row = transaction.one(f"{_SELECT} WHERE club = ? AND id = ?", club, number)
    if row is None:
        return None
    tournament = _tournament(*row)
    entrants = transaction.all(
        "SELECT person FROM entrant WHERE tournament = ? ORDER BY number, person", number
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
    sizes = board_sizes(len(now_.people), tournament.seats, least)
    if tournament.kind is Kind.ROUND_ROBIN:
        boards = meeting_round(now_.people, sizes, len(now_.rounds))
    else:
        boards = next_round(now_.people, now_.rounds, sizes)
    at = now()
    transaction.many(
        "pairing",
        ("tournament", "round", "board", "seat", "person", "made_at"),
        [
            (tournament.number, len(now_.rounds) + 1, board, seat, person, at)
            for board, people in enumerate(boards, start=1)
            for seat, person in enumerate(people)
        ],
    )


@dataclass(frozen=True, slots=True)
class BoardAt:
    """A board of a tournament: its round and its number there, both from 1."""

    round: int
    board: int


def report(
    transaction: Transaction, now_: TournamentNow, at: BoardAt, finishes: Mapping[int, Finish]
) -> None:
    """How a board ended, as the owner says; whatever a game at a table said does not count."""
    boards = now_.rounds[at.round - 1] if 1 <= at.round <= len(now_.rounds) else ()
    found = 1 <= at.board <= len(boards)
    if not found or set(finishes) != set(boards[at.board - 1].people):
        raise BadInput(
            "tournament-no-board", N_("this round has no such table, or others sit there")
        )
    size = len(finishes)
    ranks = sorted(each.place for each in finishes.values())
    if any(not 1 <= place <= size for place in ranks) or ranks[0] != 1:
        raise BadInput(
            "tournament-places", N_("places are 1 to %(size)s, and somebody is first"), size=size
        )
    for person, finish in finishes.items():
        transaction.run(
            "UPDATE pairing SET place = ?, points = ?, box = '', game = 0"
            " WHERE tournament = ? AND round = ? AND board = ? AND person = ?",
            finish.place, finish.points, now_.tournament.number, at.round, at.board, person,
        )  # fmt: skip


def _rounds(transaction: Transaction, number: int) -> tuple[tuple[TournamentBoard, ...], ...]:
    rows = transaction.all(
        "SELECT round, board, person, place, points, box, game FROM pairing WHERE tournament = ?"
        " ORDER BY round, board, seat",
        number,
    )
    rounds: dict[int, dict[int, list[Seated]]] = defaultdict(lambda: defaultdict(list))
    for round_, board, *seated in rows:
        rounds[round_][board].append(Seated(*seated))
    return tuple(
        tuple(TournamentBoard(tuple(seats)) for seats in boards.values())
        for boards in rounds.values()
    )


def _tournament(number: int, name: str, game: str, kind: str, seats: int, *rest: int) -> Tournament:
    return Tournament(number, name, game, Kind(kind), seats, rest[0])
