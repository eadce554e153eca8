"""Takes pictures of every screen: `make gallery`, or `gallery.py [--film]`.

A companion of its own is started with games of its own, and a real Chromium looks at it as a phone
and as a larger screen, by night and by day. Each screen becomes one picture in
docs/pictures/gallery, and docs/gallery.md shows them all. `--film` also watches bots at a simulated
table and makes the moving picture of the README.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from companion.bench.games import random_game
from companion.core.catalog import game_named
from companion.core.game import Setup
from companion.ledger import records
from companion.ledger.events import Did, Fact, Opened, Source
from companion.ledger.journal import Journal

ROOT = Path(__file__).parents[1]
GALLERY = ROOT / "docs" / "pictures" / "gallery"
PAGE = ROOT / "docs" / "gallery.md"
FILM = ROOT / "docs" / "pictures" / "watched.webp"
RECORDS = ROOT / "tests" / "ledger" / "fixtures"
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")
HEADERS = {"X-Live": "1", "User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)"}
"""Entries are made as by a phone: the history names the device."""
PHONE, SCREEN = (390, 844), (1280, 800)
HIGH = 450
"""Of a picture in the gallery; what is wider is made smaller."""
QUALITY = 55
FILM_FRAMES, FILM_SECONDS, FILM_WIDE = 30, 0.9, 720
START_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen: where it is, what it is called, and which game is on the table meanwhile."""

    name: str
    title: str
    path: str
    game: int = 0
    """The number of the game in the journal; 0: the one that is there."""
    sheet: str = ""
    """A sheet that is opened first."""


class Companion:
    """`companion run` in a folder of its own."""

    def __init__(self, folder: Path, camera: str) -> None:
        words = ["run", "--port", "0", "--data", str(folder), "--camera", camera]
        self._out = folder / "out.txt"
        with self._out.open("wb") as out:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-m", "companion", *words],
                cwd=folder,
                env=os.environ | {"PYTHONPATH": str(ROOT)},
                stdout=out,
                stderr=out,
            )
        self.address = self._listening()

    def _listening(self) -> str:
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            for line in self._out.read_text().splitlines():
                if line.startswith("page: http://localhost"):
                    return line.removeprefix("page: ").rstrip("/")
            time.sleep(0.2)
        raise RuntimeError(self._out.read_text())

    def post(self, path: str, **fields: str | list[str]) -> None:
        data = urllib.parse.urlencode(fields, doseq=True).encode()
        asked = urllib.request.Request(self.address + path, data, HEADERS)  # noqa: S310
        urllib.request.urlopen(asked, timeout=30).close()  # noqa: S310

    def say(self, line: str) -> None:
        with urllib.request.urlopen(f"{self.address}/view.json", timeout=30) as reply:  # noqa: S310
            seq = json.load(reply)["seq"]
        self.post("/act", say=line, seq=str(seq))

    def counted(self) -> None:
        """Waits until every game is in the figures."""
        while True:
            with urllib.request.urlopen(f"{self.address}/people", timeout=60) as reply:  # noqa: S310
                if b"still being counted" not in reply.read():
                    return

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(30)


@contextmanager
def companion(camera: str, *, games: bool) -> Iterator[Companion]:
    with tempfile.TemporaryDirectory(prefix="companion-gallery-") as name:
        folder = Path(name)
        if games:
            sample_games(folder / "journal.db")
        running = Companion(folder, camera)
        try:
            yield running
        finally:
            running.stop()


def sample_games(journal: Path) -> None:
    """Finished games of four friends, and one begun of each other game."""
    tables = (("Anna", "Ben", "Cleo"), ("Anna", "Ben", "Cleo", "Dag"), ("Ben", "Dag"))
    with Journal(journal) as opened:
        for number in range(8):
            day = f"2026-{9 + number // 3:02d}-{3 + 2 * number:02d}T20:00:00.000Z"
            opened.import_game(_finished(tables[number % 3], number, day))
        for name, lines in (("valhalla", 18), ("valhal", 17)):
            text = "\n".join((RECORDS / f"{name}.txt").read_text().splitlines()[: lines + 7])
            opened.import_game(_record(text))


def _finished(names: tuple[str, ...], seed: int, at: str) -> list[tuple[Fact, str, str]]:
    setup = Setup("odin", names, "en", (("limit", "15"),))
    rules = game_named(setup.game)
    facts: list[Fact] = [Opened(setup, rules.VERSION)]
    facts += [Did(rules.format(action)) for _, action in random_game(setup, seed)]
    return [(fact, at, Source.RECORD) for fact in facts]


def _record(text: str) -> list[tuple[Fact, str, str]]:
    return records.facts(records.read(f"{text}\n".encode()), "2026-11-16T20:00:00.000Z")


