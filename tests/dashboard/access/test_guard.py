"""Which requests are let through, route by route."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.core.game import Setup
from companion.dashboard import Parts, create_app
from companion.dashboard.access.door import HEADERS
from companion.dashboard.access.needs import NEEDS, READING, need
from companion.dashboard.access.origins import Names, from_here
from companion.ledger.events import Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.service.access.book import AccessBook
from companion.service.access.roles import Role

OWNER_CODE = "nine worlds"


@pytest.fixture
def book() -> AccessBook:
    made = AccessBook()
    made.set_owner_code(OWNER_CODE)
    made.decide(codes=True, closed=False)
    return made


@pytest.fixture
def app(referee: Referee, journal: Journal, book: AccessBook) -> Flask:
    referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
    return create_app(
        Parts(referee, journal, access=book, names=Names("table", ("spiel.example",)))
    )


def changes(app: Flask) -> Iterator[tuple[str, str, str]]:
    """Every method, path and endpoint that may change something."""
    for rule in app.url_map.iter_rules():
        values = {name: "1" if name in ("number", "thing") else "odin" for name in rule.arguments}
        for method in sorted((rule.methods or set()) - READING):
            yield method, app.url_map.bind("").build(rule.endpoint, values), rule.endpoint


def joined(app: Flask, book: AccessBook, name: str = "Anna's phone") -> FlaskClient:
    client = app.test_client()
    reply = client.post("/join", data={"name": name, "code": book.table_code})
    assert reply.status_code == 303
    return client


def owner(app: Flask) -> FlaskClient:
    client = app.test_client()
    assert client.post("/own", data={"name": "Owner", "code": OWNER_CODE}).status_code == 303
    return client


# Roles


def test_every_route_that_changes_something_says_what_it_needs(app: Flask) -> None:
    undeclared = sorted({endpoint for _, _, endpoint in changes(app) if endpoint not in NEEDS})
    assert undeclared == [], "say in dashboard/access/needs.py what they need"
    assert need("something.new", "POST") is Role.OWN, "what is forgotten is closed"


def test_no_need_is_said_of_a_route_that_is_gone(app: Flask) -> None:
    there = {rule.endpoint for rule in app.url_map.iter_rules()}
    assert set(NEEDS) - there == set()


def test_without_a_role_no_route_changes_anything(app: Flask, referee: Referee) -> None:
    before, refused = referee.moment, 0
    for method, path, endpoint in changes(app):
        if NEEDS[endpoint] <= Role.WATCH:  # joining itself; a reader's own language and seat
            continue
        for headers in ({}, {"X-Live": "1"}, {"Accept": "text/html"}):
            reply = app.test_client().open(path, method=method, headers=headers)
            assert reply.status_code == 403, f"{method} {path}"
        refused += 1
    assert refused >= 24
    assert referee.moment == before


def test_players_cannot_do_what_only_the_owner_may(app: Flask, book: AccessBook) -> None:
    player = joined(app, book)
    for method, path, endpoint in changes(app):
        reply = player.open(path, method=method, data={"seq": "0"})
        if NEEDS[endpoint] is Role.OWN:
            assert reply.status_code == 403, f"{method} {path}"
        else:
            assert "Only" not in reply.text or reply.status_code != 403, f"{method} {path}"


def test_who_has_joined_plays_and_the_journal_says_who(
    app: Flask, book: AccessBook, referee: Referee, journal: Journal
) -> None:
    player = joined(app, book)
    fields = {"say": "deal A", "seq": "1"}
    assert (
        player.post("/act", data=fields, headers={"X-Live": "1"}).headers["X-Verdict"] == "accepted"
    )
    player.post("/undo", data={"seq": "2"}, headers={"X-Live": "1"})
    assert [each.by for each in journal.events(1)[1:]] == ["Anna's phone", "Anna's phone"]


def test_an_unknown_phone_is_called_what_it_is(referee: Referee, journal: Journal) -> None:
    client = create_app(Parts(referee, journal)).test_client()
    phone = {"User-Agent": "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36"}
    client.post("/games", data={"name": ["Anna", "Ben"]}, headers=phone)
    assert journal.events(1)[0].by == "Android"


def test_a_phone_that_is_sent_away_can_only_watch(app: Flask, book: AccessBook) -> None:
    player = joined(app, book)
    handle = book.devices[0].handle
    assert owner(app).post("/who/revoke", data={"handle": handle}).status_code == 303
    assert player.post("/undo", data={"seq": "1"}).status_code == 403
    assert player.get("/table").status_code == 200


def test_the_owner_changes_what_a_phone_may_do(app: Flask, book: AccessBook) -> None:
    player, me = joined(app, book, "Ben's phone"), owner(app)
    (ben,) = [each for each in book.devices if each.name == "Ben's phone"]

    def give(role: str, handle: str = ben.handle) -> int:
        fields = {"handle": handle, "role": role}
        return me.post("/who/role", data=fields).status_code

    assert player.post("/who/role", data={"handle": ben.handle, "role": "own"}).status_code == 403
    assert give("watch") == 303
    assert player.post("/undo", data={"seq": "1"}).status_code == 403
    assert player.get("/table").status_code == 200
    assert give("own") == 303
    assert player.get("/who/devices").status_code == 200
    assert give("play") == 303
    assert player.get("/who/devices").status_code == 403
    assert player.post("/undo", data={"seq": "1"}).status_code != 403
    for role, handle in (("king", ben.handle), ("nobody", ben.handle), ("play", "nobody's")):
        assert give(role, handle) == 400
    shown = me.get("/who/devices").text
    assert f'name="handle" value="{ben.handle}"' in shown
    assert 'value="play" selected' in shown


def test_the_last_owner_cannot_make_themselves_a_player(app: Flask, book: AccessBook) -> None:
    me = owner(app)
    (mine,) = book.devices
    refused = me.post("/who/role", data={"handle": mine.handle, "role": "play"})
    assert refused.status_code == 400
    assert "only phone of an owner" in refused.text
    assert me.get("/who/devices").status_code == 200


def test_a_cookie_cannot_be_made_up(app: Flask, book: AccessBook) -> None:
    joined(app, book)
    for forged in (book.devices[0].key, f'"{book.devices[0].key}".x', "x" * 1000, "..", "é"):
        client = app.test_client()
        client.set_cookie("joined", forged)
        assert client.post("/undo", data={"seq": "1"}).status_code == 403


def test_the_cookie_is_for_this_site_and_no_script(app: Flask, book: AccessBook) -> None:
    reply = app.test_client().post("/join", data={"name": "Anna", "code": book.table_code})
    cookie = reply.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_over_https_the_cookie_goes_over_https_only(app: Flask, book: AccessBook) -> None:
    phone = app.test_client()
    secure = {"base_url": "https://localhost"}
    fields = {"name": "Anna", "code": book.table_code}
    reply = phone.post("/join", data=fields, **secure)
    cookie = reply.headers["Set-Cookie"]
    assert {"Secure", "HttpOnly", "SameSite=Lax"} <= set(cookie.split("; "))
    act = {"say": "deal A", "seq": "1"}
    assert phone.post("/act", data=act).status_code == 403, "it is not sent in the open"
    assert phone.post("/act", data=act, **secure).status_code == 303
    phone.post("/join", data=fields)
    assert phone.post("/undo", data={"seq": "2"}).status_code == 303, "both ways, one beside other"


def test_wrong_codes_at_the_box_do_not_lock_it(app: Flask, book: AccessBook) -> None:
    here = app.test_client()
    away = {"environ_base": {"REMOTE_ADDR": "192.168.1.9"}}
    for _ in range(8):
        assert here.post("/own", data={"name": "x", "code": "guess"}).status_code == 403
        app.test_client().post("/own", data={"name": "x", "code": "guess"}, **away)
    right = {"name": "Owner", "code": OWNER_CODE}
    assert "10 seconds" in app.test_client().post("/own", data=right, **away).text
    assert "1 second" in here.post("/own", data=right).text


def test_programs_act_with_their_key(app: Flask, book: AccessBook, journal: Journal) -> None:
    key = book.add_program("scoreboard", Role.PLAY)
    fields = {"say": "deal A", "seq": "1"}
    client = app.test_client()
    wrong = {"Authorization": "Bearer nonsense"}
    assert client.post("/act", data=fields, headers=wrong).status_code == 403
    assert client.get("/table", headers=wrong).status_code == 403
    right = {"Authorization": f"Bearer {key}"}
    assert client.post("/act", data=fields, headers=right).status_code == 303
    assert journal.events(1)[-1].by == "scoreboard"


def test_watching_can_be_closed_too(app: Flask, book: AccessBook) -> None:
    book.decide(codes=True, closed=True)
    stranger = app.test_client()
    for path in ("/table", "/view.json", "/stream", "/games", "/table.jpg"):
        assert stranger.get(path).status_code == 403, path
    page = stranger.get("/", headers={"Accept": "text/html"})
    assert (page.status_code, page.location.partition("?")[0]) == (303, "/join")
    assert stranger.get("/join").status_code == 200
    assert joined(app, book).get("/table").status_code == 200


def test_the_codes_are_shown_to_players_and_at_the_box_only(app: Flask, book: AccessBook) -> None:
    away = {"REMOTE_ADDR": "192.168.1.9"}
    stranger = app.test_client().get("/who", environ_base=away).text
    assert book.table_code not in stranger
    assert book.invitation not in stranger
    assert book.table_code in joined(app, book).get("/who", environ_base=away).text
    at_the_box = {"REMOTE_ADDR": "127.0.0.1"}
    assert book.table_code in app.test_client().get("/who", environ_base=at_the_box).text
    passed_on = app.test_client().get(
        "/who", environ_base=at_the_box, headers={"X-Forwarded-For": "192.168.1.9"}
    )
    assert book.table_code not in passed_on.text


def test_the_page_says_that_playing_is_open(referee: Referee, journal: Journal) -> None:
    client = create_app(Parts(referee, journal)).test_client()
    assert "everybody on this network" in client.get("/new").text


def test_an_installed_box_asks_once_whose_it_is(referee: Referee, journal: Journal) -> None:
    client = create_app(Parts(referee, journal, installed=True)).test_client()
    assert client.get("/").location == "/setup/you"
    assert client.get("/set-up").location == "/setup/you"
    assert client.post("/setup/you/owner", data={"open": "yes"}).status_code == 303
    assert client.get("/").location == "/new"


def test_set_up_makes_an_owner_and_nobody_else_can(referee: Referee, journal: Journal) -> None:
    book = AccessBook()
    app = create_app(Parts(referee, journal, access=book))
    first, second = app.test_client(), app.test_client()
    short = first.post("/setup/you/owner", data={"name": "Anna", "code": "12345"})
    assert short.status_code == 400
    made = first.post("/setup/you/owner", data={"name": "Anna", "code": OWNER_CODE, "codes": "yes"})
    assert made.status_code == 303
    assert book.policy.codes
    assert first.get("/who/devices").status_code == 200
    assert (
        second.post("/setup/you/owner", data={"name": "x", "code": "another code"}).status_code
        == 403
    )
    assert second.post("/who", data={"mode": "open"}).status_code == 403
    assert first.post("/who", data={"mode": "open"}).status_code == 303
    assert not book.policy.codes


# Names and origins


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("localhost:8080", True),
        ("192.168.1.20:8080", True),
        ("[fe80::1]:8080", True),
        ("table", True),
        ("TABLE.local:8080", True),
        ("other.local", True),
        ("table.lan", True),
        ("table.fritz.box", True),
        ("spiel.example:80", True),
        ("evil.example", False),
        ("table.evil.example", False),
        ("localhost.evil.example", False),
        ("192.168.1.20.evil.example", False),
        ("evil.lan", False),
        ("local", False),
        ("", False),
    ],
)
def test_only_our_own_names_are_answered(app: Flask, host: str, ours: bool) -> None:
    assert Names("table", ("spiel.example",)).ours(host) is ours


def test_a_foreign_name_gets_nothing(app: Flask, book: AccessBook) -> None:
    for path in ("/", "/table", "/stream", "/static/icon.svg", "/nowhere"):
        reply = app.test_client().get(path, headers={"Host": "evil.example"})
        assert reply.status_code == 421, path
    reply = joined(app, book).post("/act", data={"say": "x"}, headers={"Host": "evil.example"})
    assert reply.status_code == 421


@pytest.mark.parametrize(
    ("headers", "let_through"),
    [
        ({}, True),  # a program
        ({"Origin": "http://box:8080"}, True),
        ({"Origin": "http://BOX:8080", "Sec-Fetch-Site": "same-origin"}, True),
        ({"Origin": "https://box:8080"}, True),  # behind a proxy
        ({"Origin": "http://box"}, False),  # another program on the same machine
        ({"Origin": "http://evil.example"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": "http://[box"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "none"}, True),
        ({"Referer": "http://evil.example/page"}, False),
        ({"Referer": "http://box:8080/table"}, True),
    ],
)
def test_forms_of_other_sites_are_refused(headers: dict[str, str], let_through: bool) -> None:
    assert from_here("box:8080", headers.get) is let_through


def test_every_answer_carries_the_headers(app: Flask) -> None:
    for path in ("/table", "/nowhere", "/who", "/static/icon.svg", "/act"):
        with app.test_client().get(path) as reply:
            assert {name: reply.headers.get(name) for name in HEADERS} == HEADERS
    policy = HEADERS["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
