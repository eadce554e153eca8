"""`companion check` on every example of the rules, one record a group of them.

The comments in vectors/<game>/*.txt say what is expected: `B b3  # T2 refused ODIN-PLAY-1`, with
sentences after a colon where they matter, ` / ` between them: why it was refused, or what followed
by itself in this order. An entry without such a comment is accepted, or stands if it has a !.
`# T25 next: C pass` is all that could come next there; `# standing:` is the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.core.catalog import game_named
from tests.cli.calling import Answer, companion

VECTORS = sorted((Path(__file__).parent / "vectors").glob("*/*.txt"))
WANTED = {
    "odin": (
        *(f"T{number}" for number in (*range(1, 13), *range(20, 36))),
        *("X3", "X4", "X6", "X9"),
    ),
    "valhal": (
        *("B1", "B2", "B3", "B3.1", "B3.2", "B3.3", "B3.4a", "B3.4b", "B3.5", "B4"),
        *("F1", "F2", "F3", "F4", "F5", "C1", "C2", "C3", "C4", "C5"),
        *("Y1", "Y2", "Y3", "P1", "P2", "M1", "M2"),
    ),
}

_TAG = r"[A-Z][0-9]+(?:\.[0-9]+[a-z]?)?"
_VERDICT = re.compile(
    rf"#\s*(?:{_TAG}\s+)?(accepted|refused|stands)((?:\s+[A-Z]+-[A-Z]+-[A-Z0-9]+)*)(?::\s(.+))?$"
)
_NEXT = re.compile(rf"#\s*(?:{_TAG}\s+)?next:\s(.+)$")
_STANDING = re.compile(rf"#\s*(?:{_TAG}\s+)?standing:\s(.+)$")
_HEADER = re.compile(r"\s*(?:#|$|[a-z]+ [0-9]+\s*(?:#|$)|[A-Za-z_]+\s*:)")

by_name = pytest.mark.parametrize(
    "file", VECTORS, ids=lambda file: f"{file.parent.name}-{file.stem}"
)


@dataclass(frozen=True, slots=True)
class Expected:
    line: int
    verdict: str
    rules: list[str] | None = None  # None: whatever was overruled
    sentences: tuple[str, ...] = ()


def expected(text: str) -> list[Expected]:
    """What the comments say of every entry."""
    found = []
    for number, line in enumerate(_entries(text), start=1):
        entry, hash_sign, comment = line.partition("#")
        if not entry.strip():
            continue
        said = _VERDICT.match(hash_sign + comment)
        if said is not None:
            rules = said[2].split() or (None if said[1] == "stands" else [])
            sentences = tuple(said[3].split(" / ")) if said[3] else ()
            found.append(Expected(number, said[1], rules, sentences))
        elif entry.startswith("!"):
            found.append(Expected(number, "stands"))
        else:
            found.append(Expected(number, "accepted", []))
    return found


def _entries(text: str) -> list[str]:
    """The lines of a record, those before the first entry emptied so that numbers stay."""
    lines = text.splitlines()
    first = next(n for n, line in enumerate(lines) if not _HEADER.match(line))
    return [""] * first + lines[first:]


@by_name
def test_check_reproduces(file: Path) -> None:
    text = file.read_text()
    answer = companion("check", file.parent.name, str(file), "--json")
    *judged, standing = answer.objects
    wanted = expected(text)
    assert [each["line"] for each in judged] == [each.line for each in wanted]
    for found, want in zip(judged, wanted, strict=True):
        assert found["verdict"] == want.verdict, found
        assert want.rules in (None, found["reasons"]), found
        told = [*found["sentences"], *found["follows"]]
        assert [each for each in told if each in want.sentences] == list(want.sentences), found
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


@by_name
def test_the_examples_are_judged_by_the_latest_rules(file: Path) -> None:
    game = file.parent.name
    titles = [line for line in file.read_text().splitlines() if line.startswith(f"{game} ")]
    assert titles == [f"{game} {game_named(game).VERSION}"]


@by_name
def test_legal_lists_all_that_could_come_next(file: Path) -> None:
    lines = file.read_text().splitlines()
    for number, line in enumerate(lines):
        wanted = _NEXT.match(line)
        if wanted is not None:
            before = [each for each in lines[:number] if " refused " not in each]
            assert _next(file.parent.name, before) == sorted(wanted[1].split(", ")), line


def _next(game: str, lines: list[str]) -> list[str]:
    answer: Answer = companion("legal", game, "-", "--json", stdin="\n".join(lines))
    (found,) = answer.objects
    assert found["count"] == len(found["actions"])
    return sorted(found["actions"])


@pytest.mark.parametrize("game", WANTED)
def test_every_vector_is_there(game: str) -> None:
    tags = re.compile(rf"#\s*({_TAG})\s+(?:accepted|refused|stands|next:|standing:)")
    texts = [file.read_text() for file in VECTORS if file.parent.name == game]
    assert set(WANTED[game]) <= {tag for text in texts for tag in tags.findall(text)}
