"""Every objection the referee of Valhal can make, what the season clerk warns of, and doubts."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    # when and who
    GAME_OVER = "game-over"
    NOT_SEATED = "not-seated"
    NOT_NOW = "not-now"
    ASKED_FIRST = "asked-first"
    SETTLE_FIRST = "settle-first"
    NOT_YOUR_TURN = "not-your-turn"
    NOT_YOURS_TO_DO = "not-yours-to-do"
    # the sheet and the books
    SHEET_CONTRADICTS = "sheet-contradicts"
    COUNT_DIFFERS = "count-differs"
    # setting up and the Mainland
    SPECIAL_TAKEN = "special-taken"
    LEVEL_UNKNOWN = "level-unknown"
    LEVEL_WRONG = "level-wrong"
    LEVEL_USED_UP = "level-used-up"
    TOWN_ON_TABLE = "town-on-table"
    TOWN_OUT = "town-out"
    MAINLAND_FULL = "mainland-full"
    MAINLAND_SHORT = "mainland-short"
    REMOVE_COUNT = "remove-count"
    # food
    AGREED = "agreed"
    SPACE_TAKEN = "space-taken"
    FOOD_BLOCKED = "food-blocked"
    NO_FOOD_STORED = "no-food-stored"
    TOKEN_STAYS = "token-stays"
    NOTHING_THERE = "nothing-there"
    NOT_PROVIDED = "not-provided"
    # projects
    CANNOT_PAY = "cannot-pay"
    WRONG_TOKEN = "wrong-token"
    TOO_MUCH_PAID = "too-much-paid"
    BUILT_ALREADY = "built-already"
    SITE_TAKEN = "site-taken"
    NO_PROJECT = "no-project"
    NO_BLACKSMITH = "no-blacksmith"
    NO_UNIT_TO_UPGRADE = "no-unit-to-upgrade"
    UNIT_UNNAMED = "unit-unnamed"
    UNIT_NEEDLESS = "unit-needless"
    UNUSABLE = "unusable"
    SUPPLY_EMPTY = "supply-empty"
    AGREED_NOT = "agreed-not"
    # sacrifices
    SACRIFICE_PLANNED = "sacrifice-planned"
    ALTAR_UNDER_WAY = "altar-under-way"
    ALTAR_MISSING = "altar-missing"
    RUNESTONE_CLOSED = "runestone-closed"
    LAST_SPACE = "last-space"
    # cards
    NOT_KEPT = "not-kept"
    HOURGLASS = "hourglass"
    NO_SUCH_LOT = "no-such-lot"
    NOT_CARRIED_OUT = "not-carried-out"
    CHANGES_NOTHING = "changes-nothing"
    STACK_NOT_DUE = "stack-not-due"
    NOT_TO_GIVE = "not-to-give"
    TOKEN_OUT = "token-out"
    TOKEN_OWNED = "token-owned"
    CONDITION_SEEN = "condition-seen"
    # Vikingfahrt
    ONE_DIE = "one-die"
    NOT_A_FACE = "not-a-face"
    NOT_ON_MAINLAND = "not-on-mainland"
    HEIDRUN_TWICE = "heidrun-twice"
    HEIDRUN_ALONE = "heidrun-alone"
    UNIT_NOT_HOME = "unit-not-home"
    BOATS_NOT_HOME = "boats-not-home"
    BOAT_EMPTY = "boat-empty"
    BOATS_FULL = "boats-full"
    CANNOT_INVITE = "cannot-invite"
    # battle
    NO_SUCH_FIGHTER = "no-such-fighter"
    DICE_COUNT = "dice-count"
    DICE_LIE = "dice-lie"
    # the clerk
    OVERPAID = "overpaid"
    RESTS = "rests"
    FOOD_GOES = "food-goes"
    DISPLAY_FULL = "display-full"
    SUPPLY_SHORT = "supply-short"
    NUMBER_ASKED = "number-asked"
    GLORY_FULL = "glory-full"
    # doubts
    CARD_AGAIN = "card-again"
