"""What is printed is as large as it says, and the camera's own tools find it again."""

from __future__ import annotations

import hashlib
from itertools import combinations
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import numpy.typing as npt
import pypdfium2
import pytest
from click.testing import CliRunner, Result

from companion.cli.main import CommandGroup
from companion.cli.print import print_
from companion.foundation.errors import BadInput
from companion.games.valhal.layout import SITES
from companion.games.valhal.rules.vocabulary import SEASONS, SPACES
from companion.printing import decks, marks, mats, versions, wall
from companion.printing.paper import PAPERS, Sheets
from companion.sim.faces import raster
from companion.sim.faces.mat_art import MatArt
from companion.tabletop.mat import (
    CARD,
    CHARUCO_SQUARE,
    CHARUCO_SQUARES,
    MARKER,
    MARKER_BORDER,
    MARKER_DICTIONARY,
    MARKERS,
    MAT,
    SHEET_MARK,
    SHEET_MARK_AT,
)
from companion.tabletop.zones import size
from tests.catalogue import DECKS, GAMES, ZONES

PX = 8.0  # pixels a millimetre
Pixels = npt.NDArray[np.uint8]
FOUR = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARKER_DICTIONARY))
both_papers = pytest.mark.parametrize("paper", PAPERS)


def companion(*words: str | Path) -> Result:
    group = CommandGroup("companion", commands={"print": print_})
    return CliRunner().invoke(group, ["print", *map(str, words)])


def opened(tmp_path: Path, sheets: Sheets) -> Any:
    sheets.save(tmp_path / "sheets.pdf")
    return pypdfium2.PdfDocument(tmp_path / "sheets.pdf")


def pixels(page: Any) -> Pixels:
    """The page, its size in pixels as near to the millimetres as whole pixels allow."""
    image = page.render(scale=PX * 25.4 / 72).to_numpy()[:, :, :3]
    width, height = (round(mm * PX) for mm in page_size(page))
    resized = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(resized, dtype=np.uint8)


def page_size(page: Any) -> tuple[float, float]:
    width, height = page.get_size()
    return width * 25.4 / 72, height * 25.4 / 72


def found(image: Pixels) -> dict[int, npt.NDArray[np.float64]]:
    """The markers of a page and their corners in millimetres."""
    options = cv2.aruco.DetectorParameters()
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(FOUR, options).detectMarkers(image)
    if ids is None:
        return {}
    # OpenCV counts from the middle of the first pixel
    return {
        int(number): (four.reshape(4, 2).astype(np.float64) + 0.5) / PX
        for number, four in zip(ids.flat, corners, strict=True)
    }


def square(x: float, y: float) -> npt.NDArray[np.float64]:
    edge = MARKER
    return np.array([(x, y), (x + edge, y), (x + edge, y + edge), (x, y + edge)])


# -- zones ------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ZONES)
def test_zones_lie_on_the_mat_and_off_each_other_and_the_markers(game: str) -> None:
    border = MARKER_BORDER - 2
    boxes = {
        name: (*np.min(outline, 0), *np.max(outline, 0)) for name, outline in ZONES[game].items()
    }
    for left, top, right, bottom in boxes.values():
        assert left >= 4
        assert top >= 4
        assert right <= MAT[0] - 4
        assert bottom <= MAT[1] - 4
    for number, (x, y) in MARKERS.items():
        far = MARKER + border
        boxes[f"marker {number}"] = (x - border, y - border, x + far, y + far)
    (x, y), far = SHEET_MARK_AT, SHEET_MARK
    boxes["sheet mark"] = (x - 4, y - 4, x + far + 4, y + far + 5)  # and the words below
    for (one, a), (other, b) in combinations(boxes.items(), 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert apart, f"{one} and {other}"


def test_only_games_have_zones_and_the_readers_find_theirs() -> None:
    assert set(ZONES) <= set(GAMES)
    assert set(ZONES["odin"]) == {"middle-1", "middle-2", "deck", "discard"}
    seats = {f"{s}.{z}" for s in "ABCDE" for z in ("main", "support", "discard")}
    middle = {"reveal", "armory", "armory-2", "deck", "graveyard"}
    assert set(ZONES["valhalla"]) == seats | middle
    valhal = set(ZONES["valhal"])
    assert valhal >= {"attackers", "town", "reading"}
    assert valhal >= {f"season-{season}" for season in SEASONS}
    for seat in "ABCD":
        assert valhal >= {f"{seat}.food-{space}" for space in SPACES}
        assert valhal >= {f"{seat}.site-{at + 1}" for at in range(SITES)}
        assert valhal >= {f"{seat}.altar", f"{seat}.glory-20", f"{seat}.favour-6"}
    assert valhal >= {"enemy-0", "enemy-13", "attack-1", "attack-21", "front-0", "front-6"}


def test_every_card_zone_has_room_for_a_card() -> None:
    for game in ("odin", "valhalla"):
        for name, outline in ZONES[game].items():
            assert sorted(size(outline)) >= sorted(CARD), name


# -- markers and calibration -------------------------------------------------------------


@both_papers
def test_the_markers_are_found_at_their_size(paper: str, tmp_path: Path) -> None:
    document = opened(tmp_path, marks.markers(PAPERS[paper]))
    assert len(document) == 1
    assert page_size(document[0]) == pytest.approx(
        (PAPERS[paper].width, PAPERS[paper].height), abs=0.05
    )
    seen = found(pixels(document[0]))
    assert set(seen) == set(MARKERS)
    for number, corners in seen.items():
        sides = np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1)
        assert sides == pytest.approx(MARKER, abs=0.1), number
    across = {number: corners.mean(0) for number, corners in seen.items()}
    assert across[0][0] < across[1][0]
    assert across[0][1] < across[3][1]
    assert across[2] == pytest.approx(across[1] + across[3] - across[0], abs=0.1)


