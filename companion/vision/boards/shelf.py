"""An owner's boards of one game in the data folder: enrolled, described, shared, forgotten."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from companion.foundation.errors import BadInput
from companion.foundation.files import replace_file
from companion.foundation.frames import jpeg
from companion.foundation.messages import N_
from companion.tabletop.layout import Layout
from companion.tabletop.polygons import Quad
from companion.tabletop.zones import box
from companion.vision.boards.board import LEAST_PX, Board, Place, enrol_board
from companion.vision.boards.features import features_in, grey_of
from companion.vision.boards.finding import LEAST_MATCHES
from companion.vision.boards.kept import BoardSet, boards_file, load, zone_name
from companion.vision.boards.template import of_kind, template, usual_places
from companion.vision.pictures import uploaded_picture

PHOTOGRAPH_PX = 1600
"""The longest side of the photograph that boards are cut out of."""
LEAST_PLACE_MM = 5.0
LEAST_FEATURES = 5 * LEAST_MATCHES
"""A print with fewer features could not be told from the table."""
_LOCK = threading.Lock()


@dataclass(frozen=True, slots=True)
class NewBoard:
    """What an owner says of a board. `outline` is in shares of the photograph's sides."""

    name: str
    owner: str
    size_mm: tuple[float, float]
    outline: Quad
    groups: tuple[str, ...] = ()
    """Of the mat's places, where the game describes no boards."""
    kind: str = ""
    """Which of the boards that the game describes."""


