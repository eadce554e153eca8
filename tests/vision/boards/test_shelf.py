"""An owner's boards of one game: enrolled from a photograph, described, shared, forgotten."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.foundation.errors import BadInput
from companion.sim.faces.board_prints import BoardPrint, board_pixels
from companion.tabletop.layout import layout_of
from companion.vision.boards.finding import BoardFinder
from companion.vision.boards.kept import BoardSet
from companion.vision.boards.shelf import BoardShelf, NewBoard
from companion.vision.crops import Image, corners

LAYOUT = layout_of("valhal")
assert LAYOUT is not None
SIZE_MM = (200.0, 120.0)
CORNERS = ((0.1, 0.15), (0.85, 0.1), (0.9, 0.8), (0.08, 0.85))
NEW = NewBoard("Anna's settlement", "A", SIZE_MM, CORNERS, kind="settlement")


def photograph(style: str = "landscape") -> Image:
    pixels = board_pixels(BoardPrint(style, 5, SIZE_MM))
    picture = np.full((600, 800, 3), 70, np.uint8)
    quad = (np.array(CORNERS) * (800, 600)).astype(np.float32)
    way = cv2.getPerspectiveTransform(corners(pixels.shape[1], pixels.shape[0]), quad)
    cv2.warpPerspective(pixels, way, (800, 600), picture, borderMode=cv2.BORDER_TRANSPARENT)
    return picture


def jpeg(picture: Image) -> bytes:
    return bytes(cv2.imencode(".jpg", picture)[1])


@pytest.fixture
def shelf(tmp_path: Path) -> BoardShelf:
    assert LAYOUT is not None
    shelf = BoardShelf(tmp_path, "valhal", LAYOUT)
    shelf.take_photograph(jpeg(photograph()), "board.jpg")
    return shelf


def test_a_board_is_enrolled_from_one_photograph_and_found_again(shelf: BoardShelf) -> None:
    number = shelf.enrol(NEW)
    board = shelf.board(number)
    assert (board.name, board.owner, board.size_mm) == ("Anna's settlement", "A", SIZE_MM)
    assert {place.name for place in board.places} == {
        *(f"food-{each}" for each in ("summer", "winter-1", "winter-2", "spring")),
        *(f"site-{n}" for n in range(1, 5)),
        "altar",
        "coins",
        "units",
        "boats",
    }
    turned = cv2.rotate(photograph(), cv2.ROTATE_180)
    (found,) = BoardFinder([board]).find(turned)
    truth = np.array([800, 600]) - np.array(CORNERS) * (800, 600)
    assert np.abs(found.quad - truth).max() < 3


def test_a_place_is_moved_taken_away_and_kept(shelf: BoardShelf) -> None:
    number = shelf.enrol(NEW)
    shelf.move(number, "site-1", (10.0, 20.0, 30.0, 40.0))
    shelf.drop_place(number, "site-2")
    board = shelf.board(number)
    place = board.place("site-1")
    assert place is not None
    assert place.outline == ((10, 20), (40, 20), (40, 60), (10, 60))
    assert board.place("site-2") is None


@pytest.mark.parametrize("box", [(-5.0, 0, 20, 20), (190, 0, 20, 20), (0, 0, 1, 1), (0, 0, 9e9, 9)])
def test_a_place_beside_its_board_is_refused(
    shelf: BoardShelf, box: tuple[float, float, float, float]
) -> None:
    number = shelf.enrol(NEW)
    before = shelf.export()
    with pytest.raises(BadInput):
        shelf.move(number, "site-1", box)
    assert shelf.export() == before


def test_a_blank_board_is_refused(shelf: BoardShelf) -> None:
    shelf.take_photograph(jpeg(np.full((600, 800, 3), 180, np.uint8)), "blank.jpg")
    with pytest.raises(BadInput, match="too little print"):
        shelf.enrol(NEW)
    assert shelf.boards().boards == ()


def test_two_boards_of_one_name_are_refused(shelf: BoardShelf) -> None:
    shelf.enrol(NEW)
    with pytest.raises(BadInput, match="one name"):
        shelf.enrol(replace(NEW, owner="B"))
    assert len(shelf.boards().boards) == 1


def test_a_place_that_another_board_has_is_left_out(shelf: BoardShelf) -> None:
    shelf.enrol(NEW)
    shelf.drop_place(0, "food-spring")
    number = shelf.enrol(replace(NEW, name="Anna's food", kind="food"))
    assert [place.name for place in shelf.board(number).places] == ["food-spring"]
    with pytest.raises(BadInput, match="has all these places"):
        shelf.enrol(replace(NEW, name="more food", kind="food"))


def test_a_file_in_which_two_boards_have_one_place_is_refused_by_its_name(
    shelf: BoardShelf,
) -> None:
    board = shelf.board(shelf.enrol(NEW))
    with pytest.raises(BadInput, match=r"A\.food-summer"):
        BoardSet("mine", (board, replace(board, name="twin")))


def test_the_file_is_shared_and_taken_over(shelf: BoardShelf, tmp_path: Path) -> None:
    shelf.enrol(NEW)
    assert LAYOUT is not None
    friend = BoardShelf(tmp_path / "friend", "valhal", LAYOUT)
    friend.replace(shelf.export())
    assert friend.board(0).places == shelf.board(0).places
    for broken in (b"", b"no boards", shelf.export()[:-400]):
        with pytest.raises(BadInput, match="no file of boards"):
            friend.replace(broken)
    assert friend.export() == shelf.export()


def test_the_last_board_forgotten_leaves_nothing(shelf: BoardShelf) -> None:
    shelf.forget(shelf.enrol(NEW))
    assert not shelf.file.exists()
    with pytest.raises(BadInput, match="no such board"):
        shelf.forget(0)
