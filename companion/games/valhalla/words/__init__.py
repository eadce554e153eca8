"""How Valhalla is told and shown: `sentences` and `rules` in words, `table` as a page shows it,
`choices` for entry by hand."""

from __future__ import annotations

from companion.games.valhalla.rules import Action, State
from companion.games.valhalla.words.rules import (
    EDITION_WORDS,
    OPTION_WORDS,
    READINGS,
    RULES,
    VALUE_WORDS,
)
from companion.games.valhalla.words.sentences import SENTENCES, notes, piece, retell, waiting
from companion.games.valhalla.words.table import faces_named, shape_of, table
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
    shape=shape_of,
    zones={
        "deck": N_("deck"),
        "discard": N_("discard pile"),
        "reveal": N_("revealed cards"),
        "graveyard": N_("graveyard"),
        "armory": N_("armory"),
        "main": N_("Main"),
        "support": N_("Support"),
    },
    choices={
        "main": N_("Which card do you lay as your Main?"),
        "support": N_("Which card do you lay as your Support?"),
        "strategy": N_("Your turn: what do you do?"),
        "shuffle": N_("You look at the top of the deck. Do you shuffle it?"),
        "keep": N_("Which card do you keep?"),
        "lose": N_("Draugr! Which card do you lose?"),
        "spoils": N_("Which card of the armory do you take?"),
        "fetch": N_("Which card of your discard pile do you fetch?"),
        "return": N_("Which card of the armory goes back to the deck?"),
    },
)
