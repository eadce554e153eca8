"""What the machine says of itself: temperature, power, speed and the wear of its card."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.doctor import machine, sensors
from companion.service.findings import Check, Finding, Patient, State
from companion.service.settings import Settings

PATIENT = Patient(Settings())


@pytest.fixture
def sysfs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """/sys of another machine, which has no firmware tools."""
    monkeypatch.setattr(machine, "SYS", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "no tools"))
    return tmp_path


def put(folder: Path, name: str, text: str) -> None:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def found(check: Check) -> list[Finding]:
    return list(check(PATIENT))


@pytest.mark.parametrize(
    ("millidegrees", "state"),
    [("48200", State.GOOD), ("70000", State.POOR), ("84900", State.BAD)],
)
def test_the_hottest_sensor_counts(sysfs: Path, millidegrees: str, state: State) -> None:
    put(sysfs, "class/thermal/thermal_zone0/temp", "30000\n")
    put(sysfs, "class/thermal/thermal_zone1/temp", millidegrees)
    [finding] = found(sensors.check_temperature)
    assert finding.state is state
    assert str(finding.what) == f"{int(millidegrees) / 1000:.0f} °C"
    assert (finding.todo is not None) == (state is not State.GOOD)


@pytest.mark.parametrize("told", ["", "nonsense", "999999999", "-40000"])
def test_a_sensor_that_tells_nonsense_is_not_believed(sysfs: Path, told: str) -> None:
    put(sysfs, "class/thermal/thermal_zone0/temp", told)
    assert found(sensors.check_temperature) == []


@pytest.mark.parametrize(
    ("flags", "power", "speed"),
    [
        ("0", State.GOOD, State.GOOD),
        ("1", State.BAD, State.GOOD),
        ("10000", State.POOR, State.GOOD),
        ("4", State.GOOD, State.POOR),
        ("40000", State.GOOD, State.POOR),
        ("50005", State.BAD, State.POOR),
        ("80008", State.GOOD, State.POOR),
    ],
)
def test_undervoltage_and_throttling_now_and_since_the_start(
    sysfs: Path, flags: str, power: State, speed: State
) -> None:
    put(sysfs, sensors.FIRMWARE, f"{flags}\n")
    states = {each.part: each.state for each in found(sensors.check_power)}
    assert states == {"power": power, "speed": speed}


@pytest.mark.parametrize(("alarm", "state"), [("0", State.GOOD), ("1", State.BAD)])
def test_the_kernels_sensor_stands_in_for_the_firmware(
    sysfs: Path, alarm: str, state: State
) -> None:
    put(sysfs, "class/hwmon/hwmon0/name", "cpu_thermal\n")
    put(sysfs, "class/hwmon/hwmon1/name", "rpi_volt\n")
    put(sysfs, "class/hwmon/hwmon1/in0_lcrit_alarm", alarm)
    assert [(each.part, each.state) for each in found(sensors.check_power)] == [("power", state)]


def test_the_firmware_may_be_asked_by_its_tool(
    sysfs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = sysfs / "bin" / "vcgencmd"
    put(sysfs, "bin/vcgencmd", "#!/bin/sh\necho throttled=0x50005\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:/bin:/usr/bin")
    assert found(sensors.check_power)[0].state is State.BAD


def test_another_machine_says_nothing_of_its_power(sysfs: Path) -> None:
    assert found(sensors.check_power) == []


@pytest.mark.parametrize(
    ("life", "state", "words"),
    [
        ("0x01 0x02", State.GOOD, "SD32 has used up at most 20 % of its life"),
        ("0x09 0x01", State.POOR, "SD32 has used up 80 % of its life or more"),
        ("0x0b 0x0b", State.POOR, "SD32 has used up 100 % of its life or more"),
        ("", State.SKIPPED, "SD32 does not tell how worn it is"),
        ("worn", State.SKIPPED, "SD32 does not tell how worn it is"),
    ],
)
def test_the_wear_of_the_card(sysfs: Path, life: str, state: State, words: str) -> None:
    put(sysfs, "block/mmcblk0/device/name", "SD32\n")
    put(sysfs, "block/mmcblk0/device/life_time", life)
    put(sysfs, "block/mmcblk0p1/size", "1")
    put(sysfs, "block/sda/size", "1")
    [finding] = found(sensors.check_card)
    assert (finding.state, str(finding.what)) == (state, words)


def test_the_versions_are_told(sysfs: Path) -> None:
    [finding] = found(sensors.check_versions)
    assert "Python 3." in str(finding.what)
