"""Mau-Mau: the first to have no cards left wins."""

from __future__ import annotations

from importlib import import_module

from companion.core.pack import GamePack
from maumau import reading, rules

PACK = GamePack(
    rules=rules,
    words=lambda: import_module("maumau.words").WORDS,
    package=__name__,
    layout=lambda: import_module("maumau.layout").LAYOUT,
    reader=lambda: reading,
    bots=lambda: import_module("maumau.bots").BOTS,
)
