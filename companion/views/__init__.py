"""What people get to see: `view_of` a moment, in the reader's language. The page, the lamps, the
voice and the broker all show this and nothing else."""

from __future__ import annotations

from companion.views.lamps import Lamp, lamps_for
from companion.views.public import (
    PublicView,
    Refusing,
    Rule,
    Told,
    explain,
    follows,
    rule_as_read,
    rules_of,
    speech_for,
    tell,
    view_of,
)

__all__ = [
    "Lamp",
    "PublicView",
    "Refusing",
    "Rule",
    "Told",
    "explain",
    "follows",
    "lamps_for",
    "rule_as_read",
    "rules_of",
    "speech_for",
    "tell",
    "view_of",
]
