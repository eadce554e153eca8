"""Always a page: what is wrong, the ways on, and a game that goes on meanwhile."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.dashboard import Parts, create_app
from companion.foundation.messages import message
from companion.foundation.notices import Notices
from companion.ledger.events import Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.service.chosen_settings import SettingsStore
from companion.service.keeping.condition import Ailment, JournalCondition
from companion.service.keeping.recovery import ASIDE, Errand, Recovery
from companion.service.keeping.rotation import FOLDER, back_up_today
from companion.service.keeping.upkeep import Upkeep
from tests.ledger.logs import OPENING, SETUP, change_one, enter
from tests.waiting import soon

PROBLEM = message("gone", "the card is full")


@pytest.fixture
def errands() -> list[Errand]:
    return []


@pytest.fixture
def real(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "journal.db"
    with Journal(path) as journal:
        referee = Referee(journal)
        referee.open(SETUP, Source.PAGE)
        enter(referee, *OPENING)
    return path


@pytest.fixture
def notices(referee: Referee) -> Notices:
    return Notices(referee.wake)


@pytest.fixture
def condition(notices: Notices) -> JournalCondition:
    made = JournalCondition(notices)
    made.put(Ailment.AWAY, PROBLEM)
    return made


@pytest.fixture
def client(
    real: Path,
    errands: list[Errand],
    condition: JournalCondition,
    referee: Referee,
    journal: Journal,
) -> FlaskClient:
    recovery = Recovery(real, real.parent.parent / "companion.toml", condition, errands.append)
    store = SettingsStore(None, {"data": str(real.parent)})
    parts = Parts(referee, journal, recovery=recovery, notices=condition.notices, store=store)
    return create_app(parts).test_client()


def test_it_says_what_is_wrong_and_the_ways_on(client: FlaskClient) -> None:
    text = client.get("/recovery").text
    for said in (
        "the card is full",
        "You can play on",
        "Try again",
        "Bring a backup back",
        "Begin a new journal",
        "Download the games",
    ):
        assert said in text
    assert "/recovery" in client.get("/new").text, "every page leads there"


def test_freeing_space_leads_to_tidying_up(client: FlaskClient) -> None:
    assert 'href="/settings#kept"' in client.get("/recovery").text
    assert 'id="kept"' in client.get("/settings").text


def test_a_journal_found_unsound_later_has_the_ways_on_too(
    client: FlaskClient, condition: JournalCondition, errands: list[Errand], real: Path
) -> None:
    condition.put(Ailment.AWAY, None)
    assert "Nothing is wrong" in client.get("/recovery").text
    assert 'href="/recovery"' not in client.get("/new").text
    change_one(real)
    with Journal(real) as journal, Upkeep(journal, None, condition, backups=False):
        assert soon(lambda: condition.worst is not None)
    page = client.get("/new").text
    assert "has changed by itself" in page
    assert 'href="/recovery"' in page, "the notice leads there"
    text = client.get("/recovery").text
    assert "is not as it was written" in text
    for said in ("new entries are kept", "Begin a new journal", "Download the games"):
        assert said in text
    assert "Try again" not in text, "that would change nothing"
    with zipfile.ZipFile(io.BytesIO(client.get("/recovery/readable.zip").data)) as packed:
        assert packed.namelist() == ["game-1.txt", "journal.db"]
    client.post("/recovery/anew")
    errands[0]()
    assert not real.exists()
    assert list((real.parent / ASIDE).glob("*/journal.db"))


def test_the_table_itself_leads_there_as_soon_as_it_is_found(
    client: FlaskClient, condition: JournalCondition
) -> None:
    client.post("/games", data={"name": ["Anna", "Ben"]})
    condition.put(Ailment.AWAY, None)
    assert 'href="/recovery"' not in client.get("/table", headers={"X-Live": "1"}).text
    condition.put(Ailment.FULL, PROBLEM)
    shown = client.get("/table", headers={"X-Live": "1"}).text
    assert "Nothing can be written any more" in shown
    assert 'href="/recovery"' in shown
    assert "Try again" in client.get("/recovery").text


def test_it_tries_again(client: FlaskClient, errands: list[Errand], real: Path) -> None:
    before = real.read_bytes()
    assert "starts anew" in client.post("/recovery/again").text
    (errand,) = errands
    errand()
    assert real.read_bytes() == before


def test_a_new_journal_keeps_the_old_one_aside(
    client: FlaskClient, errands: list[Errand], real: Path
) -> None:
    before = real.read_bytes()
    client.post("/recovery/anew")
    assert real.exists(), "not while anybody may have it open"
    errands[0]()
    assert not real.exists()
    (kept,) = (real.parent / ASIDE).glob("*/journal.db")
    assert kept.read_bytes() == before


def test_a_backup_is_brought_back(client: FlaskClient, errands: list[Errand], real: Path) -> None:
    back_up_today(real.parent, None, real.parent / FOLDER, date(2026, 11, 17))
    with Journal(real) as journal:
        log = journal.events(1)
    real.write_bytes(b"no journal at all" * 1000)
    assert "2026-11-17" in client.get("/recovery").text
    assert client.post("/recovery/restore", data={"backup": "0"}).status_code == 400
    assert errands == []
    client.post("/recovery/restore", data={"backup": "0", "sure": "yes"})
    errands[0]()
    with Journal(real) as journal:
        assert journal.events(1) == log


@pytest.mark.parametrize("number", ["7", "-1", "x", "", "9" * 99])
def test_a_backup_that_is_not_there(
    client: FlaskClient, errands: list[Errand], number: str
) -> None:
    reply = client.post("/recovery/restore", data={"backup": number, "sure": "yes"})
    assert (reply.status_code, errands) == (400, [])


def test_a_backup_with_the_damage_in_it_is_marked(client: FlaskClient, real: Path) -> None:
    back_up_today(real.parent, None, real.parent / FOLDER, date(2026, 11, 16))
    assert "with the damage in it" not in client.get("/recovery").text
    change_one(real)
    back_up_today(real.parent, None, real.parent / FOLDER, date(2026, 11, 17))
    assert client.get("/recovery").text.count("with the damage in it") == 1


def test_what_can_be_read_is_carried_away(client: FlaskClient, real: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(client.get("/recovery/readable.zip").data)) as packed:
        assert packed.namelist() == ["game-1.txt", "journal.db"]
        assert b"A r3" in packed.read("game-1.txt")
    real.write_bytes(b"no journal at all" * 1000)
    with zipfile.ZipFile(io.BytesIO(client.get("/recovery/readable.zip").data)) as packed:
        assert packed.namelist() == ["journal.db"]


def test_nothing_to_recover_where_nobody_can_start_it_again(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        client = create_app(Parts(Referee(journal), journal)).test_client()
        assert client.get("/recovery").status_code == 400
        assert client.post("/recovery/anew").status_code == 400
