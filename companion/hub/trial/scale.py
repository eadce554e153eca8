"""How a hub does with very many: events taken in by the million, and clubs by the thousand."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from companion.core.catalog import packs
from companion.hub.clubs import box_at, box_of, make_club
from companion.hub.contests.leagues import League, Scoring, league_table
from companion.hub.folding import new_events
from companion.hub.intake import COLUMNS, take_in
from companion.hub.joining import join
from companion.hub.people import last_games, tallies
from companion.hub.schema import DIVIDED
from companion.hub.store import Row, Store, Transaction
from companion.hub.trial.programs import memory_kb
from companion.ledger.chain import hashed
from companion.ledger.journal import now
from companion.ledger.wire import WireEvent
from companion.outbox.protocol import MOST_EVENTS, Batch, Heard, Joining

GAMES_A_CLUB = 10
ENTRIES_A_GAME = 100
SEATS = 4
PEOPLE_A_CLUB = 8
CLUBS_AT_A_TIME = 100
ASKED = 200
"""How often each question is asked, of another club each time."""
BODY = '{"action":"B r7 b7"}'


@dataclass(slots=True)
class IntakeOutcome:
    events: int = 0
    seconds: float = 0.0
    first_kb: int = 0
    last_kb: int = 0
    """Memory of the process that takes in, after a tenth and at the end."""

    @property
    def per_second(self) -> float:
        return self.events / self.seconds


@dataclass(slots=True)
class ScaleOutcome:
    clubs: int = 0
    events: int = 0
    bytes_an_event: float = 0.0
    p95_ms: dict[str, float] = field(default_factory=dict)
    plans: dict[str, list[str]] = field(default_factory=dict)


def try_intake(store: Store, events: int) -> IntakeOutcome:
    """One box after the other sends batches as large as may be, each chained and checked."""
    made = make_club(store, "Intake")
    outcome, number = IntakeOutcome(), 0
    while outcome.events < events:
        number += 1
        _one_box(store, made.key, f"{number:032x}", min(10_000, events - outcome.events), outcome)
        if not outcome.first_kb and outcome.events * 10 >= events:
            outcome.first_kb = memory_kb()
    outcome.last_kb = memory_kb()
    return outcome


def _one_box(store: Store, key: str, box: str, events: int, outcome: IntakeOutcome) -> None:
    token = join(store, key, Joining(box, "Table")).token
    heard, sent = Heard(), 0
    while sent < events:
        batch = chained(box, heard, min(MOST_EVENTS, events - sent))
        began = time.perf_counter()
        with store.transaction() as transaction:
            found = box_of(transaction, box, token, lock=True)
            if found is None:
                raise RuntimeError("the box was just joined")
            heard = take_in(transaction, found, batch)
        outcome.seconds += time.perf_counter() - began
        sent += len(batch.events)
        outcome.events += len(batch.events)


def chained(box: str, after: Heard, count: int) -> Batch:
    """Events of one endless game, as a box would send them."""
    previous = after.before_next(box)
    events, at = [], now()
    for seq in range(after.seq + 1, after.seq + count + 1):
        fields = (seq, 1, seq - 1, at, "page", "", "did", BODY, None, None)
        previous = hashed(previous, fields)
        events.append(WireEvent(*fields, previous.hex()))
    return Batch(after, tuple(events))


def try_scale(store: Store, clubs: int, say: Callable[[str], None]) -> ScaleOutcome:
    """Many clubs with ten games each, and what their people ask. Needs PostgreSQL."""
    outcome = ScaleOutcome(clubs, clubs * GAMES_A_CLUB * ENTRIES_A_GAME)
    say(f"making {clubs} clubs with {outcome.events} events")
    first = _fill(store, clubs, say)
    with store.transaction() as transaction:
        transaction.run("ANALYZE")
        row = transaction.one(
            "SELECT SUM(pg_total_relation_size(inhrelid)) FROM pg_inherits"
            " WHERE inhparent = 'event'::regclass"
        )
    outcome.bytes_an_event = float(row[0] if row else 0) / outcome.events
    step = max(1, clubs // ASKED)
    numbers = range(first, first + clubs, step)
    league = League(0, "All", next(iter(packs())), Scoring.PLACES, "2020-01-01", "2030-12-31")
    questions: dict[str, Callable[[Transaction, int], object]] = {
        "a club's league table": lambda t, club: league_table(t, club, league),
        "a person's page": _persons_page,
        "a club's intake, 100 events": _intake,
        "a club's folding": _unfolded,
    }
    outcome.p95_ms = {name: _p95(store, numbers, ask) for name, ask in questions.items()}
    outcome.plans = plans(store, first, questions)
    return outcome


def _fill(store: Store, clubs: int, say: Callable[[str], None]) -> int:
    """Makes the clubs inside the database; the number of the first."""
    at = now()
    with store.transaction() as transaction:
        transaction.run(
            "INSERT INTO club (name, slug, key_hash, owner_hash, made_at)"
            " SELECT 'Club ' || n, 'club-' || n, md5('k' || n), md5('o' || n), ?"
            " FROM generate_series(1, CAST(? AS integer)) n",
            at, clubs,
        )  # fmt: skip
        row = transaction.one("SELECT MIN(id) FROM club WHERE slug LIKE 'club-%'")
        first = int(row[0]) if row else 0
        last = first + clubs - 1
        transaction.run(
            "INSERT INTO person (club, name, known_as) SELECT c, 'Person ' || p, 'person ' || p"
            " FROM generate_series(CAST(? AS bigint), ?) c, generate_series(1, ?) p ORDER BY c, p",
            first, last, PEOPLE_A_CLUB,
        )  # fmt: skip
        transaction.run(
            "INSERT INTO box (id, club, name, token_hash, seq, hash, folded, heard_at)"
            " SELECT 'c' || lpad(to_hex(c), 31, '0'), c, 'Table', '', ?, repeat('00', 32), ?, ?"
            " FROM generate_series(CAST(? AS bigint), ?) c",
            GAMES_A_CLUB * ENTRIES_A_GAME, GAMES_A_CLUB * ENTRIES_A_GAME, at, first, last,
        )  # fmt: skip
    for begin in range(first, last + 1, CLUBS_AT_A_TIME):
        _fill_games(store, begin, min(begin + CLUBS_AT_A_TIME - 1, last), at)
        if (begin - first) % (CLUBS_AT_A_TIME * 10) == 0:
            say(f"  {begin - first} of {clubs}")
    return first


def _fill_games(store: Store, first: int, last: int, at: str) -> None:
    game = next(iter(packs()))
    with store.transaction() as transaction:
        transaction.run(
            f"INSERT INTO event ({', '.join(COLUMNS)})"
            " SELECT c, 'c' || lpad(to_hex(c), 31, '0'), s, (s - 1) / CAST(? AS integer) + 1,"
            " s - 1, ?,"
            " 'page', '', 'did', ?, NULL, NULL, sha256(CAST(c || '-' || s AS bytea))"
            " FROM generate_series(CAST(? AS bigint), ?) c, generate_series(1, ?) s",
            ENTRIES_A_GAME, at, BODY, first, last, GAMES_A_CLUB * ENTRIES_A_GAME,
        )  # fmt: skip
        transaction.run(
            "INSERT INTO result (club, box, number, seat, person, game, seats, points, place, won,"
            " at) SELECT c, 'c' || lpad(to_hex(c), 31, '0'), g, s,"
            " (SELECT MIN(id) FROM person WHERE club = c) + (g + s) % CAST(? AS integer), ?, ?,"
            " 10 * s, s + 1, CASE s WHEN 0 THEN 1 ELSE 0 END, ?"
            " FROM generate_series(CAST(? AS bigint), ?) c, generate_series(1, ?) g,"
            " generate_series(0, CAST(? AS integer) - 1) s",
            PEOPLE_A_CLUB, game, SEATS, at, first, last, GAMES_A_CLUB, SEATS,
        )  # fmt: skip


def _p95(store: Store, clubs: range, ask: Callable[[Transaction, int], object]) -> float:
    taken = []
    for club in clubs:
        began = time.perf_counter()
        with store.transaction() as transaction:
            ask(transaction, club)
        taken.append(time.perf_counter() - began)
    return sorted(taken)[int(len(taken) * 0.95)] * 1000


def _persons_page(transaction: Transaction, club: int) -> None:
    row = transaction.one("SELECT MIN(id) FROM person WHERE club = ?", club)
    person = int(row[0]) if row else 0
    tallies(transaction, club, person)
    last_games(transaction, club, person)


def _unfolded(transaction: Transaction, club: int) -> None:
    box = box_at(transaction, f"c{club:031x}")
    if box is not None:
        new_events(transaction, box)


def _intake(transaction: Transaction, club: int) -> None:
    box = box_at(transaction, f"c{club:031x}", lock=True)
    if box is not None:
        take_in(transaction, box, chained(box.id, box.heard, 100))


class _Explaining:
    """A transaction that notes how the database goes about each question it is asked. What it is
    told to write is written."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self.plans: list[str] = []

    def all(self, question: str, *given: object) -> list[Row]:
        self._explain(question, given)
        return self._transaction.all(question, *given)

    def one(self, question: str, *given: object) -> Row | None:
        self._explain(question, given)
        return self._transaction.one(question, *given)

    def run(self, statement: str, *given: object) -> int:
        return self._transaction.run(statement, *given)

    def many(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        self._transaction.many(table, columns, rows)

    def _explain(self, question: str, given: tuple[object, ...]) -> None:
        rows = self._transaction.all(f"EXPLAIN {question}", *given)
        self.plans += [str(row[0]) for row in rows]


def plans(
    store: Store, club: int, questions: Mapping[str, Callable[[Transaction, int], object]]
) -> dict[str, list[str]]:
    """How PostgreSQL goes about the very questions that were measured."""
    found = {}
    for name, ask in questions.items():
        with store.transaction() as transaction:
            explaining = _Explaining(transaction)
            ask(explaining, club)
        found[name] = explaining.plans
    return found


def parts_touched(plan: Sequence[str]) -> dict[str, set[str]]:
    """Which parts of the divided tables a plan names, by table: one each, if it is pruned."""
    touched: dict[str, set[str]] = {}
    for line in plan:
        for table, part in re.findall(rf"\bon ({'|'.join(DIVIDED)})_(\d\d)\b", line):
            touched.setdefault(table, set()).add(part)
    return touched
