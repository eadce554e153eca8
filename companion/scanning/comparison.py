"""A scan held against the books: what agrees, what differs, and what may be taken at one tap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from companion.core.game import Accepted, Game, Refused
from companion.foundation.errors import BadNotation
from companion.scanning.scanner import ScannedFact, ScannedView, Scanner, Subject

SURE = 0.9
"""A fact less sure than this is marked, and never taken together with others."""
MANY = 3
"""So many differences make people ask whether it is the right board ..."""
FEWER = 3
"""... if another's books differ from it so many times less."""


class BooksSay(StrEnum):
    AGREES = "agrees"
    DIFFERS = "differs"
    """The books say something else, and can be put right."""
    NEW = "new"
    """The rules allow it, and it has not been entered yet."""
    IMPOSSIBLE = "impossible"
    """The books cannot take it: it is only shown."""


@dataclass(frozen=True, slots=True)
class ScanRow:
    """One fact beside the books."""

    fact: ScannedFact
    outcome: BooksSay

    @property
    def unsure(self) -> bool:
        return self.fact.p < SURE

    @property
    def open(self) -> bool:
        """Whether there is anything to enter."""
        return self.outcome in (BooksSay.DIFFERS, BooksSay.NEW)


def compared(game: Game[Any, Any], state: Any, facts: Sequence[ScannedFact]) -> tuple[ScanRow, ...]:
    """Each fact beside the books as they are now."""
    return tuple(ScanRow(fact, _outcome(game, state, fact)) for fact in facts)


def to_take(rows: Sequence[ScanRow]) -> tuple[ScanRow, ...]:
    """What one tap takes: everything that is open and sure."""
    return tuple(row for row in rows if row.open and not row.unsure)


def _outcome(game: Game[Any, Any], state: Any, fact: ScannedFact) -> BooksSay:
    if fact.books == fact.line:
        return BooksSay.AGREES
    try:
        action = game.parse(fact.line)
    except BadNotation:
        return BooksSay.IMPOSSIBLE
    verdict = game.judge(state, action)
    if isinstance(verdict, Accepted):
        return BooksSay.AGREES if verdict.state == state else BooksSay.NEW
    if fact.books and not isinstance(game.let_stand(state, action), Refused):
        return BooksSay.DIFFERS
    return BooksSay.IMPOSSIBLE


def likelier_subject(
    scanner: Scanner[Any],
    game: Game[Any, Any],
    state: Any,
    subject: Subject,
    views: tuple[ScannedView, ...],
) -> Subject | None:
    """Whose board these views rather show: by who owns it, or by what lies on it. None: nobody
    else's."""
    others = [
        each
        for each in scanner.subjects(state)
        if each.kind == subject.kind and each.seat not in (None, subject.seat)
    ]
    owners = {view.owner for view in views if view.owner and not view.alike}
    if owners and str(subject.seat) not in owners:
        return next((each for each in others if str(each.seat) in owners), None)
    mine = _differences(scanner, game, state, subject, views)
    if mine < MANY:
        return None
    best = min(
        others,
        key=lambda each: _differences(scanner, game, state, each, views),
        default=None,
    )
    if best is None or FEWER * _differences(scanner, game, state, best, views) > mine:
        return None
    return best


def _differences(
    scanner: Scanner[Any],
    game: Game[Any, Any],
    state: Any,
    subject: Subject,
    views: tuple[ScannedView, ...],
) -> int:
    """How many sure facts differ from the books, if the views are of that subject."""
    rows = compared(game, state, scanner.read(state, subject, views))
    return sum(row.outcome is not BooksSay.AGREES and not row.unsure for row in rows)
