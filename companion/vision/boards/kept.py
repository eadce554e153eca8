"""The file of an owner's boards: one that can be shared, like a deck.

A header in JSON, and beside it the picture of every board: numbers mean nothing to
another version of the finder, pictures do.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import msgspec

from companion.foundation.errors import BadInput
from companion.foundation.files import replacing
from companion.foundation.messages import N_
from companion.vision.boards.board import MOST_NAME, MOST_PLACES, Board, Place

FORMAT = 1
MOST_BOARDS = 40
_LARGEST = 64 * 1024 * 1024
_HEADER = "boards.json"
_FOLDER = "boards"
"""Of the data folder: a file of boards for each game."""


def boards_file(folder: Path, game: str) -> Path:
    return folder / _FOLDER / f"{game}.boards"


@dataclass(frozen=True, eq=False)
class BoardSet:
    """Every board of one owner's copy of a game."""

    name: str
    boards: tuple[Board, ...] = ()

    def __post_init__(self) -> None:
        if len(self.boards) > MOST_BOARDS:
            raise BadInput(
                "too-many-boards", N_("There is room for %(boards)s boards."), boards=MOST_BOARDS
            )
        names = [board.name for board in self.boards]
        if len(set(names)) < len(names):
            raise BadInput(
                "two-boards-one-name", N_("Two boards have one name; give each its own.")
            )

        for place, board in self.places.items():
            if any(place in _names(each) for each in self.boards if each is not board):
                raise BadInput(
                    "two-boards-one-place",
                    N_("Two boards have the place %(place)s; take it away from one of them."),
                    place=place,
                )

    @property
    def places(self) -> dict[str, Board]:
        """The board on which each place of the game is."""
        return {name: board for board in self.boards for name in _names(board)}

    def board(self, name: str) -> Board | None:
        return next((each for each in self.boards if each.name == name), None)

    def save(self, path: Path) -> None:
        header = _Header(
            format=FORMAT,
            name=self.name,
            boards=[_BoardRow.of(board) for board in self.boards],
        )
        with replacing(path) as out, ZipFile(out, "w") as file:
            file.writestr(_HEADER, msgspec.json.encode(header))
            for number, board in enumerate(self.boards):
                file.writestr(_board_file(number), board.jpeg)


def zone_name(board: Board, place: str) -> str:
    """What the game calls a place: a seat's own begin with its letter and a dot."""
    return f"{board.owner}.{place}" if board.owner else place


def _names(board: Board) -> tuple[str, ...]:
    return tuple(zone_name(board, place.name) for place in board.places)


class _PlaceRow(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    outline: list[tuple[float, float]]


class _BoardRow(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    size_mm: tuple[float, float]
    places: list[_PlaceRow]
    owner: str = ""
    template: str = ""

    @classmethod
    def of(cls, board: Board) -> _BoardRow:
        places = [_PlaceRow(place.name, list(place.outline)) for place in board.places]
        return cls(board.name, board.size_mm, places, board.owner, board.template)

    def board(self, jpeg: bytes) -> Board:
        if len(self.places) > MOST_PLACES or max(len(self.owner), len(self.template)) > MOST_NAME:
            raise ValueError
        places = tuple(Place(each.name, tuple(each.outline)) for each in self.places)
        board = Board(self.name, self.size_mm, jpeg, places, self.owner, self.template)
        _ = board.pixels  # a damaged picture is found out now, not in the middle of a game
        return board


class _Header(msgspec.Struct, forbid_unknown_fields=True):
    format: int
    name: str
    boards: list[_BoardRow]


def load(path: Path) -> BoardSet:
    """A set of boards from its file; anything else is refused in one sentence."""
    too_large = BadInput("too-large-boards", N_("%(path)s: too large for boards"), path=path)
    try:
        if path.stat().st_size > _LARGEST:
            raise too_large
        with ZipFile(path) as file:
            if sum(info.file_size for info in file.infolist()) > _LARGEST:
                raise too_large
            return _read(file)
    except FileNotFoundError:
        raise BadInput("no-such-boards", N_("%(path)s: no such boards"), path=path) from None
    except BadInput as known:
        if known.message.code in ("too-large-boards", "two-boards-one-place"):
            raise
        raise _damaged(path) from None
    except Exception:  # a hostile file may break zip, JSON and pictures in any way
        raise _damaged(path) from None


def _read(file: ZipFile) -> BoardSet:
    header = msgspec.json.decode(file.read(_HEADER), type=_Header)
    if header.format != FORMAT or not 0 < len(header.name) <= MOST_NAME:
        raise ValueError
    if len(header.boards) > MOST_BOARDS:
        raise ValueError
    boards = [row.board(file.read(_board_file(n))) for n, row in enumerate(header.boards)]
    return BoardSet(header.name, tuple(boards))


def _damaged(path: Path) -> BadInput:
    return BadInput(
        "not-boards-or-damaged",
        N_("%(path)s: not boards, or damaged; show your boards again, on the page"),
        path=path,
    )


def _board_file(number: int) -> str:
    return f"boards/{number:03}.jpg"
