"""A game in one object: its rules, and the facets that make it told, watched, drawn and played.

A package offers its game as an entry point of the group `companion.games`:

    [project.entry-points."companion.games"]
    mygame = "mygame:PACK"

Rules and words are required. Every other facet may be missing, and the game does without what it
gives: a game without a layout and a reader is played by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from companion.core.game import Game

if TYPE_CHECKING:  # the types of the facets belong to the rooms that use them
    from companion.bench.entries import EntryCounts
    from companion.bench.figure import Figures
    from companion.deciding.reader import Reader
    from companion.ledger.sheets import SheetRules
    from companion.scanning.scanner import Scanner
    from companion.sim.faces import Faces
    from companion.sim.players import Bots
    from companion.tabletop.layout import Layout
    from companion.views.lessons import LessonPlan
    from companion.views.words import Words

T = TypeVar("T")

Facet: TypeAlias = Callable[[], T]
"""Imports a part of a game when it is called. Playing by hand must not load OpenCV."""


def facet(where: str) -> Facet[Any]:
    """The object at `package.module:name`, or the module at `package.module`, imported when the
    facet is called."""
    module, _, name = where.partition(":")

    def load() -> Any:
        found = import_module(module)
        return getattr(found, name) if name else found

    return load


@dataclass(frozen=True, slots=True)
class GamePack:
    rules: Game[Any, Any]
    """Start, judge, actions, standing, notation. Pure."""
    words: Facet[Words[Any, Any]]
    """Sentences, rule texts, and what the table view shows."""
    package: str
    """The Python package whose folders `templates`, and if there are any `static` and
    `translations`, belong to the page. `templates/table.html` draws the table."""
    layout: Facet[Layout] | None = None
    """Decks, zones and how pieces lie."""
    reader: Facet[Reader[Any]] | None = None
    """What a table means. With a layout it makes the game watchable."""
    faces: Facet[Faces] | None = None
    """Drawn pieces and mat: for printing, the simulated table and training."""
    bots: Facet[Bots] | None = None
    """Players of the simulated table: for the demo and for trials."""
    lesson: Facet[LessonPlan[Any]] | None = None
    """What a newcomer is told, and when, in a first game against the bots."""
    scan: Facet[Scanner[Any]] | None = None
    """What single pictures mean that somebody takes with a phone."""
    sheet: Facet[SheetRules[Any]] | None = None
    """What is printed on the owner's copy and asked once."""
    figures: Facet[Figures] | None = None
    """What `companion bench` measures of it."""
    entries: Facet[EntryCounts] | None = None
    """How many entries a busy table makes by hand, beside what is aimed at."""
    order: int = 100
    """Where it stands among the games on the page, lowest first."""

    @property
    def name(self) -> str:
        return self.rules.NAME

    @property
    def watchable(self) -> bool:
        return self.layout is not None and self.reader is not None
