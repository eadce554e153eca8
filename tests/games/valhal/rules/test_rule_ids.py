"""Every rule and every open question is decided somewhere that can be found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from companion.games.valhal import rules as valhal
from tests.games.valhal.rules.test_options import SCENARIOS
from tests.rule_ids import asserted

COUNTED = {
    "SET": 10,
    "SEA": 6,
    "FOOD": 9,
    "COM": 4,
    "CON": 4,
    "BT": 4,
    "SAC": 8,
    "FAV": 5,
    "CHG": 2,
    "GLO": 1,
    "ACH": 5,
    "FIN": 3,
    "VF": 5,
    "JOIN": 3,
    "BAT": 15,
    "LOOT": 2,
    "CONC": 1,
    "CARD": 8,
}
RULES = [
    *(f"VHAL-{part}-{number}" for part, most in COUNTED.items() for number in range(1, most + 1)),
    *(f"VHAL-BLD-{name}" for name in ("WARE", "SMITH", "GRAN", "ALTAR")),
    *(f"VHAL-VAR-{name}" for name in ("FAST", "HEID", "SPEC", "MIX")),
    *(f"A-{number}" for number in range(1, 39)),
]
FOLDERS = ("companion/games/valhal/rules", "tests/games/valhal/rules")


def mentioned() -> set[str]:
    files = [path for folder in FOLDERS for path in Path(folder).rglob("*.py")]
    texts = [path.read_text() for path in files if path.name != Path(__file__).name]
    return set(re.findall(r"VHAL-[A-Z]+-(?:\d+|[A-Z]+)|A-\d+", _spelt_out("\n".join(texts))))


@cache
def named_by_tests() -> frozenset[str]:
    """Named by a test that asserts something; VHAL-SEA-6 is not A-6."""
    texts = (_spelt_out(text) for text in (*asserted(Path(FOLDERS[1])), *_switched()))
    return frozenset(
        rule
        for text in texts
        for rule in re.findall(r"VHAL-[A-Z]+-(?:\d+|[A-Z]+)|(?<![A-Z])A-\d+", text)
    )


def _switched() -> Iterator[str]:
    """An option is tried by what its other values lead to."""
    tried = {option for option, _ in SCENARIOS}
    return (option.rule for option in valhal.OPTIONS if option.name in tried)


def _spelt_out(text: str) -> str:
    """VHAL-BAT-1 to -14 names fourteen rules, VHAL-CHG-1 and -2 two; numbers in braces all."""
    text = re.sub(r"\s+", " ", text).replace("VHAL-CHG-{change.which}", "VHAL-CHG-1 and -2")
    for prefix, first, last in re.findall(r"(VHAL-[A-Z]+-)(\d+) to -(\d+)", text):
        text += " ".join(f" {prefix}{number}" for number in range(int(first), int(last) + 1))
    for prefix, more in re.findall(r"(VHAL-[A-Z]+-)\d+((?:, -\d+)*(?: and -\d+))", text):
        text += " ".join(f" {prefix}{number}" for number in re.findall(r"\d+", more))
    return text


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_decided_somewhere(rule: str) -> None:
    assert rule in mentioned()


@pytest.mark.parametrize("rule", [each for each in RULES if each != "A-33"])  # the title's spelling
def test_a_rule_is_tested(rule: str) -> None:
    assert rule in named_by_tests(), f"no test that asserts names {rule}"


def test_no_rule_is_made_up() -> None:
    assert {each for each in mentioned() if each.startswith("VHAL")} <= set(RULES)


def test_every_open_question_is_named_where_it_is_decided() -> None:
    """Each by itself, in the code, not only within a range."""
    code = "\n".join(path.read_text() for path in Path(FOLDERS[0]).rglob("*.py"))
    missing = [f"A-{n}" for n in range(1, 39) if not re.search(rf"\bA-{n}\b", code)]
    assert missing == []
