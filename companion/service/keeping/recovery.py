"""The ways on when the journal cannot be used: try again, bring a backup back, begin a new one and
keep the old one aside, or carry away what can still be read.

What changes files is an errand: it is done between two starts, when nothing is open."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from companion.foundation.errors import BadInput, CompanionError, JournalError
from companion.foundation.files import sync_folder
from companion.foundation.messages import N_
from companion.ledger import records
from companion.ledger.journal import Journal
from companion.service.keeping.condition import Complaint, JournalCondition
from companion.service.keeping.rotation import KeptBackup, all_backups
from companion.service.restore import alone_in, restore

Errand: TypeAlias = Callable[[], None]
ASIDE = "set-aside"
MOST_READ_BYTES = 100_000_000
"""Of a damaged journal that is carried away as it is."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """What is wrong, and what people can do about it from the page."""

    real: Path
    """The journal that cannot be used, or could not."""
    settings: Path
    condition: JournalCondition
    start_again: Callable[[Errand], None] = field(repr=False)

    @property
    def complaint(self) -> Complaint | None:
        """What is wrong by now; None if nothing is."""
        return self.condition.worst

    @property
    def backups(self) -> list[KeptBackup]:
        return all_backups(self.real.parent)

    def try_again(self) -> None:
        self.start_again(lambda: None)

    def begin_anew(self) -> None:
        self.start_again(lambda: set_aside(self.real))

    def bring_back(self, number: int) -> None:
        """The backup of that place in the list; raises `BadInput` if it is not sound."""
        found = self.backups
        if number >= len(found):
            raise BadInput("no-such-backup", N_("That backup is not there any more."))
        file, data, settings = found[number].file, self.real.parent, self.settings
        restore(file, data, settings, dry_run=True)

        def errand() -> None:
            restore(file, data, settings, dry_run=False)

        self.start_again(errand)

    def what_can_be_read(self) -> bytes:
        """A zip with a record of every game up to where it is damaged, and the file as it is."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
            for number, record in _readable(self.real):
                out.writestr(f"game-{number}.txt", record)
            for file in (self.real, self.real.with_name(f"{self.real.name}-wal")):
                with suppress(OSError):
                    if file.stat().st_size <= MOST_READ_BYTES:
                        out.write(file, file.name)
        return packed.getvalue()


def _readable(path: Path) -> list[tuple[int, str]]:
    """The record of each game that can be read at all, as far as it can be."""
    told = []
    with suppress(JournalError, OSError), Journal(path) as journal:
        for kept in journal.games(most=100_000):
            with suppress(CompanionError):
                told.append((kept.number, records.write(journal.readable(kept.number)[0])))
    return told


def set_aside(journal: Path) -> None:
    """The journal and what lies beside it go into a folder of their own; raises `BadInput`."""
    data = journal.parent
    aside = data / ASIDE / time.strftime("%Y-%m-%d-%H%M%S", time.gmtime())
    try:
        with alone_in(data):
            aside.mkdir(parents=True, exist_ok=True)
            for file in data.glob(f"{journal.name}*"):
                file.rename(aside / file.name)
            sync_folder(aside)
            sync_folder(data)
    except OSError as failed:
        raise BadInput(
            "journal-cannot-set-aside",
            N_("the journal cannot be laid aside (%(why)s)"),
            why=failed.strerror,
        ) from None
