"""Tries an installed companion from outside, with nothing but the standard library: rules, journal,
page, a picture, doctor. `smoke.py COMMAND [FOLDER-OF-PICTURES]`; exit code 1 if something failed.

It is what `tools/aarch64.sh` runs in the emulated Debian, and runs just as well on a Pi:
`python3 tools/smoke.py /opt/companion/venv/bin/companion`.
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
from pathlib import Path

RECORD = "odin 1\nA: Anna\nB: Ben\ndeal A\nA r3\nB b2\n"
START_SECONDS = 120.0  # an emulated Pi is a slow one
COMMAND_SECONDS = 180.0


class Failed(Exception):
    """What was tried did not do what it should."""


class Smoke:
    def __init__(self, command: str, pictures: Path | None, folder: Path) -> None:
        self._command = command
        self._pictures = pictures
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
        """One picture looked at, where the companion can look and there is a picture."""
        found = self._pictures.rglob("*") if self._pictures is not None else ()
        pictures = sorted(each for each in found if each.suffix in (".jpg", ".png"))
        if " look " not in self._ran("--help"):
            return "left out: this companion cannot look at pictures yet"
        if not pictures:
            return "left out: no picture was given"
        return f"looked at {pictures[0].name}: {self._ran('look', str(pictures[0])).strip()[:100]}"

    def doctor(self) -> str:
        self._ran("doctor", "--no-ask")
        found = [json.loads(line) for line in self._ran("doctor", "--json").splitlines()]
        return ", ".join(f"{each['part']} {each['state']}" for each in found)


def main(arguments: list[str]) -> int:
    if not 1 <= len(arguments) <= 2:
        print("smoke: say the command, and perhaps a folder of pictures", file=sys.stderr)
        return 2
    pictures = Path(arguments[1]) if len(arguments) == 2 else None
    print(f"{platform.machine()}, Python {platform.python_version()}")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        smoke = Smoke(arguments[0], pictures, Path(folder))
        tries: tuple[Callable[[], str], ...] = (
            *(smoke.rules, smoke.journal, smoke.page, smoke.picture, smoke.doctor),
        )
        for attempt in tries:
            try:
                print(f"good  {attempt.__name__}: {attempt()}")
            except (Failed, OSError, subprocess.TimeoutExpired) as why:
                failed = True
                print(f"BAD   {attempt.__name__}: {why}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
