"""Reading dice: how many pips each shows, how surely, and whether it is a die at all."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import dist
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.tabletop.observations import Sighting
from companion.vision.calibration import Plane
from companion.vision.crops import Image, die_crop
from companion.vision.detecting.finding import (
    AROUND,
    READ_PLAINLY,
    Detection,
    Quad,
    rounded,
    sorted_by_kind,
)
from companion.vision.networks import network

Way = tuple[float, tuple[int, int, int], int]
"""One way to look at a die again: how much larger a crop, which colour channels, and by how many
quarters turned."""

_DIE_MM = (9.0, 31.0)
"""The sides of finds that may be dice. Dice are 12 to 20 mm wide; one seen on edge, or with a side
in view, looks larger."""
_LEAST_DIE_MM = 14.0
"""A die found smaller than this was found by its middle pip only."""
_SQUARE_DIE = 0.3
"""A small card found at least this surely may be a die that lies straight."""
_DOUBT = 0.97
"""A die read less surely than this is looked at again ..."""
_NO_DIE = 0.8
"""... unless it is none at least this surely."""
_FAINT = 0.27
"""Finds less sure than this are faint: hardly anything was found there."""
_WEAK = 0.4
"""Finds less sure than this are weak: the print of a table looks as much like a die."""
_FAINT_PIPS = 0.99
"""A faint find is a die only if its pips are at least this probable at the first look ..."""
_WEAK_PIPS = 0.7
"""... and a weak one if they are at least this probable."""
_MOST_AGAIN = 6
"""Of the dice in doubt on a live table, the surest finds that are looked at again: print may flood
the finder, and what is in doubt now is looked at again soon ..."""
_MOST_AGAIN_ONCE = 24
"""... which a photograph is not."""
CARD_NAMED = 0.7
"""On a card read at least this surely, a die may be print: a pip, or part of the picture ..."""
DIE_NOT_PRINT = 0.7
"""... unless it was found at least this surely."""
_SAME_DIE = 0.6
"""Dice nearer than this share of a side are one."""
_BGR, _GREEN, _RED = (0, 1, 2), (1, 1, 1), (2, 2, 2)
_ALL_WAYS = tuple(product((1.0, 1.25), (_BGR, _GREEN, _RED), range(4)))
"""A larger crop, because of a die as dark as the table the finder finds only the pips; green and
red, because there pips as bright as the die can be told from it."""
_LIVE_WAYS = tuple(way for way in _ALL_WAYS if (way[0] > 1) == way[2] % 2)
"""Half of them, for a live table, which is looked at again anyway."""
DIE_STEEP = 1.3
"""The die reader's logits are multiplied by this to become true probabilities: fitted on rendered
tables."""
_TOGETHER = 1.25
"""The same for the mean of the log probabilities of several looks."""


# On a live table


def die_sized(found: Detection, plane: Plane) -> bool:
    low, high = _DIE_MM
    return low < found.side / plane.px_per_mm < high


def at_least_die_sized(found: Detection, plane: Plane) -> Detection:
    """The find, enlarged to a die's size if the finder saw the middle pip only."""
    more = _LEAST_DIE_MM * plane.px_per_mm / found.side
    if more <= 1:
        return found
    return Detection(found.kind, found.sure, found.middle + (found.quad - found.middle) * more)


def without_print(found: Sequence[Detection], cards: Sequence[Quad]) -> list[Detection]:
    """Drop finds that may be print on these cards."""
    plain = [f for f in found if f.sure >= DIE_NOT_PRINT]
    rest = [f for f in found if f.sure < DIE_NOT_PRINT]
    if not rest or not cards:
        return [*plain, *rest]
    at, quads = np.array([f.middle for f in rest]), np.stack(cards)
    side = np.roll(quads, -1, 1) - quads
    off = at[:, None, None] - quads
    inside = (side[..., 0] * off[..., 1] - side[..., 1] * off[..., 0] > 0).all(2).any(1)
    return [*plain, *(f for f, printed in zip(rest, inside, strict=True) if not printed)]


