"""`companion check odin` on every example of the rules, one record a group of them.

The comments in vectors/*.txt say what is expected: `B b3  # T2 refused ODIN-PLAY-1`, with the
sentence after a colon where it matters. An entry without such a comment is accepted, or stands if
it has a !. `# T25 next: C pass` is all that could come next there; `# standing:` is the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.commands.calling import Answer, companion

VECTORS = sorted((Path(__file__).parent / "vectors").glob("*.txt"))
WANTED = {f"T{number}" for number in (*range(1, 13), *range(20, 36))} | {"X3", "X4", "X6", "X9"}

_VERDICT = re.compile(
    r"#\s*(?:[TX][0-9]+\s+)?(accepted|refused|stands)((?:\s+[A-Z]+-[A-Z]+-[0-9]+)*)(?::\s(.+))?$"
)
_NEXT = re.compile(r"#\s*(?:[TX][0-9]+\s+)?next:\s(.+)$")
_STANDING = re.compile(r"#\s*(?:[TX][0-9]+\s+)?standing:\s(.+)$")


@dataclass(frozen=True, slots=True)
class Expected:
    line: int
    verdict: str
    rules: list[str] | None = None  # None: whatever was overruled
    sentence: str = ""


def expected(text: str) -> list[Expected]:
    """What the comments say of every entry."""
    found = []
    for number, line in enumerate(_entries(text), start=1):
        entry, hash_sign, comment = line.partition("#")
        if not entry.strip():
            continue
        said = _VERDICT.match(hash_sign + comment)
        if said is not None:
            found.append(Expected(number, said[1], said[2].split(), said[3] or ""))
        elif entry.startswith("!"):
            found.append(Expected(number, "stands"))
        else:
            found.append(Expected(number, "accepted", []))
    return found


def _entries(text: str) -> list[str]:
    """The lines of a record, those before the first entry emptied so that numbers stay."""
    lines = text.splitlines()
    first = next(n for n, line in enumerate(lines) if re.match(r"deal|carry", line))
    return [""] * first + lines[first:]


@pytest.mark.parametrize("file", VECTORS, ids=lambda file: file.stem)
def test_check_reproduces(file: Path) -> None:
    text = file.read_text()
    answer = companion("check", "odin", str(file), "--json")
    *judged, standing = answer.objects
    wanted = expected(text)
    assert [each["line"] for each in judged] == [each.line for each in wanted]
    for found, want in zip(judged, wanted, strict=True):
        assert found["verdict"] == want.verdict, found
        assert want.rules in (None, found["reasons"]), found
        assert want.sentence in ("", *found["sentences"]), found
    assert answer.code == (1 if any(each.verdict == "refused" for each in wanted) else 0)
    for want_standing in filter(None, map(_STANDING.match, text.splitlines())):
        assert _told(standing) == want_standing[1]


def _told(standing: dict[str, object]) -> str:
    seats = standing["standing"]
    assert isinstance(seats, list)
    points = ", ".join(f"{each['seat']} {each['points']}" for each in seats)
    winners = standing["winners"]
    assert isinstance(winners, list)
    return f"{points}; won by {' and '.join(winners)}" if standing["over"] else points


@pytest.mark.parametrize("file", VECTORS, ids=lambda file: file.stem)
def test_legal_lists_all_that_could_come_next(file: Path) -> None:
    lines = file.read_text().splitlines()
    for number, line in enumerate(lines):
        wanted = _NEXT.match(line)
        if wanted is not None:
            before = [each for each in lines[:number] if " refused " not in each]
            assert _next(before) == sorted(wanted[1].split(", ")), line


def _next(lines: list[str]) -> list[str]:
    answer: Answer = companion("legal", "odin", "-", "--json", stdin="\n".join(lines))
    (found,) = answer.objects
    assert found["count"] == len(found["actions"])
    return sorted(found["actions"])


def test_every_vector_is_there() -> None:
    tags = re.compile(r"#\s*([TX][0-9]+)\s+(?:accepted|refused|stands|next:|standing:)")
    named = {tag for file in VECTORS for tag in tags.findall(file.read_text())}
    assert WANTED - named == set()
