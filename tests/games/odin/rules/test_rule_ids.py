"""Every rule and every open question of the specification is named in a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__)
ROOT = HERE.parents[4]

COUNTS = {
    "ODIN-COMP": 4,
    "ODIN-SETUP": 5,
    "ODIN-LEAD": 3,
    "ODIN-HEND": 2,
    "ODIN-PLAY": 5,
    "ODIN-TAKE": 1,
    "ODIN-PASS": 2,
    "ODIN-REND": 1,
    "ODIN-SCORE": 2,
    "ODIN-NEXT": 2,
    "ODIN-END": 3,
    "ODIN-INV": 4,
    "A-ODIN": 18,
}
IDS = [f"{name}-{number}" for name, count in COUNTS.items() for number in range(1, count + 1)]


def named(folder: Path) -> set[str]:
    """Every id in the files of a folder; a test's name spells it with underscores."""
    found: set[str] = set()
    for path in folder.rglob("*.py"):
        if path != HERE:
            text = path.read_text(encoding="utf-8").upper().replace("_", "-")
            found.update(re.findall(r"A-ODIN-\d+|(?<!A-)ODIN-[A-Z]+-\d+", text))
    return found


ENGINE = named(ROOT / "companion" / "games" / "odin" / "rules")
TESTS = named(HERE.parent)


@pytest.mark.parametrize("rule", IDS)
def test_a_rule_is_named(rule: str) -> None:
    assert rule in TESTS


def test_no_other_rules_are_named() -> None:
    assert (ENGINE | TESTS).difference(IDS) == set()
