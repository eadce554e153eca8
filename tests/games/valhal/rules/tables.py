"""Tables of Valhal for tests, with the sheet of a copy that does not exist: every number the
rulebook's pictures hide is made up here.

Lines of notation set a table up; a line that begins with `!` is refused and the table lets it
stand.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from companion.core.game import Setup
from companion.core.notation import Seat
from companion.core.options import Whole
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.following import candidates
from companion.games.valhal.rules.notation.actions import (
    Agree,
    Disagree,
    Roll,
    TownRoll,
    Unfeed,
    Use,
    Withdraw,
)
from companion.games.valhal.rules.objections import objections as refusals
from companion.games.valhal.rules.options import steps_to_win
from companion.games.valhal.rules.raid.battle import attack_dice, hp_left, row_of, side
from companion.games.valhal.rules.settlement.books import SUPPLY, in_use
from companion.games.valhal.rules.sheet.filling import sheet_from
from companion.games.valhal.rules.sheet.sheet import RULEBOOK, Sheet
from companion.games.valhal.rules.state import Phase, Player, Raid, State, boats_of, units_of
from companion.games.valhal.rules.vocabulary import SPACES, Fill, Kind, Season
from tests.strategies import NAMES, accepted, objections, option_texts, played

A, B, C, D = Seat.A, Seat.B, Seat.C, Seat.D
MOST_STEPS = 400  # a game need not end; this is as long as a random one is watched


def _towns() -> dict[str, Any]:
    """Six Villages, eleven Fortified Villages, six Towns, one Fortified Town."""
    kinds = (
        ("v", 6, "village", "2/0/1", 2, "lesser"),
        ("f", 11, "fortified-village", "2/1/1 1/1/1", 3, "lesser larger"),
        ("t", 6, "town", "3/4/2 2/4/2*", 4, "larger"),
        ("c", 1, "fortified-town", "4/6/2 3/6/2", 6, "greater larger"),
    )
    return {
        f"{letter}{number}": {
            "level": level,
            "rows": rows,
            "glory": glory,
            "loot": loot,
            "ability": "none",
        }
        for letter, count, level, rows, glory, loot in kinds
        for number in range(1, count + 1)
    }


COPY: dict[str, Any] = {
    "unit": {
        "warriors": {"dice": "1 1"},
        "veterans": {"base": "2 1", "dice": "1 1"},
        "berserkir": {"hp": "2 1", "base": "1 0", "dice": "2 1", "ability": "none"},
        **{
            f"special-{n}": {
                "hp": "3 1",
                "base": "1 1",
                "dice": "1 1",
                "text": "odd",
                "ability": "none",
            }
            for n in (2, 3, 4)
        },
    },
    "build": {
        "warriors": {"saw": 2, "anvil": 1},
        "longboat": {"stages": 3, "saw": 2},
        "warehouse": {"stages": 4, "saw": 0},
        "granary": {"stages": 3, "saw": 2},
        "blacksmith": {"stages": 4, "saw": 3},
        "altar": {"stages": 3, "saw": 2},
        "veterans": {"stages": 2, "saw": 1},
    },
    "town": _towns(),
    "card": {
        "event": {
            "e1": "coins+1",
            "e2": "food-1 | coins-1",
            "e3": "famine:winter",
            "e4": "block",
            "e5": "unusable:longboat later:spring:food+2",
            "e6": "hourglass wrath+1",
            "e7": "hull-1",
        },
        "benevolence": {
            "b1": "activated reroll text Heimdall's protecting Hand",
            "b2": "activated coins+2",
            "b3": "activated favour+1 | glory+3",
            "b4": "food+2 warriors+1",
            "b5": "activated nothing",
            "b6": "veterans+1",
        },
        "wrath": {
            "w1": "coins-2",
            "w2": "warriors-1 | longboat-1",
            "w3": "favour-1",
            "w4": "glory-1",
        },
        "lesser": {
            "l1": "coins+2",
            "l2": "copies:3 food+1 wood+1",
            "l3": "iron+1 benevolence+1",
            "l4": "favour+1",
        },
        "larger": {"r1": "favour+1", "r2": "longboat+1 coins+1"},
        "greater": {"g1": "favour+2", "g2": "warriors+1 glory+2"},
    },
    "favour": {"wrath": "3", "change": "2 4"},
    "fast": {"wrath": "2", "change": "1 3"},
    "glory": {"max": 20},
    "achievement": {
        "longboats": {"group": 2},
        "double": {"group": 2},
        "blessed": {"group": 2},
        "fourth": {"group": 2, "text": "read it on Yggdrasil"},
        "fifth": {"group": 3, "text": "the fifth"},
        "sixth": {"group": 4, "text": "the sixth"},
        "seventh": {"group": 4, "text": "the seventh"},
    },
    "mainland": {"2": 3, "3": 4, "4": 5},
    "box": {"village": 6, "fortified-village": 11, "town": 6, "fortified-town": 1},
    "final": {"marker": "sacrifice token"},
    "gift": {"turn": "coins", "defeat": "glory"},
    "longhouse": {"food": "stock"},
    "copy": {"edition": "second"},
}
SHEET: Sheet = sheet_from(COPY, RULEBOOK)


def setup(seats: int = 2, edition: str = "en", **changes: str) -> Setup:
    return Setup("valhal", NAMES[:seats], edition, tuple(changes.items()))


def fresh(seats: int = 2, **changes: str) -> State:
    """Nothing has happened yet; the sheet is filled in."""
    return begun(setup(seats, **changes))


def fallow(seats: int = 2, **changes: str) -> State:
    """Nothing has happened, and nothing is known of the copy but what the rulebook says."""
    return valhal.start(setup(seats, **changes))


def table(*lines: str, seats: int = 2, **changes: str) -> State:
    return played(valhal, fresh(seats, **changes), *lines)


LAID = ("first A", "lay v1", "lay v2", "lay v3")


def sailing(*lines: str, seats: int = 2, **changes: str) -> State:
    """The first summer; A chooses first, the others clockwise."""
    laid = [*LAID, "lay v4", "lay v5"][: {2: 4, 3: 5, 4: 6}[seats]]
    rolls = [f"{seat} rolls {6 if seat is A else 1}" for seat in tuple(Seat)[:seats]]
    return table(*laid, *rolls, *lines, seats=seats, **changes)


def commissioning(*lines: str, seats: int = 2, **changes: str) -> State:
    """The first summer, nobody has sailed; the Mainland is laid anew."""
    state = sailing(seats=seats, **changes)
    while state.phase is Phase.CHOOSE:
        state = played(valhal, state, f"{state.queue[0]} stays")
    if state.phase is Phase.HEIDRUN:
        state = played(valhal, state, "heidrun v1")
    return played(valhal, _laid(state), *lines)


def _laid(state: State) -> State:
    while state.phase is Phase.LAYING:
        state = accepted(valhal.judge(state, next(iter(valhal.actions(state)))))
    return state


def with_player(state: State, seat: Seat, **fields: Any) -> State:
    players = list(state.players)
    players[seat] = replace(players[seat], **fields)
    return replace(state, players=tuple(players))


def in_season(state: State, season: str) -> State:
    return replace(state, season=type(state.season)(season))


def food(text: str) -> tuple[Fill, ...]:
    """Four words for the four spaces, or letters: t, c, g and a dash."""
    letters = {"t": Fill.TOKEN, "c": Fill.COIN, "g": Fill.GRANARY, "-": Fill.EMPTY}
    return tuple(letters[letter] for letter in text)


def codes(state: State, line: str) -> list[str]:
    return [str(each.code) for each in objections(valhal.judge(state, valhal.parse(line)))]


def rules(state: State, line: str) -> list[str]:
    return [str(each) for each in objections(valhal.judge(state, valhal.parse(line)))]


# What always holds


def check(state: State) -> None:
    """Within supplies, spaces, tracks and bounds."""
    for seat in state.seats:
        _check_player(state, state.players[seat])
        lent = any(project.given for project in state.players[seat].projects)
        assert units_of(state, seat) or boats_of(state, seat) or lent or state.over or state.asks
    if state.options.supply_limited == "strict":
        for thing, count in SUPPLY.items():
            assert in_use(state, thing) <= count, thing
    for raid in state.raids:
        _check_raid(state, raid)
    assert len({owner.token for owner in state.owners}) == len(state.owners)
    assert len(set(state.mainland)) == len(state.mainland)
    assert state.heidrun not in state.mainland
    assert not set(state.removed) & set(state.mainland)
    assert all(each is None or each >= 0 for each in state.stack)
    assert valhal.standing(state).over == (state.phase is Phase.OVER) == state.over
    if state.over:
        assert state.winner in state.seats


def _check_player(state: State, player: Player) -> None:
    assert min(player.coins, player.iron, player.wood, player.larder) >= 0
    assert 0 <= player.glory <= (state.sheet.glory_max or 99)
    assert 0 <= player.favour <= steps_to_win(state.options)
    assert 0 <= player.damaged <= player.boats
    assert len(player.food) == len(SPACES)
    covered = player.unused(Kind.GRANARY, Season.WINTER)  # VHAL-CARD-5: food lies on its token
    assert (Fill.GRANARY in player.food or covered) >= (Kind.GRANARY in player.buildings)
    assert (Fill.GRANARY in player.food) <= (Kind.GRANARY in player.buildings)
    assert len(set(player.buildings)) == len(player.buildings)
    sites = [project.site for project in player.projects]
    assert len(set(sites)) == len(sites)
    for project in player.projects:
        assert project.kind not in player.buildings
        assert project.left is None or 1 <= project.left <= 4
    assert list(player.units) == sorted(player.units)


def _check_raid(state: State, raid: Raid) -> None:
    rows = state.sheet.town(raid.town).rows
    row = row_of(state, raid)
    assert rows is None or raid.row <= len(rows)
    assert row is None or 0 <= raid.hurt < row.hp <= 13
    for force in raid.forces:
        assert 0 <= force.damaged <= force.boats
        for fighter in force.fighters:
            assert 1 <= hp_left(state, fighter) <= (side(state, fighter).hp or 6) <= 6
    if raid.front is not None:
        force = next(each for each in raid.forces if each.seat is raid.front.seat)
        assert raid.front.at < len(force.fighters)


# Random games

seeds = st.integers(0, 2**32 - 1)


@st.composite
def setups(draw: st.DrawFn, seats: int | None = None) -> Setup:
    seats = draw(st.integers(2, 4)) if seats is None else seats
    kinds = {option.name: option.kind for option in valhal.OPTIONS}
    named = draw(st.sets(st.sampled_from(sorted(kinds))))
    texts = {
        name: option_texts(kind) if not isinstance(kind, Whole) else st.sampled_from(_wholes(kind))
        for name, kind in kinds.items()
    }
    return setup(seats, **{name: draw(texts[name]) for name in sorted(named)})


def _wholes(kind: Whole) -> list[str]:
    return [*(str(n) for n in range(kind.least, min(kind.most, 8) + 1)), *kind.words]


def begun(chosen: Setup) -> State:
    state = replace(valhal.start(chosen), sheet=SHEET)
    return replace(state, stack=SHEET.box) if len(chosen.names) == 4 else state


def move(state: State, rng: random.Random) -> valhal.Action | None:
    """A move, or a card "when activated"; without listing all the dice there are."""
    if (use := _use(state, rng)) is not None:
        return use
    if state.phase is Phase.BATTLE and rng.random() < 0.95:
        return _dice(state, rng)
    if state.phase is Phase.COMMISSION and rng.random() < 0.5:
        waiting: list[valhal.Action] = [
            Agree(seat) for seat in state.seats if not state.players[seat].agreed
        ]
        agreeable = [agree for agree in waiting if not any(refusals(state, agree))]
        back = [each for each in candidates(state) if isinstance(each, Withdraw)]
        stuck: list[valhal.Action] = [each for each in back if not any(refusals(state, each))]
        if agreeable or stuck:
            return rng.choice(agreeable or stuck)
    moves: list[valhal.Action] = list(candidates(state))
    if rng.random() < 0.98:  # rarely two steps back
        moves = [each for each in moves if not isinstance(each, Disagree | Unfeed)]
    rng.shuffle(moves)
    return next((each for each in moves if not any(refusals(state, each))), None)


def _use(state: State, rng: random.Random) -> valhal.Action | None:
    kept = [(seat, held) for seat in state.seats for held in state.players[seat].kept]
    if state.over or not kept or rng.random() > 0.1:
        return None
    seat, held = rng.choice(kept)
    use = Use(seat, held.name)
    return None if any(refusals(state, use)) else use


def _dice(state: State, rng: random.Random) -> valhal.Action:
    raid = state.raids[0]
    row = row_of(state, raid)
    dice = attack_dice(state, raid) if raid.attack is None else row.dice if row else 0
    rolled = tuple(rng.choice(state.sheet.faces) for _ in range(dice))
    return Roll(raid.seats[0], rolled) if raid.attack is None else TownRoll(rolled)


def random_game(
    start: State, seed: int, most: int = MOST_STEPS
) -> Iterator[tuple[State, valhal.Action, State]]:
    """A game by the rules, to its end or as long as it is watched; it never gets stuck."""
    rng = random.Random(seed)
    state = start
    for _ in range(most):
        action = move(state, rng)
        if action is None:
            assert state.over, f"stuck in {state.phase}: {state}"
            return
        after = accepted(valhal.judge(state, action))
        yield state, action, after
        state = after


def random_position(start: State, seed: int, steps: int) -> State:
    state = start
    for _, _, after in random_game(start, seed, steps):
        if not after.over:
            state = after
    return state
