"""`companion legal`: is this legal now, and why not; and what could come next."""

from __future__ import annotations

from pathlib import Path

from tests.cli.calling import companion
from tests.cli.games import HEAD, WHOLE

SOFAR = HEAD + "deal A\nA r7\n"


def test_a_legal_action() -> None:
    answer = companion("legal", "odin", "-", "B b8", stdin=SOFAR)
    assert (answer.code, answer.text, answer.err) == (0, "legal\n", "")


def test_an_action_against_the_rules() -> None:
    answer = companion("legal", "odin", "-", "B r3", stdin=SOFAR)
    assert answer.text == "not legal\n  3 does not beat 7. [ODIN-PLAY-1]\n"
    assert (answer.code, answer.err) == (1, "")


def test_every_objection_is_named() -> None:
    answer = companion("legal", "odin", "-", "A r7 b3", stdin=SOFAR)
    assert answer.text == (
        "not legal\n"
        "  It is Céline's turn, not Anna's. [ODIN-SETUP-4]\n"
        "  Red 7 already lies in the middle. [ODIN-INV-4]\n"
        "  Red 7, blue 3 are neither of one number nor of one colour. [ODIN-PLAY-3]\n"
    )
    assert answer.code == 1


def test_the_answer_in_json() -> None:
    answer = companion("legal", "odin", "-", "B r3", "--json", stdin=SOFAR)
    assert answer.objects == [
        {
            "action": "B r3",
            "legal": False,
            "reasons": ["ODIN-PLAY-1"],
            "sentences": ["3 does not beat 7."],
        }
    ]
    assert answer.code == 1
    answer = companion("legal", "odin", "-", "B pass", "--json", stdin=SOFAR)
    assert answer.objects == [{"action": "B pass", "legal": True, "reasons": [], "sentences": []}]
    assert answer.code == 0


def test_in_german() -> None:
    answer = companion("legal", "odin", "-", "B r3", "--language", "de", stdin=SOFAR)
    assert answer.lines[1:] == ["  3 schlägt 7 nicht. [ODIN-PLAY-1]"]


def test_what_could_come_next() -> None:
    text = SOFAR + "! B shows r9 r8 b2\n"
    answer = companion("legal", "odin", "-", stdin=text)
    assert answer.lines == ["B r9", "B r8", "B r9 r8", "B pass"]
    assert (answer.code, answer.err) == (0, "")
    (found,) = companion("legal", "odin", "-", "--json", stdin=text).objects
    assert found == {"count": 4, "actions": answer.lines}


def test_too_many_to_list() -> None:
    """Hidden cards may be anything: twelve 8s and 9s, and every pair of a number or colour."""
    answer = companion("legal", "odin", "-", stdin=SOFAR)
    (found,) = companion("legal", "odin", "-", "--json", stdin=SOFAR).objects
    assert answer.lines[:40] == found["actions"][:40]
    assert answer.lines[40:] == [f"… and {found['count'] - 40} more (--json lists them all)"]


def test_nothing_comes_after_the_end(here: Path) -> None:
    (here / "over.txt").write_text(WHOLE)
    answer = companion("legal", "odin", "over.txt")
    assert (answer.code, answer.text) == (0, "nothing: the game is over\n")
    answer = companion("legal", "odin", "over.txt", "deal B")
    assert (answer.code, answer.text) == (1, "not legal\n  The game is over. [ODIN-END-1]\n")


def test_the_record_is_not_touched(here: Path) -> None:
    (here / "sofar.txt").write_text(SOFAR)
    assert companion("legal", "odin", "sofar.txt", "B b8").code == 0
    assert (here / "sofar.txt").read_text() == SOFAR
    assert [each.name for each in here.iterdir()] == ["sofar.txt"]


def test_after_a_refused_line_nothing_can_be_asked() -> None:
    answer = companion("legal", "odin", "-", "A b8", stdin=SOFAR + "B r3\n")
    assert (answer.code, answer.text) == (2, "")
    assert answer.err == (
        "companion: line 8, column 1: 'B r3' is against the rules. 3 does not beat 7. "
        "[ODIN-PLAY-1] If the table let it stand, write ! before it.\n"
    )


def test_an_action_nobody_can_read() -> None:
    for action, problem in {
        "B r33": "column 3: 'r33' is not a card",
        "": "column 1: nothing is written here",
        "undo": "column 1: no line begins with 'undo'; write a seat, A to F, or deal, count, carry",
        "B take": "column 3: after 'take' comes one card",
    }.items():
        answer = companion("legal", "odin", "-", action, stdin=SOFAR)
        assert (answer.code, answer.text) == (2, "")
        assert answer.err.startswith(f"companion: {problem}")
