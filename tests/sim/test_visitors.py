"""Somebody sits down in a bot's place: the game waits for them, and plays what they say."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from companion.core.game import Accepted, Refused
from companion.core.notation import Seat
from companion.devices.camera.simulated import CARELESS, Showing, simulation
from companion.foundation.errors import BadInput, BadSettings
from companion.sim.players import By, Lying, Playing, Step, bots_of, play
from companion.sim.visitors import Asked, Visitors
from tests.catalogue import GAMES, PLAYED

PLAYING = Playing("odin", 2, 13, changes=bots_of("odin").short, fidgets=0.0)
VALHALLA = Playing("valhalla", 3, 4, fidgets=0.0)
VALHAL = Playing("valhal", 2, 1, fidgets=0.0)

Policy = Callable[[Asked, tuple[str, ...]], tuple[str, ...]]
"""What somebody says to a question, with that hand."""


@dataclass(slots=True)
class Sitting:
    """A whole game with somebody at a seat, walked as the table walks it."""

    steps: list[Step] = field(default_factory=list)
    asked: list[tuple[Asked, tuple[str, ...]]] = field(default_factory=list)
    """Every question with its answer."""

    @property
    def questions(self) -> Counter[str]:
        return Counter(asked.what for asked, _ in self.asked)


def until_asked(steps: Iterator[Step], visitors: Visitors) -> list[Step]:
    walked = []
    while visitors.asked is None:
        walked.append(next(steps))
    return walked


def sat_through(how: Playing, policy: Policy, seat: Seat = Seat.A) -> Sitting:
    """Fails if a line is refused, or if what was announced as refused is not, or stays."""
    visitors, sitting = Visitors(), Sitting()
    visitors.sit(seat)
    script, game = play(how, visitors), GAMES[how.game]
    state = game.start(script.setup)
    table: tuple[Lying, ...] = ()
    wrong: tuple[Lying, ...] | None = None
    for step in script.steps:
        sitting.steps.append(step)
        for line in step.lines:
            verdict = game.judge(state, game.parse(line))
            assert isinstance(verdict, Accepted), (line, verdict)
            state = verdict.state
        if step.refused:
            assert isinstance(game.judge(state, game.parse(step.refused)), Refused)
            assert step.table != table
            wrong = table
        elif wrong is not None:
            assert (step.what, step.table) == ("take back", wrong)
            wrong = None
        table = step.table
        asked = visitors.asked
        if asked is not None:
            said = policy(asked, visitors.hand)
            sitting.asked.append((asked, said))
            visitors.say(*said)
    assert game.standing(state).over or how.game == "valhal"  # which may be watched no longer
    return sitting


def wilful(seed: int) -> Policy:
    """Anything that is allowed, and nothing as often as something."""
    luck = random.Random(seed)

    def policy(asked: Asked, _hand: tuple[str, ...]) -> tuple[str, ...]:
        can = (*asked.cards, *asked.lines)
        leaves = asked.leave and (not can or luck.random() < 0.5)
        return (asked.leave if leaves else luck.choice(can),)

    return policy


class Erring:
    """Tries each kind of question against the rules once, then plays on as others do."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.tried: dict[str, str] = {}

    def __call__(self, asked: Asked, hand: tuple[str, ...]) -> tuple[str, ...]:
        if asked.wrong and asked.what not in self.tried:
            self.tried[asked.what] = asked.wrong[0]
            return (asked.wrong[0],)
        return self._policy(asked, hand)


def test_the_table_waits_for_a_visitor_and_lays_what_they_say() -> None:
    visitors = Visitors()
    visitors.sit(Seat.A)
    steps = play(PLAYING, visitors).steps
    until_asked(steps, visitors)
    assert visitors.asked is not None
    assert visitors.asked.what == "lay"
    assert visitors.asked.several
    assert not visitors.asked.leave
    assert set(visitors.hand) == set(visitors.asked.cards)
    before = next(steps).table
    assert next(steps).table == before  # as long as they think nothing moves
    visitors.say("b4")
    laid = next(steps)
    assert laid.lines == ("A b4",)
    assert [one.face for one in laid.table if one not in before] == ["b4"]
    assert "b4" not in visitors.hand


def test_against_the_rules_it_is_laid_refused_and_taken_back() -> None:
    visitors = Visitors()
    visitors.sit(Seat.A)
    steps = play(PLAYING, visitors).steps
    until_asked(steps, visitors)
    hand = visitors.hand
    visitors.say("b4", "p6")  # a lead is one card
    wrong, back = next(steps), next(steps)
    assert (wrong.lines, wrong.refused) == ((), "A p6 b4")
    assert back.what == "take back"
    assert set(visitors.hand) == set(hand)
    next(steps)
    assert visitors.asked is not None


def test_what_cannot_be_said_is_refused_in_a_sentence() -> None:
    visitors = Visitors()
    with pytest.raises(BadInput, match="not your turn"):
        visitors.say("b4")
    visitors.sit(Seat.A)
    until_asked(play(PLAYING, visitors).steps, visitors)
    for words, why in (
        (("r9",), "what is shown"),
        ((), "what is shown"),
        (("b4", "b4"), "what is shown"),
        (("pass",), "cannot pass"),
    ):
        with pytest.raises(BadInput, match=why):
            visitors.say(*words)
    assert visitors.asked is not None


