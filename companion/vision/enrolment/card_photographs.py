"""Photographs of single cards: the card alone is kept, and read by the same picture next time."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from companion.foundation.errors import BadInput
from companion.foundation.frames import jpeg
from companion.foundation.messages import N_
from companion.ledger.photographs import MOST_PHOTOGRAPHS
from companion.vision.crops import flat_crop, grown, within
from companion.vision.decks import Deck, Look, Vectors, built
from companion.vision.enrolment.deck_making import (
    Sample,
    is_square,
    looks_of,
    only_card,
    with_owners_looks,
)
from companion.vision.pictures import small_picture, uploaded_picture

log = logging.getLogger(__name__)

SIDE_PX = 1600
"""A photograph is looked at no larger than this."""
CARD_PX, SQUARE_PX = (480, 672), (560, 560)
"""How large the card is kept: its text can be read."""
_ROOM = 0.06
"""How much about the card is kept: a share of its sides."""
_QUALITY = 88
"""Of the JPEG, 0 to 100."""


def card_in(data: bytes, name: str) -> bytes:
    """The card that a photograph shows, straight and alone, as JPEG; raises `BadInput`."""
    image = uploaded_picture(data, name, SIDE_PX)
    quad = only_card(Sample("", image, source=name))
    pixels = flat_crop(image, grown(quad, _ROOM), SQUARE_PX if is_square(quad) else CARD_PX)
    return jpeg(pixels, pixels.shape[1], _QUALITY)


def with_photographs(deck: Deck, files: Mapping[str, Path]) -> Deck:
    """The deck with the cards that its owner has photographed, by their names."""
    rows = list(_rows(files))
    if not rows:
        return deck
    return with_owners_looks(deck, built(deck.name, rows, deck.sure, deck.shape))


def _rows(files: Mapping[str, Path]) -> Iterator[tuple[Look, Vectors]]:
    for label, file in list(files.items())[:MOST_PHOTOGRAPHS]:
        try:
            yield from _looks(label, file, file.stat().st_mtime_ns)
        except (BadInput, OSError) as unread:
            log.warning("%s: %s; left out", file, unread)


@lru_cache(maxsize=2 * MOST_PHOTOGRAPHS)
def _looks(label: str, file: Path, _changed: int) -> tuple[tuple[Look, Vectors], ...]:
    """Looked at once, however often a game begins."""
    data = file.read_bytes()
    found = (small_picture(data, size) for size in (CARD_PX, SQUARE_PX))
    pixels = next((each for each in found if each is not None), None)
    if pixels is None:
        raise BadInput("not-a-kept-card", N_("%(file)s: not a picture of a card"), file=file)
    quad = within(pixels.shape[1], pixels.shape[0], 1 + 2 * _ROOM)
    return tuple(looks_of(label, pixels, quad))
