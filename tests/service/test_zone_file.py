"""Zones that were dragged: whatever is accepted is read back the same; whatever is refused changes
nothing."""

from __future__ import annotations

import math
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.foundation.errors import BadInput
from companion.service.zone_file import KeptZones, box_of
from companion.tabletop.mat import MAT
from tests.catalogue import ZONES

PLACES = st.floats(-20, 620) | st.sampled_from([math.nan, math.inf])
GAME_ZONES = st.sampled_from([(game, name) for game, zones in ZONES.items() for name in zones])


@settings(max_examples=60, deadline=None)
@given(GAME_ZONES, st.tuples(PLACES, PLACES, PLACES, PLACES))
def test_a_move_is_kept_as_a_whole_or_not_at_all(
    zone: tuple[str, str], box: tuple[float, float, float, float]
) -> None:
    game, name = zone
    with tempfile.TemporaryDirectory() as folder:
        zones = KeptZones(Path(folder))
        with suppress(BadInput):
            zones.move(game, name, box)
        if zones.moved(game):
            left, top, wide, high = box_of(zones[game][name])
            assert min(left, top) >= -0.1
            assert left + wide <= MAT[0] + 0.2
            assert top + high <= MAT[1] + 0.2
        else:
            assert zones[game] == ZONES[game]
        again = KeptZones(Path(folder))
        assert again.trouble is None
        assert dict(again) == dict(zones)


def test_every_zone_of_a_mat_may_stay_where_it_is(tmp_path: Path) -> None:
    zones = KeptZones(tmp_path)
    for game, names in ZONES.items():
        for name, outline in names.items():
            zones.move(game, name, box_of(outline))
    again = KeptZones(tmp_path)
    for game, names in ZONES.items():
        for name, outline in names.items():
            assert again[game][name][0] == pytest.approx(outline[0], abs=0.1)
            assert again[game][name][2] == pytest.approx(outline[2], abs=0.1)
