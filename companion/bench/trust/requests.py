"""Sends nonsense to every route, in this process: whatever comes in, the page answers in words and
never with an error of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule

from companion.bench.games import setup
from companion.bench.trust.forms import FormPool
from companion.bench.trust.pieces import in_pieces
from companion.bench.trust.promise import Promise, Tested
from companion.bench.trust.whole_box import WholeBox, whole_box
from companion.core.catalog import packs
from companion.dashboard import create_app
from companion.foundation.frames import jpeg
from companion.ledger.events import Source
from companion.service.backup import back_up

QUICK, LONG = 3_000, 1_000_000
SEED = 1117
PIECE = 10_000
"""Requests after which is written down what was found."""
LEFT_OUT = ("stream.follow", "settings.power")
"""An answer that lasts, though what it says is made as any other page is; and switching this very
machine off."""
FORMS_SHARE = 0.15
GAME_EVERY = 200
"""Requests after which a new game is on the table, so that not all are refused alike."""

_PLAIN = """
0 1 -1 2 7 1e9 NaN yes no A B r7 b4 en de xx usb none sheet codes closed open own play
pass confirm green buzzer leftovers off again camera deck table done skipped 90 8080 simulated pi
0.5,0.5 10,10,200,10,200,150,10,150 {} [] [[0,0],[1,0],[1,1],[0,1]] null usb:1
"""
FILES = ("file", "photograph", "photographs", "pictures", "deck", "board")
WORDS = (
    *_PLAIN.split(),
    *("", "9" * 30, "deal A", "A pass", "../..", "%00", "\0", "\n\r", "é" * 20, "\ud800", "🜲"),
    *("<script>", "' or 1=1 --", "{{7*7}}", "x" * 5000, "town.v1.rows", "2/8/2 1/8/2", "hand r7"),
)
_FIELDS = """
say seq entries stand reading lines entry line thing card zone x y w h name count edition game
language hold path value file camera seat leave seed speed short code open codes mode handle
role sure backup option.limit emblem colour into skip at next
deck part days what digest turn step state corner corners area kind labels cards paper lay board
adding photograph photographed personal owner table_name box_language dispute stop to month person
people careless mistakes light wide high port viewers voice take_seconds hold_seconds names
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
    contents: tuple[bytes, ...] = ()
    """What is uploaded."""
    rules: list[Rule] = field(init=False)
    forms: FormPool = field(init=False)

    def __post_init__(self) -> None:
        self.forms = FormPool(self.rng)
        self.rules = [
            each for each in self.app.url_map.iter_rules() if each.endpoint not in LEFT_OUT
        ]

    def request(self) -> tuple[str, dict[str, Any]]:
        """Some of them from a form that a page has offered."""
        form = self.forms.filled(WORDS) if self.rng.random() < FORMS_SHARE else None
        if form is None or self._left_out(form[0]):
            return self._nonsense()
        fields: dict[str, Any] = {
            name: [each.encode("utf-8", "replace").decode() for each in values]
            for name, values in form[1].items()
        }
        if self.rng.random() < 0.1:
            self._add_file(fields)
        headers = [("X-Live", "1")] if self.rng.random() < 0.5 else []
        return form[0], {"method": "POST", "data": fields, "headers": headers}

    def _left_out(self, path: str) -> bool:
        try:
            endpoint, _ = self.app.url_map.bind("").match(path.partition("?")[0], "POST")
        except HTTPException:
            return True
        return endpoint in LEFT_OUT

    def _nonsense(self) -> tuple[str, dict[str, Any]]:
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
        given = self._fields()
        if self.rng.random() < 0.2:
            self._add_file(given)
        return given

    def _add_file(self, fields: dict[str, Any]) -> None:
        fields[self.rng.choice(FILES)] = (BytesIO(self._content()), self._word()[:40] or "x")

    def _content(self) -> bytes:
        """A picture, a backup, or neither; or one of them damaged."""
        content = bytearray(self.rng.choice(self.contents or (b"",)))
        if content and self.rng.random() < 0.5:
            content[self.rng.randrange(len(content))] ^= 1 << self.rng.randrange(8)
        return bytes(content)

    def _fields(self) -> dict[str, Any]:
        rng = self.rng
        names = rng.sample(FIELDS, rng.randint(0, 5))
        return {name: [self._word() for _ in range(rng.choice((1, 1, 1, 2, 6)))] for name in names}

    def _word(self) -> str:
        return self.rng.choice((*WORDS, *packs())).encode("utf-8", "replace").decode()


def answers(folder: Path, count: int, seed: int = SEED) -> Iterator[tuple[str, str, int]]:
    """Method, path and status of each answer."""
    with ExitStack() as stack:
        box = whole_box(folder, stack)
        app = create_app(box.parts)
        client = app.test_client(use_cookies=False)
        nonsense = Nonsense(app, Random(seed), _contents(box))  # noqa: S311
        for at in range(count):
            if at % GAME_EVERY == 0:
                _another_game(box, number=at // GAME_EVERY)
            path, given = nonsense.request()
            yield given["method"], path, _status(client, path, given, nonsense.forms)


def _another_game(box: WholeBox, number: int) -> None:
    """In turn the one that the camera has watched, and a new one."""
    if number % 2:
        box.parts.referee.open(setup(3), Source.PAGE)
    else:
        box.parts.referee.resume(box.watched)
    box.parts.access.give_up()  # nonsense may have set an owner's code


def _contents(box: WholeBox) -> tuple[bytes, ...]:
    frame = box.parts.picture()
    picture = b"" if frame is None else jpeg(frame.pixels, 200, 70)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "backup.zip"
        back_up(box.parts.journal.path.parent, None, file)
        return b"not a file of ours", picture, file.read_bytes()


def _status(client: FlaskClient, path: str, given: dict[str, Any], forms: FormPool) -> int:
    with client.open(path, **given) as reply:
        if reply.status_code == HTTPStatus.OK and reply.mimetype == "text/html":
            forms.see(reply.get_data(as_text=True))
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
