"""Boards that are pushed about, and the mosaic that shows nothing of it."""

from __future__ import annotations

import numpy as np
import pytest

from companion.sim.boards import BoardsOnTable
from companion.sim.virtual_table import Painter, ViewSettings
from companion.tabletop.layout import layout_of
from companion.tabletop.zones import centre
from companion.vision.boards.following import BoardFollower
from companion.vision.boards.mosaic import Mosaic
from companion.vision.crops import Image

SEED = 4
LAYOUT = layout_of("valhal")
assert LAYOUT is not None
ZONES = LAYOUT.zones


@pytest.fixture(scope="module")
def table() -> tuple[BoardsOnTable, Painter]:
    boards = BoardsOnTable(ZONES, ("A", "B"), SEED)
    return boards, Painter("valhal", ViewSettings((1280, 720), seed=SEED, boards=boards))


def shown(mosaic: Mosaic, follower: BoardFollower, picture: Image) -> Image:
    seen = mosaic.bare()
    mosaic.show(seen, picture, follower.found)
    return seen


def test_a_pushed_board_looks_as_before_in_the_mosaic(
    table: tuple[BoardsOnTable, Painter],
) -> None:
    boards, painter = table
    enrolled = boards.enrolled().boards
    follower, mosaic = BoardFollower(enrolled), Mosaic.of(enrolled, ZONES, 1.2)
    first = painter.still(())
    assert {each.board.owner for each in follower.begin(first)} == {"", "A", "B"}
    before = shown(mosaic, follower, first)
    stayed = follower.found
    assert not follower.follow(first)
    boards.push(np.random.default_rng(1))
    painter.board_pushed()
    pushed = painter.still(())
    assert np.abs(pushed.astype(int) - first).max() > 60  # it can be seen
    assert follower.follow(pushed)
    assert follower.found != stayed
    off = np.abs(shown(mosaic, follower, pushed).astype(int) - before).mean()
    assert off < 4.0


def test_a_pushed_board_is_not_taken_to_lie_one_space_of_its_track_further() -> None:
    boards = BoardsOnTable(ZONES, ("A", "B"), 1000)
    painter = Painter("valhal", ViewSettings((1280, 720), seed=1000, boards=boards))
    follower = BoardFollower(boards.enrolled().boards)
    follower.begin(painter.still(()))
    rng = np.random.default_rng(2)
    for _ in range(5):
        boards.push(rng)
        painter.board_pushed()
        follower.follow(painter.still(()))
        for each in follower.found:
            (x, y), turn = boards.lies(each.board.name)
            middle = each.pixels(np.array([each.board.size_mm]) / 2)[0]
            assert np.abs(middle - painter.view.pixels(np.array([[x, y]]))[0]).max() < 3
            right = each.pixels(np.array([(1.0, 0.0), (0.0, 0.0)]))
            way = np.degrees(np.arctan2(*(right[0] - right[1])[::-1]))
            assert abs((way - turn + 180) % 360 - 180) < 6
        assert len(follower.found) == 3


def test_every_place_has_its_zone_in_the_mosaic() -> None:
    enrolled = BoardsOnTable(ZONES, ("A", "B"), SEED).enrolled().boards
    mosaic = Mosaic.of(enrolled, ZONES, 1.5)
    assert set(mosaic.zones) == {name for name in ZONES if name[:2] not in ("C.", "D.")}
    for outline in mosaic.zones.values():
        x, y = centre(outline)
        assert 0 < x < mosaic.extent[0]
        assert 0 < y < mosaic.extent[1]


def test_what_is_upside_down_on_the_mat_is_so_in_the_mosaic() -> None:
    enrolled = BoardsOnTable(ZONES, ("A", "B"), SEED).enrolled().boards
    zones = Mosaic.of(enrolled, ZONES, 1.5).zones
    for seat in "AB":
        a, b = (centre(zones[f"{seat}.site-{n}"])[0] for n in (1, 4))
        c, d = (centre(ZONES[f"{seat}.site-{n}"])[0] for n in (1, 4))
        assert (a < b) == (c < d)
