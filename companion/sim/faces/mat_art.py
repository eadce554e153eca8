"""What is drawn on a game's mat. It is pale, so that the pieces on it stand out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from companion.sim.faces import beings
from companion.sim.faces.canvas import Colour, Shape, area, ellipse, moved, rectangle, star, stroke
from companion.sim.faces.emblems import Emblem, Tones, filled


def pile(t: Tones) -> tuple[Shape, ...]:
    """A deck, face down."""
    return (
        *(stroke(rectangle(-28 + d, -42 - d, 56, 80, 6), 3, t.light, closed=True) for d in (8, 4)),
        area(rectangle(-28, -42, 56, 80, 6), t.light),
        area(star(0, -2, 18, 8, 8), t.main),
    )


def heap(t: Tones) -> tuple[Shape, ...]:
    """Cards that are done with."""
    card = stroke(rectangle(-24, -36, 48, 72, 5), 4, t.light, closed=True)
    return (*moved([card], turn=-18), *moved([card], turn=9))


def eye(t: Tones) -> tuple[Shape, ...]:
    return (
        filled("M-50,0 Q0,-50 50,0 Q0,50 -50,0 Z", t.light),
        area(ellipse(0, 0, 18), t.main),
        area(ellipse(0, 0, 8), t.light),
    )


def blade(t: Tones) -> tuple[Shape, ...]:
    return beings.sword(Tones(t.main, t.light, t.light))


USUAL_PICTURES: Mapping[str, Emblem] = MappingProxyType({"deck": pile, "discard": heap})
"""Pictures for zones that many games have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatArt:
    ink: Colour = (88, 94, 102)
    """The colour of outlines and numbers."""
    pale: Colour = (229, 231, 234)
    """The colour of pictures."""
    pictures: Mapping[str, Emblem] = field(default_factory=lambda: USUAL_PICTURES)
    """By the name of the zone without its seat. A zone without a picture is only outlined."""
    besides: Callable[[str, Tones], Iterable[Shape]] = lambda _zone, _tones: ()
    """What a zone shows about its middle beside its picture."""
    space: Callable[[str, tuple[float, float], Colour], Iterable[Shape] | None] = (
        lambda _zone, _size, _ink: None
    )
    """Draws a zone of that size in a way of its own, such as a numbered space of a track, from its
    top left corner. None for a zone that has a picture or an outline alone."""
    mark: int | None = None
    """The number, from 1 to 19, of the mark by which the camera knows this mat; no two mats share
    one. None: the mat has no mark, and nobody is told when it is out of date."""
    version: int = 1
    """Raise it with any change that makes mats printed before wrong, for the camera or players."""
