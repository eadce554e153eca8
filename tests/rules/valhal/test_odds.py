"""The odds against playing every throw of the dice through the referee, and against chance."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from companion.rules import valhal
from companion.rules.valhal import odds as module
from companion.rules.valhal.actions import FrontLine, Roll, TownRoll
from companion.rules.valhal.battle import attack_dice, row_of
from companion.rules.valhal.odds import (
    Battle,
    Line,
    Unit,
    attack_odds,
    battle_odds,
    best_front,
    odds,
)
from companion.rules.valhal.sheet import Row
from companion.rules.valhal.state import Happening, Phase, State
from tests.rules.valhal.tables import A, sailing, with_player
from tests.rules.valhal.test_vectors import told
from tests.strategies import accepted, played

WARRIORS = Unit("warriors", (2, 1), (1, 0), (1, 1))
VETERANS = Unit("veterans", (4, 2), (2, 1), (1, 1))
BERSERKIR = Unit("berserkir", (2, 1), (1, 0), (2, 1))
SIX = (1, 2, 3, 4, 5, 6)


def fight(rows: str, *units: str, faces: str = "1 2 3", **changes: Any) -> State:
    state = with_player(sailing(**changes), A, units=tuple(sorted(units)), boats=len(units))
    state = told(state, f"town.v1.rows {rows}", "town.v1.loot none", f"dice.faces {faces}")
    sent = f"A attacks v1 with {' '.join(sorted(units))} on {len(units)}"
    return played(valhal, state, sent, "B stays")


@cache
def brute(state: State) -> tuple[Fraction, Fraction]:
    """Every throw, judged by the rules themselves; rounds that change nothing are left out."""
    if state.phase is Phase.FRONT:
        raid = state.raids[0]
        names = {fighter.name for fighter in raid.forces[0].fighters}
        chosen = (accepted(valhal.judge(state, FrontLine(A, name))) for name in names)
        return max((_counted(state, after) for after in chosen), key=lambda v: (v[0], -v[1]))
    raid = state.raids[0]
    row = row_of(state, raid)
    assert row is not None
    faces = state.sheet.faces
    outcomes: list[tuple[Fraction, Fraction]] = []
    for mine in product(faces, repeat=attack_dice(state, raid)):
        rolled = accepted(valhal.judge(state, Roll(A, mine)))
        for theirs in product(faces, repeat=row.dice):
            after = accepted(valhal.judge(rolled, TownRoll(theirs)))
            same = after.raids and replace(after.raids[0], rounds=raid.rounds) == raid
            if not same:
                outcomes.append(_counted(state, after))
    if not outcomes:
        return Fraction(0), Fraction(0)
    win, losses = zip(*outcomes, strict=True)
    return sum(win, Fraction(0)) / len(win), sum(losses, Fraction(0)) / len(losses)


def _counted(before: State, after: State) -> tuple[Fraction, Fraction]:
    """What an action led to, with the units it cost."""
    lost = sum(note.what is Happening.DEFEATED for note in after.notes)
    if any(note.what is Happening.VICTORY for note in after.notes):
        return Fraction(1), Fraction(lost)
    if not after.raids:
        return Fraction(0), Fraction(lost)
    quiet = replace(after, notes=(), raids=(replace(after.raids[0], rounds=0),))
    quiet = with_player(quiet, A, glory=0)
    win, losses = brute(quiet)
    return win, losses + lost


FIGHTS = [
    (("2/1/1", "warriors"), {}),
    (("3/2/1", "warriors"), {}),
    (("3/2/1 1/2/1", "warriors"), {}),
    (("2/3/1", "warriors", "warriors"), {}),
    (("2/5/1 2/4/1", "veterans", "warriors"), {}),
    (("2/4/1* 3/4/1", "veterans", "warriors"), {}),
    (("2/6/1*", "warriors", "warriors"), {}),
    (("3/5/1", "berserkir", "warriors"), {}),
    (("3/5/1", "berserkir", "warriors"), {"overflow_to_wounded_side": "false"}),
    (("2/9/0", "warriors"), {}),
]


@pytest.mark.parametrize(("units", "changes"), FIGHTS, ids=" ".join)
def test_every_throw(units: tuple[str, ...], changes: dict[str, str]) -> None:
    state = replace(fight(*units, faces="1 2 3", **changes), notes=())
    found = battle_odds(state)
    assert found is not None
    assert (found.win, found.losses) == brute(state)


def test_the_best_front() -> None:
    state = fight("4/5/2", "veterans", "warriors", faces="1 2 3 4 5 6")
    best = battle_odds(state)
    assert best is not None
    for name in ("veterans", "warriors"):
        fronted = battle_odds(played(valhal, state, f"A fronts {name}"))
        assert fronted is not None
        assert fronted.win <= best.win
        assert (fronted.win == best.win) == (name == best.front)


def test_before_an_attack() -> None:
    state = fight("4/5/2", "veterans", "warriors", faces="1 2 3 4 5 6")
    assert attack_odds(state, "v1", ("veterans", "warriors")) == battle_odds(state)
    assert attack_odds(state, "nowhere", ("warriors",)) is None
    assert attack_odds(state, "v1", ()) is None
    inviting = sailing("A attacks v1 with warriors on 1 inviting B")
    assert battle_odds(inviting) is None


def test_no_end_in_sight() -> None:
    """Equal for ever: nobody wins, nothing is lost."""
    battle = Battle((replace(WARRIORS, dice=(0, 0)),), (0,), (Row(3, 1, 0),), 3, SIX)
    assert odds(battle, Line(0, 0, 2)).win == 0


HARD = Battle((WARRIORS, VETERANS, BERSERKIR), (2, 2, 1), (Row(9, 9, 3), Row(6, 9, 3)), 9, SIX)


def test_fixed_parts_are_as_good_as_fractions(monkeypatch: pytest.MonkeyPatch) -> None:
    small = Battle((WARRIORS, VETERANS), (1, 1), (Row(5, 6, 2),), 5, SIX)
    exact = best_front(small)
    monkeypatch.setattr(module, "EXACT_POSITIONS", 0)
    near = best_front(small)
    assert near.win != exact.win
    assert abs(near.win - exact.win) < Fraction(1, 10**50)
    assert abs(near.losses - exact.losses) < Fraction(1, 10**50)
    assert near.front == exact.front


def test_against_chance() -> None:
    """The best line as the odds see it, played by dice; four deviations are allowed."""
    rng = random.Random(4)
    battle = Battle((WARRIORS, VETERANS), (1, 1), (Row(6, 8, 2), Row(3, 8, 2)), 6, SIX)
    found = best_front(battle)
    games = 20000
    wins = sum(_played_out(battle, found.front, rng) for _ in range(games))
    deviation = (float(found.win) * (1 - float(found.win)) / games) ** 0.5
    assert abs(wins / games - float(found.win)) < 4 * deviation


@dataclass
class Standing:
    unit: Unit
    hp: int
    side: int = 0

    def attack(self, rng: random.Random) -> int:
        return self.unit.base[self.side] + sum(rng.choices(SIX, k=self.unit.dice[self.side]))


def _played_out(battle: Battle, front: str, rng: random.Random) -> bool:
    """Two units, so the only choice is who stands in front first."""
    order = sorted(battle.units, key=lambda unit: unit.name != front)
    line = [Standing(unit, unit.hp[0]) for unit in order]
    rows = list(battle.rows)
    hp = rows[0].hp
    while line and rows:
        town = rows[0].base + sum(rng.choices(SIX, k=rows[0].dice))
        margin = sum(each.attack(rng) for each in line) - town
        hp -= max(0, margin)
        if hp <= 0:
            rows = rows[1:]
            hp = rows[0].hp if rows else 0
        while margin < 0 and line:
            taken = min(line[0].hp, -margin)
            margin += taken
            line[0].hp -= taken
            if line[0].hp == 0 and line[0].side == 0:
                line[0] = Standing(line[0].unit, line[0].unit.hp[1], 1)
            elif line[0].hp == 0:
                line = line[1:]
    return not rows
