"""What stands on each place of the table: nothing, tokens and how many, a marker, a card and how it
is turned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import atan2, degrees

from companion.tabletop.observations import Sighting
from companion.tabletop.zones import Outline, zone_at

SURE = 0.5
"""A thing that is read less surely than this is there, but nobody knows what it is."""


@dataclass(frozen=True, slots=True, order=True)
class StandingPiece:
    """One thing on a place."""

    label: str
    """Empty: it is there, but was not read."""
    turn: int = 0
    """Degrees clockwise: 0, 90, 180 or 270. Of something round it says nothing."""


def standing(
    seen: Iterable[Sighting], places: Mapping[str, Outline], sure: float = SURE
) -> dict[str, tuple[StandingPiece, ...]]:
    """The pieces on every place, in order of their names; a place with nothing on it has none."""
    found: dict[str, list[StandingPiece]] = {name: [] for name in places}
    for one in seen:
        place = zone_at(places, one.middle)
        if place is not None:
            label = str(one.label) if one.label is not None and one.p >= sure else ""
            found[place].append(StandingPiece(label, quarter(one)))
    return {name: tuple(sorted(pieces)) for name, pieces in found.items()}


def quarter(one: Sighting) -> int:
    """How it is turned, to the nearest quarter, by the edge that is its top."""
    (left, top), (right, bottom) = one.quad[:2]
    return round(degrees(atan2(bottom - top, right - left)) / 90) % 4 * 90
