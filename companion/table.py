"""What was seen on the table: words that settle, interpret and the page share; no pixels."""

from __future__ import annotations

from dataclasses import dataclass

Corner = tuple[float, float]
Quad = tuple[Corner, Corner, Corner, Corner]


@dataclass(frozen=True, slots=True)
class Sighting:
    """One card or die. The quad begins at the face's top left corner and runs clockwise."""

    kind: str
    label: str | int | None
    p: float
    """Probability of the label; where there is none, of being a card or a die at all."""
    quad: Quad
    turn: int = 0
    """Quarter turns of the face against the table's own up, in degrees."""
    others: tuple[tuple[str | int, float], ...] = ()
    """What else it may be."""
    found: float = 1.0
    """How sure the finder was that something is there."""

    @property
    def middle(self) -> Corner:
        return sum(x for x, _ in self.quad) / 4, sum(y for _, y in self.quad) / 4
