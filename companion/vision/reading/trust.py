"""How far what one photograph seems to show may be trusted.

A reader says how probable a face is if the find is a card, or a die, as cut; the finder says how
probable it is that anything lies there. Both together, weighed as drawn photographs taught
(`python -m models.train.trust`), are the probability that the label is right.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import exp, log

from companion.foundation.resources import shipped
from companion.tabletop.observations import Sighting

TRUST_FILE = "trust.json"
"""Beside the networks it was fitted to."""
LONE_DIE = "lone-die"
_PLAIN_READ, _PLAIN_FOUND = 0.97, 0.7
"""A die read and found at least this surely is plain."""
_EDGE = 1e-4
"""No probability is nearer to 0 or 1 than this: beyond, a network's numbers mean nothing."""


@dataclass(frozen=True, slots=True)
class Trust:
    """The log odds of being right: weights of those of the reading and of the find."""

    read: float = 1.0
    found: float = 0.0
    lean: float = 0.0

    def of(self, one: Sighting) -> float:
        return _odds_to_p(
            self.read * log_odds(one.p) + self.found * log_odds(one.found) + self.lean
        )


def log_odds(p: float) -> float:
    sure = min(max(p, _EDGE), 1 - _EDGE)
    return log(sure / (1 - sure))


def _odds_to_p(odds: float) -> float:
    return 1 / (1 + exp(-min(max(odds, -30.0), 30.0)))


@cache
def _shipped() -> dict[str, tuple[float, ...]]:
    try:
        rows = json.loads((shipped("models") / TRUST_FILE).read_text(encoding="utf-8"))
        return {str(kind): tuple(map(float, row)) for kind, row in rows.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def weights(kind: str) -> tuple[float, ...] | None:
    """What was fitted for that kind; None without the file: then readings are taken as they are."""
    return _shipped().get(kind)


def kind_of(one: Sighting, seen: Sequence[Sighting]) -> str:
    """What it is trusted as, among what else was seen: a die with no plain die beside it is more
    often print, a button or a battery."""
    if one.kind != "die":
        return one.kind
    plain = (s for s in seen if s.kind == "die" and s.p >= _PLAIN_READ and s.found >= _PLAIN_FOUND)
    return "die" if any(other is not one for other in plain) else LONE_DIE


def trusted(one: Sighting, seen: Sequence[Sighting] = ()) -> Sighting:
    """The sighting, its label as probable as it has proved to be among what else was `seen`; one
    without a label as it is."""
    fitted = weights(kind_of(one, seen))
    if fitted is None or one.label is None:
        return one
    p = Trust(*fitted).of(one)
    return replace(one, p=p, others=tuple((label, min(q, p)) for label, q in one.others))