@both_papers
def test_the_sheet_of_markers_says_how_far_apart_they_lie(paper: str, tmp_path: Path) -> None:
    corners = np.array([square(x, y) for x, y in MARKERS.values()]).reshape(-1, 2)
    across, down = corners.max(0) - corners.min(0)
    assert (across, down) == marks.apart() == (570, 396)
    words = opened(tmp_path, marks.markers(PAPERS[paper]))[0].get_textpage().get_text_range()
    assert f"{across:g} mm" in words
    assert f"{down:g} mm" in words


@both_papers
def test_the_calibration_sheet_has_every_corner_in_its_place(paper: str, tmp_path: Path) -> None:
    document = opened(tmp_path, marks.charuco(PAPERS[paper]))
    board = marks.charuco_board()
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(pixels(document[0]))
    columns, rows = CHARUCO_SQUARES
    assert ids is not None
    assert len(ids) == (columns - 1) * (rows - 1)
    grid = (corners.reshape(-1, 2) / PX).reshape(rows - 1, columns - 1, 2)
    assert np.diff(grid[:, :, 0], axis=1) == pytest.approx(CHARUCO_SQUARE, abs=0.1)
    assert np.diff(grid[:, :, 1], axis=0) == pytest.approx(CHARUCO_SQUARE, abs=0.1)
    assert found(pixels(document[0])) == {}  # never taken for the table's corners


@both_papers
def test_the_ruler_is_ten_centimetres(paper: str, tmp_path: Path) -> None:
    image = pixels(opened(tmp_path, marks.markers(PAPERS[paper]))[0])
    foot = round((PAPERS[paper].height - 8.0) * PX)
    strip = image[foot - 2 : foot + 3, : round(113 * PX)].min(axis=(0, 2))
    dark = np.flatnonzero(strip < 200)
    assert (dark[-1] - dark[0] + 1) / PX == pytest.approx(100, abs=0.4)


# -- mats -------------------------------------------------------------------------------


@both_papers
@pytest.mark.parametrize("game", ZONES)
def test_the_pages_of_a_mat_make_the_mat(game: str, paper: str, tmp_path: Path) -> None:
    sheet = PAPERS[paper]
    document = opened(tmp_path, mats.mat(game, sheet))
    columns, rows = mats.tiles(sheet)
    assert len(document) == columns * rows == 6
    wide, high = MAT[0] / columns, MAT[1] / rows
    seen = {}
    for number, page in enumerate(document):
        row, column = divmod(number, columns)
        shift = np.array(
            [column * wide - (sheet.width - wide) / 2, row * high - (sheet.height - high) / 2]
        )
        for marker, corners in found(pixels(page)).items():
            assert marker not in seen
            seen[marker] = corners + shift
    assert set(seen) == set(MARKERS)
    for marker, corners in seen.items():
        assert corners == pytest.approx(square(*MARKERS[marker]), abs=0.15)


def test_a_mat_leaves_a_printer_its_margins() -> None:
    for paper in PAPERS.values():
        columns, rows = mats.tiles(paper)
        assert MAT[0] / columns <= paper.width - 12
        assert MAT[1] / rows <= paper.height - 28


