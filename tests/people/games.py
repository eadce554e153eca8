"""Whole games for statistics, of random but repeatable plays."""

from __future__ import annotations

from companion.bench.games import random_game
from companion.core.catalog import game_named
from companion.core.game import Setup
from companion.ledger.events import Did, Fact, Opened, Source
from companion.ledger.journal import Journal


def play(journal: Journal, names: tuple[str, ...], seed: int, at: str, **how: str) -> int:
    """One finished game; its number."""
    game = how.pop("game", "odin")
    changes = how or {"limit": "one_hand", "hand_size": "4"}
    setup = Setup(game, names, "en", tuple(changes.items()))
    rules = game_named(game)
    facts: list[Fact] = [Opened(setup, rules.VERSION)]
    facts += [Did(rules.format(action)) for _, action in random_game(setup, seed)]
    return journal.import_game([(fact, at, Source.RECORD) for fact in facts])[0].game
