"""Starts in bad times: a full card, a card that takes nothing, a damaged journal, damaged settings,
sheets, decks, models and calibrations. The page has to be up within three seconds, say what is
wrong, and keep a game all the same."""

from __future__ import annotations

import http.client
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import companion
from companion.bench.games import NAMES, measured_game, setup
from companion.bench.trust.promise import Promise, Tested
from companion.core.catalog import game_named, packs
from companion.foundation.resources import shipped
from companion.ledger.events import Opened, Source
from companion.ledger.journal import Journal
from companion.tabletop.layout import layout_of

MOST_SECONDS = 3.0
PATIENCE_SECONDS = 30.0
CARD = "mount -t tmpfs -o size=600k tmpfs {data} && cp {sound} {data}/journal.db"


@dataclass(frozen=True, slots=True)
class BadStart:
    name: str
    before: str
    """What is done to the data folder, as a line for the shell."""
    says: str = "Games are kept in another place meanwhile"
    """Part of what the page says."""
    at_table: bool = False
    """It is said at the table, as soon as somebody looks there, and not before."""
    watched: bool = False
    """A simulated table is watched: the trouble is with what the camera needs."""


NOISE = "head -c 3000 /dev/urandom"
UNSEEN = "The camera cannot find the table"
OWN_PACKAGE = "package"
"""Beside the data folder: this very program, with models of its own."""
STARTS = (
    BadStart("sound", "cp {sound} {data}/journal.db", ""),
    BadStart("no journal but noise", "head -c 50000 /dev/urandom > {data}/journal.db"),
    BadStart("journal cut short", "head -c 7000 {sound} > {data}/journal.db"),
    BadStart(
        "journal overwritten",
        "cp {sound} {data}/journal.db && dd if=/dev/urandom of={data}/journal.db bs=4096 count=3"
        " seek=0 conv=notrunc status=none",
    ),
    BadStart("full card", f"{CARD} && (cat /dev/zero > {{data}}/junk || true)"),
    BadStart("read-only card", f"{CARD} && mount -o remount,ro {{data}}"),
    BadStart(
        "broken settings",
        "cp {sound} {data}/journal.db && printf 'viewers = \\nport = [' > {data}/../companion.toml",
        "What can be used of them is used",
    ),
    BadStart("broken sheet", f"{NOISE} > {{data}}/{{sheet}}", "begins without it", at_table=True),
    BadStart(
        "broken deck",
        f"mkdir -p {{data}}/simulated/decks && {NOISE} > {{data}}/simulated/decks/{{deck}}",
        UNSEEN,
        at_table=True,
        watched=True,
    ),
    BadStart(
        "broken calibration",
        f"mkdir -p {{data}}/simulated && {NOISE} > {{data}}/simulated/table.json",
        UNSEEN,
        at_table=True,
        watched=True,
    ),
    BadStart(
        "broken model",
        f"for each in {{models}}/*.onnx; do {NOISE} > $each; done",
        UNSEEN,
        at_table=True,
        watched=True,
    ),
)


@contextmanager
def started(folder: Path, start: BadStart) -> Iterator[tuple[int, float]]:
    """The port of a companion in bad times, and when it was started."""
    data, sound = folder / "data", folder / "sound.db"
    data.mkdir(parents=True)
    with Journal(sound) as journal:
        opened = setup()
        journal.open_game(Opened(opened, game_named(opened.game).VERSION), Source.PAGE)
    layout = layout_of(measured_game())
    names = {
        "data": shlex.quote(str(data)),
        "sound": shlex.quote(str(sound)),
        "sheet": f"{_game_with_sheet()}-sheet.toml",
        "deck": f"{'' if layout is None else layout.deck}.deck",
        "models": shlex.quote(str(folder / OWN_PACKAGE / "companion" / "models")),
    }
    if "{models}" in start.before:
        _own_package(folder)
    run = f"exec {shlex.quote(sys.executable)} -m companion run --port 0 --data {names['data']}"
    camera = f"simulated:{measured_game()}" if start.watched else "none"
    line = f"{start.before.format(**names)}\n{run} --camera {camera} 2>&1"
    path = os.pathsep.join([str(folder / OWN_PACKAGE), os.environ.get("PYTHONPATH", "")])
    own = ("unshare", "--map-root-user", "--mount") if "mount" in start.before else ()
    with subprocess.Popen(  # noqa: S603 - our own program
        [*own, "sh", "-c", line],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ
        | {"PYTHONUNBUFFERED": "1", "XDG_RUNTIME_DIR": str(folder), "PYTHONPATH": path},
    ) as running:
        began = time.monotonic()
        try:
            yield _port(running), began
        finally:
            running.send_signal(signal.SIGTERM)
            running.wait(PATIENCE_SECONDS)


