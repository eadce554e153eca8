"""Asks every route for something as a stranger would: without a role, under a foreign name, from a
page of another site."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from flask import Flask

from companion.bench.games import setup
from companion.bench.trust.promise import Promise, Tested
from companion.dashboard import Parts, create_app
from companion.dashboard.access.needs import READING, need
from companion.ledger.events import Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.service.access.book import AccessBook
from companion.service.access.roles import Role

FOREIGN = (
    {"Host": "evil.example"},
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Referer": "http://evil.example/"},
)
REFUSED = (403, 421)


def changing(app: Flask) -> Iterator[tuple[str, str, str]]:
    """Method, path and endpoint of everything that may change something."""
    for rule in app.url_map.iter_rules():
        values = dict.fromkeys(rule.arguments, "1")
        for method in sorted((rule.methods or set()) - READING):
            yield method, app.url_map.bind("").build(rule.endpoint, values), rule.endpoint


def _attempt(folder: Path, *, long: bool) -> Tested:
    del long  # all of them are tried either way
    with Journal(folder / "journal.db") as journal:
        referee, book = Referee(journal), AccessBook()
        referee.open(setup(3), Source.PAGE)
        app = create_app(Parts(referee, journal, access=book))
        routes = list(changing(app))
        foreign = _let_in(app, routes, FOREIGN)
        book.set_owner_code("a stranger does not know it")
        book.decide(codes=True, closed=False)
        needy = [each for each in routes if need(each[2], each[0]) >= Role.PLAY]
        roleless = _let_in(app, needy, ({},))
        same = len(journal.events(1)) == 1
    found = (
        f"{len(needy) - len(roleless)} of {len(needy)} routes answer 403 without a role; "
        f"{len(foreign)} of {len(routes) * len(FOREIGN)} foreign requests let in"
    )
    return Tested(not foreign and not roleless and same, found, f"{len(routes)} routes")


def _let_in(
    app: Flask, routes: list[tuple[str, str, str]], headers: tuple[dict[str, str], ...]
) -> list[str]:
    client = app.test_client(use_cookies=False)
    return [
        path
        for method, path, _ in routes
        for each in headers
        if client.open(path, method=method, headers=each).status_code not in REFUSED
    ]


PROMISE = Promise(
    "strangers",
    "without a role, under a foreign name or from another site nothing is changed",
    "403 on every route that changes something",
    _attempt,
)
