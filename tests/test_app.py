"""Everything put together as `companion run` does it, down to the pins."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from companion.app import App, build
from companion.core.game import Setup
from companion.devices import box, signals
from companion.devices.pins import mock_factory
from companion.foundation.errors import PinsMissing, PortTaken
from companion.ledger.events import Proposal, Source
from companion.ledger.referee import Press
from companion.service.settings import Settings
from tests.ledger.logs import slip_in
from tests.waiting import soon

PASS, CONFIRM, GREEN, AMBER, RED, BUZZER = 17, 27, 5, 6, 13, 19
PATIENCE_SECONDS = 20.0


@contextmanager
def running(settings: Settings) -> Iterator[App]:
    with ExitStack() as stack:
        yield build(settings, stack)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=str(tmp_path), port=0, host="127.0.0.1", hold_seconds=0.2)


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> MockFactory:
    """The very pins the companion is built on."""
    factory = mock_factory()
    monkeypatch.setattr(box, "mock_factory", lambda: factory)
    return factory


def lit(pins: MockFactory) -> set[int]:
    return {pin for pin in (GREEN, AMBER, RED) if pins.pin(pin).state}


def tap(pins: MockFactory, pin: int, seconds: float = 0.05) -> None:
    time.sleep(0.04)
    pins.pin(pin).drive_low()
    time.sleep(seconds)
    pins.pin(pin).drive_high()


def say(app: App, *actions: str) -> None:
    for action in actions:
        session = app.referee.moment.session
        assert session is not None
        app.referee.propose(Proposal(action, session.seq, Source.PAGE))


def state(app: App) -> str:
    session = app.referee.moment.session
    assert session is not None
    return f"{session.state.phase} {session.game.to_move(session.state)}"


def test_pins_drive_the_game_and_the_game_drives_the_lamps(
    settings: Settings, pins: MockFactory
) -> None:
    with running(settings) as app:
        app.referee.open(Setup("odin", ("Anna", "Ben"), "en", (("hand_size", "2"),)), Source.PAGE)
        assert soon(lambda: lit(pins) == {AMBER})
        say(app, "deal A", "A r3")
        assert soon(lambda: lit(pins) == {GREEN})
        tap(pins, PASS)
        assert state(app) == "lead A"
        tap(pins, PASS)  # the leader cannot
        assert soon(lambda: lit(pins) == {RED})
        assert soon(lambda: True in [each.state for each in pins.pin(BUZZER).states])
        tap(pins, CONFIRM, seconds=0.4)  # held: the refusal is taken away, nothing else
        assert soon(lambda: lit(pins) == {GREEN})
        assert state(app) == "lead A"
        tap(pins, CONFIRM, seconds=0.4)  # held again: the pass is undone
        assert state(app) == "turn B"
        say(app, "B pass", "A r5")
        assert soon(lambda: lit(pins) == {GREEN, AMBER})
        tap(pins, CONFIRM)  # the count
        assert state(app) == "deal None"
        tap(pins, CONFIRM)  # the deal
        assert state(app) == "lead B"


def test_a_game_is_resumed_at_the_exact_state(settings: Settings) -> None:
    with running(settings) as app:
        app.referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
        say(app, "deal A", "A r3", "B b5")
        session = app.referee.moment.session
        assert session is not None
        before = session.state
    with running(settings) as app:
        session = app.referee.moment.session
        assert session is not None
        assert session.state == before
        assert app.parts[0].what.endswith("1 games")


def test_a_log_that_no_longer_replays_is_said_and_the_companion_starts(
    settings: Settings, tmp_path: Path
) -> None:
    with running(settings) as app:
        app.referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
        say(app, "deal A")
    slip_in(tmp_path / "journal.db", 1, "did", '{"action":"B r3"}')
    with running(settings) as app:
        assert app.referee.moment.session is None
        assert "event 3 (B r3) no longer replays: not-your-turn" in str(app.referee.moment.trouble)
        assert app.referee.press(Press.PASS) is not None


def test_the_parts_say_whether_they_are_real(settings: Settings) -> None:
    with running(settings) as app:
        assert [part.name for part in app.parts] == ["journal", "buttons and lamps", "camera"]
        assert app.parts[1].what.startswith("simulated")


def test_without_any_gpio_the_page_still_works(tmp_path: Path) -> None:
    with running(Settings(data=str(tmp_path), port=0, gpio="none")) as app:
        assert app.parts[1].what == "none"


def test_real_pins_are_never_replaced_silently(tmp_path: Path) -> None:
    if Path("/dev/gpiochip0").exists():
        pytest.skip("this machine has GPIO")
    with pytest.raises(PinsMissing), running(Settings(data=str(tmp_path), port=0, gpio="real")):
        pass


def test_a_taken_port_is_said_and_everything_is_closed(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        settings = Settings(data=str(tmp_path), port=port, host="127.0.0.1")
        with pytest.raises(PortTaken, match="companion run --port"), running(settings):
            pass
    assert not any(thread.name == "lamps" for thread in threading.enumerate())


def test_bots_never_play_among_peoples_games(settings: Settings, tmp_path: Path) -> None:
    with running(settings) as app:
        app.referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
        say(app, "deal A")
    before = (tmp_path / "journal.db").read_bytes()
    simulated = replace(settings, camera="simulated:odin,seats=2,short=yes", camera_size="640x360")
    with running(simulated) as app:
        assert soon(lambda: app.referee.moment.session is not None)
        session = app.referee.moment.session
        assert session is not None
        assert session.setup.names == ("Astrid", "Bjorn")
        assert str(tmp_path / "simulated") in app.parts[0].what
    assert (tmp_path / "journal.db").read_bytes() == before
    with running(settings) as app:
        assert state(app) == "lead A"


def test_without_a_camera_no_picture_library_is_loaded(tmp_path: Path) -> None:
    code = (
        "import sys; from contextlib import ExitStack; from companion.app import build;"
        "from companion.service.settings import Settings\n"
        f"with ExitStack() as stack: build(Settings(data={str(tmp_path)!r}, port=0), stack)\n"
        "print(sorted({'numpy', 'cv2', 'onnxruntime'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_owner_is_known_by_holding_both_buttons(
    settings: Settings, pins: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signals, "BLINK_SECONDS", 0.001)
    with running(settings) as app:
        assert not app.access.somebody_present
        time.sleep(0.04)
        pins.pin(CONFIRM).drive_low()
        time.sleep(0.05)
        tap(pins, PASS, seconds=0.3)
        pins.pin(CONFIRM).drive_high()
        assert app.access.somebody_present
        blinks = sum(int(digit) or 10 for digit in app.access.table_code)
        assert soon(lambda: _times_lit(pins, AMBER) >= blinks)


def _times_lit(pins: MockFactory, pin: int) -> int:
    return sum(bool(each.state) for each in pins.pin(pin).states)
