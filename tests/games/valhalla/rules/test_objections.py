"""Every objection the referee can make, with its rule and its facts."""

from __future__ import annotations

import pytest

from companion.core.game import Reason, Refused, reason
from companion.games.valhalla import rules as valhalla
from companion.games.valhalla.rules.cards import Card
from companion.games.valhalla.rules.codes import Code
from companion.games.valhalla.rules.state import Phase, State
from tests.games.valhalla.rules.tables import TURN, A, B, C, E, arranged, cards, check, setup, table
from tests.strategies import accepted, objections, played

H, S, X, W = Card.HAMMER, Card.SWORD, Card.AXE, Card.WOLF


def acting(*lines: str, **changes: str) -> State:
    """C and D clashed; A and B have yet to act."""
    reveals = ("A reveals axe wolf", "B reveals hammer wolf", "C reveals sword axe")
    start = valhalla.start(setup(4, **changes))
    return played(valhalla, start, *TURN, *reveals, "D reveals sword axe", *lines)


def two(*lines: str, **changes: str) -> State:
    """A and B laid an Axe and a Hammer."""
    start = valhalla.start(setup(2, **changes))
    return played(valhalla, start, *TURN, "A reveals axe wolf", "B reveals hammer wolf", *lines)


def clash(*lines: str, **changes: str) -> State:
    start = valhalla.start(setup(2, **changes))
    return played(valhalla, start, *TURN, "A reveals axe wolf", "B reveals axe wolf", *lines)


def hit() -> State:
    return two("A draws draugr draugr")


def spoils() -> State:
    return clash(*["armory hammer"] * 4)


def stand(*, deck: str | None = None) -> State:
    """A is about to make a last stand, then B."""
    start = arranged(table(), hands={A: "axe", B: "axe"})
    state = played(valhalla, start, *TURN, "A reveals axe", "B reveals axe", "armory draugr")
    state = played(valhalla, state, *["armory wolf"] * 3)
    return state if deck is None else arranged(state, deck=deck)


def deity(**changes: str) -> State:
    start = arranged(valhalla.start(setup(2, "expansion", **changes)), hands={A: "deity axe wolf"})
    return played(valhalla, start, *TURN, "A reveals deity axe", "B reveals sword axe")


def turning() -> State:
    hands = {A: "axe deity", B: "sword deity"}
    start = arranged(valhalla.start(setup(2, "expansion")), hands=hands)
    lines = ("A reveals axe deity", "B reveals sword deity", "A passes", "B passes")
    return played(valhalla, start, *TURN, *lines)


def wolves(**changes: str) -> State:
    state = arranged(two(**changes), piles={A: "sword hammer", B: "sword"})
    return played(valhalla, state, "A passes", "B passes")


def trim() -> State:
    state = arranged(two(armory_trim="first_player_chooses"), armory="draugr hammer " + "axe " * 4)
    return played(valhalla, state, "A passes", "B passes")


def over() -> State:
    return played(valhalla, stand(), "A stands draugr axe axe", "B stands wolf axe axe keeps axe")


def fixed(code: Code, rule: str, /, **facts: object) -> Reason:
    return reason(code, rule, may_stand=False, **facts)


def open_hand() -> State:
    """A holds a Draugr, a Sword and an Axe."""
    start = valhalla.start(setup(2, draugr_after_strategy_reveal="one_to_hand"))
    return arranged(start, hands={A: "draugr sword axe"})


