"""How Odin is told and shown: `sentences` in words, `table` as a page shows it."""

from __future__ import annotations

from companion.views.odin.sentences import (
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
from companion.views.odin.table import table

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
