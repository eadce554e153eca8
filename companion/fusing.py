"""Many looks at one card make one opinion."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

from companion.table import Odds

LEAST = 1e-5
"""No look rules a label out for good."""
TRUST = 0.5
"""Looks at one card share light, focus and angle, so they err together: `n` of them count as
`n ** TRUST` that do not."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The logarithms of what each look said, summed. None stands for "none of these"."""

    sums: tuple[tuple[str | int | None, float], ...] = ()
    rest: float = 0.0
    """The sum for a label no look has named so far."""
    looks: int = 0

    def heard(self, odds: Odds) -> Evidence:
        """With one look more."""
        said: dict[str | int | None, float] = dict(odds)
        left = max(LEAST, 1.0 - sum(said.values()))
        said[None] = left
        unnamed = max(LEAST, min(left, *said.values()) / 4)
        labels = dict.fromkeys((*(label for label, _ in self.sums), *said))
        before = dict(self.sums)
        return Evidence(
            tuple(
                (label, before.get(label, self.rest) + log(max(LEAST, said.get(label, unnamed))))
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
        scale = self.looks**TRUST / self.looks
        top = max(each for _, each in self.sums)
        weights = {label: exp((each - top) * scale) for label, each in self.sums}
        whole = sum(weights.values())
        named = [(label, w / whole) for label, w in weights.items() if label is not None]
        return tuple(sorted(named, key=lambda each: -each[1]))[:8]
