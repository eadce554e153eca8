"""What the catalogue finds, by the game's name, for tests that look at every game."""

from __future__ import annotations

from companion.core.catalog import packs
from companion.sim.faces import drawn_decks
from companion.sim.players import played_games
from companion.tabletop.layout import zones_by_game

GAMES = {name: pack.rules for name, pack in packs().items()}
WORDS = {name: pack.words() for name, pack in packs().items()}
ZONES = zones_by_game()
DECKS = {name: faces.faces for name, faces in drawn_decks().items()}
PLAYED = played_games()
