"""Valhal's square cards, buildings and tokens.

What the rulebook does not tell is not printed either: a pale field stands there, for the owner
to write in. The numbers that are known come from the rules' own sheet.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import permutations

import numpy as np

from companion.rules.valhal.sheet import RULEBOOK, SPECIALS, VETERANS, WARRIORS, Side
from companion.rules.valhal.words import BUILDINGS, LEVELS, Kind
from companion.sim.faces import beings, emblems, numerals, places
from companion.sim.faces.canvas import (
    Area,
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

SIDE = 56.0
TOKEN = 20.0
WIDTH, HEIGHT = 63.0, 88.0
BACK = "valhal-back"
TOWNS = 24  # VHAL-COMP: in the box, whatever their levels

_FIELD: Colour = (236, 230, 214)
_PALE_LINE: Colour = (176, 166, 146)
_BLOOD: Colour = (164, 34, 40)


@cache
def faces() -> tuple[Face, ...]:
    return (*units(), longboat(), *buildings(), *backs(), *towns(), *tokens(), town_back(), back())


# -- fields and numbers -----------------------------------------------------------------


def _field(x: float, y: float, wide: float, high: float) -> tuple[Shape, ...]:
    """Room to write in."""
    box = rectangle(x, y, wide, high, 1.2)
    return (area(box, _FIELD), stroke(box, 0.35, _PALE_LINE, closed=True))


def _value(number: int | None, x: float, y: float, ink: Colour) -> tuple[Shape, ...]:
    """A number in a space 7 wide and 8 tall, or room for it."""
    if number is None:
        return _field(x, y, 7, 8)
    wide = numerals.width(7.6)
    return numerals.numeral(number, x + (7 - wide) / 2, y + 0.2, 7.6, ink)


_SHIELD = "M-9,-10 L9,-10 L9,0 Q8,8 0,12 Q-8,8 -9,0 Z"
_BLADE = "M0,-12 L3,-8 L3,4 L8,4 L8,7 L2,7 L2,12 L-2,12 L-2,7 L-8,7 L-8,4 L-3,4 L-3,-8 Z"


def _die(ink: Colour, pip: Colour) -> tuple[Shape, ...]:
    spots = [area(ellipse(x, y, 2.2), pip) for x, y in ((-4.5, -4.5), (0, 0), (4.5, 4.5))]
    return (area(rectangle(-10, -10, 20, 20, 4), ink), *spots)


def _stats(side: Side, ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """Hit points, base attack and dice along the top edge."""
    shapes: list[Shape] = []
    marks: tuple[tuple[Shape, ...], ...] = (
        (emblems.filled(_SHIELD, ink),),
        (emblems.filled(_BLADE, ink),),
        _die(ink, ground),
    )
    for place, (mark, number) in enumerate(
        zip(marks, (side.hp, side.base, side.dice), strict=True)
    ):
        x = 4.2 + place * 16.6
        shapes.extend(moved(mark, x + 3.2, 7.5, 0.27))
        shapes.extend(_value(number, x + 7.2, 3.5, ink))
    return tuple(shapes)


# -- units ------------------------------------------------------------------------------

_UNITS: dict[str, tuple[Emblem, Colour]] = {
    WARRIORS: (places.warrior, (62, 118, 168)),
    VETERANS: (places.veteran, (58, 60, 98)),
    SPECIALS[0]: (places.bear, (122, 70, 44)),
    SPECIALS[1]: (places.boar, (74, 132, 84)),
    SPECIALS[2]: (places.eagle, (108, 86, 150)),
    SPECIALS[3]: (beings.wolf, (92, 100, 112)),
}


def units() -> tuple[Face, ...]:
    return tuple(_unit(name) for name in _UNITS)


def _unit(name: str) -> Face:
    picture, ground = _UNITS[name]
    card = RULEBOOK.unit(name)
    return _two_states(
        name,
        picture(Tones(ground, _deeper(ground), PAPER)),
        ground,
        _stats(card.healthy, INK, PAPER),
        _stats(card.wounded, PAPER, _BLOOD),
    )


def _two_states(
    name: str,
    picture: tuple[Shape, ...],
    ground: Colour,
    healthy: tuple[Shape, ...],
    wounded: tuple[Shape, ...],
) -> Face:
    """Well as it stands; turned by 180 degrees the red edge is on top."""
    middle = SIDE / 2
    shapes = (
        area(rectangle(0, 15, SIDE, SIDE - 30), ground),
        area(rectangle(0, SIDE - 15, SIDE, 15), _BLOOD),
        *_zigzag(SIDE - 15, _BLOOD),
        *fitted(picture, middle, middle - 0.6, 46, 24),
        *healthy,
        *upside_down(wounded, SIDE, SIDE),
    )
    return Face(name, SIDE, SIDE, shapes, PAPER)


def _zigzag(y: float, colour: Colour) -> tuple[Shape, ...]:
    teeth = 14
    step = SIDE / teeth
    return tuple(
        area([(i * step, y + 0.1), (i * step + step / 2, y - 1.8), (i * step + step, y + 0.1)],
             colour)
        for i in range(teeth)
    )  # fmt: skip


def _deeper(colour: Colour) -> Colour:
    red, green, blue = (round(part * 0.42) for part in colour)
    return red, green, blue


def longboat() -> Face:
    """VHAL-BAT-14: two hit points and two places, then one of each."""
    ground: Colour = (44, 130, 140)

    def edge(count: int, ink: Colour) -> tuple[Shape, ...]:
        seat = emblems.filled(
            "M-8,12 L-8,2 Q-8,-3 0,-3 Q8,-3 8,2 L8,12 Z M0,-12 Q5,-12 5,-8 Q5,-4 0,-4"
            " Q-5,-4 -5,-8 Q-5,-12 0,-12 Z", ink)  # fmt: skip
        return (
            *moved([emblems.filled(_SHIELD, ink)], 9.5, 7.5, 0.27),
            *_value(count, 13.5, 3.5, ink),
            *(shape for place in range(count)
              for shape in moved([seat], 34 + 9 * place, 7.5, 0.3)),
        )  # fmt: skip

    picture = emblems.longship(Tones(ground, _deeper(ground), PAPER))
    return _two_states(
        Kind.LONGBOAT.value, picture, ground, edge(2, INK), edge(1, PAPER)
    )  # fmt: skip


# -- buildings and projects -------------------------------------------------------------

_BUILT: dict[Kind, tuple[Emblem, Colour]] = {
    Kind.WARRIORS: _UNITS[WARRIORS],
    Kind.LONGBOAT: (emblems.longship, (44, 130, 140)),
    Kind.WAREHOUSE: (places.warehouse, (150, 96, 52)),
    Kind.GRANARY: (places.granary, (206, 152, 38)),
    Kind.BLACKSMITH: (places.blacksmith, (86, 92, 104)),
    Kind.ALTAR: (places.altar, (150, 52, 74)),
    Kind.VETERANS: _UNITS[VETERANS],
}


def buildings() -> tuple[Face, ...]:
    return tuple(_building(kind) for kind in BUILDINGS)


def _building(kind: Kind) -> Face:
    picture, ground = _BUILT[kind]
    tones = Tones(ground, _deeper(ground), PAPER)
    gable = path("M4,24 L28,4 L52,24 L52,52 L4,52")[0]
    shapes = (
        area(gable, ground),
        stroke(gable, 1.6, tones.deep, closed=True),
        *fitted(picture(tones), SIDE / 2, 32.5, 38, 31),
    )
    return Face(kind.value, SIDE, SIDE, shapes, PAPER)


def backs() -> tuple[Face, ...]:
    return tuple(_project(kind) for kind in Kind)


def _project(kind: Kind) -> Face:
    """Stage numbers on the edges: a quarter turn counter-clockwise shows the next lower one.

    The arrow stands on the edge a project begins with, so that a turned card tells by how much.
    """
    picture, ground = _BUILT[kind]
    tones = Tones(ground, _deeper(ground), PAPER)
    inner = path("M28,14 L42,28 L28,42 L14,28")[0]
    stages = RULEBOOK.back(kind).stages
    shapes: list[Shape] = [
        *_scaffold(ground),
        area(path("M28,11.5 L44.5,28 L28,44.5 L11.5,28")[0], ground),
        stroke(inner, 0.6, tones.deep, closed=True),
        *fitted(picture(tones), SIDE / 2, SIDE / 2, 18, 18),
    ]
    for quarter in range(4):
        shapes.extend(_edge(quarter, stages, tones))
    return Face(f"{kind}-back", SIDE, SIDE, tuple(shapes), PAPER)


def _edge(quarter: int, stages: int | None, tones: Tones) -> tuple[Shape, ...]:
    """The number of one edge; clockwise they fall by one each, so they rise to the top in turn."""
    number = None if stages is None else stages - quarter
    if number is not None and number < 1:
        return ()
    edge: list[Shape] = [*_value(number, 24.5, 2, tones.deep)]
    if quarter == 0:
        edge += [area([(x, 1.6), (x + 6, 1.6), (x + 3, 6.4)], tones.deep) for x in (12.5, 37.5)]
    turned = moved(edge, -SIDE / 2, -SIDE / 2)
    return moved(moved(turned, turn=90 * quarter), SIDE / 2, SIDE / 2)


def _scaffold(ground: Colour) -> tuple[Shape, ...]:
    """Beams in the corners: this is not finished."""
    beams: list[Shape] = []
    for quarter in range(4):
        corner = [
            stroke([(2.4, 15), (15, 2.4)], 1.7, ground),
            stroke([(2.4, 9), (9, 2.4)], 1.7, ground),
            stroke([(2.4, 2.4), (11, 11)], 1.7, ground),
        ]
        beams.extend(moved(moved(corner, -SIDE / 2, -SIDE / 2), turn=90 * quarter))
    return moved(beams, SIDE / 2, SIDE / 2)


# -- towns ------------------------------------------------------------------------------

_SKIES: tuple[Colour, ...] = (
    (70, 128, 176),
    (202, 112, 58),
    (84, 148, 108),
    (140, 92, 150),
    (198, 160, 60),
    (96, 104, 120),
    (176, 70, 84),
    (66, 146, 150),
)
_HUT = "M-8,0 L-8,-7 L-10,-7 L0,-16 L10,-7 L8,-7 L8,0 Z M-2,0 L-2,-5 L2,-5 L2,0 Z"
_HALL = "M-14,0 L-14,-5 Q-16,-9 -12,-13 L12,-13 Q16,-9 14,-5 L14,0 Z M-2,0 L-2,-6 L2,-6 L2,0 Z"
_TOWER = (
    "M-5,0 L-5,-18 L-7,-18 L-7,-23 L-4,-23 L-4,-21 L-1.5,-21 L-1.5,-23 L1.5,-23 L1.5,-21 L4,-21"
    " L4,-23 L7,-23 L7,-18 L5,-18 L5,0 Z M-1.5,-9 L1.5,-9 L1.5,-14 L-1.5,-14 Z"
)
_STAVE = (
    "M-8,0 L-8,-7 L-10,-7 L-5,-12 L-7,-12 L-3,-18 L-1,-18 L0,-25 L1,-18 L3,-18 L7,-12 L5,-12"
    " L10,-7 L8,-7 L8,0 Z"
)
_TENT = "M-9,0 L1,-15 L-1,-15 L9,0 L3,0 L0,-7 L-3,0 Z"
_SKYLINE = (_HUT, _HALL, _TOWER, _STAVE, _TENT)
_WIDTHS = {_HUT: 20, _HALL: 29, _TOWER: 14, _STAVE: 20, _TENT: 18}


def towns() -> tuple[Face, ...]:
    """As many as the box has, told apart by their number and their roofs."""
    rows = list(permutations(_SKYLINE, 3))[: 5 * TOWNS : 2][:TOWNS]
    return tuple(_town(number, row) for number, row in enumerate(rows, 1))


def _town(number: int, row: Iterable[str]) -> Face:
    sky = _SKIES[number % len(_SKIES)]
    shapes = (
        area(rectangle(0, 0, SIDE, 31), sky),
        *_roofs(tuple(row), _deeper(sky), dark_at=number // len(_SKIES) % 2),
        *_flag(number, sky),
        *_field(3, 3, 8, 8),
        *moved([emblems.filled(_STAR, PAPER)], 15.5, 7, 0.3),
        *_rows(),
        *_levels(),
    )
    return Face(f"town-{number}", SIDE, SIDE, shapes, PAPER)


_STAR = "M0,-12 L3.2,-4 L12,-3.2 L5.1,2.4 L7.3,11 L0,6.2 L-7.3,11 L-5.1,2.4 L-12,-3.2 L-3.2,-4 Z"


def _roofs(row: tuple[str, ...], dark: Colour, *, dark_at: int) -> tuple[Shape, ...]:
    """Roofs side by side on a hill."""
    wide = sum(_WIDTHS[each] for each in row)
    size = 46.0 / wide
    at = (SIDE - 46.0) / 2
    hill = [(0.0, 31.0), (0.0, 29.0), *path("M0,29 Q28,23.5 56,29")[0][1:], (SIDE, 31.0)]
    shapes: list[Shape] = [area(hill, PAPER)]
    for place, each in enumerate(row):
        x = at + _WIDTHS[each] * size / 2
        at += _WIDTHS[each] * size
        colour = dark if place % 2 == dark_at else PAPER
        shapes.extend(moved([Area(path(each), colour)], x, 28.0 - (place == 1), min(size, 0.58)))
    return tuple(shapes)


def _flag(number: int, sky: Colour) -> tuple[Shape, ...]:
    """The card's own number on a banner, so that nobody takes it for a strength."""
    cloth = path("M36,0 L53,0 L53,14 L44.5,11 L36,14")[0]
    digits = str(number)
    high = 7.4
    wide = numerals.width(high)
    left = 44.5 - (wide * len(digits) + 0.8 * (len(digits) - 1)) / 2
    shapes: list[Shape] = [area(cloth, _deeper(sky))]
    for place, digit in enumerate(digits):
        x = left + place * (wide + 0.8)
        shapes.extend(numerals.numeral(int(digit), x, 2.2, high, PAPER))
    return tuple(shapes)


