"""Print-and-play decks: as many copies as a box has, fronts and backs page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from types import MappingProxyType

from companion.foundation.errors import BadInput
from companion.games.odin import faces as odin
from companion.games.valhal import faces as valhal
from companion.games.valhal.rules.vocabulary import BUILDINGS, Kind
from companion.games.valhalla import faces as valhalla
from companion.games.valhalla.rules.cards import deck_of
from companion.printing.paper import Paper, Sheets
from companion.printing.versions import current
from companion.sim.faces import DECKS
from companion.sim.faces.canvas import Face

_FOOT = 10.2  # room for the ruler below the cards
_SIDES = 10.0


@dataclass(frozen=True, slots=True)
class Part:
    """A card, tile or token and how many of it are in the box."""

    front: Face
    back: Face | None
    copies: int = 1


def _odin() -> tuple[Part, ...]:
    *fronts, back = odin.faces()
    return tuple(Part(front, back) for front in fronts)


def _valhalla() -> tuple[Part, ...]:
    box = {str(card): count for card, count in deck_of((), by_name=True).items()}
    *fronts, back = valhalla.faces()
    return tuple(Part(front, back, box.get(front.label, 1)) for front in fronts)


_BOX = {"warriors": 28, "veterans": 20, "longboat": 24}
_TOKENS = {
    "coin": 80,
    "food": 16,
    "wood": 16,
    "iron": 16,
    "unusable": 16,
    "sacrifice": 4,
    "raven": 4,
    "marker": 8,
    "start": 1,
    "season": 1,
}


def _valhal() -> tuple[Part, ...]:
    """Square cards, buildings and tokens; whatever is built has its project on its back."""
    faces = {face.label: face for face in valhal.faces()}
    built = [
        Part(faces[kind], faces[f"{kind}-back"], _BOX.get(kind, 4))
        for kind in (Kind.WARRIORS, Kind.VETERANS, Kind.LONGBOAT, *BUILDINGS)
    ]
    plain = faces["town-back"]
    units = [Part(face, plain) for face in valhal.units() if face.label not in _BOX]
    towns = [Part(face, plain) for face in valhal.towns()]
    tokens = [Part(face, face, _TOKENS[face.label]) for face in valhal.tokens()]
    return (*built, *units, *towns, *tokens)


_PARTS: Mapping[str, Callable[[], tuple[Part, ...]]] = MappingProxyType(
    {"odin": _odin, "valhalla": _valhalla, "valhal": _valhal}
)


@cache
def parts(deck: str) -> tuple[Part, ...]:
    """What a deck's box holds; a deck nobody counted has one of each face."""
    if deck in _PARTS:
        return _PARTS[deck]()
    if deck not in DECKS:
        raise BadInput(f"there is no deck {deck!r} to print; choose {', '.join(DECKS)}")
    faces = DECKS[deck]()
    back = next((face for face in faces if face.label.endswith("back")), None)
    return tuple(Part(face, back) for face in faces if face is not back)


def deck(name: str, paper: Paper, *, backs: bool = True) -> Sheets:
    """The deck in sheets; each page of fronts is followed by its backs, for printing both sides."""
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
    sheets: Sheets, singles: Sequence[Part], size: tuple[float, float], *, backs: bool
) -> None:
    wide, high = size
    paper = sheets.paper
    columns = int((paper.width - _SIDES) // wide)
    rows = int((paper.height - _FOOT - 5.0) // high)
    left = (paper.width - columns * wide) / 2
    top = max(5.0, (paper.height - _FOOT - rows * high) / 2)
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
            if part.back is not None:  # turned over the long edge, left is right
                _lay(sheets, part.back, across[columns - 1 - column], down[row])


def _lay(sheets: Sheets, face: Face, x: float, y: float) -> None:
    sheets.shapes(face.shapes, x, y, face.paper)


def _pages(singles: Sequence[Part], room: int) -> Iterator[list[Part]]:
    rest = iter(singles)
    while page := list(islice(rest, room)):
        yield page
