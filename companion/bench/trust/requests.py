"""Sends nonsense to every route, in this process: whatever comes in, the page answers in words and
never with an error of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from companion.bench.games import setup
from companion.bench.trust.pieces import in_pieces
from companion.bench.trust.promise import Promise, Tested
from companion.core.catalog import packs
from companion.dashboard import Parts, create_app
from companion.ledger.events import Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.sheets import sheets_in
from companion.service.access.book import AccessBook

QUICK, LONG = 3_000, 1_000_000
SEED = 1117
PIECE = 10_000
"""Requests after which is written down what was found."""
ENDLESS = ("stream.follow",)
"""Answers that last; what they say is made as any other page is."""
GAME_EVERY = 200
"""Requests after which a new game is on the table, so that not all are refused alike."""

_PLAIN = """
0 1 -1 2 7 1e9 NaN yes no A B r7 b4 en de xx usb none sheet codes closed open own play
"""
WORDS = (
    *_PLAIN.split(),
    *("", "9" * 30, "deal A", "A pass", "../..", "%00", "\0", "\n\r", "é" * 20, "\ud800", "🜲"),
    *("<script>", "' or 1=1 --", "{{7*7}}", "x" * 5000, "town.v1.rows", "2/8/2 1/8/2", "hand r7"),
)
_FIELDS = """
say seq entries stand reading lines entry line thing card zone x y w h name count edition game
language hold path value file camera seat leave seed speed short code open codes mode handle
role sure backup option.limit emblem colour into skip at next
"""
FIELDS = _FIELDS.split()
HEADERS = (
    ("X-Live", "1"),
    ("Last-Event-ID", "²"),
    ("Accept-Language", "de;q=x, *"),
    ("Cookie", "joined=.."),
    ("Cookie", "language=zz; seat=9"),
    ("Accept", "text/html"),
    ("Authorization", "Bearer \x7f"),
    ("Range", "bytes=9-1"),
    ("If-None-Match", '"x'),
    ("If-Modified-Since", "never"),
    ("Content-Type", "multipart/form-data"),
    ("Content-Type", "multipart/form-data; boundary="),
    ("Content-Type", "application/json; charset=utf-99"),
    ("Content-Type", "text/plain"),
)
METHODS = ("GET", "POST", "POST", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH")


@dataclass
class Nonsense:
    """Makes requests, by chance; the same ones from the same seed."""

    app: Flask
    rng: Random
    rules: list[Rule] = field(init=False)

    def __post_init__(self) -> None:
        self.rules = [
            each for each in self.app.url_map.iter_rules() if each.endpoint not in ENDLESS
        ]

    def request(self) -> tuple[str, dict[str, Any]]:
        rng = self.rng
        rule = rng.choice(self.rules)
        method = rng.choice([*(rule.methods or ()), rng.choice(METHODS)])
        given: dict[str, Any] = {
            "method": method,
            "headers": rng.sample(HEADERS, rng.randint(0, 2)),
        }
        given["query_string"] = self._fields() if rng.random() < 0.3 else None
        if method not in ("GET", "HEAD"):
            given["data"] = self._body()
        return self._path(rule), given

    def _path(self, rule: Rule) -> str:
        path = rule.rule
        for name in rule.arguments:
            value = self.rng.choice((*WORDS, *packs(), *packs()))
            number = str(self.rng.choice((0, 1, 2, 99, 10**15, 10**30)))
            path = path.replace(f"<int:{name}>", number).replace(f"<path:{name}>", value)
            path = path.replace(f"<{name}>", value)
        return quote(path.encode("utf-8", "replace"), safe="/%")

    def _body(self) -> dict[str, Any] | bytes:
        if self.rng.random() < 0.1:
            return self.rng.randbytes(self.rng.randint(0, 300))
        return self._fields()

    def _fields(self) -> dict[str, Any]:
        rng = self.rng
        names = rng.sample(FIELDS, rng.randint(0, 5))
        return {name: [self._word() for _ in range(rng.choice((1, 1, 1, 2, 6)))] for name in names}

    def _word(self) -> str:
        return self.rng.choice((*WORDS, *packs())).encode("utf-8", "replace").decode()


def answers(folder: Path, count: int, seed: int = SEED) -> Iterator[tuple[str, str, int]]:
    """Method, path and status of each answer."""
    with Journal(folder / "journal.db") as journal:
        referee = Referee(journal)
        parts = Parts(referee, journal, sheets=sheets_in(folder), access=AccessBook())
        app = create_app(parts)
        client, nonsense = app.test_client(use_cookies=False), Nonsense(app, Random(seed))  # noqa: S311
        for at in range(count):
            if at % GAME_EVERY == 0:
                referee.open(setup(3), Source.PAGE)
                parts.access.give_up()  # nonsense may have set an owner's code
            path, given = nonsense.request()
            yield given["method"], path, _status(client, path, given)


def _status(client: FlaskClient, path: str, given: dict[str, Any]) -> int:
    with client.open(path, **given) as reply:
        return reply.status_code


def tried(folder: Path, rng: Random, many: int) -> Counter[str]:
    """So many requests to a companion of their own; what was answered, each error by itself."""
    counts = Counter[str]()
    with TemporaryDirectory(dir=folder) as own:
        for method, path, status in answers(Path(own), many, seed=rng.randrange(1 << 32)):
            wrong = f"{method} {path[:60]!r}: {status}" if status >= 500 else ""
            counts[wrong or f"{status // 100}xx"] += 1
    return counts


def _attempt(folder: Path, *, long: bool) -> Tested:
    count = LONG if long else QUICK
    seen = in_pieces(folder, count, partial(tried, folder), most=PIECE, seed=SEED)
    good = {kind: number for kind, number in seen.items() if kind in ("2xx", "3xx", "4xx")}
    broken = [what for what in seen if what not in good]
    told = ", ".join(f"{number:,} {kind}" for kind, number in sorted(good.items()))
    found = f"{len(broken)} answered with an error of the page ({told})"
    return Tested(
        not broken, "; ".join((found, *broken[:5])), f"{seen.total():,} requests of nonsense"
    )


PROMISE = Promise(
    "requests",
    "nonsense sent to any route is answered in words",
    "no error of the page in 1,000,000 requests",
    _attempt,
)
