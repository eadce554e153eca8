"""Pictures that are a card: scans and close-ups without a table about them.

In such a picture a finder takes the art or the text box for the card. Whether the whole picture is
one is asked of the finder itself: laid on a plain ground, a scan is found as a card, edge to edge;
a photograph of a table is not.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.crops import Image, ImagePyramid, corners, grown
from companion.vision.detecting.finding import Detection, Quad
from companion.vision.detecting.refining import move_corners
from companion.vision.look import find_at_any_scale
from companion.vision.networks import network
from companion.vision.reading.cards import upright_quad

_LONGEST = 640
"""Pixels: more are not needed to tell."""
_ABOUT = 0.3
"""How much plain ground is laid about it, as a share of its longer side."""
_GROUNDS = (128, 20, 235)
_SHAPES = ((0.54, 0.86), (0.95, 1.0))
"""Short side over long: of cards, and of square tiles."""
_EDGE_TO_EDGE = 0.8
"""What the find and the picture share, at least, if they are the same."""
_A_CARD = 0.9
_LEAST_SHARE = 0.03
"""A card somebody pictured fills at least so much of the picture."""
_SQUARE_WITH = 4.0
"""Degrees: what is printed on a card is square with its edges, cards on tables seldom are."""
_OFF_MIDDLE = 0.17
"""How far from the picture's middle, as a share of its side, nobody has the card pictured."""
_BUSY = 20.0
"""How much grey levels differ (their spread) about a part of a print, not on a plain table."""
_PRINTED = 12.0
"""How much grey levels differ (their spread) where anything is printed."""


def is_the_card(image: Image, best: Detection | None) -> bool:
    """Whether the picture is a card rather than shows one; `best` is what was found in it."""
    high, wide = image.shape[:2]
    shape = min(high, wide) / max(high, wide)
    if not any(low <= shape <= most for low, most in _SHAPES):
        return False
    if best is None:
        return _printed(image)
    quads, cards = move_corners(image, upright_quad(best.quad)[None], network("refiner"), 2)
    if cards[0] < _A_CARD or _part_of_print(image, quads[0]):
        return _printed(image)
    # On one ground the edges of a table's picture may seem a card's by chance, hardly on two.
    first, second, third = _GROUNDS
    on_first, on_second = (_found_whole(image, g) >= best.sure for g in (first, second))
    if on_first == on_second:
        return on_first
    return _found_whole(image, third) >= best.sure


def edges_of(image: Image) -> Quad:
    """The corners of the whole picture, as a card's."""
    high, wide = image.shape[:2]
    return upright_quad(corners(wide, high).astype(np.float64))


def _printed(image: Image) -> bool:
    return float(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).std()) > _PRINTED


def _part_of_print(image: Image, quad: Quad) -> bool:
    """Whether what was found is a part of something printed: too small for a card somebody
    pictured; or, as a text box is, square with the picture, far from its middle, and not on a
    plain ground."""
    size = np.array([image.shape[1], image.shape[0]])
    if cv2.contourArea(quad.astype(np.float32)) < _LEAST_SHARE * size.prod():
        return True
    sides = np.roll(quad, -1, 0) - quad
    slant = np.degrees(np.arctan2(np.abs(sides).min(1), np.abs(sides).max(1))).max()
    off = np.abs(quad.mean(0) / size - 0.5).max()
    return bool(slant < _SQUARE_WITH and off > _OFF_MIDDLE and _busy_about(image, quad))


def _busy_about(image: Image, quad: Quad) -> bool:
    """Whether there is more than plain ground about it."""
    outside = np.full(image.shape[:2], 255, np.uint8)
    cv2.fillConvexPoly(outside, np.round(grown(quad, 0.05)).astype(np.int32), 0)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return float(grey[outside > 0].std()) > _BUSY


def _found_whole(image: Image, ground: int) -> float:
    """How sure the finder is of the whole picture as a card, on a ground of that grey."""
    scale = min(1.0, _LONGEST / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    high, wide = small.shape[:2]
    room = round(_ABOUT * max(high, wide))
    colour = (ground,) * 3
    laid = cv2.copyMakeBorder(small, *(room,) * 4, cv2.BORDER_CONSTANT, value=colour)
    found = [f for f in find_at_any_scale(ImagePyramid(laid)) if f.kind == "card"]
    if not found:
        return 0.0
    quads, cards = move_corners(
        laid, np.stack([upright_quad(f.quad) for f in found]), network("refiner"), 2
    )
    whole = corners(wide, high) + np.float32(room)
    same = [_shared(whole, quad.astype(np.float32)) > _EDGE_TO_EDGE for quad in quads]
    each = zip(found, same, cards, strict=True)
    return max((f.sure for f, one, card in each if one and card > _A_CARD), default=0.0)


def _shared(one: Image, other: Image) -> float:
    """What two quads share, as a share of both together."""
    both, _ = cv2.intersectConvexConvex(one, other)
    return float(both / max(cv2.contourArea(one) + cv2.contourArea(other) - both, 1.0))
