"""The live stream: ids are the journal's, a page that was away hears what it missed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from companion.core.game import Setup
from companion.dashboard import Parts, create_app
from companion.dashboard.serving import stream as streaming
from companion.ledger.events import Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.service.access.book import AccessBook
from companion.service.access.roles import Role
from tests.dashboard.phone import Phone


@dataclass
class Message:
    event: str
    id: int
    data: str


@contextmanager
def stream(phone: Phone, **headers: str) -> Iterator[Iterator[Message]]:
    reply = phone.client.get("/stream", headers=headers, buffered=False)
    assert (reply.status_code, reply.mimetype) == (200, "text/event-stream")
    try:
        yield messages(reply.iter_encoded())
    finally:
        reply.close()


def messages(chunks: Iterator[bytes]) -> Iterator[Message]:
    for chunk in chunks:
        for block in chunk.decode().split("\n\n"):
            fields = [line.split(": ", 1) for line in block.split("\n") if ": " in line]
            found = dict(fields[:2])
            if found.get("event"):
                data = "\n".join(value for name, value in fields if name == "data")
                yield Message(found["event"], int(found["id"]), data)


def test_the_stream_opens_with_the_table_as_it_is(phone: Phone) -> None:
    phone.new_game()
    with stream(phone) as following:
        first = next(following)
        assert (first.event, first.id) == ("table", phone.seq)
        assert "Draw the leader by lot" in first.data


def test_every_entry_is_told_and_then_shown(phone: Phone) -> None:
    phone.new_game()
    with stream(phone) as following:
        next(following)
        phone.say("deal A")
        entry, table = next(following), next(following)
    assert (entry.event, entry.id, entry.data) == ("entry", 2, "Dealt; Anna leads.")
    assert (table.event, table.id) == ("table", 2)


def test_a_refusal_is_shown_under_the_same_id(phone: Phone) -> None:
    phone.new_game()
    phone.say("deal A")
    with stream(phone) as following:
        next(following)
        phone.say("B r3")
        table = next(following)
    assert (table.event, table.id) == ("table", 2)
    assert "It is Anna&#39;s turn, not Ben&#39;s." in table.data


def test_a_page_that_was_away_hears_what_it_missed(phone: Phone) -> None:
    phone.new_game()
    for action in ("deal A", "A r3", "B b5"):
        phone.say(action)
    with stream(phone, **{"Last-Event-ID": "2"}) as following:
        told = [next(following) for _ in range(3)]
    assert [(each.event, each.id) for each in told] == [("entry", 3), ("entry", 4), ("table", 4)]
    assert [each.data for each in told[:2]] == ["Anna lays red 3.", "Ben lays blue 5."]


def test_nonsense_as_last_event_is_no_trouble(phone: Phone) -> None:
    phone.new_game()
    for nonsense in ("-1", "x", "9" * 40, "²"):
        with stream(phone, **{"Last-Event-ID": nonsense}) as following:
            assert next(following).event == "table"


def test_each_reader_hears_their_own_language(phone: Phone) -> None:
    phone.new_game()
    phone.say("deal A")
    with (
        stream(phone, **{"Accept-Language": "de"}) as german,
        stream(phone, **{"Accept-Language": "en"}) as english,
    ):
        assert "Anna eröffnet." in next(german).data
        assert "Anna leads." in next(english).data


@pytest.fixture
def quick_beats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "BEAT_SECONDS", 0.02)


@pytest.mark.usefixtures("quick_beats")
def test_who_is_sent_away_hears_nothing_more(referee: Referee, journal: Journal) -> None:
    book = AccessBook()
    book.set_owner_code("nine worlds")
    book.decide(codes=True, closed=False)
    app = create_app(Parts(referee, journal, access=book))
    referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
    phone = Phone(app.test_client(), referee, [])
    phone.submit("/join", name="Ben", code=book.table_code)
    with stream(phone) as following:
        next(following)
        book.revoke(book.devices[0].handle)
        referee.wake()
        assert list(following) == []
    with stream(phone) as following:  # as anybody may who watches
        next(following)
        book.decide(codes=True, closed=True)
        assert list(following) == [], "with the next beat"
    assert phone.get("/stream").status_code == 403


@pytest.mark.usefixtures("quick_beats")
def test_a_program_whose_key_is_taken_away_hears_nothing_more(
    referee: Referee, journal: Journal
) -> None:
    book = AccessBook()
    key = book.add_program("scoreboard", Role.WATCH)
    phone = Phone(create_app(Parts(referee, journal, access=book)).test_client(), referee, [])
    with stream(phone, Authorization=f"Bearer {key}") as following:
        next(following)
        book.revoke(book.programs[0].handle)
        assert list(following) == []


def test_one_viewer_too_many_is_told_to_look_in_now_and_then(phone: Phone) -> None:
    phone.new_game()
    with stream(phone) as one, stream(phone) as two:
        next(one), next(two)
        reply = phone.get("/stream")
        assert reply.status_code == 503
        assert reply.headers["Retry-After"] == "15"
        assert phone.get("/table").status_code == 200
    with stream(phone) as again:
        assert next(again).event == "table"
