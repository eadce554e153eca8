"""Buttons that are only drawn on the page: whose finger proves that somebody is at the box, and
what the journal says of it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.core.game import Setup
from companion.dashboard import Parts, create_app
from companion.devices.box import open_box
from companion.ledger.events import Proposal, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.service.access.book import AccessBook
from companion.service.settings import Settings

OWNER_CODE = "nine worlds"
AWAY = "192.168.1.9"
AT_THE_BOX = "127.0.0.1"


@dataclass
class Box:
    """A box on mock pins, as `make run` has it, with codes on."""

    app: Flask
    book: AccessBook

    def player(self) -> FlaskClient:
        phone = self.app.test_client()
        fields = {"name": "Ben's phone", "code": self.book.table_code}
        assert phone.post("/join", data=fields).status_code == 303
        return phone

    def owner(self) -> FlaskClient:
        phone = self.app.test_client()
        assert phone.post("/own", data={"name": "Anna", "code": OWNER_CODE}).status_code == 303
        return phone


@pytest.fixture
def box(referee: Referee, journal: Journal) -> Iterator[Box]:
    book = AccessBook()
    book.set_owner_code(OWNER_CODE)
    book.decide(codes=True, closed=False)
    with ExitStack() as stack:
        settings = Settings(gpio="mock", hold_seconds=0.2)
        _, finger, trial = open_box(settings, referee, book, stack)
        yield Box(
            create_app(Parts(referee, journal, finger=finger, access=book, trial=trial)), book
        )


def hold_both(*fingers: tuple[FlaskClient, str, str]) -> None:
    """Each holds a button, from its address, all at the same time: *pass* first."""

    def hold(phone: FlaskClient, address: str, button: str) -> int:
        environ = {"REMOTE_ADDR": address}
        return phone.post(f"/box/{button}", data={"hold": "yes"}, environ_base=environ).status_code

    with ThreadPoolExecutor(len(fingers)) as hands:
        held = [hands.submit(hold, *each) for each in fingers]
        assert all(each.result() < 400 for each in held)


def try_to_own(phone: FlaskClient) -> int:
    fields = {"name": "mine now", "code": ""}
    return phone.post("/own", data=fields, environ_base={"REMOTE_ADDR": AWAY}).status_code


def test_a_player_far_away_cannot_own_the_box_with_the_drawn_buttons(box: Box) -> None:
    ben, ben_too = box.player(), box.player()
    hold_both((ben, AWAY, "pass"), (ben_too, AWAY, "confirm"))
    assert not box.book.somebody_present
    assert try_to_own(ben) == 403


@pytest.mark.parametrize("strange", ["pass", "confirm"])
def test_nor_by_lending_one_finger_to_whoever_sits_there(box: Box, strange: str) -> None:
    other = {"pass": "confirm", "confirm": "pass"}[strange]
    hold_both((box.player(), AWAY, strange), (box.player(), AT_THE_BOX, other))
    assert not box.book.somebody_present


def test_whoever_sits_at_the_machine_owns_it_without_the_code(box: Box) -> None:
    hold_both((box.player(), AT_THE_BOX, "pass"), (box.player(), AT_THE_BOX, "confirm"))
    assert box.book.somebody_present
    assert try_to_own(box.player()) == 303


def test_a_request_that_was_passed_on_does_not_come_from_the_machine(box: Box) -> None:
    ben = box.player()
    with ThreadPoolExecutor(2) as hands:
        for button in ("pass", "confirm"):
            hands.submit(
                ben.post,
                f"/box/{button}",
                data={"hold": "yes"},
                headers={"X-Forwarded-For": AWAY},
                environ_base={"REMOTE_ADDR": AT_THE_BOX},
            )
    assert not box.book.somebody_present


def test_the_owner_may_let_another_own_it_from_anywhere(box: Box) -> None:
    hold_both((box.owner(), AWAY, "pass"), (box.owner(), AWAY, "confirm"))
    assert box.book.somebody_present


def test_who_was_there_before_the_box_had_an_owner_is_not_its_owner() -> None:
    book = AccessBook()
    book.present()
    book.set_owner_code(OWNER_CODE)
    assert not book.somebody_present


def test_the_journal_says_whose_page_pressed_the_button(
    box: Box, referee: Referee, journal: Journal
) -> None:
    referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
    referee.propose(Proposal("deal A", 1, Source.PAGE))
    referee.propose(Proposal("A r3", 2, Source.PAGE))
    ben = box.player()
    ben.post("/box/pass")
    ben.post("/box/confirm", data={"hold": "yes"})
    told = [(each.source, each.by) for each in journal.events(1)[3:]]
    assert told == [(Source.BUTTON, "Ben's phone")] * 2
