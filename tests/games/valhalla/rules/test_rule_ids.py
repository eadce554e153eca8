"""Every rule and every open question is decided somewhere that can be found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from companion.games.valhalla import rules as valhalla
from tests.games.valhalla.rules.test_options import SCENARIOS
from tests.rule_ids import asserted

COUNTED = {
    "COMP": 3,
    "SETUP": 5,
    "STR": 6,
    "BAT": 6,
    "DRA": 3,
    "ARM": 4,
    "END": 1,
    "WIN": 2,
    "DARE": 1,
}
RULES = [
    *(f"VLLA-{part}-{number}" for part, most in COUNTED.items() for number in range(1, most + 1)),
    *("VLLA-STR-4a", "VLLA-STR-4b"),
    *("VLLA-AXE", "VLLA-HAM", "VLLA-SWO", "VLLA-WOL", "VLLA-DEI"),
    *(f"A-{number}" for number in range(1, 34)),
]
FOLDERS = ("companion/games/valhalla/rules", "tests/games/valhalla/rules")


def mentioned() -> set[str]:
    files = [path for folder in FOLDERS for path in Path(folder).rglob("*.py")]
    texts = [path.read_text() for path in files if path.name != Path(__file__).name]
    return set(re.findall(r"VLLA-[A-Z]+(?:-\d+[ab]?)?|A-\d+", _spelt_out("\n".join(texts))))


@cache
def named_by_tests() -> frozenset[str]:
    """Named by a test that asserts something."""
    texts = (_spelt_out(text) for text in (*asserted(Path(FOLDERS[1])), *_switched()))
    return frozenset(
        rule
        for text in texts
        for rule in re.findall(r"VLLA-[A-Z]+(?:-\d+[ab]?)?|(?<![A-Z])A-\d+", text)
    )


def _switched() -> Iterator[str]:
    """An option is tried by what its other values lead to."""
    tried = {option for option, _ in SCENARIOS}
    return (option.rule for option in valhalla.OPTIONS if option.name in tried)


def _spelt_out(text: str) -> str:
    """VLLA-STR-1 to -3 names three rules, VLLA-COMP-1 and -3 two."""
    for prefix, first, last in re.findall(r"(VLLA-[A-Z]+-|A-)(\d+) to (?:A)?-(\d+)", text):
        text += " ".join(f" {prefix}{number}" for number in range(int(first), int(last) + 1))
    for prefix, more in re.findall(r"(VLLA-[A-Z]+-)\d+ and -(\d+)", text):
        text += f" {prefix}{more}"
    return text


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_decided_somewhere(rule: str) -> None:
    assert rule in mentioned()


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_tested(rule: str) -> None:
    assert rule in named_by_tests(), f"no test that asserts names {rule}"


def test_no_rule_is_made_up() -> None:
    assert {each for each in mentioned() if each.startswith("VLLA")} <= set(RULES)


def test_every_open_question_is_named_where_it_is_decided() -> None:
    """Each by itself, in the code, not only within a range."""
    code = "\n".join(path.read_text() for path in Path(FOLDERS[0]).rglob("*.py"))
    missing = [f"A-{n}" for n in range(1, 34) if not re.search(rf"\bA-{n}\b", code)]
    assert missing == []