def _rows() -> tuple[Shape, ...]:
    """Two fortifications: hit points, base attack, dice."""
    shapes: list[Shape] = []
    marks: tuple[tuple[Shape, ...], ...] = (
        (emblems.filled(_SHIELD, INK),),
        (emblems.filled(_BLADE, INK),),
        _die(INK, PAPER),
    )
    for place, mark in enumerate(marks):
        x = 4 + place * 16.6
        shapes.extend(moved(mark, x + 2.6, 39.5, 0.22))
        shapes.extend(_field(x + 6, 33, 8.6, 6.2))
        shapes.extend(_field(x + 6, 40, 8.6, 6.2))
    return tuple(shapes)


def _levels() -> tuple[Shape, ...]:
    """One of four to tick: village, town, and each of them fortified."""
    shapes: list[Shape] = []
    for place, level in enumerate(LEVELS):
        x = 4.5 + place * 12.6
        shapes.append(stroke(ellipse(x + 1.2, 51, 1.7), 0.4, INK, closed=True))
        house = _STAVE if "town" in level else _HUT
        size = 0.2 if "town" in level else 0.28
        shapes.extend(moved([Area(path(house), INK)], x + 6, 53, size))
        if level.startswith("fortified"):
            shapes.append(stroke([(x + 3.4, 53.6), (x + 8.6, 53.6)], 0.9, INK))
            shapes += [
                stroke([(x + 3.4 + i * 1.3, 53.4), (x + 3.4 + i * 1.3, 52)], 0.5, INK)
                for i in range(5)
            ]
    return tuple(shapes)


# -- tokens -----------------------------------------------------------------------------

_TOKENS: dict[str, tuple[Emblem, Colour, Colour]] = {
    "food": (places.fish, (72, 150, 92), (20, 76, 44)),
    "wood": (places.logs, (176, 118, 62), (94, 54, 22)),
    "iron": (places.ingots, (104, 116, 132), (46, 54, 66)),
    "coin": (places.coin, (206, 156, 40), (126, 84, 8)),
    "season": (places.seasons, (40, 104, 170), (16, 50, 94)),
    "sacrifice": (places.flame, (188, 50, 44), (98, 14, 22)),
    "raven": (places.raven_head, (44, 42, 50), (136, 134, 146)),
    "start": (places.first, (128, 74, 146), (62, 28, 78)),
    "unusable": (places.barred, (70, 70, 74), (30, 30, 34)),
}
_ROUND = frozenset(("food", "coin", "season", "sacrifice", "raven", "unusable"))


def tokens() -> tuple[Face, ...]:
    return tuple(_token(name) for name in _TOKENS)


def _token(name: str) -> Face:
    """Round, or square for what is stacked."""
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
