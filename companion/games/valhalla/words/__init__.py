"""How Valhalla is told and shown: `sentences` and `rules` in words, `table` as a page shows it,
`choices` for entry by hand."""

from __future__ import annotations

from companion.games.valhalla.words.rules import (
    EDITION_WORDS,
    OPTION_WORDS,
    READINGS,
    RULES,
    VALUE_WORDS,
)
from companion.games.valhalla.words.sentences import SENTENCES, notes, piece, retell, waiting
from companion.games.valhalla.words.table import table

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
