"""Drawn faces of cards, tiles and tokens: one drawing that prints and renders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from companion.core.catalog import pack_named, packs
from companion.sim.faces.canvas import Face, raster
from companion.sim.faces.mat_art import MatArt

__all__ = ["BoxPart", "Face", "Faces", "drawn_decks", "faces_of", "raster"]


@dataclass(frozen=True, slots=True)
class BoxPart:
    """A card, tile or token and how many of it are in the box."""

    front: Face
    back: Face | None
    copies: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Faces:
    """The drawings a game brings: they are printed, rendered and learnt from."""

    deck: str
    """The name of the deck these faces make."""
    faces: Callable[[], tuple[Face, ...]]
    """Every face once."""
    box: Callable[[], tuple[BoxPart, ...]] | None = None
    """What a box of it holds; None: one of each face."""
    version: int = 1
    """Of the printed cards. Raise it with any change that makes cards printed before wrong."""
    mat: MatArt = field(default_factory=MatArt)


def faces_of(game: str) -> Faces | None:
    faces = pack_named(game).faces
    return None if faces is None else faces()


def drawn_decks() -> dict[str, Faces]:
    """The drawings of every deck by its name, in the order of the games."""
    found = (pack.faces() for pack in packs().values() if pack.faces is not None)
    return {faces.deck: faces for faces in found}