def _game_with_sheet() -> str:
    return next(name for name, pack in packs().items() if pack.sheet is not None)


def _own_package(folder: Path) -> None:
    """This very program by links, but for the models: those are copies that may be damaged."""
    package = folder / OWN_PACKAGE / "companion"
    package.mkdir(parents=True)
    for each in Path(companion.__file__).parent.iterdir():
        if each.name != "models":
            (package / each.name).symlink_to(each)
    for name in ("web", "hardware"):
        if not (package / name).exists():
            (package / name).symlink_to(shipped(name))
    shutil.copytree(shipped("models"), package / "models", ignore=shutil.ignore_patterns("train"))


def _port(running: subprocess.Popen[str]) -> int:
    said = []
    for line in running.stdout or ():
        said.append(line)
        found = re.match(r"page: http://localhost:(\d+)/", line)
        if found:
            return int(found[1])
    raise RuntimeError(f"no page: {''.join(said)[-400:]}")


def tried(folder: Path, start: BadStart) -> tuple[float, str]:
    """Seconds to the first page, and what is wrong about it."""
    with started(folder, start) as (port, began):
        first = "/recovery" if start.says and not start.at_table else "/new"
        status, page = _asked(port, "GET", first)
        seconds = time.monotonic() - began
        if status != 200 or (start.says not in page and not start.at_table):
            return seconds, f"it answered {status} and did not say “{start.says}”"
        fault = _watched(port) if start.watched else _played(port, start)
        if not fault and start.at_table and not _comes(port, "/table", start.says):
            fault = f"the table did not say “{start.says}”"
        return seconds, fault


def _played(port: int, start: BadStart) -> str:
    game = _game_with_sheet() if start.at_table else measured_game()
    status, _ = _asked(port, "POST", "/games", name=list(NAMES[:2]), count="2", game=game)
    _, home = _asked(port, "GET", "/view.json")
    return "" if status in (200, 303) and '"names"' in home else f"no game was kept: {status}"


def _watched(port: int) -> str:
    return "" if _comes(port, "/view.json", '"names"') else "no game was kept"


def _comes(port: int, path: str, what: str) -> bool:
    """Whether it is said there in the end: the eyes are opened beside the page."""
    patience = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < patience:
        if what in _asked(port, "GET", path)[1]:
            return True
        time.sleep(0.2)
    return False


def _asked(port: int, method: str, path: str, **fields: str | list[str]) -> tuple[int, str]:
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    try:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        asked.request(method, path, urlencode(fields, doseq=True), headers)
        reply = asked.getresponse()
        return reply.status, reply.read().decode("utf-8", "replace")
    finally:
        asked.close()


def starts(folder: Path, *, long: bool) -> Tested:
    slowest, wrong = 0.0, list[str]()
    rounds = 5 if long else 1
    for number in range(rounds):
        for start in STARTS:
            try:
                seconds, fault = tried(folder / f"{number} {start.name}", start)
            except (OSError, RuntimeError, subprocess.TimeoutExpired) as failed:
                seconds, fault = 0.0, str(failed)
            slowest = max(slowest, seconds)
            wrong += [f"{start.name}: {fault}"] if fault else []
    found = f"slowest page after {slowest:.1f} s"
    return Tested(
        met=slowest < MOST_SECONDS and not wrong,
        found="; ".join((found, *wrong)),
        size=f"{rounds * len(STARTS)} starts in bad times",
    )


PROMISE = Promise(
    "starts",
    "a full card, a read-only card or a damaged journal leaves a page, and games are kept",
    f"a page in under {MOST_SECONDS:.0f} s with the ways on",
    starts,
)
