"""The odds against playing every throw of the dice through the referee, and against chance."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.notation.actions import FrontLine, Roll, TownRoll
from companion.games.valhal.rules.raid import solver as module
from companion.games.valhal.rules.raid.battle import attack_dice, row_of
from companion.games.valhal.rules.raid.odds import attack_odds, battle_odds
from companion.games.valhal.rules.raid.solver import Battle, Line, Unit, best_front, odds
from companion.games.valhal.rules.sheet.sheet import Row
from companion.games.valhal.rules.state import Happening, Held, Phase, State
from companion.games.valhal.rules.vocabulary import Stack
from tests.games.valhal.rules.tables import A, B, sailing, with_player
from tests.games.valhal.rules.test_vectors import told
from tests.strategies import accepted, played

WARRIORS = Unit("warriors", (2, 1), (1, 0), (1, 1))
VETERANS = Unit("veterans", (4, 2), (2, 1), (1, 1))
BERSERKIR = Unit("berserkir", (2, 1), (1, 0), (2, 1))
SIX = (1, 2, 3, 4, 5, 6)
GAMES = 1_000_000

Numbers = npt.NDArray[np.int64]


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
    lying = raid.attack is not None
    for mine in product(faces, repeat=0 if lying else attack_dice(state, raid)):
        rolled = state if lying else accepted(valhal.judge(state, Roll(A, mine)))
        for theirs in product(faces, repeat=row.dice):
            after = accepted(valhal.judge(rolled, TownRoll(theirs))) if theirs else rolled
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


ROUNDS = [
    (("3/5/1", "berserkir", "warriors"), ("A resolves attack+2", "A fronts warriors")),
    (("3/2/1 2/3/1", "warriors"), ("A resolves town-dice+1 damage+1",)),
    (("2/4/1* 3/4/1", "veterans", "warriors"), ("A resolves town-damage+2 dice+1",)),
    (("3/2/1", "warriors"), ("A rolls 3",)),
    (("3/3/1", "veterans", "warriors"), ("A fronts veterans", "A rolls 1 2")),
    (("3/3/1", "warriors"), ("A resolves battle:attack+1 town-attack-2", "A rolls 1")),
]


@pytest.mark.parametrize(("units", "lines"), ROUNDS, ids=lambda each: " ".join(each)[-40:])
def test_the_round_that_is_fought_now(units: tuple[str, ...], lines: tuple[str, ...]) -> None:
    """VHAL-BAT-15: what counts for one round, and dice that lie, are in the odds."""
    state = replace(played(valhal, fight(*units, faces="1 2 3"), *lines), notes=())
    found = battle_odds(state)
    assert found is not None
    assert (found.win, found.losses) == brute(state)


def test_dice_that_decide() -> None:
    state = with_player(fight("3/2/1", "warriors"), B, kept=(Held(Stack.BENEVOLENCE, "b1"),))
    state = played(valhal, state, "A rolls 3", "town rolls 3")
    assert state.phase is Phase.STRIKE
    found, after = battle_odds(state), battle_odds(played(valhal, state, "strike"))
    assert found is not None
    assert after is not None
    assert (found.win, found.losses) == (after.win, after.losses)


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


def test_fixed_parts_are_as_good_as_fractions(monkeypatch: pytest.MonkeyPatch) -> None:
    small = Battle((WARRIORS, VETERANS), (1, 1), (Row(5, 6, 2),), 5, SIX)
    exact = best_front(small)
    monkeypatch.setattr(module, "EXACT_POSITIONS", 0)
    near = best_front.__wrapped__(small)  # what was reckoned before is remembered
    assert near.win != exact.win
    assert abs(near.win - exact.win) < Fraction(1, 10**50)
    assert abs(near.losses - exact.losses) < Fraction(1, 10**50)
    assert near.front == exact.front


# Against chance: a million battles at once, by the rules and not by the odds

HORDE = Battle((WARRIORS,), (9,), (Row(13, 16, 6), Row(9, 12, 5)), 13, SIX)
SHIELD = Battle(
    (WARRIORS, VETERANS),
    (7, 0),
    (Row(13, 18, 6), Row(4, 16, 8, falls=True), Row(13, 12, 4)),
    13,
    SIX,
    overflow=False,
)
MIXED = Battle((WARRIORS, VETERANS, BERSERKIR), (3, 2, 2), (Row(9, 18, 5), Row(8, 14, 5)), 9, SIX)


def test_a_horde_of_one_kind() -> None:
    _agree(HORDE, best_front(HORDE), None)


def test_a_shield_before_others() -> None:
    """Who stands in front is given, and those behind are alike: nothing has to be chosen."""
    _agree(SHIELD, odds(SHIELD, Line(1, 0, VETERANS.hp[0])), 1)


def test_whoever_is_best_steps_forward() -> None:
    """Only which unit steps forward is taken from the odds."""
    _agree(MIXED, best_front(MIXED), None)


def _agree(battle: Battle, found: module.Odds, front: int | None) -> None:
    """Four standard errors are allowed."""
    assert 0.05 < found.win < 0.95, "the example shows little"
    won, lost = Chance(battle, front).fought()
    for seen, exact in ((won, found.win), (lost, found.losses)):
        error = float(seen.std()) / GAMES**0.5
        assert abs(float(seen.mean()) - float(exact)) < 4 * error


class Chance:
    """Every battle is an entry of each array; `front` is -1 where nobody stands there."""

    def __init__(self, battle: Battle, front: int | None) -> None:
        self.rng = np.random.default_rng(4)
        self.battle, self.solver = battle, module._Solver(battle)
        self.seen: dict[tuple[int, ...], int] = {}
        self.hps = np.array([unit.hp for unit in battle.units])
        self.bases = np.array([unit.base for unit in battle.units])
        self.dices = np.array([unit.dice for unit in battle.units])
        rows = [(row.hp, row.base, row.dice, int(row.falls)) for row in battle.rows]
        self.rows = np.array([*rows, (0, 0, 0, 0)])
        self.behind = np.tile(battle.behind, (GAMES, 1))
        self.front, self.side, self.hp, self.row, self.surplus, self.lost = np.zeros(
            (6, GAMES), dtype=np.int64
        )
        self.town = np.full(GAMES, battle.hp)
        if front is None:
            self._step_forward(np.arange(GAMES))
        else:
            self.front[:], self.hp[:] = front, self.hps[front, 0]

    def fought(self) -> tuple[Numbers, Numbers]:
        going = np.arange(GAMES)
        while going.size:
            self._round(going)
            over = (self.row[going] == len(self.battle.rows)) | (self.front[going] < 0)
            going = going[~over]
        left = (self.front >= 0) | self.behind.any(axis=1)
        return (left & (self.row == len(self.battle.rows))).astype(np.int64), self.lost

    def _round(self, at: Numbers) -> None:
        front, side, behind = self.front[at], self.side[at], self.behind[at]
        _, base, dice, falls = self.rows[self.row[at]].T
        mine = self.bases[front, side] + behind @ self.bases[:, 0]
        mine += self._rolled(self.dices[front, side] + behind @ self.dices[:, 0])
        margin = mine - base - self._rolled(dice)
        self.town[at] -= np.maximum(margin, 0)
        down = at[(self.town[at] <= 0) | (falls == 1)]
        self.row[down] += 1
        self.town[down] = self.rows[self.row[down], 0]
        self.surplus[at] = np.maximum(-margin, 0)
        hit = at[margin < 0]
        while hit.size:
            hit = self._hit(hit)

    def _rolled(self, dice: Numbers) -> Numbers:
        total = np.zeros(dice.size, dtype=np.uint8)
        for die in range(int(dice.max(initial=0))):
            total += self.rng.integers(1, 7, dice.size, dtype=np.uint8) * (die < dice)
        return total.astype(np.int64)

    def _hit(self, at: Numbers) -> Numbers:
        """One side of the front-line unit takes what it can; those where damage is left over."""
        taken = np.minimum(self.surplus[at], self.hp[at])
        self.surplus[at] -= taken
        self.hp[at] -= taken
        gone = at[self.hp[at] == 0]
        turned, fallen = gone[self.side[gone] == 0], gone[self.side[gone] == 1]
        self.side[turned], self.hp[turned] = 1, self.hps[self.front[turned], 1]
        if not self.battle.overflow:
            self.surplus[turned] = 0
        self.lost[fallen] += 1
        self.front[fallen] = -1
        more = self.behind[fallen].any(axis=1) & (self.row[fallen] < len(self.battle.rows))
        self._step_forward(fallen[more])
        return at[(self.surplus[at] > 0) & (self.front[at] >= 0)]

    def _step_forward(self, at: Numbers) -> None:
        kinds = (self.behind[at] > 0).argmax(axis=1)
        torn = (self.behind[at] > 0).sum(axis=1) > 1
        kinds[torn] = self._chosen(at[torn])
        self.front[at], self.side[at], self.hp[at] = kinds, 0, self.hps[kinds, 0]
        self.behind[at, kinds] -= 1

    def _chosen(self, at: Numbers) -> Numbers:
        """Tables that look alike choose alike."""
        tables = np.column_stack([self.behind[at], self.row[at], self.town[at], self.surplus[at]])
        keys = tables @ 128 ** np.arange(tables.shape[1])
        _, first, which = np.unique(keys, return_index=True, return_inverse=True)
        best = [self._best(tuple(map(int, table))) for table in tables[first]]
        return np.array(best, dtype=np.int64)[which]

    def _best(self, table: tuple[int, ...]) -> int:
        if table not in self.seen:
            *behind, row, town, surplus = table
            worth = []
            for kind, rest in self.solver.fronts(tuple(behind)):
                wins, losses = self.solver._entering(self.solver.block(kind, 0, rest, row))
                worth.append((wins[town][surplus], -losses[town][surplus], kind))
            self.seen[table] = max(worth, key=lambda each: each[:2])[2]
        return self.seen[table]
