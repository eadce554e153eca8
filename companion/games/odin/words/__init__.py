"""How Odin is told and shown: `sentences` in words, `table` as a page shows it."""

from __future__ import annotations

from companion.games.odin.rules import Action, State
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
from companion.games.odin.words.table import faces_named, table
from companion.views.speech import N_
from companion.views.words import Words

WORDS: Words[State, Action] = Words(
    sentences=SENTENCES,
    rules=RULES,
    editions=EDITION_WORDS,
    options=OPTION_WORDS,
    values=VALUE_WORDS,
    readings=READINGS,
    piece=piece,
    retell=retell,
    waiting=waiting,
    notes=notes,
    table=table,
    hand=faces_named,
    zones={
        "middle-1": N_("middle, far lane"),
        "middle-2": N_("middle, near lane"),
        "deck": N_("deck"),
        "discard": N_("discard pile"),
    },
    choices={"lay": N_("Your turn."), "take": N_("Which card do you take up?")},
    leaves={"pass": N_("Press pass")},
)
