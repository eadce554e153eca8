"""Tokens on a board that is looked at once: every place where one may lie is tried.

The table's camera looks again and again, and sees what comes. A single picture must do without;
but it is known where tokens may lie, and what the bare board looks like there.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import dist

import cv2
import numpy as np

from companion.tabletop.observations import Sighting
from companion.tabletop.polygons import inside
from companion.tabletop.zones import Outline
from companion.vision.boards.features import evened, grey_of
from companion.vision.boards.mosaic import Mosaic
from companion.vision.calibration import Plane
from companion.vision.crops import Floats, Image, ImagePyramid, corners
from companion.vision.decks import Deck
from companion.vision.reading.tokens import Points, TokenPlaces, read_tokens, token_size

_AROUND_MM = (-4.0, 0.0, 4.0)
"""How far from the middle of its place a token may lie, across and down."""
_MOST_AT_ONCE = 250
"""Places tried in one go."""
_BEARS = 0.6
"""A card read at least this surely may bear tokens."""
_EVEN_MM = 9.0
_SIDE_PX = 32
_BARE = 0.85
"""A place that is at least so much like the bare board has nothing on it. Bare ones are at 0.95 and
more, those with a token mostly below 0.8."""
_INNER = 0.82
"""Of each place so much is compared: its printed frame is the same with a token on it."""
_LEAST_TEXTURE = 5.0
"""Where both pictures vary by less, there is nothing to compare: nothing lies there."""


def tokens_overlooked(
    image: ImagePyramid, seen: Sequence[Sighting], spots: Sequence[Points], deck: Deck, plane: Plane
) -> list[Sighting]:
    """Tokens on the cards that bear some, and about these spots of the picture, that are not among
    what was seen."""
    side = token_size(deck)
    if side is None:
        return []
    bearing = [
        np.array(each.quad)
        for each in seen
        if each.label is not None and each.p >= _BEARS and deck.bears(each.label)
    ]
    found: list[Sighting] = []
    for quad in bearing:
        found += read_tokens(image, (), deck, plane, TokenPlaces((quad,), ((quad, True),)))
    tried = [spot + np.array(by) * plane.px_per_mm for spot in spots for by in _shifts()]
    for first in range(0, len(tried), _MOST_AT_ONCE):
        beside = np.array(tried[first : first + _MOST_AT_ONCE])
        found += read_tokens(image, (), deck, plane, TokenPlaces(beside=beside))
    return _new(found, seen, 0.6 * side * plane.px_per_mm)


def _shifts() -> list[tuple[float, float]]:
    return [(x, y) for x in _AROUND_MM for y in _AROUND_MM]


def _new(found: Sequence[Sighting], seen: Sequence[Sighting], reach: float) -> list[Sighting]:
    """The surest of each place where none was seen before."""
    small = [each for each in seen if _side(each) < 2 * reach / 0.6]
    kept: list[Sighting] = []
    for one in sorted(found, key=lambda each: -each.p):
        if all(dist(one.middle, other.middle) > reach for other in (*small, *kept)):
            kept.append(one)
    return kept


def _side(one: Sighting) -> float:
    return dist(one.quad[0], one.quad[1])


def unclear_places(picture: Image, mosaic: Mosaic, lying: Sequence[Sighting]) -> frozenset[str]:
    """The places of a mosaic's only board that look unlike the bare board, though nothing that was
    read lies there."""
    tile = mosaic.tiles[0]
    even = max(4, round(_EVEN_MM * mosaic.px_per_mm))
    bare, now = (
        evened(cv2.GaussianBlur(grey_of(each), (0, 0), 1.0), even)
        for each in (mosaic.bare(), picture)
    )
    out = []
    for place in tile.board.places:
        outline = mosaic.zones[place.name if not tile.board.owner else _zone(mosaic, place.name)]
        if any(inside(outline, one.middle) for one in lying):
            continue
        if not _is_bare(*(_cut(each, outline, mosaic) for each in (bare, now))):
            out.append(place.name)
    return frozenset(out)


def _zone(mosaic: Mosaic, name: str) -> str:
    return f"{mosaic.tiles[0].board.owner}.{name}"


def _cut(image: Image, outline: Outline, mosaic: Mosaic) -> Floats:
    at = np.array(outline[:4], np.float64)
    inner = at.mean(0) + (at - at.mean(0)) * _INNER
    quad = mosaic.plane.pixels(inner).astype(np.float32)
    way = cv2.getPerspectiveTransform(quad, corners(_SIDE_PX, _SIDE_PX))
    flat = cv2.warpPerspective(image, way, (_SIDE_PX, _SIDE_PX), flags=cv2.INTER_AREA)
    return np.asarray(flat, np.float32)


def _is_bare(bare: Floats, now: Floats) -> bool:
    a, b = bare - bare.mean(), now - now.mean()
    print_, seen = (float(np.sqrt((each * each).mean())) for each in (a, b))
    if max(print_, seen) < _LEAST_TEXTURE:
        return True
    return float((a * b).mean()) / (print_ * seen + 1e-3) > _BARE
