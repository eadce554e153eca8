"""Draws the wiring (hardware/wiring.svg) from hardware/pins.toml, so that they cannot disagree.

`tools/wiring.py` draws it; `--check` only looks whether the drawing is that of the file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from companion.devices.pins import Pins, read_pins
from companion.foundation.errors import BadSettings

HARDWARE = Path(__file__).parent.parent / "hardware"

# The 40 pins of the header, as every Pi since the B+ has them; numbers are GPIO (BCM).
HEADER: tuple[str | int, ...] = (
    *("3V3", "5V", 2, "5V", 3, "GND", 4, 14, "GND", 15, 17, 18, 27, "GND", 22, 23, "3V3", 24),
    *(10, "GND", 9, 25, 11, 8, "GND", 7, 0, 1, 5, "GND", 6, 12, 13, "GND", 19, 16, 26, 20),
    *("GND", 21),
)
GROUND = 39  # the header pin that all parts share, at the end of the inner row
ROW, TOP = 30, 70
INNER, OUTER = 150, 182  # x of the two rows of the header
BUS = 640  # x of the common ground wire
COLOURS = {"green": "#2e9e57", "amber": "#d98e04", "red": "#c5283d"}
HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 720" font-family="sans-serif"
 font-size="13" fill="#1d2126">
<title>Wiring of buttons, lamps and buzzer, drawn from pins.toml</title>
<rect width="760" height="720" fill="#ffffff"/>
<text x="20" y="28" font-size="18" font-weight="bold">Wiring</text>
<text x="95" y="28">seen from above, the USB sockets of the Pi downwards; drawn from
 pins.toml</text>"""
WIRES = ("#3b6fb6", "#7a4fa3", "#2e9e57", "#d98e04", "#c5283d", "#5b6770")


@dataclass(frozen=True, slots=True)
class Wired:
    """One part and the pin it hangs on."""

    name: str
    kind: str  # button, lamp or buzzer
    gpio: int

    @property
    def header(self) -> int:
        return HEADER.index(self.gpio) + 1


def parts(pins: Pins) -> list[Wired]:
    found = [Wired(name, "button", pin) for name, pin in pins.buttons.items()]
    found += [Wired(name, "lamp", pin) for name, pin in pins.lamps.items()]
    if pins.buzzer is not None:
        found.append(Wired("buzzer", "buzzer", pins.buzzer))
    return sorted(found, key=lambda part: part.header)


def place(header: int) -> tuple[int, int]:
    """Where a pin of the header is drawn; odd ones are in the inner row."""
    return (INNER if header % 2 else OUTER), TOP + (header - 1) // 2 * ROW


def drawn(pins: Pins) -> str:
    wired = parts(pins)
    lines = [HEAD, _board(), *_ground(len(wired))]
    for at, part in enumerate(wired):
        lines += _part(part, at, WIRES[at % len(WIRES)])
    return "\n".join([*lines, *_header(wired), "</svg>", ""])


def _board() -> str:
    return (
        f'<rect x="{INNER - 18}" y="{TOP - 20}" width="{OUTER - INNER + 36}" '
        f'height="{20 * ROW + 10}" rx="6" fill="#22303c"/>'
    )


def _header(wired: list[Wired]) -> Iterator[str]:
    used = {part.header: part for part in wired}
    for number, means in enumerate(HEADER, 1):
        x, y = place(number)
        hot = number in used or number == GROUND
        ring = ' stroke="#ffffff" stroke-width="2.5"' if hot else ""
        colour = {"GND": "#000000", "3V3": "#e08e45", "5V": "#d0463b"}.get(str(means), "#c9b458")
        yield f'<circle cx="{x}" cy="{y}" r="8" fill="{colour}"{ring}/>'
        label = str(means) if isinstance(means, str) else f"GPIO {means}"
        inner = number % 2 == 1
        at, anchor = (x - 24, "end") if inner else (x + 24, "start")
        weight = ' font-weight="bold"' if hot else ' fill="#8a939b" font-size="11"'
        yield f'<text x="{at}" y="{y + 4}" text-anchor="{anchor}"{weight}>{label}</text>'
        yield (
            f'<text x="{x}" y="{y + 3}" text-anchor="middle" font-size="8" '
            f'fill="#ffffff">{number}</text>'
        )


