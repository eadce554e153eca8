"""What was seen, drawn over the picture, for people to check."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.tabletop.observations import Sighting
from companion.vision.crops import Image

_SURE = (80, 220, 60)
_UNSURE = (40, 190, 255)
_NONE = (160, 160, 160)


def drawn_over(image: Image, seen: Sequence[Sighting]) -> Image:
    out = image.copy()
    thick = max(1, round(max(image.shape[:2]) / 700))
    for one in seen:
        colour = _NONE if one.label is None else _SURE if one.p >= 0.9 else _UNSURE
        quad = np.round(np.array(one.quad) * 16).astype(np.int32)
        cv2.polylines(out, [quad], True, colour, thick, cv2.LINE_AA, 4)
        first, second = one.quad[0], one.quad[1]
        top = [(round(first[0]), round(first[1])), (round(second[0]), round(second[1]))]
        cv2.line(out, top[0], top[1], colour, thick * 2, cv2.LINE_AA)
        text = f"{one.label if one.label is not None else '?'} {one.p:.2f}"
        at = (round(one.middle[0]) - 20 * thick, round(one.middle[1]))
        size = 0.5 * thick
        cv2.putText(
            out, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), thick * 3, cv2.LINE_AA
        )
        cv2.putText(out, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)
    return out


def contact_sheet(pictures: Sequence[tuple[str, Image]], across: int = 5, side: int = 320) -> Image:
    """Small pictures side by side with a line of text under each."""
    tiles = []
    for text, image in pictures:
        grow = side / max(image.shape[:2])
        small = cv2.resize(image, None, fx=grow, fy=grow, interpolation=cv2.INTER_AREA)
        tile = np.full((side + 24, side, 3), 30, np.uint8)
        tile[: small.shape[0], : small.shape[1]] = small[:side, :side]
        cv2.putText(
            tile,
            text[:48],
            (4, side + 16),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.42,
            (240, 240, 240),
            1,
            cv2.LINE_AA,
        )
        tiles.append(tile)
    while len(tiles) % across:
        tiles.append(np.full_like(tiles[0], 30))
    rows = [np.hstack(tiles[i : i + across]) for i in range(0, len(tiles), across)]
    return np.vstack(rows)
