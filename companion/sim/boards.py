"""A simulated table with boards in place of the mat: each has the places of one seat, or those that
all share; they lie apart and askew, and are pushed about while people play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.sim.faces.board_prints import FITTED, BoardPrint, drawn_board
from companion.sim.render.board_tables import board_of
from companion.sim.render.crops import DrawnFace
from companion.sim.render.scene import CardOn
from companion.tabletop.mat import MAT
from companion.tabletop.polygons import inside
from companion.tabletop.zones import Outline, box, size
from companion.vision.boards.board import Board
from companion.vision.boards.kept import BoardSet
from companion.vision.boards.template import template

APART = (1.16, 1.34)
"""How much further apart the boards lie than their places do on the mat, across and along."""
_ASKEW = 12.0
"""Degrees by which boards lie askew at most; and any of them may lie upside down."""
_PUSHED_MM = 14.0
_FURTHEST_MM = 18.0
"""No board is pushed further from where it belongs, across or along: others lie there."""
_TURNED_ROUND = 0.25
"""How often somebody who takes hold of a board turns it right round."""


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

    def __init__(
        self,
        zones: Mapping[str, Outline],
        seats: Sequence[str],
        seed: int,
        styles: Sequence[str] = tuple(FITTED),
    ) -> None:
        rng = np.random.default_rng([19, seed])
        style = styles[seed % len(styles)]
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

    def lies(self, board: str) -> tuple[tuple[float, float], float]:
        """Where the middle of that board is on the table, and how the board is turned."""
        one = next(each for each in self._boards if each.board.name == board)
        return (one.x, one.y), (one.turn + one.upright) % 360

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

    def on_board(self, x: float, y: float) -> tuple[Board, tuple[float, float]] | None:
        """The board on which something is that is there on the mat, and where on it."""
        for each in self._boards:
            if inside(each.part, (x, y)):
                (left, top), _, (right, bottom), _ = each.part
                turned = (right - x, bottom - y) if each.upright else (x - left, y - top)
                return each.board, turned
        return None

    def push(self, rng: np.random.Generator) -> tuple[float, float]:
        """Somebody pushes or turns one of them, with all that stands on it; where it was taken
        hold of."""
        at = int(rng.integers(len(self._boards)))
        one = self._boards[at]
        self._boards[at] = _put(one, np.array([one.x, one.y]) - _home(one), rng)
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
    (x, y), (across, along) = one.middle, APART
    return MAT[0] / 2 + across * (x - MAT[0] / 2), MAT[1] / 2 + along * (y - MAT[1] / 2)


def _laid(one: LaidBoard, rng: np.random.Generator) -> LaidBoard:
    return _put(one, np.zeros(2), rng)


def _put(one: LaidBoard, off: np.ndarray, rng: np.random.Generator) -> LaidBoard:
    """The board pushed on from so far off its home, and turned anew."""
    spot = np.clip(off + rng.normal(0, _PUSHED_MM, 2), -_FURTHEST_MM, _FURTHEST_MM)
    x, y = _home(one) + spot
    round_about = 180.0 * (rng.random() < _TURNED_ROUND) + one.turn - _askew(one)
    turn = (round_about + rng.uniform(-_ASKEW, _ASKEW)) % 360
    return replace(one, x=float(x), y=float(y), turn=float(turn))


def _askew(one: LaidBoard) -> float:
    """By how much it is turned against lying straight, either way up."""
    return (one.turn + 90) % 180 - 90
