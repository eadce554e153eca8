"""The first year of two Jarls with a copy nobody has described yet: every number is told when the
books ask for it, and nothing is asked twice."""

from __future__ import annotations

from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.settlement.clerk import warnings
from companion.games.valhal.rules.state import Happening, Phase
from companion.games.valhal.rules.vocabulary import Season
from tests.games.valhal.rules.tables import A, B, check, codes, food, setup
from tests.strategies import played

SUMMER = (
    "first A",
    *(f"sheet town.v{number}.level village" for number in (1, 2, 3, 4)),
    *("lay v1", "lay v2", "lay v3", "laid"),
    *("A rolls 4", "B rolls 4", "B rolls 2", "A rolls 5"),
    *("A attacks v1 with warriors on 1", "B stays"),
)


def test_the_first_year() -> None:
    state = played(valhal, valhal.start(setup()), *SUMMER)
    assert (state.phase, state.asks) == (Phase.ASK, ("town.v1", "unit.warriors"))
    assert codes(state, "A rolls 3") == ["asked-first"]
    state = played(valhal, state, "sheet town.v1.rows 2/1/1", "sheet unit.warriors.dice 1 1")

    # a wounded unit, then victory, glory, and food that is placed at once
    state = played(valhal, state, "A rolls 1", "town rolls 3")
    assert Happening.WOUNDED in [note.what for note in state.notes]
    state = played(valhal, state, "A rolls 5", "town rolls 1")
    assert state.asks == ("town.v1.glory", "town.v1.loot")
    state = played(valhal, state, "sheet town.v1.glory 2", "sheet town.v1.loot lesser")
    state = played(valhal, state, "A draws l4", "sheet card.lesser.l4 food+2 wood+1")
    assert (state.players[A].glory, state.players[A].food) == (2, food("ttt-"))
    assert state.players[A].units == ("warriors",)
    state = played(valhal, state, "lay v4", "sheet town.f1.level fortified-village", "lay f1")
    state = played(valhal, state, "laid")
    assert state.sheet.spaces[0] == 2

    # a coin and a token: two quarter turns
    state = played(valhal, state, "A builds warriors with coin iron", "B builds longboat with coin")
    assert [str(each) for each in warnings(state)] == [
        "number-asked [VHAL-COM-2] (seat=B, path=build.longboat.stages)"
    ]
    state = played(valhal, state, "A agrees", "B agrees")
    assert state.asks == ("build.longboat", "gift.turn")
    state = played(valhal, state, "sheet build.longboat.stages 4", "sheet gift.turn coins")
    assert (state.season, state.first, state.year) == (Season.WINTER, B, 1)
    assert [player.projects[0].left for player in state.players] == [1, 3]

    # a winter without enough food
    state = played(valhal, state, "event e9", "sheet card.event.e9 text A raven passes by")
    assert state.phase is Phase.COMMISSION
    state = played(valhal, state, "A pays warriors with coin", "B pays longboat with coin")
    assert codes(state, "B agrees") == ["not-provided"]
    state = played(valhal, state, "B feeds winter-1", "A agrees")
    assert codes(state, "agree") == ["not-provided"]
    state = played(valhal, state, "B withdraws longboat", "B unfeeds winter-1", "agree")
    assert state.players[A].units == ("warriors", "warriors")
    assert (state.season, state.players[A].food) == (Season.SPRING, food("----"))
    assert state.players[B].projects[0].left == 3

    # spring, and the next summer begins with an event
    state = played(valhal, state, "event e9", "agree")
    assert (state.season, state.year, state.first) == (Season.SUMMER, 2, B)
    state = played(valhal, state, "event e9")
    assert (state.phase, state.waiting) == (Phase.ROLL, (B, A))
    check(state)
