"""Every objection the referee can make: its code, the rule it rests on, the facts it names."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from companion.core.game import Reason, Refused, reason
from companion.core.notation import Seat, words
from companion.games.odin import rules as odin
from companion.games.odin.rules.cards import GOAT, Card
from companion.games.odin.rules.objections import Code
from tests.strategies import objections, odin_setup, played

A, B, C, D = Seat.A, Seat.B, Seat.C, Seat.D


def card(text: str) -> Card:
    return Card.parse(words(text)[0])


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in words(text))


def final(code: Code, rule: str, **facts: object) -> Reason:
    """An objection the table cannot overrule."""
    return reason(code, rule, may_stand=False, **facts)


@dataclass(frozen=True, slots=True)
class Case:
    """What is said at a table, and everything there is against it."""

    name: str
    before: tuple[str, ...]
    says: str
    against: tuple[Reason, ...]
    seats: int = 2
    changes: dict[str, str] = field(default_factory=dict)


ONE_HAND = {"limit": "one_hand"}
WITH_GOAT = {"goat": "true"}
PAIR_BEATEN = ("deal A", "! A r1 r2", "B b3 b4")
OUT = ("deal A", "! A has 0")

CASES = (
    # when and who
    Case(
        "a play after the game",
        (*OUT, "count 0 9"),
        "A r1",
        (final(Code.GAME_OVER, "ODIN-END-1"),),
        changes=ONE_HAND,
    ),
    Case(
        "a deal after the game",
        (*OUT, "count 0 9"),
        "deal B",
        (final(Code.GAME_OVER, "ODIN-END-1"),),
        changes=ONE_HAND,
    ),
    Case(
        "a count after the game",
        (*OUT, "count 0 9"),
        "count 0 9",
        (final(Code.GAME_OVER, "ODIN-END-1"),),
        changes=ONE_HAND,
    ),
    Case(
        "a pass from an empty place",
        ("deal A",),
        "C pass",
        (final(Code.NOT_SEATED, "ODIN-COMP-4", seat=C),),
    ),
    Case(
        "a deal to an empty place",
        (),
        "deal D",
        (final(Code.NOT_SEATED, "ODIN-COMP-4", seat=D),),
        seats=3,
    ),
    Case("a play before the deal", (), "A r1", (final(Code.NO_HAND, "ODIN-SETUP-2"),)),
    Case("a size before the deal", (), "A has 9", (final(Code.NO_HAND, "ODIN-SETUP-2"),)),
    Case("a count before the deal", (), "count 0 9", (final(Code.NO_HAND, "ODIN-SCORE-1"),)),
    Case("a second deal", ("deal A",), "deal A", (reason(Code.HAND_RUNNING, "ODIN-NEXT-1"),)),
    Case(
        "a count too soon", ("deal A",), "count 9 9", (reason(Code.HAND_RUNNING, "ODIN-SCORE-1"),)
    ),
    Case("a pass after going out", OUT, "B pass", (final(Code.HAND_OVER, "ODIN-HEND-2", seat=A),)),
    Case(
        "a take after going out", OUT, "A take r1", (final(Code.HAND_OVER, "ODIN-HEND-2", seat=A),)
    ),
    Case(
        "a lead out of turn",
        ("deal A",),
        "B r1",
        (reason(Code.NOT_YOUR_TURN, "ODIN-SETUP-4", seat=B, to_move=A),),
    ),
    Case(
        "a play out of turn",
        ("deal A", "A r1"),
        "C r2",
        (reason(Code.NOT_YOUR_TURN, "ODIN-SETUP-4", seat=C, to_move=B),),
        seats=3,
    ),
    Case(
        "a pass out of turn by one who passed, with re-entry",
        ("deal A", "A r1", "B pass"),
        "B pass",
        (reason(Code.NOT_YOUR_TURN, "ODIN-SETUP-4", seat=B, to_move=C),),
        seats=3,
    ),
    Case(
        "another takes up",
        PAIR_BEATEN,
        "A take r1",
        (reason(Code.NOT_YOUR_TURN, "ODIN-TAKE-1", seat=A, to_move=B),),
    ),
    Case(
        "a play after a pass that was final",
        ("deal A", "A r1", "B pass", "C r2"),
        "B r3",
        (reason(Code.PASSED_ALREADY, "ODIN-PASS-2", seat=B, to_move=A),),
        seats=3,
        changes={"reenter_after_pass": "false"},
    ),
    Case(
        "a play before the take",
        PAIR_BEATEN,
        "A g9 g8",
        (reason(Code.TAKE_FIRST, "ODIN-TAKE-1", seat=B, cards=cards("r1 r2")),),
    ),
    Case(
        "a pass before the take, A-ODIN-16",
        PAIR_BEATEN,
        "B pass",
        (reason(Code.TAKE_FIRST, "ODIN-TAKE-1", seat=B, cards=cards("r1 r2")),),
    ),
    Case(
        "the same starter again",
        (*OUT, "count 0 9"),
        "deal A",
        (reason(Code.WRONG_STARTER, "ODIN-NEXT-2", seat=A, starter=B),),
    ),
    # leads and plays
    Case(
        "two cards led of nine",
        ("deal A",),
        "A r1 r2",
        (reason(Code.LEAD_ONE_CARD, "ODIN-LEAD-1", count=2, size=9),),
    ),
    Case(
        "a whole hand on the first lead",
        ("deal A", "! A shows r1 r5"),
        "A r1 r5",
        (reason(Code.WHOLE_HAND_NOT_YET, "ODIN-HEND-1", count=2),),
        changes={"whole_hand_lead_on_first_lead": "false"},
    ),
    Case(
        "one card of a hand that must be led whole",
        ("deal A", "! A shows r5 r1 r9"),
        "A r5",
        (reason(Code.WHOLE_HAND_FORCED, "ODIN-HEND-1", cards=cards("r9 r5 r1")),),
        changes={"whole_hand_lead": "forced"},
    ),
    Case(
        "a pass instead of a lead",
        ("deal A",),
        "A pass",
        (reason(Code.NO_PASS_ON_LEAD, "ODIN-LEAD-2", seat=A),),
    ),
    Case(
        "a whole hand that is no set",
        ("deal A", "! A shows r1 b5"),
        "A r1 b5",
        (reason(Code.NOT_A_SET, "ODIN-PLAY-3", cards=cards("r1 b5")),),
    ),
    Case(
        "neither one number nor one colour",
        ("deal A", "A k1"),
        "B r8 b9",
        (reason(Code.NOT_A_SET, "ODIN-PLAY-3", cards=cards("r8 b9")),),
    ),
    Case(
        "one card on two",
        ("deal A", "! A r1 r2"),
        "B r9",
        (reason(Code.TOO_FEW, "ODIN-PLAY-2", count=1, middle=2, most=3),),
    ),
    Case(
        "three cards on one",
        ("deal A", "A r1"),
        "B b1 b2 b3",
        (reason(Code.TOO_MANY, "ODIN-PLAY-2", count=3, most=2),),
    ),
    Case(
        "no higher",
        ("deal A", "! A r8 r2"),
        "B b8 b1",
        (reason(Code.TOO_LOW, "ODIN-PLAY-1", value=81, middle=82),),
    ),
    Case(
        "as high",
        ("deal A", "A r4"),
        "B b4",
        (reason(Code.TOO_LOW, "ODIN-PLAY-1", value=4, middle=4),),
    ),
    # takes
    Case(
        "a take before anything was led",
        ("deal A",),
        "A take r1",
        (final(Code.NOTHING_TO_TAKE, "ODIN-LEAD-3", seat=A),),
    ),
    Case(
        "a take after a lead",
        ("deal A", "A r1"),
        "A take r1",
        (final(Code.NOTHING_TO_TAKE, "ODIN-LEAD-3", seat=A),),
    ),
    Case(
        "a second take",
        ("deal A", "A r1", "B r2"),
        "B take r1",
        (final(Code.NOTHING_TO_TAKE, "ODIN-TAKE-1", seat=B),),
    ),
    Case(
        "one's own card",
        PAIR_BEATEN,
        "B take b3",
        (final(Code.TAKE_OWN, "ODIN-TAKE-1", card=card("b3")),),
    ),
    Case(
        "a card from elsewhere",
        PAIR_BEATEN,
        "B take g7",
        (final(Code.NOT_BEATEN, "ODIN-TAKE-1", card=card("g7"), cards=cards("r1 r2")),),
    ),
    # the census of cards
    Case(
        "a colour that is not in play",
        ("deal A",),
        "A p5",
        (final(Code.NOT_IN_DECK, "ODIN-COMP-2", card=card("p5")),),
        changes={"deck": "valhalla36"},
    ),
    Case(
        "the goat played without a goat",
        ("deal A",),
        "A goat",
        (final(Code.NOT_IN_DECK, "ODIN-COMP-3", card=GOAT),),
    ),
    Case(
        "the goat counted without a goat",
        OUT,
        "count 0 9 goat=B",
        (final(Code.NOT_IN_DECK, "ODIN-COMP-3", card=GOAT),),
    ),
    Case(
        "one card twice in a play",
        ("deal A", "A k1"),
        "B r2 r2",
        (final(Code.SAME_CARD_TWICE, "ODIN-COMP-1", cards=cards("r2 r2")),),
    ),
    Case(
        "one card twice in an open hand",
        ("deal A", "! A has 2"),
        "A shows r2 r2",
        (final(Code.SAME_CARD_TWICE, "ODIN-COMP-1", cards=cards("r2 r2")),),
    ),
    Case(
        "a card of the middle",
        ("deal A", "A r1"),
        "B r1 r2",
        (final(Code.ON_THE_TABLE, "ODIN-INV-4", card=card("r1")),),
    ),
    Case(
        "a card of the beaten set in an open hand",
        (*PAIR_BEATEN, "! A has 1"),
        "A shows r2",
        (final(Code.ON_THE_TABLE, "ODIN-INV-4", card=card("r2")),),
    ),
    Case(
        "a discarded card",
        ("deal A", "A r1", "B pass"),
        "A r1",
        (reason(Code.WAS_DISCARDED, "ODIN-INV-4", card=card("r1")),),
    ),
    Case(
        "a card another took up",
        ("deal A", "A r1", "B r2"),
        "A r1 b1",
        (reason(Code.HELD_BY_OTHER, "ODIN-INV-4", card=card("r1"), other=B),),
    ),
    Case(
        "a card that is not in an open hand",
        ("deal A", "! A shows r1 r2"),
        "A b7",
        (reason(Code.HAND_KNOWN, "ODIN-INV-4", seat=A, cards=cards("r2 r1")),),
    ),
    Case(
        "an open hand without the card taken up",
        ("deal A", "A r1", "B r2", "! B has 1"),
        "B shows g5",
        (reason(Code.HAND_KNOWN, "ODIN-INV-4", seat=B, cards=cards("r1")),),
    ),
    Case(
        "more cards than the hand has",
        ("deal A", "A r1", "! B has 1"),
        "B b2 b3",
        (reason(Code.HAND_TOO_SMALL, "ODIN-INV-1", seat=B, count=2, size=1),),
    ),
    # counting
    Case(
        "a size that is not the books'",
        ("deal A",),
        "B has 8",
        (reason(Code.SIZE_DIFFERS, "ODIN-SCORE-1", seat=B, size=8, books=9),),
    ),
    Case(
        "an open hand of another size",
        ("deal A",),
        "B shows r1 r2",
        (reason(Code.SIZE_DIFFERS, "ODIN-SCORE-1", seat=B, size=2, books=9),),
    ),
    Case(
        "a count that is not the books'",
        OUT,
        "count 1 7",
        (
            reason(Code.SIZE_DIFFERS, "ODIN-SCORE-1", seat=A, size=1, books=0),
            reason(Code.SIZE_DIFFERS, "ODIN-SCORE-1", seat=B, size=7, books=9),
        ),
    ),
    Case(
        "a hand larger than the rest of the deck",
        ("deal A", "A r1"),
        "B has 46",
        (final(Code.HAND_IMPOSSIBLE, "ODIN-COMP-1", seat=B, size=46),),
    ),
    Case(
        "a count larger than the deck",
        OUT,
        "count 0 55",
        (final(Code.HAND_IMPOSSIBLE, "ODIN-COMP-1", seat=B, size=55),),
    ),
    Case(
        "a count for another number of seats",
        OUT,
        "count 0 9 9",
        (final(Code.SEATS_DIFFER, "ODIN-SCORE-1", got=3, seats=2),),
    ),
    Case(
        "points for another number of seats",
        (),
        "carry 1 2",
        (final(Code.SEATS_DIFFER, "ODIN-SCORE-1", got=2, seats=3),),
        seats=3,
    ),
    Case(
        "the goat after it was discarded",
        ("deal A", "A goat", "B pass", "! B has 0"),
        "count 8 0 goat=A",
        (reason(Code.GOAT_ELSEWHERE, "ODIN-SCORE-2", seat=A),),
        changes=WITH_GOAT,
    ),
    Case(
        "the goat in an empty hand",
        OUT,
        "count 0 9 goat=A",
        (final(Code.GOAT_ELSEWHERE, "ODIN-SCORE-2", seat=A),),
        changes=WITH_GOAT,
    ),
    Case(
        "the goat in an empty place",
        OUT,
        "count 0 9 goat=C",
        (final(Code.GOAT_ELSEWHERE, "ODIN-SCORE-2", seat=C),),
        changes=WITH_GOAT,
    ),
    Case(
        "no goat though it was taken up",
        ("deal A", "A goat", "B r1", "! A has 0"),
        "count 0 9",
        (reason(Code.GOAT_MISSING, "ODIN-SCORE-2", seats=(B,)),),
        changes=WITH_GOAT,
    ),
    Case(
        "no goat though it was dealt, A-ODIN-12",
        OUT,
        "count 0 9 9",
        (reason(Code.GOAT_MISSING, "ODIN-SCORE-2", seats=(B, C)),),
        seats=3,
        changes={**WITH_GOAT, "goat_forced_into_a_hand": "true"},
    ),
    Case(
        "points brought along too late",
        ("deal A",),
        "carry 3 4",
        (final(Code.CARRY_TOO_LATE, "ODIN-SCORE-1"),),
    ),
    Case(
        "points brought along after a hand",
        (*OUT, "count 0 9"),
        "carry 3 4",
        (final(Code.CARRY_TOO_LATE, "ODIN-SCORE-1"),),
    ),
    Case(
        "points brought along from a game that was over",
        (),
        "carry 3 15",
        (final(Code.CARRY_TOO_HIGH, "ODIN-END-1", limit=15),),
    ),
    Case(
        "two cards taken",
        ("deal A", "! A r1 r2", "B b4 b3"),
        "B take r1 r2",
        (final(Code.TAKE_ONE, "ODIN-TAKE-1", seat=B, count=2),),
    ),
    Case(
        "playing cards of two suits",
        ("deal A", "A h1"),
        "B h5 d6",
        (reason(Code.NOT_A_SUIT, "ODIN-PLAY-3", cards=cards("h5 d6")),),
        changes={"deck": "valhalla36", "colours": "hearts diamonds spades clubs"},
    ),
    Case(
        "out without the goat that was dealt",
        ("deal A", "! A has 1", "! B shows r1"),
        "A r9",
        (reason(Code.GOAT_HELD, "ODIN-COMP-3", seat=A),),  # A-ODIN-12
        changes={"goat": "true", "goat_forced_into_a_hand": "true"},
    ),
    # several at once
    Case(
        "a pass instead of another's lead",
        ("deal A",),
        "B pass",
        (reason(Code.NOT_YOUR_TURN, "ODIN-SETUP-4", seat=B, to_move=A),),  # A leads, not B
    ),
    Case(
        "everything wrong with one play",
        ("deal A", "A r5", "B b6"),
        "D r5 b6 h3",
        (
            reason(Code.NOT_YOUR_TURN, "ODIN-SETUP-4", seat=D, to_move=C),
            reason(Code.HELD_BY_OTHER, "ODIN-INV-4", card=card("r5"), other=B),
            final(Code.ON_THE_TABLE, "ODIN-INV-4", card=card("b6")),
            final(Code.NOT_IN_DECK, "ODIN-COMP-2", card=card("h3")),
            reason(Code.NOT_A_SET, "ODIN-PLAY-3", cards=cards("r5 b6 h3")),
            reason(Code.TOO_MANY, "ODIN-PLAY-2", count=3, most=2),
        ),
        seats=4,
    ),
    Case(
        "another takes up a card that is not there",
        PAIR_BEATEN,
        "A take b3",
        (
            reason(Code.NOT_YOUR_TURN, "ODIN-TAKE-1", seat=A, to_move=B),
            final(Code.TAKE_OWN, "ODIN-TAKE-1", card=card("b3")),
        ),
    ),
    Case(
        "a low play of one card twice from too small a hand",
        ("deal A", "! A r9 r8", "! B has 1"),
        "B b1 b1",
        (
            final(Code.SAME_CARD_TWICE, "ODIN-COMP-1", cards=cards("b1 b1")),
            reason(Code.HAND_TOO_SMALL, "ODIN-INV-1", seat=B, count=2, size=1),
            reason(Code.TOO_LOW, "ODIN-PLAY-1", value=11, middle=98),
        ),
    ),
    Case(
        "an early count that is not the books'",
        ("deal A",),
        "count 9 8",
        (
            reason(Code.HAND_RUNNING, "ODIN-SCORE-1"),
            reason(Code.SIZE_DIFFERS, "ODIN-SCORE-1", seat=B, size=8, books=9),
        ),
    ),
    Case(
        "a deal to the wrong starter after the game",
        (*OUT, "count 0 9"),
        "deal A",
        (
            final(Code.GAME_OVER, "ODIN-END-1"),
            reason(Code.WRONG_STARTER, "ODIN-NEXT-2", seat=A, starter=B),
        ),
        changes=ONE_HAND,
    ),
    Case(
        "points brought along late, too high and for too few",
        ("deal A",),
        "carry 99",
        (
            final(Code.SEATS_DIFFER, "ODIN-SCORE-1", got=1, seats=2),
            final(Code.CARRY_TOO_LATE, "ODIN-SCORE-1"),
            final(Code.CARRY_TOO_HIGH, "ODIN-END-1", limit=15),
        ),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.against[0].rule} {case.name}")
def test_objections(case: Case) -> None:
    setup = odin_setup(case.seats, "en", **case.changes)
    state = played(odin, odin.start(setup), *case.before)
    action = odin.parse(case.says)
    assert objections(odin.judge(state, action)) == case.against
    lasting = tuple(each for each in case.against if not each.may_stand)
    assert objections(odin.let_stand(state, action)) == lasting


def test_every_objection_is_made_above() -> None:
    made = {each.code for case in CASES for each in case.against}
    assert made == set(Code)


def test_every_objection_has_its_own_code() -> None:
    assert len({code.value for code in Code}) == len(Code.__members__)


def test_a_refusal_stands_only_if_all_of_it_may() -> None:
    overruled = reason(Code.TOO_LOW, "ODIN-PLAY-1")
    assert Refused((overruled,)).can_stand
    assert not Refused((overruled, final(Code.TAKE_OWN, "ODIN-TAKE-1"))).can_stand
    with pytest.raises(ValueError, match="at least one reason"):
        Refused(())


def test_an_objection_reads_as_code_rule_and_facts() -> None:
    plain = reason(Code.TAKE_FIRST, "ODIN-TAKE-1", seat=B, cards=cards("r1 goat"))
    assert str(plain) == "take-first [ODIN-TAKE-1] (seat=B, cards=r1 goat)"
    assert str(reason(Code.HAND_RUNNING, "ODIN-NEXT-1")) == "hand-running [ODIN-NEXT-1]"
