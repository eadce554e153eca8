"""What people get to see. `view_of` turns a moment into a `PublicView` in the reader's language;
the page shows that and nothing else. Lamps need no words: they follow from the moment."""

from __future__ import annotations

from companion.views.lamps import Lamp, lamps_for
from companion.views.public import (
    HistoryEntry,
    PublicView,
    RefusalView,
    Rule,
    explain,
    follows,
    rule_as_read,
    rule_text,
    rules_of,
    speech_for,
    tell,
    view_of,
)

__all__ = [
    "HistoryEntry",
    "Lamp",
    "PublicView",
    "RefusalView",
    "Rule",
    "explain",
    "follows",
    "lamps_for",
    "rule_as_read",
    "rule_text",
    "rules_of",
    "speech_for",
    "tell",
    "view_of",
]
