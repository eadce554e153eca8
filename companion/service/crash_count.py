"""Counts the starts in a row that came to nothing. A start is good once the companion has been
well for some minutes, or was stopped on purpose; after three that were neither comes safe mode."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from companion.foundation.errors import CompanionError, PinsMissing
from companion.foundation.files import replace_file
from companion.foundation.messages import Message
from companion.foundation.notices import Notice

log = logging.getLogger(__name__)

FILE = "starts.json"
MOST_CRASHES = 3  # in a row, before parts are left out to get a page up at all
HEALTHY_SECONDS = 300.0  # all parts well for so long: the start was good
LONGEST_PAUSE_SECONDS = 60.0  # between two tries: a person waits before the box
LONGEST_WHY_LETTERS = 300  # a few lines on a phone
MOST_BYTES = 10_000  # far more than a count and a reason


@dataclass(frozen=True, slots=True)
class Failed:
    """What the file holds: starts not yet known to be good, and what ended the last one."""

    starts: int = 0
    why: Message | str = ""
    """Text, if an earlier version wrote it."""

    @property
    def notice(self) -> Notice:
        """What the page says of safe mode."""
        crashes = ("crashes", str(self.starts))
        if self.why:
            return Notice("safe-mode-why", (crashes, ("why", self.why)))
        return Notice("safe-mode", (crashes,))


class Starts:
    def __init__(
        self,
        file: Path,
        *,
        healthy_seconds: float = HEALTHY_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._file = file
        self._healthy_seconds = healthy_seconds
        self._clock = clock
        self._proved = False
        self.failed = _read(file)
        self._began = clock()

    def __enter__(self) -> Self:
        self._write(Failed(self.failed.starts + 1))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None or not isinstance(error, Exception):  # stopped, also by Ctrl-C
            self._write(Failed())
        elif isinstance(error, CompanionError) and not isinstance(error, PinsMissing):
            # A taken port or a damaged journal: neither is mended by doing without parts, and
            # another companion may be counting in the same file.
            self._write(self.failed)
        else:
            self._write(Failed(self.failed.starts + 1, _why(error)))

    @property
    def safe_mode(self) -> bool:
        return self.failed.starts >= MOST_CRASHES

    @property
    def pause_seconds(self) -> float:
        """How long a service should wait before it tries once more."""
        beyond = self.failed.starts - MOST_CRASHES
        return 0.0 if beyond < 1 else min(2.0 ** min(beyond + 1, 10), LONGEST_PAUSE_SECONDS)

    def well(self) -> None:
        """All parts have just reported; called again and again while that is so."""
        if not self._proved and self._clock() - self._began >= self._healthy_seconds:
            self._proved = True
            self._write(Failed())

    def _write(self, failed: Failed) -> None:
        """A box that cannot count still plays."""
        try:
            replace_file(self._file, msgspec.json.encode(failed))
        except OSError as broken:
            log.warning("starts are not counted: %s", broken)


def _read(file: Path) -> Failed:
    try:
        with file.open("rb") as opened:
            failed = msgspec.json.decode(opened.read(MOST_BYTES), type=Failed)
    except (OSError, msgspec.DecodeError):
        return Failed()
    return failed if failed.starts >= 0 and _can_be_told(failed.why) else Failed()


def _can_be_told(why: Message | str) -> bool:
    """Whether its sentence and its facts fit each other; a damaged file may hold anything."""
    try:
        str(why)
    except (KeyError, TypeError, ValueError):
        return False
    return True


def _why(error: Exception) -> Message | str:
    if isinstance(error, CompanionError):
        facts = tuple((name, str(fact)) for name, fact in error.message.facts)
        return replace(error.message, facts=facts)
    said = " ".join(str(error).split()) or type(error).__name__
    return said[:LONGEST_WHY_LETTERS].rstrip(".")
