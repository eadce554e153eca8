"""The round somebody tries the box with: lay a card, take it away, pass. Loads no pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class GuidedRound:
    """What was done of it so far; each look and each press gives the next one."""

    lay_there: int | None = None
    """Cards that lay on the table before; None: nobody has looked yet."""
    laid: bool = False
    taken: bool = False
    passed: bool = False

    @property
    def done(self) -> bool:
        return self.laid and self.taken and self.passed

    def sees(self, cards: int) -> GuidedRound:
        """So many cards lie there now."""
        if self.lay_there is None:
            return replace(self, lay_there=cards)
        if not self.laid:
            if cards > self.lay_there:
                return replace(self, laid=True)
            return replace(self, lay_there=cards)
        if not self.taken and cards <= self.lay_there:
            return replace(self, taken=True)
        return self

    def passes(self) -> GuidedRound:
        return replace(self, passed=True)
