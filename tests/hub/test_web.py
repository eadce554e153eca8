"""The hub's pages and its door for boxes, as browsers and strangers come to them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from flask.testing import FlaskClient

from companion.core.catalog import packs
from companion.dashboard.access.origins import Names
from companion.hub.clubs import CLUBS_A_PAGE, NewClub, make_club
from companion.hub.hall import Hall
from companion.hub.joining import join, welcome
from companion.hub.people import PEOPLE_A_PAGE
from companion.hub.store import Store
from companion.hub.web.app import HubParts, create_hub
from companion.hub.worker import FoldingWorker
from companion.ledger.journal import Journal, now
from companion.ledger.session import replayed
from companion.ledger.wire import wire_event
from companion.outbox.protocol import Batch, Heard, Joining, Rewind
from tests.hub.tables import NearHub, all_sent, play
from tests.hub.test_folding import whole_game

LANGUAGES = ("en", "de", "fr", "es", "it", "nl")


@pytest.fixture
def club(store: Store) -> NewClub:
    return make_club(store, "Ravens & Söns")


@pytest.fixture
def client(store: Store, club: NewClub, journal: Journal) -> Iterator[FlaskClient]:
    told = join(store, club.key, Joining(journal.box, "Table one"))
    whole_game(journal, ("Anna", "Ben"))
    all_sent(journal, NearHub(store, journal.box, told.token))
    hall = Hall()
    with FoldingWorker(store, hall) as worker:
        assert worker.settle(30)
        yield create_hub(HubParts(store, worker, hall)).test_client()


def enter(client: FlaskClient, club: NewClub) -> None:
    answer = client.post(f"/c/{club.club.slug}/enter", data={"key": club.owner_key})
    assert answer.status_code == 303


def test_every_page_is_there_in_every_language(client: FlaskClient, club: NewClub) -> None:
    slug = club.club.slug
    enter(client, club)
    game = next(iter(packs()))
    client.post(
        f"/c/{slug}/leagues",
        data={"name": "W", "game": game, "first": "2020-01-01", "last": "2099-01-01"},
    )
    client.post(
        f"/c/{slug}/tournaments",
        data={
            "name": "Cup", "game": game, "kind": "swiss", "seats": "2", "rounds": "3",
            "people": "Anna\nBen\nCleo",
        },
    )  # fmt: skip
    client.post(f"/c/{slug}/tournament/1/pair")
    for language in LANGUAGES:
        for path in ("/", f"/c/{slug}", f"/c/{slug}/hall", f"/c/{slug}/league/1",
                     f"/c/{slug}/tournament/1", f"/c/{slug}/people/1", f"/c/{slug}/people",
                     f"/c/{slug}/games", f"/c/{slug}/records"):  # fmt: skip
            page = client.get(path, headers={"Accept-Language": language})
            assert page.status_code == 200, path
            assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    assert "Anna" in client.get(f"/c/{slug}").text
    assert client.get(f"/c/{slug}/results.csv").text.count("\n") == 3


def test_a_tournament_is_run_to_its_end(client: FlaskClient, club: NewClub) -> None:
    slug = club.club.slug
    enter(client, club)
    data = {
        "name": "Cup", "game": next(iter(packs())), "kind": "round-robin", "seats": "2",
        "rounds": "0", "people": "Anna\nBen\nCleo",
    }  # fmt: skip
    assert client.post(f"/c/{slug}/tournaments", data=data).status_code == 303
    people = {"Anna": 0, "Ben": 0, "Cleo": 0}
    for _ in range(3):
        assert client.post(f"/c/{slug}/tournament/1/pair").status_code == 303
        assert client.post(f"/c/{slug}/tournament/1/pair").status_code == 400  # still played
        page = client.get(f"/c/{slug}/tournament/1").text
        newest = page.split("<h2>Round")[1]
        seated = [part.partition('"')[0] for part in newest.split('name="place-')[1:]]
        assert len(seated) == 2
        board = page.partition('name="board" value="')[2].partition('"')[0]
        round_ = page.partition('name="round" value="')[2].partition('"')[0]
        where = {"board": board, "round": round_, **points(seated)}
        wrong = {**where, **{f"place-{p}": "2" for p in seated}}
        assert client.post(f"/c/{slug}/tournament/1/report", data=wrong).status_code == 400
        right = {**where, f"place-{seated[0]}": "1", f"place-{seated[1]}": "2"}
        assert client.post(f"/c/{slug}/tournament/1/report", data=right).status_code == 303
    assert client.post(f"/c/{slug}/tournament/1/pair").status_code == 400  # it is over
    assert all(name in client.get(f"/c/{slug}/tournament/1").text for name in people)


def points(people: list[str]) -> dict[str, str]:
    return {f"points-{person}": "0" for person in people}


@pytest.mark.parametrize(
    "path",
    [
        "merge",
        "leagues",
        "tournaments",
        "doors",
        "tournament/1/pair",
        "tournament/1/report",
        "keys/boxes",
        "keys/owner",
        "tables/x/welcome",
        "tables/x/shut-out",
        "tables/x/let-go",
        "tables/x/one-left",
    ],
)
def test_only_the_owner_changes_anything(client: FlaskClient, club: NewClub, path: str) -> None:
    data = {
        "person": "1", "into": "2", "name": "x", "game": next(iter(packs())), "seats": "2",
        "rounds": "1", "board": "1", "round": "1", "first": "2020-01-01", "last": "2020-01-02",
        "people": "A\nB",
    }  # fmt: skip
    assert client.post(f"/c/{club.club.slug}/{path}", data=data).status_code == 403


def test_a_wrong_key_lets_nobody_in(client: FlaskClient, club: NewClub) -> None:
    for key in ("", "wrong", club.key):
        answer = client.post(f"/c/{club.club.slug}/enter", data={"key": key})
        assert answer.status_code == 400
    assert client.post(f"/c/{club.club.slug}/doors").status_code == 403


def test_closed_doors_are_closed_to_strangers(client: FlaskClient, club: NewClub) -> None:
    slug = club.club.slug
    enter(client, club)
    assert client.post(f"/c/{slug}/doors", data={"public": "no"}).status_code == 303
    assert client.get(f"/c/{slug}").status_code == 200
    client.post(f"/c/{slug}/leave")
    for path in ("", "/hall", "/stream", "/results.csv", "/people/1"):
        assert client.get(f"/c/{slug}{path}").status_code == 403
    assert "Ravens" not in client.get("/").text


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Referer": "https://elsewhere.example/trap"},
    ],
)
def test_another_site_cannot_post(
    client: FlaskClient, club: NewClub, headers: dict[str, str]
) -> None:
    answer = client.post(
        f"/c/{club.club.slug}/enter",
        data={"key": club.owner_key},
        headers=headers,
    )
    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8090", 200),
        ("192.168.1.9:8090", 200),
        ("hub.local", 200),
        ("ravens.example", 200),
        ("elsewhere.example", 421),
    ],
)
def test_only_its_own_names_are_answered(
    store: Store, club: NewClub, host: str, status: int
) -> None:
    hall = Hall()
    with FoldingWorker(store, hall) as worker:
        names = Names("localhost", ("ravens.example",))
        hub = create_hub(HubParts(store, worker, hall, names=names)).test_client()
        assert hub.get("/", headers={"Host": host}).status_code == status
        joined = hub.post(
            "/api/join", data=msgspec.json.encode(Joining("a" * 32, "Table")),
            headers={"Host": host, "Authorization": f"Bearer {club.key}"},
        )  # fmt: skip
        assert joined.status_code == status


def test_the_language_is_chosen_on_the_page_one_was_on(client: FlaskClient, club: NewClub) -> None:
    page = f"/c/{club.club.slug}"
    assert client.get(page).headers["Referrer-Policy"] == "same-origin"  # or it is not known
    answer = client.post(
        "/language", data={"language": "de"}, headers={"Referer": f"http://localhost{page}"}
    )
    assert answer.headers["Location"] == page


@pytest.mark.parametrize("path", ["/c/nobody", "/c/nobody/hall", "/nowhere", "/c/x/league/9"])
def test_what_is_not_there_is_not_found(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"after": 7}', b"\xff", b'{"after": {}, "events": [{}]}']
)
@pytest.mark.parametrize("what", ["events", "heard-at", "rewind"])
def test_what_no_box_would_say_is_refused_in_words(
    client: FlaskClient, journal: Journal, what: str, body: bytes
) -> None:
    answer = client.post(f"/api/box/{journal.box}/{what}", data=body)
    assert answer.status_code == 400
    assert answer.text.strip()


def test_without_the_boxs_token_nothing_is_told_or_taken(
    client: FlaskClient, journal: Journal
) -> None:
    for what, body in (
        ("heard", None),
        ("heard-at", {"seq": 1}),
        ("events", {"after": {}, "events": []}),
        ("rewind", {"to": {}}),
    ):
        answer = client.post(f"/api/box/{journal.box}/{what}", data=msgspec.json.encode(body))
        assert answer.status_code == 403


def test_the_hall_follows_live(client: FlaskClient, club: NewClub) -> None:
    stream = client.get(f"/c/{club.club.slug}/stream")
    said = iter(stream.response)
    assert b"retry" in next(said)
    assert b"Anna" in next(said)
    stream.close()


def test_what_went_wrong_is_told_as_a_page_to_people_and_as_a_line_to_boxes(
    client: FlaskClient, club: NewClub
) -> None:
    slug = club.club.slug
    wrong_key = client.post(f"/c/{slug}/enter", data={"key": "wrong"})
    enter(client, club)
    bad_form = client.post(f"/c/{slug}/leagues", data={"name": "W", "game": "odin", "first": "x"})
    nowhere = client.get("/nowhere")
    for answer, status in ((wrong_key, 400), (bad_form, 400), (nowhere, 404)):
        assert (answer.status_code, answer.mimetype) == (status, "text/html")
        assert "That did not work" in answer.text
    assert "not the key of this club" in wrong_key.text.replace("&#39;", "'")
    assert f'href="/c/{slug}"' in wrong_key.text
    box = client.post("/api/box/x/heard")
    assert (box.status_code, box.mimetype) == (403, "text/plain")


def test_the_owner_decides_about_tables(
    client: FlaskClient, club: NewClub, store: Store, journal: Journal
) -> None:
    slug, box = club.club.slug, journal.box
    assert "Let it go" not in client.get(f"/c/{slug}").text
    enter(client, club)
    assert "Let it go" in client.get(f"/c/{slug}").text
    assert client.post(f"/c/{slug}/tables/{box}/welcome").status_code == 303
    token = join(store, club.key, Joining(box, "Table one")).token
    headers = {"Authorization": f"Bearer {token}"}
    assert client.post(f"/api/box/{box}/heard", headers=headers).status_code == 200
    assert client.post(f"/c/{slug}/tables/{box}/shut-out").status_code == 303
    assert client.post(f"/api/box/{box}/heard", headers=headers).status_code == 403
    assert "shut out" in client.get(f"/c/{slug}").text
    assert "Table one" in client.get(f"/c/{slug}/hall").text
    assert client.post(f"/c/{slug}/tables/{box}/let-go").status_code == 303
    assert "Table one" not in client.get(f"/c/{slug}/hall").text
    assert "Anna" in client.get(f"/c/{slug}/games").text  # its games stay
    for path in ("tables/nobody/let-go", "tables/x/welcome"):
        assert client.post(f"/c/{slug}/{path}").status_code == 400
    assert client.post(f"/c/{slug}/tables/{box}/eat").status_code == 404


def test_a_new_owners_key_ends_the_right_of_the_old_one(
    client: FlaskClient, club: NewClub, store: Store
) -> None:
    slug = club.club.slug
    enter(client, club)
    thief = client.application.test_client()
    enter(thief, club)
    page = client.post(f"/c/{slug}/keys/owner").text
    key = page.partition('class="club-key">')[2].partition("<")[0]
    assert client.post(f"/c/{slug}/doors", data={"public": "yes"}).status_code == 303
    assert thief.post(f"/c/{slug}/doors", data={"public": "no"}).status_code == 403
    assert thief.post(f"/c/{slug}/enter", data={"key": club.owner_key}).status_code == 400
    assert thief.post(f"/c/{slug}/enter", data={"key": key}).status_code == 303
    page = client.post(f"/c/{slug}/keys/boxes").text
    key = page.partition('class="club-key">')[2].partition("<")[0]
    assert join(store, key, Joining("a" * 32, "Two")).club == club.club.name


def test_two_copies_are_told_to_the_owner_who_can_let_one_go_on(
    client: FlaskClient, club: NewClub, store: Store, journal: Journal
) -> None:
    slug, box = club.club.slug, journal.box
    with store.transaction() as transaction:
        welcome(transaction, club.club, box)
    token = join(store, club.key, Joining(box, "Table one")).token
    headers = {"Authorization": f"Bearer {token}"}
    last = wire_event(journal.rows_since(0, 1000)[-1])
    first = wire_event(journal.rows_since(0, 1)[0])
    back = msgspec.json.encode(Rewind(Heard(first.seq, first.hash)))
    assert client.post(f"/api/box/{box}/rewind", data=back, headers=headers).status_code == 200
    rest = tuple(map(wire_event, journal.rows_since(1, 400)))
    batch = msgspec.json.encode(Batch(Heard(first.seq, first.hash), rest))
    for _ in range(2):
        refused = client.post(f"/api/box/{box}/events", data=batch, headers=headers)
        assert refused.status_code == 400
        assert "two copies" in refused.text
    assert "Two boxes say that they are Table one" in client.get(f"/c/{slug}").text
    enter(client, club)
    assert "Only one is left" in client.get(f"/c/{slug}").text
    assert client.post(f"/c/{slug}/tables/{box}/one-left").status_code == 303
    taken = client.post(f"/api/box/{box}/events", data=batch, headers=headers)
    assert msgspec.json.decode(taken.data, type=Heard).seq == last.seq


def test_a_game_has_a_page_and_stands_in_the_lists(
    client: FlaskClient, club: NewClub, journal: Journal
) -> None:
    slug = club.club.slug
    session = replayed(journal.events(1))
    standing = session.game.standing(session.state)
    page = client.get(f"/c/{slug}/game/{journal.box}/1").text
    winner = session.setup.names[standing.winners[0]]
    assert f"Won by {winner}" in page
    assert "Table one" in page
    for name, points in zip(session.setup.names, standing.points, strict=True):
        assert name in page
        assert f"<b>{points}</b>" in page
    for path in ("", "/games"):
        listed = client.get(f"/c/{slug}{path}").text
        assert f"/c/{slug}/game/{journal.box}/1" in listed
        assert f"{winner} {standing.points[standing.winners[0]]}</b>" in listed
    month = journal.events(1)[-1].at[:7]
    assert f'href="/c/{slug}?month={month}"' in client.get(f"/c/{slug}").text
    assert "Best result" in client.get(f"/c/{slug}/records").text
    for nowhere in (f"game/{journal.box}/99", "game/nobody/1", f"game/{journal.box}/{10**30}"):
        assert client.get(f"/c/{slug}/{nowhere}").status_code == 404


def test_a_merge_names_the_other_person(client: FlaskClient, club: NewClub) -> None:
    slug = club.club.slug
    enter(client, club)
    merged = client.post(f"/c/{slug}/merge", data={"person": "1", "into": "nobody here"})
    assert merged.status_code == 400
    assert client.post(f"/c/{slug}/merge", data={"person": "1", "into": "BEN"}).status_code == 303
    assert client.get(f"/c/{slug}/people/1").status_code == 404


def test_long_lists_have_pages(client: FlaskClient, club: NewClub, store: Store) -> None:
    with store.transaction() as transaction:
        rows = [(f"Club {n:03}", f"club-{n:03}", "k", "o", "2026") for n in range(CLUBS_A_PAGE + 5)]
        transaction.many("club", ("name", "slug", "key_hash", "owner_hash", "made_at"), rows)
        people = [(club.club.number, f"Z{n:03}", f"z{n:03}") for n in range(PEOPLE_A_PAGE + 5)]
        transaction.many("person", ("club", "name", "known_as"), people)
    first, second = client.get("/").text, client.get("/?page=2").text
    assert "Club 000" in first
    assert "Club 104" not in first
    assert "?page=2" in first
    assert "Club 104" in second
    path = f"/c/{club.club.slug}/people"
    assert f"{path}?page=2" in client.get(path).text
    assert "Z104" in client.get(f"{path}?page=2").text
    assert path in client.get(f"/c/{club.club.slug}").text
    for odd in ("0", "-1", "x", "9" * 30):
        assert client.get(f"/?page={odd}").status_code == 200


def test_a_silent_table_looks_silent_in_the_hall(
    store: Store, club: NewClub, journal: Journal
) -> None:
    token = join(store, club.key, Joining(journal.box, "Table one")).token
    play(journal)
    all_sent(journal, NearHub(store, journal.box, token))
    for heard_at, silent in ((now(), False), ("2020-01-01T20:15:00.000Z", True)):
        with store.transaction() as transaction:
            transaction.run("UPDATE box SET heard_at = ?", heard_at)
        hall = Hall()
        with FoldingWorker(store, hall) as worker:
            hub = create_hub(HubParts(store, worker, hall)).test_client()
            page = hub.get(f"/c/{club.club.slug}/hall").text
        assert ("Silent since 2020-01-01 20:15" in page) is silent
        assert 'class="hall-waiting"' in page
