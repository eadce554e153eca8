"""Generic rooms know no game by name: a game is a folder under `companion/games`, or a package of
its own, and whatever else needs it asks the catalogue."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.catalog import packs

ROOT = Path(__file__).parents[1]
ROOMS = sorted(
    path
    for path in (ROOT / "companion").rglob("*.py")
    if path.relative_to(ROOT).parts[1] != "games"
)
GAMES = (*packs(), "maumau")  # the last is a package of its own, in examples/
NAMED = re.compile(rf"(?<![a-z])({'|'.join(GAMES)})(?![a-z])", re.IGNORECASE)


def words(tree: ast.AST) -> Iterator[str]:
    """Every name and every text of a module, docstrings included."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)):
                yield text
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.ImportFrom(module=module, names=names):
                yield from (module or "", *(each.name for each in names))
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case _:
                pass


def named(source: str) -> set[str]:
    spelt = (text.replace("_", " ") for text in words(ast.parse(source)))
    return {text for text in spelt if NAMED.search(text)}


@pytest.mark.parametrize("path", ROOMS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_generic_module_names_no_game(path: Path) -> None:
    assert named(path.read_text()) == set()


@pytest.mark.parametrize(
    "source",
    [
        "from companion.games.odin import rules",
        "import companion.games.valhal.rules",
        "DECKS = {'valhalla': 1}",
        "def odin_word(): ...",
        "class Odin_State: ...",
        '"""As in Valhal."""',
        "state.valhal",
    ],
)
def test_the_walk_finds_a_name_wherever_it_stands(source: str) -> None:
    assert named(source)


def test_words_that_only_contain_a_name_are_left_alone() -> None:
    assert not named("text.encode(encoding='utf-8')")
