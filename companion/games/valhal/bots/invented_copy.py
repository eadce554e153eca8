"""An invented copy of Valhal: every number that the rulebook does not tell is made up.

Its Town cards have the names of their drawn faces, so that a camera can name them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.valhal.rules.sheet.filling import sheet_from
from companion.games.valhal.rules.sheet.sheet import RULEBOOK, Sheet


def _towns() -> dict[str, Any]:
    """Six Villages, eleven Fortified Villages, six Towns, one Fortified Town."""
    kinds = (
        (6, "village", "2/0/1", 2, "lesser"),
        (11, "fortified-village", "2/1/1 1/1/1", 3, "lesser"),
        (6, "town", "3/2/2 2/2/1*", 4, "larger"),
        (1, "fortified-town", "4/3/2 3/3/2", 6, "greater"),
    )
    towns: dict[str, Any] = {}
    for count, level, rows, glory, loot in kinds:
        for _ in range(count):
            card = {"level": level, "rows": rows, "glory": glory, "loot": loot}
            towns[f"town-{len(towns) + 1}"] = card
    return towns


INVENTED_COPY: Mapping[str, Any] = {
    "unit": {
        "warriors": {"dice": "1 1"},
        "veterans": {"base": "2 1", "dice": "2 1"},
        "berserkir": {"hp": "2 1", "base": "1 0", "dice": "2 1"},
        **{f"special-{n}": {"hp": "3 1", "base": "1 1", "dice": "1 1"} for n in (2, 3, 4)},
    },
    "build": {
        "warriors": {"saw": 2, "anvil": 1},
        "longboat": {"stages": 3, "saw": 2},
        "warehouse": {"stages": 4, "saw": 0},
        "granary": {"stages": 3, "saw": 2},
        "blacksmith": {"stages": 4, "saw": 3},
        "altar": {"stages": 3, "saw": 2},
        "veterans": {"stages": 2, "saw": 1},
    },
    "town": _towns(),
    "card": {
        "event": {"e1": "coins+1", "e2": "food+1", "e3": "wood+1", "e4": "iron+1 coins+1"},
        "benevolence": {"b1": "favour+1", "b2": "coins+2", "b3": "food+2 warriors+1"},
        "wrath": {"w1": "coins-1", "w2": "glory-1"},
        "lesser": {"l1": "coins+2", "l2": "food+1 wood+1", "l3": "favour+1"},
        "larger": {"r1": "favour+1 coins+1", "r2": "longboat+1"},
        "greater": {"g1": "favour+2", "g2": "warriors+1 glory+2"},
    },
    "favour": {"wrath": "none", "change": "2 4"},
    "fast": {"wrath": "none", "change": "1 3"},
    "glory": {"max": 20},
    "achievement": {
        name: {"group": group}
        for name, group in (
            ("longboats", 2),
            ("double", 2),
            ("blessed", 2),
            ("fourth", 4),
            ("fifth", 4),
            ("sixth", 4),
            ("seventh", 4),
        )
    },
    "mainland": {"2": 3, "3": 4, "4": 5},
    "box": {"village": 6, "fortified-village": 11, "town": 6, "fortified-town": 1},
    "final": {"marker": "sacrifice token"},
    "gift": {"turn": "coins", "defeat": "glory"},
    "longhouse": {"food": "stock"},
}
SHEET: Sheet = sheet_from(INVENTED_COPY, RULEBOOK)
