"""The hub's tables. One list of steps for both databases; what differs between them is named.

Every table that grows with the games is divided by club: a club's questions are answered from its
own part alone."""

from __future__ import annotations

from typing import TypeAlias

PARTITIONS = 64
"""Parts of each table that is divided by club: at ten thousand clubs some 160 share one."""

Steps: TypeAlias = tuple[str, ...]

DIVIDED = ("event", "game", "result")
"""The tables that grow with the games."""

# One entry per schema version. Never change one that has been released: add the next.
MIGRATIONS: tuple[Steps, ...] = (
    (
        """
        CREATE TABLE club (
            id {serial},
            name TEXT NOT NULL,
            slug TEXT NOT NULL UNIQUE,
            key_hash TEXT NOT NULL,
            owner_hash TEXT NOT NULL,
            public INTEGER NOT NULL DEFAULT 1,
            made_at TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE box (
            id TEXT PRIMARY KEY,
            club BIGINT NOT NULL REFERENCES club (id),
            name TEXT NOT NULL,
            token_hash TEXT NOT NULL,
            seq BIGINT NOT NULL DEFAULT 0,
            hash TEXT NOT NULL DEFAULT '',
            folded BIGINT NOT NULL DEFAULT 0,
            heard_at TEXT NOT NULL DEFAULT ''
        )
        """,
        "CREATE INDEX box_club ON box (club)",
        "CREATE TABLE secret (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
        """
        CREATE TABLE event (
            club BIGINT NOT NULL,
            box TEXT NOT NULL,
            seq BIGINT NOT NULL,
            game BIGINT NOT NULL,
            based_on BIGINT NOT NULL,
            at TEXT NOT NULL,
            source TEXT NOT NULL,
            by_device TEXT NOT NULL,
            kind TEXT NOT NULL,
            body TEXT NOT NULL,
            because TEXT,
            instead_of TEXT,
            hash {bytes} NOT NULL,
            PRIMARY KEY (club, box, seq)
        ) {divided}
        """,
        """
        CREATE TABLE event_aside (
            club BIGINT NOT NULL,
            box TEXT NOT NULL,
            seq BIGINT NOT NULL,
            game BIGINT NOT NULL,
            at TEXT NOT NULL,
            kind TEXT NOT NULL,
            body TEXT NOT NULL,
            hash {bytes} NOT NULL,
            moved_at TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE incident (
            id {serial},
            club BIGINT NOT NULL,
            box TEXT NOT NULL,
            at TEXT NOT NULL,
            kind TEXT NOT NULL,
            events BIGINT NOT NULL
        )
        """,
        "CREATE INDEX incident_club ON incident (club, id)",
        """
        CREATE TABLE game (
            club BIGINT NOT NULL,
            box TEXT NOT NULL,
            number BIGINT NOT NULL,
            game TEXT NOT NULL,
            names TEXT NOT NULL,
            opened_at TEXT NOT NULL,
            last_at TEXT NOT NULL,
            seq BIGINT NOT NULL,
            over INTEGER NOT NULL,
            broken TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (club, box, number)
        ) {divided}
        """,
        "CREATE INDEX game_last ON game (club, last_at DESC)",
        """
        CREATE TABLE result (
            club BIGINT NOT NULL,
            box TEXT NOT NULL,
            number BIGINT NOT NULL,
            seat INTEGER NOT NULL,
            person BIGINT NOT NULL,
            game TEXT NOT NULL,
            seats INTEGER NOT NULL,
            points INTEGER NOT NULL,
            place INTEGER NOT NULL,
            won INTEGER NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (club, box, number, seat)
        ) {divided}
        """,
        "CREATE INDEX result_person ON result (club, person, at)",
        "CREATE INDEX result_game ON result (club, game, at)",
        """
        CREATE TABLE person (
            id {serial},
            club BIGINT NOT NULL,
            name TEXT NOT NULL,
            known_as TEXT NOT NULL,
            merged_into BIGINT
        )
        """,
        "CREATE UNIQUE INDEX person_known ON person (club, known_as)",
        """
        CREATE TABLE league (
            id {serial},
            club BIGINT NOT NULL,
            name TEXT NOT NULL,
            game TEXT NOT NULL,
            scoring TEXT NOT NULL,
            first_day TEXT NOT NULL,
            last_day TEXT NOT NULL
        )
        """,
        "CREATE INDEX league_club ON league (club, id)",
        """
        CREATE TABLE tournament (
            id {serial},
            club BIGINT NOT NULL,
            name TEXT NOT NULL,
            game TEXT NOT NULL,
            kind TEXT NOT NULL,
            seats INTEGER NOT NULL,
            rounds INTEGER NOT NULL,
            made_at TEXT NOT NULL
        )
        """,
        "CREATE INDEX tournament_club ON tournament (club, id)",
        """
        CREATE TABLE entrant (
            tournament BIGINT NOT NULL REFERENCES tournament (id),
            person BIGINT NOT NULL,
            PRIMARY KEY (tournament, person)
        )
        """,
        """
        CREATE TABLE pairing (
            tournament BIGINT NOT NULL REFERENCES tournament (id),
            round INTEGER NOT NULL,
            board INTEGER NOT NULL,
            seat INTEGER NOT NULL,
            person BIGINT NOT NULL,
            place INTEGER NOT NULL DEFAULT 0,
            points INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (tournament, round, board, seat)
        )
        """,
    ),
    (
        # A box may leave a club and belong to another later; what it did here stays here.
        """
        CREATE TABLE member (
            id TEXT NOT NULL,
            club BIGINT NOT NULL REFERENCES club (id),
            name TEXT NOT NULL,
            token_hash TEXT NOT NULL,
            seq BIGINT NOT NULL DEFAULT 0,
            hash TEXT NOT NULL DEFAULT '',
            folded BIGINT NOT NULL DEFAULT 0,
            heard_at TEXT NOT NULL DEFAULT '',
            left_at TEXT NOT NULL DEFAULT '',
            welcome_until TEXT NOT NULL DEFAULT '',
            forked_at TEXT NOT NULL DEFAULT '',
            settled_at TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (club, id)
        )
        """,
        """
        INSERT INTO member (id, club, name, token_hash, seq, hash, folded, heard_at)
        SELECT id, club, name, token_hash, seq, hash, folded, heard_at FROM box
        """,
        "DROP TABLE box",
        "ALTER TABLE member RENAME TO box",
        "CREATE UNIQUE INDEX box_id ON box (id) WHERE left_at = ''",
        "CREATE INDEX club_key ON club (key_hash)",
        "CREATE INDEX club_name ON club (name, id)",
        # What is put aside is kept whole, so that its hashes can be checked.
        "ALTER TABLE event_aside ADD COLUMN based_on BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE event_aside ADD COLUMN source TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE event_aside ADD COLUMN by_device TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE event_aside ADD COLUMN because TEXT",
        "ALTER TABLE event_aside ADD COLUMN instead_of TEXT",
        "CREATE INDEX event_aside_hash ON event_aside (club, box, hash)",
        # The order people were entered in, whoever they are merged with later.
        "ALTER TABLE entrant ADD COLUMN number INTEGER NOT NULL DEFAULT 0",
        # Which game at a table ended a board; none if the owner said how it ended.
        "ALTER TABLE pairing ADD COLUMN box TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE pairing ADD COLUMN game BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE pairing ADD COLUMN made_at TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX pairing_person ON pairing (person)",
        "CREATE INDEX pairing_game ON pairing (box, game)",
    ),
)


def postgres_steps(version: int) -> list[str]:
    """The statements of a schema version for PostgreSQL, the parts of divided tables included."""
    steps = [
        step.format(
            serial="BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
            bytes="BYTEA",
            divided="PARTITION BY HASH (club)",
        )
        for step in MIGRATIONS[version]
    ]
    if version == 0:
        steps += [
            f"CREATE TABLE {table}_{part:02d} PARTITION OF {table}"
            f" FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {part})"
            for table in DIVIDED
            for part in range(PARTITIONS)
        ]
    return steps


def sqlite_steps(version: int) -> list[str]:
    return [
        step.format(serial="INTEGER PRIMARY KEY", bytes="BLOB", divided="STRICT").replace(
            "BIGINT", "INTEGER"
        )
        for step in MIGRATIONS[version]
    ]
