"""Valhal's square cards, buildings and tokens.

Numbers the rulebook tells are printed. Where it does not, there is a pale field for the owner to
write in.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from companion.games.valhal.faces import places
from companion.games.valhal.faces import towns as of_towns
from companion.games.valhal.faces.mat import MAT_ART
from companion.games.valhal.faces.towns import BLADE, SHIELD, SIDE, deeper, die, field
from companion.games.valhal.rules.sheet.sheet import RULEBOOK, SPECIALS, VETERANS, WARRIORS, Side
from companion.games.valhal.rules.vocabulary import BUILDINGS, Kind
from companion.sim.faces import BoxPart, Faces, beings, emblems, numerals, patterns
from companion.sim.faces.canvas import (
    Colour,
    Face,
    Shape,
    area,
    ellipse,
    moved,
    path,
    rectangle,
    stroke,
    upside_down,
)
from companion.sim.faces.emblems import Emblem, Tones, fitted
from companion.sim.faces.signs import INK, PAPER

# Lengths are in millimetres, as in every drawing.
TOKEN = 20.0
"""The side of a token."""
WIDTH = 63.0
HEIGHT = 88.0
BACK = "valhal-back"
towns = of_towns.towns

_BLOOD: Colour = (164, 34, 40)


@cache
def faces() -> tuple[Face, ...]:
    return (*units(), longboat(), *buildings(), *backs(), *towns(), *tokens(), town_back(), back())


# -- fields and numbers -----------------------------------------------------------------


def _value(number: int | None, x: float, y: float, ink: Colour) -> tuple[Shape, ...]:
    """A number in a space 7 wide and 8 tall; if it is not known, a field to write it in."""
    if number is None:
        return field(x, y, 7, 8)
    wide = numerals.width(7.6)
    return numerals.numeral(number, x + (7 - wide) / 2, y + 0.2, 7.6, ink)


def _stats(side: Side, ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """Hit points, base attack and dice along the top edge."""
    shapes: list[Shape] = []
    marks: tuple[tuple[Shape, ...], ...] = (
        (emblems.filled(SHIELD, ink),),
        (emblems.filled(BLADE, ink),),
        die(ink, ground),
    )
    for place, (mark, number) in enumerate(
        zip(marks, (side.hp, side.base, side.dice), strict=True)
    ):
        x = 4.2 + place * 16.6
        shapes.extend(moved(mark, x + 3.2, 6.4, 0.27))
        shapes.extend(_value(number, x + 7.2, 2.4, ink))
    return tuple(shapes)


# -- units ------------------------------------------------------------------------------

_UNITS: dict[str, tuple[Emblem, Colour, str]] = {
    WARRIORS: (places.warrior, (48, 112, 176), "bars"),
    VETERANS: (places.veteran, (48, 50, 96), "checks"),
    SPECIALS[0]: (places.bear, (126, 66, 34), "teeth"),
    SPECIALS[1]: (places.boar, (56, 130, 70), "dots"),
    SPECIALS[2]: (places.eagle, (116, 78, 160), "slants"),
    SPECIALS[3]: (beings.wolf, (88, 96, 108), "lozenges"),
}
_STRIP = 12.8
"""The height of the strip with the strengths at the top, and upside down at the bottom; the
picture is between them."""


def units() -> tuple[Face, ...]:
    return tuple(_unit(name) for name in _UNITS)


def _unit(name: str) -> Face:
    picture, ground, border = _UNITS[name]
    card = RULEBOOK.unit(name)
    return _two_states(
        name,
        picture(Tones(ground, deeper(ground), PAPER)),
        ground,
        border,
        _stats(card.healthy, INK, PAPER),
        _stats(card.wounded, PAPER, _BLOOD),
    )


def _two_states(
    name: str,
    picture: tuple[Shape, ...],
    ground: Colour,
    border: str,
    healthy: tuple[Shape, ...],
    wounded: tuple[Shape, ...],
) -> Face:
    """A card whose healthy side is on top; turned by 180 degrees, its wounded side in red is.

    A torn dark line tells the two sides apart where a coloured lamp hides the red.
    """
    high = SIDE - 2 * _STRIP
    bottom = SIDE - _STRIP
    middle = (SIDE / 2, _STRIP + (high - 3) / 2)
    dark = deeper(ground)
    shapes = (
        area(rectangle(0, _STRIP, SIDE, high), ground),
        *(area(rectangle(x, _STRIP, _SIDES, high), dark) for x in (0, SIDE - _SIDES)),
        *patterns.band(border, _SIDES, _STRIP, high, _SIDES, PAPER, 90),
        *patterns.band(border, SIDE - _SIDES, bottom, high, _SIDES, PAPER, 270),
        area(rectangle(0, bottom, SIDE, _STRIP), _BLOOD),
        *_torn(bottom),
        *fitted(picture, *middle, 38, 26.4),
        *healthy,
        *upside_down(wounded, SIDE, SIDE),
    )
    return Face(name, SIDE, SIDE, shapes, PAPER)


_SIDES = 7.6
"""The width of the patterned borders left and right of the picture."""


def _torn(y: float) -> tuple[Shape, ...]:
    teeth = 8
    step = SIDE / teeth
    tips = [(step * (at + 0.5), y - 3.2) for at in range(teeth)]
    feet = [(step * at, y + 0.4) for at in range(teeth + 1)]
    line = [feet[0], *(point for pair in zip(tips, feet[1:], strict=True) for point in pair)]
    inside = [(0.7, line[0][1]), *line[1:-1], (SIDE - 0.7, line[-1][1])]
    return (area([*line, (SIDE, y + 1), (0, y + 1)], _BLOOD), stroke(inside, 1.3, INK))


def longboat() -> Face:
    """VHAL-BAT-14: two hit points and two places, then one of each."""
    ground: Colour = (24, 136, 144)

    def edge(count: int, ink: Colour) -> tuple[Shape, ...]:
        seat = emblems.filled(
            "M-8,12 L-8,2 Q-8,-3 0,-3 Q8,-3 8,2 L8,12 Z M0,-12 Q5,-12 5,-8 Q5,-4 0,-4"
            " Q-5,-4 -5,-8 Q-5,-12 0,-12 Z", ink)  # fmt: skip
        return (
            *moved([emblems.filled(SHIELD, ink)], 9.5, 6.4, 0.27),
            *_value(count, 13.5, 2.4, ink),
            *(shape for place in range(count)
              for shape in moved([seat], 34 + 9 * place, 6.4, 0.3)),
        )  # fmt: skip

    picture = emblems.longship(Tones(ground, deeper(ground), PAPER))
    return _two_states(
        Kind.LONGBOAT.value, picture, ground, "waves", edge(2, INK), edge(1, PAPER)
    )  # fmt: skip


# -- buildings and projects -------------------------------------------------------------

_BUILT: dict[Kind, tuple[Emblem, Colour, str]] = {
    Kind.WARRIORS: _UNITS[WARRIORS],
    Kind.LONGBOAT: (emblems.longship, (24, 136, 144), "waves"),
    Kind.WAREHOUSE: (places.warehouse, (158, 92, 40), "rails"),
    Kind.GRANARY: (places.granary, (214, 154, 26), "lozenges"),
    Kind.BLACKSMITH: (places.blacksmith, (80, 86, 98), "slants"),
    Kind.ALTAR: (places.altar, (158, 38, 66), "teeth"),
    Kind.VETERANS: _UNITS[VETERANS],
}
_ROOFS: dict[Kind, str] = {
    Kind.WAREHOUSE: "M0,23 L28,1 L56,23 L56,56 L0,56 Z",
    Kind.GRANARY: "M4,56 L4,26 Q4,1 28,1 Q52,1 52,26 L52,56 Z",
    Kind.BLACKSMITH: "M0,56 L0,15 L36,15 L36,1 L49,1 L49,15 L56,15 L56,56 Z",
    Kind.ALTAR: "M0,56 L0,30 L12,30 L8,16 L20,16 L28,1 L36,16 L48,16 L44,30 L56,30 L56,56 Z",
}


def buildings() -> tuple[Face, ...]:
    return tuple(_building(kind) for kind in BUILDINGS)


def _building(kind: Kind) -> Face:
    """A building; each kind has another roof and another wall."""
    picture, ground, wall = _BUILT[kind]
    tones = Tones(ground, deeper(ground), PAPER)
    shapes = (
        area(path(_ROOFS[kind])[0], ground),
        area(rectangle(0, 47, SIDE, 9), tones.deep),
        *patterns.band(wall, 0, 48.2, SIDE, 6.6, PAPER),
        *fitted(picture(tones), SIDE / 2, 30.4, 42, 31.5),
    )
    return Face(kind.value, SIDE, SIDE, shapes, PAPER)


def backs() -> tuple[Face, ...]:
    return tuple(_project(place, kind) for place, kind in enumerate(Kind))


def _project(place: int, kind: Kind) -> Face:
    """The back of a building, which shows how far its project is: each edge has a stage number,
    and a quarter turn counter-clockwise brings the next lower one to the top.

    The edge a project begins with is the darkest and has two arrows. Clockwise the edges grow
    lighter, so that one sees even from afar how far a card is turned.
    """
    picture, ground, border = _BUILT[kind]
    tones = Tones(ground, deeper(ground), PAPER)
    middle = SIDE / 2
    stages = RULEBOOK.back(kind).stages
    shapes: list[Shape] = []
    for quarter in range(4):
        edge = moved(_edge(quarter, stages, border, tones), -middle, -middle)
        shapes.extend(moved(moved(edge, turn=90 * quarter), middle, middle))
    shapes += [
        patterns.panel(place, middle, middle, 33.8, PAPER),
        patterns.panel(place, middle, middle, 31.2, ground),
        *fitted(picture(tones), middle, middle, 22.4, 22.4),
    ]
    return Face(f"{kind}-back", SIDE, SIDE, tuple(shapes), PAPER)


def _edge(quarter: int, stages: int | None, border: str, tones: Tones) -> tuple[Shape, ...]:
    """One edge, drawn at the top; `quarter` counts clockwise, and the number falls by one each."""
    fill = (tones.deep, tones.main, _paler(tones.main), PAPER)[quarter]
    ink = PAPER if quarter < 2 else tones.deep
    shapes: list[Shape] = [area([(0, 0), (SIDE, 0), (SIDE / 2, SIDE / 2)], fill)]
    if quarter == 0:
        shapes += [area([(x, 1.8), (x + 8, 1.8), (x + 4, 8.6)], ink) for x in (9.6, 38.4)]
    else:
        for x in (9.6, 34.4):
            shapes.extend(patterns.band(border, x, 1.8, 12, 5.4, ink))
    number = None if stages is None else stages - quarter
    if number is None:
        shapes.extend(field(23.5, 1.4, 9, 8.6))
    elif number >= 1:
        wide = numerals.width(9.4)
        shapes.extend(numerals.numeral(number, (SIDE - wide) / 2, 1.2, 9.4, ink))
    return tuple(shapes)


def _paler(colour: Colour) -> Colour:
    red, green, blue = (
        round((part + 1.4 * paper) / 2.4) for part, paper in zip(colour, PAPER, strict=True)
    )
    return red, green, blue


# -- tokens -----------------------------------------------------------------------------

_TOKENS: dict[str, tuple[Emblem, Colour, Colour]] = {
    "food": (places.fish, (72, 150, 92), (20, 76, 44)),
    "wood": (places.logs, (176, 118, 62), (94, 54, 22)),
    "iron": (places.ingots, (104, 116, 132), (46, 54, 66)),
    "coin": (places.coin, (206, 156, 40), (126, 84, 8)),
    "season": (places.seasons, (40, 104, 170), (16, 50, 94)),
    "sacrifice": (places.flame, (188, 50, 44), (98, 14, 22)),
    "raven": (places.raven_head, (44, 42, 50), (136, 134, 146)),
    "marker": (emblems.knot, (26, 150, 150), (8, 66, 72)),
    "start": (places.first, (128, 74, 146), (62, 28, 78)),
    "unusable": (places.barred, (70, 70, 74), (30, 30, 34)),
}
_ROUND = frozenset(("food", "coin", "season", "sacrifice", "raven", "marker", "unusable"))


def tokens() -> tuple[Face, ...]:
    return tuple(_token(name) for name in _TOKENS)


def _token(name: str) -> Face:
    """A round token, or a square one for what is stacked."""
    picture, main, deep = _TOKENS[name]
    middle = TOKEN / 2
    round_ = name in _ROUND
    rim = ellipse(middle, middle, 9.2) if round_ else rectangle(0.8, 0.8, 18.4, 18.4, 2)
    room = 14.2 if round_ else 15.0
    shapes = (
        area(rim, main),
        *fitted(picture(Tones(main, deep, PAPER)), middle, middle, room, room),
    )
    return Face(name, TOKEN, TOKEN, shapes, PAPER, middle if round_ else 2.0, name == "unusable")


# -- back -------------------------------------------------------------------------------


def back() -> Face:
    return _ships(BACK, WIDTH, HEIGHT, 0.36)


def town_back() -> Face:
    return _ships("town-back", SIDE, SIDE, 0.19)


def _ships(label: str, width: float, height: float, size: float) -> Face:
    """Two longships on one sea."""
    ground: Colour = (22, 74, 66)
    gold: Colour = (230, 196, 122)
    ship = emblems.longship(Tones(ground, (120, 142, 92), gold))
    half = (
        *moved(ship, 0, -54 * size, size),
        *(
            stroke([(x, -2.2), (x + 3, 0), (x, 2.2)], 1.0, gold)
            for x in np.arange(6.0, width / 2 - 10, 4.0)
        ),
    )
    middle = (width / 2, height / 2)
    shapes = (
        area(rectangle(3, 3, width - 6, height - 6, 3), ground),
        stroke(rectangle(5.2, 5.2, width - 10.4, height - 10.4, 2.2), 0.9, gold, closed=True),
        *moved(half, *middle),
        *moved(half, *middle, turn=180),
        *moved([stroke(ellipse(0, 0, 2.6), 1.2, gold, closed=True)], *middle),
    )
    return Face(label, width, height, shapes, PAPER, same_upside_down=True)


_COPIES = {"warriors": 28, "veterans": 20, "longboat": 24}
_TOKEN_COPIES = {
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


def _box() -> tuple[BoxPart, ...]:
    """Square cards, buildings and tokens; the back of whatever is built shows its project."""
    every = {face.label: face for face in faces()}
    built = [
        BoxPart(every[kind], every[f"{kind}-back"], _COPIES.get(kind, 4))
        for kind in (Kind.WARRIORS, Kind.VETERANS, Kind.LONGBOAT, *BUILDINGS)
    ]
    plain = every["town-back"]
    special = [BoxPart(face, plain) for face in units() if face.label not in _COPIES]
    raided = [BoxPart(face, plain) for face in towns()]
    laid = [BoxPart(face, face, _TOKEN_COPIES[face.label]) for face in tokens()]
    return (*built, *special, *raided, *laid)


FACES = Faces(deck="valhal", faces=faces, box=_box, mat=MAT_ART)
