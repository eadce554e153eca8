"""How a table of Valhalla is laid out: seats clockwise from the top left, the fifth at the left
edge."""

from __future__ import annotations

from types import MappingProxyType

from companion.tabletop.layout import Layout, LyingRules
from companion.tabletop.zones import Outline, box


def _seat(letter: str, x: float, y: float, way: str) -> dict[str, Outline]:
    """The zones of one seat: Main, Support, and the discard pile at the player's right hand.

    `x` and `y` are the zones' left top corner in millimetres, `way` is where their tops point.
    """
    wide, high, gap = 68.0, 92.0, 3.0
    names = [f"{letter}.main", f"{letter}.support", f"{letter}.discard"]
    if way == "down":  # the far edge: their right hand is at our left
        names.reverse()
    places = range(3)
    if way == "right":  # the left edge: cards lie on their sides
        return {
            name: box(x, y + place * (wide + gap), high, wide)
            for place, name in zip(places, names, strict=True)
        }
    return {
        name: box(x + place * (wide + gap), y, wide, high)
        for place, name in zip(places, names, strict=True)
    }


ZONES = MappingProxyType(
    {
        **_seat("A", 76, 6, "down"),
        **_seat("B", 308, 6, "down"),
        **_seat("C", 308, 322, "up"),
        **_seat("D", 76, 322, "up"),
        **_seat("E", 6, 105, "right"),
        "deck": box(106, 106, 70, 98),
        "reveal": box(180, 106, 190, 98),
        "armory-2": box(374, 106, 136, 98),
        "graveyard": box(514, 106, 74, 98),
        "armory": box(106, 214, 482, 98),
    }
)

LAYOUT = Layout(zones=ZONES, deck="valhalla", lying=LyingRules(copies=True))
