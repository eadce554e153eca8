"""Cards laid out before the camera, side by side, in the order that was asked for."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.vision.calibration import Plane, is_marker
from companion.vision.crops import Image
from companion.vision.detecting.finding import Detection, Quad
from companion.vision.detecting.refining import fit_edges, move_corners
from companion.vision.enrolment.deck_making import Sample
from companion.vision.look import find_at_any_scale
from companion.vision.networks import network
from companion.vision.reading.cards import upright_quad

_PLAIN = 0.4
"""How sure finds of cards laid out side by side are at least."""
_REALLY = 0.5
"""How probably each must be a card, says the refiner."""
_FAINTER = 0.8
"""If more is found than was asked for, what is fainter than the last of those by this is clutter;
else nobody can tell which of them was meant."""
_OVER = 0.2
"""What share of a find is shared with another if both are the same card."""
_LARGER = 1.6
"""How much larger in area one card of a deck may seem than another beside it."""


def laid_out(image: Image, labels: Sequence[str], plane: Plane | None = None) -> list[Sample] | str:
    """The cards of one picture in reading order under these names, or what is not as asked."""
    quads = cards_in(image, plane, len(labels))
    if len(quads) != len(labels):
        return f"{len(quads)} cards are seen, {len(labels)} were asked for"
    return [
        Sample(label, image, quad, label, plane) for label, quad in zip(labels, quads, strict=True)
    ]


def cards_in(image: Image, plane: Plane | None = None, asked: int | None = None) -> Quad:
    """The cards that lie side by side in a picture, in reading order; their first edge is a short
    one. If so many were `asked` for, clutter beside them is left out."""
    cards = [f for f in find_at_any_scale(image) if f.kind == "card" and f.sure > _PLAIN]
    if plane is not None:
        cards = [f for f in cards if not is_marker(plane.table(np.array([f.middle]))[0])]
    quads, sure = _placed(image, cards)
    if asked is not None:
        quads = _asked_for(quads, sure, asked)
    if not len(quads):
        return quads
    return quads[in_reading_order([quad.mean(0) for quad in quads], _height(quads))]


def _placed(image: Image, cards: Sequence[Detection]) -> tuple[Quad, Quad]:
    """Where the cards are, each once, and how sure each is; the surest first."""
    if not cards:
        return np.zeros((0, 4, 2)), np.zeros(0)
    surest = sorted(cards, key=lambda f: -f.sure)
    found = np.stack([upright_quad(f.quad) for f in surest])
    quads, there = move_corners(image, found, network("refiner"), 2)
    likely = np.flatnonzero(there > _REALLY)
    kept = likely[_side_by_side(quads[likely])]
    return fit_edges(image, quads[kept]), np.array([surest[n].sure for n in kept])


def _asked_for(quads: Quad, sure: Quad, many: int) -> Quad:
    """Of more cards than were asked for those that were meant, if that can be told."""
    if len(quads) > many:
        likely = _of_one_size(quads)
        quads, sure = quads[likely], sure[likely]
    if len(quads) > many > 0 and sure[many] < _FAINTER * sure[many - 1]:
        return quads[:many]  # the rest was hardly found: clutter beside the cards
    return quads


def _side_by_side(surest_first: Quad) -> list[int]:
    """The numbers of cards, each once: what lies over a surer find is part of that card, or of
    several."""
    kept: list[int] = []
    for number, quad in enumerate(surest_first):
        one = quad.astype(np.float32)
        others = [surest_first[other].astype(np.float32) for other in kept]
        least = [_OVER * min(cv2.contourArea(one), cv2.contourArea(other)) for other in others]
        over = [cv2.intersectConvexConvex(one, other)[0] for other in others]
        if not any(share > most for share, most in zip(over, least, strict=True)):
            kept.append(number)
    return kept


def _of_one_size(quads: Quad) -> Quad:
    """Which are about as large as most: a box or a phone beside the cards is none of them."""
    areas = np.array([cv2.contourArea(quad.astype(np.float32)) for quad in quads])
    ratio = areas / np.median(areas)
    likely: Quad = (ratio < _LARGER) & (ratio > 1 / _LARGER)
    return likely


def _height(quads: Quad) -> float:
    return float(np.median(np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)))


def in_reading_order(middles: Sequence[Quad], height: float) -> list[int]:
    """Row by row from the top, each from the left; a row is what lies within half a card."""
    left = sorted(range(len(middles)), key=lambda i: float(middles[i][1]))
    out: list[int] = []
    while left:
        top = middles[left[0]][1]
        row = [i for i in left if middles[i][1] < top + height / 2]
        out += sorted(row, key=lambda i: float(middles[i][0]))
        left = [i for i in left if i not in row]
    return out
