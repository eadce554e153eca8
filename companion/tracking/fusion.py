"""Many looks at one card make one opinion."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

from companion.tabletop.observations import Odds

LEAST = 1e-5
"""No look rules a label out for good."""
BLANK = 0.1
"""A look that can read nothing says little against any label: every card is unreadable at times."""
FOREIGN = 0.1
"""How often a thing that was found is none of the known ones, beside one of them."""
TRUST = 0.5
"""Looks at one card share light, focus and angle, so they err together: `n` of them count as
`n ** TRUST` that do not,"""
MOST = 2.0
"""and never as more than this: staring makes nothing clearer."""


@dataclass(frozen=True, slots=True)
class FusedOdds:
    """The logarithms of what each look said, summed. None stands for "none of these"."""

    sums: tuple[tuple[str | int | None, float], ...] = ()
    rest: float = 0.0
    """The sum for a label no look has named so far."""
    looks: int = 0

    def heard(self, odds: Odds) -> FusedOdds:
        """With one look more."""
        said: dict[str | int | None, float] = dict(odds)
        left = max(LEAST, 1.0 - sum(said.values()))
        said[None] = left
        blank = all(p <= left for p in said.values())
        least = BLANK if blank else LEAST
        unnamed = max(least, min(left, *said.values()) / 4)
        labels = dict.fromkeys((*(label for label, _ in self.sums), *said))
        before = dict(self.sums)
        return FusedOdds(
            tuple(
                (label, before.get(label, self.rest) + log(max(least, said.get(label, unnamed))))
                for label in labels
            ),
            self.rest + log(unnamed),
            self.looks + 1,
        )

    @property
    def odds(self) -> Odds:
        """What all looks together say, likeliest first."""
        if not self.looks:
            return ()
        scale = min(MOST, self.looks**TRUST) / self.looks
        top = max(each for _, each in self.sums)
        weights = {label: exp((each - top) * scale) for label, each in self.sums}
        weights[None] *= FOREIGN
        whole = sum(weights.values())
        named = [(label, w / whole) for label, w in weights.items() if label is not None]
        return tuple(sorted(named, key=lambda each: -each[1]))[:8]
