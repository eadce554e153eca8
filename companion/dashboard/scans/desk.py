"""The scans of the moment: pictures people sent, and what was read in them. They are kept in memory
only, and only the last few; what people take of them stands in the books."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any

from companion.core.catalog import game_named
from companion.deciding.reader import reader_of
from companion.foundation.errors import BadInput, NoSuchGame
from companion.foundation.messages import N_
from companion.ledger.referee import Moment
from companion.ledger.session import Session
from companion.scanning.asked_card import answered, cards_shown
from companion.scanning.comparison import ScanRow, compared, likelier_subject
from companion.scanning.scanner import ScannedView, Scanner, Subject, scanner_of
from companion.scanning.whole_table import whole_table
from companion.tabletop.readings import Question, Reading

KEPT = 12
"""Scans that are remembered."""
TABLE, ASKED = "table", "asked"
"""Subjects of every game that can be watched: the whole table, and a card the camera asks about."""


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """Pictures of one subject, and what was seen in them."""

    number: int
    game: int
    """The number of the game it was taken in."""
    subject: Subject
    views: tuple[ScannedView, ...]
    pictures: tuple[bytes, ...]
    left: frozenset[str] = frozenset()
    """Lines that people have said are not so."""
    owner_said: bool = False
    """Somebody has said whose it is."""
    round: str = ""
    """The kind of the round it belongs to."""


class ScanDesk:
    """Keeps the scans, and says what each means beside the books."""

    def __init__(self) -> None:
        self._scans: OrderedDict[int, Scan] = OrderedDict()
        self._last = 0
        self._lock = threading.Lock()

    def keep(
        self,
        session: Session,
        subject: Subject,
        views: tuple[ScannedView, ...],
        pictures: tuple[bytes, ...],
        round_: str = "",
    ) -> Scan:
        with self._lock:
            self._last += 1
            scan = Scan(self._last, session.number, subject, views, pictures, round=round_)
            self._scans[scan.number] = scan
            while len(self._scans) > KEPT:
                self._scans.popitem(last=False)
            return scan

    def find(self, number: int, session: Session) -> Scan:
        scan = self._scans.get(number)
        if scan is None or scan.game != session.number:
            raise NoSuchGame(
                "scan-gone", N_("That picture is not here any more. Take it again, please.")
            )
        return scan

    def changed(self, scan: Scan, **parts: Any) -> Scan:
        with self._lock:
            after = replace(scan, **parts)
            if scan.number in self._scans:
                self._scans[scan.number] = after
            return after

    def latest(self, session: Session, subject: Subject) -> Scan | None:
        """The last scan of a subject in this game."""
        mine = [
            each
            for each in self._scans.values()
            if each.game == session.number and each.subject == subject
        ]
        return mine[-1] if mine else None


def scannable(game: str) -> Scanner[Any]:
    scanner = scanner_of(game)
    if scanner is None:
        raise BadInput(
            "game-not-scanned", N_("Pictures of this game cannot be read; enter it by hand.")
        )
    return scanner


def subjects(moment: Moment) -> tuple[Subject, ...]:
    """All that a picture may be taken of now, the most wanted first."""
    session = moment.session
    if session is None or session.over:
        return ()
    game = session.setup.game
    asked = (Subject(ASKED),) if isinstance(moment.opinion, Question) else ()
    whole = () if reader_of(game) is None else (Subject(TABLE, on_places=True),)
    return (*asked, *scannable(game).subjects(session.state), *whole)


def subject_named(moment: Moment, key: str) -> Subject:
    found = next((each for each in subjects(moment) if each.key == key), None)
    if found is None:
        raise BadInput(
            "nothing-to-scan-so",
            N_("The table has moved on: that cannot be scanned now. Choose again."),
        )
    return found


def rows_of(session: Session, scan: Scan) -> tuple[ScanRow, ...]:
    """What a scan says beside the books as they are now."""
    game, state = game_named(session.setup.game), session.state
    scanner = scannable(session.setup.game)
    if scan.subject.kind == TABLE:
        facts = whole_table(scanner, reader_of(session.setup.game), state, scan.views)
    else:
        facts = scanner.read(state, scan.subject, scan.views)
    return compared(game, state, facts)


def other_subject(session: Session, scan: Scan) -> Subject | None:
    """Whose it rather is, if that was not said yet."""
    if scan.owner_said or scan.subject.seat is None or not scan.subject.on_places:
        return None
    game = game_named(session.setup.game)
    scanner = scannable(session.setup.game)
    return likelier_subject(scanner, game, session.state, scan.subject, scan.views)


def answer_of(moment: Moment, scan: Scan) -> tuple[Reading, float] | None:
    """What a picture of a card says to the camera's question, if that still stands."""
    if scan.subject.kind != ASKED or not isinstance(moment.opinion, Question):
        return None
    return answered(moment.opinion, cards_shown(scan.views))
