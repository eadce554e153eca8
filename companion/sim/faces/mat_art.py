"""What is drawn on a game's mat: pale, so that whatever lies there stands out."""

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
"""For zones that many games have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatArt:
    ink: Colour = (88, 94, 102)
    """Outlines and numbers."""
    pale: Colour = (229, 231, 234)
    """Pictures."""
    pictures: Mapping[str, Emblem] = field(default_factory=lambda: USUAL_PICTURES)
    """By the zone's name without its seat; a zone without one is an outline alone."""
    besides: Callable[[str, Tones], Iterable[Shape]] = lambda _zone, _tones: ()
    """What else a zone shows about its middle."""
    space: Callable[[str, tuple[float, float], Colour], Iterable[Shape] | None] = (
        lambda _zone, _size, _ink: None
    )
    """A zone of that size that is drawn in a way of its own, such as a numbered space of a track;
    from its top left corner. None: it has a picture, if any."""
    mark: int | None = None
    """Which mark of ours says which mat this is, from 1 to 19, unlike any other's. None: the mat is
    printed without, and nobody is told when it is out of date."""
    version: int = 1
    """Raise it with any change that makes mats printed before wrong, for the camera or players."""
