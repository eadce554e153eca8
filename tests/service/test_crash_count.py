"""Starts that came to nothing are counted; a good one makes up for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.foundation.errors import PinsMissing, PortTaken
from companion.foundation.messages import message
from companion.service.crash_count import Failed, Starts


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "starts.json"


def crash(file: Path) -> None:
    """As a process that is killed leaves it."""
    Starts(file).__enter__()


@contextmanager
def ending(error: BaseException) -> Iterator[None]:
    with pytest.raises(type(error)):
        yield


def test_three_crashes_in_a_row_are_too_many(file: Path) -> None:
    modes = []
    for _ in range(5):
        modes.append(Starts(file).safe_mode)
        crash(file)
    assert modes == [False, False, False, True, True]


def test_a_clean_stop_makes_up_for_everything(file: Path) -> None:
    for _ in range(3):
        crash(file)
    with Starts(file) as starts:
        assert starts.safe_mode
    assert Starts(file).failed == Failed()


def test_ctrl_c_is_a_clean_stop(file: Path) -> None:
    crash(file)
    with ending(KeyboardInterrupt()), Starts(file):
        raise KeyboardInterrupt
    assert Starts(file).failed == Failed()


def test_some_minutes_of_health_make_up_for_everything(file: Path) -> None:
    for _ in range(2):
        crash(file)
    now = [0.0]
    starts = Starts(file, healthy_seconds=300, clock=lambda: now[0])
    starts.__enter__()
    for now[0] in (1.0, 100.0, 299.0):
        starts.well()
    assert Starts(file).failed.starts == 3
    now[0] = 301.0
    starts.well()
    assert Starts(file).failed == Failed()
    written = file.stat().st_mtime_ns
    starts.well()
    assert file.stat().st_mtime_ns == written  # once: a card wears out


def test_an_exception_is_a_crash_and_remembered(file: Path) -> None:
    with ending(ZeroDivisionError()), Starts(file):
        _ = 1 // 0
    assert Starts(file).failed == Failed(1, "integer division or modulo by zero")
    here = message("here", "here")
    with ending(PinsMissing("test", "")), Starts(file):
        raise PinsMissing("no-pins", "no pins %(where)s", where=here)
    assert Starts(file).failed == Failed(2, message("no-pins", "no pins %(where)s", where="here"))


def test_a_taken_port_changes_nothing(file: Path) -> None:
    """Another companion may be running on the same folder."""
    crash(file)
    with ending(PortTaken("test", "")), Starts(file):
        raise PortTaken("taken", "the port is taken")
    assert Starts(file).failed == Failed(1)


@pytest.mark.parametrize(
    "content", [b"", b"nonsense", b'{"starts": -4}', b'{"starts": "x"}', b"[]"]
)
def test_a_damaged_file_counts_nothing(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert Starts(file).failed == Failed()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    with Starts(tmp_path / "nowhere" / "starts.json") as starts:
        starts.well()


def test_pauses_grow_only_beyond_safe_mode(file: Path) -> None:
    pauses = []
    for starts in range(12):
        file.write_bytes(b'{"starts": %d}' % starts)
        pauses.append(Starts(file).pause_seconds)
    assert pauses == [0, 0, 0, 0, 4, 8, 16, 32, 60, 60, 60, 60]
