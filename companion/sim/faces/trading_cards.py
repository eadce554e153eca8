"""Cards of games that do not exist, in the frames of trading cards: borders of all kinds, title
bars, pictures and text boxes. The faces of a family share a frame and differ in their art.

The edge of such a card is where it ends, not where its picture or its text box does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.sim.faces.canvas import (
    Colour,
    Face,
    Shape,
    area,
    ellipse,
    rectangle,
    star,
    stroke,
)
from companion.sim.faces.playing import outlines

_LETTERS = list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


@dataclass(frozen=True, slots=True)
class CardFrame:
    """What the cards of one game share."""

    width: float
    height: float
    border: float
    edge: Colour
    panel: Colour
    title: float
    """The height of the title bar; 0: there is none."""
    art: tuple[float, float]
    """Where the picture begins and ends, as shares of the height."""
    text: bool
    badge: int
    """0: none; 1: a number in a corner; 2: in two; 3: below."""
    typeface: str
    corner: float


def trading_family(rng: np.random.Generator, size: int) -> list[Face]:
    frame = _frame(rng)
    return [_face(i, frame, rng) for i in range(size)]


def _frame(rng: np.random.Generator) -> CardFrame:
    sizes = ((63.0, 88.0), (59.0, 86.0), (57.0, 87.0), (70.0, 120.0), (63.5, 88.0), (45.0, 68.0))
    w, h = sizes[int(rng.integers(len(sizes)))]
    edge = _ink(rng.integers(0, 256, 3))
    lot = rng.random()
    if lot < 0.35:
        edge = _ink(np.full(3, rng.integers(0, 40)))
    elif lot < 0.5:
        edge = _ink(np.full(3, rng.integers(225, 256)))
    full = rng.random() < 0.25
    faces = outlines.typefaces()
    return CardFrame(
        width=w,
        height=h,
        border=0.0 if full else float(rng.uniform(1.0, 7.0)),
        edge=edge,
        panel=_ink(rng.integers(0, 256, 3)),
        title=float(rng.uniform(3.5, 8)) if rng.random() < 0.8 else 0.0,
        art=(0.0, 1.0)
        if full
        else (float(rng.uniform(0.05, 0.14)), float(rng.uniform(0.45, 0.95))),
        text=bool(rng.random() < 0.75),
        badge=int(rng.integers(4)),
        typeface=faces[int(rng.integers(len(faces)))],
        corner=float(rng.choice([0.3, 2.5, 3.0, 4.5])),
    )


def _face(number: int, frame: CardFrame, rng: np.random.Generator) -> Face:
    w, h, b = frame.width, frame.height, frame.border
    shapes: list[Shape] = [area(rectangle(b, b, w - 2 * b, h - 2 * b, 1.5), frame.panel)]
    inset = b + (rng.uniform(0, 2.5) if b else 0.0)
    top, foot = frame.art[0] * h, frame.art[1] * h
    shapes += _art(rng, (inset, max(top, b), w - inset, min(foot, h - b)))
    if b:
        shapes += _margins(frame, inset, max(top, b), min(foot, h - b))
    ink: Colour = (20, 20, 20) if sum(frame.panel) > 380 else (240, 240, 235)
    if frame.title:
        bar = rectangle(b + 1, b + 1, w - 2 * b - 2, frame.title, 1)
        shapes.append(area(bar, _near(frame.panel, rng)))
        shapes += _words(
            rng, frame, (b + 2.5, b + 1 + frame.title * 0.25, frame.title * 0.5), ink, 2
        )
    if frame.text:
        shapes += _text_box(rng, frame, max(foot + 1, h * 0.62))
    shapes += _badges(rng, frame)
    return Face(f"trading{number}", w, h, tuple(shapes), frame.edge, frame.corner)


def _margins(frame: CardFrame, inset: float, top: float, foot: float) -> list[Shape]:
    """The panel and the border again where art ran over them."""
    w, h, b = frame.width, frame.height, frame.border
    panel = [
        rectangle(b, b, w - 2 * b, top - b),
        rectangle(b, foot, w - 2 * b, h - b - foot),
        rectangle(b, b, inset - b, h - 2 * b),
        rectangle(w - inset, b, inset - b, h - 2 * b),
    ]
    rim = [
        rectangle(0, 0, w, b),
        rectangle(0, h - b, w, b),
        rectangle(0, 0, b, h),
        rectangle(w - b, 0, b, h),
    ]
    return [*(area(one, frame.panel) for one in panel), *(area(one, frame.edge) for one in rim)]


def _art(rng: np.random.Generator, box: tuple[float, float, float, float]) -> list[Shape]:
    x0, y0, x1, y1 = box
    inks = [_ink(c) for c in rng.integers(0, 256, (5, 3))]
    out: list[Shape] = [area(rectangle(x0, y0, x1 - x0, max(1.0, y1 - y0)), inks[0])]
    for _ in range(int(rng.integers(4, 22))):
        x, y = rng.uniform(x0, x1), rng.uniform(y0, y1)
        ink = inks[int(rng.integers(5))]
        match int(rng.integers(4)):
            case 0:
                out.append(
                    area(
                        star(x, y, rng.uniform(3, 16), rng.uniform(1, 8), int(rng.integers(3, 9))),
                        ink,
                    )
                )
            case 1:
                line = rng.uniform(0, 1, (int(rng.integers(3, 6)), 2)) * (x1 - x0, y1 - y0) + (
                    x0,
                    y0,
                )
                out.append(area(line, ink))
            case 2:
                ends = np.array([(x, y), (rng.uniform(x0, x1), rng.uniform(y0, y1))])
                out.append(stroke(ends, rng.uniform(0.4, 4), ink))
            case _:
                out.append(area(ellipse(x, y, *rng.uniform(1, 14, 2)), ink))
    return out


def _words(
    rng: np.random.Generator,
    frame: CardFrame,
    at: tuple[float, float, float],
    ink: Colour,
    many: int,
) -> list[Shape]:
    """Words from (x, y) on, so high."""
    x, y, high = at
    out: list[Shape] = []
    for _ in range(many):
        word = "".join(rng.choice(_LETTERS, int(rng.integers(2, 9))))
        wide = outlines.width(word, frame.typeface) * high
        if x + wide > frame.width - frame.border - 2:
            break
        for shape in outlines.word(word, frame.typeface, (high, high), ink):
            out.append(area(shape.rings[0] + (x, y), ink) if hasattr(shape, "rings") else shape)
        x += wide + high * 0.5
    return out


def _text_box(rng: np.random.Generator, frame: CardFrame, top: float) -> list[Shape]:
    w, h, b = frame.width, frame.height, frame.border
    top = min(top, h - b - 14)
    paper = _ink(rng.integers(190, 256, 3)) if rng.random() < 0.75 else _ink(rng.integers(0, 90, 3))
    ink: Colour = (25, 25, 25) if sum(paper) > 380 else (235, 235, 230)
    foot = h - b - rng.uniform(1, 5)
    out: list[Shape] = [area(rectangle(b + 2, top, w - 2 * b - 4, foot - top, 1), paper)]
    y, high = top + 1.5, rng.uniform(1.2, 2.0)
    while y + high < foot - 1:
        # Lines of small print are bars to any camera.
        end = rng.uniform(0.4, 1.0) * (w - 2 * b - 8)
        out.append(stroke([(b + 4, y + high / 2), (b + 4 + end, y + high / 2)], high * 0.55, ink))
        y += high * rng.uniform(1.5, 2.2)
    return out


def _badges(rng: np.random.Generator, frame: CardFrame) -> list[Shape]:
    w, h, b = frame.width, frame.height, frame.border
    spots = [
        (),
        ((w - b - 5, b + 5),),
        ((b + 5, b + 5), (w - b - 5, b + 5)),
        ((w - b - 7, h - b - 5),),
    ]
    out: list[Shape] = []
    for x, y in spots[frame.badge]:
        paper, ink = _ink(rng.integers(0, 256, 3)), _ink(rng.integers(0, 256, 3))
        out.append(area(ellipse(x, y, 4), paper))
        number = str(int(rng.integers(0, 13)))
        wide = outlines.width(number, frame.typeface) * 4.5
        for shape in outlines.word(number, frame.typeface, (4.5, 4.5), ink):
            if hasattr(shape, "rings"):
                out.append(area(shape.rings[0] + (x - wide / 2, y - 2.25), ink))
    return out


def _near(colour: Colour, rng: np.random.Generator) -> Colour:
    return _ink(np.clip(np.array(colour) + rng.integers(-60, 61, 3), 0, 255))


def _ink(of: np.ndarray) -> Colour:
    r, g, b = (int(v) for v in of)
    return r, g, b
