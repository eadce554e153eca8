"""A small line chart of points over hands. Only coordinates are worked out here; the template draws
them."""

from __future__ import annotations

from dataclasses import dataclass

# In units of the drawing.
WIDTH, HEIGHT = 640, 240
EDGE = 28
"""The margin about the lines."""
LABEL = 17
"""The least distance of two names, one above the other."""


@dataclass(frozen=True, slots=True)
class Dot:
    """The points after one hand."""

    x: float
    y: float
    points: int


@dataclass(frozen=True, slots=True)
class ChartLine:
    name: str
    dots: tuple[Dot, ...]
    label_y: float

    @property
    def path(self) -> str:
        return " ".join(f"{dot.x:.1f},{dot.y:.1f}" for dot in self.dots)


@dataclass(frozen=True, slots=True)
class Chart:
    width: int
    height: int
    lines: tuple[ChartLine, ...]
    limit: int | None
    limit_y: float


def chart(names: tuple[str, ...], lines: tuple[tuple[int, ...], ...], limit: int | None) -> Chart:
    """One line for each seat, from the start to the last counted hand; `limit` are the points that
    end the game."""
    most = max(limit or 1, *(max(line) for line in lines), 1)
    steps = max(len(lines[0]) - 1, 1)

    def height(points: int) -> float:
        return HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * points / most

    span = WIDTH - 5 * EDGE  # room for the names at the right
    labels = _apart(tuple(height(points[-1]) + 5 for points in lines))
    drawn = tuple(
        ChartLine(
            name,
            tuple(Dot(EDGE + span * n / steps, height(p), p) for n, p in enumerate(points)),
            label,
        )
        for name, points, label in zip(names, lines, labels, strict=True)
    )
    return Chart(WIDTH, HEIGHT, drawn, limit, height(limit or 0))


def _apart(heights: tuple[float, ...]) -> tuple[float, ...]:
    """The heights of labels so that none lies on another: from the bottom up, each is moved up as
    far as it must."""
    placed: dict[int, float] = {}
    lowest = float("inf")
    for place in sorted(range(len(heights)), key=lambda each: -heights[each]):
        lowest = min(heights[place], lowest - LABEL)
        placed[place] = lowest
    return tuple(placed[place] for place in range(len(heights)))
