"""Valhalla's cards: five kinds without words, and the gods in black and white."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from companion.games.valhalla.rules.cards import deck_of
from companion.sim.faces import BoxPart, Faces, beings, emblems
from companion.sim.faces.canvas import (
    Colour,
    Face,
    Points,
    Shape,
    area,
    ellipse,
    moved,
    path,
    rectangle,
    regular,
    stroke,
    upside_down,
)
from companion.sim.faces.emblems import Emblem, Tones, filled, fitted
from companion.sim.faces.glyphs import Pen, lettering
from companion.sim.faces.mat_art import USUAL_PICTURES, MatArt, blade, eye
from companion.sim.faces.signs import INK, PAPER

# Lengths are in millimetres, as in every drawing.
WIDTH = 63.0
HEIGHT = 88.0
BACK = "valhalla-back"
_MIDDLE = (WIDTH / 2, HEIGHT / 2)


@dataclass(frozen=True, slots=True)
class _Kind:
    picture: Emblem
    tones: Tones
    ground: Points
    room: tuple[float, float]  # for the picture
    mark: str  # the sign in the corners, as on the page, in a box of 0 to 24


_SWORD_MARK = (
    "M12,1 L9.5,5 L9.5,15 L6,15 L6,17.5 L10,17.5 L10,20 L9,20 L9,23 L15,23 L15,20 L14,20"
    " L14,17.5 L18,17.5 L18,15 L14.5,15 L14.5,5 Z"
)
_KITE = "M-24,-23 Q0,-31 24,-23 C25,3 14,20 0,30 C-14,20 -25,3 -24,-23"
_AXE_MARK = (
    "M11,1 L14,1 L14,4 C18,4 21,6 22,8 C21,11 18,13 14,13 L14,23 L11,23 L11,13 C8,13 6,11 5,8"
    " C7,7 9,4 11,4 Z"
)
_WOLF_MARK = (
    "M2,2 L8,6 L16,6 L22,2 L20,11 L22,13 L17,15 L14,22 L10,22 L7,15 L2,13 L4,11 Z"
    " M8,11 L10,13 L11,11 Z M16,11 L13,11 L14,13 Z"
)
DRAUGR_MARK = (
    "M12,1 C18,1 22,5 22,10 C22,14 20,16 18,17 L18,22 L6,22 L6,17 C4,16 2,14 2,10 C2,5 6,1 12,1 Z"
    " M5.5,10.5 L8,8 L10.5,10.5 L8,13 Z M18.5,10.5 L16,8 L13.5,10.5 L16,13 Z"
    " M12,13 L10.5,16 L13.5,16 Z"
)

KINDS = {
    "hammer": _Kind(
        emblems.hammer,
        Tones((56, 104, 158), (20, 46, 84), PAPER),
        rectangle(-25, -26, 50, 52, 4),
        (40, 44),
        "M3,3 L17,3 L21,7 L21,12 L14,12 L14,22 L10,22 L10,12 L3,12 Z",
    ),
    "sword": _Kind(
        lambda tones: moved(beings.sword(tones), turn=180),
        Tones((196, 44, 48), (96, 12, 24), PAPER),
        path(_KITE)[0],
        (32, 47),
        _SWORD_MARK,
    ),
    "axe": _Kind(
        lambda tones: moved(emblems.axe(tones), turn=28),
        Tones((52, 138, 92), (12, 66, 44), PAPER),
        ellipse(0, 0, 25.5, 29),
        (36, 50),
        _AXE_MARK,
    ),
    "wolf": _Kind(
        beings.wolf,
        Tones((232, 164, 48), (92, 58, 20), PAPER),
        regular(0, 0, 29.5, 6),
        (42, 48),
        _WOLF_MARK,
    ),
}


@cache
def faces() -> tuple[Face, ...]:
    kinds = [_kind(name, kind) for name, kind in KINDS.items()]
    gods = [_god(name, picture) for name, picture in GODS.items()]
    return (*kinds, _draugr(), *gods, back())


def _kind(name: str, kind: _Kind) -> Face:
    tones = kind.tones
    shapes = (
        *moved([area(kind.ground, tones.main)], *_MIDDLE),
        *moved([stroke(kind.ground * 0.94, 0.8, tones.deep, closed=True)], *_MIDDLE),
        *fitted(kind.picture(tones), *_MIDDLE, *kind.room),
        *_corners(kind.mark, tones.main),
        *_rails(tones.main),
    )
    return Face(name, WIDTH, HEIGHT, shapes, PAPER)


def _draugr() -> Face:
    """The only dark card, so that nobody overlooks it."""
    tones = Tones((128, 208, 160), (40, 26, 52), (232, 228, 206))
    night: Colour = (62, 42, 78)
    shapes = (
        area(rectangle(2.5, 2.5, WIDTH - 5, HEIGHT - 5, 3), night),
        *moved([area(ellipse(0, 0, 25.5, 31), (92, 66, 112))], *_MIDDLE),
        *fitted(beings.draugr(tones), *_MIDDLE, 40, 52),
        *_corners(DRAUGR_MARK, tones.main),
        *_rails(tones.main),
    )
    return Face("draugr", WIDTH, HEIGHT, shapes, PAPER)


def _corners(mark: str, colour: Colour) -> tuple[Shape, ...]:
    one = moved([emblems.filled(mark, colour)], -12 * 0.46, -12 * 0.46, 0.46)
    top = (*moved(one, 9.5, 10.5), *moved(one, WIDTH - 9.5, 10.5))
    return (*top, *upside_down(top, WIDTH, HEIGHT))


def _rails(colour: Colour) -> tuple[Shape, ...]:
    """A line of teeth between the corner signs, above and below."""
    teeth = [
        area([(x - 1.6, 8), (x + 1.6, 8), (x, 11)], colour)
        for x in (WIDTH / 2 - 8, WIDTH / 2 - 4, WIDTH / 2, WIDTH / 2 + 4, WIDTH / 2 + 8)
    ]
    return (*teeth, *upside_down(teeth, WIDTH, HEIGHT))


# -- the Golden Throne Trial ------------------------------------------------------------

GODS: dict[str, Emblem] = {
    "odin": emblems.allfather,
    "thor": beings.thunder,
    "freyja": beings.cat,
    "frigg": beings.distaff,
    "baldr": beings.sun,
    "tyr": beings.hand,
    "heimdall": beings.call,
    "njord": emblems.longship,
    "freyr": beings.stag,
    "bragi": beings.harp,
    "idun": beings.apple,
    "skadi": beings.snow,
    "loki-fly": beings.fly,
    "loki-mare": beings.mare,
    "loki-salmon": beings.salmon,
    "loki-seal": beings.seal,
}
_GREY = Tones(INK, (134, 132, 134), PAPER)
_ARCH = "M-23,31 L-23,-10 C-23,-24 -11,-33 0,-33 C11,-33 23,-24 23,-10 L23,31 Z"
_FLAME = (
    "M0,-35 C6,-24 26,-16 25,8 C25,24 14,33 0,33 C-14,33 -25,24 -25,8 C-25,-2 -20,-8 -17,-16"
    " C-13,-10 -9,-9 -8,-14 C-7,-22 -4,-28 0,-35 Z"
)


def _god(label: str, picture: Emblem) -> Face:
    """A god in a doorway; each shape of Loki in a flame."""
    person = label.partition("-")[0]
    loki = person == "loki"
    ground = path(_FLAME if loki else _ARCH)[0]
    pen = Pen(INK, weight=0.17, spacing=0.2)
    high = 6.4
    name = lettering(person, WIDTH / 2, HEIGHT - 5.2 - high, high, pen, anchor="middle")
    sun = moved(_sun_mark(), 7.6, 8.2, 0.42)
    top = (*sun, *moved(sun, WIDTH - 15.2))
    middle = (WIDTH / 2, 40.0)
    shapes = (
        *moved([area(ground, INK)], *middle),
        *moved([stroke(ground * (0.94, 0.95), 0.7, _GREY.deep, closed=True)], *middle),
        *fitted(picture(_GREY), middle[0], middle[1] + (6 if loki else 1), 39, 44 if loki else 52),
        *name,
        *top,
    )
    return Face(label, WIDTH, HEIGHT, shapes, PAPER)


def _sun_mark() -> tuple[Shape, ...]:
    rays = [
        shape
        for turn in range(8)
        for shape in moved([area(rectangle(-1, -12, 2, 4), INK)], turn=45 * turn)
    ]
    return (area(ellipse(0, 0, 6), INK), *rays)


def back() -> Face:
    """Round shields, and a sword towards either end."""
    ground: Colour = (112, 26, 34)
    gold: Colour = (228, 190, 112)
    tones = Tones(ground, (160, 116, 58), gold)
    blade = moved(beings.sword(tones), 0, -19.5, 0.34, 180)
    half = (
        *blade,
        *(each for x in (-17.0, 17.0) for each in moved(emblems.shield(tones), x, -25, 0.15)),
    )
    shapes = (
        area(rectangle(3, 3, WIDTH - 6, HEIGHT - 6, 3), ground),
        stroke(rectangle(5.2, 5.2, WIDTH - 10.4, HEIGHT - 10.4, 2.2), 0.9, gold, closed=True),
        *moved([stroke(regular(0, 0, 22, 4), 1.2, gold, closed=True)], *_MIDDLE),
        *moved(half, *_MIDDLE),
        *moved(half, *_MIDDLE, turn=180),
    )
    return Face(BACK, WIDTH, HEIGHT, shapes, PAPER, same_upside_down=True)


def _box() -> tuple[BoxPart, ...]:
    copies = {str(card): count for card, count in deck_of((), by_name=True).items()}
    *fronts, under = faces()
    return tuple(BoxPart(front, under, copies.get(front.label, 1)) for front in fronts)


def _skull(t: Tones) -> tuple[Shape, ...]:
    return (filled(DRAUGR_MARK, t.light),)


def _lost(t: Tones) -> tuple[Shape, ...]:
    """A card lying crosswise with a skull: where cards a Draugr takes are laid first."""
    return (
        stroke(rectangle(-44, -31, 88, 62, 7), 5, t.light, closed=True),
        *fitted(_skull(t), 0, 0, 44, 44),
    )


def _besides(zone: str, tones: Tones) -> tuple[Shape, ...]:
    return fitted(_lost(tones), 0, -34, 25, 18) if zone in ("main", "support") else ()


FACES = Faces(
    deck="valhalla",
    faces=faces,
    box=_box,
    mat=MatArt(
        ink=(140, 40, 46),
        pale=(245, 226, 222),
        pictures={
            **USUAL_PICTURES,
            "reveal": eye,
            "graveyard": _skull,
            "armory": emblems.shield,
            "armory-2": emblems.shield,
            "main": blade,
            "support": emblems.shield,
        },
        besides=_besides,
        mark=2,
        version=2,
    ),
)
