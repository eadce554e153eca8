"""Valhal: build up a settlement, raid the Mainland, win the favour of the gods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.pack import GamePack
from companion.games.valhal import rules

if TYPE_CHECKING:
    from companion.bench.figure import Figures
    from companion.deciding.reader import Reader
    from companion.games.valhal.rules import Action, State
    from companion.games.valhal.rules.sheet.sheet import Sheet
    from companion.ledger.sheets import SheetRules
    from companion.sim.faces import Faces
    from companion.sim.players import Bots
    from companion.tabletop.layout import Layout
    from companion.views.words import Words


def _words() -> Words[State, Action]:
    from companion.games.valhal.words import WORDS

    return WORDS


def _layout() -> Layout:
    from companion.games.valhal.layout import LAYOUT

    return LAYOUT


def _reader() -> Reader[State]:
    from companion.games.valhal import reading

    return reading


def _faces() -> Faces:
    from companion.games.valhal.faces import FACES

    return FACES


def _bots() -> Bots:
    from companion.games.valhal.bots import BOTS

    return BOTS


def _sheet() -> SheetRules[Sheet]:
    from companion.games.valhal.owner_sheet import SHEET

    return SHEET


def _figures() -> Figures:
    from companion.games.valhal.figures import figures

    return figures


PACK = GamePack(
    rules=rules,
    words=_words,
    package=__name__,
    layout=_layout,
    reader=_reader,
    faces=_faces,
    bots=_bots,
    sheet=_sheet,
    figures=_figures,
    order=3,
)
