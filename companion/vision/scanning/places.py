"""What lies on the places in one hand-held picture: on boards that are found by their print, or on
a mat that is found by its markers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.foundation.errors import BadInput
from companion.scanning.scanner import ScannedView
from companion.tabletop.observations import Corner, Quad, Sighting
from companion.tabletop.zones import Outline, centre, size
from companion.vision.boards.bare import BareBoards
from companion.vision.boards.board import Board, Place
from companion.vision.boards.finding import BoardFinder
from companion.vision.boards.mosaic import Mosaic, Tile
from companion.vision.boards.plane import FoundBoard
from companion.vision.boards.template import template
from companion.vision.calibration import Plane, markers_in, solve
from companion.vision.crops import Image, ImagePyramid, corners
from companion.vision.decks import Deck
from companion.vision.detecting.finding import AROUND, Detection
from companion.vision.look import find_on_table, look
from companion.vision.plausibility import without_duplicates
from companion.vision.reading.cards import LiveTable, read
from companion.vision.reading.tokens import TOKEN_MAX_MM, Points, token_size
from companion.vision.scanning.tokens import tokens_overlooked, unclear_places

RIM_MM = 60.0
"""How much of the table about a board is looked at: units and coins lie beside it."""
SCALES = (1.2, 2.2)
"""The least and the greatest scale at which a board is looked at, in pixels to a millimetre."""
_SUPPOSED = 0.2
"""How surely a card is found where one is only supposed."""
_ROOM_MM = 6.0
"""By how much a card may be larger than its place."""
MOST_PX = 1900
"""The longest side of the picture of one board."""


def views_on_boards(
    photograph: Image, finder: BoardFinder, deck: Deck, owner: str = ""
) -> list[ScannedView]:
    """What lies on each board in the picture, in the board's own millimetres. Of a board that is
    partly in view only the places in view count. Of boards that may be the asked owner's, the one
    that is most in view is read by that owner's places; the others are not what was asked for."""
    out = []
    every = [_as_of(owner, found, finder) for found in finder.find(photograph)]
    theirs = [found for found in every if owner and found.board.owner == owner]
    asked = max(theirs, key=lambda each: _area_in_view(photograph, each), default=None)
    for found in every:
        if found is not asked and any(found is each for each in theirs):
            continue
        places = tuple(each for each in found.board.places if _in_view(photograph, found, each))
        if places:
            out.append((found, _on_board(photograph, found, places, finder, deck)))
    return [_without_others(view, found, every) for found, view in out]


def _as_of(owner: str, found: FoundBoard, finder: BoardFinder) -> FoundBoard:
    """The board as that owner's, if it looks like theirs."""
    mine = next((each for each in _twins(found, finder) if owner and each.owner == owner), None)
    return found if mine is None else finder.named(found, mine)


def _twins(found: FoundBoard, finder: BoardFinder) -> list[Board]:
    """All boards of its print, itself among them."""
    return next(each for each in finder.copies if any(found.board is one for one in each))


def _without_others(
    view: ScannedView, mine: FoundBoard, boards: Sequence[FoundBoard]
) -> ScannedView:
    """What lies on another board is not beside this one."""

    def on_other(one: Sighting) -> bool:
        at = mine.pixels(np.array([one.middle]))
        return any(
            cv2.pointPolygonTest(other.quad.astype(np.float32), at[0].astype(float).tolist(), False)
            >= 0
            for other in boards
            if other is not mine
        )

    return replace(view, sightings=tuple(s for s in view.sightings if not on_other(s)))


def _area_in_view(photograph: Image, found: FoundBoard) -> float:
    height, width = photograph.shape[:2]
    picture = corners(width, height).astype(np.float32)
    return float(cv2.intersectConvexConvex(picture, found.quad.astype(np.float32))[0])


def _in_view(photograph: Image, found: FoundBoard, place: Place) -> bool:
    height, width = photograph.shape[:2]
    at = found.pixels(np.array(place.outline))
    return bool((at >= 0).all() and (at < (width, height)).all())


