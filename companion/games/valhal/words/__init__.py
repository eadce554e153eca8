"""How Valhal is told: `naming` (things), `sentences`, `retelling` (actions), `questions` (about a
copy) and `rules` in words; and shown: `table`, with `settlement` and `voyage`, and for entry by
hand `choices`, `forms` and `answers`."""

from __future__ import annotations

from companion.games.valhal.rules import Action, State
from companion.games.valhal.words.entry.tour import tour
from companion.games.valhal.words.feats import CHAPTERS, FEAT_WORDS, feats
from companion.games.valhal.words.naming import piece
from companion.games.valhal.words.questions import question
from companion.games.valhal.words.retelling import retell, spoken
from companion.games.valhal.words.rules import (
    EDITION_WORDS,
    EXAMPLES,
    OPTION_WORDS,
    READINGS,
    RULES,
    VALUE_WORDS,
)
from companion.games.valhal.words.sentences import SENTENCES, notes, waiting
from companion.games.valhal.words.table import glance, own_seat, table
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
    spoken=spoken,
    zones={
        "attackers": N_("attackers"),
        "town": N_("town"),
        "reading": N_("cards to read"),
        "season": N_("season"),
        "food": N_("food"),
        "site": N_("site"),
        "altar": N_("sacrifice"),
        "favour": N_("favour"),
        "glory": N_("glory"),
        "enemy": N_("enemy"),
        "attack": N_("attack"),
        "front": N_("front line"),
        "mainland": N_("Mainland"),
        "units": N_("units"),
        "boats": N_("longboats"),
        "coins": N_("coins"),
        "settlement": N_("settlement"),
        "yggdrasil": N_("Yggdrasil"),
        "tableau": N_("battle tableau"),
    },
    choices={
        "attack": N_("Where do you sail?"),
        "front": N_("Who goes to the front line?"),
        "battle": N_("Do you fight on?"),
        "commission": N_("What do you commission, pay, feed or sacrifice?"),
    },
    leaves={"roll": N_("Roll the dice"), "done": N_("Done for this season")},
    sheet_question=question,
    sheet_tour=tour,
)
