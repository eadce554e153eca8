"""Takes pictures of every screen: `make gallery`, or `gallery.py [--film]`.

Two companions of its own are started, one with games of its own and one whose camera watches
bots, and a real Chromium looks at them as a phone and as a larger screen, by night and by day. Each
screen becomes one picture in docs/pictures/gallery, and docs/gallery.md shows them all. `--film`
also makes the moving picture of the README.
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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TypeAlias

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from companion.bench.games import random_game
from companion.core.catalog import game_named
from companion.core.game import Setup
from companion.ledger import records
from companion.ledger.events import Did, Fact, Opened, Source
from companion.ledger.journal import Journal
from tests.browser.driving import VALHALLA
from tests.browser.every_page import BATTLE, fill_in_sheet

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
WATCHING_MS = 120_000


Prepare: TypeAlias = "Callable[[Companion, Page], None]"


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen: where it is, what it is called, and what is done before it is photographed."""

    name: str
    title: str
    path: str
    prepare: Prepare | None = None
    """Brings the table into the state that is shown; the page is opened after it."""
    open_up: Prepare | None = None
    """Opens something on the page itself."""


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
            fill_in_sheet(folder)
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


def _games(number: int) -> Prepare:
    return lambda table, _: table.post(f"/games/{number}/resume", sure="yes")


def _said(game: str, names: tuple[str, ...], *lines: str) -> Prepare:
    """A new game, and what has been entered so far."""

    def prepare(table: Companion, _: Page) -> None:
        table.post("/dismiss")
        table.post("/games", game=game, name=list(names), sure="yes")
        for line in lines:
            table.say(line)

    return prepare


def _seat_of_ben(table: Companion, page: Page) -> None:
    page.request.post(f"{table.address}/seat", form={"name": "Ben"})


def _nobodys_seat(table: Companion, page: Page) -> None:
    page.request.post(f"{table.address}/seat", form={"name": ""})


def _asked(table: Companion, page: Page) -> None:
    """The camera asks about the next play, and waits for the answer."""
    page.goto(table.address)
    if not page.locator(".notion.question").count():
        table.post("/simulated/ask")
        page.locator(".notion.question").wait_for(timeout=WATCHING_MS)


def _answered(table: Companion, page: Page) -> None:
    page.goto(table.address)
    for button in page.locator(".notion.question .button.main").all():
        button.click()
    _cards_lie_there(table, page)


def _cards_lie_there(_: Companion, page: Page) -> None:
    page.locator("#above .mat a[href]").first.wait_for(state="attached", timeout=WATCHING_MS)


def _card_followed(table: Companion, page: Page) -> None:
    _cards_lie_there(table, page)
    page.goto(
        table.address + (page.locator("#above .mat a[href]").last.get_attribute("href") or "")
    )
    page.locator(".crop-large img").wait_for()


def _sheet(name: str) -> Prepare:
    return lambda _, page: _open_sheet(page, name)


