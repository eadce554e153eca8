"""Examines every part of the box, and says what to do about whatever is wrong.

A check is a function from the patient to its findings. A new check is added to `PASSING` or to
`LASTING`.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.doctor.box import check_pins
from companion.doctor.camera import check_camera
from companion.doctor.machine import (
    check_clock,
    check_disk,
    check_games,
    check_journal,
    check_memory,
    check_models,
    check_network,
)
from companion.doctor.sensors import check_card, check_power, check_temperature, check_versions
from companion.service.findings import Check, Finding, Patient, State

PASSING: tuple[Check, ...] = (
    check_camera,
    check_pins,
    check_clock,
    check_memory,
    check_temperature,
    check_power,
    check_network,
)
"""What can change at any time, and is looked at quickly."""
LASTING: tuple[Check, ...] = (
    check_models,
    check_disk,
    check_card,
    check_journal,
    check_games,
    check_versions,
)
"""What takes longer, or writes to the card."""

__all__ = ["Finding", "State", "examine"]


def examine(
    patient: Patient, checks: tuple[Check, ...] = (*PASSING, *LASTING)
) -> Iterator[Finding]:
    for check in checks:
        yield from check(patient)
