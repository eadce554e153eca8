"""Whole games by bots: every line is one the rules accept, every card is somewhere."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.core.catalog import game_named
from companion.core.game import Accepted, Refused
from companion.foundation.errors import NoSuchGame
from companion.games.valhal.layout import SITES
from companion.sim.players import By, Playing, Step, play
from companion.sim.virtual_table import pieces_of
from companion.tabletop.mat import MAT
from companion.tabletop.polygons import inside
from tests.catalogue import PLAYED, ZONES

ODIN = [
    Playing("odin", seats=2, seed=1, mistakes=2),
    Playing("odin", seats=6, seed=2, mistakes=3),
    Playing("odin", seats=4, seed=3, edition="de"),
    Playing("odin", seats=3, seed=4, changes=(("deck", "valhalla36"),)),
    Playing(
        "odin",
        seats=2,
        seed=5,
        mistakes=1,
        changes=(
            ("deck", "valhalla36"),
            ("colours", "hearts diamonds spades clubs"),
            ("goat", "true"),
        ),
    ),
    Playing("odin", seats=5, seed=6, changes=(("goat", "true"), ("goat_in_number_set", "true"))),
    Playing(
        "odin",
        seats=3,
        seed=7,
        changes=(("whole_hand_lead", "forced"), ("reenter_after_pass", "false")),
    ),
    Playing(
        "odin",
        seats=4,
        seed=8,
        changes=(("limit", "one_hand"), ("goat_forced_into_a_hand", "true")),
    ),
]


VALHALLA = [
    Playing("valhalla", seats=2, seed=1, mistakes=1),
    Playing("valhalla", seats=3, seed=2, mistakes=2),
    Playing("valhalla", seats=4, seed=3, mistakes=2),
    Playing("valhalla", seats=5, seed=4),
    Playing("valhalla", seats=4, seed=5, edition="expansion", changes=(("clash_by", "by_name"),)),
    Playing("valhalla", seats=3, seed=6, changes=(("armory_trim", "first_player_chooses"),)),
]
VALHAL = [
    Playing("valhal", seats=2, seed=10, mistakes=1),
    Playing("valhal", seats=3, seed=11, mistakes=1),
    Playing("valhal", seats=4, seed=14),
    Playing("valhal", seats=2, seed=15, edition="special"),
    Playing("valhal", seats=3, seed=16, edition="heidrun"),
]
GAMES = [*ODIN, *VALHALLA, *VALHAL]


def test_every_game_bots_play_is_walked_through() -> None:
    assert {how.game for how in GAMES} == set(PLAYED)


def called(how: Playing) -> str:
    return f"{how.game} {how.seed}"


def walked(how: Playing) -> list[Step]:
    return list(play(how).steps)


@pytest.mark.parametrize("how", GAMES, ids=called)
def test_the_rules_accept_every_line_and_refuse_every_mistake(how: Playing) -> None:
    script = play(how)
    game = game_named(how.game)
    state = game.start(script.setup)
    mistakes = 0
    for step in script.steps:
        if step.refused:
            assert isinstance(game.judge(state, game.parse(step.refused)), Refused)
            mistakes += 1
        for line in step.lines:
            verdict = game.judge(state, game.parse(line))
            assert isinstance(verdict, Accepted), (line, verdict)
            state = verdict.state
    assert game.standing(state).over or how.game == "valhal"  # which may go on for ever
    assert mistakes == how.mistakes


@pytest.mark.parametrize("how", ODIN, ids=called)
def test_every_card_is_in_one_place(how: Playing) -> None:
    script = play(how)
    state = game_named("odin").start(script.setup)
    whole = Counter(str(card) for card in state.deck)
    labels = {card.face.label for card in pieces_of(script.deck)}
    for step in script.steps:
        lying = [one.piece for one in step.table]
        held = [piece for hand in step.hands for piece in hand]
        if step.what == "gather":
            assert not lying
            assert not held
        else:
            assert Counter(lying + held) == whole
        assert {one.face for one in step.table} <= labels
        assert all(0 < one.x < MAT[0] and 0 < one.y < MAT[1] for one in step.table)


@pytest.mark.parametrize("how", VALHALLA, ids=called)
def test_every_copy_is_in_one_place(how: Playing) -> None:
    script = play(how)
    labels = {card.face.label for card in pieces_of(script.deck)}
    whole: list[str] = []
    for step in script.steps:
        pieces = sorted(
            [one.piece for one in step.table] + [piece for hand in step.hands for piece in hand]
        )
        whole = whole or pieces
        assert pieces == whole
        assert {one.face for one in step.table} <= labels
        assert all(-20 < one.x < MAT[0] + 20 and 0 < one.y < MAT[1] for one in step.table)
    assert len(set(whole)) == len(whole) == (64 if script.setup.edition == "expansion" else 52)


@pytest.mark.parametrize("how", VALHAL, ids=called)
def test_the_mat_shows_what_is_entered(how: Playing) -> None:
    script = play(how)
    labels = {card.face.label for card in pieces_of(script.deck)} | set("123456")
    for step in script.steps:
        assert {one.face for one in step.table} <= labels
        assert len({one.piece for one in step.table}) == len(step.table)
        if step.by is not By.CAMERA or not step.lines:
            continue
        words = step.lines[0].split()
        if "rolls" in words:
            tray = ZONES["valhal"]["town" if words[0] == "town" else "attackers"]
            thrown = [one for one in step.table if one.kind == "die"]
            shown = Counter(one.face for one in thrown if inside(tray, (one.x, one.y)))
            assert shown >= Counter(words[2:])
        elif "builds" in words:
            kind, pay = words[2], words[words.index("with") + 1 :]
            sites = [on_the_mat(step, f"{words[0]}.site-{at + 1}") for at in range(SITES)]
            assert Counter([f"{kind}-back", *pay]) in map(Counter, sites)
        elif "feeds" in words:
            lying = on_the_mat(step, f"{words[0]}.food-{words[2]}")
            assert lying == ["food" if "food" in words else "coin"]
        elif "attacks" in words:
            units = words[words.index("with") + 1 : words.index("on")]
            fleet = Counter(on_the_mat(step, "attackers"))
            assert fleet - Counter(longboat=fleet["longboat"]) == Counter(units)
            assert words[2] in on_the_mat(step, "town")
        elif words == ["agree"]:
            assert sum(one.face == "season" for one in step.table) == 1


def on_the_mat(step: Step, zone: str) -> list[str]:
    outline = ZONES["valhal"][zone]
    return [one.face for one in step.table if inside(outline, (one.x, one.y))]


def test_every_jarls_things_lie_on_the_mat() -> None:
    """Each has a marker of glory and a Raven Head, and all of them build where all can see it."""
    built = set()
    for step in walked(Playing("valhal", seats=4, seed=3)):
        faces = Counter(one.face for one in step.table)
        assert faces["raven"] == 4
        assert faces["marker"] >= 4
        built |= {line[0] for line in step.lines if " builds " in line and step.by is By.CAMERA}
    assert built == set("ABCD")


def test_jarls_err_in_many_ways() -> None:
    wrong = [
        step.refused
        for seed in range(6)
        for step in walked(Playing("valhal", seats=2 + seed % 3, seed=seed, mistakes=5))
        if step.refused
    ]
    assert len({line.split()[1] for line in wrong if " " in line}) >= 5


@pytest.mark.parametrize("game", PLAYED)
def test_a_seed_is_a_game(game: str) -> None:
    seats = min(3, game_named(game).SEATS[-1])
    one, again, other = (walked(Playing(game, seats, seed, mistakes=2)) for seed in (5, 5, 6))
    assert one == again
    assert one != other


@pytest.mark.parametrize("game", PLAYED)
def test_mistakes_are_taken_back_and_change_nothing(game: str) -> None:
    seats = min(4, game_named(game).SEATS[-1])
    steps = walked(Playing(game, seats, seed=9, mistakes=4))
    assert sum(bool(step.refused) for step in steps) == 4
    for before, wrong, back in zip(steps, steps[1:], steps[2:], strict=False):
        if wrong.refused:
            assert not wrong.lines
            assert back.what == "take back"
            assert back.table == before.table
            assert [sorted(hand) for hand in back.hands] == [sorted(hand) for hand in before.hands]


def test_buttons_are_pressed_where_the_camera_sees_nothing() -> None:
    for step in walked(Playing("odin", seats=3, seed=10)):
        assert (step.by is By.BUTTON) == bool(step.press)
        if step.what == "pass":
            assert step.press == "pass"
            assert step.lines[0].endswith(" pass")


def test_a_game_nobody_plays() -> None:
    with pytest.raises(NoSuchGame, match="nobody plays 'chess'"):
        play(Playing("chess"))
