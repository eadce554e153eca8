"""Valhalla: the last one left wins."""

from __future__ import annotations

from companion.core.pack import GamePack, facet
from companion.games.valhalla import rules

PACK = GamePack(
    rules=rules,
    words=facet("companion.games.valhalla.words:WORDS"),
    package=__name__,
    layout=facet("companion.games.valhalla.layout:LAYOUT"),
    reader=facet("companion.games.valhalla.reading"),
    faces=facet("companion.games.valhalla.faces:FACES"),
    bots=facet("companion.games.valhalla.bots:BOTS"),
    figures=facet("companion.games.valhalla.figures:figures"),
    order=2,
)
