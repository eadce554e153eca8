"""The box's own voice: one sentence after another, none cut off, with real sound."""

from __future__ import annotations

import array
import shutil
import subprocess
import threading
import wave
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.core.game import Setup
from companion.devices.voice import (
    MOST_WAITING,
    PROGRAM,
    VOICES,
    Espeak,
    Speaker,
    Storyteller,
    command,
    open_voice,
)
from companion.ledger.events import Proposal, Source
from companion.ledger.referee import Referee
from companion.service.settings import Settings
from companion.views.speech import LANGUAGES, Speech
from companion.views.voice import Topic

PATIENCE_SECONDS = 10


class Mouth:
    """Says a text when it is let, and remembers it."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.may = threading.Semaphore(0)
        self.spoke = threading.Semaphore(0)
        self.began = threading.Semaphore(0)

    def __call__(self, text: str) -> None:
        self.began.release()
        assert self.may.acquire(timeout=PATIENCE_SECONDS)
        self.said.append(text)
        self.spoke.release()

    def let(self, count: int) -> None:
        self.may.release(count)
        for _ in range(count):
            assert self.spoke.acquire(timeout=PATIENCE_SECONDS)


def test_each_sentence_is_said_to_its_end_before_the_next() -> None:
    mouth = Mouth()
    with Speaker(mouth) as speaker:
        speaker.say(["one", "two"])  # returns at once: nobody may speak yet
        assert mouth.began.acquire(timeout=PATIENCE_SECONDS)
        assert mouth.said == []
        assert not mouth.began.acquire(blocking=False)
        mouth.let(2)
    assert mouth.said == ["one", "two"]


def test_of_too_many_the_oldest_are_dropped_but_not_the_one_being_said() -> None:
    mouth = Mouth()
    with Speaker(mouth) as speaker:
        speaker.say(["first"])
        assert mouth.began.acquire(timeout=PATIENCE_SECONDS)
        speaker.say([f"late {number}" for number in range(20)])
        mouth.let(1 + MOST_WAITING)
    assert mouth.said == ["first", *(f"late {number}" for number in range(14, 20))]


def test_the_storyteller_says_what_was_chosen_and_nothing_else(referee: Referee) -> None:
    referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
    mouth = Mouth()
    with (
        Speaker(mouth) as speaker,
        Storyteller(referee, speaker, "de", frozenset({Topic.REFUSALS})) as teller,
    ):
        assert teller.listening.wait(PATIENCE_SECONDS)
        for line in ("deal A", "A r3", "B b2"):
            session = referee.moment.session
            assert session is not None
            referee.propose(Proposal(line, session.seq, Source.PAGE))
        mouth.let(1)
    assert mouth.said == ["Nicht erlaubt: 2 schlägt 3 nicht."]


def test_a_program_that_fails_is_only_logged(caplog: pytest.LogCaptureFixture) -> None:
    Espeak("/nowhere/espeak-ng", "en")("hello")
    assert "not said" in caplog.text


def test_without_the_setting_or_the_program_the_box_is_silent(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        assert open_voice(Settings(), referee, stack) == "none"
        monkeypatch.setenv("PATH", "")
        said = open_voice(Settings(voice="all"), referee, stack)
        assert said == "none: espeak-ng is not installed"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_voice_that_can_be_heard(language: str, tmp_path: Path) -> None:
    program = shutil.which(PROGRAM)
    if program is None:
        pytest.skip("espeak-ng is not installed")
    file = tmp_path / "said.wav"
    said = Speech(language).say("%(name)s wins!", name="Ben")
    subprocess.run(command(program, language, file), input=said.encode(), check=True, timeout=30)
    with wave.open(str(file)) as sound:
        samples = array.array("h", sound.readframes(sound.getnframes()))
        assert sound.getnframes() / sound.getframerate() > 0.5  # seconds
    assert max(map(abs, samples)) > 3000


def test_every_language_has_a_voice() -> None:
    assert set(VOICES) == set(LANGUAGES)
