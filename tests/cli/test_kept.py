"""`companion games`, `show`, `export` and `import`: the journal and record files."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.ledger.events import Did, encode
from tests.cli.calling import companion, refused
from tests.cli.games import HEAD, WHOLE
from tests.ledger import logs


@pytest.fixture
def friday(here: Path) -> Path:
    """A record file whose game is game 1 of the journal."""
    file = here / "friday.txt"
    file.write_text(WHOLE)
    answer = companion("import", "friday.txt", "--again")
    assert (answer.code, answer.text, answer.err) == (0, "game 1: 15 events\n", "")
    return file


def slip_in(game: int, kind: str, body: str) -> None:
    """An event no companion would write, past the journal."""
    logs.slip_in(Path("data/journal.db"), game, kind, body, "2026-11-16T20:00:00.000Z")


def rows() -> list[tuple[object, ...]]:
    with closing(sqlite3.connect("data/journal.db")) as connection:
        return connection.execute("SELECT * FROM event").fetchall()


# There and back


def test_out_and_in_again_byte_for_byte(friday: Path, here: Path) -> None:
    answer = companion("export", "1", "again.txt")
    assert (answer.code, answer.text) == (0, "game 1 is in again.txt\n")
    assert (here / "again.txt").read_bytes() == friday.read_bytes()
    assert companion("import", "again.txt", "--again").text == "game 2: 15 events\n"
    assert companion("export", "2").out == friday.read_bytes()


def test_from_standard_input(here: Path) -> None:
    assert companion("import", "-", "--again", stdin=WHOLE).code == 0
    assert companion("export", "1").text == WHOLE


def test_a_record_without_times_gets_the_present_one(here: Path) -> None:
    assert companion("import", "-", "--again", stdin=HEAD + "deal a\n").code == 0
    text = companion("export", "1").text
    assert text.startswith("odin 1\nA: Anna\nB: Céline\nedition: en\nlimit: 5\nopened: 20")
    assert text.splitlines()[-1].startswith("deal A                           @ 20")
    companion("import", "-", "--again", stdin=text)
    assert companion("export", "2").text == text


def test_export_never_overwrites(friday: Path, here: Path) -> None:
    friday.write_text("my notes")
    answer = companion("export", "1", "friday.txt")
    assert answer.err == (
        "companion: friday.txt is there already and stays as it is; choose another name\n"
    )
    assert (answer.code, answer.text) == (2, "")
    assert friday.read_text() == "my notes"


def test_export_to_where_nothing_can_be_written(friday: Path, here: Path) -> None:
    answer = companion("export", "1", "no/such/folder.txt")
    assert (answer.code, answer.text) == (2, "")
    assert answer.err == (
        "companion: no/such/folder.txt cannot be written (No such file or directory)\n"
    )
    assert companion("export", "1", str(here)).code == 2


@pytest.mark.parametrize(
    ("entries", "err"),
    [
        (
            "deal A\nA r7\n  B r3\n",
            (
                "line 8, column 3: 'B r3' is against the rules. 3 does not beat 7. [ODIN-PLAY-1] "
                "If the table let it stand, write ! before it."
            ),
        ),
        (
            "deal A\nA r7\n! B r7\n",
            (
                "line 8, column 1: '! B r7' is against the rules. "
                "Red 7 already lies in the middle. [ODIN-INV-4]"
            ),
        ),
        (
            "undo\n",
            "line 6, column 1: 'undo' is against the rules. There is nothing to undo. [TABLE]",
        ),
        (
            "dael A\n",
            (
                "line 6, column 1: no line begins with 'dael'; write a seat, A to F, or deal,"
                " count, carry"
            ),
        ),
    ],
)
def test_a_line_that_cannot_be_kept_keeps_nothing(friday: Path, entries: str, err: str) -> None:
    before = rows()
    answer = companion("import", "-", "--again", stdin=HEAD + entries)
    assert (answer.code, answer.text, answer.err) == (2, "", f"companion: {err}\n")
    assert rows() == before


# Listing and showing


def test_no_games_yet() -> None:
    answer = companion("games")
    assert answer.text == "No games yet. `companion run` starts the companion.\n"
    assert companion("games", "--json").text == ""
    assert answer.code == 0


def test_games_kept(friday: Path) -> None:
    companion("import", "-", "--again", stdin=HEAD + "deal A @ 2026-11-17T08:00:00.000Z page\n")
    answer = companion("games")
    assert answer.lines == [
        "    2  odin  going on  Anna 0, Céline 0  (2026-11-17T08:00:00.000Z)",
        "    1  odin  over      Anna 8, Céline 2  (2026-11-16T19:02:50.000Z)",
    ]
    assert (answer.code, answer.err) == (0, "")
    assert companion("games", "--most", "1").lines == [
        answer.lines[0],
        "… 1 more; --most lists more",
    ]
    assert companion("games", "--json").objects[1] == {
        "number": 1,
        "game": "odin",
        "names": ["Anna", "Céline"],
        "points": [8, 2],
        "winners": ["Céline"],
        "over": True,
        "last_at": "2026-11-16T19:02:50.000Z",
        "events": 15,
        "trouble": "",
    }


def test_a_game_is_shown(friday: Path) -> None:
    answer = companion("show", "1")
    assert answer.lines[:5] == [
        "     1  2026-11-16T19:00:00.000Z  A new game: Anna, Céline.",
        "     2  2026-11-16T19:00:05.000Z  Points from before: Anna 1, Céline 2.",
        "     3  2026-11-16T19:01:00.000Z  Dealt; Anna leads.",
        "     4  2026-11-16T19:01:10.000Z  Anna lays red 7.",
        "     5  2026-11-16T19:01:20.500Z  Céline lays red 3. The table let it stand.",
    ]
    assert answer.lines[-2:] == [
        "    15  2026-11-16T19:02:50.000Z  Cards left: Anna 3, Céline 0; Anna has the goat.",
        "final: Anna 8, Céline 2; won by Céline",
    ]
    assert (answer.code, answer.err, len(answer.lines)) == (0, "", 16)


def test_a_game_is_shown_in_german(friday: Path) -> None:
    assert companion("show", "1", "--language", "de").lines[3].endswith("Anna legt rote 7.")


def test_another_folder(friday: Path, here: Path) -> None:
    assert (
        companion("import", "friday.txt", "--again", "--data", "elsewhere").text
        == "game 1: 15 events\n"
    )
    assert companion("show", "1", "--data", str(here / "elsewhere")).code == 0
    assert companion("export", "1", "--data", "elsewhere").text == WHOLE
    assert len(companion("games", "--data", "elsewhere").lines) == 1
    (here / "companion.toml").write_text('data = "elsewhere"\n')
    companion("import", "friday.txt", "--again")
    assert len(companion("games").lines) == 2
    (here / "other.toml").write_text('data = "third"\n')
    assert companion("--settings", "other.toml", "games").lines[0].startswith("No games yet.")


@pytest.mark.parametrize("command", ["show", "export"])
def test_a_game_nobody_played(command: str) -> None:
    answer = companion(command, "7")
    assert (answer.code, answer.text) == (2, "")
    assert answer.err == "companion: the journal has no game 7; `companion games` lists them\n"


@pytest.mark.parametrize("command", ["show", "export"])
@pytest.mark.parametrize("number", ["0", "one", "9" * 40, "1.5"])
def test_a_number_that_is_none(command: str, number: str) -> None:
    answer = companion(command, number)
    assert (answer.code, answer.text) == (2, "")
    assert "Error: Invalid value for 'NUMBER'" in answer.err


# Damage


DAMAGE = {
    "against the rules": (*encode(Did("deal B")), "(deal B)", "game-over [ODIN-END-1]"),
    "not in the notation": (
        *encode(Did("deal it")),
        "(deal it)",
        "column 6: 'it' is not a seat; write a letter A to F",
    ),
    "an unknown kind": ("dreamt", "{}", "(dreamt)", "an event of unknown kind 'dreamt'"),
    "not JSON": (
        "did",
        '{"action',
        "(did)",
        "the body of a 'did' event is broken: Input data was truncated",
    ),
}


@pytest.mark.parametrize(("kind", "body", "event", "why"), DAMAGE.values(), ids=DAMAGE)
def test_a_log_that_no_longer_replays_is_shown_so_far(
    friday: Path, kind: str, body: str, event: str, why: str
) -> None:
    whole = companion("show", "1").lines[:-1]
    slip_in(1, kind, body)
    before = rows()
    answer = companion("show", "1")
    assert answer.lines == whole  # and no standing: nobody knows it
    assert answer.err == f"companion: game 1: event 16 {event} no longer replays: {why}\n"
    assert answer.code == 1
    assert rows() == before


@pytest.mark.parametrize("damage", ["an unknown kind", "not JSON"])
def test_a_game_that_cannot_be_read_is_not_exported(friday: Path, here: Path, damage: str) -> None:
    slip_in(1, *DAMAGE[damage][:2])
    answer = companion("export", "1", "again.txt")
    assert (answer.code, answer.text) == (1, "")
    assert answer.err.endswith(f"{DAMAGE[damage][3]}\n")
    assert not (here / "again.txt").exists()


@pytest.mark.parametrize(
    "damage",
    [
        "against the rules",
        "not in the notation",
        "an unknown kind",
        "not JSON",
    ],
)
def test_games_go_on_beside_a_damaged_one(friday: Path, damage: str) -> None:
    companion("import", "friday.txt", "--again")
    slip_in(1, *DAMAGE[damage][:2])
    assert companion("show", "2").code == 0
    assert companion("import", "friday.txt", "--again").text == "game 3: 15 events\n"
    assert [line.split("  (")[0] for line in companion("games").lines] == [
        "    3  odin  over      Anna 8, Céline 2",
        "    1  odin  damaged   Anna ?, Céline ?",
        "    2  odin  over      Anna 8, Céline 2",
    ]


def test_a_game_imported_twice_is_noticed(here: Path) -> None:
    assert companion("import", "-", stdin=WHOLE).code == 0
    again = "the journal has this game already, as game 1; --again adds it anew"
    refused(companion("import", "-", stdin=WHOLE), again)
    refused(companion("import", "-", stdin=WHOLE + "# a remark\n"), again)
    assert companion("import", "-", "--again", stdin=WHOLE).text.startswith("game 2: ")
    other = WHOLE.replace("Anna", "Bo")
    assert companion("import", "-", stdin=other).text.startswith("game 3: ")
