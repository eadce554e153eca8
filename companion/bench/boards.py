"""How well and how fast boards are found on rendered tables, beside what must be reached."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.bench.figure import Figure
from companion.sim.faces.board_prints import HELD_OUT
from companion.sim.render.board_tables import BoardTable, SeenBoards, board_table
from companion.vision.boards.finding import BoardFinder
from companion.vision.boards.following import BoardFollower
from companion.vision.observing.gate import Gate

WITHIN_MM = 1.0
_FIRST_SEED = 500
"""Nothing was tried out on the tables from here on, nor on prints of these styles."""
_COVERED = BoardTable(tuple(HELD_OUT))
"""Six boards, turned any way, 20 to 60 % covered, in hard light."""
_SLANTED = replace(_COVERED, slant=35.0, boards=3, px_per_mm=1.5)
_LOOKS = 12


@dataclass(slots=True)
class _Count:
    """Boards that were there, found and placed well; and those found where none is."""

    there: int = 0
    found: int = 0
    near: int = 0
    false: int = 0

    def add(self, table: SeenBoards, px_per_mm: float) -> None:
        found = {e.board.name: e for e in BoardFinder(table.boards).find(table.rendering.image)}
        self.there += len(table.boards)
        for board, quad in zip(table.boards, table.quads, strict=True):
            if board.name in found:
                far = np.linalg.norm(found[board.name].quad - quad, axis=1).max()
                self.found += 1
                self.near += far / px_per_mm <= WITHIN_MM


def measure_boards(*, quick: bool) -> Iterator[Figure]:
    """Boards of styles never tried out; then what following six of them costs."""
    tables = range(_FIRST_SEED, _FIRST_SEED + (3 if quick else 60))
    count = _Count()
    for seed in tables:
        count.add(board_table(seed, _COVERED), _COVERED.px_per_mm)
        others = board_table(seed, replace(_COVERED, strangers=True))
        count.false += len(BoardFinder(others.boards).find(others.rendering.image))
    found, near = count.found / count.there, count.near / max(count.found, 1)
    yield Figure(
        f"boards found of {count.there}, half covered, hard light", 100 * found, "%",
        ">= 99.5 %", found >= 0.995,
    )  # fmt: skip
    yield Figure(
        "of these with every corner within 1 mm", 100 * near, "%", "all", count.near == count.found
    )
    yield Figure("boards found where none of them is", count.false, "", "none", not count.false)
    slanted = _Count()
    for seed in tables[: max(2, len(tables) // 3)]:
        slanted.add(board_table(seed, _SLANTED), _SLANTED.px_per_mm)
    share = slanted.found / slanted.there
    yield Figure(
        f"boards found of {slanted.there}, seen at up to 35 degrees", 100 * share, "%",
        ">= 99.5 %", share >= 0.995,
    )  # fmt: skip
    yield from _costs()


def _costs() -> Iterator[Figure]:
    """In the processor's time, so that a second thread would count as well."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        what = replace(_COVERED, covered=(0.0, 0.2))
        table, later = board_table(_FIRST_SEED, what), board_table(_FIRST_SEED + 1, what)
        follower, gate = BoardFollower(table.boards), Gate()
        picture = table.rendering.image
        follower.begin(picture)
        noise = np.random.default_rng(1).normal(0, 2, picture.shape)
        grainy = np.clip(picture + noise, 0, 255).astype(np.uint8)
        gate.step(picture)
        still = _median_ms(lambda: (gate.step(grainy), gate.step(picture))) / 2
        stirred = _median_ms(lambda: follower.follow(picture))
        elsewhere = BoardFollower(later.boards)
        elsewhere.begin(later.rendering.image)
        moved = _median_ms(lambda: _pushed(elsewhere, later.rendering.image))
    finally:
        cv2.setNumThreads(threads)
    yield Figure("a look at six boards, nothing moved", still, "ms", "<= 1 ms", still <= 1)
    yield Figure("after a hand, no board moved", stirred, "ms", "<= 120 ms", stirred <= 120)
    yield Figure("after a board was pushed by 5 cm", moved, "ms", "<= 120 ms", moved <= 120)


def _pushed(follower: BoardFollower, picture: np.ndarray) -> None:
    """One of the boards lies 5 cm from where it is believed: it is sought."""
    one, *others = follower.found
    shift = np.array([[1, 0, 70], [0, 1, 40], [0, 0, 1]], np.float64)
    follower.found = (replace(one, matrix=shift @ one.matrix), *others)
    follower.follow(picture)


def _median_ms(look: Callable[[], object]) -> float:
    took = []
    for _ in range(_LOOKS):
        begun = time.process_time()
        look()
        took.append(1000 * (time.process_time() - begun))
    return float(np.median(took))
