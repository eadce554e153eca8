"""What a scan says, in the reader's language."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from companion.core.game import Setup
from companion.dashboard.scans.desk import ASKED, TABLE, scannable
from companion.foundation.messages import N_, Message
from companion.scanning.comparison import BooksSay, ScanRow
from companion.scanning.scanner import Subject
from companion.tabletop.readings import Reading
from companion.views import speech_for
from companion.views.public import retold

WORDS = {
    TABLE: N_("The whole table"),
    ASKED: N_("The card the camera asks about"),
}


@dataclass(frozen=True, slots=True)
class RowView:
    """One fact as the page shows it."""

    line: str
    said: str
    books: str
    """What the books have instead; empty: nothing, or the same."""
    outcome: str
    unsure: bool
    open: bool
    left: bool


class Telling:
    """Speaks to one reader about one game."""

    def __init__(self, setup: Setup, language: str) -> None:
        self._speech = speech_for(setup, language)
        self._scanner = scannable(setup.game)

    def say(self, sentence: str) -> str:
        return self._speech.say(sentence)

    def told(self, message: Message) -> str:
        return self._speech.told(message)

    def subject(self, subject: Subject) -> str:
        words = WORDS.get(subject.kind) or self._scanner.words[subject.kind]
        return self._speech.say(words, seat=subject.seat if subject.seat is not None else "")

    def row(self, _at: int, row: ScanRow, left: Collection[str]) -> RowView:
        fact = row.fact
        books = fact.books if row.outcome is not BooksSay.AGREES else ""
        return RowView(
            fact.line,
            self._line(fact.line),
            self._line(books) if books else "",
            str(row.outcome),
            row.unsure,
            row.open and fact.line not in left,
            fact.line in left,
        )

    def reading(self, reading: Reading, _sure: float) -> str:
        return " ".join(retold(self._speech, line) for line in reading.lines)

    def _line(self, line: str) -> str:
        if self._scanner.tell is not None:
            return self._scanner.tell(self._speech, line)
        return retold(self._speech, line)
