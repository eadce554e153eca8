"""The mat of Valhal: seasons, food, building sites, and the tracks with their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from companion.games.valhal.faces import places
from companion.games.valhal.layout import SITES, TRACKS
from companion.sim.faces import beings, emblems, numerals
from companion.sim.faces.canvas import Colour, Shape, area, moved, star
from companion.sim.faces.emblems import Emblem, Tones, drawn, filled, fitted
from companion.sim.faces.mat_art import MatArt, blade, eye

_WHITE: Colour = (255, 255, 255)


def _snow(t: Tones) -> tuple[Shape, ...]:
    arm = drawn("M0,0 L0,-48 M-12,-42 L0,-30 L12,-42", 6, t.light)
    return tuple(shape for turn in range(6) for shape in moved(arm, turn=60 * turn))


def _leaf(t: Tones) -> tuple[Shape, ...]:
    return (
        filled("M0,48 L-4,48 L-4,10 C-30,10 -44,-8 -44,-38 C-16,-36 -4,-20 0,-4"
               " C4,-20 16,-36 44,-38 C44,-8 30,10 4,10 L4,48 Z", t.light),
    )  # fmt: skip


def _prow(t: Tones) -> tuple[Shape, ...]:
    return emblems.longship(Tones(t.main, t.main, t.light))


def _scaffold(t: Tones) -> tuple[Shape, ...]:
    """A scaffold: the picture of a building site."""
    return (
        *drawn("M-40,50 L-40,-44 M40,50 L40,-44 M-50,-24 L50,-24 M-50,20 L50,20", 7, t.light),
        *drawn("M-40,20 L40,-24 M-40,50 L10,20", 6, t.light),
    )


def _walls(t: Tones) -> tuple[Shape, ...]:
    return (
        filled("M-46,44 L-46,-30 L-30,-30 L-30,-18 L-16,-18 L-16,-30 L16,-30 L16,-18 L30,-18"
               " L30,-30 L46,-30 L46,44 L12,44 L12,18 Q0,4 -12,18 L-12,44 Z", t.light),
    )  # fmt: skip


def _glory(t: Tones) -> tuple[Shape, ...]:
    return (area(star(0, 0, 50, 20, 5), t.light),)


_OWN_SIGNS: Mapping[str, Emblem] = MappingProxyType({"favour": places.raven_head, "glory": _glory})
"""Signs instead of a number on the first space of a track: they say what the track counts."""
_ROW_SIGNS: Mapping[str, Emblem] = MappingProxyType(
    {"enemy": _walls, "attack": blade, "front": places.warrior}
)
"""Signs to the left of a track."""


def _space(zone: str, size: tuple[float, float], ink: Colour) -> Iterator[Shape] | None:
    track, _, number = zone.rpartition("-")
    if track not in TRACKS or not number.isdigit():
        return None
    return _numbered(track, int(number), size, ink)


def _numbered(track: str, number: int, size: tuple[float, float], ink: Colour) -> Iterator[Shape]:
    """A space of a track: its number at the top, room for a marker below."""
    wide, tall = size
    tones = Tones(_WHITE, _WHITE, ink)
    first = number == TRACKS[track][0]
    if first and track in _OWN_SIGNS:
        yield from fitted(_OWN_SIGNS[track](tones), wide / 2, 6, wide - 3, 8.5)
        return
    high = 5.0
    digits = str(number)
    step = numerals.width(high) + 0.6
    left = wide / 2 - (step * len(digits) - 0.6) / 2
    for place, digit in enumerate(digits):
        yield from numerals.numeral(int(digit), left + place * step, 2, high, ink)
    if first and track in _ROW_SIGNS:
        yield from fitted(_ROW_SIGNS[track](tones), -14, tall / 2, 16, 20)


MAT_ART = MatArt(
    ink=(22, 100, 88),
    pale=(216, 236, 230),
    pictures={
        "reading": eye,
        "attackers": _prow,
        "town": _walls,
        "season-summer": beings.sun,
        "season-winter": _snow,
        "season-spring": _leaf,
        "food-summer": beings.sun,
        "food-winter-1": _snow,
        "food-winter-2": _snow,
        "food-spring": _leaf,
        **{f"site-{number + 1}": _scaffold for number in range(SITES)},
        "altar": places.altar,
    },
    space=_space,
    mark=3,
)
