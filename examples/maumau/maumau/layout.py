"""How a table of Mau-Mau lies: ordinary cards, the deck beside the pile."""

from __future__ import annotations

from companion.tabletop.layout import PLAYING_CARDS, Layout
from companion.tabletop.zones import box

ZONES = {"deck": box(150, 140, 110, 140), "pile": box(330, 140, 110, 140)}
LAYOUT = Layout(zones=ZONES, deck=PLAYING_CARDS)
