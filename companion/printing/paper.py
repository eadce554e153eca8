"""Sheets of paper: drawn in millimetres, written as PDF, with a ruler on every page to check the
scale by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np
import numpy.typing as npt
from fpdf import FPDF
from fpdf.drawing import PaintedPath
from fpdf.drawing_primitives import DeviceRGB
from fpdf.enums import PathPaintRule, StrokeCapStyle, StrokeJoinStyle

from companion.foundation.errors import BadInput
from companion.foundation.files import create_file
from companion.foundation.messages import N_
from companion.sim.faces.canvas import Area, Colour, Points, Shape

BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
GREY: Colour = (140, 140, 140)
HAIR_MM = 0.15
"""The width of the finest lines."""
_TOLERANCE_MM = 0.01
"""How far a printed curve may be off the drawn one."""


@dataclass(frozen=True, slots=True)
class Paper:
    name: str
    width: float
    height: float


PAPERS: Mapping[str, Paper] = MappingProxyType(
    {"a4": Paper("A4", 210.0, 297.0), "letter": Paper("Letter", 215.9, 279.4)}
)


def paper_named(name: str) -> Paper:
    try:
        return PAPERS[name.lower()]
    except KeyError:
        raise BadInput(
            "no-paper-i-know",
            N_("%(name)s is no paper I know; choose %(papers)s"),
            name=repr(name),
            papers=" or ".join(PAPERS),
        ) from None


class Sheets:
    """The pages of one document; all lengths are millimetres."""

    def __init__(self, paper: Paper, title: str, version: int) -> None:
        self.paper = paper
        self._version = version
        self._pdf = FPDF(unit="mm", format=(paper.width, paper.height))
        self._pdf.set_auto_page_break(False)
        self._pdf.set_margin(0)
        self._pdf.set_title(title)
        self._pdf.set_creator("table companion")

    def page(self, note: str = "", *, ruler_at: float | None = None) -> None:
        """Begin a page with its ruler and a note beside it; `ruler_at` is how far they are from
        the foot."""
        self._pdf.add_page()
        self._ruler(12.0, self.paper.height - (ruler_at or 8.0))
        if note:
            self.text(note, self.paper.width - 12.0, self.paper.height - (ruler_at or 8.0), 7, "R")

    def _ruler(self, x: float, y: float) -> None:
        for step in range(101):
            if step % 5 == 0:
                high = 2.0 if step % 10 == 0 else 1.2
                self.line([(x + step, y), (x + step, y - high)], HAIR_MM)
        self.line([(x, y), (x + 100, y)], HAIR_MM)
        self.text(f"10 cm  ·  {self.paper.name}, 100 %  ·  version {self._version}", x + 102, y, 7)

    def text(  # noqa: PLR0913 - words, place, size, alignment and weight
        self, words: str, x: float, y: float, points: float, align: str = "L", *, bold: bool = False
    ) -> None:
        """One line of words on the base line y; it begins, is centred or ends at x (L, C, R)."""
        self._pdf.set_font("Helvetica", "B" if bold else "", points)
        wide = self._pdf.get_string_width(words)
        self._pdf.set_text_color(60, 60, 60)
        self._pdf.text(x - {"L": 0.0, "C": 0.5, "R": 1.0}[align] * wide, y, words)

    def line(
        self, along: Sequence[tuple[float, float]], width: float, colour: Colour = GREY
    ) -> None:
        self._stroke(np.asarray(along, dtype=np.float64), width, colour, closed=False)

    def box(
        self, x: float, y: float, width: float, height: float, colour: Colour = BLACK
    ) -> None:  # fmt: skip
        path = PaintedPath(x, y)
        path.rectangle(x, y, width, height)
        self._paint(path, PathPaintRule.FILL_EVENODD, colour)

    def shapes(
        self, shapes: Iterable[Shape], x: float = 0.0, y: float = 0.0, paper: Colour = WHITE
    ) -> None:
        """A drawing with its origin at (x, y). What has the colour of the drawn paper becomes
        white: the real paper has a colour of its own."""
        by = np.array([x, y])
        for shape in shapes:
            colour = WHITE if shape.colour == paper else shape.colour
            if isinstance(shape, Area):
                self._fill([ring + by for ring in shape.rings], colour)
            else:
                self._stroke(shape.line + by, shape.width, colour, closed=shape.closed)

    def cells(self, dark: npt.NDArray[np.bool_], x: float, y: float, cell: float) -> None:
        """A grid of dark cells, drawn as one path: between single cells fine white seams would
        show."""
        path = PaintedPath()
        left = dark.copy()
        for row, column in np.argwhere(dark):
            if not left[row, column]:
                continue
            wide = int(np.argmin(np.append(left[row, column:], False)))
            high = 1
            while row + high < len(left) and left[row + high, column : column + wide].all():
                high += 1
            left[row : row + high, column : column + wide] = False
            path.rectangle(x + column * cell, y + row * cell, wide * cell, high * cell)
        self._paint(path, PathPaintRule.FILL_NONZERO, BLACK)

    def crops(self, across: Sequence[float], down: Sequence[float], long: float = 3.0) -> None:
        """Crop marks: short lines outside the outermost cuts, where each cut ends."""
        gap = 0.7
        for x in across:
            self.line([(x, down[0] - gap), (x, down[0] - gap - long)], HAIR_MM)
            self.line([(x, down[-1] + gap), (x, down[-1] + gap + long)], HAIR_MM)
        for y in down:
            self.line([(across[0] - gap, y), (across[0] - gap - long, y)], HAIR_MM)
            self.line([(across[-1] + gap, y), (across[-1] + gap + long, y)], HAIR_MM)

    def clipped(
        self, x: float, y: float, width: float, height: float
    ) -> AbstractContextManager[None]:
        """While it lasts, nothing is drawn outside the box."""
        return self._pdf.rect_clip(x, y, width, height)

    def save(self, target: Path) -> None:
        """Writes the pages; a file that is there already stays as it is."""
        data = bytes(self._pdf.output())
        try:
            create_file(target, data)
        except FileExistsError:
            raise BadInput(
                "already-stays-choose-another",
                N_("%(target)s is there already and stays as it is; choose another name"),
                target=target,
            ) from None
        except OSError as failed:
            raise BadInput(
                "cannot-written",
                N_("%(target)s cannot be written (%(why)s)"),
                target=target,
                why=failed.strerror,
            ) from None

    def _fill(self, rings: Sequence[Points], colour: Colour) -> None:
        path = PaintedPath()
        for ring in rings:
            _trace(path, ring, closed=True)
        self._paint(path, PathPaintRule.FILL_EVENODD, colour)

    def _stroke(self, line: Points, width: float, colour: Colour, *, closed: bool) -> None:
        path = PaintedPath()
        _trace(path, line, closed=closed)
        path.style.auto_close = False
        path.style.stroke_width = width
        path.style.stroke_cap_style = StrokeCapStyle.ROUND
        path.style.stroke_join_style = StrokeJoinStyle.ROUND
        self._paint(path, PathPaintRule.STROKE, colour)

    def _paint(self, path: PaintedPath, rule: PathPaintRule, colour: Colour) -> None:
        shade = DeviceRGB(*(part / 255 for part in colour))
        path.style.fill_color = None if rule is PathPaintRule.STROKE else shade
        path.style.stroke_color = shade if rule is PathPaintRule.STROKE else None
        path.style.paint_rule = rule
        with self._pdf.drawing_context() as context:
            context.add_item(path, clone=False)


def _trace(path: PaintedPath, line: Points, *, closed: bool) -> None:
    """Add the line to the path, without points that make no visible difference on paper."""
    if len(line) > 2 and np.allclose(line[0], line[-1]):
        line, closed = line[:-1], True
    thin = cv2.approxPolyDP(line.astype(np.float32), _TOLERANCE_MM, closed).reshape(-1, 2)
    corners = [(round(float(x), 3), round(float(y), 3)) for x, y in thin]
    path.move_to(*corners[0])
    for corner in corners[1:]:
        path.line_to(*corner)
    if closed:
        path.close()
