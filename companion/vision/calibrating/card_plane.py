"""Where the table is, told by the cards on it: their size is known, wherever they lie.

A picture of a plane becomes a plan of it by eight numbers. Three of them only say where on the plan
the origin is and which way it is turned, so five are left. They are chosen such that every card on
the plan has its true size. What is said of the error comes from leaving out one card at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_, NN_
from companion.tabletop.mat import MAT
from companion.vision.calibrating.lens import Lens, Points
from companion.vision.calibration import Plane, Way
from companion.vision.crops import corners

LEAST_CARDS = 4
"""With fewer a slanted camera is hardly told from an upright one."""
_ROUNDS = 40
_HUBER_MM = 1.0
"""A corner further off than this counts less and less: it was badly seen."""
_ODD_MM = 3.0
"""A card that misses its size by more is none of these cards."""
_LEAST_AREA_PX2 = 60.0
"""A card that is smaller in the picture tells nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class CardPlane:
    """The plane, how far off it may be at the mat's corners, and the cards it was told by."""

    plane: Plane
    error_mm: float
    used: tuple[int, ...]


def plane_from_cards(
    quads: Points, card_mm: tuple[float, float], size: tuple[int, int], lens: Lens | None = None
) -> CardPlane:
    """`quads` are the corners (n, 4, 2) of the cards in the picture, each with its first edge a
    short one. The mat is thought in the middle of the picture, along its edges.

    Raises `BadInput` if there are too few cards, or they do not have that size."""
    given = np.asarray(quads, np.float64).reshape(-1, 4, 2)
    large = [i for i, q in enumerate(given) if _area(q) >= _LEAST_AREA_PX2]
    used = large
    _check_many(len(used))
    straight = given if lens is None else lens.straight(given.reshape(-1, 2)).reshape(-1, 4, 2)
    fitted = _Fit(straight, card_mm, size)
    plan = fitted.plan(used)
    off = np.array([fitted.misfit_mm(plan, i) for i in used])
    used = [i for i, mm in zip(used, off, strict=True) if mm <= max(_ODD_MM, 0.0)]
    if len(used) < LEAST_CARDS:
        raise BadInput(
            "cards-of-another-size",
            N_(
                "these cards do not fit the size %(short)s x %(long)s mm: choose their size, and"
                " lay them flat and apart"
            ),
            short=f"{card_mm[0]:g}",
            long=f"{card_mm[1]:g}",
        )
    plan = fitted.plan(used)
    plane = _plane(plan, size, lens)
    error = _jackknife_mm(lambda cards: _plane(fitted.plan(cards), size, lens), used, plane)
    return CardPlane(plane, error, tuple(used))


def _check_many(many: int) -> None:
    if many < LEAST_CARDS:
        raise BadInput(
            "too-few-cards-seen",
            NN_(
                "%(count)s card is seen; lay at least %(least)s, apart from each other",
                "%(count)s cards are seen; lay at least %(least)s, apart from each other",
            ),
            count=many,
            least=LEAST_CARDS,
        )


def _area(quad: Points) -> float:
    return float(cv2.contourArea(quad.astype(np.float32)))


