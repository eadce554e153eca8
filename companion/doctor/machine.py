"""The computer itself: disk, journal, clock, memory, network, and the models installed."""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from companion.core.catalog import broken_games, packs
from companion.foundation.messages import N_, NN_
from companion.foundation.resources import shipped
from companion.ledger.schema import DAMAGE
from companion.ledger.verifying import verify_file
from companion.service.findings import Finding, Patient, State, finding
from companion.service.network import network_address
from companion.vision.networks import SUMS, sums

SYS = Path("/sys")
PROC = Path("/proc")
RUN = Path("/run")
MEGABYTE = 1_000_000
LITTLE_DISK_BYTES = 500 * MEGABYTE  # free: below, something should be deleted
HARDLY_ANY_DISK_BYTES = 50 * MEGABYTE  # below, games may soon not be kept any more
LITTLE_MEMORY_BYTES = 250 * MEGABYTE  # free: below, watching may become slow
HARDLY_ANY_MEMORY_BYTES = 100 * MEGABYTE  # below, the system may end programs
SLOW_SECONDS = 1.0  # for a few kilobytes onto the disk
EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)  # this companion did not exist before


def check_games(_patient: Patient) -> Iterator[Finding]:
    for each in broken_games():
        what = N_("%(game)s is installed but cannot be started (%(why)s)")
        todo = N_("install its package again, or take it away")
        yield finding(N_("games"), State.BAD, what, todo, game=each.name, why=each.why)
    yield finding(N_("games"), State.GOOD, N_("%(games)s"), games=", ".join(packs()))


