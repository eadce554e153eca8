"""A simulated table with boards in place of the mat: each has the places of one seat, or those that
all share; they lie apart and askew, and are pushed about while people play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.sim.faces.board_prints import STYLES, BoardPrint, drawn_board
from companion.sim.render.board_tables import board_of
from companion.sim.render.crops import DrawnFace
from companion.sim.render.scene import CardOn
from companion.tabletop.mat import MAT
from companion.tabletop.polygons import inside
from companion.tabletop.zones import Outline, box, size
from companion.vision.boards.board import Board
from companion.vision.boards.kept import BoardSet
from companion.vision.boards.template import template

APART = 1.13
"""How much further apart the boards lie than their places do on the mat."""
_ASKEW = 4.0
"""Degrees by which people lay boards askew, mostly less."""
_PUSHED_MM = 5.0
_FURTHEST_MM = 14.0
"""No board is pushed further from where it belongs, nor turned by more than twice `_ASKEW`."""


@dataclass(frozen=True, slots=True, eq=False)
class LaidBoard:
    """A drawn board, the part of the mat that its places were on, and where it lies now."""

    board: Board
    face: DrawnFace
    part: Outline
    upright: int
    """By how many degrees it is turned on the mat: for who sits opposite it is upside down."""
    x: float
    y: float
    turn: float
    """Where it lies on the table: its middle, and how it is turned against the mat."""

    @property
    def middle(self) -> tuple[float, float]:
        """Of its part of the mat."""
        (left, top), _, (right, bottom), _ = self.part
        return (left + right) / 2, (top + bottom) / 2

    @property
    def lying(self) -> CardOn:
        """The board itself, as a thing on the table."""
        turn = self.turn + self.upright + 90 * self.face.lying
        return CardOn(self.face, self.x, self.y, turn, lift=1.5)

    def moved(self, x: float, y: float, turn: float) -> tuple[float, float, float]:
        """Where something that is there on the mat lies on the table."""
        mx, my = self.middle
        a = np.radians(self.turn)
        dx, dy = x - mx, y - my
        right, down = np.cos(a) * dx - np.sin(a) * dy, np.sin(a) * dx + np.cos(a) * dy
        return self.x + float(right), self.y + float(down), turn + self.turn


class BoardsOnTable:
    """The boards of one simulated copy."""

    def __init__(self, zones: Mapping[str, Outline], seats: Sequence[str], seed: int) -> None:
        rng = np.random.default_rng([19, seed])
        style = list(STYLES)[seed % len(STYLES)]
        alike = bool(rng.random() < 0.5)
        prints = [int(rng.integers(1 << 30)) for _ in range(len(seats) + 1)]
        drawn = [
            _drawn(owner, zones, (style, prints[1] if alike and at else prints[at]))
            for at, owner in enumerate(("", *seats))
        ]
        self._boards = [_laid(each, rng) for each in drawn if each is not None]

    @property
    def lying(self) -> list[CardOn]:
        return [each.lying for each in self._boards]

    def enrolled(self) -> BoardSet:
        """As their owner enrolled them."""
        return BoardSet("simulated", tuple(each.board for each in self._boards))

    def moved(self, x: float, y: float, turn: float) -> tuple[float, float, float]:
        """Where something that is there on the mat lies now; beside the boards it lies as on the
        mat."""
        for each in self._boards:
            if inside(each.part, (x, y)):
                return each.moved(x, y, turn)
        return x, y, turn

    def push(self, rng: np.random.Generator) -> tuple[float, float]:
        """Somebody pushes one of them, with all that stands on it; where it was taken hold of."""
        at = int(rng.integers(len(self._boards)))
        one = self._boards[at]
        home = _home(one)
        x, y = np.clip(
            np.array([one.x, one.y]) + rng.normal(0, _PUSHED_MM, 2),
            np.array(home) - _FURTHEST_MM / 2, np.array(home) + _FURTHEST_MM / 2,
        )  # fmt: skip
        turn = float(np.clip(one.turn + rng.normal(0, _ASKEW / 2), -_ASKEW, _ASKEW))
        self._boards[at] = replace(one, x=float(x), y=float(y), turn=turn)
        return one.x, one.y


def _drawn(owner: str, zones: Mapping[str, Outline], print_of: tuple[str, int]) -> LaidBoard | None:
    """The board of a seat, or of all (no owner); None if there is nothing to be on it."""
    mine = template(zones, owner)
    if mine is None:
        return None
    spaces = tuple((*p.outline[0], *size(p.outline)) for p in mine.places)
    what = BoardPrint(*print_of, mine.size_mm, spaces)
    name = f"settlement {owner}" if owner else "shared"
    board = replace(board_of(name, what, mine.places), owner=owner)
    part = box(*mine.on_mat[:2], *mine.size_mm)
    upright = 180 if mine.upside_down else 0
    return LaidBoard(board, drawn_board(name, what), part, upright, 0.0, 0.0, 0.0)


def _home(one: LaidBoard) -> tuple[float, float]:
    x, y = one.middle
    return MAT[0] / 2 + APART * (x - MAT[0] / 2), MAT[1] / 2 + APART * (y - MAT[1] / 2)


def _laid(one: LaidBoard, rng: np.random.Generator) -> LaidBoard:
    x, y = _home(one) + rng.normal(0, 2, 2)
    turn = float(np.clip(rng.normal(0, _ASKEW / 2), -_ASKEW, _ASKEW))
    return replace(one, x=float(x), y=float(y), turn=turn)
