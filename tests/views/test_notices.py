"""What is said of the machine: for every fault a sentence, in every language, while it lasts."""

from __future__ import annotations

import pytest

from companion.core.game import Setup
from companion.dashboard import Parts, create_app
from companion.devices.camera.watched import Fault
from companion.foundation.notices import Notice, Notices
from companion.ledger.events import Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.views.notices import SENTENCES, told
from companion.views.speech import LANGUAGES

FACTS = (
    ("broker", "mqtt://broker"),
    ("camera", "usb:1"),
    ("count", "nine"),
    ("crashes", "3"),
    ("file", "strange"),
    ("game", "chess"),
    ("hub", "https://hub.example"),
    ("part", "lamps"),
    ("why", "no pins"),
)


def test_every_fault_of_a_camera_has_a_sentence() -> None:
    beside = {"camera-beside"}  # one of several, whatever is wrong with it
    assert {f"camera-{fault}" for fault in Fault} | beside == {
        code for code in SENTENCES if code.startswith("camera-")
    }


@pytest.mark.parametrize("code", SENTENCES)
def test_it_is_said_in_every_language_with_its_facts(code: str) -> None:
    sentences = {told(language, Notice(code, FACTS)) for language in LANGUAGES}
    assert len(sentences) == len(LANGUAGES)
    for sentence in sentences:
        assert "%" not in sentence
        assert ("usb:1" in sentence) == code.startswith("camera-")
        assert ("3" in sentence) == code.startswith("safe-mode")


def test_only_a_change_is_told() -> None:
    changes: list[int] = []
    notices = Notices(lambda: changes.append(1))
    lost, black = Notice("camera-lost"), Notice("camera-black")
    notices.put("camera", None)
    notices.put("camera", lost)
    notices.put("camera", lost)
    notices.put("starts", Notice("safe-mode"))
    notices.put("camera", black)
    assert len(changes) == 3
    assert set(notices.standing) == {Notice("safe-mode"), black}
    notices.put("camera", None)
    assert notices.standing == (Notice("safe-mode"),)


def test_every_page_shows_it_and_the_table_at_once(journal: Journal) -> None:
    referee = Referee(journal)
    notices = Notices(referee.wake)
    client = create_app(Parts(referee, journal, notices=notices)).test_client()
    referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
    before = referee.moment.version
    assert "The camera" not in client.get("/table").text
    notices.put("camera", Notice("camera-lost", FACTS))
    assert referee.moment.version > before  # pages that follow live are told
    for path in ("/new", "/games", "/rules/odin"):
        assert client.get(path).text.count("The camera has gone away (usb:1).") == 1, path
    for path in ("/", "/table"):  # in one line, and whole in the sheet behind it
        assert client.get(path).text.count("The camera has gone away (usb:1).") == 2, path
    notices.put("camera", None)
    assert "The camera" not in client.get("/").text
