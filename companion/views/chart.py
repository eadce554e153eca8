"""Points over hands as a small line chart: coordinates only, the template draws them."""

from __future__ import annotations

from dataclasses import dataclass

WIDTH, HEIGHT, EDGE = 640, 240, 28


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    points: int


@dataclass(frozen=True, slots=True)
class Line:
    name: str
    dots: tuple[Dot, ...]

    @property
    def path(self) -> str:
        return " ".join(f"{dot.x:.1f},{dot.y:.1f}" for dot in self.dots)


@dataclass(frozen=True, slots=True)
class Chart:
    width: int
    height: int
    lines: tuple[Line, ...]
    limit: int | None
    limit_y: float


def chart(names: tuple[str, ...], lines: tuple[tuple[int, ...], ...], limit: int | None) -> Chart:
    """One line per seat, from the start to the last counted hand."""
    most = max(limit or 1, *(max(line) for line in lines), 1)
    steps = max(len(lines[0]) - 1, 1)

    def height(points: int) -> float:
        return HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * points / most

    def line(name: str, points: tuple[int, ...]) -> Line:
        span = WIDTH - 5 * EDGE  # room for the names at the right
        dots = tuple(Dot(EDGE + span * n / steps, height(p), p) for n, p in enumerate(points))
        return Line(name, dots)

    drawn = tuple(line(name, points) for name, points in zip(names, lines, strict=True))
    return Chart(WIDTH, HEIGHT, drawn, limit, height(limit or 0))
