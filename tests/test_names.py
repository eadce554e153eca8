"""One word, one meaning: no two public classes of the generic packages share a name."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "companion"
GAMES = PACKAGE / "games"
"""Each game has its own State, Action and so on: they never meet."""


def generic_modules() -> Iterator[Path]:
    for file in sorted(PACKAGE.rglob("*.py")):
        if not file.is_relative_to(GAMES):
            yield file


def public_classes(file: Path) -> Iterator[str]:
    """Also those inside classes and functions: whoever searches for the name finds them all."""
    for node in ast.walk(ast.parse(file.read_text(), str(file))):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def test_no_two_public_classes_have_one_name() -> None:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for file in generic_modules():
        for name in public_classes(file):
            found[name].append(str(file.relative_to(PACKAGE)))
    twice = {name: files for name, files in found.items() if len(files) > 1}
    assert twice == {}


def test_the_walk_sees_the_classes_there_are(tmp_path: Path) -> None:
    (tmp_path / "some.py").write_text(
        "class One: ...\nclass _Private: ...\ndef f():\n    class Inner: ...\n"
    )
    assert sorted(public_classes(tmp_path / "some.py")) == ["Inner", "One"]
    assert "Referee" in set(public_classes(PACKAGE / "ledger" / "referee.py"))
