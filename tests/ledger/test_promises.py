"""The promises of docs/security.md, at a small size; `companion bench trust --long` tries more."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

from companion.bench.trust.cuts import instants, lost
from companion.bench.trust.faults import faults
from companion.bench.trust.starts import STARTS, tried
from tests.cards import own_mounts


def test_a_power_cut_loses_nothing_that_was_promised(tmp_path: Path) -> None:
    rng, moments = Random(8), instants(tmp_path)
    assert len(moments) > 20
    assert [lost(tmp_path, rng.choice(moments), rng) for _ in range(60)] == [""] * 60


def test_a_power_cut_that_did_lose_something_would_be_found(tmp_path: Path) -> None:
    rng, moments = Random(8), instants(tmp_path)
    late = moments[15]
    assert "promised" in lost(
        tmp_path, type(late)(late.before, late.after, moments[-1].promised), rng
    )


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler")
def test_a_disk_that_fails_at_any_point_loses_nothing(tmp_path: Path) -> None:
    outcome = faults(tmp_path, long=False)
    assert outcome.met, outcome


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.name)
def test_there_is_a_page_in_bad_times(tmp_path: Path, start: object) -> None:
    chosen = next(each for each in STARTS if each == start)
    if "mount" in chosen.before and not own_mounts():
        pytest.skip("no mounts of one's own here; `companion bench trust --row starts` has them")
    assert tried(tmp_path, chosen)[1] == ""
