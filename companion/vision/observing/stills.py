"""A film's still moments: what lay on the table whenever no hand was over it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.foundation.errors import BadInput
from companion.tabletop.observations import Motion, Sighting
from companion.vision import calibration as calibrating
from companion.vision.calibration import Plane
from companion.vision.crops import Image
from companion.vision.decks import Deck
from companion.vision.look import look
from companion.vision.observing.gate import Gate

_SURE = 0.5
"""Sightings less probable than this do not make one moment differ from the last."""


def still_moments(
    pictures: Iterable[tuple[float, Image]], deck: Deck
) -> Iterator[tuple[float, Image, list[Sighting]]]:
    """Whenever the table has come to rest and something else lies there: the second, the picture,
    and what is seen. With the four markers in view the scale is known."""
    gate = Gate()
    last: list[tuple[str, str]] | None = None
    for second, image in pictures:
        if gate.step(image) is not Motion.STILL or not gate.changed().any():
            continue
        gate.settle()
        seen = look(image, deck, plane=_plane_in(image))
        lying = sorted((s.kind, str(s.label)) for s in seen if s.p >= _SURE)
        if lying != last:
            last = lying
            yield second, image, seen


def _plane_in(image: Image) -> Plane | None:
    try:
        size = (image.shape[1], image.shape[0])
        return calibrating.solve(calibrating.markers_in(image), size)
    except BadInput:
        return None
