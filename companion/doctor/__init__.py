"""Examines every part of the box, and says what to do about whatever is wrong.

A check is a function from the settings to its findings. A new check is added to `CHECKS`.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.doctor.box import check_pins
from companion.doctor.camera import check_camera
from companion.doctor.finding import Check, Finding, State
from companion.doctor.machine import (
    check_clock,
    check_disk,
    check_games,
    check_journal,
    check_memory,
    check_models,
    check_network,
    check_power,
)
from companion.service.settings import Settings

CHECKS: tuple[Check, ...] = (
    check_camera,
    check_models,
    check_pins,
    check_disk,
    check_journal,
    check_games,
    check_clock,
    check_memory,
    check_power,
    check_network,
)

__all__ = ["CHECKS", "Finding", "State", "examine"]


def examine(settings: Settings) -> Iterator[Finding]:
    for check in CHECKS:
        yield from check(settings)
