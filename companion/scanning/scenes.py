"""A picture as a settled table: so a game's reader can be asked what it means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.deciding.scene import Scene
from companion.scanning.scanner import ScannedView
from companion.tabletop.observations import Sighting, TableChange, Thing, What
from companion.tabletop.zones import Outline, box

_EVERYWHERE = box(-1e6, -1e6, 2e6, 2e6)


def scene_in(place: str, views: Iterable[ScannedView]) -> Scene:
    """All that was seen lies in one place and has just come there."""
    things = [each for view in views for each in view.sightings]
    return _scene(things, {place: _EVERYWHERE})


def scene_of(views: Iterable[ScannedView]) -> Scene:
    """What lies on places, each by the name the game has for it; boards lie beside each other."""
    things: list[Sighting] = []
    zones: dict[str, Outline] = {}
    for view in views:
        letter = f"{view.owner}." if view.owner else ""
        zones |= {f"{letter}{name}": outline for name, outline in view.places.items()}
        things += [each for each in view.sightings if view.place(each)]
    return _scene(things, zones)


def _scene(seen: Iterable[Sighting], zones: Mapping[str, Outline]) -> Scene:
    things = tuple(
        Thing(number, each.kind, each.odds, each.quad, each.turn)
        for number, each in enumerate(seen, 1)
    )
    changes = tuple(TableChange(n, 0.0, What.APPEARED, t) for n, t in enumerate(things, 1))
    return Scene(things, zones, changes=changes)
