"""The eye over an owner's boards: what stands on which place, also after a board was pushed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.core.game import Setup
from companion.foundation.frames import Frame
from companion.foundation.notices import Notice
from companion.sim.boards import BoardsOnTable
from companion.sim.steps import Lying
from companion.sim.virtual_table import Painter, ViewSettings
from companion.tabletop.layout import layout_of
from companion.tabletop.observations import Motion, Observed
from companion.tabletop.zones import centre, zone_at
from companion.vision.boards.kept import boards_file
from companion.vision.crops import Image
from companion.watch.board_eye import BoardEye
from companion.watch.eyes import Eyes
from companion.watch.known_boards import KnownBoards

SIZE = (1600, 900)
SURE = 0.9
FRAMES = 5
"""Pictures until a table counts as still, and is looked at ..."""
ALIKE_SEED = 1
"""Of a table whose settlements are of one print."""
LYING = 25
"""... and until what reaches in from the picture's edge counts as lying there."""


def zones() -> dict[str, tuple[tuple[float, float], ...]]:
    layout = layout_of("valhal")
    assert layout is not None
    return dict(layout.zones)


class Watched:
    """A simulated table with boards, enrolled by its owner, and the eye that opens over it."""

    def __init__(self, folder: Path, seed: int, *, hidden: bool = False) -> None:
        self.boards = BoardsOnTable(zones(), ("A", "B"), seed)
        self.painter = Painter("valhal", ViewSettings(SIZE, seed=seed, boards=self.boards))
        file = boards_file(folder, "valhal")
        file.parent.mkdir()
        self.boards.enrolled().save(file)
        self.told: list[Notice | None] = []
        whole = self.painter.still(())
        self.one_in_view = whole.copy()
        self.one_in_view[: SIZE[1] // 3] = 90  # Ben's end of the table
        first = Frame(self.one_in_view if hidden else whole, 0.0, 1)
        self.eyes = Eyes(folder, self.told.append)
        eye = self.eyes(Setup("valhal", ("Anna", "Ben")), first)
        assert isinstance(eye, BoardEye)
        self.eye, self.number = eye, 1

    def shows(self, *table: Lying, looks: int = 2) -> set[tuple[str, str | None]]:
        """What is surely seen on which place, after some looks."""
        image = self.painter.still(table)
        look = self.sees(image)
        for _ in range(LYING):
            look = self.sees(image)
        seen: set[tuple[str, str | None]] = set()
        for _ in range(looks):
            for _ in range(FRAMES):
                look = self.sees(image)
            self.eye.again(everywhere=True)
            assert look.motion is Motion.STILL
            seen = {
                (str(s.label), zone_at(self.eye.zones, s.middle))
                for s in look.sightings
                if s.label is not None and s.p > SURE
            }
        return seen

    def sees(self, image: Image) -> Observed:
        self.number += 1
        return self.eye.observe(Frame(image, 0.1 * self.number, self.number))


def on(piece: str, face: str, zone: str, turn: float = 0.0) -> Lying:
    return Lying(piece, face, *centre(zones()[zone]), turn)


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(tmp_path, seed=4)


def test_things_are_read_on_the_places_of_boards_and_stay_there_when_one_is_pushed(
    watched: Watched,
) -> None:
    watched.shows()
    table = [
        on("longboat-1", "longboat-back", "A.site-2"),
        on("coin-1", "coin", "A.food-winter-1"),
        on("granary-1", "granary-back", "B.site-1", 180.0),
        on("season-1", "season", "season-winter"),
    ]
    truth = {
        ("longboat-back", "A.site-2"), ("coin", "A.food-winter-1"),
        ("granary-back", "B.site-1"), ("season", "season-winter"),
    }  # fmt: skip
    assert watched.shows(*table) == truth
    rng = np.random.default_rng(3)
    for _ in range(3):
        watched.boards.push(rng)
    watched.painter.board_pushed()
    assert watched.shows(*table) == truth


def test_its_pictures_show_the_boards(watched: Watched) -> None:
    watched.shows(looks=1)
    frame = Frame(watched.painter.still(()), 9.0, 99)
    assert watched.eye.mat(frame)[:2] == b"\xff\xd8"
    quad = ((10.0, 10.0), (60.0, 10.0), (60.0, 80.0), (10.0, 80.0))
    assert watched.eye.crop(frame, quad)[:2] == b"\xff\xd8"


def test_without_boards_in_view_the_mat_is_looked_for(tmp_path: Path) -> None:
    file = boards_file(tmp_path, "valhal")
    file.parent.mkdir()
    BoardsOnTable(zones(), ("A", "B"), 4).enrolled().save(file)
    told: list[Notice | None] = []
    grey = Frame(np.full((360, 640, 3), 90, np.uint8), 0.0, 1)
    assert Eyes(tmp_path, told.append)(Setup("valhal", ("Anna", "Ben")), grey) is None
    assert [each.code for each in told if each is not None] == ["boards-unseen"]


def test_boards_that_all_vanish_are_told_and_looked_for_beside_the_mat(watched: Watched) -> None:
    gone = np.full((*SIZE[::-1], 3), 90, np.uint8)
    assert not watched.eye.lost
    for _ in range(10):
        watched.sees(gone)
    assert not watched.eye.lost  # a moment is no reason
    for _ in range(25):
        watched.sees(gone)
    assert watched.eye.lost
    watched.told.clear()
    setup = Setup("valhal", ("Anna", "Ben"))
    assert watched.eyes(setup, Frame(gone, 60.0, 900)) is None
    assert [each.code for each in watched.told if each is not None] == ["boards-unseen"]
    back = Frame(watched.painter.still(()), 70.0, 901)
    assert isinstance(watched.eyes(setup, back), BoardEye)
    assert watched.told[-1] is None


def test_boards_of_jarls_who_do_not_play_are_not_looked_for(tmp_path: Path) -> None:
    boards = BoardsOnTable(zones(), ("A", "B", "C", "D"), 4)
    file = boards_file(tmp_path, "valhal")
    file.parent.mkdir()
    boards.enrolled().save(file)
    known = KnownBoards(tmp_path)
    assert {each.owner for each in known.of(Setup("valhal", ("Anna", "Ben")))} == {"", "A", "B"}
    assert len(known.of(Setup("valhal", ("Anna", "Ben", "Cleo", "Dag")))) == 5


def test_of_boards_that_look_alike_people_say_once_whose_they_are(tmp_path: Path) -> None:
    watched = Watched(tmp_path, seed=ALIKE_SEED, hidden=True)
    for _ in range(FRAMES):
        watched.sees(watched.one_in_view)
    (asked,) = watched.eye.alike()
    assert asked.picture[:2] == b"\xff\xd8"
    assert {owner for _, owner in asked.may_be} == {"A", "B"}
    assert [each.code for each in watched.told if each is not None][-1] == "boards-alike"
    watched.eye.name_board(asked.number, "settlement A")
    watched.sees(watched.one_in_view)
    assert watched.eye.alike() == ()
    assert watched.told[-1] is None


def test_a_damaged_file_of_boards_is_said(tmp_path: Path) -> None:
    file = boards_file(tmp_path, "valhal")
    file.parent.mkdir()
    file.write_bytes(b"no boards")
    told: list[Notice | None] = []
    grey = Frame(np.full((360, 640, 3), 90, np.uint8), 0.0, 1)
    assert Eyes(tmp_path, told.append)(Setup("valhal", ("Anna", "Ben")), grey) is None
    assert [each.code for each in told if each is not None] == ["table-unseen"]
