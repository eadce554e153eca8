"""The page without a network: the Flask app with its real parts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.dashboard import Parts, create_app
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.service.access.presence import Presser


@dataclass
class Pressed:
    """A finger that remembers."""

    presses: list[tuple[str, bool]]
    buttons: tuple[str, ...] = ("pass", "confirm")

    def press(self, button: str, by: Presser, *, hold: bool = False) -> None:
        self.presses.append((button, hold))


@dataclass
class Phone:
    """Somebody at the table with the page open."""

    client: FlaskClient
    referee: Referee
    pressed: list[tuple[str, bool]]

    @property
    def seq(self) -> int:
        session = self.referee.moment.session
        return 0 if session is None else session.seq

    def get(self, path: str, **headers: str) -> TestResponse:
        return self.client.get(path, headers=headers)

    def post(self, path: str, **fields: str | list[str]) -> TestResponse:
        """As the script does it."""
        return self.client.post(path, data=fields, headers={"X-Live": "1"})

    def submit(self, path: str, **fields: str | list[str]) -> TestResponse:
        """As a plain form does it."""
        return self.client.post(path, data=fields)

    def new_game(self, *names: str, **options: str) -> TestResponse:
        fields: dict[str, str | list[str]] = {"option." + k: v for k, v in options.items()}
        return self.post("/games", name=list(names or ("Anna", "Ben")), sure="yes", **fields)

    def say(self, *words: str, **fields: str) -> TestResponse:
        return self.post("/act", say=list(words), seq=str(self.seq), **fields)


def text(reply: TestResponse) -> str:
    """What a reader sees, without tags."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", reply.text)))


@pytest.fixture
def phone(referee: Referee, journal: Journal) -> Phone:
    finger = Pressed([])
    app = create_app(Parts(referee, journal, finger=finger, viewers=2))
    app.testing = True
    return Phone(app.test_client(), referee, finger.presses)