SCREENS = (
    Screen("odin", "Odin at the table", "/"),
    Screen("history", "What happened", "/", sheet="history"),
    Screen("over", "The end of a game", "/", game=2),
    Screen("valhalla", "Valhalla at the table", "/", game=9),
    Screen("valhal", "Valhal at the table", "/", game=10),
    Screen("new", "A new game", "/new?game=odin"),
    Screen("people", "People", "/people"),
    Screen("person", "One person", "/people/1"),
    Screen("games", "Games", "/games"),
    Screen("replay", "A game step by step", "/games/3?step=24"),
    Screen("rules", "The rules", "/rules/odin"),
    Screen("lesson", "A first game against bots", "/learn/odin"),
    Screen("wall", "On the wall", "/wall"),
    Screen("install", "On your phone", "/install"),
)


def photograph(browser: Browser, table: Companion, only: list[str]) -> None:
    GALLERY.mkdir(parents=True, exist_ok=True)
    for screen in SCREENS:
        if only and screen.name not in only:
            continue
        if screen.game:
            table.post(f"/games/{screen.game}/resume", sure="yes")
        shots = [
            _shot(browser, table, screen, size, theme)
            for theme in ("dark", "light")
            for size in (PHONE, SCREEN)
        ]
        _side_by_side(shots).save(GALLERY / f"{screen.name}.webp", quality=QUALITY, method=6)
        print(f"{screen.name}: {(GALLERY / f'{screen.name}.webp').stat().st_size // 1024} kB")


def _shot(
    browser: Browser, table: Companion, screen: Screen, size: tuple[int, int], theme: str
) -> Image.Image:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
        locale="en",
    )
    page = context.new_page()
    page.goto(table.address + screen.path)
    page.evaluate("document.fonts.ready")
    if screen.sheet:
        _open_sheet(page, screen.sheet)
    page.wait_for_timeout(400)
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    context.close()
    return picture


def _open_sheet(page: Page, sheet: str) -> None:
    """On larger screens it is open anyway."""
    opener = page.locator(f"[popovertarget=sheet-{sheet}]").first
    if opener.is_visible():
        opener.click()


def _side_by_side(shots: list[Image.Image]) -> Image.Image:
    small = [shot.resize((round(shot.width * HIGH / shot.height), HIGH)) for shot in shots]
    wide = sum(each.width for each in small) + 16 * (len(small) - 1)
    sheet = Image.new("RGB", (wide, HIGH), "#808080")
    left = 0
    for each in small:
        sheet.paste(each, (left, 0))
        left += each.width + 16
    return sheet


def write_page() -> None:
    lines = [
        "# Every screen\n",
        "Made by `make gallery`: each as phones and larger screens show it, by night and by day.\n",
    ]
    lines += [
        f"## {screen.title}\n\n![{screen.title}](pictures/gallery/{screen.name}.webp)\n"
        for screen in SCREENS
    ]
    PAGE.write_text("\n".join(lines))


def film(browser: Browser) -> None:
    """Bots play, the camera reads, the page shows it."""
    with companion("simulated:odin,seed=5,speed=4", games=False) as table:
        page = browser.new_page(viewport={"width": 1120, "height": 700}, color_scheme="dark")
        page.goto(table.address)
        page.locator(".mat:not([hidden])").first.wait_for(timeout=300_000)
        page.locator(".history li").nth(2).wait_for(timeout=300_000, state="attached")
        frames = []
        for _ in range(FILM_FRAMES):
            shot = Image.open(BytesIO(page.screenshot())).convert("RGB")
            frames.append(shot.resize((FILM_WIDE, round(shot.height * FILM_WIDE / shot.width))))
            page.wait_for_timeout(int(FILM_SECONDS * 1000))
        page.close()
    first, *rest = frames
    first.save(
        FILM,
        save_all=True,
        append_images=rest,
        duration=int(FILM_SECONDS * 1000),
        loop=0,
        quality=45,
        method=6,
    )
    print(f"{FILM.name}: {FILM.stat().st_size // 1024} kB")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("screens", nargs="*", help="only these, by their names")
    asked.add_argument("--film", action="store_true", help="also the moving picture")
    asked.add_argument("--only-film", action="store_true", help="nothing but the moving picture")
    wanted = asked.parse_args()
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        sys.exit("Chromium is missing; `make test` installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        if not wanted.only_film:
            with companion("none", games=True) as table:
                table.post("/games", game="odin", name=["Anna", "Ben", "Cleo", "Dag"], sure="yes")
                for line in ("deal A", "A r5", "B r8 g8", "C pass", "D b9 g9", "D take r8"):
                    table.say(line)
                table.counted()
                photograph(browser, table, wanted.screens)
            write_page()
        if wanted.film or wanted.only_film:
            film(browser)
        browser.close()


if __name__ == "__main__":
    main()
