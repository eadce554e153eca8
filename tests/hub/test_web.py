"""The hub's pages and its door for boxes, as browsers and strangers come to them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from flask.testing import FlaskClient

from companion.core.catalog import packs
from companion.dashboard.access.origins import Names
from companion.hub.clubs import NewClub, join, make_club
from companion.hub.hall import Hall
from companion.hub.store import Store
from companion.hub.web.app import HubParts, create_hub
from companion.hub.worker import FoldingWorker
from companion.ledger.journal import Journal
from companion.outbox.protocol import Joining
from tests.hub.tables import NearHub, all_sent
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
                     f"/c/{slug}/tournament/1", f"/c/{slug}/people/1"):  # fmt: skip
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
        seated = [part.partition('"')[0] for part in page.split('name="place-')[1:]]
        assert len(seated) == 2
        board = page.partition('name="board" value="')[2].partition('"')[0]
        wrong = {"board": board, **{f"place-{p}": "2" for p in seated}, **points(seated)}
        assert client.post(f"/c/{slug}/tournament/1/report", data=wrong).status_code == 400
        right = {
            "board": board,
            f"place-{seated[0]}": "1",
            f"place-{seated[1]}": "2",
            **points(seated),
        }
        assert client.post(f"/c/{slug}/tournament/1/report", data=right).status_code == 303
    assert client.post(f"/c/{slug}/tournament/1/pair").status_code == 400  # it is over
    assert all(name in client.get(f"/c/{slug}/tournament/1").text for name in people)


def points(people: list[str]) -> dict[str, str]:
    return {f"points-{person}": "0" for person in people}


@pytest.mark.parametrize(
    "path", ["merge", "leagues", "tournaments", "doors", "tournament/1/pair", "tournament/1/report"]
)
def test_only_the_owner_changes_anything(client: FlaskClient, club: NewClub, path: str) -> None:
    data = {
        "person": "1", "into": "2", "name": "x", "game": next(iter(packs())), "seats": "2",
        "rounds": "1", "board": "1", "first": "2020-01-01", "last": "2020-01-02", "people": "A\nB",
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
