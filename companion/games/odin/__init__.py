"""Odin: the first to have no cards left wins the hand."""

from __future__ import annotations

from companion.core.pack import GamePack, facet
from companion.games.odin import rules

PACK = GamePack(
    rules=rules,
    words=facet("companion.games.odin.words:WORDS"),
    package=__name__,
    layout=facet("companion.games.odin.layout:LAYOUT"),
    reader=facet("companion.games.odin.reading"),
    scan=facet("companion.games.odin.scanning:SCANNER"),
    faces=facet("companion.games.odin.faces:FACES"),
    bots=facet("companion.games.odin.bots:BOTS"),
    lesson=facet("companion.games.odin.lesson:LESSON"),
    figures=facet("companion.games.odin.figures:figures"),
    order=1,
)
