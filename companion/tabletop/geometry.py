"""Where things lie: what is the same spot, what covers what, what was found twice, what a bump
against the table shifted. Pure geometry, in the mat's millimetres."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import hypot
from statistics import median

from companion.tabletop.observations import Corner, Quad, Sighting, Thing
from companion.tabletop.polygons import area, overlap

SPOT = {"card": 10.0, "die": 6.0}
"""Millimetres within which a thing is the thing that lay there; fanned cards lie 15 apart."""
ASIDE = 11.0
"""Millimetres by which one look finds a die beside where another did; dice have 12 or more."""
HIDDEN = 0.5
"""Share of a card that must lie under newer cards for it to be covered, not gone."""
ALIKE = 0.05
"""How likely a label must be for a sighting to look like the thing."""
_MOST = 5
"""Labels one look is kept with."""


def apart(one: Corner, other: Corner) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def reach(kind: str) -> float:
    return SPOT.get(kind, 8.0)


# Found twice


def one_each(sightings: Iterable[Sighting]) -> list[Sighting]:
    """One sighting to a spot. What was found twice says what both finds say, weighed."""
    out: list[Sighting] = []
    for one in sorted(sightings, key=lambda each: each.label is None):
        twin = next((at for at, other in enumerate(out) if _twins(one, other)), None)
        if twin is None:
            out.append(one)
        else:
            out[twin] = _both(out[twin], one)
    return out


def _twins(one: Sighting, other: Sighting) -> bool:
    near = ASIDE if one.kind == "die" else reach(one.kind)
    return one.kind == other.kind and apart(one.middle, other.middle) <= near


def _both(one: Sighting, other: Sighting) -> Sighting:
    weight = {id(one): one.found, id(other): other.found}
    whole = one.found + other.found
    mixed: dict[str | int, float] = {}
    for each in (one, other):
        if each.label is None and not each.others:  # it says nothing about the face
            whole -= weight[id(each)]
            continue
        for label, p in each.odds:
            mixed[label] = mixed.get(label, 0.0) + p * weight[id(each)]
    best = one if one.found * one.p >= other.found * other.p else other
    if not mixed or whole <= 0:
        return best
    (label, p), *others = sorted(mixed.items(), key=lambda each: -each[1])[:_MOST]
    rest = tuple((name, share / whole) for name, share in others)
    found = max(one.found, other.found)
    return replace(best, label=label, p=p / whole, others=rest, found=found)


# Seen again


def paired(things: Sequence[Thing], sightings: Sequence[Sighting]) -> dict[int, int]:
    """Things and sightings on one spot: nearest first, those that look alike before others."""
    pairs = []
    for i, thing in enumerate(things):
        for j, each in enumerate(sightings):
            off = apart(thing.middle, each.middle)
            if off <= reach(thing.kind) and each.kind == thing.kind:
                alike = each.label is not None and thing.likely(each.label) >= ALIKE
                pairs.append((not alike, thing.covered, off, i, j))
    return one_to_one((i, j) for *_, i, j in sorted(pairs))


def nearest_first(
    things: Mapping[int, Thing],
    sightings: Mapping[int, Sighting],
    are_one: Callable[[Thing, Sighting], bool],
) -> dict[int, int]:
    """Things and sightings that may be one, nearest first."""
    pairs = sorted(
        (apart(thing.middle, each.middle), i, j)
        for i, thing in things.items()
        for j, each in sightings.items()
        if are_one(thing, each)
    )
    return one_to_one((i, j) for _, i, j in pairs)


def is_die_aside(thing: Thing, each: Sighting) -> bool:
    """A die that nobody has stirred, found a little beside where it was found before: no two dice
    lie so near to each other."""
    return thing.kind == each.kind == "die" and apart(thing.middle, each.middle) < ASIDE


def one_to_one(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """The best pairs first, each partner once."""
    found: dict[int, int] = {}
    for i, j in pairs:
        if i not in found and j not in found.values():
            found[i] = j
    return found


def bump(things: Sequence[Thing], sightings: Sequence[Sighting], most: float) -> Corner | None:
    """How far the table was bumped: if nearly all things shifted alike, nobody moved them."""
    lying = [thing for thing in things if not thing.covered]
    shifts = [shift for thing in lying if (shift := _shift(thing, sightings, most)) is not None]
    if len(shifts) < 2 or len(shifts) < 0.6 * len(lying):
        return None
    dx, dy = median(x for x, _ in shifts), median(y for _, y in shifts)
    moved = [shift for shift in shifts if hypot(*shift) >= 3.0]
    agreeing = sum(apart(shift, (dx, dy)) <= 5.0 for shift in moved)
    if hypot(dx, dy) < 3.0 or agreeing < max(2, 0.8 * len(shifts)):
        return None
    return dx, dy


def _shift(thing: Thing, sightings: Iterable[Sighting], most: float) -> Corner | None:
    """From where the thing lay to the nearest one like it."""
    x, y = thing.middle
    near = [
        (each.middle[0] - x, each.middle[1] - y)
        for each in sightings
        if each.kind == thing.kind and each.label == thing.label
    ]
    best = min(near, key=lambda each: hypot(*each), default=None)
    return best if best is not None and hypot(*best) <= most else None


def shifted(quad: Quad, by: Corner) -> Quad:
    a, b, c, d = ((x + by[0], y + by[1]) for x, y in quad)
    return a, b, c, d


# Covered


def hidden(quad: Quad, over: Sequence[Quad], share: float = HIDDEN) -> bool:
    """Whether most of the quad lies under the others."""
    return overlap(quad, over) >= share


def of_a_size(one: Quad, other: Quad) -> bool:
    """Whether both may be cards, and not one of them a token that lies on the other."""
    return 0.5 < area(one) / max(area(other), 1.0) < 2.0
