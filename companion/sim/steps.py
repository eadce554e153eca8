"""What happens at a simulated table, one reach of a hand at a time, and the lines a referee who
misses nothing would write down for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

import numpy as np

from companion.core.game import Setup
from companion.core.notation import Seat
from companion.tabletop.mat import CARD, MAT
from companion.tabletop.zones import Outline, centre, size

T = TypeVar("T")


class By(StrEnum):
    """How the companion learns of a step."""

    CAMERA = "camera"
    BUTTON = "button"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class Lying:
    """One piece on the table. x and y are millimetres of the mat, `turn` is clockwise in
    degrees."""

    piece: str
    """Which piece it is; it keeps this name when it is turned over."""
    face: str
    """What it shows: a label of its deck, or the pips of a die."""
    x: float
    y: float
    turn: float = 0.0
    kind: str = "card"


@dataclass(frozen=True, slots=True)
class Step:
    """A hand reaches in, changes something, and leaves; or a button is pressed."""

    what: str
    seat: Seat | None
    table: tuple[Lying, ...]
    """Everything that lies there once the hand has left, the last on top."""
    lines: tuple[str, ...] = ()
    """What should be entered for it, in the game's notation."""
    refused: str = ""
    """The line of a play against the rules; a later step takes it back."""
    by: By = By.CAMERA
    press: str = ""
    """The button that is pressed."""
    hands: tuple[tuple[str, ...], ...] = ()
    """What the seats hold after it. The bots know that, the companion never does."""


SLOPPY = 0.05
"""How often people do several things in one reach, unless something else is asked for."""


@dataclass(frozen=True, slots=True)
class Playing:
    """Which game the bots play, and how well."""

    game: str
    seats: int = 3
    seed: int = 0
    mistakes: int = 0
    """Plays against the rules, taken back once the referee objects."""
    edition: str = "en"
    changes: tuple[tuple[str, str], ...] = ()
    """Options on top of the edition."""
    fidgets: float = 0.05
    """How often somebody reaches in without playing, or pushes a card a little."""
    sloppy: float = SLOPPY
    """How often several things are done in one reach, so that the table never lies still between
    them."""


@dataclass(frozen=True, slots=True, eq=False)
class Script:
    """A whole game as it will be played. Its steps can be walked through once."""

    setup: Setup
    deck: str
    places: tuple[tuple[float, float], ...]
    """Where the arm of each seat comes from: millimetres, outside the mat."""
    steps: Iterator[Step]


NAMES = ("Astrid", "Bjorn", "Cnut", "Dagny", "Eirik", "Freydis")


def names(seats: int) -> tuple[str, ...]:
    return NAMES[:seats]


def around(seats: int) -> tuple[tuple[float, float], ...]:
    """Where the arms of so many seats come from: clockwise about the mat, the first at the near
    edge."""
    x, y = MAT[0] / 2, MAT[1] / 2
    at = np.pi / 2 + np.arange(seats) * 2 * np.pi / seats
    return tuple((float(x + 560 * np.cos(a)), float(y + 470 * np.sin(a))) for a in at)


# -- chance -------------------------------------------------------------------------------


def pick(rng: np.random.Generator, many: Sequence[T]) -> T:
    """One of them at random."""
    return many[int(rng.integers(len(many)))]


def shuffled(rng: np.random.Generator, many: Iterable[T]) -> list[T]:
    """All of them, in a random order."""
    listed = list(many)
    return [listed[at] for at in rng.permutation(len(listed))]


# -- where a hand puts things ---------------------------------------------------------------


def row(
    rng: np.random.Generator, pieces: Sequence[tuple[str, str]], zone: Outline, upright: float = 0.0
) -> list[Lying]:
    """Pieces in a row along the zone, given as (piece, face). Mostly each covers a part of the one
    before it. `upright` is the turn, in degrees, that is the right way up."""
    (x, y), (wide, high) = centre(zone), size(zone)
    many = len(pieces)
    step = rng.uniform(27, 46) if rng.random() > 0.12 else rng.uniform(65, 70)
    step = min(step, (wide - CARD[0] - 8) / max(many - 1, 1))
    spare = max(0.0, (wide - CARD[0] - step * (many - 1)) / 2 - 4)
    slack = max(0.0, (high - CARD[1]) / 2 - 4)
    first = x + float(rng.uniform(-spare, spare)) * 0.7 - step * (many - 1) / 2
    y += float(np.clip(rng.normal(0, 6), -slack, slack))
    lean = rng.normal(0, 3)
    out = []
    for at, (piece, face) in enumerate(pieces):
        off = rng.normal(0, 1.2, 2)
        turn = upright + lean + rng.normal(0, 2) + (180 if rng.random() < 0.12 else 0)
        out.append(
            Lying(piece, face, first + at * step + float(off[0]), y + float(off[1]), float(turn))
        )
    return out


def heaped(rng: np.random.Generator, piece: str, face: str, zone: Outline) -> Lying:
    """One card thrown on a heap: roughly in its zone, either way round."""
    x, y = centre(zone)
    dx, dy = rng.normal(0, 2.5, 2)
    turn = rng.normal(0, 8) + (180 if rng.random() < 0.5 else 0)
    return Lying(piece, face, x + float(dx), y + float(dy), float(turn))


def stacked(rng: np.random.Generator, piece: str, face: str, zone: Outline) -> Lying:
    """One card on a neat pile."""
    x, y = centre(zone)
    dx, dy = rng.normal(0, 0.5, 2)
    return Lying(piece, face, x + float(dx), y + float(dy), float(rng.normal(0, 0.7)))


def placed(
    rng: np.random.Generator, piece: str, face: str, zone: Outline, turn: float = 0.0
) -> Lying:
    """One card put down in its zone carefully, but by hand."""
    x, y = centre(zone)
    dx, dy = rng.normal(0, 1.5, 2)
    return Lying(piece, face, x + float(dx), y + float(dy), turn + float(rng.normal(0, 2.5)))


def pushed(rng: np.random.Generator, one: Lying) -> Lying:
    """The same piece after it was touched: a few millimetres and degrees off."""
    dx, dy = rng.normal(0, 2.0, 2)
    return Lying(
        one.piece,
        one.face,
        one.x + float(dx),
        one.y + float(dy),
        one.turn + float(rng.normal(0, 2.5)),
        one.kind,
    )