def _on_board(
    photograph: Image,
    found: FoundBoard,
    places: tuple[Place, ...],
    finder: BoardFinder,
    deck: Deck,
) -> ScannedView:
    board = found.board
    mosaic = _alone(found)
    picture = mosaic.bare()
    mosaic.show(picture, photograph, (found,))
    seen = _looked(picture, mosaic, places, deck)
    spots = [_px(centre(place.outline), mosaic) for place in places if _small(place, deck)]
    seen += tokens_overlooked(ImagePyramid(picture), seen, spots, deck, mosaic.plane)
    lying = BareBoards(mosaic).without_print(picture, _in_mm(seen, mosaic.plane))
    alike = tuple(each.owner for each in _twins(found, finder) if each is not board and each.owner)
    return ScannedView(
        tuple(_moved(each, -RIM_MM) for each in lying),
        {place.name: place.outline for place in places},
        board.owner,
        alike,
        unclear_places(picture, mosaic, lying),
        board.size_mm,
    )


def _looked(
    picture: Image, mosaic: Mosaic, places: tuple[Place, ...], deck: Deck
) -> list[Sighting]:
    """As `look` does on a table; a card is also supposed on every place that has room for it, and
    counts if its face is read plainly."""
    pyramid = ImagePyramid(picture)
    detections = find_on_table(pyramid, deck, mosaic.plane)
    supposed = [each for place in places for each in _supposed(place, mosaic, deck)]
    table = LiveTable(mosaic.plane, detections.heatmap)
    seen = read(pyramid, [*detections.found, *supposed], deck, table)
    return without_duplicates(seen, deck.several, side_by_side=deck.side_by_side)


def _supposed(place: Place, mosaic: Mosaic, deck: Deck) -> Iterator[Detection]:
    """Cards of every size that fits, in the middle of the place."""
    room = np.array(size(place.outline)) + _ROOM_MM
    for side in sorted(set(deck.sizes)):
        if side[0] >= TOKEN_MAX_MM and (np.array(side) <= room).all():
            half = np.array(side) * mosaic.px_per_mm / 2
            yield Detection("card", _SUPPOSED, _px(centre(place.outline), mosaic) + AROUND * half)


def _small(place: Place, deck: Deck) -> bool:
    """Whether there is room for a token only."""
    side = token_size(deck)
    return side is not None and max(size(place.outline)) < 2 * side


def _px(at: Corner, mosaic: Mosaic) -> Points:
    return (np.array(at) + RIM_MM) * mosaic.px_per_mm


def _alone(found: FoundBoard) -> Mosaic:
    """A mosaic of one board, upright, with much of the table about it."""
    board = found.board
    extent = (board.size_mm[0] + 2 * RIM_MM, board.size_mm[1] + 2 * RIM_MM)
    shift = np.array([[1, 0, RIM_MM], [0, 1, RIM_MM], [0, 0, 1]], np.float64)
    tile = Tile(board, shift, (0.0, 0.0), extent)
    side = float(np.linalg.norm(found.quad[1] - found.quad[0]))
    low, high = SCALES
    scale = min(max(side / board.size_mm[0], low), high, MOST_PX / max(extent))
    return Mosaic((tile,), extent, scale)


def views_on_mat(photograph: Image, zones: Mapping[str, Outline], deck: Deck) -> list[ScannedView]:
    """What lies on the mat: a view for what all share, and one for each seat's own places; none if
    its markers are not in the picture."""
    try:
        plane = solve(markers_in(photograph), (photograph.shape[1], photograph.shape[0]))
    except BadInput:
        return []
    seen = tuple(_in_mm(look(photograph, deck, plane=plane), plane))
    owners = dict.fromkeys(name.partition(".")[0] if "." in name else "" for name in zones)
    return [_part(seen, zones, owner) for owner in owners]


def _part(seen: tuple[Sighting, ...], zones: Mapping[str, Outline], owner: str) -> ScannedView:
    start = f"{owner}."
    mine = {
        name.removeprefix(start): outline
        for name, outline in zones.items()
        if (name.startswith(start) if owner else "." not in name)
    }
    view = ScannedView(seen, mine, owner)
    lying = tuple(each for each in seen if view.place(each))
    far = template(zones, owner)
    return replace(view, sightings=lying, upside_down=far is not None and far.upside_down)


def _in_mm(seen: list[Sighting], plane: Plane) -> list[Sighting]:
    return [replace(each, quad=_quad(plane.table(np.array(each.quad)))) for each in seen]


def _moved(one: Sighting, by: float) -> Sighting:
    return replace(one, quad=_quad(np.array(one.quad) + by))


def _quad(points: np.ndarray) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in points.round(2).tolist())
    return a, b, c, d
