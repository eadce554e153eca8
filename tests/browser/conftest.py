"""A real companion in its own process, and a real Chromium looking at it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
ARTEFACTS = ROOT / "artefacts"
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_SECONDS = 20
WORKER_BLOCKED = "Service Worker registration blocked by Playwright"
"""What the driver itself says where a test asked for no service worker."""


class Companion:
    """`companion run` on a port and a folder of its own; it can be killed and started again."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder = folder
        self.words = words
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.address = f"http://localhost:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "companion", "run"]
        with (self.folder / "out.txt").open("ab") as out:
            self.process = subprocess.Popen(
                [*command, "--port", str(self.port), "--data", str(self.folder), *self.words],
                cwd=self.folder,  # no settings lie there
                env=os.environ | {"PYTHONPATH": str(ROOT)},
                stdout=out,
                stderr=out,
            )
        patience = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < patience:
            try:
                urllib.request.urlopen(f"{self.address}/table", timeout=2).close()
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError(self.said())

    def kill(self, number: int = signal.SIGKILL) -> int:
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_SECONDS)

    def said(self) -> str:
        return (self.folder / "out.txt").read_text()


@pytest.fixture
def camera() -> tuple[str, ...]:
    """How the companion is started: by hand, unless a module says otherwise."""
    return ("--camera", "none")


@pytest.fixture
def companion(tmp_path: Path, camera: tuple[str, ...]) -> Iterator[Companion]:
    companion = Companion(tmp_path, *camera)
    companion.start()
    yield companion
    if companion.process is not None and companion.process.poll() is None:
        assert companion.kill(signal.SIGTERM) == 0, companion.said()
    assert "Traceback" not in companion.said()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    assert program, "Chromium is missing; `make test` installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


class Seat:
    """One person's browser at the table. Anything on its console fails the test."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.complaints: list[str] = []
        self.expected = re.compile("$^")  # complaints a test provokes
        page.set_default_timeout(PATIENCE_SECONDS * 1000)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning") or message.text == WORKER_BLOCKED:
            return
        if not self.expected.search(message.text):
            self.complaints.append(message.text)

    def open(self, path: str = "/") -> None:
        self.page.goto(self.address + path)

    def set_up(self, names: tuple[str, ...], **options: str) -> None:
        """Names, options, go."""
        self.open("/new")
        self.seat_people(names)
        if options:
            self.page.locator(".options summary").click()
        for option, value in options.items():
            field = self.page.locator(f"[name='option.{option}']")
            if field.evaluate("each => each.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        self.tap("Go")

    def seat_people(self, names: tuple[str, ...]) -> None:
        """Their names on the form, and nobody else's."""
        fields = self.page.locator(".names input[name=name]")
        for place in range(fields.count()):
            fields.nth(place).fill(names[place] if place < len(names) else "")

    def tap(self, words: str) -> None:
        self.page.get_by_role("button", name=words, exact=True).first.click()

    def lay(self, *cards: str) -> None:
        """Tap the cards, tap to lay them."""
        for card in cards:
            self.page.get_by_role("checkbox", name=re.compile(f"^{card}(,|$)")).check()
        self.page.locator("[data-play]").click()

    def open_sheet(self, name: str) -> Locator:
        """A sheet, open: on a wide screen it always is, on a phone by its button."""
        sheet = self.page.locator(f"#sheet-{name}")
        if not sheet.is_visible():
            self.page.locator(
                f".dock [popovertarget=sheet-{name}], .demo[popovertarget=sheet-{name}]"
            ).first.click()
        expect(sheet).to_be_visible()
        return sheet

    def close_sheet(self, name: str) -> None:
        close = self.page.locator(f"#sheet-{name} .sheet-head button")
        if close.is_visible():
            close.click()

    def type_in(self, entry: str) -> None:
        """An entry in the notation, for what has no button."""
        self.open_sheet("more")
        fold = self.page.locator(".typed")
        if fold.get_attribute("open") is None:
            fold.locator("summary").click()
        fold.locator("input[name=say]").fill(entry)
        fold.get_by_role("button").click()

    def waits_for(self, sentence: str) -> None:
        expect(self.page.locator(".waiting h1")).to_have_text(sentence)

    def sees(self, words: str) -> None:
        expect(self.page.get_by_text(words).first).to_be_visible()

    def middle_is(self, value: str) -> None:
        expect(self.page.locator(".verdict .value")).to_have_text(value)

    def press(self, button: str) -> None:
        """A button of the box: pass, confirm, or hold."""
        self.open_sheet("more")
        self.page.locator(f".box [data-button={button}]").click()
        self.close_sheet("more")

    def lamp(self, colour: str, *, lit: bool) -> None:
        wanted = "yes" if lit else "no"
        expect(self.page.locator(f".lamp.{colour}")).to_have_attribute("data-lit", wanted)

    def photograph(self, name: str) -> None:
        ARTEFACTS.mkdir(exist_ok=True)
        self.page.screenshot(path=ARTEFACTS / f"{name}.png", full_page=True)


Sit = Callable[..., Seat]


@pytest.fixture
def sit(browser: Browser, companion: Companion) -> Iterator[Sit]:
    """Sits somebody down with a browser of their own."""
    seated: list[Seat] = []

    def sit_down(
        size: dict[str, int] | None = None,
        language: str = "en",
        script: bool = True,
        routed: bool = False,
        touch: bool = False,
    ) -> Seat:
        """`routed`: for tests that hold requests back. A service worker would take them past it."""
        width, height = (size or PHONE).values()
        context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=language,
            java_script_enabled=script,
            has_touch=touch,
            reduced_motion="reduce",
            service_workers="block" if routed else "allow",
        )
        seat = Seat(context.new_page(), companion.address)
        seated.append(seat)
        return seat

    yield sit_down
    for seat in seated:
        seat.page.context.close()
        assert seat.complaints == []
