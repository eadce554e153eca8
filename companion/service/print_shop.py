"""Draws sheets to print in a program of its own, one at a time and with patience: a deck takes a
small machine a minute, and the table must not notice. What was drawn is kept."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_

log = logging.getLogger(__name__)

FOLDER = "printed"
"""In the data folder."""
LONGEST_SECONDS = 900.0
MOST_KEPT = 24
"""Files; the oldest go first."""


@dataclass(frozen=True, slots=True)
class PrintJob:
    """One sheet: the words after `companion print`, and the name its file is kept by."""

    words: tuple[str, ...]
    name: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[\w.-]{1,150}", self.name, re.ASCII):
            raise ValueError(self.name)


class PrintShop:
    """Any thread may call."""

    def __init__(self, data: Path, program: tuple[str, ...] = (sys.executable, "-m", "companion")):
        self._folder = data / FOLDER
        self._program = program
        self._lock = threading.Lock()
        self._drawn: str = ""
        """The name of what is being drawn."""
        self._failed: dict[str, str] = {}

    def ready(self, job: PrintJob) -> Path | None:
        file = self._folder / f"{job.name}.pdf"
        return file if file.is_file() else None

    def drawing(self, job: PrintJob) -> bool:
        return self._drawn == job.name

    def order(self, job: PrintJob) -> None:
        """Begins to draw it, unless it is there or being drawn; raises `BadInput` while another
        one is, and if it could not be drawn."""
        with self._lock:
            if self.drawing(job) or self.ready(job) is not None:
                return
            if self._drawn:
                raise BadInput(
                    "print-shop-busy",
                    N_("Another sheet is being drawn. Try again when it is done."),
                )
            if (why := self._failed.pop(job.name, "")) != "":
                raise BadInput("not-drawn", N_("The sheet could not be drawn: %(why)s"), why=why)
            self._drawn = job.name
        threading.Thread(target=self._draw, args=(job,), name="print shop", daemon=True).start()

    def _draw(self, job: PrintJob) -> None:
        try:
            self._run(job)
        except (OSError, subprocess.SubprocessError) as failed:
            log.warning("%s was not drawn: %s", job.name, failed)
            self._failed[job.name] = str(failed)
        finally:
            self._drawn = ""

    def _run(self, job: PrintJob) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._make_room()
        target = self._folder / f"{job.name}.pdf"
        done = subprocess.run(  # noqa: S603 - the words are ours
            ["nice", "-n", "10", *self._program, "print", *job.words, str(target)],  # noqa: S607
            capture_output=True,
            text=True,
            timeout=LONGEST_SECONDS,
            check=False,
        )
        if done.returncode:
            self._failed[job.name] = done.stderr.strip()[-300:] or f"exit code {done.returncode}"

    def _make_room(self) -> None:
        kept = sorted(self._folder.glob("*.pdf"), key=lambda each: each.stat().st_mtime)
        for each in kept[: max(0, len(kept) - MOST_KEPT + 1)]:
            with suppress(OSError):
                each.unlink()
