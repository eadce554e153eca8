"""How Valhal is told: `naming` (things), `sentences`, `retelling` (actions), `questions` (about a
copy) and `rules` in words; and shown: `table`, with `settlement` and `voyage`, and for entry by
hand `choices`, `forms` and `answers`."""

from __future__ import annotations

from companion.games.valhal.words.naming import piece
from companion.games.valhal.words.retelling import retell
from companion.games.valhal.words.rules import (
    EDITION_WORDS,
    OPTION_WORDS,
    READINGS,
    RULES,
    VALUE_WORDS,
)
from companion.games.valhal.words.sentences import SENTENCES, notes, waiting
from companion.games.valhal.words.table import table

__all__ = [
    "EDITION_WORDS",
    "OPTION_WORDS",
    "READINGS",
    "RULES",
    "SENTENCES",
    "VALUE_WORDS",
    "notes",
    "piece",
    "retell",
    "table",
    "waiting",
]
