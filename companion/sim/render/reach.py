"""An arm over the table: where it comes from, what it carries, what it looks like from above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.sim.faces.canvas import ellipse
from companion.sim.render.scene import Blot, Points, Thing
from companion.sim.steps import Lying
from companion.tabletop.mat import MAT

Colour = tuple[int, int, int]
_SLIDE_MM = 16.0
"""A piece that moved less than this was pushed, not picked up."""
_SLIDE_DEGREES = 20
"""The same for how far it was turned."""
_SAME_PLACE_MM = 4
"""Pieces nearer to each other than this, both ways, lie on each other."""
_BEYOND_MAT_MM = (150.0, 50.0)
"""How far a camera sees beyond the mat: to its sides, and above and below it."""


@dataclass(frozen=True, slots=True)
class Arm:
    """The arm of one seat; it keeps its colours for the whole game."""

    place: tuple[float, float]
    skin: Colour
    sleeve: Colour

    def over(self, tip: Points) -> list[Thing]:
        """Sleeve, forearm, palm and fingers as things to draw, the fingertips about `tip`."""
        start = np.array(self.place)
        way = tip - start
        ahead = way / max(float(np.linalg.norm(way)), 1e-6)
        side = np.array([-ahead[1], ahead[0]])
        palm = tip - ahead * 66
        wrist = palm - ahead * 44
        far = start - ahead * 500
        shade: Colour = _toned(self.skin, 0.86)
        out: list[Thing] = [
            Blot(_limb(far, palm - ahead * 20, 44, 27), self.skin, 9, None),
            Blot(_limb(far, wrist - ahead * 55, 52, 40), self.sleeve, 12, None),
            Blot(_capsule(palm + side * 26 - ahead * 14, palm + side * 46 + ahead * 26, 11), shade),
            Blot(ellipse(0, 0, 40, 37) + palm, self.skin, 9, _toned(self.skin, 1.05)),
        ]
        for at, (spread, long) in enumerate(((0.26, 62), (0.08, 76), (-0.1, 74), (-0.3, 58))):
            way_out = ahead * np.cos(spread) + side * np.sin(spread)
            base = palm + ahead * 14 + side * (20 - 14 * at)
            out.append(Blot(_capsule(base, base + way_out * long, 9.5), self.skin, 5, None))
        return out


def _toned(colour: Colour, by: float) -> Colour:
    b, g, r = (min(255, int(v * by)) for v in colour)
    return b, g, r


def _limb(a: Points, b: Points, wide: float, narrow: float) -> Points:
    """An outline from a to b, half as wide as it says at either end."""
    ahead = (b - a) / max(float(np.linalg.norm(b - a)), 1e-6)
    side = np.array([-ahead[1], ahead[0]])
    return np.array([a + side * wide, a - side * wide, b - side * narrow, b + side * narrow])


def _capsule(a: Points, b: Points, r: float) -> Points:
    """A finger: round at both ends."""
    ahead = b - a
    angle = np.degrees(np.arctan2(ahead[1], ahead[0]))
    near = ellipse(0, 0, r * 1.1, r * 1.1, angle + 90, angle + 270)[::6] + a
    return np.concatenate([near, ellipse(0, 0, r, r, angle - 90, angle + 90)[::6] + b])


@dataclass(frozen=True, slots=True)
class Stage:
    """One part of a reach: the hand goes from one point to another, with things in it, while the
    table below stays the same."""

    start: tuple[float, float]
    end: tuple[float, float]
    seconds: float
    table: tuple[Lying, ...]
    carried: tuple[Lying, ...] = ()


def stages(
    before: tuple[Lying, ...],
    after: tuple[Lying, ...],
    place: tuple[float, float],
    aim: tuple[float, float],
) -> list[Stage]:
    """How an arm turns one table into the other: it comes in, goes to where things are put, and
    leaves. An arm that changes nothing points at `aim`."""
    change = _change(before, after)
    first = _middle(change.lifted or change.slid or change.put) or aim
    last = _middle(change.put or change.slid or change.lifted) or aim
    picked = {one.piece for one in change.lifted}
    between = (*change.uncovered, *(one for one in before if one.piece not in picked))
    out = [Stage(_outside(place, first), first, 0.5, before, tuple(change.fresh))]
    if change.lifted or change.slid or not change.put:
        far = float(np.hypot(last[0] - first[0], last[1] - first[1]))
        carried = (*change.lifted, *change.fresh)
        out.append(Stage(first, last, 0.25 + far / 700, between, carried))
    out.append(Stage(last, _outside(place, last), 0.45, after, tuple(change.gone)))
    return out


@dataclass(frozen=True, slots=True)
class _Change:
    """What an arm has to do so that one table becomes another."""

    gone: list[Lying]
    """Taken off the table."""
    uncovered: list[Lying]
    """Seen for the first time because something was lifted off it: it has been there before."""
    fresh: list[Lying]
    """Laid down new."""
    lifted: list[Lying]
    """Picked up: all that is gone, and what is put down elsewhere."""
    put: list[Lying]
    """Put down: all that is fresh, and what was picked up elsewhere."""
    slid: list[Lying]
    """Pushed without being picked up."""


def _change(before: tuple[Lying, ...], after: tuple[Lying, ...]) -> _Change:
    old, new = {one.piece: one for one in before}, {one.piece: one for one in after}
    gone = [one for one in before if one.piece not in new]
    unknown = [one for one in after if one.piece not in old]
    uncovered = [one for one in unknown if _lay_under(one, before, new)]
    fresh = [one for one in unknown if one not in uncovered]
    both = [(old[one.piece], one) for one in after if one.piece in old]
    carried = [(was, now) for was, now in both if was != now and not _slid(was, now)]
    return _Change(
        gone,
        uncovered,
        fresh,
        lifted=[*gone, *(was for was, _ in carried)],
        put=[*fresh, *(now for _, now in carried)],
        slid=[now for was, now in both if was != now and _slid(was, now)],
    )


def _outside(place: tuple[float, float], spot: tuple[float, float]) -> tuple[float, float]:
    """Where an arm from `place` comes into the camera's view on its way to the spot."""
    far = 1.0
    for at, (here, there) in enumerate(zip(spot, place, strict=True)):
        low, high = -_BEYOND_MAT_MM[at], MAT[at] + _BEYOND_MAT_MM[at]
        edge = low if there < here else high
        if abs(there - here) > 1:
            far = min(far, max(0.0, (edge - here) / (there - here)))
    return spot[0] + (place[0] - spot[0]) * far, spot[1] + (place[1] - spot[1]) * far