def _ground(count: int) -> Iterator[str]:
    x, y = place(GROUND)
    bottom = y + 26
    yield (
        f'<path d="M{x} {y} V{bottom} H{BUS} V{_row(0)}" fill="none" '
        'stroke="#000000" stroke-width="3"/>'
    )
    yield f'<text x="{BUS + 10}" y="{_row(count) - 20}">ground</text>'


def _row(at: int) -> int:
    return 90 + at * 92


def _part(part: Wired, at: int, colour: str) -> Iterator[str]:
    x, y = place(part.header)
    row = _row(at)
    lane = 262 + at * 18 if row < y else 352 - at * 18  # so that no wire crosses another
    # An inner pin's wire leaves between two outer pins.
    leave = f"L{OUTER} {y + ROW // 2}" if x == INNER else ""
    wire = f"M{x} {y} {leave} H{lane} V{row} H380"
    yield f'<path d="{wire}" fill="none" stroke="{colour}" stroke-width="3"/>'
    yield (
        f'<text x="380" y="{row - 26}" font-weight="bold">{escape(part.name)}'
        f' <tspan font-weight="normal">GPIO {part.gpio}, pin {part.header}</tspan></text>'
    )
    yield f'<path d="M380 {row} H{BUS}" stroke="{colour}" stroke-width="3"/>'
    yield from {"button": _button, "lamp": _lamp, "buzzer": _buzzer}[part.kind](part, row)
    yield f'<circle cx="{BUS}" cy="{row}" r="5" fill="#000000"/>'


def _button(_: Wired, y: int) -> Iterator[str]:
    yield f'<rect x="470" y="{y - 16}" width="70" height="32" fill="#ffffff"/>'
    yield f'<circle cx="475" cy="{y}" r="5" fill="#1d2126"/>'
    yield f'<circle cx="535" cy="{y}" r="5" fill="#1d2126"/>'
    yield f'<path d="M475 {y - 8} L535 {y - 14}" stroke="#1d2126" stroke-width="4"/>'
    yield f'<text x="505" y="{y + 20}" text-anchor="middle" font-size="11">push button</text>'


def _resistor(y: int, ohms: str) -> Iterator[str]:
    yield (
        f'<rect x="410" y="{y - 9}" width="60" height="18" fill="#f3e3c3" stroke="#1d2126" '
        'stroke-width="2"/>'
    )
    yield f'<text x="440" y="{y + 24}" text-anchor="middle" font-size="11">{ohms}</text>'


def _lamp(part: Wired, y: int) -> Iterator[str]:
    colour = COLOURS[part.name]
    yield from _resistor(y, "330 Ω")
    yield f'<path d="M520 {y - 13} V{y + 13} L548 {y} Z" fill="{colour}"/>'
    yield f'<path d="M548 {y - 13} V{y + 13}" stroke="{colour}" stroke-width="4"/>'
    yield f'<text x="534" y="{y + 28}" text-anchor="middle" font-size="11">long leg left</text>'


def _buzzer(_: Wired, y: int) -> Iterator[str]:
    yield from _resistor(y, "100 Ω")
    yield f'<circle cx="534" cy="{y}" r="18" fill="#22303c"/>'
    yield f'<text x="534" y="{y + 5}" text-anchor="middle" fill="#ffffff">♪</text>'
    yield f'<text x="508" y="{y - 6}" font-size="13">+</text>'
    yield f'<text x="534" y="{y + 34}" text-anchor="middle" font-size="11">active, 3 V</text>'


def main(arguments: list[str]) -> int:
    given = [Path(each) for each in arguments if each != "--check"]
    if len(given) not in (0, 2):
        print("wiring: say nothing, or a pins.toml and a drawing", file=sys.stderr)
        return 2
    source, target = given or (HARDWARE / "pins.toml", HARDWARE / "wiring.svg")
    try:
        picture = drawn(read_pins(source))
    except BadSettings as bad:
        print(f"wiring: {bad}", file=sys.stderr)
        return 2
    if "--check" in arguments:
        same = target.is_file() and target.read_text() == picture
        print(f"{target.name} {'is' if same else 'is not'} that of {source.name}")
        return 0 if same else 1
    target.write_text(picture)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