class BoardShelf:
    """Of one game. Every change is on the disk before it counts; what cannot be changes nothing."""

    def __init__(self, folder: Path, game: str, layout: Layout) -> None:
        self.file = boards_file(folder, game)
        self._photograph = self.file.with_suffix(".photograph.jpg")
        self._game = game
        self._layout = layout

    def boards(self) -> BoardSet:
        """Empty if nothing was enrolled; raises `BadInput` if the file is damaged."""
        return load(self.file) if self.file.exists() else BoardSet(self._game)

    # -- the photograph that a board is cut out of ------------------------------------------

    def take_photograph(self, data: bytes, name: str) -> None:
        image = uploaded_picture(data, name, PHOTOGRAPH_PX)
        if min(image.shape[:2]) < 4 * LEAST_PX:
            raise BadInput(
                "photograph-too-small", N_("The photograph is too small to show a board.")
            )
        self._write(lambda: replace_file(self._photograph, jpeg(image, image.shape[1], 90)))

    def photograph(self) -> bytes:
        """Empty if none was taken."""
        return self._photograph.read_bytes() if self._photograph.exists() else b""

    # -- boards -----------------------------------------------------------------------------

    def enrol(self, new: NewBoard) -> int:
        """Cuts the board out of the photograph, with the places of its template; its number."""
        data = self.photograph()
        if not data:
            raise BadInput("take-photograph-first", N_("Take or choose a photograph first."))
        image = uploaded_picture(data, "photograph", PHOTOGRAPH_PX)
        height, width = image.shape[:2]
        a, b, c, d = ((x * width, y * height) for x, y in new.outline)
        board = enrol_board(image, (a, b, c, d), new.size_mm, new.name)
        _check_print(board)
        with _LOCK:
            kept = self.boards()
            board = replace(board, owner=new.owner, template=new.kind or new.owner or "shared")
            places = self._free(kept, board, self._usual(new))
            self._save(replace(kept, boards=(*kept.boards, replace(board, places=places))))
        return len(kept.boards)

    def _usual(self, new: NewBoard) -> tuple[Place, ...]:
        """Where such a board usually has its places."""
        kinds = [each for each in self._layout.boards if each.name == new.kind]
        if kinds:
            return of_kind(kinds[0]).fitted(new.size_mm)
        pattern = template(self._layout.zones, new.owner, new.groups)
        return () if pattern is None else pattern.fitted(new.size_mm)

    @staticmethod
    def _free(kept: BoardSet, board: Board, places: tuple[Place, ...]) -> tuple[Place, ...]:
        """Without those that lie on other boards: a place is one spot of the table."""
        taken = kept.places
        free = tuple(each for each in places if zone_name(board, each.name) not in taken)
        if places and not free:
            other = taken[zone_name(board, places[0].name)]
            raise BadInput(
                "places-on-another-board",
                N_(
                    "The board %(name)s has all these places already. Say that it is another "
                    "seat's or another kind of board, or forget that one first."
                ),
                name=other.name,
            )
        return free

    def addable(self, number: int) -> tuple[str, ...]:
        """Places that the board could have and no board has."""
        kept, board = self.boards(), self.board(number)
        usual = usual_places(self._layout, board.owner)
        return tuple(name for name in usual if zone_name(board, name) not in kept.places)

    def add_place(self, number: int, place: str) -> None:
        """One more place, in the middle of its board."""
        with _LOCK:
            board = self.board(number)
            if place not in self.addable(number):
                raise BadInput(
                    "place-not-to-be-had",
                    N_("The place %(name)s is on a board already, or the game has none such."),
                    name=place,
                )
            usual = usual_places(self._layout, board.owner)[place]
            wide, high = (
                max(LEAST_PLACE_MM, min(mine, side / 2))
                for mine, side in zip(usual, board.size_mm, strict=True)
            )
            at = box((board.size_mm[0] - wide) / 2, (board.size_mm[1] - high) / 2, wide, high)
            self._replace(number, replace(board, places=(*board.places, Place(place, at))))

    def board(self, number: int) -> Board:
        boards = self.boards().boards
        if not 0 <= number < len(boards):
            raise BadInput("no-such-board", N_("There is no such board any more."))
        return boards[number]

    def move(self, number: int, place: str, to: tuple[float, float, float, float]) -> None:
        """A place elsewhere on its board: left, top, width and height in millimetres."""
        with _LOCK:
            board = self.board(number)
            if board.place(place) is None:
                raise BadInput("no-such-place", N_("The board has no place %(name)s."), name=place)
            _check_box(to, board.size_mm)
            places = tuple(
                Place(each.name, box(*to)) if each.name == place else each for each in board.places
            )
            self._replace(number, replace(board, places=places))

    def drop_place(self, number: int, place: str) -> None:
        """This board has no such place."""
        with _LOCK:
            board = self.board(number)
            left = tuple(each for each in board.places if each.name != place)
            self._replace(number, replace(board, places=left))

    def forget(self, number: int) -> None:
        with _LOCK:
            self.board(number)
            kept = self.boards()
            left = (*kept.boards[:number], *kept.boards[number + 1 :])
            if left:
                self._save(replace(kept, boards=left))
            else:
                self._write(lambda: self.file.unlink(missing_ok=True))

    # -- the file ---------------------------------------------------------------------------

    def export(self) -> bytes:
        return self.file.read_bytes() if self.file.exists() else b""

    def replace(self, data: bytes) -> None:
        """A friend's file in place of this one."""
        given = self.file.with_suffix(".given")

        def write() -> None:
            replace_file(given, data)

        self._write(write)
        try:
            load(given)
            self._write(lambda: given.replace(self.file))
        except BadInput as bad:
            if bad.message.code == "two-boards-one-place":
                raise
            raise BadInput(
                "not-a-file-of-boards", N_("That is no file of boards, or it is damaged.")
            ) from None
        finally:
            given.unlink(missing_ok=True)

    def _replace(self, number: int, board: Board) -> None:
        kept = self.boards()
        boards = (*kept.boards[:number], board, *kept.boards[number + 1 :])
        self._save(replace(kept, boards=boards))

    def _save(self, boards: BoardSet) -> None:
        self._write(lambda: boards.save(self.file))

    def _write(self, write: Callable[[], object]) -> None:
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            write()
        except OSError as broken:
            raise BadInput(
                "boards-cannot-be-kept",
                N_("The boards cannot be kept (%(why)s); they are as before."),
                why=broken.strerror,
            ) from None


def _check_print(board: Board) -> None:
    """A blank board cannot be found again."""
    if len(features_in(grey_of(board.pixels), 4 * LEAST_FEATURES)) < LEAST_FEATURES:
        raise BadInput(
            "board-without-print",
            N_(
                "There is too little print on that board to find it again. Take the photograph "
                "from nearer, or stick a picture onto the board."
            ),
        )


def _check_box(to: tuple[float, float, float, float], size_mm: tuple[float, float]) -> None:
    x, y, wide, high = to
    numbers = all(math.isfinite(value) for value in to)
    inside = numbers and min(x, y) >= -0.1 and x + wide <= size_mm[0] + 0.1
    if not inside or y + high > size_mm[1] + 0.1 or min(wide, high) < LEAST_PLACE_MM:
        raise BadInput(
            "place-not-on-board",
            N_("A place lies on its board and is at least %(least)s mm wide and high."),
            least=round(LEAST_PLACE_MM),
        )
