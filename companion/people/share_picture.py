"""The picture of a finished game, to be shared: who won, the points, and the curve of the game.

It is drawn here, so that a phone needs nothing but to save it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from typing import TypeAlias

from PIL import Image, ImageDraw, ImageFont

from companion.foundation.resources import shipped

WIDTH, HEIGHT = 1080, 1350
"""As phones show it whole."""
MARGIN = 84
SHARP = 2
"""Drawn so much larger and made smaller at the end: lines come out smooth."""
GROUND, RAISED, LINE = "#10161b", "#1a232a", "#36444f"
INK, QUIET, GOLD = "#f5eddd", "#b4bec6", "#e9b855"
COLOURS = (
    "#f0b940",
    "#6bb2f0",
    "#84cc73",
    "#f78b7d",
    "#cca4f5",
    "#4fcdbe",
    "#f79bc0",
    "#ef9f69",
    "#b0daf0",
    "#cdd966",
    "#c6c0b3",
    "#a3aeff",
)
"""Those of people on the page, by night."""
DISPLAY, TEXT = "grenze-latin{}-700-normal.woff2", "figtree-latin{}-wght-normal.woff2"


@dataclass(frozen=True, slots=True)
class Style:
    face: str
    size: int
    colour: str
    weight: int = 500


GAME, TITLE = Style(TEXT, 34, GOLD, 700), Style(DISPLAY, 108, INK)
DATE, SIGNED = Style(TEXT, 32, QUIET), Style(DISPLAY, 40, QUIET)
NAME, POINTS = Style(DISPLAY, 58, INK), Style(DISPLAY, 64, INK)

Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont
Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class SharedSeat:
    name: str
    points: int
    colour: int
    rank: int


@dataclass(frozen=True, slots=True)
class Shared:
    """What the picture says, in the reader's words."""

    game: str
    title: str
    date: str
    seats: tuple[SharedSeat, ...]
    curve: tuple[tuple[int, ...], ...]
    """The points of every seat, each time they changed."""


def share_picture(shared: Shared) -> bytes:
    """A PNG file."""
    drawing = _Drawing()
    drawing.ground()
    drawing.text((MARGIN, 128), shared.game.upper(), GAME)
    drawing.text((MARGIN, 262), shared.title, TITLE)
    drawing.text((MARGIN, 330), shared.date, DATE)
    bottom = _places(drawing, shared, 384)
    _curve(drawing, shared, (bottom + 40, HEIGHT - 150))
    drawing.text((MARGIN, HEIGHT - 64), "Table companion", SIGNED)
    return drawing.png()


def _places(drawing: _Drawing, shared: Shared, top: float) -> float:
    """The seats by rank, each with its colour."""
    high = 92
    for at, seat in enumerate(sorted(shared.seats, key=lambda each: each.rank)):
        y = top + at * (high + 12)
        drawing.panel((MARGIN, y, WIDTH - MARGIN, y + high), RAISED)
        drawing.disc((MARGIN + 50, y + high / 2), 22, _colour(seat))
        ink = GOLD if seat.rank == 1 else INK
        middle = y + high / 2 + 19  # where letters stand that look centred
        drawing.text((MARGIN + 96, middle), seat.name, replace(NAME, colour=ink), room=600)
        points = replace(POINTS, colour=ink)
        number = str(seat.points)
        wide = drawing.width(number, points)
        drawing.text((WIDTH - MARGIN - 34 - wide, middle), number, points)
    return top + len(shared.seats) * (high + 12)


def _curve(drawing: _Drawing, shared: Shared, between: tuple[float, float]) -> None:
    """A line for each seat, if there is room and anything to draw."""
    top, bottom = between
    steps = len(shared.curve)
    if steps < 2 or bottom - top < 120:
        return
    every = [points for step in shared.curve for points in step]
    low, high = min(every), max(*every, min(every) + 1)
    drawing.line([(MARGIN, bottom), (WIDTH - MARGIN, bottom)], LINE, 3)
    for at, seat in enumerate(shared.seats):
        line = [
            (
                MARGIN + (WIDTH - 2 * MARGIN) * step / (steps - 1),
                bottom - (bottom - top) * (points[at] - low) / (high - low),
            )
            for step, points in enumerate(shared.curve)
        ]
        drawing.line(line, _colour(seat), 8)
        drawing.disc(line[-1], 11, _colour(seat))


def _colour(seat: SharedSeat) -> str:
    return COLOURS[seat.colour % len(COLOURS)]


class _Drawing:
    """A sheet to draw on, measured in the picture's own dots."""

    def __init__(self) -> None:
        self._image = Image.new("RGB", (WIDTH * SHARP, HEIGHT * SHARP), GROUND)
        self._draw = ImageDraw.Draw(self._image)

    def ground(self) -> None:
        """The night over the fjord: a band of gold, and hills."""
        self._draw.rectangle((0, 0, WIDTH * SHARP, 18 * SHARP), fill=GOLD)
        hills = [(0, 470), (220, 330), (380, 420), (620, 250), (860, 400), (1080, 300)]
        outline = [*hills, (1080, HEIGHT), (0, HEIGHT)]
        self._draw.polygon(_scaled(outline), fill="#131b21")

    def panel(self, box: tuple[float, float, float, float], colour: str) -> None:
        left, top, right, bottom = (each * SHARP for each in box)
        self._draw.rounded_rectangle((left, top, right, bottom), 18 * SHARP, fill=colour)

    def disc(self, at: Point, radius: float, colour: str) -> None:
        (x, y), r = _scaled([at])[0], radius * SHARP
        self._draw.ellipse((x - r, y - r, x + r, y + r), fill=colour)

    def line(self, points: list[Point], colour: str, wide: int) -> None:
        self._draw.line(_scaled(points), fill=colour, width=wide * SHARP, joint="curve")

    def text(self, at: Point, words: str, style: Style, room: float = WIDTH - 2 * MARGIN) -> None:
        """Words on one line that stands at that height, made smaller until they fit."""
        while style.size > 20 and self.width(words, style) > room:
            style = replace(style, size=style.size - 2)
        x, y = at[0] * SHARP, at[1] * SHARP
        for part, font in _runs(words, style):
            self._draw.text((x, y), part, font=font, fill=style.colour, anchor="ls")
            x += font.getlength(part)

    def width(self, words: str, style: Style) -> float:
        return sum(font.getlength(part) for part, font in _runs(words, style)) / SHARP

    def png(self) -> bytes:
        out = BytesIO()
        small = self._image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
        small.quantize(192, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
        return out.getvalue()


def _scaled(points: Sequence[Point]) -> list[Point]:
    return [(x * SHARP, y * SHARP) for x, y in points]


def _runs(words: str, style: Style) -> list[tuple[str, Font]]:
    """The words in pieces that one file has letters for: the faces come in two files each."""
    runs: list[tuple[str, Font]] = []
    for letter in words:
        further = 0x100 <= ord(letter) < 0x2000
        font = _font(style.face.format("-ext" if further else ""), style.size, style.weight)
        if runs and runs[-1][1] is font:
            runs[-1] = (runs[-1][0] + letter, font)
        else:
            runs.append((letter, font))
    return runs


@cache
def _font(file: str, size: int, weight: int) -> Font:
    try:
        font = ImageFont.truetype(shipped("web") / "static" / "faces" / file, size * SHARP)
    except OSError:  # a build of Pillow that cannot unpack it
        return ImageFont.load_default(size * SHARP)
    if "wght" in file:
        font.set_variation_by_axes([weight])
    return font