def read_live_dice(image: Image, found: Sequence[Detection]) -> list[Sighting]:
    """Read the dice on a live table, each once; also faint ones, and those found as small cards."""
    cards, dice = sorted_by_kind(found)
    out = read_dice(image, [f for f in dice if f.sure >= _FAINT], _LIVE_WAYS)
    squares = [_square(f) for f in cards if f.sure >= _SQUARE_DIE]
    faint = [f for f in dice if f.sure < _FAINT]
    maybe = read_dice(image, [*squares, *faint], _LIVE_WAYS)
    for one in sorted(maybe, key=lambda die: -die.p):
        if all(dist(one.middle, other.middle) > _SAME_DIE * _side_of(one) for other in out):
            out.append(one)
    return out


def _square(found: Detection) -> Detection:
    """A small card as the die it may be."""
    return Detection("die", found.sure, found.middle + AROUND * found.side / 2)


def is_token(die: Sighting, tokens: Sequence[Sighting]) -> bool:
    """Whether a token was read in its place."""
    x, y = die.middle
    return any(np.hypot(x - t.middle[0], y - t.middle[1]) < _side_of(die) / 2 for t in tokens)


def _side_of(one: Sighting) -> float:
    return float(np.linalg.norm(np.subtract(one.quad[1], one.quad[0])))


# Pips


def read_dice(
    image: Image, found: Sequence[Detection], ways: Sequence[Way] = _ALL_WAYS
) -> list[Sighting]:
    """Read every die; those in doubt again, in all these ways. Finds that are none are dropped."""
    if not found:
        return []
    odds = _odds(np.stack([_crop(image, f) for f in found]))
    doubtful = (odds.max(1) < _DOUBT) & (odds[:, 0] < _NO_DIE)
    again = [n for n, f in enumerate(found) if doubtful[n] and f.sure >= _WEAK]
    most = _MOST_AGAIN_ONCE if len(ways) == len(_ALL_WAYS) else _MOST_AGAIN
    for number in sorted(again, key=lambda n: -found[n].sure)[:most]:
        odds[number] = _odds_together(_crops(image, found[number], ways))
    seen = (_sighting(f, row) for f, row in zip(found, odds, strict=True))
    return [one for one in seen if one is not None]


def _sighting(found: Detection, odds: npt.NDArray[Any]) -> Sighting | None:
    """The die that was read, if it is one. `odds` are those of no die, one pip, ... six pips."""
    order = np.argsort(-odds)
    value = int(order[0])
    if value == 0 or odds[value] < _least_pips(found):
        return None
    others = tuple((int(v), float(odds[v])) for v in order[1:3] if v)
    sure = READ_PLAINLY if found.sure < _FAINT else found.sure
    return Sighting("die", value, float(odds[value]), rounded(found.quad), 0, others, sure)


def _least_pips(found: Detection) -> float:
    """How probable a die's pips must be for it to be one."""
    if found.sure >= _WEAK:
        return 0.0
    return _WEAK_PIPS if found.sure >= _FAINT else _FAINT_PIPS


def _crop(image: Image, found: Detection, larger: float = 1.0) -> Image:
    return die_crop(image, found.middle, float(np.ptp(found.quad[:, 0])) * larger)


def _crops(image: Image, found: Detection, ways: Sequence[Way]) -> Image:
    """One die, looked at in all these ways."""
    crops = {larger: _crop(image, found, larger) for larger, _, _ in ways}
    return np.stack([np.rot90(crops[larger][..., cols], turn) for larger, cols, turn in ways])


def _odds_together(crops: Image) -> npt.NDArray[Any]:
    """The odds of one die from several looks at it: the mean of their logs."""
    logs = np.log(np.maximum(_odds(crops), 1e-6)).mean(0) * _TOGETHER
    out: npt.NDArray[Any] = np.exp(logs) / np.exp(logs).sum()
    return out


def _odds(crops: Image) -> npt.NDArray[Any]:
    """How probably each crop shows no die, one pip, ... six pips."""
    logits = network("dice").run(crops) * DIE_STEEP
    odds = np.exp(logits - logits.max(1, keepdims=True))
    return odds / odds.sum(1, keepdims=True)
