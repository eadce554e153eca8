"""A hub's store in both databases, each test with one of its own."""

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
        opened = open_store(fresh_database(request.getfixturevalue("postgres")))
    yield opened
    opened.close()


def fresh_database(server: Postgres) -> str:
    name = f"hub{next(_NUMBERS)}"
    with psycopg.connect(server.address(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE fresh")
    return server.address(name)
