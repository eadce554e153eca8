"""Fetches typefaces and suit signs by name and keeps their outlines for the drawings:
`python -m models.train.outlines`. Whence each comes, and its licence, is in SOURCES.md.

What it writes is in the tree, so training and drawing need no network. Packages come from npm
(`npm pack`) and Debian (`apt-get download`); both check what they fetch.
"""

from __future__ import annotations

import json
import re
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from fontTools.pens.basePen import BasePen
from fontTools.pens.transformPen import TransformPen
from fontTools.svgLib.path import parse_path
from fontTools.ttLib import TTFont

from companion.sim.faces.playing.outlines import FILE, UNITS

WORK = Path("artefacts/train/sources")
CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_TOLERANCE = 0.005
SUITS = {"S": 0x2660, "H": 0x2665, "D": 0x2666, "C": 0x2663}

_NAMES = """
    roboto-condensed:700 oswald:500 bebas-neue:400 playfair-display:700 bodoni-moda:700
    old-standard-tt:700 libre-baskerville:700 libre-caslon-text:700 eb-garamond:600 cinzel:700
    abril-fatface:400 rozha-one:400 dm-serif-display:400 alfa-slab-one:400 arvo:700 rokkitt:600
    zilla-slab:600 bitter:600 josefin-slab:700 courier-prime:700 special-elite:400 anton:400
    archivo-narrow:600 league-gothic:400 barlow-condensed:600 fjalla-one:400
    pathway-gothic-one:400 antonio:600 teko:500 saira-extra-condensed:600 poppins:600
    montserrat:600 josefin-sans:600 quicksand:700 nunito:700 comfortaa:700 fredoka:500 baloo-2:600
    lobster:400 kaushan-script:400 caveat:700 patrick-hand:400 permanent-marker:400
    metamorphous:400 almendra:700 limelight:400 rye:400 righteous:400 share-tech-mono:400
    spectral:600 cormorant-garamond:700 crimson-text:600 lora:600 merriweather:700 domine:700
    ultra:400 chonburi:400 goudy-bookletter-1911:400 im-fell-english:400 medievalsharp:400
    berkshire-swash:400 architects-daughter:400 black-ops-one:400 stardos-stencil:700 sansita:700
    vollkorn:700 tinos:700 arimo:700 cousine:700 inter:600 lato:700 open-sans:600 work-sans:500
    rubik:500 exo-2:600 yanone-kaffeesatz:500 six-caps:400 big-shoulders-display:700
    staatliches:400 tinos:400 arimo:400 lato:400 oswald:300 playfair-display:400
"""
TYPEFACES = tuple(_NAMES.split())
"""Typefaces on npm under @fontsource and their weights."""

SYMBOLS = {
    "fonts-croscore": ("Arimo-Regular", "Tinos-Regular", "Cousine-Regular"),
    "fonts-firacode": ("FiraCode-Regular", "FiraCode-Bold"),
    "fonts-linuxlibertine": ("LinLibertine_R", "LinBiolinum_R"),
    "fonts-noto-core": ("NotoSansSymbols2-Regular",),
    "fonts-stix": ("STIXGeneral-Regular",),
    "fonts-oflb-asana-math": ("Asana-Math",),
}
"""Debian's packages, and their typefaces that have the four suits' signs."""

ICONS: dict[str, tuple[str, ...]] = {
    "bi": ("suit-spade-fill", "suit-heart-fill", "suit-diamond-fill", "suit-club-fill"),
    "fluent-emoji-high-contrast": ("spade-suit", "heart-suit", "diamond-suit", "club-suit"),
    "fluent-emoji-flat": ("spade-suit", "black-heart", "diamond-suit", "club-suit"),
    "noto": ("spade-suit", "heart-suit", "diamond-suit", "club-suit"),
    "noto-v1": ("spade-suit", "heart-suit", "diamond-suit", "club-suit"),
    "mdi": ("cards-spade", "cards-heart", "cards-diamond", "cards-club"),
    "mingcute": ("spade-fill", "heart-fill", "diamond-square-fill", "clubs-fill"),
    "ph": ("spade-fill", "heart-fill", "diamond-fill", "club-fill"),
    "ri": ("poker-spades-fill", "poker-hearts-fill", "poker-diamonds-fill", "poker-clubs-fill"),
    "tabler": ("spade-filled", "heart-filled", "diamonds-filled", "clubs-filled"),
    "iconoir": ("", "heart-solid", "", ""),
    "ion": ("", "heart-sharp", "", ""),
    "majesticons": ("", "heart", "", ""),
    "material-symbols": ("", "favorite", "", ""),
    "gravity-ui": ("", "heart-fill", "", ""),
    "tdesign": ("", "heart-filled", "", ""),
}
"""Icon sets on npm under @iconify-json: their spade, heart, diamond and club, where they have one."""


