"""Print-and-play decks: as many copies of each card as a box has, fronts and backs page by page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.printing.paper import Paper, Sheets
from companion.printing.versions import current
from companion.sim.faces import BoxPart, Face, drawn_decks

_FOOT_MM = 10.2
"""Room for the ruler below the cards."""
_SIDES_MM = 10.0
"""What a printer may leave white at the left and the right edge together."""
_TOP_MM = 5.0
"""What it may leave white at the top."""


@cache
def parts(deck: str) -> tuple[BoxPart, ...]:
    """What the box of a deck holds; one of each face, if the deck does not say."""
    known = drawn_decks()
    if deck not in known:
        raise BadInput(
            "no-deck-print-choose",
            N_("there is no deck %(deck)s to print; choose %(known)s"),
            deck=repr(deck),
            known=", ".join(known),
        )
    if (box := known[deck].box) is not None:
        return box()
    faces = known[deck].faces()
    back = next((face for face in faces if face.label.endswith("back")), None)
    return tuple(BoxPart(face, back) for face in faces if face is not back)


def deck(name: str, paper: Paper, *, backs: bool = True) -> Sheets:
    """The deck as sheets. Each page of fronts is followed by its backs, to be printed on both
    sides of the paper."""
    wanted = parts(name)
    sheets = Sheets(paper, f"Deck {name}", current(f"cards {name}").version)
    sizes = dict.fromkeys((part.front.width, part.front.height) for part in wanted)
    for size in sizes:
        singles = [
            part
            for part in wanted
            if (part.front.width, part.front.height) == size
            for _ in range(part.copies)
        ]
        _grid(sheets, singles, size, backs=backs)
    return sheets


def _grid(
    sheets: Sheets, singles: Sequence[BoxPart], size: tuple[float, float], *, backs: bool
) -> None:
    wide, high = size
    paper = sheets.paper
    columns = int((paper.width - _SIDES_MM) // wide)
    rows = int((paper.height - _FOOT_MM - _TOP_MM) // high)
    left = (paper.width - columns * wide) / 2
    top = max(_TOP_MM, (paper.height - _FOOT_MM - rows * high) / 2)
    across = [left + column * wide for column in range(columns + 1)]
    for number, page in enumerate(_pages(singles, columns * rows), 1):
        down = [top + row * high for row in range(-(-len(page) // columns) + 1)]
        sheets.page(f"{number}", ruler_at=5.0)
        sheets.crops(across, down)
        for place, part in enumerate(page):
            row, column = divmod(place, columns)
            _lay(sheets, part.front, across[column], down[row])
        if not backs:
            continue
        sheets.page(f"{number}, backs", ruler_at=5.0)
        sheets.crops(across, down)
        for place, part in enumerate(page):
            row, column = divmod(place, columns)
            if part.back is not None:  # the paper is turned over its long edge: left is right
                _lay(sheets, part.back, across[columns - 1 - column], down[row])


def _lay(sheets: Sheets, face: Face, x: float, y: float) -> None:
    sheets.shapes(face.shapes, x, y, face.paper)


def _pages(singles: Sequence[BoxPart], room: int) -> Iterator[list[BoxPart]]:
    """The parts in pages of at most `room`."""
    rest = iter(singles)
    while page := list(islice(rest, room)):
        yield page
