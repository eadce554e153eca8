"""How Valhalla is told and shown: `sentences` and `rules` in words, `table` as a page shows it,
`choices` for entry by hand."""

from __future__ import annotations

from companion.views.valhalla.rules import (
    EDITION_WORDS,
    OPTION_WORDS,
    READINGS,
    RULES,
    VALUE_WORDS,
)
from companion.views.valhalla.sentences import SENTENCES, notes, piece, retell, waiting
from companion.views.valhalla.table import table

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
