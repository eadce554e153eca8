"""`companion rules` and `companion options`; rule texts with `--explain`; every word in the
language that was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.catalog import game_named
from companion.views.words import words_of
from tests.catalogue import GAMES
from tests.cli.calling import companion, misused, refused
from tests.cli.games import HEAD


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_listed(game: str) -> None:
    answer = companion("rules", game, "--json")
    assert [each["id"] for each in answer.objects] == list(words_of(game).rules)
    told = companion("rules", game).text
    assert all(rule in told for rule in words_of(game).rules)
    assert (answer.code, answer.err) == (0, "")


def test_one_rule_with_what_it_leaves_open() -> None:
    lines = companion("rules", "valhal", "vhal-fav-5").lines
    assert lines[0].startswith("VHAL-FAV-5")
    assert "yes, each before the next step (or:" in lines[1]


def test_a_rule_that_is_not_there() -> None:
    answer = companion("rules", "valhal", "FOOD")
    assert answer.code == 2
    assert answer.err.startswith("companion: valhal has no rule 'FOOD'; there are VHAL-FOOD-1, ")
    refused(companion("rules", "chess"), f"no game is called 'chess'; known: {', '.join(GAMES)}")


@pytest.mark.parametrize("game", GAMES)
def test_every_option_is_listed(game: str) -> None:
    answer = companion("options", game, "--json")
    assert [each["option"] for each in answer.objects] == [
        each.name for each in game_named(game).OPTIONS
    ]
    told = companion("options", game).text
    assert all(f"edition: {name} " in told for name in game_named(game).EDITIONS)


def test_a_rule_explained_where_it_is_named() -> None:
    text = HEAD + "deal A\nA r7\nB r3\n"
    lines = companion("check", "odin", "-", "--explain", stdin=text).lines
    at = next(n for n, line in enumerate(lines) if "[ODIN-PLAY-1]" in line)
    assert lines[at + 1].strip() == words_of("odin").rules["ODIN-PLAY-1"]
    asked = ("legal", "odin", "-", "B r3", "--explain")
    lines = companion(*asked, stdin=HEAD + "deal A\nA r7\n").lines
    assert lines[2].strip() == words_of("odin").rules["ODIN-PLAY-1"]
    (found,) = companion(*asked, "--json", stdin=HEAD + "deal A\nA r7\n").objects
    assert found["rules"] == [words_of("odin").rules["ODIN-PLAY-1"]]


# Lines in the wrong place


@pytest.mark.parametrize("line", ["limit: 20", "C: Cleo", "A: r7"])
def test_a_line_of_the_top_among_the_entries(line: str) -> None:
    refused(
        companion("check", "odin", "-", stdin=f"{HEAD}deal A\n {line}\n"),
        f"line 7, column 2: {line!r} belongs to the top, before the first entry; if it is an"
        " entry, write it without the colon",
    )


def test_two_games_in_one_record() -> None:
    refused(
        companion("check", "odin", "-", stdin=f"{HEAD}deal A\nodin 1\n"),
        "line 7, column 1: 'odin 1' belongs into the first line; a record holds one game",
    )


def test_a_problem_of_the_whole_top_names_the_first_line() -> None:
    refused(
        companion("check", "odin", "-", stdin="# once\nodin 1\nA: Anna\ndeal A\n"),
        "line 2, column 1: 1 want to play; this game is for 2 to 6.",
    )


@pytest.mark.parametrize(
    ("game", "verbs"),
    [
        ("odin", "deal, count, carry"),
        ("valhalla", "first, ready, armory"),
        ("valhal", "first, lay, laid, rolls, event, town, strike, heidrun, continue, agree, sheet"),
    ],
)
def test_an_unknown_verb_lists_the_verbs(game: str, verbs: str) -> None:
    head = f"{game} 1\nA: Anna\nB: Ben\n"
    refused(
        companion("check", game, "-", stdin=f"{head}banana 3\n"),
        f"line 4, column 1: no line begins with 'banana'; write a seat, A to F, or {verbs}",
    )


# In another language


def test_errors_too() -> None:
    answer = companion("check", "odin", "-", "--language", "de", stdin="odin 1\nA: Anna\n")
    assert answer.code == 2
    assert answer.err.startswith("companion: Zeile 1, Spalte 1: ")


RECORD = "odin 1\nA: Anna\n"
FAMILIES = {
    "check": (("check", "odin", "-"), RECORD),
    "legal": (("legal", "odin", "-"), RECORD),
    "rules": (("rules", "odin", "ODIN-NONE"), ""),
    "options": (("options", "chess"), ""),
    "games": (("games", "--data", "a-file"), ""),
    "show": (("show", "7"), ""),
    "export": (("export", "7"), ""),
    "import": (("import", "-"), RECORD),
    "backup": (("backup", "a-file"), ""),
    "restore": (("restore", "a-file"), ""),
    "enrol": (("enrol", "odin", "nowhere"), ""),
    "look": (("look", "a-file"), ""),
}
LATE = ("backup", "restore", "enrol", "look")  # only `companion` itself takes their language


@pytest.mark.parametrize("family", FAMILIES)
def test_errors_of_every_command_are_told_in_the_language_asked_for(
    family: str, here: Path
) -> None:
    (here / "a-file").write_text("nothing")
    words, stdin = FAMILIES[family]
    english = companion(*words, stdin=stdin)
    assert (english.code, english.err[:11]) == (2, "companion: ")
    ways = [("--language", "de", *words), (*words, "--language", "de")]
    for way in ways[:1] if family in LATE else ways:
        german = companion(*way, stdin=stdin)
        assert (german.code, german.err[:11]) == (2, "companion: ")
        assert german.err != english.err


def test_a_language_nobody_knows() -> None:
    misused(companion("--language", "la", "games"), "'la' is not one of en, de")


def test_an_export_says_so_in_the_language_asked_for(here: Path) -> None:
    companion("import", "-", stdin=f"{HEAD}deal A\n")
    told = companion("export", "1", "out.txt", "--language", "de")
    assert (told.code, (here / "out.txt").read_text()[:6]) == (0, "odin 1")
    assert companion("export", "1", "out.txt", "--language", "de").code == 2


@pytest.mark.parametrize("word", ["banana", "passes"])
def test_an_unknown_verb_of_a_seat_lists_the_verbs(word: str) -> None:
    refused(
        companion("legal", "odin", "-", stdin=f"{HEAD}deal A\nA {word}\n"),
        f"line 7, column 3: {word!r} is neither a card such as r7 nor one of pass, take, has,"
        " shows",
    )


def test_a_card_written_wrong_is_no_verb() -> None:
    answer = companion("legal", "odin", "-", stdin=f"{HEAD}deal A\nA r99\n")
    assert "'r99' is not a card; write a colour and a number" in answer.err
