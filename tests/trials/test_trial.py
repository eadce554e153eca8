"""A simulated game through the real loop and referee, and the people who play it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.__main__ import main
from companion.core.notation import Seat
from companion.devices.camera.simulated import SimulatedCamera, simulation
from companion.foundation.errors import BadInput, BadSettings, FilmOver
from companion.ledger.events import Proposal, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.sim.players import By, Playing, Step, play
from companion.sim.simulated_people import SimulatedPeople
from companion.trials.trial import Trial, run
from companion.vision import decks

SHORT = Playing("odin", seats=3, seed=2, mistakes=1, changes=(("limit", "one_hand"),))


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    with Journal(tmp_path / "journal.db") as journal:
        yield Referee(journal)


def test_perfect_eyes_follow_a_hand_of_odin() -> None:
    outcome = run(Trial(SHORT, eyes="perfect", size=(320, 180)))
    tally = outcome.tally
    assert tally.plays > 10
    assert tally.right + tally.asked >= 0.9 * tally.plays
    assert tally.wrong + tally.ghosts + tally.accused == 0
    assert tally.scores == 1
    assert outcome.frames > 500


def test_noisy_eyes_accuse_nobody() -> None:
    outcome = run(Trial(SHORT, eyes="noisy", size=(320, 180)))
    tally, raw = outcome.tally, outcome.raw
    assert tally.right + tally.asked >= 0.95 * tally.plays
    assert tally.wrong + tally.accused == 0
    assert raw.right < raw.plays  # one look alone would not do
    assert tally.right > raw.right
    assert outcome.samples
    assert all(0 < each.said <= 1 for each in outcome.samples)


@pytest.mark.parametrize(
    "changes",
    [
        (("goat", "true"), ("goat_forced_into_a_hand", "true")),
        (("deck", "valhalla36"), ("goat", "true")),
        (("deck", "valhalla36"), ("goat", "true"), ("colours", "hearts diamonds spades clubs")),
    ],
)
def test_every_deck_is_watched_and_the_goat_with_it(changes: tuple[tuple[str, str], ...]) -> None:
    how = Playing("odin", seats=3, seed=6, changes=(("limit", "one_hand"), *changes))
    tally = run(Trial(how, eyes="perfect", size=(320, 180))).tally
    assert tally.plays > 5
    assert tally.right + tally.asked == tally.plays
    assert tally.scores == 1


def test_the_command_tells_the_figures() -> None:
    said = CliRunner().invoke(main, ["track"])
    assert "Which game?" in said.output
    said = CliRunner().invoke(main, ["track", "odin", "--games", "0"])
    assert said.exit_code != 0
    said = CliRunner().invoke(main, ["track", "odin", "--seats", "9", "--games", "1"])
    assert "odin has 2 to 6 seats" in said.output


def test_a_deck_real_eyes_do_not_know_is_told_before_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(decks, "built_in", tuple)
    with pytest.raises(BadInput, match="no deck is called odin"):
        run(Trial(Playing("odin")))


def test_what_has_no_bars_is_not_played() -> None:
    said = CliRunner().invoke(main, ["track", "odin", "--bars", "--eyes", "noisy"])
    assert said.exit_code == 2
    assert "There are no bars for that" in said.output


def test_the_command_prints_the_bars_of_one_game() -> None:
    """Two rows of a hand each; with perfect eyes nothing can be missed."""
    asked = "odin --bars --eyes perfect --set limit=one_hand --games 1 --jobs 1"
    said = CliRunner().invoke(main, ["track", *asked.split()])
    assert said.exit_code == 0, said.output
    lines = [line for line in said.stdout.splitlines() if "perfect, after fusion" in line]
    assert len(lines) == 2
    assert all("0 of " in line for line in lines)
    assert "seeds 8000 to 8000" in said.stdout
    assert "2/2: odin, seed 8000" in said.stderr


def test_the_command_fits_and_judges_on_different_games() -> None:
    asked = "odin --reliability --eyes noisy --set limit=one_hand --games 1 --jobs 1"
    said = CliRunner().invoke(main, ["track", *asked.split()])
    assert said.exit_code == 0, said.output
    assert "temper 1.00 now" in said.stdout
    assert "seed 1000 on" in said.stdout
    assert "judged from seed 8000 on" in said.stdout
    assert "right without asking" in said.stdout


def test_games_kept_are_not_played_again(tmp_path: Path) -> None:
    file = tmp_path / "row.jsonl"
    asked = [
        "track",
        *["odin", "--eyes", "perfect", "--set", "limit=one_hand", "--games", "2", "--jobs", "1"],
    ]
    kept = [*asked, "--keep", str(file)]
    first = CliRunner().invoke(main, kept)
    assert first.exit_code == 0, first.output
    one, two = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(one + two[:40])  # the plug was pulled in the second line
    second = CliRunner().invoke(main, kept)
    assert "1/2: " not in second.stderr
    assert "2/2: odin, seed 1," in second.stderr
    assert second.stdout.splitlines()[:-1] == first.stdout.splitlines()[:-1]  # but for the time
    assert len(file.read_bytes().splitlines()) == 2
    file.write_bytes(one.replace(b'"code":"', b'"code":"another'))
    assert "1/2: odin, seed 0," in CliRunner().invoke(main, kept).stderr
    file.write_text("a shopping list\n")
    refused = CliRunner().invoke(main, kept)
    assert refused.exit_code == 2
    assert "line 1 is no game that was kept" in refused.stderr
    file.write_text("a poem, never ended")  # not torn: somebody's own
    assert "line 1 is no game that was kept" in CliRunner().invoke(main, kept).stderr
    assert file.read_text() == "a poem, never ended"


# The people


def walked(people: SimulatedPeople, referee: Referee, how: Playing) -> None:
    """Everything the camera sees is entered at once."""
    people.begin()
    for step in play(how).steps:
        people.did(step)
        if step.press:
            people.press(step.press)
        if step.by is By.CAMERA:
            for line in step.lines:
                session = referee.moment.session
                assert session is not None
                referee.propose(Proposal(line, session.seq, Source.CAMERA))
        if not step.refused:
            assert people.go_on(step, 0.0), step


def test_people_press_and_enter_what_no_camera_sees(referee: Referee) -> None:
    how = Playing("odin", seats=4, seed=3, changes=(("limit", "one_hand"), ("goat", "true")))
    walked(SimulatedPeople(referee, play(how).setup), referee, how)
    session = referee.moment.session
    assert session is not None
    assert session.over


def test_people_wait_and_then_put_the_books_right(referee: Referee) -> None:
    people = SimulatedPeople(referee, play(SHORT).setup, patience_seconds=5)
    people.begin()
    people.did(Step("deal", None, (), ("deal A",), by=By.PAGE))
    lead = Step("lead", None, (), ("A r3",))
    people.did(lead)
    assert not people.go_on(lead, 4.9)
    session = referee.moment.session
    assert session is not None
    referee.propose(Proposal("A r4", session.seq, Source.CAMERA))
    assert not people.go_on(lead, 4.9)
    assert people.go_on(lead, 5.0)
    assert people.agreed
    assert people.written == ["deal A", "A r3"]


def test_people_wait_for_the_objection(referee: Referee) -> None:
    people = SimulatedPeople(referee, play(SHORT).setup)
    people.begin()
    people.did(Step("deal", None, (), ("deal A",), by=By.PAGE))
    wrong = Step("mistake", None, (), refused="A r3 b4")
    people.did(wrong)
    assert not people.go_on(wrong, 3)
    session = referee.moment.session
    assert session is not None
    referee.propose(Proposal("A r3 b4", session.seq, Source.CAMERA))
    assert people.go_on(wrong, 3)


def test_what_a_visitor_laid_against_the_rules_lies_there_until_they_have_answered(
    referee: Referee,
) -> None:
    sits = [True]
    people = SimulatedPeople(referee, play(SHORT).setup, visits=lambda seat: sits[0] and seat == 0)
    people.begin()
    people.did(Step("deal", None, (), ("deal A",), by=By.PAGE))
    wrong = Step("mistake", Seat.A, (), refused="A r3 b4")
    people.did(wrong)
    session = referee.moment.session
    assert session is not None
    referee.propose(Proposal("A r3 b4", session.seq, Source.CAMERA))
    assert not people.go_on(wrong, 3)
    assert not people.go_on(wrong, 3600)
    sits[0] = False
    assert people.go_on(wrong, 3601), "nobody is there to answer"
    sits[0] = True
    referee.dismiss("A r3 b4")
    assert people.go_on(wrong, 3602)


def test_people_leave_another_game_alone(referee: Referee) -> None:
    people = SimulatedPeople(referee, play(SHORT).setup)
    people.begin()
    other = referee.open(play(Playing("valhalla")).setup, Source.PAGE)
    people.did(Step("deal", None, (), ("deal A",), by=By.PAGE))
    people.press("pass")
    assert people.go_on(Step("lead", None, (), ("A r3",)), 0)
    assert referee.moment.session == other


# The camera they play before


def test_a_whole_game_off_the_clock_reaches_the_score(referee: Referee) -> None:
    """With nobody looking, patience runs out each time and the people enter everything."""
    how = simulation("odin,seats=2,seed=4,speed=20")
    people = SimulatedPeople(referee, play(how.playing).setup, patience_seconds=0)
    frames = 0
    with SimulatedCamera(how, (64, 36), players=people, real_speed=False) as camera:
        with suppress(FilmOver):
            while camera.newest() is not None:
                frames += 1
        with pytest.raises(FilmOver, match="game is over"):  # and so it stays
            camera.newest()
    session = referee.moment.session
    assert session is not None
    assert session.over
    assert frames > 300


def test_at_real_speed_pictures_go_on_coming() -> None:
    how = simulation("odin,seats=2,seed=4,speed=20")
    with SimulatedCamera(how, (64, 36)) as camera:
        first = second = camera.newest()
        while first is None or second is None or second.number < first.number + 2:
            time.sleep(0.05)  # however slow the machine is
            first, second = first or camera.newest(), camera.newest()
    assert second.taken_at > first.taken_at


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("chess", "bots play odin, valhalla, valhal, not 'chess'"),
        ("odin,seats=9", "seats must be 2 to 6, got '9'"),
        ("odin,light=dark,speed=0", "light must be good or hard, got 'dark'"),
        ("odin,colour=red", "unknown word 'colour'"),
    ],
)
def test_settings_that_are_none(text: str, why: str) -> None:
    with pytest.raises(BadSettings) as caught:
        simulation(text)
    assert why in str(caught.value)


def test_settings_of_a_simulated_table() -> None:
    how = simulation("valhalla,seed=7,speed=2.5,mistakes=3,light=hard,seats=4,mat=yes,bumps=0.1")
    assert how.playing == Playing("valhalla", seats=4, seed=7, mistakes=3)
    assert (how.speed, how.light, how.mat, how.bumps) == (2.5, "hard", True, 0.1)
    assert simulation("").playing.game == "odin"
