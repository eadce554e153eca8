"""Short whole games, to the podium: on every screen the verdict and what one does next are in view.
`make budgets` does the same with long games, and looks after every step."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Companion
from tests.browser.whole_games import Game, follow, played, settled

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_verdict_and_next_action_are_in_view_to_the_podium(
    browser: Browser, companion: Companion
) -> None:
    games: tuple[Game, ...] = (
        played("odin", 5, ("limit", "3"), ("hand_size", "3")),
        played("valhalla", 37),
        settled(5),
    )
    for game in games:
        looks = list(follow(browser, companion, game, every=False))
        assert looks[-1].step == len(game.lines), game.name
        assert [each for each in looks if each.hidden] == [], game.name
