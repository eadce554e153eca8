"""`companion doctor`: every fault is found, and every finding says what to do."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import threading
import time
from collections import namedtuple
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from companion.cli import doctor as doctor_command
from companion.devices.camera import usb as camera_usb
from companion.devices.pins import mock_factory
from companion.doctor import State, box, machine
from companion.doctor.box import ask_about_pins
from companion.onboarding.table_files import keep_place
from companion.printing import versions
from companion.service.findings import finding
from companion.service.settings import Settings, read_settings
from companion.vision.calibration import from_corners
from tests.cli.calling import companion, refused
from tests.cli.games import WHOLE
from tests.devices.stand_ins import FakeCapture, Sensor
from tests.ledger.logs import slip_in
from tests.printing.test_photographed import page_of, photographed
from tests.vision.test_calibration import mat, overhead, seen_by

PASS, CONFIRM = 17, 27


def found(*words: str) -> dict[str, tuple[str, str, str]]:
    """The findings by part; a bad one anywhere is exit code 1."""
    answer = companion("doctor", "--json", *words)
    assert answer.err == ""
    parts = {each["part"]: (each["state"], each["what"], each["todo"]) for each in answer.objects}
    assert answer.code == int(any(state == "bad" for state, _, _ in parts.values()))
    for state, _, todo in parts.values():
        assert bool(todo) == (state in ("poor", "bad"))
    return parts


def settle(**settings: str) -> None:
    Path("companion.toml").write_text(
        "".join(f'{name} = "{value}"\n' for name, value in settings.items())
    )


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """/sys, /proc and /run of another machine."""
    for name in ("SYS", "PROC", "RUN"):
        (tmp_path / name).mkdir()
        monkeypatch.setattr(machine, name, tmp_path / name)
    (tmp_path / "PROC" / "meminfo").write_text("MemTotal: 1\nMemAvailable: 4000000 kB\n")
    return tmp_path


def test_a_laptop_without_any_parts(here: Path) -> None:
    told = companion("doctor")
    assert told.code == 0
    assert "– camera: none is set: plays are entered on the page" in told.lines
    assert "– buttons and lamps: simulated: press them on the page" in told.lines
    assert list(here.iterdir()) == []  # it looks and leaves


def test_bad_settings_are_said_first(here: Path) -> None:
    Path("companion.toml").write_text("port = -1\n")
    refused(companion("doctor"), "companion.toml: port must be 0 to 65535, got -1")


# The camera


def picture(folder: Path, pixels: np.ndarray) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    cv2.imwrite(str(folder / "0.png"), pixels)


def test_light_and_focus(here: Path) -> None:
    table = np.random.default_rng(1).integers(60, 180, (120, 160, 3), np.uint8)
    settle(camera="file:pictures")
    picture(here / "pictures", table)
    told = found()
    assert told["camera"][:2] == ("good", "file pictures sends pictures of 160x120")
    assert (told["light"][0], told["focus"][0]) == ("good", "good")
    picture(here / "pictures", table // 8)
    assert found()["light"][:1] == ("poor",)
    picture(here / "pictures", table // 100)
    assert found()["light"][0] == "bad"
    glaring = table.copy()
    glaring[:40, :60] = 255
    picture(here / "pictures", glaring)
    assert "move the lamp to the side" in found()["light"][2]
    picture(here / "pictures", np.asarray(cv2.GaussianBlur(table, (0, 0), 5), np.uint8))
    assert found()["focus"][0] == "poor"


def test_the_corner_markers(here: Path) -> None:
    settle(camera="file:pictures")
    picture(here / "pictures", seen_by(overhead(), mat()))
    assert found()["markers"][:2] == ("good", "all four seen, 1.50 pixels to a millimetre")
    picture(here / "pictures", seen_by(overhead(), mat(hidden=(1, 3))))
    state, what, todo = found()["markers"]
    assert (state, what) == ("poor", "2 of 4 corner markers are seen")
    assert "the four printed markers" in todo


def test_a_table_that_was_shown_by_hand_needs_no_markers(here: Path) -> None:
    settle(camera="file:pictures")
    shown = seen_by(overhead(), mat(hidden=(0, 1, 2, 3)))
    picture(here / "pictures", shown)
    size = (shown.shape[1], shown.shape[0])
    corners = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)]
    plane = from_corners([(x * size[0], y * size[1]) for x, y in corners], size)
    keep_place(plane.seen_in(shown), read_settings(None).data_folder)
    told = found()
    assert "markers" not in told
    assert told["the table"][0] == "good"
    assert told["the table"][1].startswith("as you showed it, ")


SHEET_FINDINGS = {
    1: ("good", "mat odin, version 1: the current one", ""),
    2: (
        "bad",
        "mat odin, version 1: too old, now it is 2",
        "print it again, at 100 %: mat odin",
    ),
    0: (
        "bad",
        "mat odin, version 1: this companion knows only 0",
        "bring the companion up to date",
    ),
}


@pytest.mark.parametrize("now", SHEET_FINDINGS)
def test_a_sheet_printed_some_time(here: Path, monkeypatch: pytest.MonkeyPatch, now: int) -> None:
    page = page_of(here, "mat", "odin")
    known = versions.sheet_versions()
    newest = known | {"mat odin": replace(known["mat odin"], version=now)}
    monkeypatch.setattr(versions, "sheet_versions", lambda: newest)
    settle(camera="file:pictures")
    picture(here / "pictures", photographed(page, (3.0, -2.0)))
    assert found()["printed sheet"] == SHEET_FINDINGS[now]


def test_a_sheet_that_is_not_seen(here: Path) -> None:
    settle(camera="file:pictures")
    picture(here / "pictures", seen_by(overhead(), mat()))  # from before sheets had a mark
    state, what, todo = found()["printed sheet"]
    assert (state, what) == ("poor", "no version mark is seen below the far left corner marker")
    assert "print mat or markers again" in todo
    picture(here / "pictures", np.full((120, 160, 3), 90, np.uint8))
    assert found()["printed sheet"] == ("skipped", "none is seen", "")


def test_a_simulated_table_has_no_printed_sheet(here: Path) -> None:
    settle(camera="simulated:odin")
    assert found()["printed sheet"] == ("skipped", "the table is simulated", "")


def test_a_camera_that_is_not_there(here: Path) -> None:
    settle(camera="usb:no such camera")
    told = found()
    assert told["camera"][0] == "bad"
    assert told["camera"][1].startswith("no USB camera is called 'no such camera'; ")
    assert "light" not in told


def test_a_camera_of_another_size(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "companion.devices.camera.choice.camera_maker",
        lambda _, size: (
            lambda: camera_usb.UsbCamera(
                "",
                size,
                find=Path,
                open_capture=lambda _: FakeCapture(Sensor(), ((640, 480),)),
                settle_seconds=0.01,
            )
        ),
    )
    settle(camera="usb")
    state, what, todo = found()["camera"]
    assert (state, what) == ("bad", "USB camera sends pictures of 640x480, not 1920x1080")
    assert todo.startswith("set the size of its pictures to 640x480")


# The box


def test_pins_that_are_not_there() -> None:
    if Path("/dev/gpiochip0").exists():
        pytest.skip("this machine has GPIO")
    settle(gpio="real")
    assert found()["buttons and lamps"][0] == "bad"


def test_pins_that_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box, "real_factory", mock_factory)
    settle(gpio="real")
    assert found()["buttons and lamps"][1] == "pins open: pass, confirm, green, amber, red, buzzer"


def test_pins_that_another_program_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy() -> MockFactory:
        raise RuntimeError("GPIO busy")

    monkeypatch.setattr(box, "real_factory", busy)
    settle(gpio="real")
    state, what, todo = found()["buttons and lamps"]
    assert (state, what) == ("bad", "the pins cannot be opened (GPIO busy)")
    assert "another program has them" in todo


class Person:
    """Sees which lamps are lit, hears the buzzer, and presses what it is told to."""

    def __init__(self, factory: MockFactory, presses: dict[str, int]) -> None:
        self._factory = factory
        self._presses = presses
        self.asked: list[str] = []

    def asks(self, question: str) -> bool:
        self.asked.append(question)
        if "buzzer" in question:
            return any(each.state for each in self._factory.pin(19).states)
        name = question.split()[2]
        return bool(self._factory.pin({"green": 5, "amber": 6, "red": 13}[name]).state)

    def tells(self, what: str) -> None:
        pin = self._presses.get(what.split()[1])
        if pin is not None:
            threading.Thread(target=self._press, args=(pin,)).start()

    def _press(self, pin: int) -> None:
        time.sleep(0.05)
        self._factory.pin(pin).drive_low()
        time.sleep(0.05)
        self._factory.pin(pin).drive_high()


def asked(presses: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[State, str]]:
    monkeypatch.setattr(box, "PRESS_SECONDS", 0.5)
    factory = mock_factory()
    person = Person(factory, presses)
    findings = list(ask_about_pins(Settings(), person.asks, person.tells, lambda: factory))
    assert len(person.asked) == 4
    return {each.part: (each.state, str(each.what)) for each in findings}


def test_a_person_sees_hears_and_presses_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    told = asked({"pass": PASS, "confirm": CONFIRM}, monkeypatch)
    assert list(told) == [
        "green lamp",
        "amber lamp",
        "red lamp",
        "buzzer",
        "pass button",
        "confirm button",
    ]
    assert {state for state, _ in told.values()} == {State.GOOD}


def test_a_loose_wire_and_two_exchanged_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    told = asked({"pass": CONFIRM}, monkeypatch)
    assert told["pass button"] == (State.BAD, "another one was seen")
    assert told["confirm button"] == (State.BAD, "not seen")


def test_the_person_answers_in_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box, "PRESS_SECONDS", 0.05)
    monkeypatch.setattr(box, "real_factory", mock_factory)
    monkeypatch.setattr(box.ask_about_pins, "__defaults__", (mock_factory,))
    settle(gpio="real")
    told = companion("doctor", "--ask", stdin="y\nn\ny\ny\n")
    assert told.code == 1
    assert "✗ amber lamp: not noticed" in told.text
    assert "    check its wire to GPIO 6" in told.text
    assert "Press pass now ..." in told.lines
    assert "✗ pass button: not seen" in told.lines


# The machine


def test_a_full_disk(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    for free, state in ((10, "bad"), (100, "poor"), (1000, "good")):
        monkeypatch.setattr(
            shutil, "disk_usage", lambda _, free=free: usage(0, 0, free * 1_000_000)
        )
        assert found()["disk space"][0] == state


def test_a_disk_that_is_slow_or_does_not_write(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "SLOW_SECONDS", -1.0)
    assert found()["disk health"][0] == "poor"

    def fails(_: int) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(os, "fsync", fails)
    state, what, todo = found()["disk health"]
    assert (state, what) == ("bad", f"{here}: Read-only file system")
    assert "mounted read-only" in todo
    assert list(here.iterdir()) == []


def test_errors_the_file_system_has_met(
    elsewhere: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = here.stat().st_dev
    block = elsewhere / "SYS" / "dev" / "block"
    block.mkdir(parents=True)
    (elsewhere / "SYS" / "mmcblk0p2").mkdir()
    name = f"{os.major(number)}:{os.minor(number)}"
    (block / name).symlink_to(elsewhere / "SYS" / "mmcblk0p2")
    (elsewhere / "SYS" / "fs" / "ext4" / "mmcblk0p2").mkdir(parents=True)
    counted = elsewhere / "SYS" / "fs" / "ext4" / "mmcblk0p2" / "errors_count"
    counted.write_text("0\n")
    assert "file system" not in found()
    counted.write_text("3\n")
    assert found()["file system"][:2] == ("bad", "3 errors on mmcblk0p2")


def test_the_journal(here: Path) -> None:
    companion("import", "-", "--again", stdin=WHOLE)
    assert found()["journal"][:2] == ("good", "one game, sound")
    slip_in(Path("data/journal.db"), 9, "did", "{}", "2099-01-01T00:00:00.000Z")
    state, what, _ = found()["clock and journal"]
    assert (state, what) == ("poor", "it is before the last entry (2099-01-01T00:00:00.000Z)")
    with closing(sqlite3.connect("data/journal.db")) as raw, raw:
        raw.execute("DROP TRIGGER event_no_update")
        raw.execute("UPDATE event SET source = 'camera' WHERE seq = 3")
    state, what, _ = found()["journal"]
    assert state == "bad"
    assert "event 3 of game 1, or the one before it, is not as it was written" in what
    Path("data/journal.db").write_bytes(b"no journal" * 1000)
    state, _, todo = found()["journal"]
    assert (state, todo) == ("bad", "bring the last backup back: on the page under Settings")


def test_little_memory(elsewhere: Path) -> None:
    for kilobytes, state in ((50_000, "bad"), (200_000, "poor"), (900_000, "good")):
        (elsewhere / "PROC" / "meminfo").write_text(f"MemAvailable: {kilobytes} kB\n")
        assert found()["memory"][0] == state
    (elsewhere / "PROC" / "meminfo").unlink()
    assert "memory" not in found()


def test_a_weak_supply(elsewhere: Path) -> None:
    sensor = elsewhere / "SYS" / "class" / "hwmon" / "hwmon1"
    sensor.mkdir(parents=True)
    (sensor / "name").write_text("rpi_volt\n")
    for alarm, state in (("0", "good"), ("1", "bad")):
        (sensor / "in0_lcrit_alarm").write_text(alarm)
        assert found()["power"][0] == state


def test_the_name_on_the_network(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.doctor.machine.network_address", lambda: "192.0.2.7")
    assert found()["network"][:2] == ("poor", "only a number: http://192.0.2.7:8080/")
    (elsewhere / "RUN" / "avahi-daemon").mkdir()
    (elsewhere / "RUN" / "avahi-daemon" / "pid").touch()
    assert found()["network"][0] == "good"
    monkeypatch.setattr("companion.doctor.machine.network_address", lambda: None)
    assert found()["network"][0] == "poor"


def test_models_and_their_checksums(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "shipped", lambda name: here / name)
    assert found()["models"][0] == "skipped"
    (here / "models").mkdir()
    (here / "models" / "cards.onnx").write_bytes(b"net")
    summed = hashlib.sha256(b"net").hexdigest()
    (here / "models" / "SHA256SUMS").write_text(f"{summed}  cards.onnx\n")
    assert found()["models"][:2] == ("good", "1 files as they should be")
    (here / "models" / "SHA256SUMS").write_text(f"{summed}  cards.onnx\n{summed}  dice.onnx\n")
    assert found()["models"][1] == "damaged or missing: dice.onnx"
    (here / "models" / "cards.onnx").write_bytes(b"rot")
    assert found()["models"][1] == "damaged or missing: cards.onnx, dice.onnx"


def test_whoever_finds_fault_says_what_to_do() -> None:
    with pytest.raises(ValueError, match="says what to do"):
        finding("x", State.BAD, "broken")
    assert set(doctor_command.SIGNS) == {str(each) for each in State}


def test_a_clock_from_before_the_companion(monkeypatch: pytest.MonkeyPatch) -> None:
    class Then(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Then:
            return cls(1970, 1, 1, tzinfo=tz)

    monkeypatch.setattr(machine, "datetime", Then)
    assert found()["clock"][:2] == ("bad", "it is not 1970-01-01 00:00 UTC")
