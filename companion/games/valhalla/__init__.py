"""Valhalla: the last one left wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.pack import GamePack
from companion.games.valhalla import rules

if TYPE_CHECKING:
    from companion.bench.figure import Figures
    from companion.deciding.reader import Reader
    from companion.games.valhalla.rules import Action, State
    from companion.sim.faces import Faces
    from companion.sim.players import Bots
    from companion.tabletop.layout import Layout
    from companion.views.words import Words


def _words() -> Words[State, Action]:
    from companion.games.valhalla.words import WORDS

    return WORDS


def _layout() -> Layout:
    from companion.games.valhalla.layout import LAYOUT

    return LAYOUT


def _reader() -> Reader[State]:
    from companion.games.valhalla import reading

    return reading


def _faces() -> Faces:
    from companion.games.valhalla.faces import FACES

    return FACES


def _bots() -> Bots:
    from companion.games.valhalla.bots import BOTS

    return BOTS


def _figures() -> Figures:
    from companion.games.valhalla.figures import figures

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
    order=2,
)