CASES: list[tuple[State, str, Reason]] = [
    # when and who
    (over(), "A ready", fixed(Code.GAME_OVER, "VLLA-WIN-1")),
    (table(), "E ready", fixed(Code.NOT_SEATED, "VLLA-COMP-2", seat=E)),
    (
        played(
            valhalla,
            arranged(table(seats=3, short_hand="last_stand"), hands={A: "axe"}),
            "first A",
            "A stands draugr axe axe",
        ),
        "A ready",
        fixed(Code.SEAT_OUT, "VLLA-DRA-2", seat=A),
    ),
    (table(), "A ready", fixed(Code.NOT_NOW, "VLLA-STR-1", phase=Phase.FIRST)),
    (table("first A"), "first B", fixed(Code.NOT_NOW, "VLLA-SETUP-1", phase=Phase.SELECT)),
    (
        table("first A", "A ready"),
        "A reveals axe wolf",
        fixed(Code.NOT_NOW, "VLLA-STR-2", phase=Phase.SELECT),
    ),
    (spoils(), "A declares axe on B", fixed(Code.NOT_NOW, "VLLA-STR-5", phase=Phase.SPOILS)),
    (spoils(), "armory axe", fixed(Code.NOT_NOW, "VLLA-BAT-3", phase=Phase.SPOILS)),
    (hit(), "B draws", fixed(Code.SETTLE_FIRST, "VLLA-DRA-1", seats=(A,))),
    (two(), "B draws", reason(Code.NOT_YOUR_TURN, "VLLA-STR-4", seat=B, to_move=A)),
    (spoils(), "B takes hammer", reason(Code.NOT_YOUR_TURN, "VLLA-BAT-6", seat=B, to_move=A)),
    (
        stand(),
        "B stands axe axe sword keeps axe",
        reason(Code.NOT_YOUR_TURN, "VLLA-DRA-2", seat=B, to_move=A),
    ),
    (turning(), "B turns axe", reason(Code.NOT_YOUR_TURN, "VLLA-DEI", seat=B, to_move=A)),
    (wolves(), "B fetches sword", reason(Code.NOT_YOUR_TURN, "VLLA-WOL", seat=B, to_move=A)),
    (trim(), "B returns axe", fixed(Code.NOT_YOURS_TO_DO, "VLLA-ARM-2", seat=B)),
    (table("first A", "A ready"), "A ready", fixed(Code.DONE_ALREADY, "VLLA-STR-1", seat=A)),
    (
        table(*TURN, "A reveals axe wolf"),
        "A reveals axe wolf",
        fixed(Code.DONE_ALREADY, "VLLA-STR-2", seat=A),
    ),
    (
        clash(),
        "A passes",
        fixed(Code.NOTHING_TO_PASS, "VLLA-STR-4", seat=A, phase=Phase.BATTLE),
    ),
    (hit(), "A passes", reason(Code.MUST_DO, "VLLA-DRA-1", seat=A, phase=Phase.LOSS)),
    (stand(), "A passes", reason(Code.MUST_DO, "VLLA-DRA-2", seat=A, phase=Phase.STAND)),
    (turning(), "A passes", reason(Code.MUST_DO, "VLLA-DEI", seat=A, phase=Phase.SUPPORT)),
    (spoils(), "A passes", reason(Code.MUST_DO, "VLLA-BAT-6", seat=A, phase=Phase.SPOILS)),
    (wolves(), "A passes", reason(Code.MUST_DO, "VLLA-WOL", seat=A, phase=Phase.WOLF)),
    # select and reveal
    (
        played(valhalla, arranged(table(), hands={A: ""}), "first A"),
        "A ready",
        fixed(Code.NOTHING_TO_LAY, "VLLA-STR-1", seat=A),
    ),
    (
        played(valhalla, arranged(table(), hands={A: ""}), *TURN),
        "A reveals axe",
        fixed(Code.NOTHING_TO_LAY, "VLLA-STR-2", seat=A),
    ),
    (table(*TURN), "A reveals axe draugr", fixed(Code.DRAUGR_LAID, "VLLA-STR-1", seat=A)),
    (
        played(valhalla, arranged(table(), hands={A: "axe"}), *TURN),
        "A reveals axe wolf",
        fixed(Code.TOO_MANY_LAID, "VLLA-STR-1", seat=A, due=1),
    ),
    (table(*TURN), "A reveals axe", reason(Code.SUPPORT_MISSING, "VLLA-STR-1", seat=A)),
    # strategy
    (acting(), "C draws", reason(Code.CLASHED, "VLLA-STR-3", seat=C)),
    (two("A draws"), "A draws", reason(Code.ACTED_ALREADY, "VLLA-STR-4", seat=A)),
    (
        two(strategy_action="mandatory"),
        "A passes",
        reason(Code.MUST_ACT, "VLLA-STR-4", seat=A),
    ),
    (
        two(),
        "A declares sword on B",
        fixed(Code.NOT_THE_MAIN, "VLLA-STR-6", seat=A, card=S),
    ),
    (
        table(*TURN, "A reveals wolf axe", "B reveals hammer axe"),
        "A declares wolf on B",
        fixed(Code.WOLF_WAITS, "VLLA-WOL", seat=A),
    ),
    (two(), "A declares axe shuffles", fixed(Code.SHUFFLE_NEEDLESS, "VLLA-DEI", card=X)),
    (two(), "A declares axe", fixed(Code.TARGET_MISSING, "VLLA-STR-5", card=X)),
    (
        deity(),
        "A declares deity on B",
        fixed(Code.TARGET_NEEDLESS, "VLLA-DEI", card=Card.DEITY),
    ),
    (two(), "A declares axe on E", fixed(Code.TARGET_OUT, "VLLA-STR-5", seat=E)),
    (two(), "A declares axe on A", reason(Code.TARGET_SELF, "VLLA-STR-5", seat=A, card=X)),
    (acting(), "A declares axe on C", reason(Code.TARGET_CLASHED, "VLLA-STR-5", seat=C, card=X)),
    (
        two("A draws"),
        "B declares hammer on A",
        reason(Code.TARGET_ACTED, "VLLA-STR-5", seat=A, card=H),
    ),
    (
        played(valhalla, deity(), "A draws"),
        "A declares deity",
        reason(Code.DEITY_LATE, "VLLA-DEI", seat=A),
    ),
    (
        arranged(two("B declares hammer on A"), armory="axe"),
        "A takes axe",
        reason(Code.MUST_DRAW, "VLLA-HAM", seat=A),
    ),
    (two("B declares hammer on A"), "A passes", reason(Code.MUST_DRAW, "VLLA-HAM", seat=A)),
    # drawing
    (arranged(two(), deck=""), "A draws", fixed(Code.DECK_EMPTY, "VLLA-STR-4a")),
    (
        two(),
        "A draws draugr draugr draugr",
        fixed(Code.TOO_MANY_DRAWN, "VLLA-STR-4a", got=3, due=2),
    ),
    (
        two("A declares axe on B", "A draws"),
        "B draws",
        reason(Code.MUST_SHOW, "VLLA-AXE", seat=B, got=0, due=2),
    ),
    (
        two(),
        "A draws draugr",
        reason(Code.SHOWN_WRONG, "VLLA-STR-4a", seat=A, cards=cards("draugr"), kept=1),
    ),
    (
        two("B declares hammer on A"),
        "A draws draugr draugr",
        reason(Code.SHOWN_WRONG, "VLLA-HAM", seat=A, cards=cards("draugr draugr"), kept=1),
    ),
    (
        two("A declares axe on B", "A draws"),
        "B draws axe wolf keeps sword",
        fixed(Code.KEEPS_UNSHOWN, "VLLA-STR-4a", cards=(S,)),
    ),
    (
        two("A declares axe on B", "A draws"),
        "B draws axe draugr keeps draugr",
        fixed(Code.KEEPS_DRAUGR, "VLLA-STR-4a", seat=B),
    ),
    (
        two("A declares axe on B", "A draws"),
        "B draws axe sword",
        reason(Code.KEEPS_WRONG, "VLLA-STR-4a", seat=B, got=0, due=1),
    ),
    (
        two(),
        "A draws axe sword keeps axe",
        reason(Code.KEEPS_WRONG, "VLLA-STR-4a", seat=A, got=1, due=0),
    ),
    (
        two("B declares hammer on A", hammer_draw="keep_all"),
        "A draws draugr",
        reason(Code.KEEPS_WRONG, "VLLA-HAM", seat=A, got=None, due=1),
    ),
    # the armory
    (spoils(), "A takes axe", fixed(Code.NOT_IN_ARMORY, "VLLA-ARM-1", card=X)),
    (trim(), "A returns wolf", fixed(Code.NOT_IN_ARMORY, "VLLA-ARM-2", card=W)),
    (
        arranged(two(), armory="draugr"),
        "A takes draugr",
        fixed(Code.DRAUGR_STAYS, "VLLA-BAT-5"),
    ),
    (trim(), "A returns draugr", fixed(Code.DRAUGR_STAYS, "VLLA-ARM-3")),
    # losses and last stands
    (hit(), "B loses axe from hand", fixed(Code.NO_LOSS_DUE, "VLLA-DRA-1", seat=B)),
    (
        hit(),
        "A loses axe from discard",
        fixed(Code.NOT_IN_DISCARD, "VLLA-DRA-1", seat=A, card=X),
    ),
    (wolves(), "A fetches axe", fixed(Code.NOT_IN_DISCARD, "VLLA-WOL", seat=A, card=X)),
    (
        hit(),
        "A loses sword from table",
        fixed(Code.NOT_ON_TABLE, "VLLA-DRA-1", seat=A, card=S),
    ),
    (
        played(valhalla, arranged(two(), hands={A: ""}, piles={A: "axe"}), "A draws draugr draugr"),
        "A loses sword from hand",
        fixed(Code.HAND_EMPTY, "VLLA-DRA-1", seat=A),
    ),
    (hit(), "A loses axe from table", reason(Code.TABLE_LAST, "VLLA-DRA-1", seat=A)),
    (
        played(
            valhalla,
            arranged(two(draugr_loss_goes_to="own_discard"), piles={A: "axe"}),
            "A draws draugr draugr",
        ),
        "A loses axe from discard",
        reason(Code.HAND_FIRST, "VLLA-DRA-1", seat=A),
    ),
    (hit(), "A loses draugr from hand", fixed(Code.DRAUGR_IN_HAND, "VLLA-DRA-1", seat=A)),
    (
        played(valhalla, stand(), "! A passes"),
        "A stands axe axe axe keeps axe",
        fixed(Code.NO_STAND_DUE, "VLLA-DRA-2", seat=A),
    ),
    (stand(), "A stands axe axe keeps axe", fixed(Code.STAND_COUNT, "VLLA-DRA-2", got=2, due=3)),
    (
        stand(),
        "A stands axe axe sword",
        fixed(Code.STAND_KEEPS, "VLLA-DRA-2", seat=A, survives=True),
    ),
    (
        stand(),
        "A stands axe axe sword keeps wolf",
        fixed(Code.STAND_KEEPS, "VLLA-DRA-2", seat=A, survives=True),
    ),
    (
        stand(),
        "A stands draugr axe sword keeps axe",
        fixed(Code.STAND_KEEPS, "VLLA-DRA-2", seat=A, survives=False),
    ),
    # the end of the turn
    (
        wolves(wolf_support_choice="top_card"),
        "A fetches sword",
        reason(Code.TOP_ONLY, "VLLA-WOL", seat=A, card=H),
    ),
    # the census of cards
    (clash(), "armory deity", fixed(Code.NOT_IN_GAME, "VLLA-COMP-3", card=Card.DEITY)),
    (
        table(*TURN),
        "A reveals axe freyja",
        fixed(Code.NOT_IN_GAME, "VLLA-COMP-3", card=Card.FREYJA),
    ),
    (
        arranged(clash(), armory="draugr " * 8),
        "armory draugr",
        fixed(Code.NONE_LEFT, "VLLA-COMP-1", card=Card.DRAUGR, copies=8, left=0),
    ),
    (
        arranged(clash(), armory="hammer " * 10),
        "armory hammer",
        fixed(Code.NONE_LEFT, "VLLA-COMP-1", card=H, copies=12, left=0),
    ),
    (
        arranged(two(), deck="draugr draugr draugr"),
        "A draws",
        fixed(Code.ONLY_DRAUGR_LEFT, "VLLA-COMP-1", got=1, left=0),
    ),
    (
        arranged(two(), deck="draugr draugr draugr"),
        "A draws",
        reason(Code.SHOWN_WRONG, "VLLA-STR-4a", seat=A, cards=(), kept=1),
    ),
    (
        table(*TURN),
        "A reveals axe axe",
        reason(Code.HAND_KNOWN, "VLLA-COMP-1", seat=A, cards=cards("hammer sword axe wolf")),
    ),
    (open_hand(), "A shows sword axe axe", fixed(Code.DRAUGR_IN_HAND, "VLLA-STR-4a", seat=A)),
    (table(), "A has 5", reason(Code.SIZE_DIFFERS, "VLLA-STR-1", seat=A, size=5, books=4)),
    (table(), "A has 99", fixed(Code.HAND_IMPOSSIBLE, "VLLA-COMP-1", seat=A, size=99)),
    (
        table(),
        "A shows hammer sword axe axe",
        reason(Code.HAND_KNOWN, "VLLA-COMP-1", seat=A, cards=cards("hammer sword axe wolf")),
    ),
    # dares
    (deity(), "B dares A", fixed(Code.DARES_OFF, "VLLA-DARE-1")),
    (deity(dares="log_only"), "B dares B", fixed(Code.DARE_SELF, "VLLA-DARE-1", seat=B)),
    (deity(dares="log_only"), "B dares A", reason(Code.NOTHING_TO_DARE, "VLLA-DARE-1", seat=A)),
    (deity(dares="log_only"), "B dares E", fixed(Code.NOT_SEATED, "VLLA-COMP-2", seat=E)),
    (deity(dares="log_only"), "A declines", fixed(Code.NO_DARE, "VLLA-DARE-1", seat=A)),
]