def check_disk(patient: Patient) -> Iterator[Finding]:
    data = patient.settings.data_folder
    folder = _existing(data)
    free = shutil.disk_usage(folder).free
    what, facts = N_("%(free)s MB free for %(folder)s"), {"free": free // MEGABYTE, "folder": data}
    if free < LITTLE_DISK_BYTES:
        state = State.BAD if free < HARDLY_ANY_DISK_BYTES else State.POOR
        todo = N_("tidy up under Settings, delete what is not needed, or use a larger card")
        yield finding(N_("disk space"), state, what, todo, **facts)
    else:
        yield finding(N_("disk space"), State.GOOD, what, **facts)
    yield _writes(folder)
    yield from _file_system(folder)


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there already."""
    return next(each for each in (folder, *folder.absolute().parents) if each.is_dir())


def _writes(folder: Path) -> Finding:
    """Write a small file to the disk and read it back."""
    part, probe = N_("disk health"), folder / f".doctor-{os.getpid()}"
    data = os.urandom(16_384)
    try:
        began = time.monotonic()
        with probe.open("xb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        seconds = time.monotonic() - began
        same = probe.read_bytes() == data
    except OSError as failed:
        todo = N_("check who owns the folder, and whether the card is mounted read-only")
        what = N_("%(folder)s: %(why)s")
        return finding(part, State.BAD, what, todo, folder=folder, why=failed.strerror)
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)
    if not same:
        return finding(part, State.BAD, N_("reads other than written"), N_("replace the card"))
    what, spent = N_("written and read back in %(spent)s ms"), f"{seconds * 1000:.0f}"
    if seconds > SLOW_SECONDS:
        todo = N_("make a backup, then try another card")
        return finding(part, State.POOR, what, todo, spent=spent)
    return finding(part, State.GOOD, what, spent=spent)


def _file_system(folder: Path) -> Iterator[Finding]:
    """The errors ext4 has counted; nothing is said if there are none."""
    number = folder.stat().st_dev
    device = (SYS / f"dev/block/{os.major(number)}:{os.minor(number)}").resolve().name
    errors = number_in(SYS / "fs/ext4" / device / "errors_count")
    if errors:
        todo = N_("make a backup now, and replace the card if it comes again")
        what = N_("%(errors)s errors on %(device)s")
        yield finding(N_("file system"), State.BAD, what, todo, errors=errors, device=device)


def check_journal(patient: Patient) -> Iterator[Finding]:
    part, file = N_("journal"), patient.settings.journal_file
    if not file.is_file():
        what = N_("%(file)s is not there yet: no game was played")
        yield finding(part, State.SKIPPED, what, file=file)
        return
    damaged, todo = (
        N_("%(file)s is damaged: %(why)s"),
        N_("bring the last backup back: on the page under Settings"),
    )
    try:
        found = verify_file(file)
        uri = f"{file.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as journal:
            games, last = journal.execute(
                "SELECT COUNT(DISTINCT game), MAX(at) FROM event"
            ).fetchone()
    except DAMAGE as broken:
        yield finding(part, State.BAD, damaged, todo, file=file, why=broken)
        return
    if found.problem is not None:
        yield finding(part, State.BAD, damaged, todo, file=file, why=found.problem)
        return
    yield finding(part, State.GOOD, NN_("one game, sound", "%(count)s games, sound"), count=games)
    if last is not None and str(last) > _stamp(datetime.now(UTC)):
        what = N_("it is before the last entry (%(last)s)")
        todo = N_("connect to a network once: it sets the clock")
        yield finding(N_("clock and journal"), State.POOR, what, todo, last=last)


def _stamp(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def check_clock(_: Patient) -> Iterator[Finding]:
    part, at = N_("clock"), datetime.now(UTC)
    now = f"{at:%Y-%m-%d %H:%M} UTC"
    if at < EARLIEST:
        todo = N_("connect to a network once, or put a battery for the clock into the Pi 5")
        yield finding(part, State.BAD, N_("it is not %(now)s"), todo, now=now)
    elif (RUN / "systemd/timesync/synchronized").exists():
        yield finding(part, State.GOOD, N_("%(now)s, set by the network"), now=now)
    else:
        yield finding(part, State.GOOD, N_("%(now)s"), now=now)


def check_memory(_: Patient) -> Iterator[Finding]:
    with suppress(OSError, ValueError, StopIteration):
        lines = (PROC / "meminfo").read_text().splitlines()
        free = 1024 * next(int(line.split()[1]) for line in lines if "MemAvailable" in line)
        what, part = N_("%(free)s MB free"), N_("memory")
        if free < LITTLE_MEMORY_BYTES:
            state = State.BAD if free < HARDLY_ANY_MEMORY_BYTES else State.POOR
            todo = N_("end other programs, or use a Pi with more")
            yield finding(part, state, what, todo, free=free // MEGABYTE)
        else:
            yield finding(part, State.GOOD, what, free=free // MEGABYTE)


def check_network(patient: Patient) -> Iterator[Finding]:
    part, port = N_("network"), patient.settings.port
    name, address = socket.gethostname(), network_address()
    if address is None:
        todo = N_("join a wireless network; phones have to be in the same one")
        yield finding(part, State.POOR, N_("this machine is in no network"), todo)
    elif (RUN / "avahi-daemon/pid").exists():
        page = f"http://{name}.local:{port}/"
        what = N_("%(page)s, also %(other)s")
        yield finding(part, State.GOOD, what, page=page, other=f"http://{address}:{port}/")
    else:
        what, todo = N_("only a number: %(page)s"), N_("install avahi-daemon: it gives a name")
        yield finding(part, State.POOR, what, todo, page=f"http://{address}:{port}/")


def check_models(_: Patient) -> Iterator[Finding]:
    part, folder = N_("models"), shipped("models")
    if not (folder / SUMS).is_file():
        yield finding(part, State.SKIPPED, N_("none are installed"))
        return
    expected = sums(folder)
    wrong = [name for name, summed in expected.items() if _sha256(folder / name) != summed]
    if wrong:
        what, todo = N_("damaged or missing: %(files)s"), N_("install the companion again")
        yield finding(part, State.BAD, what, todo, files=", ".join(wrong))
    else:
        what = N_("%(count)s files as they should be")
        yield finding(part, State.GOOD, what, count=len(expected))


def _sha256(file: Path) -> str | None:
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return None


def text_in(file: Path) -> str:
    """The text of a small file; empty if there is none."""
    try:
        return file.read_text().strip()
    except OSError:
        return ""


def number_in(file: Path) -> int:
    """The number in a file; 0 if there is none."""
    text = text_in(file)
    return int(text) if text.isascii() and text.isdigit() else 0
