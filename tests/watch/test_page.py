"""What a phone sees and says of what the camera saw."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.core.game import Setup
from companion.dashboard import Parts, create_app
from companion.ledger.events import Proposal, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.service.zone_file import KeptZones
from companion.tabletop.readings import Question, Shown
from companion.views import Lamp, lamps_for
from tests.catalogue import ZONES
from tests.games.odin.players import LANES
from tests.strategies import NAMES
from tests.watch.watched import WatchedTable


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
    app = create_app(Parts(table.referee, journal, language="de", table=table.witness))
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
    assert isinstance(table.opinion, Question)
    return table.opinion


def test_what_will_be_entered_is_shown_and_taken_by_a_tap(
    table: WatchedTable, client: FlaskClient
) -> None:
    table.lay("b8", *LANES[1])
    table.hand()
    table.look(1.0)
    assert isinstance(table.opinion, Shown)
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
    assert Lamp.AMBER in lamps_for(table.referee.moment)
    client.post("/notion", data={"seq": table.session.seq, "reading": 1})
    assert table.actions[-1] == "B k8"
    table.look(6)
    assert table.actions[-1] == "B k8"
    assert table.opinion is None


def test_a_late_answer_changes_nothing(table: WatchedTable, client: FlaskClient) -> None:
    ask(table)
    seen = table.session.seq
    table.referee.propose(Proposal("B b8", seen, Source.PAGE))
    client.post("/notion", data={"seq": seen, "reading": 1})
    assert table.actions[-1] == "B b8"


def test_none_of_it_is_an_answer(table: WatchedTable, client: FlaskClient) -> None:
    ask(table)
    client.post("/wave", data={"seq": table.session.seq})
    table.look(6)
    assert table.opinion is None
    assert table.actions[-1] == "A r7"


def test_a_late_no_is_told_so(table: WatchedTable, client: FlaskClient) -> None:
    asked = ask(table)
    lines = "; ".join(asked.readings[0].lines)
    seen = table.session.seq
    other = live(client, "/wave", seq=seen, lines="B g9")
    assert other.headers["X-Verdict"] == "stale"
    assert table.opinion == asked
    table.referee.propose(Proposal("B b8", seen, Source.PAGE))
    assert live(client, "/wave", seq=seen, lines=lines).headers["X-Verdict"] == "stale"


def test_what_was_answered_can_be_put_right(table: WatchedTable, client: FlaskClient) -> None:
    ask(table)
    before = page(client).count("/right/")
    live(client, "/notion", seq=table.session.seq, reading=1)
    table.look(0.3)
    assert page(client).count("/right/") > before


def live(client: FlaskClient, path: str, **fields: str | int) -> TestResponse:
    """As the script posts it."""
    return client.post(path, data=fields, headers={"X-Live": "1"})


def told(reply: TestResponse) -> str:
    return unquote(reply.headers["X-Said"])


def test_an_answer_means_the_reading_it_was_given_for(
    table: WatchedTable, client: FlaskClient
) -> None:
    asked = ask(table)
    wrong: dict[str, str | int] = {
        "seq": table.session.seq,
        "reading": 1,
        "lines": "; ".join(asked.readings[0].lines),
    }
    assert live(client, "/notion", **wrong).headers["X-Verdict"] == "stale"
    assert table.actions[-1] == "A r7"
    right = {**wrong, "lines": "; ".join(asked.readings[1].lines)}
    client.post("/notion", data=right)
    assert table.actions[-1] == "B k8"


def test_a_disputed_entry_is_kept(table: WatchedTable, client: FlaskClient, tmp_path: Path) -> None:
    assert "/dispute" in page(client)
    assert "beanstandet" not in page(client)
    reply = live(client, "/dispute", entry=table.session.seq)
    assert told(reply) == "Die Bilder zu diesem Eintrag sind aufbewahrt."
    assert list(tmp_path.glob("game-*/entry.json"))
    assert "beanstandet" in page(client)
    assert client.post("/dispute", data={"entry": 999}).status_code == 400


def test_what_people_answered_can_be_disputed_too(
    table: WatchedTable, client: FlaskClient, tmp_path: Path
) -> None:
    ask(table)
    client.post("/notion", data={"seq": table.session.seq, "reading": 1})
    table.look(1)
    live(client, "/dispute", entry=table.session.seq)
    (kept,) = tmp_path.glob("game-*/entry.json")
    assert json.loads(kept.read_text())["lines"] == ["B k8"]


# Putting right


def misread(table: WatchedTable) -> int:
    """A blue 8 is taken for the black one, and Cleo lays a red 9; the number of Ben's entry."""
    table.eye.sees = lambda label, _rng: (
        ("k8", 0.97, (("b8", 0.02), ("k3", 0.008))) if label == "b8" else (label, 0.999, ())
    )
    card = table.lay("b8", *LANES[1])
    table.settle()
    assert table.actions[-1] == "B k8"
    entry = table.session.seq
    table.take(*[each for each in table.eye.lying if each is not card])
    table.settle()
    table.lay("r9", *LANES[0])
    table.settle()
    assert table.actions[-2:] == ["B k8", "C r9"]
    return entry


