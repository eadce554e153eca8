"""A hub of an earlier version is brought up to date with everything it has."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import psycopg
import pytest

from companion.hub.clubs import box_at, clubs
from companion.hub.joining import join
from companion.hub.keys import key_hash
from companion.hub.schema import postgres_steps, sqlite_steps
from companion.hub.store import open_store
from companion.hub.trial.servers import Postgres
from companion.outbox.protocol import Heard, Joining

BOX = "a" * 32
CLUB = f"""
    INSERT INTO club (name, slug, key_hash, owner_hash, made_at)
    VALUES ('Ravens', 'ravens', '{key_hash("boxes")}', 'o', '2026')
"""
TABLE = f"""
    INSERT INTO box (id, club, name, token_hash, seq, hash, folded, heard_at)
    VALUES ('{BOX}', 1, 'Table one', '{key_hash("token")}', 7, 'abc', 7, '2026')
"""
ASIDE = f"""
    INSERT INTO event_aside (club, box, seq, game, at, kind, body, hash, moved_at)
    VALUES (1, '{BOX}', 8, 1, '2026', 'did', 'x', 'h', '2026')
"""


@pytest.fixture(params=["sqlite", "postgres"])
def first_version(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a store as the first version made it, with something in it."""
    if request.param == "sqlite":
        path = tmp_path / "hub.db"
        with sqlite3.connect(path) as old:
            for step in (*sqlite_steps(0), CLUB, TABLE, ASIDE.replace("'h'", "x'00'")):
                old.execute(step)
            old.execute("PRAGMA user_version = 1")
        old.close()
        return str(path)
    server: Postgres = request.getfixturevalue("postgres")
    with psycopg.connect(server.address(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE first_version")
    with psycopg.connect(server.address("first_version")) as connection:
        connection.execute("CREATE TABLE hub_schema (version INTEGER NOT NULL)")
        for step in (*postgres_steps(0), CLUB, TABLE, ASIDE, "INSERT INTO hub_schema VALUES (1)"):
            connection.execute(step)
    return server.address("first_version")


def test_what_the_first_version_kept_is_still_there(first_version: str) -> None:
    store = open_store(first_version)
    with store.transaction() as transaction:
        assert [club.name for club in clubs(transaction)] == ["Ravens"]
        box = box_at(transaction, BOX)
        assert transaction.one("SELECT seq, source FROM event_aside") == (8, "")
    assert box is not None
    assert (box.name, box.heard, box.folded) == ("Table one", Heard(7, "abc"), 7)
    again = join(store, "boxes", Joining(BOX, "Table one", "token"))
    assert again.heard == Heard(7, "abc")
    store.close()
    open_store(first_version).close()  # a second start changes nothing