@pytest.mark.parametrize(("state", "line", "objection"), CASES, ids=lambda each: str(each)[:40])
def test_an_objection(state: State, line: str, objection: Reason) -> None:
    action = valhalla.parse(line)
    assert objection in objections(valhalla.judge(state, action))
    stood = valhalla.let_stand(state, action)
    if isinstance(stood, Refused):
        assert not any(each.may_stand for each in stood.reasons)
    else:
        check(accepted(stood))


def test_every_code_is_exercised() -> None:
    assert {each.code for _, _, each in CASES} == set(Code)


def test_only_draugr_are_left_though_a_hand_hides_another() -> None:
    """One Sword is nowhere to be seen; it is in A's hand, so the deck has Draugr only."""
    state = played(valhalla, two(), "A draws", "B passes")
    state = arranged(state, deck="sword draugr draugr draugr")
    assert state.players[A].hidden == 1
    assert state.deck == 3
    state = played(valhalla, state, "ready", "A reveals axe sword", "B reveals axe sword")
    assert state.phase is Phase.BATTLE
    verdict = valhalla.judge(state, valhalla.parse("armory sword"))
    assert [each.code for each in objections(verdict)] == [Code.ONLY_DRAUGR_LEFT]
    assert [str(move) for move in valhalla.actions(state)] == ["armory draugr"]
    assert str(valhalla.expected(state)) == "armory draugr"
