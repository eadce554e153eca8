"""Whole games to the podium: after every step, on every screen, the verdict and what one does next
are in view. `make budgets` does the same with longer games."""

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
    settled(5),
)
SELDOM = {"valhal": (looking.LANDSCAPE, looking.ZOOMED)}
"""Valhal is long; these two are looked at in every phase of it."""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_verdict_and_next_action_are_in_view_after_every_step(
    browser: Browser, companion: Companion, game: Game
) -> None:
    looks = list(follow(browser, companion, game, SELDOM.get(game.name, ())))
    assert looks[-1].step == len(game.lines)
    assert {each.size for each in looks} == set(looking.SIZES)
    assert [each for each in looks if each.hidden] == []
