"""Tries an installed companion from outside: rules, journal, page, a picture, doctor.
`smoke.py COMMAND`, run by the companion's own Python; exit code 1 if something failed.

It is what `tools/aarch64.sh` runs in the emulated Debian, and runs just as well on a Pi:
`/opt/companion/venv/bin/python tools/smoke.py /opt/companion/venv/bin/companion`.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

RECORD = "odin 1\nA: Anna\nB: Ben\ndeal A\nA r3\nB b2\n"
START_SECONDS = 120.0  # an emulated Pi is a slow one
COMMAND_SECONDS = 180.0
LIBRARIES = ("table-companion", "numpy", "opencv-python-headless", "onnxruntime")
CARDS, LEAST_READ = 6, 4  # laid on the rendered table, and read right


class Failed(Exception):
    """What was tried did not do what it should."""


class Smoke:
    def __init__(self, command: str, folder: Path) -> None:
        self._command = command
        self._folder = folder
        self._env = os.environ | {"COMPANION_DATA": str(folder / "data")}

    def _ran(self, *words: str, stdin: str = "", code: int = 0) -> str:
        done = subprocess.run(  # noqa: S603 - the command under test
            [self._command, *words],
            input=stdin,
            env=self._env,
            cwd=self._folder,
            capture_output=True,
            text=True,
            timeout=COMMAND_SECONDS,
            check=False,
        )
        if done.returncode != code:
            raise Failed(f"{words}: exit code {done.returncode}, {done.stderr.strip()[-300:]}")
        return done.stdout

    def rules(self) -> str:
        said = self._ran("check", "odin", "-", stdin=RECORD, code=1)
        if "2 does not beat 3. [ODIN-PLAY-1]" not in said:
            raise Failed(said)
        return "a play is refused with its rule"

    def journal(self) -> str:
        good = RECORD.replace("B b2\n", "B b5\n")
        self._ran("import", "-", stdin=good)
        if "A r3" not in self._ran("export", "1"):
            raise Failed("the game did not come back")
        self._ran("backup", "backup.zip")
        said = self._ran("restore", "--dry-run", "backup.zip")
        return f"written, read back and backed up: {said.splitlines()[-1]}"

    def page(self) -> str:
        with self._running() as address:
            began = time.monotonic()
            with urllib.request.urlopen(address, timeout=COMMAND_SECONDS) as answer:  # noqa: S310
                text = answer.read().decode()
            seconds = time.monotonic() - began
            if "Anna" not in text:
                raise Failed("the page does not show the game")
        return f"served in {seconds * 1000:.0f} ms"

    @contextlib.contextmanager
    def _running(self) -> Iterator[str]:
        with subprocess.Popen(  # noqa: S603 - the command under test
            [self._command, "run", "--port", "0"],
            env=self._env,
            cwd=self._folder,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                yield self._address(process)
            finally:
                process.terminate()

    @staticmethod
    def _address(process: subprocess.Popen[str]) -> str:
        patience = time.monotonic() + START_SECONDS
        for line in process.stdout or ():
            found = re.match(r"page: http://localhost(:\S+)", line)
            if found:
                return f"http://127.0.0.1{found[1]}"
            if time.monotonic() > patience:
                break
        raise Failed("it does not start")

    def picture(self) -> str:
        """A table rendered on the spot, looked at with the networks."""
        import cv2

        from companion.sim.render.tables import Table, table

        shot, _ = table(1, Table("odin", cards=CARDS))
        cv2.imwrite(str(self._folder / "table.png"), shot.image)
        there = {str(each.label) for each in shot.truths}
        began = time.monotonic()
        (seen,) = json.loads(self._ran("look", "--deck", "odin", "--json", "table.png"))
        seconds = time.monotonic() - began
        right = there & {each["label"] for each in seen["sightings"] if each["kind"] == "card"}
        if len(right) < LEAST_READ:
            raise Failed(f"of {sorted(there)} only {sorted(right)} were read")
        return f"{len(right)} of {len(there)} cards read right, in {seconds:.1f} s"

    def doctor(self) -> str:
        self._ran("doctor", "--no-ask")
        found = [json.loads(line) for line in self._ran("doctor", "--json").splitlines()]
        return ", ".join(f"{each['part']} {each['state']}" for each in found)


def _version(library: str) -> str:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "missing"


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("smoke: say the command", file=sys.stderr)
        return 2
    beside = ", ".join(f"{each} {_version(each)}" for each in LIBRARIES)
    print(f"{platform.machine()}, Python {platform.python_version()}, {beside}")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        smoke = Smoke(str(Path(arguments[0]).absolute()), Path(folder))
        tries: tuple[Callable[[], str], ...] = (
            smoke.rules,
            smoke.journal,
            smoke.page,
            smoke.picture,
            smoke.doctor,
        )
        for attempt in tries:
            try:
                print(f"good  {attempt.__name__}: {attempt()}")
            except (Failed, OSError, ImportError, subprocess.TimeoutExpired) as why:
                failed = True
                print(f"BAD   {attempt.__name__}: {why}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
