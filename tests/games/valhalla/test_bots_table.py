"""Bots at a table of Valhalla lay their cards as the mat shows it, and so can be followed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.games.valhalla.layout import ZONES
from companion.sim.players import By, Lying, Playing, Step, play
from companion.tabletop.mat import CARD
from companion.tabletop.polygons import inside
from companion.tabletop.zones import size
from companion.trials.trial import Trial, run

GAMES = [
    Playing("valhalla", seats=2, seed=21),
    Playing("valhalla", seats=4, seed=22, sloppy=0.5),
    Playing("valhalla", seats=5, seed=23),
]


def lying(step: Step, zone: str) -> list[Lying]:
    return [one for one in step.table if inside(ZONES[zone], (one.x, one.y))]


def crosswise(one: Lying, zone: str) -> bool:
    wide, high = size(ZONES[zone])
    on_its_side = 45 < one.turn % 180 < 135
    return on_its_side != (wide > high)


@pytest.mark.parametrize("how", GAMES, ids=str)
def test_lost_cards_lie_crosswise_before_their_owners(how: Playing) -> None:
    lost = 0
    for step in play(how).steps:
        for line in step.lines:
            if " loses " not in line:
                continue
            seat, _, card, _, place = line.split()
            zones = {"hand": ["main"], "discard": ["support"]}.get(place, ["main", "support"])
            places = [f"{seat}.{zone}" for zone in zones]
            faces = [
                one.face for zone in places for one in lying(step, zone) if crosswise(one, zone)
            ]
            assert card in faces or card == "deity"
            assert faces
            lost += 1
    assert lost > 5


@pytest.mark.parametrize("how", GAMES, ids=str)
def test_every_card_of_the_armory_can_be_seen(how: Playing) -> None:
    for step in play(how).steps:
        row = [one for zone in ("armory", "armory-2") for one in lying(step, zone)]
        shown = [in_view(one, row[at + 1 :]) for at, one in enumerate(row)]
        assert min(shown, default=1.0) > (0.65 if len(row) <= 9 else 0.25)


def in_view(one: Lying, later: Sequence[Lying]) -> float:
    """The share of a card that those laid later leave open."""
    wide, high = CARD
    shares = [(at + 0.5) / 20 - 0.5 for at in range(20)]
    spots = [(one.x + wide * u, one.y + high * v) for u in shares for v in shares]
    return sum(
        all(abs(x - each.x) > wide / 2 or abs(y - each.y) > high / 2 for each in later)
        for x, y in spots
    ) / len(spots)


def test_cards_off_the_deck_are_shown_before_they_go_their_way() -> None:
    for step in play(Playing("valhalla", seats=5, seed=24)).steps:
        if step.by is By.CAMERA and step.lines and step.lines[0].split()[1] in ("turns", "fetches"):
            assert lying(step, "reveal")


def test_a_game_is_followed_to_its_end_without_a_question() -> None:
    how = Playing("valhalla", seats=3, seed=25, mistakes=2)
    tally = run(Trial(how, eyes="perfect", size=(320, 180))).tally
    assert (tally.right, tally.caught, tally.perfect) == (tally.plays, 2, 1)


def test_eyes_that_err_make_no_wrong_entry_and_accuse_nobody() -> None:
    how = Playing("valhalla", seats=4, seed=26, mistakes=2)
    tally = run(Trial(how, eyes="noisy:0.5", size=(320, 180))).tally
    assert tally.right >= 0.97 * tally.plays
    assert (tally.wrong, tally.ghosts, tally.accused) == (0, 0, 0)
    assert tally.scores == 1
