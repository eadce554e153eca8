"""The computer itself: disk, journal, clock, memory, power, network, and the models installed."""

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
from companion.doctor.finding import Finding, State
from companion.foundation.resources import shipped
from companion.service.network import network_address
from companion.service.settings import Settings
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


def check_games(_settings: Settings) -> Iterator[Finding]:
    for each in broken_games():
        what = f"{each.name} is installed but cannot be started ({each.why})"
        yield Finding("games", State.BAD, what, "install its package again, or take it away")
    yield Finding("games", State.GOOD, ", ".join(packs()))


def check_disk(settings: Settings) -> Iterator[Finding]:
    folder = _existing(settings.data_folder)
    free = shutil.disk_usage(folder).free
    what = f"{free // MEGABYTE} MB free for {settings.data_folder}"
    if free < LITTLE_DISK_BYTES:
        state = State.BAD if free < HARDLY_ANY_DISK_BYTES else State.POOR
        yield Finding("disk space", state, what, "delete what is not needed, or use a larger card")
    else:
        yield Finding("disk space", State.GOOD, what)
    yield _writes(folder)
    yield from _file_system(folder)


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there already."""
    return next(each for each in (folder, *folder.absolute().parents) if each.is_dir())


def _writes(folder: Path) -> Finding:
    """Write a small file to the disk and read it back."""
    probe = folder / f".doctor-{os.getpid()}"
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
        todo = "check who owns the folder, and whether the card is mounted read-only"
        return Finding("disk health", State.BAD, f"{folder}: {failed.strerror}", todo)
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)
    what = f"written and read back in {seconds * 1000:.0f} ms"
    if not same:
        return Finding("disk health", State.BAD, "reads other than written", "replace the card")
    if seconds > SLOW_SECONDS:
        return Finding("disk health", State.POOR, what, "back up, then try another card")
    return Finding("disk health", State.GOOD, what)


def _file_system(folder: Path) -> Iterator[Finding]:
    """The errors ext4 has counted; nothing is said if there are none."""
    number = folder.stat().st_dev
    device = (SYS / f"dev/block/{os.major(number)}:{os.minor(number)}").resolve().name
    errors = _number(SYS / "fs/ext4" / device / "errors_count")
    if errors:
        todo = "make a backup now, run fsck, and replace the card if it comes again"
        yield Finding("file system", State.BAD, f"{errors} errors on {device}", todo)


def check_journal(settings: Settings) -> Iterator[Finding]:
    file = settings.journal_file
    if not file.is_file():
        yield Finding("journal", State.SKIPPED, f"{file} is not there yet: no game was played")
        return
    try:
        uri = f"{file.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as journal:
            sound = str(journal.execute("PRAGMA quick_check").fetchone()[0])
            games, last = journal.execute(
                "SELECT COUNT(DISTINCT game), MAX(at) FROM event"
            ).fetchone()
    except sqlite3.DatabaseError as broken:
        sound, games, last = str(broken), 0, None
    if sound != "ok":
        todo = "restore the last backup: companion restore FILE"
        yield Finding("journal", State.BAD, f"{file} is damaged: {sound}", todo)
        return
    yield Finding("journal", State.GOOD, f"{games} games, sound")
    if last is not None and str(last) > _stamp(datetime.now(UTC)):
        todo = "set the clock: sudo timedatectl set-time ..., or connect to a network"
        yield Finding(
            "clock and journal", State.POOR, f"it is before the last entry ({last})", todo
        )


def _stamp(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def check_clock(_: Settings) -> Iterator[Finding]:
    at = datetime.now(UTC)
    what = f"{at:%Y-%m-%d %H:%M} UTC"
    if at < EARLIEST:
        todo = "connect to a network once, or put a battery for the clock into the Pi 5"
        yield Finding("clock", State.BAD, f"it is not {what}", todo)
    elif (RUN / "systemd/timesync/synchronized").exists():
        yield Finding("clock", State.GOOD, f"{what}, set by the network")
    else:
        yield Finding("clock", State.GOOD, what)


def check_memory(_: Settings) -> Iterator[Finding]:
    with suppress(OSError, ValueError, StopIteration):
        lines = (PROC / "meminfo").read_text().splitlines()
        free = 1024 * next(int(line.split()[1]) for line in lines if "MemAvailable" in line)
        what = f"{free // MEGABYTE} MB free"
        if free < LITTLE_MEMORY_BYTES:
            state = State.BAD if free < HARDLY_ANY_MEMORY_BYTES else State.POOR
            yield Finding("memory", state, what, "end other programs, or use a Pi with more")
        else:
            yield Finding("memory", State.GOOD, what)


def check_power(_: Settings) -> Iterator[Finding]:
    """What the Pi says about its power supply; nothing on other machines."""
    for sensor in sorted((SYS / "class/hwmon").glob("hwmon*")):
        if _text(sensor / "name") == "rpi_volt":
            if _number(sensor / "in0_lcrit_alarm"):
                todo = "use the official power supply, and a short cable"
                yield Finding("power", State.BAD, "the supply is too weak", todo)
            else:
                yield Finding("power", State.GOOD, "enough")


def check_network(settings: Settings) -> Iterator[Finding]:
    name, address = socket.gethostname(), network_address()
    if address is None:
        todo = "join a wireless network: sudo nmtui; phones have to be in the same one"
        yield Finding("network", State.POOR, "this machine is in no network", todo)
    elif (RUN / "avahi-daemon/pid").exists():
        page = f"http://{name}.local:{settings.port}/, also http://{address}:{settings.port}/"
        yield Finding("network", State.GOOD, page)
    else:
        page = f"http://{address}:{settings.port}/"
        todo = "for a name instead of a number: sudo apt install avahi-daemon"
        yield Finding("network", State.POOR, f"only a number: {page}", todo)


def check_models(_: Settings) -> Iterator[Finding]:
    folder = shipped("models")
    if not (folder / SUMS).is_file():
        yield Finding("models", State.SKIPPED, "none are installed")
        return
    expected = sums(folder)
    wrong = [name for name, summed in expected.items() if _sha256(folder / name) != summed]
    if wrong:
        todo = "install the companion again: make install"
        yield Finding("models", State.BAD, f"damaged or missing: {', '.join(wrong)}", todo)
    else:
        yield Finding("models", State.GOOD, f"{len(expected)} files as they should be")


def _sha256(file: Path) -> str | None:
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return None


def _text(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        return ""


def _number(file: Path) -> int:
    """The number in a file; 0 if there is none."""
    text = _text(file)
    return int(text) if text.isascii() and text.isdigit() else 0
