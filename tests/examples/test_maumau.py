"""A game in a package of its own is played, told, watched, shown and printed, and nothing in the
companion knows it."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from companion.bench.games import NAMES, random_game
from companion.core.catalog import broken_games, game_named, pack_named, packs
from companion.core.game import Accepted, Refused, Setup
from companion.core.notation import Seat
from companion.deciding.reader import reader_of
from companion.deciding.scene import Scene
from companion.devices.camera.simulated import simulation
from companion.sim.players import Playing, play
from companion.sim.steps import By
from companion.sim.virtual_table import pieces_of
from companion.sim.visitors import Visitors
from companion.tabletop.layout import layout_of
from companion.tabletop.observations import Odds, Quad, Thing
from companion.tabletop.readings import Reading
from companion.trials import outcome_file
from companion.trials.trial import Trial, run
from companion.views.speech import LANGUAGES
from companion.views.words import words_of
from tests.cli.calling import companion
from tests.dashboard.phone import Phone, text
from tools.translations import Catalogue

if TYPE_CHECKING:
    from maumau.rules import State

pytestmark = pytest.mark.xdist_group("maumau")

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "maumau"
MOST_LINES = 600

TOP = "maumau 1\nA: Anna\nB: Ben\nhand_size: 2\n"
GAME = f"{TOP}deal 9H\nA 9S\nB 8S\nB JS\n"
"""Ben lays an eight, so it is his turn again, and wins with a jack: nothing is wished for."""


def rules() -> Any:
    return game_named("maumau")


def after(*lines: str, seats: int = 2, **changes: str) -> State:
    state = rules().start(Setup("maumau", NAMES[:seats], changes=tuple(changes.items())))
    for line in lines:
        verdict = rules().judge(state, rules().parse(line))
        assert isinstance(verdict, Accepted), (line, verdict)
        state = verdict.state
    found: State = state
    return found


# It is found, and it is small


def test_the_catalogue_finds_it_beside_the_others() -> None:
    assert list(packs())[-1] == "maumau"
    assert broken_games() == ()
    assert pack_named("maumau").watchable
    assert Path(str(import_module("maumau").__file__)).parents[1] != EXAMPLE


def test_it_is_small() -> None:
    files = [*EXAMPLE.rglob("*.py"), *EXAMPLE.rglob("*.html")]
    assert len(files) == 7
    assert sum(len(file.read_text().splitlines()) for file in files) < MOST_LINES


def test_nothing_of_the_companion_mentions_it() -> None:
    files = [
        file
        for folder in ("companion", "web", "models", "hardware", "systemd")
        for file in (ROOT / folder).rglob("*")
        if file.suffix in (".py", ".html", ".js", ".css", ".svg", ".toml", ".po", ".md", ".service")
    ]
    assert len(files) > 200
    for file in files:
        words = file.read_text().lower()
        assert "maumau" not in words, file
        assert "mau-mau" not in words, file


# The rules


@pytest.mark.parametrize("seats", range(2, 7))
def test_random_games_end_and_lose_no_card(seats: int) -> None:
    game, deck = rules(), import_module("maumau.rules").DECK
    setup = Setup("maumau", NAMES[:seats])
    for seed in range(5):
        moves = list(random_game(setup, seed))
        for (state, action), (later, _) in pairwise(moves):
            assert game.parse(game.format(action)) == action
            assert len(set(later.pile)) == len(later.pile)
            assert sum(later.sizes) + len(later.pile) <= len(deck)
            assert sum(later.sizes) - sum(state.sizes) in (-1, 0, 1, seats * 5)
        state, action = moves[-1]
        verdict = game.judge(state, action)
        assert isinstance(verdict, Accepted)
        assert game.standing(verdict.state).winners == (action.seat,)


def test_every_move_that_is_offered_is_accepted_and_no_other() -> None:
    found = import_module("maumau.rules")
    for state, _ in random_game(Setup("maumau", NAMES[:2]), 1):
        every = [
            *map(found.Deal, found.DECK),
            *(found.Play(seat, card) for seat in Seat for card in found.DECK),
            *(found.Wish(seat, suit) for seat in Seat for suit in found.SUITS),
            *map(found.Draw, Seat),
        ]
        good = {each for each in every if isinstance(found.judge(state, each), Accepted)}
        assert set(found.actions(state)) == good


def test_sevens_eights_and_jacks() -> None:
    seven = after("deal 9H", "A 7H", seats=3)
    assert (seven.sizes, seven.to_move) == ((4, 7, 5), Seat.B)
    assert after("deal 9H", "A 8H", seats=3).to_move is Seat.C
    assert after("deal 9H", "A 8H").to_move is Seat.A
    assert after("deal 7H", seats=3).sizes == (5, 5, 5)  # the first card does nothing
    wished = after("deal 9H", "A JC", "A wish D", "B draw", "A KD", seats=2)
    assert (wished.wished, wished.to_move) == ("", Seat.B)


def test_the_pile_goes_back_to_an_empty_deck() -> None:
    state = after("deal 7S", "A 7H", "B 7D", "A 7C", "B 8C", seats=2)
    assert len(state.pile) == 5
    for _ in range(40):
        state = rules().judge(state, rules().passing(state)).state
    assert state.pile == ("8C",)
    assert sum(state.sizes) == 31


@pytest.mark.parametrize(
    ("lines", "wrong", "code", "rule", "can_stand"),
    [
        ((), "A 9H", "not-dealt", "MAU-DEAL-1", False),
        (("deal 9H",), "deal 9S", "dealt-already", "MAU-DEAL-1", False),
        (("deal 9H",), "C 9S", "not-seated", "MAU-TURN-1", False),
        (("deal 9H",), "B 9S", "not-your-turn", "MAU-TURN-1", True),
        (("deal 9H",), "A 9H", "on-the-pile", "MAU-DECK-1", False),
        (("deal 9H", "A 9S"), "B 9H", "on-the-pile", "MAU-DECK-1", True),
        (("deal 9H",), "A KS", "no-match", "MAU-PLAY-1", True),
        (("deal 9H", "A JS", "A wish D"), "B KS", "no-match", "MAU-PLAY-1", True),
        (("deal 9H", "A JS"), "A KD", "wish-first", "MAU-JACK-2", True),
        (("deal 9H",), "A wish D", "nothing-to-wish", "MAU-JACK-2", False),
        (("deal 9H", "A 8H", "A 8S"), "A 8D", "game-over", "MAU-END-1", False),
    ],
)
def test_every_objection(
    lines: tuple[str, ...], wrong: str, code: str, rule: str, can_stand: bool
) -> None:
    size = "2" if code == "game-over" else "5"
    verdict = rules().judge(after(*lines, hand_size=size), rules().parse(wrong))
    assert isinstance(verdict, Refused)
    assert [(each.code, each.rule) for each in verdict.reasons] == [(code, rule)]
    assert verdict.can_stand is can_stand


# By record


def test_a_record_of_it_is_judged(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(GAME)
    answer = companion("check", "maumau", str(file))
    assert answer.code == 0
    assert answer.lines[2:] == [
        "   7  accepted  B 8S",
        "                Anna misses a turn.",
        "   8  accepted  B JS",
        "final: Anna 1, Ben 0; won by Ben",
    ]


def test_a_refusal_names_the_rule_and_the_reason() -> None:
    answer = companion("check", "maumau", "-", stdin=f"{TOP}deal 9H\nA KS\nA draw\nB 3H\n")
    assert "Spades king does not fit on hearts 9: it takes hearts or the same rank." in answer.text
    assert "[MAU-PLAY-1]" in answer.text
    assert "Taken on trust: Anna had no card that fits. [MAU-DRAW-1]" in answer.text
    assert "3H is not a card" in answer.text + answer.err


# On the page


def test_the_page_offers_it_and_plays_it(phone: Phone) -> None:
    assert "Maumau" in text(phone.get("/new"))
    assert "Cards dealt to each" in text(phone.get("/new?game=maumau"))
    reply = phone.post("/games", game="maumau", name=["Anna", "Ben"], count="2")
    assert (reply.status_code, reply.location) == (303, "/")
    assert "Deal, and turn up a card." in text(phone.get("/"))
    assert phone.say("deal", "9H").headers["X-Verdict"] == "accepted"
    refused = phone.say("A", "KS")
    assert refused.headers["X-Verdict"] == "refused"
    assert "Spades king does not fit on hearts 9" in text(refused)
    assert "or the rank of the card on top. MAU-PLAY-1" in text(refused)
    assert "Ben misses a turn." in text(phone.say("A", "8H"))
    assert "Anna wishes for a suit." in text(phone.say("A", "JC"))
    assert "wished for: diamonds" in text(phone.say("A wish D"))
    assert "Taken on trust: Ben had no card that fits." in text(phone.say("B draw"))
    assert phone.get("/view.json").status_code == 200


def test_a_game_is_won_on_the_page(phone: Phone) -> None:
    phone.post("/games", game="maumau", name=["Anna", "Ben"], **{"option.hand_size": "1"})
    phone.say("deal", "9H")
    assert "Anna wins" in text(phone.say("A", "9S"))


def test_its_rules_are_on_a_page_of_their_own(phone: Phone) -> None:
    page = text(phone.get("/rules/maumau"))
    for rule, sentence in words_of("maumau").rules.items():
        assert f"{sentence} {rule}" in page


def test_it_speaks_german(phone: Phone) -> None:
    phone.post("/games", game="maumau", name=["Anna", "Ben"])
    phone.say("deal", "9H")
    phone.post("/act", say=["A", "KS"], seq=str(phone.seq))
    page = text(phone.get("/", **{"Accept-Language": "de"}))
    assert "Pik König passt nicht auf Herz 9" in page
    assert "Eine Karte ziehen und weitergeben" in page
    assert "Ein Bube passt auf jede Karte." in text(
        phone.get("/rules/maumau", **{"Accept-Language": "de"})
    )


def test_every_sentence_is_translated() -> None:
    package = EXAMPLE / "maumau"
    catalogue = Catalogue("maumau", package / "translations", (package,))
    assert len(catalogue.said()) > 40
    for language in LANGUAGES[1:]:
        assert list(catalogue.problems(language)) == []


# Before the camera


def lying(number: int, *odds: tuple[str, float], covered: bool = False) -> Thing:
    quad: Quad = ((354.0, 166.0), (417.0, 166.0), (417.0, 254.0), (354.0, 254.0))
    seen: Odds = odds
    return Thing(number, "card", seen, quad, since=float(number), covered=covered)


def read(state: State, *things: Thing, **names: str) -> tuple[Reading, ...]:
    layout, reader = layout_of("maumau"), reader_of("maumau")
    assert layout is not None
    assert reader is not None
    known = {int(number.strip("_")): word for number, word in names.items()}
    return reader.read(state, Scene(things, layout.zones, known))


def test_a_card_on_the_pile_was_laid_by_whoever_is_to_move() -> None:
    (best, *_) = read(after(), lying(1, ("9H", 0.99)))
    assert best.lines == ("deal 9H",)
    under = lying(1, ("9H", 0.99), covered=True)
    (best, *others) = read(after("deal 9H"), under, lying(2, ("9S", 0.99)), _1="9H")
    assert (best.lines, best.legal, best.names) == (("A 9S",), True, ((2, "9S"),))
    assert best.p > 0.9
    assert others[0].lines == ("A draw", "B 9S")
    assert read(after("deal 9H"), lying(1, ("9H", 0.99)), _1="9H")[0].lines == ()


def test_a_clear_mistake_is_read_as_it_is_and_an_unclear_one_is_not_sure() -> None:
    (best, *_) = read(after("deal 9H"), lying(2, ("KS", 0.999)))
    assert (best.lines, best.legal, best.blamed) == (("A KS",), False, True)
    assert best.p > 0.93
    (best, *_) = read(after("deal 9H"), lying(2, ("KS", 0.6), ("KH", 0.3)))
    assert (best.lines, best.legal) == (("A KH",), True)


def test_a_wish_that_nobody_entered_follows_from_the_next_card() -> None:
    (best, *_) = read(after("deal 9H", "A JC"), lying(3, ("KD", 0.99)))
    assert best.lines == ("A wish D", "B KD")
    assert best.legal


def test_a_card_that_cannot_be_read_is_shown_beside_the_books() -> None:
    reader, layout = reader_of("maumau"), layout_of("maumau")
    assert reader is not None
    assert layout is not None
    scene = Scene((lying(2),), layout.zones)
    assert reader.read(after("deal 9H"), scene) == ()
    found = reader.disagreement(after("deal 9H"), scene)
    assert found is not None
    assert (found.books, found.table) == (("9H",), ("?",))


@pytest.mark.parametrize("seats", range(2, 7))
def test_every_card_of_the_bots_is_in_one_place(seats: int) -> None:
    script = play(Playing("maumau", seats=seats, seed=seats, mistakes=2))
    labels = {card.face.label for card in pieces_of(script.deck)}
    for step in script.steps:
        pieces = [one.piece for one in step.table]
        if not step.refused:
            pieces += [card for hand in step.hands for card in hand]
            assert len(set(pieces)) == len(pieces) == 32
        assert {one.face for one in step.table} <= labels


def test_perfect_eyes_follow_whole_games() -> None:
    for seats in (2, 4):
        playing = Playing("maumau", seats=seats, seed=seats, mistakes=2)
        tally = run(Trial(playing, eyes="perfect", size=(320, 180))).tally
        assert tally.plays > 5
        assert (tally.right, tally.caught) == (tally.plays, 2)
        assert tally.perfect == 1


def test_real_eyes_follow_a_short_game_in_pictures() -> None:
    changes = (("hand_size", "2"),)
    outcome = run(Trial(Playing("maumau", seats=2, seed=3, mistakes=1, changes=changes)))
    tally = outcome.tally
    assert outcome.trial.eyes == "real"
    assert tally.plays > 3
    assert tally.right + tally.asked == tally.plays
    assert tally.wrong + tally.accused == 0
    assert (tally.caught, tally.scores) == (1, 1)


def test_somebody_can_play_in_a_bots_place() -> None:
    visitors = Visitors()
    visitors.sit(Seat.A)
    steps = play(Playing("maumau", seats=2, seed=1), visitors).steps
    assert next(steps).what == "deal"
    assert next(steps).what == "think"
    asked = visitors.asked
    assert asked is not None
    assert {line.split()[1] for line in (*asked.lines, *asked.wrong)} == set(visitors.hand)
    visitors.say(asked.wrong[0])
    assert [next(steps).what for _ in range(3)] == ["mistake", "take back", "think"]
    visitors.say("draw")
    drawn = next(steps)
    assert (drawn.what, drawn.by, drawn.press, len(visitors.hand)) == ("draw", By.BUTTON, "pass", 6)


# By command


def test_it_is_tried_by_command() -> None:
    how = ("--games", "1", "--seats", "3", "--eyes", "perfect", "--jobs", "1")
    answer = companion("track", "maumau", *how)
    assert answer.code == 0
    assert "games with every entry right              1 of 1" in answer.text
    assert "no bars" in companion("track", "maumau", "--bars", "--games", "1").err


def test_commands_in_processes_of_their_own_find_it(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion", "legal", "maumau", "-", "A KS"]
    record = f"{TOP}deal 9H\n"
    done = subprocess.run(
        command, input=record, capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (done.returncode, done.stdout.splitlines()[0]) == (1, "not legal")


def test_its_mat_is_printed_and_its_games_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert companion("print", "mat", "maumau").code == 0
    assert (tmp_path / "mat-maumau.pdf").stat().st_size > 1000
    assert "there is no deck 'maumau'" in companion("print", "cards", "maumau").err
    (tmp_path / "game.txt").write_text(f"{TOP}deal 9H\nA 9S\n")
    assert companion("import", "game.txt", "--data", "data").code == 0
    assert "maumau" in companion("games", "--data", "data").text
    assert "Anna lays spades 9." in companion("show", "1", "--data", "data").text


def test_the_simulated_table_shows_it() -> None:
    how = simulation("maumau,seats=4,short=yes")
    assert how.playing.changes == (("hand_size", "2"),)
    table = how.tabletop((320, 180))
    assert table.setup.game == "maumau"


def test_kept_trials_are_those_of_this_very_game(installed: Path) -> None:
    before = outcome_file._code.__wrapped__()
    extra = installed / "maumau" / "new.py"
    extra.write_text("")
    try:
        assert outcome_file._code.__wrapped__() != before
    finally:
        extra.unlink()
