"""`companion check`: a record judged line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calling import companion
from tests.cli.games import HEAD, WHOLE

MIXED = HEAD + "deal A\nA r7\nB r3   # a slip\n!B r3\nundo 9\n! A b8\n"


def test_every_line_gets_a_verdict_and_reasons() -> None:
    answer = companion("check", "odin", "-", stdin=MIXED)
    assert answer.text == (
        "   6  accepted  deal A\n"
        "   7  accepted  A r7\n"
        "   8  refused   B r3\n"
        "                3 does not beat 7. [ODIN-PLAY-1]\n"
        "   9  stands    !B r3\n"
        "                3 does not beat 7. [ODIN-PLAY-1]\n"
        "  10  refused   undo 9\n"
        "                So many entries cannot be undone: 9; there are 3. [TABLE]\n"
        "  11  accepted  ! A b8\n"
        "standing: Anna 0, Céline 0\n"
    )
    assert (answer.code, answer.err) == (1, "")


def test_json_is_an_object_a_line_and_the_standing() -> None:
    answer = companion("check", "odin", "-", "--json", stdin=MIXED)
    *judged, last = answer.objects
    assert [
        (each["line"], each["action"], each["verdict"], each["reasons"]) for each in judged
    ] == [
        (6, "deal A", "accepted", []),
        (7, "A r7", "accepted", []),
        (8, "B r3", "refused", ["ODIN-PLAY-1"]),
        (9, "!B r3", "stands", ["ODIN-PLAY-1"]),
        (10, "undo 9", "refused", ["TABLE"]),
        (11, "! A b8", "accepted", []),
    ]
    assert judged[2]["codes"] == ["too-low"]
    assert judged[2]["sentences"] == ["3 does not beat 7."]
    assert last == {
        "standing": [
            {"seat": "A", "name": "Anna", "points": 0, "rank": 1},
            {"seat": "B", "name": "Céline", "points": 0, "rank": 1},
        ],
        "over": False,
        "winners": [],
    }
    assert (answer.code, answer.err) == (1, "")


def test_a_record_in_which_all_is_well(here: Path) -> None:
    file = here / "friday.txt"
    file.write_text(WHOLE)
    answer = companion("check", "odin", str(file))
    assert answer.lines[-1] == "final: Anna 8, Céline 2; won by Céline"
    assert (answer.code, answer.err) == (0, "")
    last = companion("check", "odin", str(file), "--json").objects[-1]
    assert (last["over"], last["winners"]) == (True, ["B"])
    assert [(each["points"], each["rank"]) for each in last["standing"]] == [(8, 2), (2, 1)]
    assert file.read_text() == WHOLE


def test_a_shared_victory() -> None:
    seats = "odin 1\nA: Anna\nB: Ben\nC: Cleo\nlimit: 9\n\ncarry 3 5 2\n"
    hand = "deal A\n! A has 2\n! B has 0\n! C has 8\ncount 2 0 8\n"
    answer = companion("check", "odin", "-", stdin=seats + hand)
    assert answer.lines[-1] == "final: Anna 5, Ben 5, Cleo 10; won by Anna and Ben"
    last = companion("check", "odin", "-", "--json", stdin=seats + hand).objects[-1]
    assert last["winners"] == ["A", "B"]
    assert [each["rank"] for each in last["standing"]] == [1, 1, 3]


def test_what_is_taken_on_trust_is_said() -> None:
    """Whether the whole hand had to be led only its owner knows."""
    text = HEAD.replace("limit: 5", "whole_hand_lead: forced") + "deal A\nA r7\n"
    answer = companion("check", "odin", "-", stdin=text)
    assert answer.lines[2] == (
        "                Taken on trust: Anna's whole hand was not one set. [ODIN-HEND-1]"
    )
    assert answer.code == 0
    judged = companion("check", "odin", "-", "--json", stdin=text).objects
    assert [each.get("assumes") for each in judged] == [[], ["ODIN-HEND-1"], None]
    assert judged[1]["reasons"] == []


def test_in_german() -> None:
    answer = companion("check", "odin", "-", "--language", "de", stdin=MIXED)
    assert "                3 schlägt 7 nicht. [ODIN-PLAY-1]" in answer.lines
    undone = "So viele Einträge lassen sich nicht zurücknehmen: 9; es gibt 3. [TABLE]"
    assert f"                {undone}" in answer.lines
    judged = companion("check", "odin", "-", "--json", "--language", "de", stdin=MIXED).objects
    assert judged[2]["sentences"] == ["3 schlägt 7 nicht."]
    assert judged[2]["reasons"] == ["ODIN-PLAY-1"]


def test_every_objection_is_named() -> None:
    answer = companion("check", "odin", "-", "--json", stdin=HEAD + "deal A\nB r1 b2\n")
    assert answer.objects[1]["reasons"] == ["ODIN-SETUP-4", "ODIN-PLAY-3", "ODIN-LEAD-1"]


def test_a_line_nobody_can_read_ends_it() -> None:
    """What came before has been judged; there is no standing after a guess."""
    answer = companion("check", "odin", "-", stdin=HEAD + "deal A\n  A r77\nB pass\n")
    assert answer.text == "   6  accepted  deal A\n"
    assert answer.err == (
        "companion: line 7, column 5: 'r77' is not a card; write a colour and a number such as r7 "
        "(b r p g k o, or the suits h d s c with A for the ace), or goat\n"
    )
    assert answer.code == 2


def test_a_record_without_entries() -> None:
    answer = companion("check", "odin", "-", stdin=HEAD)
    assert (answer.code, answer.text) == (0, "standing: Anna 0, Céline 0\n")


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_line_ends_of_another_system(ends: str) -> None:
    text = "\ufeff" + WHOLE.replace("\n", ends)
    answer = companion("check", "odin", "-", stdin=text.encode())
    assert answer.code == 0
    assert answer.lines[-1] == "final: Anna 8, Céline 2; won by Céline"
