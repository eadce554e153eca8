"""What the machine says of itself: temperature, power, wear of its card, and its versions."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress

from companion.doctor import machine
from companion.foundation.messages import N_
from companion.service.findings import Finding, Patient, State, finding
from companion.service.versions import about_box

HOT_DEGREES = 80.0
"""Celsius: from here on a Pi slows down."""
WARM_DEGREES = 70.0
FIRMWARE = "devices/platform/soc/soc:firmware/get_throttled"
UNDERVOLTAGE, CAPPED, THROTTLED, SOFT_LIMIT = 0x1, 0x2, 0x4, 0x8
SINCE_START = 16
"""The same bits, so far to the left, tell what happened since the machine was started."""
WORN_TENTHS = 8
"""Of the life a card or eMMC expects of itself."""
PATIENCE_SECONDS = 3.0


def check_temperature(_: Patient) -> Iterator[Finding]:
    """The hottest of the machine's sensors; nothing where there is none."""
    zones = (machine.SYS / "class/thermal").glob("thermal_zone*/temp")
    degrees = max((machine.number_in(each) / 1000 for each in zones), default=0.0)
    part, shown = N_("temperature"), f"{degrees:.0f}"
    if not 0 < degrees < 150:
        return
    if degrees >= WARM_DEGREES:
        state = State.BAD if degrees >= HOT_DEGREES else State.POOR
        todo = N_("give it air: open the case, or add a fan or a heat sink")
        yield finding(part, state, N_("%(degrees)s °C"), todo, degrees=shown)
    else:
        yield finding(part, State.GOOD, N_("%(degrees)s °C"), degrees=shown)


def check_power(_: Patient) -> Iterator[Finding]:
    """What the Pi says about its power supply and its speed; nothing on other machines."""
    flags = _throttled()
    if flags is None:
        yield from _alarm()
        return
    ever = flags | (flags >> SINCE_START)
    power, speed = N_("power"), N_("speed")
    supply = N_("use the official power supply, and a short cable")
    if flags & UNDERVOLTAGE:
        yield finding(power, State.BAD, N_("the supply is too weak"), supply)
    elif ever & UNDERVOLTAGE:
        what = N_("the supply was too weak for a while since the start")
        yield finding(power, State.POOR, what, supply)
    else:
        yield finding(power, State.GOOD, N_("enough"))
    slow = CAPPED | THROTTLED | SOFT_LIMIT
    cool = N_("give it air and a good power supply")
    if flags & slow:
        yield finding(speed, State.POOR, N_("the machine holds itself back now"), cool)
    elif ever & slow:
        what = N_("the machine held itself back for a while since the start")
        yield finding(speed, State.POOR, what, cool)
    else:
        yield finding(speed, State.GOOD, N_("full"))


def _throttled() -> int | None:
    """The firmware's flags; None where there is no such firmware."""
    told = machine.text_in(machine.SYS / FIRMWARE)
    if not told and shutil.which("vcgencmd") is not None:
        with suppress(OSError, subprocess.SubprocessError):
            asked = subprocess.run(
                ["vcgencmd", "get_throttled"],  # noqa: S607 - where the system has it
                capture_output=True,
                text=True,
                timeout=PATIENCE_SECONDS,
                check=False,
            )
            told = asked.stdout.strip().removeprefix("throttled=")
    try:
        return int(told, 16) if told else None
    except ValueError:
        return None


def _alarm() -> Iterator[Finding]:
    """The kernel's sensor of the supply, where the firmware says nothing."""
    for sensor in sorted((machine.SYS / "class/hwmon").glob("hwmon*")):
        if machine.text_in(sensor / "name") != "rpi_volt":
            continue
        if machine.number_in(sensor / "in0_lcrit_alarm"):
            todo = N_("use the official power supply, and a short cable")
            yield finding(N_("power"), State.BAD, N_("the supply is too weak"), todo)
        else:
            yield finding(N_("power"), State.GOOD, N_("enough"))


def check_card(_: Patient) -> Iterator[Finding]:
    """How worn the card says it is. Few SD cards tell; eMMC and some others do."""
    part = N_("card")
    for card in sorted((machine.SYS / "block").glob("mmcblk?")):
        name = machine.text_in(card / "device/name") or card.name
        tenths = _worst(machine.text_in(card / "device/life_time"))
        if not tenths:
            yield finding(
                part, State.SKIPPED, N_("%(name)s does not tell how worn it is"), name=name
            )
        elif tenths > WORN_TENTHS:
            what = N_("%(name)s has used up %(percent)s %% of its life or more")
            todo = N_("make a backup, and put in a new card soon")
            yield finding(part, State.POOR, what, todo, name=name, percent=(tenths - 1) * 10)
        else:
            what = N_("%(name)s has used up at most %(percent)s %% of its life")
            yield finding(part, State.GOOD, what, name=name, percent=tenths * 10)


def _worst(told: str) -> int:
    """Of the tenths that were used up, such as `0x01 0x02`; 0 if nothing is told."""
    try:
        return max((int(each, 16) for each in told.split()), default=0)
    except ValueError:
        return 0


def check_versions(_: Patient) -> Iterator[Finding]:
    about = about_box()
    yield finding(
        N_("versions"),
        State.GOOD,
        N_("companion %(companion)s, Python %(python)s, %(system)s, %(machine)s"),
        companion=about.companion,
        python=about.python,
        system=about.system,
        machine=about.machine,
    )
