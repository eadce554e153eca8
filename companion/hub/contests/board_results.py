"""Games at a club's tables that are boards of its tournaments: a board takes its result from the
first game that its people play after they were paired. The owner's word goes before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.hub.store import Transaction


@dataclass(frozen=True, slots=True)
class Finish:
    """How a game ended for somebody."""

    place: int
    points: int


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A game that ended at a table of a club."""

    club: int
    box: str
    number: int
    game: str
    opened_at: str
    finishes: Mapping[int, Finish]
    """By person."""


def fill_board(transaction: Transaction, ended: EndedGame) -> None:
    """Tells the board that these people were to play, if there is one, how it ended. A game told
    again, with another end, changes the board it has filled."""
    board = _filled_by(transaction, ended) or _open_board(transaction, ended)
    if board is None:
        return
    for person, finish in ended.finishes.items():
        transaction.run(
            "UPDATE pairing SET place = ?, points = ?, box = ?, game = ?"
            " WHERE tournament = ? AND round = ? AND board = ? AND person = ?",
            finish.place, finish.points, ended.box, ended.number, *board, person,
        )  # fmt: skip


def reopen_board(transaction: Transaction, box: str, number: int) -> None:
    """The game did not end after all: its board, if it has one, is played on."""
    transaction.run(
        "UPDATE pairing SET place = 0, points = 0, box = '', game = 0 WHERE box = ? AND game = ?",
        box, number,
    )  # fmt: skip


def _filled_by(transaction: Transaction, ended: EndedGame) -> tuple[int, int, int] | None:
    row = transaction.one(
        "SELECT tournament, round, board FROM pairing WHERE box = ? AND game = ? LIMIT 1",
        ended.box, ended.number,
    )  # fmt: skip
    return None if row is None else (row[0], row[1], row[2])


def _open_board(transaction: Transaction, ended: EndedGame) -> tuple[int, int, int] | None:
    """The oldest board with exactly these people that was drawn up before they began."""
    boards = transaction.all(
        "SELECT pairing.tournament, pairing.round, pairing.board FROM pairing"
        " JOIN tournament ON tournament.id = pairing.tournament"
        " WHERE tournament.club = ? AND tournament.game = ? AND pairing.person = ?"
        " AND pairing.place = 0 AND pairing.made_at <= ?"
        " ORDER BY pairing.tournament, pairing.round, pairing.board",
        ended.club, ended.game, next(iter(ended.finishes)), ended.opened_at,
    )  # fmt: skip
    for tournament, round_, board in boards:
        seated = transaction.all(
            "SELECT person FROM pairing WHERE tournament = ? AND round = ? AND board = ?",
            tournament, round_, board,
        )  # fmt: skip
        if {person for (person,) in seated} == set(ended.finishes):
            return tournament, round_, board
    return None
