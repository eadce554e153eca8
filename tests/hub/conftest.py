"""A hub's store in both databases, empty for each test."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from companion.hub.store import Store, open_store
from companion.hub.trial.servers import Postgres, postgres_programs

_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    programs = postgres_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed; `make test` installs it")
    with tempfile.TemporaryDirectory() as folder:
        server = Postgres(Path(folder), programs)
        server.start()
        with psycopg.connect(server.address(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE fresh")
        open_store(server.address("fresh")).close()  # the tables are made once, and copied
        yield server
        server.stop("immediate")


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "sqlite":
        opened = open_store(str(tmp_path / "hub.db"))
    else:
        opened = open_store(emptied(request.getfixturevalue("postgres")))
    yield opened
    opened.close()


def emptied(server: Postgres) -> str:
    """The one database that most tests use, as if it were new. Its hundreds of parts are made once:
    a database for each test costs a second to make and another to take away."""
    with psycopg.connect(server.address("fresh"), autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")  # in any order
        for kind, name in connection.execute(
            "SELECT relkind, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
            " AND relkind IN ('r', 'p', 'S') AND NOT relispartition AND relname <> 'hub_schema'"
        ).fetchall():
            change = f"ALTER SEQUENCE {name} RESTART" if kind == "S" else f"DELETE FROM {name}"
            connection.execute(change)
    return server.address("fresh")


def fresh_database(server: Postgres) -> str:
    """One of its own, for what needs it: nobody may be connected to the one it is copied from."""
    name = f"hub{next(_NUMBERS)}"
    with psycopg.connect(server.address(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE fresh")
    return server.address(name)
