"""How Odin is told and shown: `sentences` in words, `table` as a page shows it."""

from __future__ import annotations

from companion.games.odin.words.sentences import (
    EDITION_WORDS,
    OPTION_WORDS,
    READINGS,
    RULES,
    SENTENCES,
    VALUE_WORDS,
    notes,
    piece,
    retell,
    waiting,
)
from companion.games.odin.words.table import table

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
