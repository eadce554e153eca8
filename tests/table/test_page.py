"""What a phone sees and says of what the camera saw."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.dashboard import Parts, create_app
from companion.events import Proposal, Source
from companion.journal import Journal
from companion.referee import Referee
from companion.rules.core import Setup
from companion.table import Question, Shown
from companion.views import Lamp, lamps_for, view_of
from tests.strategies import NAMES
from tests.table.odin_players import LANES
from tests.table.watched import WatchedTable


@pytest.fixture
def table(referee: Referee, tmp_path: Path) -> WatchedTable:
    referee.open(Setup("odin", NAMES[:3]), Source.PAGE)
    table = WatchedTable(referee, tmp_path)
    referee.propose(Proposal("deal A", table.session.seq, Source.PAGE))
    table.lay("r7", *LANES[0])
    table.settle()
    return table


@pytest.fixture
def client(table: WatchedTable, journal: Journal) -> Iterator[FlaskClient]:
    app = create_app(Parts(table.referee, journal, language="de", table=table.loop))
    with app.test_client() as client:
        yield client


def page(client: FlaskClient) -> str:
    return client.get("/table").get_data(as_text=True)


def ask(table: WatchedTable) -> Question:
    table.eye.sees = lambda label, _rng: (
        ("b8", 0.55, (("k8", 0.43),)) if label == "b8" else (label, 0.999, ())
    )
    table.lay("b8", *LANES[1])
    table.settle()
    assert isinstance(table.notion, Question)
    return table.notion


def test_what_will_be_entered_is_shown_and_taken_by_a_tap(
    table: WatchedTable, client: FlaskClient
) -> None:
    table.lay("b8", *LANES[1])
    table.hand()
    table.look(1.0)
    assert isinstance(table.notion, Shown)
    assert "Gesehen, wird gleich eingetragen:" in page(client)
    client.post("/notion", data={"seq": table.session.seq, "reading": 0})
    assert table.actions[-1] == "B b8"


def test_a_question_shows_the_card_and_the_alternatives(
    table: WatchedTable, client: FlaskClient
) -> None:
    asked = ask(table)
    shown = page(client)
    assert "Was war es?" in shown
    assert f"/things/{asked.about[0].number}.jpg" in shown
    assert client.get(f"/things/{asked.about[0].number}.jpg").data == b"a picture"
    assert client.get("/things/999.jpg").status_code == 404
    assert Lamp.AMBER in lamps_for(view_of(table.referee.moment, "en"))
    client.post("/notion", data={"seq": table.session.seq, "reading": 1})
    assert table.actions[-1] == "B k8"
    table.look(6)
    assert table.actions[-1] == "B k8"
    assert table.notion is None


def test_a_late_answer_changes_nothing(table: WatchedTable, client: FlaskClient) -> None:
    ask(table)
    seen = table.session.seq
    table.referee.propose(Proposal("B b8", seen, Source.PAGE))
    client.post("/notion", data={"seq": seen, "reading": 1})
    assert table.actions[-1] == "B b8"


def test_none_of_it_is_an_answer(table: WatchedTable, client: FlaskClient) -> None:
    ask(table)
    client.post("/wave")
    table.look(6)
    assert table.notion is None
    assert table.actions[-1] == "A r7"


def test_a_disputed_entry_is_kept(table: WatchedTable, client: FlaskClient, tmp_path: Path) -> None:
    assert "/dispute" in page(client)
    client.post("/dispute", data={"entry": table.session.seq})
    assert list(tmp_path.glob("game-*/entry.json"))
    assert client.post("/dispute", data={"entry": 999}).status_code == 400
