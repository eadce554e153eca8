"""Everything the referee can say has a sentence, in every language, with all its facts."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.core.game import Accepted, Refused, Setup, reason
from companion.core.notation import Seat
from companion.games.odin import rules as odin
from companion.games.odin.rules.cards import GOAT, Card, Colour
from companion.games.valhalla.rules.cards import Card as ValhallaCard
from companion.games.valhalla.rules.state import Happening, Phase
from companion.games.valhalla.words.sentences import CARD_WORDS, NOTES, PHASE_WORDS, WAITING
from companion.ledger.events import Did, LetStood, Opened, Retracted
from companion.ledger.session import told
from companion.views import explain, rule_as_read, rules_of, speech_for, tell
from companion.views import public as views
from companion.views.speech import LANGUAGES, catalogue
from tests.catalogue import GAMES, WORDS

SETUP = Setup("odin", ("Anna", "Ben", "Cleo"))
BLANKS = re.compile(r"%\((\w+)\)s")


def blanks(sentence: str) -> list[str]:
    return sorted(BLANKS.findall(sentence))


def test_every_catalogued_game_is_told() -> None:
    assert set(WORDS) == set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_every_objection_has_a_sentence(game: str) -> None:
    assert set(GAMES[game].Code) <= set(WORDS[game].sentences)


def test_everything_that_happens_by_itself_in_valhalla_has_a_sentence() -> None:
    assert set(NOTES) == set(Happening)
    assert set(WAITING) == set(PHASE_WORDS) == set(Phase)
    assert set(CARD_WORDS) == set(ValhallaCard)


@pytest.mark.parametrize("game", GAMES)
def test_every_option_and_every_value_has_words(game: str) -> None:
    words = WORDS[game]
    for option in GAMES[game].OPTIONS:
        assert option.name in words.options
        for word in option.kind.words:
            assert word in ("true", "false") or word in words.values, word


@pytest.mark.parametrize("game", GAMES)
def test_every_edition_has_words_and_every_reading_an_option(game: str) -> None:
    words = WORDS[game]
    assert set(words.editions) == set(GAMES[game].EDITIONS)
    assert set(words.readings) <= set(words.rules)
    names = {option.name for option in GAMES[game].OPTIONS}
    assert {name for read in words.readings.values() for name in read} <= names


@pytest.mark.parametrize("game", GAMES)
def test_examples_are_of_rules_and_are_told_with_them(game: str) -> None:
    words, setup = WORDS[game], Setup(game, ())
    assert words.examples.keys() <= words.rules.keys()
    for rule, example in words.examples.items():
        assert rule_as_read(speech_for(setup, "en"), setup, rule).example == example


def test_an_open_rule_is_shown_as_it_is_read_and_how_else_it_could_be() -> None:
    setup = Setup("odin", ("Anna", "Ben"), "de")
    rule = rule_as_read(speech_for(setup, "en"), setup, "ODIN-NEXT-2")
    (reading,) = rule.readings
    assert (reading.question, reading.answer) == ("Leader of the next hand", "who went out")
    assert reading.others == ("left of the last leader",)
    assert reading.changed


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_every_blank_of_a_sentence(language: str) -> None:
    for game in WORDS.values():
        for sentence in (*views.SENTENCES.values(), *game.sentences.values(), *game.rules.values()):
            assert blanks(catalogue(language).gettext(sentence)) == blanks(sentence)


def test_the_catalogues_are_complete_and_compiled() -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, root / "tools" / "translations.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("every sentence is translated\n", 0)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "2 does not beat 3."), ("de", "2 schlägt 3 nicht.")],
)
def test_a_refusal_is_explained_with_its_rule(language: str, sentence: str) -> None:
    state = odin.start(SETUP)
    for line in ("deal A", "A r3"):
        verdict = odin.judge(state, odin.parse(line))
        assert isinstance(verdict, Accepted)
        state = verdict.state
    refused = odin.judge(state, odin.parse("B b2"))
    assert isinstance(refused, Refused)
    speech = speech_for(SETUP, language)
    assert [explain(speech, each) for each in refused.reasons] == [sentence]
    assert [rule.id for rule in rules_of(speech, SETUP, refused.reasons)] == ["ODIN-PLAY-1"]


@pytest.mark.parametrize(
    ("language", "card", "words"),
    [
        ("en", Card(7, Colour.RED), "red 7"),
        ("de", Card(7, Colour.RED), "rote 7"),
        ("en", Card(1, Colour.HEARTS), "ace of hearts"),
        ("de", Card(1, Colour.SPADES), "Pik Ass"),
        ("en", Card(1, Colour.BLACK), "black 1"),
        ("en", GOAT, "the goat"),
    ],
)
def test_cards_have_words(language: str, card: Card, words: str) -> None:
    assert speech_for(SETUP, language).word(card) == words


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("deal B", "Dealt; Ben leads."),
        ("A r7", "Anna lays red 7."),
        ("A r7 b7", "Anna lays red 7, blue 7: 77."),
        ("B take r7", "Ben takes red 7."),
        ("C pass", "Cleo passes."),
        ("count 0 4 5", "Cards left: Anna 0, Ben 4, Cleo 5."),
        ("count 0 4 5 goat=B", "Cards left: Anna 0, Ben 4, Cleo 5; Ben has the goat."),
        ("A has 4", "Anna holds 4."),
        ("A shows r1 goat", "Anna shows red 1, the goat."),
        ("carry 14 3 7", "Points from before: Anna 14, Ben 3, Cleo 7."),
    ],
)
def test_every_action_is_retold(action: str, sentence: str) -> None:
    speech = speech_for(SETUP, "en")
    assert tell(speech, Did(action)) == sentence
    stood = LetStood(action, ("too-low",))
    assert tell(speech, stood) == f"{sentence} The table let it stand."
    assert told(stood) == f"! {action}"


def test_openings_and_undos_are_told() -> None:
    speech = speech_for(SETUP, "de")
    assert tell(speech, Opened(SETUP, 1)) == "Ein neues Spiel: Anna, Ben, Cleo."
    assert tell(speech, Retracted(1)) == "Der letzte Eintrag wurde zurückgenommen."
    assert tell(speech, Retracted(3)) == "Die letzten 3 Einträge wurden zurückgenommen."


def test_facts_of_every_kind_have_words() -> None:
    speech = speech_for(SETUP, "en")
    assert speech.word(Seat.B) == "Ben"
    assert speech.word(Seat.F) == "F"
    assert speech.word(()) == "nothing"
    assert speech.word(None) == "nobody"
    missing = reason("goat-missing", "ODIN-SCORE-2", seats=(Seat.A, Seat.C))
    assert explain(speech, missing) == "Somebody holds the goat: Anna, Cleo."
