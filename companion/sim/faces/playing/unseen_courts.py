"""Families of courts that no training sees: they are for judging."""

from __future__ import annotations

import numpy as np

from companion.sim.faces.canvas import Shape, area, ellipse, rectangle, star, stroke
from companion.sim.faces.playing.sitters import Sitting, both, sign


def woodcut(sitting: Sitting) -> tuple[Shape, ...]:
    """Thick black lines, colour beside the lines, one block for both halves."""
    rng, style = sitting.rng, sitting.style
    black, x = style.ink("S"), sitting.middle
    half: list[Shape] = []
    for _ in range(int(rng.integers(4, 8))):
        off = rng.normal(0, 0.8, 2)
        ring = star(
            *(
                rng.uniform(sitting.left, sitting.right),
                rng.uniform(sitting.top + 14, sitting.half),
            ),
            rng.uniform(3, 9),
            rng.uniform(1, 4),
            int(rng.integers(3, 6)),
        )
        half.append(area(sitting.inside(ring + off), sitting.ink()))
        half.append(stroke(sitting.inside(ring), 0.9, black, closed=True))
    y = sitting.top + rng.uniform(12, 15)
    face = ellipse(x, y, 5, 6)
    half += [area(face, style.paper), stroke(face, 0.8, black, closed=True)]
    half += [stroke([(x + s * 2.6, y - 1), (x + s * 1.0, y - 1.2)], 0.7, black) for s in (-1, 1)]
    half.append(stroke([(x - 1.5, y + 3), (x + 1.5, y + 2.6)], 0.6, black))
    hat = np.array([(x - 7, y - 5), (x + 7, y - 5), (x + 3, y - 10), (x - 4, y - 9)])
    half += [
        area(sitting.inside(hat), sitting.ink()),
        stroke(sitting.inside(hat), 0.8, black, closed=True),
    ]
    half.append(stroke([(sitting.left, sitting.half), (sitting.right, sitting.half)], 1.1, black))
    half += sign(sitting)
    return both(sitting, half)


def deco(sitting: Sitting) -> tuple[Shape, ...]:
    """Fans of rays and arches."""
    rng, style = sitting.rng, sitting.style
    x = sitting.middle
    half: list[Shape] = [
        area(
            rectangle(
                sitting.left, sitting.top, sitting.right - sitting.left, sitting.half - sitting.top
            ),
            sitting.ink(),
        )
    ]
    inks = [sitting.ink() for _ in range(3)]
    rays = int(rng.integers(7, 15))
    at = np.linspace(np.pi, 2 * np.pi, 2 * rays)
    for i in range(rays):
        tips = [(x + 60 * np.cos(a), sitting.half + 60 * np.sin(a)) for a in at[2 * i : 2 * i + 2]]
        half.append(area(sitting.inside(np.array([(x, sitting.half), *tips])), inks[i % 3]))
    for k in range(4, 0, -1):
        ring = ellipse(x, sitting.half, 5.0 * k, 6.0 * k, 180, 360)
        half.append(area(sitting.inside(ring), inks[(k + 1) % 3]))
        half.append(stroke(sitting.inside(ring), 0.5, style.ink("S")))
    head = ellipse(x, sitting.top + 13, 4, 7)
    half += [area(head, style.paper), stroke(head, 0.6, style.ink("S"), closed=True)]
    half += sign(sitting)
    return both(sitting, half)
