"""Games are found by their entry points; a package that is broken harms no other game."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints

import pytest

from companion.core import catalog
from companion.core.catalog import GROUP, broken_games, game_named, pack_named, packs
from companion.core.pack import GamePack
from companion.foundation.errors import NoSuchGame
from companion.games.odin import PACK as ODIN
from companion.games.odin import rules as odin


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    """What packages offer; the catalogue looks at it again in this test alone."""
    found: list[EntryPoint] = []

    def entry_points(*, group: str) -> EntryPoints:
        return EntryPoints(found).select(group=group)

    monkeypatch.setattr(catalog, "entry_points", entry_points)
    catalog._found.cache_clear()
    yield found
    catalog._found.cache_clear()


def offering(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, GROUP)


def test_the_games_that_come_along_stand_in_the_order_of_the_page() -> None:
    assert list(packs()) == ["odin", "valhalla", "valhal"]
    assert broken_games() == ()


def test_a_game_is_known_by_the_name_of_its_rules(offered: list[EntryPoint]) -> None:
    offered.append(offering("whatever", "companion.games.odin:PACK"))
    assert dict(packs()) == {"odin": ODIN}
    assert game_named("odin") is odin


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("companion.games.nowhere:PACK", "ModuleNotFoundError"),
        ("companion.games.odin:NOTHING", "AttributeError"),
        ("companion.games.odin:rules", "companion.games.odin:rules is no GamePack"),
        ("companion.games.odin:PACK", "another package has a game called odin"),
    ],
)
def test_a_broken_package_is_named_and_left_out(
    offered: list[EntryPoint], value: str, why: str
) -> None:
    offered += [offering("good", "companion.games.odin:PACK"), offering("stranger", value)]
    assert list(packs()) == ["odin"]
    assert [each.name for each in broken_games()] == ["stranger"]
    assert why in broken_games()[0].why


def test_an_unknown_game_is_told_with_those_that_are_known() -> None:
    with pytest.raises(NoSuchGame, match="no game is called 'chess'; known: odin, valhalla"):
        pack_named("chess")


def test_rules_and_words_alone_make_a_game_that_is_played_by_hand() -> None:
    plain = GamePack(rules=odin, words=ODIN.words, package=ODIN.package)
    assert plain.name == "odin"
    assert not plain.watchable
    assert ODIN.watchable
