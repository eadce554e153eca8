"""One spelling for lines that say the same: cards of a set may be told in any order."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from companion.core.catalog import game_named
from companion.foundation.errors import BadNotation
from companion.sim.players import bots_of

Told = Callable[[str], str]


def one_spelling(game: str) -> Told:
    """One spelling for lines that say the same."""
    rules, in_order = game_named(game), bots_of(game).in_order

    @cache
    def told(line: str) -> str:
        try:
            words = rules.format(rules.parse(line)).split()
        except BadNotation:
            return line
        return " ".join(in_order(words))

    return told
