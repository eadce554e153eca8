"""Every rule and every open question of the specification is named in a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.rule_ids import asserted

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
            found.update(_ids(path.read_text(encoding="utf-8")))
    return found


def _ids(text: str) -> list[str]:
    plain = text.upper().replace("_", "-")
    return re.findall(r"A-ODIN-\d+|(?<!A-)ODIN-[A-Z]+-\d+", plain)


ENGINE = named(ROOT / "companion" / "games" / "odin" / "rules")
TESTS = named(HERE.parent)
ASSERTED = {rule for text in asserted(HERE.parent) for rule in _ids(text)}


@pytest.mark.parametrize("rule", IDS)
def test_a_rule_is_tested(rule: str) -> None:
    assert rule in ASSERTED, f"no test that asserts names {rule}"


def test_no_other_rules_are_named() -> None:
    assert (ENGINE | TESTS).difference(IDS) == set()
