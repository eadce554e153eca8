"""From events to games and results: the same fold as at the table, on the hub.

A game is folded as its events come in, and kept in memory while it is played; what was not folded
when the hub stopped is folded when it starts. Folding twice changes nothing."""

from __future__ import annotations

import logging
from collections import OrderedDict
from dataclasses import dataclass
from itertools import groupby

import msgspec

from companion.foundation.errors import BadInput, CompanionError, LogCorrupt
from companion.hub.clubs import Box
from companion.hub.contests.board_results import EndedGame, Finish, fill_board, reopen_board
from companion.hub.people import person_called
from companion.hub.store import Row, Transaction
from companion.ledger.events import Event, decode
from companion.ledger.session import Session, begin, followed

log = logging.getLogger(__name__)

MOST_SESSIONS = 512
"""Games kept in memory: those played now in a large hall."""
MOST_EVENTS = 2_000
"""Folded in one transaction."""
RESULT_COLUMNS = (
    "club", "box", "number", "seat", "person", "game", "seats", "points", "place", "won", "at",
)  # fmt: skip
_EVENTS = (
    "SELECT seq, game, based_on, at, source, kind, body FROM event"
    " WHERE club = ? AND box = ? AND seq > ?"
)


@dataclass(frozen=True, slots=True)
class GameKey:
    box: str
    number: int


class Folder:
    """Holds the games that are being played; used by one thread."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[GameKey, Session] = OrderedDict()

    def forget(self, box: str) -> None:
        """What was known of a box that has gone back in time."""
        for key in [key for key in self._sessions if key.box == box]:
            del self._sessions[key]

    def fold(self, transaction: Transaction, box: Box) -> Session | None:
        """Folds what is new of a box, at most so much at a time; the game played last in it.

        The box must be locked by this transaction. None: there was nothing new."""
        rows = new_events(transaction, box)
        if not rows:
            return None
        latest: Session | None = None
        for number, its_rows in groupby(sorted(rows, key=_game_then_seq), key=lambda row: row[1]):
            session = self._game(transaction, box, number, list(its_rows))
            if number == rows[-1][1]:
                latest = session
        transaction.run(
            "UPDATE box SET folded = ? WHERE club = ? AND id = ?", rows[-1][0], box.club, box.id
        )
        return latest

    def latest(self, transaction: Transaction, box: Box) -> Session | None:
        """The game played last at a box, as far as it is folded; None if there is none, or none
        that this hub can follow."""
        row = transaction.one(
            "SELECT game FROM event WHERE club = ? AND box = ? AND seq <= ?"
            " ORDER BY seq DESC LIMIT 1",
            box.club, box.id, box.folded,
        )  # fmt: skip
        if row is None:
            return None
        try:
            return self._known(transaction, box, row[0], box.folded)
        except CompanionError:  # said when it was folded
            return None

    def _game(
        self, transaction: Transaction, box: Box, number: int, new: list[Row]
    ) -> Session | None:
        try:
            session = self._known(transaction, box, number, new[0][0] - 1)
            for row in new:
                event = _event(row)
                if session is None:
                    session = begin(event)
                elif event.seq > session.seq:
                    session = followed(session, event)
        except CompanionError as broken:  # by another version, or a game this hub does not have
            log.warning("game %s of box %s cannot be followed: %s", number, box.id, broken)
            _keep_broken(transaction, box, number, new, str(broken))
            return None
        if session is None:
            return None
        self._remember(GameKey(box.id, number), session)
        _keep(transaction, box, session, new)
        return session

    def _known(self, transaction: Transaction, box: Box, number: int, until: int) -> Session | None:
        """The game as it was after event `until`, from memory or from its events."""
        session = self._sessions.get(GameKey(box.id, number))
        if session is not None:
            return session
        rows = transaction.all(
            f"{_EVENTS} AND game = ? AND seq <= ? ORDER BY seq", box.club, box.id, 0, number, until
        )
        for row in rows:
            event = _event(row)
            session = begin(event) if session is None else followed(session, event)
        if session is not None:
            self._remember(GameKey(box.id, number), session)
        return session

    def _remember(self, key: GameKey, session: Session) -> None:
        self._sessions[key] = session
        self._sessions.move_to_end(key)
        while len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)


def new_events(transaction: Transaction, box: Box) -> list[Row]:
    """What came in of a box and was not folded yet, at most so much at a time."""
    return transaction.all(
        f"{_EVENTS} ORDER BY seq LIMIT {MOST_EVENTS}", box.club, box.id, box.folded
    )


def _game_then_seq(row: Row) -> tuple[int, int]:
    return row[1], row[0]


def _event(row: Row) -> Event:
    seq, game, based_on, at, source, kind, body = row
    try:
        return Event(seq, game, based_on, at, source, decode(kind, body))
    except BadInput as bad:
        raise LogCorrupt(game, seq, kind, bad.message) from None


def _keep(transaction: Transaction, box: Box, session: Session, new: list[Row]) -> None:
    standing = session.game.standing(session.state)
    _upsert_game(transaction, box, session, new, over=standing.over)
    transaction.run(
        "DELETE FROM result WHERE club = ? AND box = ? AND number = ?",
        box.club, box.id, session.number,
    )  # fmt: skip
    if not standing.over:
        reopen_board(transaction, box.id, session.number)
        return
    people = [person_called(transaction, box.club, name) for name in session.setup.names]
    transaction.many(
        "result",
        RESULT_COLUMNS,
        [
            (
                box.club, box.id, session.number, seat, person, session.setup.game,
                len(people), standing.points[seat], standing.ranks[seat],
                int(seat in standing.winners), new[-1][3],
            )
            for seat, person in enumerate(people)
        ],
    )  # fmt: skip
    _fill_board(transaction, box, session, people)


def _fill_board(transaction: Transaction, box: Box, session: Session, people: list[int]) -> None:
    row = transaction.one(
        "SELECT opened_at FROM game WHERE club = ? AND box = ? AND number = ?",
        box.club, box.id, session.number,
    )  # fmt: skip
    standing = session.game.standing(session.state)
    finishes = map(Finish, standing.ranks, standing.points)
    ended = EndedGame(
        club=box.club,
        box=box.id,
        number=session.number,
        game=session.setup.game,
        opened_at=row[0] if row else "",
        finishes=dict(zip(people, finishes, strict=True)),
    )
    fill_board(transaction, ended)


def _upsert_game(
    transaction: Transaction, box: Box, session: Session, new: list[Row], *, over: bool
) -> None:
    names = msgspec.json.encode(session.setup.names).decode()
    transaction.run(
        "INSERT INTO game (club, box, number, game, names, opened_at, last_at, seq, over)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (club, box, number) DO UPDATE SET"
        " last_at = excluded.last_at, seq = excluded.seq, over = excluded.over, broken = ''",
        box.club, box.id, session.number, session.setup.game, names, new[0][3], new[-1][3],
        new[-1][0], int(over),
    )  # fmt: skip


def _keep_broken(transaction: Transaction, box: Box, number: int, new: list[Row], why: str) -> None:
    transaction.run(
        "INSERT INTO game (club, box, number, game, names, opened_at, last_at, seq, over, broken)"
        " VALUES (?, ?, ?, '', '[]', ?, ?, ?, 0, ?) ON CONFLICT (club, box, number) DO UPDATE SET"
        " last_at = excluded.last_at, seq = excluded.seq, broken = excluded.broken",
        box.club, box.id, number, new[0][3], new[-1][3], new[-1][0], why[:500],
    )  # fmt: skip
