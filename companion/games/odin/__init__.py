"""Odin: the first to have no cards left wins the hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.pack import GamePack
from companion.games.odin import rules

if TYPE_CHECKING:
    from companion.bench.figure import Figures
    from companion.deciding.reader import Reader
    from companion.games.odin.rules import Action, State
    from companion.sim.faces import Faces
    from companion.sim.players import Bots
    from companion.tabletop.layout import Layout
    from companion.views.words import Words


def _words() -> Words[State, Action]:
    from companion.games.odin.words import WORDS

    return WORDS


def _layout() -> Layout:
    from companion.games.odin.layout import LAYOUT

    return LAYOUT


def _reader() -> Reader[State]:
    from companion.games.odin import reading

    return reading


def _faces() -> Faces:
    from companion.games.odin.faces import FACES

    return FACES


def _bots() -> Bots:
    from companion.games.odin.bots import BOTS

    return BOTS


def _figures() -> Figures:
    from companion.games.odin.figures import figures

    return figures


PACK = GamePack(
    rules=rules,
    words=_words,
    package=__name__,
    layout=_layout,
    reader=_reader,
    faces=_faces,
    bots=_bots,
    figures=_figures,
    order=1,
)
