"""A thread that dies is noticed, said on the page, and the box started anew."""

from __future__ import annotations

import re
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.app import Controls, build
from companion.service.keeping.attendance import LASTING, Attendance
from companion.service.keeping.upkeep import Upkeep
from companion.service.settings import Settings

PATIENCE = 30.0
ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", ["lamps", "changes", "storyteller"])
def test_a_thread_that_dies_is_named_once(caplog: pytest.LogCaptureFixture, name: str) -> None:
    died: list[str] = []
    noticed, go = threading.Event(), threading.Event()

    def tell(name: str) -> None:
        died.append(name)
        noticed.set()

    def work() -> None:
        go.wait(PATIENCE)
        raise RuntimeError("nobody foresaw this")

    threading.Thread(target=work, name=name, daemon=True).start()
    threading.Thread(target=go.wait, name="somebody else's", daemon=True).start()
    with Attendance(tell, pause=0.01) as attendance:
        while not attendance._there:
            pass
        go.set()
        assert noticed.wait(PATIENCE)
    assert died == [name]
    assert f"{name} has died: nobody foresaw this" in caplog.text


def test_every_thread_that_lasts_is_attended_to() -> None:
    """By the names under which the rooms start them; a new one has to take a side."""
    passing = {"attendance", "folding", "print shop", "examination", "deck", "making a deck"}
    code = [each.read_text() for each in (ROOT / "companion").rglob("*.py")]
    started = {
        name
        for text in code
        for name in re.findall(r'Thread\([^)]*?name="([^"]+)"', text, re.DOTALL)
    }
    assert started - passing == set(LASTING)


def test_threads_that_end_with_the_box_are_no_deaths(tmp_path: Path) -> None:
    died: list[str] = []
    settings = Settings(data=str(tmp_path), port=0, host="127.0.0.1")
    with ExitStack() as stack:
        build(settings, stack, Controls(replace_part=died.append))
    assert died == []


def test_the_page_says_which_part_has_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noticed = threading.Event()
    go = threading.Event()

    def broken(_: Upkeep) -> None:
        go.wait(PATIENCE)
        raise RuntimeError("nobody foresaw this")

    monkeypatch.setattr(Upkeep, "_run", broken)
    settings = Settings(data=str(tmp_path), port=0, host="127.0.0.1", gpio="none")
    with ExitStack() as stack:
        app = build(settings, stack, Controls(replace_part=lambda _: noticed.set()))
        version = app.referee.moment.version
        threading.Timer(3.0, go.set).start()
        assert noticed.wait(PATIENCE)
        assert app.referee.moment.version > version, "pages are told at once"


def test_who_leaves_once_everything_stops_has_not_died() -> None:
    died: list[str] = []
    stopping = threading.Event()
    threading.Thread(target=stopping.wait, name="changes", daemon=True).start()
    with Attendance(died.append, stopping, pause=0.01) as attendance:
        while not attendance._there:
            pass
        stopping.set()
        while attendance._there:
            pass
    assert died == []
