"""Every switch of Odin with its default, and the six editions as presets of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from companion.core.options import OneOf, Several, Switch, Whole, described, option
from companion.games.odin.rules.cards import COLOURS, SUITS, Colour

WORDS = tuple(colour.word for colour in (*COLOURS, *SUITS))


@dataclass(frozen=True, slots=True)
class Options:
    deck: str = option(
        "odin54", OneOf(("odin54", "valhalla36", "two_player_36")), "ODIN-COMP-1 A-ODIN-9"
    )
    colours: tuple[str, ...] = option(
        ("blue", "red", "green", "orange"), Several(WORDS, 4), "ODIN-COMP-2"
    )
    goat: bool = option(False, Switch(), "ODIN-COMP-3")
    goat_in_number_set: bool = option(False, Switch(), "A-ODIN-10")
    goat_points: int = option(5, Whole(5, 6), "A-ODIN-11")
    goat_forced_into_a_hand: bool = option(False, Switch(), "A-ODIN-12")
    limit: int | str = option(15, Whole(1, 1000, ("one_hand",)), "ODIN-END-1 ODIN-END-3")
    limit_test: str = option(">=", OneOf((">=", ">")), "A-ODIN-8")
    first_starter: str = option("random", OneOf(("random", "loudest_laugh")), "ODIN-SETUP-3")
    next_hand_starter: str = option(
        "left_of_previous_starter",
        OneOf(("left_of_previous_starter", "last_to_act")),
        "ODIN-NEXT-2 A-ODIN-1",
    )
    whole_hand_lead: str = option("optional", OneOf(("optional", "forced")), "A-ODIN-3")
    whole_hand_lead_on_first_lead: bool = option(True, Switch(), "A-ODIN-4")
    reenter_after_pass: bool = option(True, Switch(), "A-ODIN-6")
    hand_size: int = option(9, Whole(1, 27), "ODIN-SETUP-2")
    discards_public: bool = option(True, Switch(), "A-ODIN-13")


OPTIONS = described(Options)

# Only the German leaflet differs. It has two texts on the whole-hand lead that contradict each
# other, so the reading of the other five is used there as well (A-ODIN-3).
EDITIONS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": {},
        "de": {"first_starter": "loudest_laugh", "next_hand_starter": "last_to_act"},
        "fr": {},
        "es": {},
        "it": {},
        "nl": {},
    }
)


def colours_in_play(options: Options, seats: int) -> tuple[Colour, ...]:
    """ODIN-COMP-1 and -2, A-ODIN-9: all six, or the four chosen ones."""
    if options.deck == "odin54" or (options.deck == "two_player_36" and seats != 2):
        return COLOURS
    return tuple(Colour[word.upper()] for word in options.colours)
