"""Where a hub keeps what it knows: PostgreSQL, or SQLite for a household with two boxes.

Both speak the same SQL here, with `?` for what is filled in; a `Store` hands out transactions and
hides the rest. Nothing above this module knows which of the two it is."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias
from urllib.parse import urlsplit

from companion.foundation.errors import BadInput, HubStoreAway
from companion.foundation.messages import N_
from companion.hub.schema import MIGRATIONS, postgres_steps, sqlite_steps

if TYPE_CHECKING:
    from psycopg_pool import ConnectionPool

Row: TypeAlias = tuple[Any, ...]
POOL_MOST = 8
"""Connections to PostgreSQL at once: more would only wait for its cores."""
WAIT_SECONDS = 5.0
"""How long somebody waits for a free connection, or for SQLite's lock."""
_MIGRATION_LOCK = 0x0D1B
"""An advisory lock of PostgreSQL: of two hubs that start at once only one migrates."""


class Transaction(Protocol):
    """One transaction: all of it counts, or nothing."""

    def all(self, question: str, *given: object) -> list[Row]: ...

    def one(self, question: str, *given: object) -> Row | None: ...

    def run(self, statement: str, *given: object) -> int:
        """The number of rows it changed."""
        ...

    def many(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        """Inserts rows as fast as the database takes them."""
        ...


class Store(Protocol):
    def transaction(self) -> AbstractContextManager[Transaction]: ...

    def close(self) -> None: ...

    @property
    def name(self) -> str:
        """Which database, for people; without a password."""
        ...


def open_store(address: str) -> Store:
    """`postgresql://...`, or the path of an SQLite file; its tables are made or brought up to
    date."""
    if urlsplit(address).scheme in ("postgresql", "postgres"):
        return PostgresStore(address)
    return SqliteStore(Path(address).expanduser())


class PostgresStore:
    def __init__(self, address: str) -> None:
        try:
            import psycopg
            from psycopg_pool import ConnectionPool
        except ImportError:
            raise BadInput(
                "hub-extra-missing",
                N_("PostgreSQL needs the extra `hub`: pip install 'table-companion[hub]'"),
            ) from None
        parts = urlsplit(address)
        self.name = f"PostgreSQL {parts.hostname or 'here'}{parts.path}"
        self._broken = psycopg.OperationalError
        self._pool: ConnectionPool[Any] = ConnectionPool(
            address, min_size=1, max_size=POOL_MOST, timeout=WAIT_SECONDS, open=False
        )
        try:
            self._pool.open(wait=True, timeout=WAIT_SECONDS)
            self._migrate()
        except psycopg.Error as broken:
            self._pool.close()
            raise HubStoreAway.at(self.name, broken) from None

    def _migrate(self) -> None:
        with self._pool.connection() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
            connection.execute("CREATE TABLE IF NOT EXISTS hub_schema (version INTEGER NOT NULL)")
            row = connection.execute("SELECT MAX(version) FROM hub_schema").fetchone()
            have = 0 if row is None or row[0] is None else int(row[0])
            _not_too_new(have, self.name)
            for version in range(have, len(MIGRATIONS)):
                for step in postgres_steps(version):
                    connection.execute(step)
                connection.execute("INSERT INTO hub_schema VALUES (%s)", (version + 1,))

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        import psycopg

        try:
            with self._pool.connection() as connection:
                yield _PostgresTransaction(connection)
        except psycopg.OperationalError as broken:
            raise HubStoreAway.at(self.name, broken) from None

    def close(self) -> None:
        self._pool.close()


class _PostgresTransaction:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def all(self, question: str, *given: object) -> list[Row]:
        found: list[Row] = self._connection.execute(_percent(question), given).fetchall()
        return found

    def one(self, question: str, *given: object) -> Row | None:
        row: Row | None = self._connection.execute(_percent(question), given).fetchone()
        return row

    def run(self, statement: str, *given: object) -> int:
        return int(self._connection.execute(_percent(statement), given).rowcount)

    def many(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        with (
            self._connection.cursor() as cursor,
            cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy,
        ):
            for row in rows:
                copy.write_row(row)


class SqliteStore:
    """One connection, one lock: enough for a household."""

    def __init__(self, path: Path) -> None:
        self.name = f"SQLite {path}"
        self._lock = threading.RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path, isolation_level=None, check_same_thread=False, timeout=WAIT_SECONDS
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._migrate()
        except (sqlite3.DatabaseError, OSError) as broken:
            raise HubStoreAway.at(self.name, broken) from None

    def _migrate(self) -> None:
        have = int(self._connection.execute("PRAGMA user_version").fetchone()[0])
        _not_too_new(have, self.name)
        for version in range(have, len(MIGRATIONS)):
            self._connection.execute("BEGIN IMMEDIATE")
            for step in sqlite_steps(version):
                self._connection.execute(step)
            self._connection.execute(f"PRAGMA user_version = {version + 1}")
            self._connection.execute("COMMIT")

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield _SqliteTransaction(self._connection)
                self._connection.execute("COMMIT")
            except sqlite3.OperationalError as broken:
                raise HubStoreAway.at(self.name, broken) from None
            finally:
                if self._connection.in_transaction:
                    self._connection.rollback()

    def close(self) -> None:
        with self._lock:
            self._connection.close()


class _SqliteTransaction:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def all(self, question: str, *given: object) -> list[Row]:
        return self._connection.execute(_plain(question), given).fetchall()

    def one(self, question: str, *given: object) -> Row | None:
        row: Row | None = self._connection.execute(_plain(question), given).fetchone()
        return row

    def run(self, statement: str, *given: object) -> int:
        return self._connection.execute(_plain(statement), given).rowcount

    def many(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        blanks = ", ".join("?" * len(columns))
        self._connection.executemany(
            f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({blanks})",
            rows,
        )


def _percent(question: str) -> str:
    return question.replace("%", "%%").replace("?", "%s")


def _plain(question: str) -> str:
    """SQLite locks the whole file in any case."""
    return question.replace(" FOR UPDATE", "")


def _not_too_new(version: int, name: str) -> None:
    if version > len(MIGRATIONS):
        raise BadInput(
            "hub-store-too-new",
            N_("%(name)s was made by a later version of the hub; update this one"),
            name=name,
        )
