"""Which camera watches, and which way up its picture is. Every page that lets people choose comes
in here: everything starts anew with the camera, and what was found by another one is forgotten."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from companion.foundation.errors import BadInput
from companion.foundation.files import replace_file
from companion.foundation.messages import N_
from companion.service.chosen_settings import SettingsStore

FILE = "camera-before.json"
"""In the data folder: the real camera that watched before a simulated table or none did. Who comes
back to it finds the table where it was."""
QUARTER_DEGREES = 90
NOT_REAL = ("none", "simulated")


class CameraChoice:
    def __init__(self, store: SettingsStore, folder: Path, start_again: Callable[[], None]) -> None:
        """`folder` is the data folder of the table that is watched now."""
        self._store = store
        self._folder = folder
        self._start_again = start_again

    def choose(self, camera: str) -> None:
        """From now on that one watches; raises `BadInput`, and then nothing has changed."""
        from companion.onboarding.table_files import forget_place  # it brings the eyes along

        settings = self._store.read().settings
        real, before = self._store.folder, _real_before(self._store.folder, settings.camera)
        self._store.choose({"camera": camera, "camera_turn": 0})
        if not _is_real(camera):
            _remember(real, before)
        elif camera != before or settings.camera_turn:
            forget_place(real, lens=True)
        self._start_again()

    def turn(self) -> None:
        """Its pictures are turned a quarter clockwise. Which corner is the far left one is another
        from now on; the lens stays the lens."""
        from companion.onboarding.table_files import forget_place, turn_lens

        degrees = self._store.read().settings.camera_turn
        self._store.choose({"camera_turn": (degrees + QUARTER_DEGREES) % 360})
        forget_place(self._folder, lens=False)
        turn_lens(self._folder)
        self._start_again()


def fixed_camera() -> BadInput:
    """Why nobody can choose: the command line has the last word."""
    return BadInput(
        "started-with-camera",
        N_("The companion was started with --camera; start it without to choose here."),
    )


def _is_real(camera: str) -> bool:
    return camera.partition(":")[0] not in NOT_REAL


def _real_before(folder: Path, now: str) -> str:
    if _is_real(now):
        return now
    try:
        return str(json.loads((folder / FILE).read_text())["camera"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""


def _remember(folder: Path, camera: str) -> None:
    try:
        replace_file(folder / FILE, json.dumps({"camera": camera}).encode())
    except OSError:
        return  # then the table is shown anew, which is no harm
