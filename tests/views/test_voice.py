"""What a voice says of a game, in every language; and that it says everything once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.game import Setup
from companion.core.notation import Seat
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.state import Mark, Score
from companion.games.valhal.rules.vocabulary import Season
from companion.games.valhalla.rules.state import Happening, Note
from companion.ledger.events import Proposal, Source, Undo
from companion.ledger.referee import Referee
from companion.tabletop.readings import Question, Reading
from companion.views import speech_for
from companion.views.speech import LANGUAGES, Speech
from companion.views.voice import (
    TOPIC_WORDS,
    ListenerMemory,
    Topic,
    Utterance,
    listened,
    utterances,
)
from companion.views.words import Done, Spoken, words_of

ODIN = Setup("odin", ("Anna", "Ben", "Cleo"))


class Ear:
    """Somebody who listens to a table."""

    def __init__(self, referee: Referee, language: str = "en") -> None:
        self.referee = referee
        self.language = language
        self.heard: ListenerMemory | None = None
        self.hears()

    def hears(self, *topics: Topic) -> list[str]:
        session = self.referee.moment.session
        game = 0 if session is None else session.number
        now = utterances(self.referee.moment, self.language)
        self.heard, new = listened(self.heard, game, now)
        said = [each.text for each in new if not topics or each.topic in topics]
        return [each.replace("\N{NO-BREAK SPACE}", " ") for each in said]


def play(referee: Referee, *lines: str) -> None:
    for line in lines:
        session = referee.moment.session
        assert session is not None
        referee.propose(Proposal(line, session.seq, Source.PAGE))


def undo(referee: Referee, entries: int = 1) -> None:
    session = referee.moment.session
    assert session is not None
    referee.propose(Undo(session.seq, Source.PAGE, entries))


@pytest.fixture
def odin(referee: Referee) -> Referee:
    referee.open(ODIN, Source.PAGE)
    play(referee, "deal A", "A r3")
    return referee


SPOKEN = {
    "en": (
        "Ben, red 5 and 6: 65.",
        "Cleo's turn.",
        "Not allowed: 62 does not beat 65.",
        "The hand is over: Anna 0, Ben 9 and Cleo 9.",
    ),
    "de": (
        "Ben, rot 5 und 6: 65.",
        "Cleo ist am Zug.",
        "Nicht erlaubt: 62 schlägt 65 nicht.",
        "Der Durchgang ist zu Ende: Anna 0, Ben 9 und Cleo 9.",
    ),
    "fr": (
        "Ben, rouge 5 et 6 : 65.",
        "Au tour de Cleo.",
        "Pas permis : 62 ne bat pas 65.",
        "La manche est finie : Anna 0, Ben 9 et Cleo 9.",
    ),
    "es": (
        "Ben, rojo 5 y 6: 65.",
        "Turno de Cleo.",
        "No vale: 62 no supera 65.",
        "La mano ha terminado: Anna 0, Ben 9 y Cleo 9.",
    ),
    "it": (
        "Ben, rosso 5 e 6: 65.",
        "Tocca a Cleo.",
        "Non permesso: 62 non batte 65.",
        "La mano è finita: Anna 0, Ben 9 e Cleo 9.",
    ),
    "nl": (
        "Ben, rood 5 en 6: 65.",
        "Cleo is aan de beurt.",
        "Niet toegestaan: 62 verslaat 65 niet.",
        "De hand is afgelopen: Anna 0, Ben 9 en Cleo 9.",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_odin_is_spoken_shortly_in_every_language(odin: Referee, language: str) -> None:
    laid, turn, refused, counted = SPOKEN[language]
    ear = Ear(odin, language)
    play(odin, "B r5 r6")
    assert ear.hears() == [laid, turn]
    play(odin, "C b6 b2")
    assert ear.hears() == [refused]
    odin.dismiss()
    assert ear.hears() == []
    undo(odin, 3)
    play(odin, "deal A", "A r1 r2 r3 r4 r5 r6 r7 r8 r9", "count 0 9 9")
    assert ear.hears(Topic.SUMMARIES) == [counted]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("B b5", "Ben, blue 5."),
        ("B b7 r7", "Ben, blue and red 7: 77."),
        ("B b9 b5", "Ben, blue 5 and 9: 95."),
        ("B pass", "Ben passes."),
    ],
)
def test_a_play_is_told_as_people_say_it(odin: Referee, line: str, said: str) -> None:
    ear = Ear(odin)
    play(odin, line)
    assert ear.hears(Topic.PLAYS) == [said]


def test_who_comes_later_hears_nothing_old(odin: Referee) -> None:
    assert listened(None, 1, utterances(odin.moment, "en"))[1] == ()
    ear = Ear(odin)
    odin.open(ODIN, Source.PAGE)
    assert ear.hears() == []  # of another game


def test_nothing_is_said_twice(odin: Referee) -> None:
    ear = Ear(odin)
    play(odin, "B b5")
    assert ear.hears(Topic.PLAYS) == ["Ben, blue 5."]
    odin.wake()
    assert ear.hears() == []


def test_after_a_correction_only_the_corrected_value_is_said(odin: Referee) -> None:
    play(odin, "B r5 r6", "C pass")
    ear = Ear(odin)
    undo_and_redo(odin, 2, "B r5 r7", "C pass")
    assert ear.hears(Topic.PLAYS) == ["75."]


def undo_and_redo(referee: Referee, entries: int, *lines: str) -> None:
    """As a correction does: nobody hears of the moments in between."""
    undo(referee, entries)
    play(referee, *lines)


def test_what_was_taken_back_is_said_and_may_be_said_again(odin: Referee) -> None:
    play(odin, "B b5")
    ear = Ear(odin)
    undo(odin)
    assert ear.hears(Topic.PLAYS) == ["Taken back."]
    play(odin, "B b5")
    assert ear.hears(Topic.PLAYS) == ["Ben, blue 5."]


def test_an_old_entry_that_comes_into_view_again_is_not_news(odin: Referee) -> None:
    for _ in range(6):
        play(odin, "B has 9", "B has 9", "B has 9")
    ear = Ear(odin)
    undo(odin, 4)
    assert ear.hears(Topic.PLAYS) == ["Taken back."]


def test_who_was_away_hears_only_the_last_play(odin: Referee) -> None:
    ear = Ear(odin)
    play(odin, "B b5", "C pass", "A pass", "B g1")
    assert ear.hears(Topic.PLAYS) == ["Ben, green 1."]


def test_a_question_of_the_camera_is_asked_once(odin: Referee) -> None:
    ear = Ear(odin)
    session = odin.moment.session
    assert session is not None
    readings = (Reading(("B b5",), 0.6), Reading(("B b6",), 0.4))
    odin.notice(Question(readings, ()), session.seq)
    assert ear.hears() == ["What was it? The camera is not sure."]
    odin.notice(Question(readings[::-1], ()), session.seq)
    assert ear.hears() == []


def test_the_end_of_a_game_names_the_winner(referee: Referee) -> None:
    referee.open(Setup("odin", ("Anna", "Ben"), "en", (("limit", "one_hand"),)), Source.PAGE)
    play(referee, "deal A")
    ear = Ear(referee)
    play(referee, "A r1 r2 r3 r4 r5 r6 r7 r8 r9", "count 0 9")
    assert ear.hears(Topic.SUMMARIES) == ["Anna wins!"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_topic_has_a_name_of_its_own(language: str) -> None:
    assert set(TOPIC_WORDS) == set(Topic)
    assert len({Speech(language).say(words) for words in TOPIC_WORDS.values()}) == len(Topic)


def test_a_fold_needs_no_table() -> None:
    first = Utterance(Topic.PLAYS, "A r1", "Anna, red 1.", "red 1.", 1)
    other = Utterance(Topic.PLAYS, "A r2", "Anna, red 2.", "red 2.", 1)
    heard, said = listened(None, 1, (first,))
    assert said == ()
    heard, said = listened(heard, 1, (other,))
    assert [each.text for each in said] == ["red 2."]
    assert heard.last == 1
    assert heard.of(Topic.PLAYS, 1) == "A r2"
    assert heard.of(Topic.TURNS, 0) is None


def test_a_list_is_joined_as_people_say_it() -> None:
    speech = Speech("en", names=("Anna", "Ben"))
    assert speech.listed((Seat.A, Seat.B, "somebody")) == "Anna, Ben and somebody"
    assert speech.listed(("red",)) == "red"
    assert speech.listed(()) == "nothing"


SEASON_OVER = {
    "en": "The season is over: summer. Anna: favour 1, glory 4; Ben: favour 0, glory 2.",
    "de": "Die Jahreszeit ist vorbei: Sommer. Anna: Gunst 1, Ruhm 4; Ben: Gunst 0, Ruhm 2.",
    "fr": "La saison est finie : été. Anna : faveur 1, gloire 4; Ben : faveur 0, gloire 2.",
    "es": "La estación ha terminado: verano. Anna: favor 1, gloria 4; Ben: favor 0, gloria 2.",
    "it": "La stagione è finita: estate. Anna: favore 1, gloria 4; Ben: favore 0, gloria 2.",
    "nl": "Het seizoen is voorbij: zomer. Anna: gunst 1, roem 4; Ben: gunst 0, roem 2.",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_season_is_summed_up_in_every_language(language: str) -> None:
    setup = Setup("valhal", ("Anna", "Ben"))
    before = valhal.start(setup)
    scores = (Score(4, 1, 3, 1), Score(2, 0, 3, 1))
    after = replace(before, chronicle=(Mark(1, Season.SUMMER, scores),))
    words, speech = words_of("valhal"), speech_for(setup, language)
    assert words.spoken is not None
    said = words.spoken(speech, Done(before, valhal.parse("agree"), after))
    assert said.summary.replace("\N{NO-BREAK SPACE}", " ") == SEASON_OVER[language]
    sheet = words.spoken(speech, Done(before, valhal.parse("sheet glory.max 20"), before))
    assert sheet == Spoken("")  # nobody wants to hear a sheet


def test_valhalla_says_who_is_out(referee: Referee) -> None:
    referee.open(Setup("valhalla", ("Anna", "Ben")), Source.PAGE)
    ear = Ear(referee)
    play(referee, "first A")
    assert ear.hears(Topic.PLAYS) == ["Anna goes first."]
    session = referee.moment.session
    assert session is not None
    out = replace(session.state, notes=(Note(Happening.OUT, Seat.B),))
    words, speech = words_of("valhalla"), speech_for(session.setup, "en")
    assert words.spoken is not None
    done = Done(session.state, session.game.parse("first A"), out)
    assert words.spoken(speech, done).summary == "Ben is out."
