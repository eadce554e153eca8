"""Every switch of Valhal with its default. What is printed on a copy (die faces, spaces of the
displays, the glory track) is no switch but stands on the owner's sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from companion.core.options import OneOf, Switch, Whole, described, option
from companion.games.valhal.rules.vocabulary import GIFTS


@dataclass(frozen=True, slots=True)
class Options:
    variant_fast: bool = option(False, Switch(), "VHAL-VAR-FAST")
    variant_heidrun: bool = option(False, Switch(), "VHAL-VAR-HEID")
    special_units: bool = option(False, Switch(), "VHAL-VAR-SPEC")
    end_of_turn_gift: str = option("asked", OneOf(("asked", *GIFTS)), "A-1")
    defeated_unit_gift: str = option("asked", OneOf(("asked", *GIFTS)), "A-2")
    favour_steps: int | str = option("printed", Whole(3, 12, ("printed",)), "VHAL-FAV-4")
    start_food_on_longhouse_usable: str = option("asked", OneOf(("asked", "true", "false")), "A-3")
    sacrifice_needs_food: bool = option(False, Switch(), "A-6")
    tokens_per_project: int = option(1, Whole(1, 2), "A-7")
    both_workshops: str = option("lowest", OneOf(("lowest", "saw", "anvil")), "A-8")
    runestone_coin_cost: int = option(1, Whole(1, 2), "A-9")
    pass_in_choice_final: bool = option(False, Switch(), "A-13")
    overflow_to_wounded_side: bool = option(True, Switch(), "A-15")
    joint_front_line_by: str = option("inviter", OneOf(("inviter", "vote")), "A-18")
    wrath_retrigger: str = option("every_arrival", OneOf(("every_arrival", "once")), "A-19")
    wrath_on_the_way: str = option("yes", OneOf(("yes", "afterwards", "no")), "VHAL-FAV-5")
    mainland_removal: str = option("random", OneOf(("random", "chosen")), "A-20")
    next_vikingfahrt: str = option("next_to_begin", OneOf(("next_to_begin", "current")), "A-21")
    final_stage_cost: str = option("0", OneOf(("0", "7")), "A-22")
    blessed_takeover: str = option("three", OneOf(("three", "more")), "A-38")
    supply_limited: str = option("warn", OneOf(("warn", "strict")), "A-24")
    odds: bool = option(True, Switch(), "VHAL-BAT-3")  # shown on the page; no rule looks at it


OPTIONS = described(Options)

# VHAL-VAR-MIX: the variants may be combined; these are just the usual tables.
EDITIONS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": {},
        "fast": {"variant_fast": "true"},
        "heidrun": {"variant_heidrun": "true"},
        "special": {"special_units": "true"},
    }
)

# What games of the first version of these rules were played by, where an option says so now.
# Everything else that has changed since asks for the state's `version`.
FIRST_VERSION: Mapping[str, str] = MappingProxyType(
    {
        "blessed_takeover": "more",
        "wrath_on_the_way": "afterwards",
        "end_of_turn_gift": "coins",
        "defeated_unit_gift": "glory",
        "start_food_on_longhouse_usable": "false",
    }
)
FIRST_EDITIONS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {name: {**FIRST_VERSION, **changes} for name, changes in EDITIONS.items()}
)


def steps_to_win(options: Options) -> int:
    """VHAL-FAV-4: six moves of the Raven Head, five on the back of the display."""
    if isinstance(options.favour_steps, int):
        return options.favour_steps
    return 5 if options.variant_fast else 6
