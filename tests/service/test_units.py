"""The units: systemd itself finds nothing to say about them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.devices.camera import pi as camera_pi
from companion.service.crash_count import LONGEST_PAUSE_SECONDS
from companion.service.keeping import rotation

ROOT = Path(__file__).parents[2]
UNITS = sorted((ROOT / "systemd").glob("*.service"))
MOST_EXPOSED = {
    "companion.service": 1.3,
    "companion-hub.service": 1.5,
    "companion-kiosk.service": 2.0,  # a browser needs more
}

analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


def test_all_are_there() -> None:
    assert {unit.name for unit in UNITS} == set(MOST_EXPOSED)


@analyze
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_has_nothing_to_say(unit: Path, tmp_path: Path) -> None:
    """With a program that exists here in place of the installed one."""
    copy = tmp_path / unit.name
    copy.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", unit.read_text(), flags=re.M))
    done = subprocess.run(
        ["systemd-analyze", "verify", str(copy)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@analyze
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_little_is_exposed(unit: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)],
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert found is not None
    assert float(found[1]) <= MOST_EXPOSED[unit.name]


def _value(key: str) -> list[str]:
    text = (ROOT / "systemd" / "companion.service").read_text()
    return re.findall(rf"^{key}=(.*)$", text, re.M)


def test_only_cameras_pins_and_a_loudspeaker() -> None:
    assert _value("DevicePolicy") == ["closed"]
    assert _value("DeviceAllow") == [
        f"char-{kind} rw" for kind in ("video4linux", "media", "dma_heap", "gpiochip", "alsa")
    ]
    assert _value("User") == ["companion"]


def test_nothing_that_bookworm_does_not_know() -> None:
    """systemd 252 complains of these in its log at every start."""
    text = "".join(unit.read_text() for unit in UNITS)
    assert not re.search(r"^(RestartSteps|RestartMaxDelaySec)=", text, re.M)


def test_the_patience_of_the_unit_fits_the_companion() -> None:
    (watchdog,), (start,) = _value("WatchdogSec"), _value("TimeoutStartSec")
    opening = camera_pi.SETTLE_SECONDS + camera_pi.FOCUS_SECONDS + 2 * camera_pi.READ_SECONDS
    assert int(watchdog) > opening
    assert int(start) > LONGEST_PAUSE_SECONDS + 30


def test_a_memory_stick_can_be_written_to() -> None:
    """Where the backups look for sticks, the service may write, and the rule mounts them there."""
    (paths,) = _value("ReadWritePaths")
    allowed = [each.removeprefix("-") for each in paths.split()]
    assert {f"{each}/" for each in allowed} == set(rotation._STICKS)
    assert all(each.startswith("-") for each in paths.split()), "none of them need be there"
    rule = (ROOT / "systemd" / "60-companion-stick.rules").read_text()
    assert "--owner=companion" in rule
    (place,) = re.findall(r"\$devnode (\S+)%k", rule)
    assert place.startswith(tuple(rotation._STICKS))
    assert {"nosuid", "nodev", "noexec"} <= set(re.split(r"[=, ]", rule))


@pytest.mark.skipif(shutil.which("udevadm") is None, reason="udevadm is not installed")
def test_udev_has_nothing_to_say() -> None:
    rule = str(ROOT / "systemd" / "60-companion-stick.rules")
    done = subprocess.run(["udevadm", "verify", rule], capture_output=True, text=True, check=False)
    if "Unknown command" in done.stderr:
        pytest.skip("this udev cannot verify rules")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_leak_ends_the_service_and_not_the_machine(unit: Path) -> None:
    text = unit.read_text()
    assert re.search(r"^MemoryMax=\d+[MG]$", text, re.M)
    assert re.search(r"^TasksMax=\d+$", text, re.M)
