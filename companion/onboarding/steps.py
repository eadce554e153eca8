"""The steps of set-up, and which of them people have done or left out. Loads no pictures."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from companion.foundation.errors import BadInput
from companion.foundation.files import replace_file
from companion.foundation.messages import N_

FILE = "setup.json"
"""In the data folder: the steps that people have marked."""


class SetupStep(StrEnum):
    YOU = "you"
    CAMERA = "camera"
    TABLE = "table"
    DECK = "deck"
    ZONES = "zones"
    BUTTONS = "buttons"
    TRY = "try"


class StepState(StrEnum):
    DONE = "done"
    SKIPPED = "skipped"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class SetupProgress:
    """How far set-up has come."""

    states: Mapping[SetupStep, StepState]

    @property
    def next(self) -> SetupStep | None:
        """The first step that is neither done nor left out."""
        return next((each for each in SetupStep if self.states[each] is StepState.OPEN), None)

    @property
    def done(self) -> int:
        return sum(each is StepState.DONE for each in self.states.values())

    @property
    def begun(self) -> bool:
        return any(each is not StepState.OPEN for each in self.states.values())


class StepFile:
    """What people have marked. A damaged file counts as nothing marked. Any thread may call."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE
        self._lock = threading.Lock()

    def read(self) -> dict[SetupStep, StepState]:
        try:
            kept = json.loads(self._file.read_text())
            return {SetupStep(key): StepState(value) for key, value in kept.items()}
        except (OSError, ValueError, AttributeError, RecursionError):
            return {}

    def mark(self, step: SetupStep, state: StepState) -> None:
        with self._lock:
            marked = {**self.read(), step: state}
            data = {str(key): str(value) for key, value in marked.items()}
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                replace_file(self._file, json.dumps(data).encode())
            except OSError as full:
                raise BadInput(
                    "step-not-kept",
                    N_("This could not be kept, so nothing was changed (%(why)s)."),
                    why=full.strerror,
                ) from None


def progress(
    marked: Mapping[SetupStep, StepState], seen: Mapping[SetupStep, Callable[[], bool]]
) -> SetupProgress:
    """What is seen to be done is done, whatever was marked."""

    def state(step: SetupStep) -> StepState:
        if step in seen and seen[step]():
            return StepState.DONE
        return marked.get(step, StepState.OPEN)

    return SetupProgress({step: state(step) for step in SetupStep})