def test_the_likeliest_alternatives_are_offered_first(
    table: WatchedTable, client: FlaskClient
) -> None:
    entry = misread(table)
    (doubt,) = table.witness.alternatives(entry)
    assert doubt.lines == ("B b8", "B k3")
    assert f"/things/{doubt.thing}.jpg" in page(client)
    shown = client.get(f"/right/{doubt.thing}").text
    assert shown.index('value="B b8"') < shown.index('value="B k3"')


def test_a_card_is_put_right_where_it_is_shown(table: WatchedTable, client: FlaskClient) -> None:
    entry = misread(table)
    (doubt,) = table.witness.alternatives(entry)
    way = f"/right/{doubt.thing}"
    assert way in page(client)
    good: dict[str, str | int] = {"entry": entry, "line": "B b8", "seq": table.session.seq}

    against = client.post(way, data=good | {"line": "B b2"})
    assert against.status_code == 400
    assert "2 schlägt 7 nicht." in against.text
    assert client.post(way, data=good | {"line": ""}).status_code == 400
    assert client.post(way, data=good | {"seq": 1}).status_code == 400
    assert client.get("/right/999").status_code == 200, "a card that has gone: nothing to offer"
    assert table.actions[-2:] == ["B k8", "C r9"]

    assert client.post(way, data=good).status_code == 303
    assert table.actions[-2:] == ["B b8", "C r9"]


def test_a_card_is_disputed_where_it_is_shown(
    table: WatchedTable, client: FlaskClient, tmp_path: Path
) -> None:
    entry = misread(table)
    (doubt,) = table.witness.alternatives(entry)
    sent = {"entry": entry, "seq": table.session.seq, "dispute": "yes"}
    assert client.post(f"/right/{doubt.thing}", data=sent).status_code == 303
    assert list(tmp_path.glob("game-*/entry.json"))
    assert "beanstandet" in client.get(f"/right/{doubt.thing}").text
    assert table.actions[-2:] == ["B k8", "C r9"]


def test_what_no_entry_rests_on_is_told_to_the_camera(
    table: WatchedTable, client: FlaskClient
) -> None:
    asked = ask(table)
    sent = {"card": "b8", "seq": table.session.seq}
    assert client.post(f"/right/{asked.about[0].number}", data=sent).status_code == 303
    assert table.learnt == [("b8", b"a picture")]


def test_the_table_has_one_way_to_put_a_card_right(
    table: WatchedTable, client: FlaskClient
) -> None:
    """The page of that card; the history only leads there."""
    entry = misread(table)
    (doubt,) = table.witness.alternatives(entry)
    shown = page(client)
    assert "/correct" not in shown
    assert "/case" not in shown
    assert "test set" not in client.get(f"/right/{doubt.thing}").text
    assert 'value="B k8"' in client.get(f"/right/{doubt.thing}").text, "as it can be typed"


def test_a_correction_keeps_what_came_after_it(table: WatchedTable, client: FlaskClient) -> None:
    entry = misread(table)
    reply = live(client, "/correct", entry=entry, line="B b8", seq=table.session.seq)
    assert told(reply) == "Berichtigt; was danach kam, gilt weiter."
    assert table.actions[-2:] == ["B b8", "C r9"]
    table.look(12)
    assert table.actions[-2:] == ["B b8", "C r9"]
    assert table.opinion is None
    assert table.session.refusal is None  # the card is what they said, whatever it looks like


def test_the_journal_says_on_which_device_a_card_was_put_right(
    table: WatchedTable, client: FlaskClient, journal: Journal
) -> None:
    entry = misread(table)
    (doubt,) = table.witness.alternatives(entry)
    before = table.session.seq
    fields = {"entry": entry, "line": "B b8", "seq": before}
    client.post(f"/right/{doubt.thing}", data=fields, headers={"User-Agent": "(iPhone; x)"})
    assert table.actions[-2:] == ["B b8", "C r9"]
    assert [each.by for each in journal.events(1, before)] == ["iPhone"] * 3


