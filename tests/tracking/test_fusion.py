"""Many looks at one card make one opinion: surer than each, and never too sure."""

from __future__ import annotations

import pytest

from companion.tabletop.observations import Odds
from companion.tracking.fusion import FusedOdds

CLEAR: Odds = (("r7", 0.95), ("b7", 0.04))
UNSURE: Odds = (("r7", 0.6), ("b7", 0.35))
OTHERWISE: Odds = (("b7", 0.6), ("r7", 0.35))
BLANK: Odds = ()


def after(*looks: Odds) -> dict[str | int, float]:
    evidence = FusedOdds()
    for look in looks:
        evidence = evidence.heard(look)
    return dict(evidence.odds)


def best(*looks: Odds) -> str | int:
    return next(iter(after(*looks)))


def test_nobody_has_looked() -> None:
    assert FusedOdds().odds == ()


def test_one_look_is_nearly_believed() -> None:
    """A little less is left over: what was found may be none of the known ones."""
    odds = after(CLEAR)
    assert odds["r7"] == pytest.approx(0.95, abs=0.02)
    assert sum(odds.values()) < 1.0 + 1e-9


def test_looks_that_agree_are_surer_than_one() -> None:
    assert after(UNSURE)["r7"] < after(UNSURE, UNSURE)["r7"] < after(*[UNSURE] * 4)["r7"]


def test_staring_makes_nothing_clearer() -> None:
    assert after(*[UNSURE] * 4)["r7"] == pytest.approx(after(*[UNSURE] * 400)["r7"])
    assert after(*[UNSURE] * 400)["r7"] < 0.8


def test_looks_that_disagree_leave_it_open() -> None:
    odds = after(UNSURE, OTHERWISE)
    assert odds["r7"] == pytest.approx(odds["b7"])


@pytest.mark.parametrize(
    ("looks", "label"),
    [
        ((CLEAR, OTHERWISE), "r7"),
        ((OTHERWISE, OTHERWISE, UNSURE), "b7"),
        ((CLEAR, BLANK), "r7"),
        ((BLANK, BLANK, BLANK, CLEAR), "r7"),
        (((("k2", 0.9),), (("k2", 0.9),), CLEAR), "k2"),
    ],
)
def test_what_the_looks_say_together(looks: tuple[Odds, ...], label: str) -> None:
    assert best(*looks) == label


def test_a_look_that_reads_nothing_says_little_against_a_label() -> None:
    seen, then_nothing = after(CLEAR, CLEAR)["r7"], after(CLEAR, CLEAR, BLANK)["r7"]
    contradicted = after(CLEAR, CLEAR, (("b7", 0.95),)).get("r7", 0.0)
    assert contradicted < then_nothing <= seen
    guessed = after(CLEAR, (("b7", 0.01),))
    assert guessed["r7"] > 6 * guessed["b7"], "nor does it name another by hardly guessing it"


def test_no_look_rules_a_label_out_for_good() -> None:
    assert after((("b7", 1.0),), *[CLEAR] * 6)["r7"] > 0.3


def test_the_order_of_looks_does_not_matter() -> None:
    assert after(CLEAR, OTHERWISE, UNSURE) == pytest.approx(after(UNSURE, CLEAR, OTHERWISE))


def test_odds_come_likeliest_first_and_not_too_many() -> None:
    many: Odds = tuple((f"r{number}", 0.1) for number in range(1, 10))
    odds = FusedOdds().heard(many).heard(UNSURE).odds
    assert [p for _, p in odds] == sorted((p for _, p in odds), reverse=True)
    assert len(odds) == 8


def test_evidence_is_a_value() -> None:
    first = FusedOdds().heard(CLEAR)
    first.heard(OTHERWISE)
    assert first == FusedOdds().heard(CLEAR)
    assert (first.looks, first.heard(CLEAR).looks) == (1, 2)
