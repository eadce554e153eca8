"""Commands used wrongly, and records that are none: a clear sentence, exit code 2, no traceback."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from companion.games.odin import rules as odin
from tests.catalogue import GAMES
from tests.cli.calling import companion, misused, refused
from tests.cli.games import HEAD, WHOLE

COMMANDS = (
    *("run", "check", "legal", "games", "show", "export", "import", "bench"),
    *("look", "calibrate", "enrol", "score", "print"),
    *("backup", "restore", "doctor", "replay-case", "track", "rules", "options"),
    *("hub", "join", "leave", "sim-club", "bench-hub"),
)

# What to do


def test_help_names_every_command() -> None:
    answer = companion("--help")
    listed = [line.split()[0] for line in answer.text.partition("Commands:\n")[2].splitlines()]
    assert sorted(listed) == sorted(COMMANDS)
    assert (answer.code, answer.err) == (0, "")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("asking", ["-h", "--help"])
def test_every_command_has_help(command: str, asking: str) -> None:
    answer = companion(command, asking)
    assert answer.text.startswith(f"Usage: main {command} [OPTIONS]")
    assert (answer.code, answer.err) == (0, "")


def test_version() -> None:
    answer = companion("--version")
    assert answer.text.split()[1:] == ["version", version("table-companion")]
    assert (answer.code, answer.err) == (0, "")


def test_an_unknown_command_or_option() -> None:
    misused(companion("cheque", "odin", "-"), "No such command 'cheque'")
    misused(companion("games", "--yaml"), "No such option")
    misused(companion("check", "odin"), "Missing argument 'RECORD'")
    misused(
        companion("check", "odin", "-", "--language", "la"),
        "'la' is not one of 'en', 'de', 'fr', 'es', 'it', 'nl'",
    )
    misused(companion("run", "--port", "65536"), "65536 is not in the range 0<=x<=65535")
    misused(companion("games", "--most", "0"), "0 is not in the range")


# Records

READERS = (("check", "odin"), ("legal", "odin"), ("import",))
readers = pytest.mark.parametrize("words", READERS, ids=lambda words: words[0])


@pytest.mark.parametrize("command", ["check", "legal"])
@pytest.mark.parametrize("game", ["chess", "", "Odin", "odin 1", "🐐"])
def test_an_unknown_game(command: str, game: str) -> None:
    known = ", ".join(GAMES)
    refused(
        companion(command, game, "-", stdin=WHOLE), f"no game is called {game!r}; known: {known}"
    )


@pytest.mark.parametrize("command", ["check", "legal"])
def test_a_record_of_another_game(command: str) -> None:
    for other in GAMES:
        if other != "odin":
            refused(
                companion(command, other, "-", stdin=WHOLE),
                f"this is a record of odin, not of {other}",
            )


@readers
def test_a_file_that_is_not_there(words: tuple[str, ...], here: Path) -> None:
    misused(companion(*words, "missing.txt"), "'missing.txt': No such file or directory")
    misused(companion(*words, "."), "'.': Is a directory")


@readers
def test_a_file_that_is_no_text(words: tuple[str, ...]) -> None:
    saved = "this is not UTF-8 text; save the file as UTF-8"
    picture = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 16
    refused(companion(*words, "-", stdin=picture), f"line 1, column 1: {saved}")
    latin = HEAD.encode("latin-1")
    refused(companion(*words, "-", stdin=latin), f"line 3, column 5: {saved}")
    title = "a record starts with a game and its version, such as odin 2"
    refused(companion(*words, "-", stdin=bytes(3000)), f"line 1, column 1: {title}")
    refused(companion(*words, "-", stdin="<html>\n"), f"line 1, column 1: {title}")


@readers
def test_an_empty_record(words: tuple[str, ...]) -> None:
    refused(
        companion(*words, "-", stdin="\n# nothing\n"),
        "line 1, column 1: the record is empty; it starts with a game such as odin 2",
    )


@readers
def test_ten_million_bytes(words: tuple[str, ...], here: Path) -> None:
    file = here / "long.txt"
    file.write_bytes(HEAD.encode() + b"deal A\n" + b"undo\ndeal A\n" * 833_333)
    refused(
        companion(*words, "long.txt"), "the record is longer than 1000000 bytes; it was not read"
    )


def test_a_file_that_never_ends() -> None:
    refused(
        companion("check", "odin", "/dev/zero"),
        "the record is longer than 1000000 bytes; it was not read",
    )


def test_a_file_that_cannot_be_read() -> None:
    refused(
        companion("check", "odin", "/proc/self/mem"),
        "the record cannot be read (Input/output error)",
    )


@readers
def test_every_problem_of_a_header_is_said_with_its_line(words: tuple[str, ...]) -> None:
    text = (
        "odin 1\n"
        "A: Celine\n"
        "B: CELINE\n"
        "C:\n"
        f"  D: {'x' * 40}\n"
        "E: Ragnarök 🪓\n"
        "f: Finn\n"
        "edition: la\n"
        "limit: none\n"
        "colour: red\n\n"
        "deal A\n"
    )
    known = ", ".join(option.name for option in odin.OPTIONS)
    refused(
        companion(*words, "-", stdin=text),
        "line 3, column 1: Two players are called CELINE; add a letter to tell them apart.",
        "line 4, column 1: Player 3 has no name yet.",
        "line 5, column 3: The name of player 4 has 40 letters; 20 are the most.",
        ("line 6, column 1: The name of player 5 may have letters, digits, spaces and - ' . only."),
        "line 8, column 1: There is no edition la; there are: en, de, fr, es, it, nl.",
        f"line 10, column 1: There is no option colour; there are: {known}.",
        "line 9, column 1: The option limit cannot be “none”; it may be 1–1000, one_hand.",
    )
    assert not Path("data").exists()


def test_problems_of_the_whole_header_name_the_first_line() -> None:
    refused(
        companion("check", "odin", "-", stdin="odin 1\nA: Anna\n"),
        "line 1, column 1: 1 want to play; this game is for 2 to 6.",
    )
    six = "".join(f"{seat}: {seat}{seat}\n" for seat in "ABCDEF")
    refused(
        companion("check", "odin", "-", stdin=f"odin 1\n{six}deck: valhalla36\n"),
        "line 1, column 1: The 36 cards are for two to four; 6 want to play.",
        "line 1, column 1: The deck has 36 cards; dealing takes 54.",
    )


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            "limit: 5\n" * 61,
            (
                "line 62, column 1: more than 60 lines before the first entry; "
                "is a colon too many in one?"
            ),
        ),
        ("G: Gunnar", "line 4, column 1: there is no seat G, only A to F"),
        ("A: Anna", "line 4, column 1: seats go A, B, C and so on"),
        (
            f"edition: {'x' * 400}",
            "line 4, column 1: the line has 409 characters; 400 are the most",
        ),
        (
            "opened: yesterday page",
            ("line 4, column 9: 'yesterday' is no time; write it like 2026-11-16T10:11:12.000Z"),
        ),
        (
            "opened: 2026-11-16T10:11:12.000Z  ghost",
            (
                "line 4, column 35: nothing is entered by 'ghost'; known: "
                "page, button, camera, record, mqtt, phone"
            ),
        ),
        (
            "deal A  @ 2026-13-16T10:11:12.000Z page",
            (
                "line 4, column 11: '2026-13-16T10:11:12.000Z' is no time; "
                "write it like 2026-11-16T10:11:12.000Z"
            ),
        ),
        (
            "deal A  @ 2026-11-16T10:11:12Z ghost",
            (
                "line 4, column 32: nothing is entered by 'ghost'; known: "
                "page, button, camera, record, mqtt, phone"
            ),
        ),
    ],
)
def test_a_line_that_says_nothing(line: str, problem: str) -> None:
    refused(companion("check", "odin", "-", stdin=f"odin 1\nA: Anna\nB: Ben\n{line}\n"), problem)
