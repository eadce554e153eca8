"""How one publisher prints playing cards: every choice that is made once for a whole deck.

Lengths are in millimetres. `houses.py` makes such choices at random.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.sim.faces.canvas import Colour
from companion.sim.faces.playing.outlines import Rings
from companion.sim.faces.playing.suits import usual

RANKS = "A23456789TJQK"
SUITS = "SHDC"
LABELS = tuple(rank + suit for suit in SUITS for rank in RANKS)
ENGLISH = {"A": "A", "T": "10", "J": "J", "Q": "Q", "K": "K"}


@dataclass(frozen=True, slots=True)
class Lettering:
    """What indices are written with: a typeface, or strokes of our own if it is None."""

    typeface: str | None = None
    weight: float = 0.17
    """Of the strokes, as a share of their height."""
    stretch: float = 0.85
    """How wide letters are, compared with the usual."""
    feet: bool = True
    """Strokes have serifs."""


@dataclass(frozen=True, slots=True)
class IndexStyle:
    """Rank and suit in the corners."""

    letters: dict[str, str] = field(default_factory=lambda: dict(ENGLISH))
    """What is written for ranks that are not written as themselves."""
    pen: Lettering = field(default_factory=Lettering)
    height: float = 9.0
    x: float = 6.2
    """From the card's edge to the middle of the letter."""
    y: float = 4.5
    """From the card's edge to the top of the letter."""
    sign: float = 6.5
    """The suit's sign beside the rank; 0: there is none."""
    sign_at: str = "below"
    """Or "above", or "beside"."""
    corners: str = "two"
    """Or "four", or "one"."""
    boxed: Colour | None = None
    """The colour of a box behind each index."""


@dataclass(frozen=True, slots=True)
class PipStyle:
    size: float = 13.0
    wide: float = 1.0
    """How wide pips are, compared with their outlines."""
    column: float = 13.0
    """From the middle of the card to the outer columns of pips."""
    row: float = 28.0
    """From the middle of the card to the outer rows of pips."""
    outlines: tuple[Rings, Rings, Rings, Rings] = field(default_factory=usual)
    """Of spades, hearts, diamonds and clubs."""
    finish: str = "plain"
    """How they are printed: see suits.FINISHES."""
    layout: dict[str, int] = field(default_factory=dict)
    """Which arrangement each rank has; the usual one is 0."""
    all_up: bool = False
    """No pip stands upside down."""
    sideways: bool = False
    """Pips lie on their sides."""
    middle: str = "pips"
    """What a pip card shows: "pips", one large "sign", a large "numeral", or "nothing"."""


@dataclass(frozen=True, slots=True)
class Edge:
    """What runs along the edge of the card."""

    kind: str = "none"
    """Or "border", "line" or "double"."""
    wide: float = 3.0
    colour: Colour = (30, 30, 30)
    inner: float = 2.0
    """The radius of its inner corners."""


@dataclass(frozen=True, slots=True)
class Printing:
    """How one publisher prints the cards."""

    house: str = "own"
    """Whose manner of drawing courts and ornaments it is: see courts.py."""
    width: float = 63.0
    height: float = 88.0
    corner: float = 3.0
    scale: float = 1.0
    """How large it is printed: small decks are the same, but smaller."""
    paper: Colour = (250, 249, 245)
    inks: tuple[Colour, Colour, Colour, Colour] = (
        (22, 20, 22),
        (200, 22, 38),
        (200, 22, 38),
        (22, 20, 22),
    )
    """Of spades, hearts, diamonds and clubs."""
    index: IndexStyle = field(default_factory=IndexStyle)
    pips: PipStyle = field(default_factory=PipStyle)
    edge: Edge = field(default_factory=Edge)
    big_ace: float = 1.0
    """How much larger the pip of an ace is."""
    ornate: tuple[bool, bool] = (False, False)
    """Whether the ace of spades is ornate, and the other aces."""
    framed: bool = True
    """Court cards have a frame."""
    wash: float = 0.0
    """How strongly a picture shines through the whole card; 0: there is none."""
    seed: int = 0
    """Of everything drawn at random on court cards, aces, joker and back."""

    def ink(self, suit: str) -> Colour:
        return self.inks[SUITS.index(suit)]
