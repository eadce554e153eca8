"""What lies in a known place: nothing, a token, a coin, or a marker somewhere on a track.

Places are small and fixed, so nothing has to be found: each is cut out and compared with looks
of it enrolled before, the empty one among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.calibrating import Plane
from companion.vision.cuts import Image, card_cut
from companion.vision.decks import Deck, Look, Sureness, built
from companion.vision.networks import network
from companion.zones import Outline

EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Filled:
    """What a place holds; `what` is None where it is like nothing enrolled."""

    place: str
    what: str | None
    p: float


def read_places(
    image: Image, plane: Plane, places: Mapping[str, Outline], known: Deck
) -> dict[str, Filled]:
    """The content of every place, in one batch."""
    if not places:
        return {}
    cuts = [_cut(image, plane, outline) for outline in places.values()]
    matches = known.match(network("embedder").run(np.stack(cuts)))
    return {
        name: Filled(name, match.label, match.p)
        for name, match in zip(places, matches, strict=True)
    }


def marker_on(track: Sequence[str], filled: Mapping[str, Filled]) -> tuple[int, float] | None:
    """Which step of a track the marker stands on: the one least like an empty step."""
    odds = [1 - _empty(filled[step]) for step in track]
    best = int(np.argmax(odds))
    rest = max((p for i, p in enumerate(odds) if i != best), default=0.0)
    if odds[best] < 0.5:
        return None
    return best, odds[best] / (odds[best] + rest)


def _empty(one: Filled) -> float:
    return one.p if one.what == EMPTY else (1 - one.p if one.what is not None else 0.5)


def learn_places(
    name: str, samples: Iterable[tuple[str, Image, Plane, Outline]], sure: Sureness | None = None
) -> Deck:
    """Looks of places with what is known to lie in them; four turns of each but of nothing."""
    rows = []
    for what, image, plane, outline in samples:
        cut = _cut(image, plane, outline)
        turns = [cut] if what == EMPTY else [cut, np.ascontiguousarray(cut[::-1, ::-1])]
        for number, point in enumerate(network("embedder").run(np.stack(turns))):
            rows.append((Look(what, 180 * number), point))
    return built(name, rows, sure or Sureness(30.0, 0.5), 1.0)


def _cut(image: Image, plane: Plane, outline: Outline) -> Image:
    return card_cut(image, plane.pixels(np.array(outline, np.float64)))


__all__ = ["EMPTY", "Filled", "learn_places", "marker_on", "read_places"]
