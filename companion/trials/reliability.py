"""Whether probabilities mean what they say: of readings with 90 %, nine in ten should be right.

A single number, the temperature, corrects them. It is fitted on other games than it is judged on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from companion.deciding.decide import tempered

EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 1.0)
"""Of the bins; narrow where probabilities are high, because most are."""
TEMPERATURES = tuple(0.4 * 1.05**step for step in range(56))
"""Tried for the best fit; below 1 makes readings surer, above 1 less sure."""
_LEAST_P = 1e-4
"""No sample counts as less probable than this: a single one would decide the fit."""


@dataclass(frozen=True, slots=True)
class ReliabilitySample:
    """The likeliest reading at the time something was entered, objected to or asked."""

    said: float
    """Its probability."""
    right: bool
    """Whether it is what happened."""


@dataclass(frozen=True, slots=True)
class Bin:
    """The samples with a probability from `low` to `high`."""

    low: float
    high: float
    many: int
    said: float
    """Their mean probability."""
    right: float
    """The share of them that was right."""


def curve(samples: Sequence[ReliabilitySample], temperature: float = 1.0) -> tuple[Bin, ...]:
    """The reliability curve: one bin after the other; a bin without samples is left out."""
    at = [(tempered(each.said, temperature), each.right) for each in samples]
    found = []
    for low, high in pairwise(EDGES):
        inside = [(p, r) for p, r in at if low <= p < high or (high == 1.0 and p >= high)]
        if inside:
            many = len(inside)
            said, right = sum(p for p, _ in inside) / many, sum(r for _, r in inside) / many
            found.append(Bin(low, high, many, said, right))
    return tuple(found)


def off_by(bins: Sequence[Bin]) -> float:
    """The expected calibration error: how far probability and share right are apart, on average
    over all samples."""
    whole = sum(each.many for each in bins)
    return sum(each.many * abs(each.said - each.right) for each in bins) / whole if whole else 0.0


def loss(samples: Sequence[ReliabilitySample], temperature: float) -> float:
    """The mean negative log likelihood; the smaller, the better."""
    total = 0.0
    for each in samples:
        p = tempered(each.said, temperature)
        total -= log(max(_LEAST_P, p if each.right else 1.0 - p))
    return total / len(samples) if samples else 0.0


def fitted(samples: Sequence[ReliabilitySample]) -> float:
    """The temperature with the least loss; 1 if every sample is right, because then nothing can
    be learnt."""
    if all(each.right for each in samples):
        return 1.0
    return min(TEMPERATURES, key=lambda temperature: loss(samples, temperature))


def markdown(samples: Sequence[ReliabilitySample], temperature: float) -> Iterator[str]:
    """The curve at this temperature as a table."""
    yield "| said | plays | said on average | right |"
    yield "|---|---|---|---|"
    for each in curve(samples, temperature):
        said = f"{each.low:.1%} to {each.high:.1%}"
        yield f"| {said} | {each.many} | {each.said:.2%} | {each.right:.2%} |"
