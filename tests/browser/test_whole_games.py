"""Whole games to the podium: after every step, on every screen, the verdict and what one does next
are in view. Of Valhal, which is long, each kind of step is looked at a few times; `make budgets`
looks at every step of longer games on every screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser import looking
from tests.browser.conftest import Companion
from tests.browser.whole_games import Game, follow, played, settled

pytestmark = pytest.mark.browser
GAMES: tuple[Game, ...] = (
    played("odin", 5, ("limit", "3"), ("hand_size", "3")),
    played("valhalla", 37),
    settled(10),
)
OFTEN = {looking.PHONE, looking.TOUCH_SCREEN}
SELDOM = {"valhal": set(looking.SIZES) - OFTEN}
"""These are looked at in every phase of it, and at its end."""
ENOUGH = {"valhal": 3}
"""Looks at each kind of step."""
LEAST = {"valhal": 40}
"""Steps that are looked at; of the other games, all."""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_verdict_and_next_action_are_in_view_to_the_podium(
    browser: Browser, companion: Companion, game: Game
) -> None:
    seldom, enough = SELDOM.get(game.name, ()), ENOUGH.get(game.name)
    looks = list(follow(browser, companion, game, seldom, enough))
    assert looks[-1].step == len(game.lines)
    assert len({each.step for each in looks}) >= LEAST.get(game.name, len(game.lines) + 1)
    assert {each.size for each in looks} == set(looking.SIZES)
    assert [each for each in looks if each.hidden] == []