FOUR = ("Anna", "Ben", "Cleo", "Dag")
ODIN = ("deal A", "A r5", "B r8 g8", "C pass", "D b9 g9", "D take r8")
BY_HAND = (
    Screen("home", "Home", "/home", _said("odin", FOUR, *ODIN)),
    Screen("odin", "Odin at the table", "/"),
    Screen("seat", "Ben's own phone", "/", _seat_of_ben),
    Screen("history", "What happened", "/", _nobodys_seat, open_up=_sheet("history")),
    Screen("refused", "A refusal", "/", _said("odin", FOUR, *ODIN, "A b2")),
    Screen("asking", "A game is running", "/games/9/resume", _said("odin", FOUR, *ODIN)),
    Screen("wall", "On the wall", "/wall"),
    Screen("over", "The end of a game", "/", _games(2)),
    Screen("valhalla", "Valhalla at the table", "/", _games(9)),
    Screen("draugr", "Valhalla: a Draugr", "/", _said("valhalla", FOUR[:3], *VALHALLA[:6])),
    Screen("battle", "Valhalla: a battle", "/", _said("valhalla", FOUR[:3], *VALHALLA[:10])),
    Screen("valhal", "Valhal at the table", "/", _games(10)),
    Screen("raid", "Valhal: a battle", "/", _said("valhal", FOUR[:2], *BATTLE)),
    Screen("sheet", "Valhal: the owner's copy", "/sheet/valhal"),
    Screen("boards", "Boards", "/boards/valhal"),
    Screen("new", "A new game", "/new?game=odin"),
    Screen("people", "People", "/people"),
    Screen("person", "One person", "/people/1"),
    Screen("games", "Games", "/games"),
    Screen("replay", "A game step by step", "/games/3?step=24"),
    Screen("rules", "The rules", "/rules/odin"),
    Screen("lesson", "A first game against bots", "/learn/odin"),
    Screen("join", "Joining the table", "/join"),
    Screen("owner", "Whose box this is", "/set-up"),
    Screen("who", "Who may play", "/who"),
    Screen("settings", "Settings", "/settings"),
    Screen("health", "Health", "/health"),
    Screen("recovery", "Recovery", "/recovery"),
    Screen("print", "Printing", "/print"),
    Screen("buttons", "Buttons and lamps", "/setup/buttons"),
    Screen("install", "On your phone", "/install"),
    Screen("away", "While the box is away", "/away"),
)
WATCHED = (
    Screen("watched", "A watched table", "/", open_up=_cards_lie_there),
    Screen("question", "The camera asks", "/", _asked),
    Screen("put-right", "Putting a card right", "/", _answered, _card_followed),
    Screen("demo", "Another demo", "/new"),
    Screen("zones", "Where things lie: the zones", "/zones/odin"),
    Screen("setup", "Set-up: the way", "/setup"),
    Screen("setup-you", "Set-up: your table", "/setup/you"),
    Screen("setup-camera", "Set-up: the camera", "/setup/camera"),
    Screen("setup-table", "Set-up: where the table is", "/setup/table?way=markers"),
    Screen("setup-deck", "Set-up: your deck", "/setup/deck"),
    Screen("setup-try", "Set-up: try it", "/setup/try"),
)


def photograph(
    browser: Browser, table: Companion, screens: tuple[Screen, ...], only: list[str]
) -> None:
    GALLERY.mkdir(parents=True, exist_ok=True)
    pages = [_page(browser, size) for size in (PHONE, SCREEN)]
    for screen in screens:
        if only and screen.name not in only:
            continue
        shots = [shot for page in pages for shot in _shots(page, table, screen)]
        _side_by_side(shots[::2] + shots[1::2]).save(
            GALLERY / f"{screen.name}.webp", quality=QUALITY, method=6
        )
        print(f"{screen.name}: {(GALLERY / f'{screen.name}.webp').stat().st_size // 1024} kB")
    for page in pages:
        page.context.close()


def _page(browser: Browser, size: tuple[int, int]) -> Page:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", locale="en"
    )
    page = context.new_page()
    page.set_default_timeout(WATCHING_MS)
    return page


def _shots(page: Page, table: Companion, screen: Screen) -> Iterator[Image.Image]:
    """By night and by day."""
    if screen.prepare:
        screen.prepare(table, page)
    page.goto(table.address + screen.path)
    page.evaluate("document.fonts.ready")
    if screen.open_up:
        screen.open_up(table, page)
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        page.wait_for_timeout(400)
        yield Image.open(BytesIO(page.screenshot())).convert("RGB")


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
        for screen in (*BY_HAND, *WATCHED)
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
                table.counted()
                photograph(browser, table, BY_HAND, wanted.screens)
            with companion("simulated:odin,seed=5,speed=2", games=False) as table:
                photograph(browser, table, WATCHED, wanted.screens)
            write_page()
        if wanted.film or wanted.only_film:
            film(browser)
        browser.close()


if __name__ == "__main__":
    main()
