"""Finding a board of which little can be seen, where others already lie: they give the plane and
the scale, so every matching feature says by itself where the board would be and how it is turned.
Where several say the same, it is tried."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from companion.vision.boards.features import Features
from companion.vision.boards.plane import FoundBoard
from companion.vision.crops import Floats

ALIKE = 0.8
"""How alike a feature must be to vote."""
NEAR_MM = 9.0
"""Votes for places of the board's middle so near each other are for one place ..."""
NEAR_RADIANS = 0.16
"""... if they turn it by nearly as much."""
LEAST_VOTES = 3
MOST_TRIED = 4
"""Places that are tried, those with most votes first."""
_MOST_VOTES = 900
"""Of the most alike features."""


def voted_places(
    seen: Features, mine: Features, middle: Floats, scale: float, beside: FoundBoard
) -> Iterator[Floats]:
    """Ways (3, 3) from the pixels of a print to the picture, most votes first. `middle` is that of
    the print, `scale` its pixels to a millimetre, and `beside` a board on the same plane."""
    if len(seen) < LEAST_VOTES or len(mine) < LEAST_VOTES:
        return
    like = seen.looks @ mine.looks.T
    best = like.argmax(1)
    top = like[np.arange(len(best)), best]
    pairs = np.argsort(-top)[:_MOST_VOTES]
    pairs = pairs[top[pairs] > ALIKE]
    there, turns = _on_plane(seen, pairs, beside)
    here = (mine.at[best[pairs]] - middle) / scale
    turn = turns - mine.turns[best[pairs]]
    cos, sin = np.cos(turn), np.sin(turn)
    aims = there - np.stack(
        [cos * here[:, 0] - sin * here[:, 1], sin * here[:, 0] + cos * here[:, 1]], 1
    )
    left = np.ones(len(aims), bool)
    for _ in range(MOST_TRIED):
        near = _agreeing(aims, turn, left)
        if near.sum() < LEAST_VOTES:
            return
        yield _way(here[near], there[near], middle, scale, beside)
        left &= ~near


def _on_plane(seen: Features, which: Floats, beside: FoundBoard) -> tuple[Floats, Floats]:
    """Where these features are on the plane, in millimetres, and which way they point there."""
    at, turn = seen.at[which], seen.turns[which]
    tips = at + 4 * np.stack([np.cos(turn), np.sin(turn)], 1)
    there, further = beside.millimetres(at), beside.millimetres(tips)
    off = further - there
    return there, np.arctan2(off[:, 1], off[:, 0])


def _agreeing(aims: Floats, turn: Floats, left: Floats) -> Floats:
    """Of the votes that are left, the most that agree with one of them."""
    off = np.abs(aims[:, None] - aims[None]).max(2)
    bent = np.abs(np.angle(np.exp(1j * (turn[:, None] - turn[None]))))
    agree = (off < NEAR_MM) & (bent < NEAR_RADIANS) & left[None] & left[:, None]
    best = int(agree.sum(1).argmax()) if len(agree) else 0
    return agree[best] if len(agree) else np.zeros(0, bool)


def _way(here: Floats, there: Floats, middle: Floats, scale: float, beside: FoundBoard) -> Floats:
    """The move and turn that fits these spots best, as a way from the print to the picture."""
    a, b = here - here.mean(0), there - there.mean(0)
    turn = np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum())
    cos, sin = np.cos(turn), np.sin(turn)
    move = there.mean(0) - np.array([[cos, -sin], [sin, cos]]) @ here.mean(0)
    lie = np.array([[cos, -sin, move[0]], [sin, cos, move[1]], [0, 0, 1]])
    x, y = middle
    to_mm = np.array([[1 / scale, 0, -x / scale], [0, 1 / scale, -y / scale], [0, 0, 1]])
    return np.asarray(beside.matrix @ lie @ to_mm)