def test_a_correction_reads_again_what_no_longer_fits(
    table: WatchedTable, client: FlaskClient
) -> None:
    """Cleo's red 9 was laid on an 8. If that was a set of two, one card does not beat it."""
    entry = misread(table)
    reply = live(client, "/correct", entry=entry, line="B b8 k8", seq=table.session.seq)
    assert told(reply).startswith("Berichtigt. Spätere Einträge, die nicht mehr passen: 1;")
    assert set(table.actions[-1].split()) == {"B", "b8", "k8"}


def test_a_correction_against_the_rules_changes_nothing(
    table: WatchedTable, client: FlaskClient
) -> None:
    entry = misread(table)
    before = table.actions
    reply = live(client, "/correct", entry=entry, line="B b2", seq=table.session.seq)
    assert (reply.status_code, reply.text) == (400, "2 schlägt 7 nicht.\n")
    good: dict[str, str | int] = {"entry": entry, "line": "B b8", "seq": table.session.seq}
    for field, bad in (("line", "B x9"), ("line", ""), ("entry", 999), ("seq", 1)):
        assert live(client, "/correct", **(good | {field: bad})).status_code == 400
    assert table.actions == before


def test_an_example_for_the_camera_knows_the_truth(
    table: WatchedTable, client: FlaskClient, tmp_path: Path
) -> None:
    entry = misread(table)
    live(client, "/correct", entry=entry, line="B b8", seq=table.session.seq)
    (number,) = [e.event.seq for e in table.session.entries if "b8" in str(e.event.fact)]
    assert str(tmp_path / "cases") in told(live(client, "/case", entry=number))
    (kept,) = (tmp_path / "cases").glob("game-*/entry.json")
    case = json.loads(kept.read_text())
    assert (case["lines"], case["truth"]) == (["B k8"], ["B b8"])
    assert case["before"][-1] == "A r7"


def test_a_look_is_learnt_by_one_tap(table: WatchedTable, client: FlaskClient) -> None:
    asked = ask(table)
    assert "Dieses Aussehen merken als: blaue 8" in page(client)
    reply = live(client, "/learn", thing=asked.about[0].number, card="b8")
    assert told(reply).startswith("Gemerkt")
    assert table.learnt == [("b8", b"a picture")]


# Zones


def test_zones_are_moved_kept_and_reset(
    table: WatchedTable, client: FlaskClient, tmp_path: Path
) -> None:
    assert "Ablage" in client.get("/zones/odin").text
    box = {"zone": "discard", "x": "500", "y": "20", "w": "80", "h": "100"}
    assert client.post("/zones/odin", data=box).status_code == 303
    assert KeptZones(tmp_path)["odin"]["discard"][0] == (500, 20)
    assert table.witness.zones["odin"]["deck"] == ZONES["odin"]["deck"]
    assert client.post("/zones/odin/reset").status_code == 303
    assert KeptZones(tmp_path)["odin"] == ZONES["odin"]


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ({"x": "560"}, "beyond the table"),
        ({"w": "3"}, "too small"),
        ({"x": "112", "y": "62", "w": "370", "h": "142"}, "would lie on the zone middle-1"),
        ({"zone": "kitchen"}, "has no zone"),
        ({"y": "far"}, "must be a number"),
        ({"y": "nan"}, "must be a number"),
    ],
)
def test_a_zone_that_cannot_be_is_refused_in_a_sentence(
    client: FlaskClient, tmp_path: Path, bad: dict[str, str], sentence: str
) -> None:
    box = {"zone": "discard", "x": "500", "y": "20", "w": "80", "h": "100"} | bad
    reply = client.post("/zones/odin", data=box, headers={"Accept-Language": "en"})
    assert reply.status_code == 400
    assert sentence in reply.text
    german = client.post("/zones/odin", data=box, headers={"Accept-Language": "de"})
    assert german.status_code == 400
    assert sentence not in german.text
    assert KeptZones(tmp_path)["odin"] == ZONES["odin"]


def test_a_damaged_file_of_zones_is_said_and_the_mat_counts(
    table: WatchedTable, journal: Journal, tmp_path: Path
) -> None:
    for text in ("{", "odin = 3", "[odin]\ndeck = [1, 2]", "[odin]\nkitchen = [1, 2, 30, 30]"):
        (tmp_path / "zones.toml").write_text(text)
        zones = KeptZones(tmp_path)
        assert dict(zones) == {game: dict(each) for game, each in ZONES.items()}
        assert "is damaged" in str(zones.trouble)