class _Flat(BasePen):  # type: ignore[misc]
    """Collects rings of points; curves become a few straight steps."""

    def __init__(self, glyphs: Any = None) -> None:
        super().__init__(glyphs)
        self.rings: list[list[tuple[float, float]]] = []

    def _moveTo(self, at: tuple[float, float]) -> None:  # noqa: N802 - its base says so
        self.rings.append([at])

    def _lineTo(self, at: tuple[float, float]) -> None:  # noqa: N802
        self.rings[-1].append(at)

    def _curveToOne(self, *control: tuple[float, float]) -> None:  # noqa: N802
        start = self.rings[-1][-1]
        t = np.linspace(0, 1, 6)[1:, None]
        a, b, c, d = (np.array(p) for p in (start, *control))
        way = (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
        self.rings[-1].extend((float(x), float(y)) for x, y in way)


def _packed(folder: Path, name: str) -> tarfile.TarFile:
    stem = name.removeprefix("@").replace("/", "-")
    if not (have := sorted(folder.glob(f"{stem}-[0-9]*.tgz"))):
        subprocess.run(["npm", "pack", "--silent", name], cwd=folder, check=True)  # noqa: S603, S607
        have = sorted(folder.glob(f"{stem}-[0-9]*.tgz"))
    return tarfile.open(have[-1])


def _unpacked(folder: Path, name: str) -> Path:
    to = folder / name
    if not to.exists():
        subprocess.run(["apt-get", "download", "-q", name], cwd=folder, check=True)  # noqa: S603, S607
        deb = next(folder.glob(f"{name}_*.deb"))
        subprocess.run(["dpkg-deb", "-x", deb.name, name], cwd=folder, check=True)  # noqa: S603, S607
    return to


def _rings(font: TTFont, code: int) -> list[np.ndarray]:
    glyphs = font.getGlyphSet()
    pen = _Flat(glyphs)
    glyphs[font.getBestCmap()[code]].draw(TransformPen(pen, (1, 0, 0, -1, 0, 0)))
    return [np.array(ring) for ring in pen.rings if len(ring) > 2]


def typefaces(folder: Path) -> Iterator[tuple[str, list[np.ndarray]]]:
    """Names such as "oswald-500/A", and rings; a capital letter is 1 high and stands on 1."""
    for entry in TYPEFACES:
        name, _, weight = entry.partition(":")
        with _packed(folder, f"@fontsource/{name}") as package:
            file = package.extractfile(f"package/files/{name}-latin-{weight}-normal.woff")
            assert file is not None, entry  # noqa: S101 - extractfile says so
            font = TTFont(BytesIO(file.read()))
        high = -min(ring[:, 1].min() for ring in _rings(font, ord("H")))
        for letter in CHARACTERS:
            rings = [ring / high + (0, 1) for ring in _rings(font, ord(letter))]
            left = min(ring[:, 0].min() for ring in rings)
            yield f"{name}-{weight}/{letter}", [ring - (left, 0) for ring in rings]


def suits(folder: Path) -> Iterator[tuple[str, list[np.ndarray]]]:
    """Names such as "suit-S/mdi", and rings about the middle; each sign is 1 high."""
    for package, files in SYMBOLS.items():
        root = _unpacked(folder, package)
        for stem in files:
            font = TTFont(next(p for p in root.rglob(f"{stem}.*") if p.suffix in (".ttf", ".otf")))
            for suit, code in SUITS.items():
                yield f"suit-{suit}/{stem.lower()}", _unit(_rings(font, code))
    for name, icons in ICONS.items():
        with _packed(folder, f"@iconify-json/{name}") as archive:
            file = archive.extractfile("package/icons.json")
            assert file is not None, name  # noqa: S101
            table = json.load(file)["icons"]
        for suit, icon in zip(SUITS, icons, strict=True):
            if icon:
                yield f"suit-{suit}/{name}", _unit(_drawn(table[icon]["body"]))


def _drawn(body: str) -> list[np.ndarray]:
    """The largest filled path of an icon."""
    found = []
    for code in re.findall(r'\bd="([^"]+)"', body):
        pen = _Flat()
        parse_path(code, pen)
        rings = [np.array(ring) for ring in pen.rings if len(ring) > 2]
        if rings:
            found.append(rings)
    return max(found, key=lambda rings: np.ptp(np.concatenate(rings), 0).prod())


def _unit(rings: list[np.ndarray]) -> list[np.ndarray]:
    every = np.concatenate(rings)
    middle = (every.min(0) + every.max(0)) / 2
    return [(ring - middle) / np.ptp(every[:, 1]) for ring in rings]


def _simplified(ring: np.ndarray) -> np.ndarray:
    """The ring with as few points as keep it within a two-hundredth of a letter's height."""
    line = cv2.approxPolyDP(ring.astype(np.float32)[:, None], _TOLERANCE, closed=True)
    return line[:, 0]


def main() -> None:
    WORK.mkdir(parents=True, exist_ok=True)
    names, counts, sizes, points = [], [], [], []
    sources: tuple[Callable[[Path], Iterator[tuple[str, list[np.ndarray]]]], ...] = (
        typefaces,
        suits,
    )
    for source in sources:
        for name, rings in source(WORK):
            plain = [one for ring in rings if len(one := _simplified(ring)) > 2]
            names.append(name)
            counts.append(len(plain))
            sizes += [len(ring) for ring in plain]
            points += plain
    table = np.round(np.concatenate(points) * UNITS).astype(np.int16)
    np.savez_compressed(
        FILE,
        names=np.array("\n".join(names)),
        counts=np.array(counts, np.uint8),
        sizes=np.array(sizes, np.uint16),
        points=table,
    )
    print(f"{len(names)} outlines, {len(table)} points, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
