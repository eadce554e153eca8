"""The steps of set-up and the guided round."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.onboarding.guided_round import GuidedRound
from companion.onboarding.steps import FILE, SetupStep, StepFile, StepState, progress


def test_what_is_marked_is_kept_and_a_damaged_file_is_nothing_marked(tmp_path: Path) -> None:
    StepFile(tmp_path).mark(SetupStep.CAMERA, StepState.DONE)
    StepFile(tmp_path).mark(SetupStep.DECK, StepState.SKIPPED)
    assert StepFile(tmp_path).read() == {
        SetupStep.CAMERA: StepState.DONE,
        SetupStep.DECK: StepState.SKIPPED,
    }
    (tmp_path / FILE).write_text('{"camera": "perhaps"}')
    assert StepFile(tmp_path).read() == {}


def test_the_next_step_is_the_first_that_is_neither_done_nor_left_out() -> None:
    marked = {SetupStep.YOU: StepState.SKIPPED}
    now = progress(marked, {SetupStep.CAMERA: lambda: True, SetupStep.TABLE: lambda: False})
    assert now.next is SetupStep.TABLE
    assert now.done == 1
    everything = dict.fromkeys(SetupStep, StepState.SKIPPED)
    assert progress(everything, {}).next is None


@pytest.mark.parametrize(
    ("looks", "laid", "taken"),
    [
        ((0,), False, False),
        ((0, 1), True, False),
        ((0, 1, 0), True, True),
        ((3, 3, 4, 4, 3), True, True),
        ((3, 2, 3), True, False),
        ((2, 1, 0), False, False),
    ],
)
def test_a_card_laid_and_taken_is_noticed_whatever_lies_there(
    looks: tuple[int, ...], laid: bool, taken: bool
) -> None:
    now = GuidedRound()
    for cards in looks:
        now = now.sees(cards)
    assert (now.laid, now.taken) == (laid, taken)
    assert not now.done
    assert now.passes().done == (laid and taken)
