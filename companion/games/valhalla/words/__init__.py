"""How Valhalla is told and shown: `sentences` and `rules` in words, `table` as a page shows it,
`choices` for entry by hand."""

from __future__ import annotations

from companion.games.valhalla.rules import Action, State
from companion.games.valhalla.words.feats import CHAPTERS, FEAT_WORDS, feats
from companion.games.valhalla.words.rules import (
    EDITION_WORDS,
    EXAMPLES,
    OPTION_WORDS,
    READINGS,
    RULES,
    VALUE_WORDS,
)
from companion.games.valhalla.words.sentences import (
    SENTENCES,
    notes,
    piece,
    retell,
    spoken,
    waiting,
)
from companion.games.valhalla.words.table import (
    all_cards,
    cards_of,
    faces_named,
    glance,
    highlight,
    own_seat,
    shape_of,
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
    highlights={"draugr": N_("a Draugr")},
    highlight=highlight,
    hand=faces_named,
    cards=cards_of,
    spoken=spoken,
    deck=all_cards,
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
