"""Every switch of Valhalla with its default. The rule sheet is short and contradicts itself, so
nearly every switch answers an open question (A-1 to A-33)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from companion.core.options import OneOf, Several, Switch, Whole, described, option
from companion.games.valhalla.rules.cards import NAMED, Card, deck_of

TWELVE = tuple(card.value for card in (*NAMED[:8], *NAMED[-4:]))  # eight gods, Loki four times


@dataclass(frozen=True, slots=True)
class Options:
    expansion: bool = option(False, Switch(), "VLLA-COMP-3")
    deities: tuple[str, ...] = option(
        TWELVE, Several(tuple(card.value for card in NAMED), 12), "A-33"
    )
    max_players: str = option("as_printed", OneOf(("as_printed", "five")), "A-25")
    first_player: str = option("fixed", OneOf(("fixed", "rotate_left_each_turn")), "A-1")
    clash_by: str = option("type", OneOf(("type", "by_name")), "A-2")
    clash_wolf_still_resolves: bool = option(True, Switch(), "A-3")
    wolf_main_returns_itself: bool = option(False, Switch(), "A-3")
    strategy_action: str = option("optional", OneOf(("optional", "mandatory")), "A-4")
    strategy_order: str = option(
        "from_first_player_clockwise",
        OneOf(("from_first_player_clockwise", "simultaneous")),
        "A-5",
    )
    unused_main: str = option("back_to_hand", OneOf(("back_to_hand", "discard")), "A-6")
    main_targets: str = option("others_only", OneOf(("others_only", "anyone")), "A-7")
    hammer_draw: str = option(
        "draw3_keep1_bottom2",
        OneOf(("draw3_keep1_bottom2", "keep_all", "keep1_armory_rest")),
        "A-8",
    )
    ignorable_draugr: str = option("one", OneOf(("one", "all")), "A-8")
    axe_revealed_leftover: str = option("armory", OneOf(("armory", "deck_bottom")), "A-9")
    draugr_after_strategy_reveal: str = option(
        "deck_bottom", OneOf(("deck_bottom", "armory", "graveyard", "one_to_hand")), "A-10"
    )
    draugr_loss_goes_to: str = option("graveyard", OneOf(("graveyard", "own_discard")), "A-11")
    last_stand_trigger: str = option(
        "last_card",
        OneOf(("last_card", "literal_lone_draugr", "empty", "fewer_than_two_in_hand")),
        "A-12",
    )
    short_hand: str = option(
        "main_only_then_draw", OneOf(("main_only_then_draw", "last_stand")), "A-13"
    )
    last_stand_unchosen: str = option("armory", OneOf(("armory", "deck_bottom")), "A-14")
    supports_without_battle: str = option(
        "back_to_hand", OneOf(("back_to_hand", "discard")), "A-15"
    )
    used_support_goes_to: str = option("own_discard", OneOf(("own_discard", "hand")), "A-15")
    hammer_support_stacks: bool = option(False, Switch(), "A-16")
    sword_support_timing: str = option(
        "before_involved_draw", OneOf(("before_involved_draw", "after")), "A-17"
    )
    battle_armory_draw: str = option("involved_only", OneOf(("involved_only", "all")), "A-18")
    five_draugr_value: int = option(3, Whole(1, 9), "VLLA-DRA-3 A-19")
    armory_trim: str = option(
        "newest_non_draugr_first",
        OneOf(("newest_non_draugr_first", "first_player_chooses")),
        "A-20",
    )
    wolf_support_choice: str = option("any_card", OneOf(("any_card", "top_card")), "A-21")
    victory_check: str = option("end_of_phase", OneOf(("end_of_phase", "immediate")), "A-22")
    all_out_in_battle: str = option(
        "everyone_loses", OneOf(("everyone_loses", "shared_win")), "A-22"
    )
    eliminated_cards: str = option("graveyard", OneOf(("graveyard", "shuffle_into_deck")), "A-23")
    deck_short: str = option(
        "reveal_what_is_left",
        OneOf(("reveal_what_is_left", "reshuffle_graveyard_without_draugr")),
        "A-24",
    )
    deity_allows_ignore: bool = option(True, Switch(), "A-26")
    deity_support_draugr_hits: str = option(
        "revealer", OneOf(("revealer", "involved", "both")), "A-27"
    )
    dares: str = option("off", OneOf(("off", "log_only")), "A-28")
    odds: bool = option(False, Switch(), "VLLA-DRA-1")  # shown on the page; no rule looks at it


OPTIONS = described(Options)

# There is one rule sheet; the expansion, the Golden Throne Trial, adds a player and cards.
EDITIONS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {"en": {}, "expansion": {"expansion": "true"}}
)


def cards_in_play(options: Options) -> Mapping[Card, int]:
    """VLLA-COMP-1 and -3, A-33: the 52, and with the expansion the twelve the group chose."""
    deities = options.deities if options.expansion else ()
    return deck_of(deities, by_name=options.clash_by == "by_name")


def most_seats(options: Options) -> int:
    """VLLA-COMP-2 and -3, A-25: a fifth seat comes with the expansion, or by agreement."""
    return 5 if options.expansion or options.max_players == "five" else 4
