"""Asking changes nothing: a game in which every number is told only when the books ask for it goes
exactly as one whose sheet was full from the start; and a sheet that is changed in the middle of
anything leaves the books whole."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given

from companion.core.game import Accepted, Setup
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.notation.actions import Achieve, Entry
from companion.games.valhal.rules.sheet.filling import filled
from companion.games.valhal.rules.sheet.sheet import RULEBOOK
from companion.games.valhal.rules.sheet.writing import entries, told
from companion.games.valhal.rules.state import State
from tests.games.valhal.rules.tables import (
    SHEET,
    begun,
    check,
    random_game,
    random_position,
    seeds,
    setups,
)
from tests.strategies import accepted, examples

TOLD = dict(entries(SHEET))
LAID_OUT = tuple(
    path for path in TOLD if path.endswith(".level") or path[:4] in ("main", "box.", "dice")
)


def undescribed(chosen: Setup) -> State:
    """Only what lies open before the first card is drawn."""
    sheet = RULEBOOK
    for path in LAID_OUT:
        sheet = filled(sheet, path, tuple(TOLD[path].split()))
    return replace(begun(chosen), sheet=sheet)


def answered(state: State) -> State:
    while state.asks:
        path = state.asks[0]
        state = accepted(valhal.judge(state, Entry(path, tuple(told(SHEET, path).split()))))
    return state


@given(chosen=setups(), seed=seeds)
@examples(25, shrink=False)
def test_asking_changes_nothing(chosen: Setup, seed: int) -> None:
    asking = undescribed(chosen)
    for _, action, full in random_game(begun(chosen), seed, 250):
        assert not isinstance(action, Achieve)
        asking = answered(accepted(valhal.judge(asking, action)))
        alike = replace(asking, sheet=SHEET, notes=full.notes)
        assert _numbered(alike, full) == full


def _numbered(state: State, full: State) -> State:
    """Projects whose number was not told yet have the one the full sheet gives them."""
    players = []
    for mine, theirs in zip(state.players, full.players, strict=True):
        projects = tuple(
            replace(each, left=other.left) if each.left is None else each
            for each, other in zip(mine.projects, theirs.projects, strict=True)
        )
        players.append(replace(mine, projects=projects))
    return replace(state, players=tuple(players))


ODD = (
    "unit.warriors.hp 1 1", "unit.veterans.hp 1 6", "unit.warriors.base 0 0", "dice.faces 0 1",
    "build.longboat.stages 1", "build.warriors.saw 0", "town.v1.rows 1/0/1",
    "town.v2.rows 13/21/3*", "town.v1.level town", "town.f1.level village", "town.v3.loot none",
    "glory.max 7",
    "favour.wrath 1 2 3", "favour.change 1 2", "fast.change 1 2", "achievement.longboats.group 4",
    "mainland.2 1", "mainland.3 9", "box.village 12", "card.lesser.l1 nothing",
    "card.event.e1 activated favour+1 | glory+1",
)  # fmt: skip


@given(chosen=setups(), seed=seeds)
@examples(40, shrink=False)
def test_a_sheet_changed_in_the_middle(chosen: Setup, seed: int) -> None:
    rng = random.Random(seed)
    state = random_position(begun(chosen), seed, rng.randrange(200))
    for entry in rng.sample(ODD, 6):
        if state.over:
            break
        verdict = valhal.let_stand(state, valhal.parse(f"sheet {entry}"))
        assert isinstance(verdict, Accepted)
        state = verdict.state
        check(state)
        for _, _, after in random_game(state, seed, 15):
            check(after)
            state = after