class _Fit:
    """The five numbers of a plan, from cards of one size."""

    def __init__(
        self, straight: Points, card_mm: tuple[float, float], size: tuple[int, int]
    ) -> None:
        self._half = np.array(size, np.float64) / 2
        self._unit = float(max(size)) / 2
        self._quads = (straight - self._half) / self._unit
        self._card = corners(*card_mm).astype(np.float64)
        self._card -= self._card.mean(0)

    def plan(self, used: list[int]) -> Points:
        """The map (3, 3) from the picture to millimetres."""
        now = self._affine(used)
        damp = 1e-3
        off = self._residuals(now, used)
        for _ in range(_ROUNDS):
            slope = self._slope(now, used)
            weight = 1 / np.maximum(1.0, np.abs(off) / _HUBER_MM)
            normal = slope.T @ (weight[:, None] * slope)
            step = np.linalg.solve(
                normal + damp * np.diag(np.diag(normal) + 1e-12), slope.T @ (weight * off)
            )
            tried = now - step
            better = self._residuals(tried, used)
            if _cost(better) < _cost(off):
                done = _cost(off) - _cost(better) < 1e-9
                now, off, damp = tried, better, damp / 4
                if done:
                    break
            else:
                damp *= 6
        return _as_matrix(now) @ self._normalise

    @property
    def _normalise(self) -> Points:
        x, y = self._half
        u = self._unit
        return np.array([(1 / u, 0, -x / u), (0, 1 / u, -y / u), (0, 0, 1)])

    def misfit_mm(self, plan: Points, card: int) -> float:
        """By how much a card misses its size, at its worst corner."""
        px = self._quads[card] * self._unit + self._half
        mm = cv2.perspectiveTransform(px[None], plan)[0]
        return float(np.linalg.norm(mm - _laid(self._card, mm), axis=1).max())

    def _affine(self, used: list[int]) -> Points:
        """As if the camera looked straight down from far away: then squares of lengths are linear
        in what is to be found."""
        rows, sides = [], []
        short, long = np.ptp(self._card, axis=0)
        for quad in self._quads[used]:
            across = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
            down = (quad[3] - quad[0] + quad[2] - quad[1]) / 2
            for one, other, length in ((across, across, short), (down, down, long)):
                rows.append(_product(one, other) / length**2)
                sides.append(1.0)
            rows.append(_product(across, down) / (short * long))
            sides.append(0.0)
        a, b, d = np.linalg.lstsq(np.array(rows), np.array(sides), rcond=None)[0]
        metric = np.array([(a, b), (b, d)])
        try:
            lower = np.linalg.cholesky(metric)
        except np.linalg.LinAlgError:
            raise BadInput(
                "cards-no-plane",
                N_("the cards cannot be understood; lay them flat, all of each in view"),
            ) from None
        return np.array([lower[0, 0], lower[1, 0], lower[1, 1], 0.0, 0.0])

    def _residuals(self, now: Points, used: list[int]) -> Points:
        flat = self._quads[used].reshape(-1, 1, 2)
        mm = cv2.perspectiveTransform(flat, _as_matrix(now)).reshape(-1, 4, 2)
        return np.concatenate([(each - _laid(self._card, each)).ravel() for each in mm])

    def _slope(self, now: Points, used: list[int]) -> Points:
        columns = []
        for at in range(len(now)):
            step = np.zeros_like(now)
            step[at] = 1e-4 * max(1.0, abs(float(now[at])))
            change = self._residuals(now + step, used) - self._residuals(now - step, used)
            columns.append(change / (2 * step[at]))
        return np.stack(columns, axis=1)


def _product(one: Points, other: Points) -> tuple[float, float, float]:
    x = float(one[0] * other[0])
    y = float(one[1] * other[1])
    return x, float(one[0] * other[1] + one[1] * other[0]), y


def _as_matrix(numbers: Points) -> Points:
    a, b, d, p, q = numbers
    return np.array([(a, b, 0.0), (0.0, d, 0.0), (p, q, 1.0)])


def _cost(off: Points) -> float:
    far = np.abs(off)
    return float(np.where(far < _HUBER_MM, far**2, 2 * _HUBER_MM * far - _HUBER_MM**2).sum())


def _laid(card: Points, mm: Points) -> Points:
    """The card in its true size, laid as near as can be to these four points."""
    middle = mm.mean(0)
    u, _, v = np.linalg.svd((mm - middle).T @ card)
    turn = u @ np.diag([1.0, float(np.sign(np.linalg.det(u @ v)))]) @ v
    return np.asarray(card @ turn.T + middle)


def _plane(plan: Points, size: tuple[int, int], lens: Lens | None) -> Plane:
    """The mat thought in the middle of the picture, its long side along the picture's."""
    middle = np.array(size, np.float64) / 2
    ends = np.array([middle, middle + (size[0] / 8, 0.0)])
    here, right = cv2.perspectiveTransform(ends[None], plan)[0]
    along = (right - here) / np.linalg.norm(right - here)
    turn = np.array([(along[0], along[1]), (-along[1], along[0])])
    shift = np.eye(3)
    shift[:2, :2] = turn
    shift[:2, 2] = np.array(MAT) / 2 - turn @ here
    return Plane(np.linalg.inv(shift @ plan), size, lens, Way.CARDS)


def _jackknife_mm(fit: Callable[[list[int]], Plane], used: list[int], best: Plane) -> float:
    """How far the mat's corners would move with other cards."""
    mat = corners(*MAT).astype(np.float64)
    px = best.pixels(mat)
    many = len(used)
    off = [fit([i for i in used if i != left]).table(px) - mat for left in used]
    spread = np.sqrt((many - 1) / many * sum((each**2).sum(1) for each in off))
    return float(spread.max())
