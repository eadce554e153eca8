"""Settings, journals, ports and pins that cannot be used: a clear sentence, exit code 2, nothing
lost, never a traceback."""

from __future__ import annotations

import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields
from pathlib import Path

import pytest

from companion.ledger.schema import MIGRATIONS
from companion.service.settings import Settings
from tests.cli.calling import companion, refused
from tests.cli.games import WHOLE

# Settings


def test_all_problems_with_the_settings_in_one_message(here: Path) -> None:
    (here / "companion.toml").write_text(
        'language = "la"\nport = "eighty"\nviewers = 0\ngpio = "perhaps"\nfps = 30\n'
        "settle_seconds = 2\nhold_seconds = true\n"
    )
    for words in (("games",), ("show", "1"), ("export", "1")):
        refused(
            companion(*words),
            (
                "companion.toml: port must be a whole number, got 'eighty'; unknown key 'fps'; "
                "hold_seconds must be a number, got True; "
                "language must be one of en, de, fr, es, it, nl, got 'la'; "
                "gpio must be mock, real or none, got 'perhaps'; "
                "viewers must be 1 to 1000, got 0; settle_seconds must be 0 to 0.2, got 2.0; "
                f"the keys are {', '.join(each.name for each in fields(Settings))}"
            ),
        )
    assert not (here / "data").exists()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"port 8080\n", "is not TOML: Expected '=' after a key"),
        (b"\xff\xfe\x00", "is not TOML: 'utf-8' codec can't decode"),
        (b"x = " + b"[" * 20_000, "is not TOML: "),
        (b"port = " + b"9" * 5_000, "is not TOML: "),
        (b"#" * 10_000_000, "more than 100000 bytes are no settings file"),
        (b'data = "a\\u0000b"', "data must be a path, got 'a\\x00b'"),
        (b'host = "a..b\\n"', "host must be an address such as 0.0.0.0 or a name, got 'a..b\\n'"),
    ],
    ids=["no TOML", "no text", "deep", "an endless number", "huge", "no path", "no host"],
)
def test_a_settings_file_that_is_none(here: Path, content: bytes, problem: str) -> None:
    (here / "mine.toml").write_bytes(content)
    answer = companion("--settings", "mine.toml", "games")
    assert answer.err.startswith(f"companion: mine.toml: {problem}")
    assert len(answer.err.splitlines()) == 1
    assert (answer.code, answer.text) == (2, "")


def test_a_settings_file_that_is_not_there(here: Path) -> None:
    refused(
        companion("--settings", "mine.toml", "games"),
        "mine.toml: cannot be read (No such file or directory)",
    )
    refused(companion("--settings", ".", "games"), ".: cannot be read (Is a directory)")


def test_records_are_judged_without_settings(here: Path) -> None:
    """Nothing of theirs is needed, so nothing of theirs can be wrong."""
    (here / "companion.toml").write_text("nonsense")
    assert companion("check", "odin", "-", stdin=WHOLE).code == 0


def test_a_home_nobody_has() -> None:
    refused(
        companion("games", "--data", "~nobody-of-that-name/games"),
        "data: '~nobody-of-that-name/games' names no home folder; write the whole path",
    )


# Journals

TOUCHING = (("games",), ("show", "1"), ("export", "1"), ("import", "friday.txt"))
# `run` comes up with a page all the same: tests/service/keeping, `companion bench trust`
touching = pytest.mark.parametrize("words", TOUCHING, ids=lambda words: words[0])


@pytest.fixture
def kept(here: Path) -> Path:
    """The file of a journal with one game in it."""
    (here / "friday.txt").write_text(WHOLE)
    assert companion("import", "friday.txt", "--again").code == 0
    return here / "data" / "journal.db"


def untouched(words: tuple[str, ...], file: Path, *says: str) -> None:
    before = file.read_bytes()
    answer = companion(*words)
    assert answer.err.startswith("companion: ")
    assert len(answer.err.splitlines()) == 1
    for each in (str(file), *says):
        assert each in answer.err
    assert (answer.code, answer.text) == (2, "")
    assert file.read_bytes() == before
    assert [each.name for each in file.parent.iterdir()] == ["journal.db"]


