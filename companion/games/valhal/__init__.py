"""Valhal: build up a settlement, raid the Mainland, win the favour of the gods."""

from __future__ import annotations

from companion.core.pack import GamePack, facet
from companion.games.valhal import rules

PACK = GamePack(
    rules=rules,
    words=facet("companion.games.valhal.words:WORDS"),
    package=__name__,
    layout=facet("companion.games.valhal.layout:LAYOUT"),
    reader=facet("companion.games.valhal.reading"),
    scan=facet("companion.games.valhal.scanning:SCANNER"),
    faces=facet("companion.games.valhal.faces:FACES"),
    bots=facet("companion.games.valhal.bots:BOTS"),
    sheet=facet("companion.games.valhal.owner_sheet:SHEET"),
    figures=facet("companion.games.valhal.figures:figures"),
    entries=facet("companion.games.valhal.bookkeeping:counts"),
    order=3,
)
