"""How Odin is told and shown: `sentences` in words, `table` as a page shows it."""

from __future__ import annotations

from companion.games.odin.rules import Action, State
from companion.games.odin.words.feats import CHAPTERS, FEAT_WORDS, feats
from companion.games.odin.words.sentences import (
    EDITION_WORDS,
    EXAMPLES,
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
from companion.games.odin.words.spoken import spoken
from companion.games.odin.words.table import (
    all_cards,
    cards_of,
    faces_named,
    glance,
    own_seat,
    table,
)
from companion.views.speech import N_
from companion.views.words import Words

WORDS: Words[State, Action] = Words(
    sentences=SENTENCES,
    rules=RULES,
    chapters=CHAPTERS,
    editions=EDITION_WORDS,
    options=OPTION_WORDS,
    values=VALUE_WORDS,
    readings=READINGS,
    examples=EXAMPLES,
    piece=piece,
    retell=retell,
    waiting=waiting,
    notes=notes,
    table=table,
    feat_words=FEAT_WORDS,
    feats=feats,
    glance=glance,
    own_seat=own_seat,
    hand=faces_named,
    cards=cards_of,
    spoken=spoken,
    deck=all_cards,
    zones={
        "middle-1": N_("middle, far lane"),
        "middle-2": N_("middle, near lane"),
        "deck": N_("deck"),
        "discard": N_("discard pile"),
    },
    choices={"lay": N_("Your turn."), "take": N_("Which card do you take up?")},
    leaves={"pass": N_("Press pass")},
)
