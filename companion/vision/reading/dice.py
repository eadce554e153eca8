"""Reading dice: how many pips, and how sure; and what may be a die at all."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import dist
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.tabletop.observations import Sighting
from companion.vision.calibration import Plane
from companion.vision.crops import Image, die_cut
from companion.vision.detecting.finding import AROUND, AS_SURE, Found, Quad, rounded, sorted_by_kind
from companion.vision.networks import network

Way = tuple[float, tuple[int, int, int], int]

_DIE_MM = (9.0, 31.0)
"""Dice are of 12 to 20 mm; on edge, and with a side in view, they look larger."""
_LEAST_DIE = 14.0
"""No die is smaller, as it is found."""
_SQUARE_DIE = 0.3
"""How sure a small card is at least that may be a die lying straight."""
_DIE_DOUBT = 0.97
"""A die read less surely than this is looked at again,"""
_NO_DIE = 0.8
"""unless it is none as surely as this."""
_HARDLY = 0.27
"""What is found less surely than this is hardly found."""
_WEAKLY = 0.4
"""What is found less surely than this is found as weakly as a table's print."""
_PLAIN_PIPS = 0.99
"""What is hardly found is a die only if its pips are as plain as this at first sight,"""
_PIPS = 0.7
"""and what is weakly found, if they are as plain as this."""
NAMED = 0.7
"""A card read as surely as this has print on it that may look like dice."""
OFF_PRINT = 0.7
"""What is less surely found than this on such a card is print."""
_ONE_DIE = 0.6
"""Dice nearer than this share of a side are one."""
_COLOURS = (0, 1, 2), (1, 1, 1), (2, 2, 2)
_ALL_WAYS = tuple(product((1.0, 1.25), _COLOURS, range(4)))
"""How a die is looked at again: how much further off, for of one as dark as the table the finder
sees the pips alone; in which colours, for pips as bright as it are plain in green or red; and by
how many quarters turned."""
_LIVE_WAYS = tuple(way for way in _ALL_WAYS if (way[0] > 1) == way[2] % 2)
"""Half of them, as good, for a live table, which is looked at again anyway."""
DIE_STEEP = 1.3
"""The die reader's logits are multiplied by this before they become probabilities: fitted on
rendered tables."""
_TOGETHER = 1.25
"""The mean of several looks' logits is multiplied by this: fitted in the same way."""


# On a live table


def die_sized(found: Found, plane: Plane) -> bool:
    low, high = _DIE_MM
    return low < found.side / plane.px_per_mm < high


def grown(found: Found, plane: Plane) -> Found:
    """A die, where the finder may have seen its middle pip only."""
    more = _LEAST_DIE * plane.px_per_mm / found.side
    if more <= 1:
        return found
    return Found(found.kind, found.sure, found.middle + (found.quad - found.middle) * more)


def off_cards(found: Sequence[Found], cards: Sequence[Quad]) -> list[Found]:
    """Without what is print on these cards."""
    plain = [f for f in found if f.sure >= OFF_PRINT]
    rest = [f for f in found if f.sure < OFF_PRINT]
    if not rest or not cards:
        return [*plain, *rest]
    at, quads = np.array([f.middle for f in rest]), np.stack(cards)
    side = np.roll(quads, -1, 1) - quads
    off = at[:, None, None] - quads
    inside = (side[..., 0] * off[..., 1] - side[..., 1] * off[..., 0] > 0).all(2).any(1)
    return [*plain, *(f for f, printed in zip(rest, inside, strict=True) if not printed)]


def thrown(image: Image, found: Sequence[Found]) -> list[Sighting]:
    """Dice, also those hardly found and those taken for small cards, each once."""
    cards, dice = sorted_by_kind(found)
    out = read_dice(image, [f for f in dice if f.sure >= _HARDLY], _LIVE_WAYS)
    squares = [_square(f) for f in cards if f.sure >= _SQUARE_DIE]
    hardly = [f for f in dice if f.sure < _HARDLY]
    maybe = read_dice(image, [*squares, *hardly], _LIVE_WAYS)
    for one in sorted(maybe, key=lambda die: -die.p):
        if all(dist(one.middle, other.middle) > _ONE_DIE * _side_of(one) for other in out):
            out.append(one)
    return out


def _square(found: Found) -> Found:
    return Found("die", found.sure, found.middle + AROUND * found.side / 2)


def one_of(die: Sighting, tokens: Sequence[Sighting]) -> bool:
    """Whether a token's face was read there."""
    x, y = die.middle
    return any(np.hypot(x - t.middle[0], y - t.middle[1]) < _side_of(die) / 2 for t in tokens)


def _side_of(one: Sighting) -> float:
    return float(np.linalg.norm(np.subtract(one.quad[1], one.quad[0])))


# Pips


def read_dice(
    image: Image, found: Sequence[Found], ways: Sequence[Way] = _ALL_WAYS
) -> list[Sighting]:
    """Every die as a sighting; those in doubt are looked at again, in all those ways."""
    if not found:
        return []
    odds = _odds(np.stack([_die_cut(image, f) for f in found]))
    for number, f in enumerate(found):
        doubtful = odds[number].max() < _DIE_DOUBT and odds[number, 0] < _NO_DIE
        if doubtful and f.sure >= _WEAKLY:
            logs = np.log(np.maximum(_odds(_seen(image, f, ways)), 1e-6)).mean(0) * _TOGETHER
            odds[number] = np.exp(logs) / np.exp(logs).sum()
    out = []
    for f, row in zip(found, odds, strict=True):
        order = np.argsort(-row)
        value = int(order[0])
        if value == 0 or row[value] < _least(f):
            continue
        others = tuple((int(v), float(row[v])) for v in order[1:3] if v)
        sure = AS_SURE if f.sure < _HARDLY else f.sure
        out.append(Sighting("die", value, float(row[value]), rounded(f.quad), 0, others, sure))
    return out


def _least(found: Found) -> float:
    """How plain a die's pips must be."""
    if found.sure >= _WEAKLY:
        return 0.0
    return _PIPS if found.sure >= _HARDLY else _PLAIN_PIPS


def _die_cut(image: Image, found: Found, further: float = 1.0) -> Image:
    return die_cut(image, found.middle, float(np.ptp(found.quad[:, 0])) * further)


def _seen(image: Image, found: Found, ways: Sequence[Way]) -> Image:
    cuts = {further: _die_cut(image, found, further) for further, _, _ in ways}
    return np.stack([np.rot90(cuts[further][..., cols], turn) for further, cols, turn in ways])


def _odds(cuts: Image) -> npt.NDArray[Any]:
    """How probable it is that each cut shows none, one, ... six."""
    logits = network("dice").run(cuts) * DIE_STEEP
    odds = np.exp(logits - logits.max(1, keepdims=True))
    return odds / odds.sum(1, keepdims=True)
