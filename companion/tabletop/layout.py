"""How the pieces of a game lie on a table, as far as the eyes and the page must know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from companion.core.catalog import pack_named, packs
from companion.tabletop.zones import Outline

PLAYING_CARDS = "playing-cards"
"""The built-in deck of ordinary playing cards, for any game that is played with them."""


@dataclass(frozen=True, slots=True)
class LyingRules:
    """What the eyes may take for granted about cards of one game. The usual game has every card
    once, and its cards are laid over each other as people like."""

    copies: bool = False
    """There are cards that look alike; else every face but the back is there once."""
    side_by_side: bool = False
    """Every card has a place of its own: none is laid half over another."""
    paid_on_backs: bool = False
    """Projects lie back up, with what pays for them on top."""


@dataclass(frozen=True, slots=True)
class BoardTemplate:
    """One kind of board that people may have of a game, with places as they usually lie on it. An
    owner enrols a real one by its picture, and only nudges the places."""

    name: str
    """As the game's words for zones call it."""
    size_mm: tuple[float, float]
    places: Mapping[str, Outline]
    """On a board of that size, for whoever sits before it; a place of one seat on a board of
    everybody begins with its letter and a dot, as zones do."""
    of_seat: bool = False
    """Every seat has one of its own; else it is everybody's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    zones: Mapping[str, Outline]
    """Where things lie on the mat, by name; a seat's own zones begin with its letter and a dot."""
    deck: str
    """The deck it is usually played with."""
    deck_of: Callable[[Any], str | None] = lambda _state: None
    """Another deck that a game set up like this state is played with."""
    word_of: Callable[[str | int], str] = str
    """The game's word for a card, from the label its deck has for it."""
    features: Callable[[str], tuple[str, ...]] = lambda word: (word,)
    """The parts of a card's word that a camera may misread one by one, such as colour and number.
    What people put right of one card is doubted of all that share the part."""
    lying: LyingRules = LyingRules()
    boards: tuple[BoardTemplate, ...] = ()
    """The boards that come with the game; if none, they have the places of the mat."""
    named_by_owner: bool = False
    """Some cards of its deck are called as the owner's sheet calls them."""


def layout_of(game: str) -> Layout | None:
    """None: that game is played by hand."""
    layout = pack_named(game).layout
    return None if layout is None else layout()


def layouts() -> dict[str, Layout]:
    """Of every game that has one."""
    return {name: pack.layout() for name, pack in packs().items() if pack.layout is not None}


@cache
def games_with_boards() -> frozenset[str]:
    """Those that come with boards which their owners can enrol."""
    return frozenset(game for game, layout in layouts().items() if layout.boards)


def zones_by_game() -> dict[str, Mapping[str, Outline]]:
    """Where the mat of each game has its zones."""
    return {game: layout.zones for game, layout in layouts().items()}


def lying_of(deck: str) -> LyingRules:
    """How the cards of that deck lie in the game it belongs to."""
    mine = (layout.lying for layout in layouts().values() if layout.deck == deck)
    return next(mine, LyingRules())


def features_of(game: str) -> Callable[[str], tuple[str, ...]]:
    """How the words of that game's cards come apart."""
    layout = layout_of(game)
    return (lambda word: (word,)) if layout is None else layout.features