def _lay_under(one: Lying, before: Sequence[Lying], new: Mapping[str, Lying]) -> bool:
    """Whether something lay just over it and does not lie there any more."""
    return any(
        abs(other.x - one.x) < _SAME_PLACE_MM
        and abs(other.y - one.y) < _SAME_PLACE_MM
        and new.get(other.piece) != other
        for other in before
    )


def _slid(was: Lying, now: Lying) -> bool:
    near = float(np.hypot(was.x - now.x, was.y - now.y)) < _SLIDE_MM
    return near and was.face == now.face and abs(was.turn - now.turn) < _SLIDE_DEGREES


def _middle(many: Sequence[Lying]) -> tuple[float, float] | None:
    if not many:
        return None
    return sum(one.x for one in many) / len(many), sum(one.y for one in many) / len(many)


def held(pieces: Sequence[Lying], tip: Points, arm: Arm) -> list[Lying]:
    """The cards in the hand, fanned a little under the fingers."""
    way = tip - np.array(arm.place)
    lean = float(np.degrees(np.arctan2(way[0], -way[1])))
    side = np.array([-way[1], way[0]]) / max(float(np.linalg.norm(way)), 1e-6)
    shown = [one for one in pieces if one.kind == "card"][-6:]  # these cover the rest
    out = []
    for at, one in enumerate(shown):
        off = at - (len(shown) - 1) / 2
        x, y = tip + side * off * 9
        out.append(replace(one, x=float(x), y=float(y), turn=lean + off * 5))
    return out