@pytest.mark.parametrize(
    ("zone", "pictured"), [("deck", True), ("hoard", False), ("A.front-left", False)]
)
def test_a_zone_nobody_has_drawn_is_an_outline(zone: str, pictured: bool) -> None:
    shapes = list(mats.zone_drawn(zone, ZONES["odin"]["deck"], MatArt()))
    assert (len(shapes) > 1) is pictured  # besides the zone's outline


# -- versions ---------------------------------------------------------------------------

LAID_OUT = {
    ("markers", 1): "07dfce385158",
    ("mat odin", 1): "1ca147d8cce2",
    ("mat valhalla", 2): "96fef6f31ddc",
    ("mat valhal", 1): "500d139147d9",
}
"""What the camera relies on, as it was when the version was given."""


def laid_out(sheet: str) -> str:
    common = (MAT, MARKER_DICTIONARY, MARKER, dict(MARKERS))
    drawn = dict(ZONES.get(sheet.removeprefix("mat "), {}))
    return hashlib.sha256(repr((common, drawn)).encode()).hexdigest()[:12]


@pytest.mark.parametrize("sheet", ["markers", *(f"mat {game}" for game in ZONES)])
def test_a_sheet_laid_out_anew_has_a_new_version(sheet: str) -> None:
    known = LAID_OUT.get((sheet, versions.current(sheet).version))
    assert laid_out(sheet) == known, "raise its version, and note it here"


@pytest.mark.parametrize("deck", DECKS)
def test_every_deck_has_a_version(deck: str) -> None:
    assert f"cards {deck}" in versions.sheet_versions()


def test_a_sheet_without_a_version_says_where_it_belongs() -> None:
    with pytest.raises(BadInput, match="there is no sheet 'mat chess' to print"):
        versions.current("mat chess")


@both_papers
def test_every_page_says_its_version(paper: str, tmp_path: Path) -> None:
    for sheets in (
        marks.markers(PAPERS[paper]),
        marks.charuco(PAPERS[paper]),
        mats.mat("odin", PAPERS[paper]),
        decks.deck("valhalla", PAPERS[paper], backs=False),
        wall.wall("http://10.0.0.1:8080/", PAPERS[paper]),
    ):
        for page in opened(tmp_path, sheets):
            assert "version 1" in page.get_textpage().get_text_range()
        (tmp_path / "sheets.pdf").unlink()


def test_every_mark_has_its_own_number() -> None:
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, versions.MARK_DICTIONARY))
    every = [versions.current(sheet).number for sheet in versions.sheet_versions()]
    numbers = [number for number in every if number is not None]
    assert len(set(numbers)) == len(numbers)
    assert min(numbers) > 0
    assert max(numbers) < len(book.bytesList)


# -- decks ------------------------------------------------------------------------------


@pytest.mark.parametrize(("deck", "count"), [("odin", 55), ("valhalla", 68), ("valhal", 278)])
def test_a_deck_has_as_many_pieces_as_its_box(deck: str, count: int) -> None:
    assert sum(part.copies for part in decks.parts(deck)) == count


def test_nothing_of_a_deck_is_left_out() -> None:
    for deck in DECKS:
        parts = decks.parts(deck)
        used = {part.front.label for part in parts} | {
            part.back.label for part in parts if part.back is not None
        }
        assert {face.label for face in DECKS[deck]()} - used <= {"valhal-back"}


@both_papers
def test_a_printed_card_looks_as_it_is_rendered(paper: str, tmp_path: Path) -> None:
    sheet = PAPERS[paper]
    document = opened(tmp_path, decks.deck("odin", sheet))
    assert len(document) == 14  # nine a page, and the backs
    left = (sheet.width - 3 * 63) / 2
    top = max(5.0, (sheet.height - 10.2 - 3 * 88) / 2)
    fronts, backs = pixels(document[0]), pixels(document[1])
    faces = DECKS["odin"]()
    for place in (0, 4, 8):
        row, column = divmod(place, 3)
        for image, face in ((fronts, faces[place]), (backs, faces[-1])):
            x, y = round((left + column * 63) * PX), round((top + row * 88) * PX)
            card = image[y : y + round(88 * PX), x : x + round(63 * PX)].astype(np.int16)
            assert np.abs(card - raster(face, PX)).mean() < 6, face.label


