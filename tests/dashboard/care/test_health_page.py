"""`/health`: what was found and what to do about it; a support file that tells of nobody."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from companion.core.game import Setup
from companion.ledger.events import Source
from companion.ledger.journal import Journal
from companion.service.findings import Examination, Finding, State, finding
from tests.dashboard.care.box import Box


def looked_at(lasting: bool) -> Iterator[Finding]:
    if lasting:
        yield finding("journal", State.BAD, "%(file)s is damaged", "bring it back", file="/a/b.db")
        return
    yield finding("temperature", State.GOOD, "%(degrees)s degrees", degrees=40)
    yield finding("network", State.GOOD, "http://192.168.1.77:8080/ at Annas-Tisch")


@pytest.fixture
def examination() -> Examination:
    return Examination(looked_at)


@pytest.fixture
def box(box: Box, journal: Journal, examination: Examination) -> Box:
    return Box(box.data, box.journal, examination)


def found(client: FlaskClient) -> str:
    client.get("/health")
    patience = time.monotonic() + 5
    while time.monotonic() < patience:
        reply = client.get("/health/findings")
        if "X-Again" in reply.headers:
            return reply.text
        time.sleep(0.01)
    raise AssertionError("it never ended")


def test_it_looks_by_itself_and_shows_the_worst_first(client: FlaskClient) -> None:
    told = found(client)
    assert "One thing could be better." in told
    assert told.index("is damaged") < told.index("40 degrees")
    assert "bring it back" in told
    assert client.post("/health").status_code == 303


def test_a_check_that_fails_is_a_finding(box: Box) -> None:
    def fails(_lasting: bool) -> Iterator[Finding]:
        yield finding("clock", State.GOOD, "right")
        raise RuntimeError("boom")

    client = Box(box.data, box.journal, Examination(fails)).client()
    told = found(client)
    assert "right" in told
    assert "it stopped: boom" in told


def test_what_changes_quickly_is_looked_at_again_while_somebody_looks() -> None:
    now, degrees = [0.0], [40]

    def look(lasting: bool) -> Iterator[Finding]:
        if lasting:
            looks.append("lasting")
        else:
            yield finding("temperature", State.GOOD, "%(degrees)s", degrees=degrees[0])

    looks: list[str] = []
    examination = Examination(look, clock=lambda: now[0])
    examination.begin()
    _until(lambda: not examination.running)
    degrees[0] = 71
    examination.refresh()  # too soon
    assert [str(each.what) for each in examination.findings] == ["40"]
    now[0] = 10.0
    examination.refresh()
    _until(lambda: [str(each.what) for each in examination.findings] == ["71"])
    assert looks == ["lasting"]


def _until(so: object) -> None:
    assert callable(so)
    patience = time.monotonic() + 5
    while not so():
        assert time.monotonic() < patience
        time.sleep(0.005)


def test_the_support_file_tells_of_nobody_unless_it_may(box: Box, client: FlaskClient) -> None:
    box.parts.referee.open(Setup("odin", ("Sieglinde", "Ben")), Source.PAGE)
    box.store.choose({"table_name": "Annas-Tisch", "mqtt": "mqtt://anna:geheim@192.168.1.5"})
    found(client)
    told = _unpacked(client.post("/health/support").data)
    assert "backup.zip" not in told
    for secret in (b"Sieglinde", b"Annas-Tisch", b"geheim", b"192.168", b"/a/b.db", b"anna"):
        assert [name for name, content in told.items() if secret in content] == []
    assert b"40 degrees" in told["health.txt"]
    more = _unpacked(client.post("/health/support", data={"personal": "yes"}).data)
    assert "data/journal.db" in zipfile.ZipFile(io.BytesIO(more["backup.zip"])).namelist()
    assert b"geheim" not in more["settings.json"]


def _unpacked(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}
