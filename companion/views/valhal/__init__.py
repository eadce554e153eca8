"""How Valhal is told: `naming` (things), `sentences`, `retelling` (actions), `questions` (about a
copy) and `rules` in words; and shown: `table`, with `settlement` and `voyage`, and for entry by
hand `choices`, `forms` and `answers`."""

from __future__ import annotations

from companion.views.valhal.naming import piece
from companion.views.valhal.retelling import retell
from companion.views.valhal.rules import (
    EDITION_WORDS,
    OPTION_WORDS,
    READINGS,
    RULES,
    VALUE_WORDS,
)
from companion.views.valhal.sentences import SENTENCES, notes, waiting
from companion.views.valhal.table import table

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