def test_outlines_that_close_are_printed_closed(tmp_path: Path) -> None:
    sheet = PAPERS["a4"]
    document = opened(tmp_path, decks.deck("odin", sheet, backs=False))
    goat = next(face for face in DECKS["odin"]() if face.label == "goat")  # its index is a 0
    x, y = round((sheet.width - 3 * 63) / 2 * PX), round((sheet.height - 10.2 - 3 * 88) / 2 * PX)
    printed = pixels(document[6])[y : y + round(20 * PX), x : x + round(13 * PX)]
    drawn = raster(goat, PX)[: round(20 * PX), : round(13 * PX)]
    assert np.abs(printed.astype(np.int16) - drawn).mean() < 6


def test_the_backs_of_a_page_not_full_lie_behind_its_fronts(tmp_path: Path) -> None:
    document = opened(tmp_path, decks.deck("odin", PAPERS["a4"]))
    last, behind = pixels(document[12]), pixels(document[13])
    left, top, wide = round(10.5 * PX), round(16 * PX), round(63 * PX)
    there = [
        bool(
            (image[top : top + 400, left + c * wide + 40 : left + (c + 1) * wide - 40] < 128).any()
        )
        for image in (last, behind)
        for c in range(3)
    ]
    assert there == [True, False, False, False, False, True]  # 55 cards: one on the last page


def test_backs_can_be_left_out(tmp_path: Path) -> None:
    assert len(opened(tmp_path, decks.deck("valhalla", PAPERS["a4"], backs=False))) == 8


# -- the wall, and the commands ----------------------------------------------------------


@both_papers
def test_the_code_on_the_wall_is_the_address(paper: str, tmp_path: Path) -> None:
    target = tmp_path / "wall.pdf"
    done = companion("wall", "http://192.168.1.20:8080/", target, "--paper", paper)
    assert done.exit_code == 0, done.output
    page = pixels(pypdfium2.PdfDocument(target)[0])
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(page[::4, ::4].copy())
    assert text == "http://192.168.1.20:8080/"


@pytest.mark.parametrize(
    "words", [("markers",), ("charuco",), ("mat", "odin"), ("cards", "odin", "--no-backs")]
)
def test_every_command_writes_a_file_that_opens(words: tuple[str, ...], tmp_path: Path) -> None:
    target = tmp_path / "out.pdf"
    done = companion(*words, target)
    assert done.exit_code == 0, done.output
    assert "100 %" in done.output
    assert len(pypdfium2.PdfDocument(target)) >= 1


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("markers",), "markers.pdf"),
        (("charuco",), "charuco.pdf"),
        (("mat", "odin"), "mat-odin.pdf"),
        (("cards", "odin", "--no-backs"), "cards-odin.pdf"),
        (("wall", "http://192.168.1.20:8080/"), "wall.pdf"),
    ],
)
def test_a_file_nobody_named_is_named_after_its_sheet(
    words: tuple[str, ...], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = companion(*words)
    assert (done.exit_code, done.output) == (0, f"{name}: print at 100 % on A4\n")
    assert [file.name for file in tmp_path.iterdir()] == [name]
    assert len(pypdfium2.PdfDocument(tmp_path / name)) >= 1
    again = companion(*words)
    assert again.exit_code == 2
    assert again.output == (
        f"companion: {name} is there already and stays as it is; choose another name\n"
    )


@pytest.mark.parametrize("words", [("cards", "../chess"), ("mat", "../chess"), ("wall", "nowhere")])
def test_bad_input_without_a_name_leaves_no_file(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert companion(*words).exit_code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("cards", "chess"), f"there is no deck 'chess' to print; choose {', '.join(DECKS)}"),
        (("mat", "chess"), f"there is no mat for 'chess'; choose {', '.join(ZONES)}"),
        (("markers", "--paper", "a7"), "'a7' is no paper I know; choose a4 or letter"),
        (("wall", "nowhere"), "'nowhere' is no address of a page"),
    ],
)
def test_bad_input_is_one_sentence(words: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    done = companion(*words, tmp_path / "out.pdf")
    assert done.exit_code == 2
    assert done.output.startswith(f"companion: {sentence}")
    assert done.output.count("\n") == 1
    assert not (tmp_path / "out.pdf").exists()


def test_a_file_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    target = tmp_path / "mine.pdf"
    target.write_text("mine")
    done = companion("markers", target)
    assert done.exit_code == 2
    assert done.output.count("\n") == 1
    assert target.read_text() == "mine"


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    done = companion("markers", tmp_path / "nowhere" / "out.pdf")
    assert done.exit_code == 2
    assert "cannot be written" in done.output
    assert done.output.count("\n") == 1


def test_the_group_is_a_command_of_its_own() -> None:
    assert isinstance(print_, click.Group)
    assert set(print_.commands) == {"cards", "charuco", "markers", "mat", "wall"}
