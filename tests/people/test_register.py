"""Names, and who they belong to."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.foundation.errors import BadInput
from companion.people.register import Register, drawn, forgotten, merged, remembered, renamed
from companion.people.register_file import FILE, RegisterFile

THREE = remembered(Register(), ("Anna", "Ben", "Cleo"))


def test_a_name_is_remembered_once_however_it_is_written() -> None:
    again = remembered(THREE, ("ANNA", "Dag"))
    assert [each.name for each in again.people] == ["Anna", "Ben", "Cleo", "Dag"]
    assert len({each.emblem for each in again.people}) == 4


def test_games_under_an_old_name_stay_theirs() -> None:
    register = renamed(THREE, 2, "Benjamin")
    for name in ("Ben", "Benjamin"):
        person = register.who(name, 1)
        assert person is not None
        assert (person.number, person.name) == (2, "Benjamin")


def test_a_name_that_somebody_else_has_is_not_taken_from_them() -> None:
    with pytest.raises(BadInput, match="Somebody else is called anna"):
        renamed(THREE, 2, "anna")


def test_two_who_are_one_are_merged() -> None:
    register = merged(THREE, 2, 1)
    assert [each.name for each in register.people] == ["Anna", "Cleo"]
    assert register.who("Ben", 1) == register.who("Anna", 1)
    with pytest.raises(BadInput):
        merged(THREE, 1, 1)
    with pytest.raises(BadInput):
        merged(THREE, 1, 99)


def test_who_is_forgotten_is_a_new_person_in_later_games() -> None:
    register = remembered(forgotten(THREE, 2, 7), ("Ben",))
    assert register.who("Ben", 7) is None
    later = register.who("Ben", 8)
    assert later is not None
    assert later.number not in (1, 2)


def test_the_file_keeps_everything(tmp_path: Path) -> None:
    kept = RegisterFile(tmp_path)
    kept.remember(("Zoë O’Neil", "Ben"))
    kept.change(lambda register: renamed(register, 2, "Benny"))
    kept.change(lambda register: forgotten(drawn(register, 2, 5, 3), 1, 4))
    assert RegisterFile(tmp_path).register == kept.register
    assert kept.register.people[0].also == ("Ben",)
    assert kept.register.is_forgotten("zoë o’neil", 4)


@pytest.mark.parametrize(
    "damage",
    [
        b"person = 3",
        b"[[person]]\nnumber = 1",
        b"\xff\xfe",
        b'[[person]]\nnumber=1\nname="A"\n[[person]]\nnumber=1\nname="B"',
        b"#" * 600_000,
    ],
)
def test_a_damaged_file_is_said_and_left_alone(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / FILE).write_bytes(damage)
    kept = RegisterFile(tmp_path)
    with pytest.raises(BadInput, match="damaged"):
        kept.change(lambda register: renamed(register, 1, "X"))
    assert [each.name for each in kept.remember(("Anna",)).people] == ["Anna"]
    assert (tmp_path / FILE).read_bytes() == damage
