"""Switching the box off, or starting it anew as a whole: asked of the system's login manager, which
says whether the companion may."""

from __future__ import annotations

import shutil
import subprocess
from enum import StrEnum

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_, Message, message

PATIENCE_SECONDS = 5.0
_CALL = (
    "busctl",
    "call",
    "--timeout=3",
    "org.freedesktop.login1",
    "/org/freedesktop/login1",
    "org.freedesktop.login1.Manager",
)


class Turn(StrEnum):
    """What the whole machine can be asked to do."""

    OFF = "PowerOff"
    AGAIN = "Reboot"


def why_not(turn: Turn) -> Message | None:
    """Why the machine cannot be asked; None if it can."""
    if shutil.which(_CALL[0]) is None:
        return message(
            "no-login-manager",
            N_("this system has no login manager that could be asked; use its own menu"),
        )
    try:
        answer = _called(f"Can{turn.value}")
    except (OSError, subprocess.SubprocessError):
        return message("login-manager-silent", N_("the login manager of this system is silent"))
    if answer.returncode:
        return message("login-manager-silent", N_("the login manager of this system is silent"))
    if '"yes"' in answer.stdout:
        return None
    return message(
        "not-allowed-power",
        N_("the companion may not switch this machine; one that was installed as a service may"),
    )


def turn_machine(turn: Turn) -> None:
    """Raises `BadInput` if it cannot be asked or says no."""
    problem = why_not(turn)
    try:
        if problem is None and _called(turn.value, "b", "false").returncode == 0:
            return
    except (OSError, subprocess.SubprocessError):
        pass
    raise BadInput(
        "not-switched",
        N_("That could not be done: %(why)s."),
        why=problem or message("login-manager-no", N_("the login manager of this system said no")),
    )


def _called(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - the words are ours
        [*_CALL, *words], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
