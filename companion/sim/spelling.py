"""One spelling for lines that say the same: cards of a set may be told in any order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from companion.core.catalog import game_named
from companion.foundation.errors import BadNotation

Told = Callable[[str], str]


def one_spelling(game: str) -> Told:
    """One spelling for lines that say the same."""
    rules = game_named(game)

    @cache
    def told(line: str) -> str:
        try:
            words = rules.format(rules.parse(line)).split()
        except BadNotation:
            return line
        return " ".join(_IN_ORDER[game](words) if game in _IN_ORDER else words)

    return told


def _set(words: list[str]) -> list[str]:
    """Cards of a set lie in any order."""
    return [words[0], *sorted(words[1:])]


def _together(words: list[str]) -> list[str]:
    """So do cards shown together, and dice."""
    if words[1:2] and words[1] in ("draws", "stands", "rolls"):
        end = words.index("keeps") if "keeps" in words else len(words)
        return [*words[:2], *sorted(words[2:end]), *words[end:]]
    return words


_IN_ORDER: Mapping[str, Callable[[list[str]], list[str]]] = MappingProxyType(
    {"odin": _set, "valhalla": _together, "valhal": _together}
)
"""The words of a line in one order, in games where some may be said in any."""