def test_whoever_leaves_leaves_the_bot_to_play_on() -> None:
    visitors = Visitors()
    visitors.sit(Seat.A)
    steps = play(PLAYING, visitors).steps
    until_asked(steps, visitors)
    visitors.sit(None)
    assert next(step for step in steps if step.lines).lines[0].startswith("A ")
    assert visitors.hand == ()


@pytest.mark.parametrize("game", PLAYED)
def test_without_visitors_the_game_is_the_same_as_ever(game: str) -> None:
    how = Playing(game, 2, 13, mistakes=2, changes=bots_of(game).short)
    assert list(play(how).steps) == list(play(how, Visitors()).steps)


def test_a_simulation_is_told_as_the_settings_say_it() -> None:
    how = simulation(
        "odin,seats=4,seed=7,mistakes=2,speed=2,light=hard,mat=yes,bumps=0.02,short=yes,careless=yes"
    )
    assert how.playing.sloppy == CARELESS
    assert simulation(str(how)) == how
    showing = Showing(how)
    with pytest.raises(BadSettings, match="light must be good or hard"):
        showing.show_text("odin,light=dark")
    assert showing.now == (0, how)
    showing.show_text("valhalla,seed=3")
    assert showing.now[0] == 1


# -- Valhalla and Valhal, from the first card to the last ------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_a_game_of_valhalla_is_sat_through(seed: int) -> None:
    policy = Erring(wilful(seed))
    sitting = sat_through(
        Playing("valhalla", 3, seed, mistakes=3, sloppy=0.3), policy, Seat(seed % 3)
    )
    assert sitting.questions["main"] > 1
    assert sitting.questions["support"] > 1
    assert sitting.questions["strategy"] > 1
    refused = [step.refused for step in sitting.steps if step.refused]
    assert set(policy.tried.values()) <= set(refused)
    assert policy.tried


def test_valhalla_lays_the_main_and_the_support_that_were_chosen() -> None:
    visitors = Visitors()
    visitors.sit(Seat.A)
    steps = play(VALHALLA, visitors).steps
    until_asked(steps, visitors)
    assert visitors.asked == Asked("main", visitors.hand)
    assert {each.rpartition("-")[0] for each in visitors.hand} == {"hammer", "sword", "axe", "wolf"}
    sword, wolf = (next(e for e in visitors.hand if e.startswith(k)) for k in ("sword", "wolf"))
    visitors.say(sword)
    until_asked(steps, visitors)
    assert visitors.asked is not None
    assert visitors.asked.what == "support"
    assert sword not in visitors.asked.cards
    visitors.say(wolf)
    ready = next(steps)
    assert ready.lines == ("A ready",)
    assert {one.face for one in ready.table if one.piece in (sword, wolf)} == {"valhalla-back"}
    shown = next(step for step in steps if step.lines and step.lines[0].startswith("A reveals"))
    assert shown.lines == ("A reveals sword wolf",)


def test_who_uses_a_sword_sees_the_hand_it_is_used_on() -> None:
    def policy(asked: Asked, _hand: tuple[str, ...]) -> tuple[str, ...]:
        swords = [each for each in asked.cards if each.startswith("sword")]
        aims = [line for line in asked.lines if line.startswith("A declares sword on")]
        return (*swords, *aims, *asked.cards, *asked.lines, asked.leave)[:1]

    sitting = sat_through(VALHALLA, policy)
    said = [word for _, (word,) in sitting.asked]
    used = next(at for at, word in enumerate(said) if word.startswith("A declares sword on"))
    after, _ = sitting.asked[used + 1]
    step = next(each for each in sitting.steps if said[used] in each.lines)
    assert after.what == "strategy"
    assert after.seen == step.hands["ABC".index(said[used][-1])]


@pytest.mark.parametrize("seed", range(3))
def test_a_game_of_valhal_is_sat_through(seed: int) -> None:
    policy = Erring(wilful(seed))
    sitting = sat_through(
        Playing("valhal", 2, seed, mistakes=3, sloppy=0.3), policy, Seat(seed % 2)
    )
    assert sitting.questions["commission"] > 1
    assert sitting.questions["attack"] > 1
    refused = [step.refused for step in sitting.steps if step.refused]
    assert set(policy.tried.values()) <= set(refused)
    assert "commission" in policy.tried
    lines = [line for step in sitting.steps for line in step.lines]
    said = [line for asked, (line,) in sitting.asked if line in asked.lines]
    assert said == [line for line in lines if line in said][: len(said)]


def test_a_battle_is_left_by_who_has_enough_of_it() -> None:
    def policy(asked: Asked, _hand: tuple[str, ...]) -> tuple[str, ...]:
        if asked.what == "commission":
            return (asked.leave or next(each for each in asked.lines if "feed" in each),)
        return (asked.lines[0],)

    sitting = sat_through(VALHAL, policy)
    retreats = [step for step in sitting.steps if step.lines == ("A retreats",)]
    assert retreats
    assert {step.by for step in retreats} == {By.PAGE}


@pytest.mark.parametrize("how", [VALHALLA, VALHAL], ids=lambda how: how.game)
def test_who_leaves_in_the_middle_of_a_question_leaves_it_to_the_bot(how: Playing) -> None:
    visitors = Visitors()
    visitors.sit(Seat.B)
    steps = play(how, visitors).steps
    until_asked(steps, visitors)
    visitors.sit(None)
    assert all(step.what != "think" for step in steps)
    assert visitors.asked is None
