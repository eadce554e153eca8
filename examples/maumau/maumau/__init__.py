"""Mau-Mau: the first to have no cards left wins."""

from __future__ import annotations

from companion.core.pack import GamePack, facet
from maumau import rules

PACK = GamePack(
    rules=rules,
    words=facet("maumau.words:WORDS"),
    package=__name__,
    layout=facet("maumau.layout:LAYOUT"),
    reader=facet("maumau.reading"),
    bots=facet("maumau.bots:BOTS"),
)
