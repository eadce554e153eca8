"""Every objection the referee of Valhalla can make."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    # when and who
    GAME_OVER = "game-over"
    NOT_SEATED = "not-seated"
    SEAT_OUT = "seat-out"
    NOT_NOW = "not-now"
    SETTLE_FIRST = "settle-first"
    NOT_YOUR_TURN = "not-your-turn"
    NOT_YOURS_TO_DO = "not-yours-to-do"
    DONE_ALREADY = "done-already"
    NOTHING_TO_PASS = "nothing-to-pass"
    MUST_DO = "must-do"
    # select and reveal
    NOTHING_TO_LAY = "nothing-to-lay"
    DRAUGR_LAID = "draugr-laid"
    TOO_MANY_LAID = "too-many-laid"
    SUPPORT_MISSING = "support-missing"
    # strategy
    CLASHED = "clashed"
    ACTED_ALREADY = "acted-already"
    MUST_ACT = "must-act"
    NOT_THE_MAIN = "not-the-main"
    WOLF_WAITS = "wolf-waits"
    TARGET_MISSING = "target-missing"
    TARGET_NEEDLESS = "target-needless"
    SHUFFLE_NEEDLESS = "shuffle-needless"
    TARGET_OUT = "target-out"
    TARGET_SELF = "target-self"
    TARGET_CLASHED = "target-clashed"
    TARGET_ACTED = "target-acted"
    DEITY_LATE = "deity-late"
    MUST_DRAW = "must-draw"
    # drawing
    DECK_EMPTY = "deck-empty"
    TOO_MANY_DRAWN = "too-many-drawn"
    MUST_SHOW = "must-show"
    SHOWN_WRONG = "shown-wrong"
    KEEPS_UNSHOWN = "keeps-unshown"
    KEEPS_DRAUGR = "keeps-draugr"
    KEEPS_WRONG = "keeps-wrong"
    # the armory
    NOT_IN_ARMORY = "not-in-armory"
    DRAUGR_STAYS = "draugr-stays"
    # losses and last stands
    NO_LOSS_DUE = "no-loss-due"
    NOT_IN_DISCARD = "not-in-discard"
    NOT_ON_TABLE = "not-on-table"
    HAND_EMPTY = "hand-empty"
    TABLE_LAST = "table-last"
    HAND_FIRST = "hand-first"
    NO_STAND_DUE = "no-stand-due"
    STAND_COUNT = "stand-count"
    STAND_KEEPS = "stand-keeps"
    # the end of the turn
    TOP_ONLY = "top-only"
    # the census of cards
    NOT_IN_GAME = "not-in-game"
    NONE_LEFT = "none-left"
    ONLY_DRAUGR_LEFT = "only-draugr-left"
    HAND_KNOWN = "hand-known"
    DRAUGR_IN_HAND = "draugr-in-hand"
    SIZE_DIFFERS = "size-differs"
    HAND_IMPOSSIBLE = "hand-impossible"
    # dares
    DARES_OFF = "dares-off"
    DARE_SELF = "dare-self"
    NOTHING_TO_DARE = "nothing-to-dare"
    NO_DARE = "no-dare"
