"""What a glance at any game tells, and what is worth a lamp."""

from __future__ import annotations

import pytest

from companion.core.catalog import packs
from companion.core.game import Accepted, Setup
from companion.views import speech_for
from companion.views.words import words_of
from tests.catalogue import GAMES


@pytest.mark.parametrize("name", GAMES)
def test_a_glance_has_the_same_keys_whatever_the_state(name: str) -> None:
    game = packs()[name].rules
    setup = Setup(name, ("Anna", "Ben"))
    speech = speech_for(setup, "en")
    state = game.start(setup)
    keys = [each.key for each in words_of(name).glance(speech, state)]
    assert keys, "somebody who walks past wants to know something of every game"
    for _ in range(6):
        action = next(iter(game.actions(state)), None)
        if action is None:  # people have to tell what is printed on their copy
            break
        judged = game.judge(state, action)
        assert isinstance(judged, Accepted)
        state = judged.state
        assert [each.key for each in words_of(name).glance(speech, state)] == keys


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("armory draugr", "draugr"),
        ("armory axe", ""),
        ("A draws draugr draugr", "draugr"),
        ("A draws sword keeps sword", ""),
        ("A passes", ""),
    ],
)
def test_a_draugr_that_everybody_saw_is_a_highlight(line: str, code: str) -> None:
    words = words_of("valhalla")
    assert words.highlight(packs()["valhalla"].rules.parse(line)) == code
    assert not code or code in words.highlights