@touching
def test_a_journal_of_a_later_version(words: tuple[str, ...], kept: Path) -> None:
    with closing(sqlite3.connect(kept, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    untouched(words, kept, "was written by a later version", "update the companion to open it")


@touching
def test_a_file_of_another_program(words: tuple[str, ...], kept: Path) -> None:
    kept.unlink()
    with closing(sqlite3.connect(kept)) as connection, connection:
        connection.execute("CREATE TABLE recipe (name TEXT)")
    untouched(words, kept, "is a database of another program; it was not changed")


@touching
def test_a_file_that_is_no_database(words: tuple[str, ...], kept: Path) -> None:
    kept.write_text("Dear diary, " * 1000)
    untouched(words, kept, "is not a journal of the companion or is damaged", "it was not changed")


@touching
def test_a_folder_that_is_a_file(words: tuple[str, ...], here: Path) -> None:
    (here / "friday.txt").write_text(WHOLE)
    (here / "data").write_text("not a folder")
    answer = companion(*words)
    assert answer.err.startswith(f"companion: the journal {here}/data/journal.db cannot be opened")
    assert (answer.code, answer.text) == (2, "")
    assert (here / "data").read_text() == "not a folder"


@touching
def test_a_journal_that_is_a_folder(words: tuple[str, ...], here: Path) -> None:
    (here / "friday.txt").write_text(WHOLE)
    (here / "data" / "journal.db").mkdir(parents=True)
    answer = companion(*words)
    assert answer.err.startswith(f"companion: the journal {here}/data/journal.db cannot be opened")
    assert (answer.code, answer.text) == (2, "")


# Starting


@pytest.fixture
def taken() -> Iterator[int]:
    """A port somebody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def test_a_port_that_is_taken(kept: Path, taken: int, here: Path) -> None:
    (here / "companion.toml").write_text('host = "127.0.0.1"\n')
    before = companion("games").text
    refused(
        companion("run", "--port", str(taken)),
        (
            f"the page cannot listen on 127.0.0.1:{taken} (Address already in use); perhaps a "
            "companion is running already. Stop it, or choose another port: "
            "companion run --port 8081"
        ),
    )
    assert companion("games").text == before


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        (
            "[buttons]\npass = 99\nnod = 4\n[lamps]\ngreen = 'x'\n[horn]\nloud = 1\n",
            (
                "pins.toml: unknown section 'horn'; unknown part buttons.nod; "
                "buttons.pass must be a GPIO number 0 to 27, got 99; "
                "lamps.green must be a GPIO number 0 to 27, got 'x'"
            ),
        ),
        (
            "[buttons]\npass = 4\nconfirm = 4\n",
            "pins.toml: buttons.confirm and buttons.pass share GPIO 4",
        ),
        ("buttons = 3\n", "pins.toml: buttons must be a section, got 3"),
        ("[buttons\n", "pins.toml: is not TOML: "),
        (None, "pins.toml: cannot be read (No such file or directory)"),
    ],
    ids=["all at once", "shared", "no section", "no TOML", "missing"],
)
def test_bad_pins(here: Path, content: str | None, problems: str) -> None:
    (here / "companion.toml").write_text('pins = "pins.toml"\n')
    if content is not None:
        (here / "pins.toml").write_text(content)
    answer = companion("run", "--port", "0")
    assert answer.err.startswith(f"companion: {problems}")
    assert len(answer.err.splitlines()) == 1
    assert (answer.code, answer.text) == (2, "")


@pytest.mark.skipif(Path("/dev/gpiochip0").exists(), reason="this machine has GPIO pins")
def test_real_pins_that_are_not_there(here: Path) -> None:
    (here / "companion.toml").write_text('gpio = "real"\n')
    answer = companion("run", "--port", "0")
    assert answer.err.startswith('companion: gpio = "real" is set, but the pins cannot be opened')
    assert (answer.code, answer.text) == (2, "")
