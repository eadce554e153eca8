"""Making a deck of any cards: one picture of each is enough, more make it better."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from companion.foundation.errors import BadInput
from companion.foundation.frames import jpeg
from companion.foundation.messages import N_
from companion.vision import decks
from companion.vision.calibration import Plane
from companion.vision.crops import Image, card_crop, flat_crop, grown, within
from companion.vision.decks import Deck, Look, Picture, Size, Sureness, Vectors, built
from companion.vision.detecting.finding import Detection, Quad, clockwise
from companion.vision.detecting.refining import fit_edges, move_corners
from companion.vision.enrolment.deck_training import HANDICAP, Forecast, Progress, ShownCard, taught
from companion.vision.enrolment.whole_pictures import edges_of, is_the_card
from companion.vision.look import find_at_any_scale
from companion.vision.manifests import read_manifest
from companion.vision.networks import mark, network
from companion.vision.pictures import read_picture, small_picture
from companion.vision.reading.cards import sides_in_mm, upright_quad

_SHAKES = 8
_SAME = 0.985
"""Looks this alike are one face printed twice."""
_CHECKED = 3
"""Pictures of a deck that are compared with its looks when it is opened."""
_SAME_CARD = 0.7
"""A picture is as alike as this to the look that was made of it."""
_ONE_SIZE = 3.0
"""Millimetres: what differs less is one size, measured twice."""
_SQUARE = 0.94
_CARD_PX = (160, 224)
"""How large a card's picture is kept."""
_SQUARE_PX = (200, 200)
"""How large a square card's is."""
_ROOM = 0.06
"""How much about the card is kept: a share of its sides."""
_QUALITY = 93
"""Of the JPEG, 0 to 100."""
_LEAST_AREA = 100.0
"""Pixels of a picture a card has at least."""
_IN_BOX = 0.2
"""How sure the finder must be of a card in a place somebody marked."""
Box = tuple[float, float, float, float]
PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One card in one picture; without a quad it is looked for."""

    label: str
    image: Image
    quad: Quad | None = None
    source: str = ""
    plane: Plane | None = None
    """Where the table was calibrated; then the card's size is learned with its face."""


class LookAlike(BadInput):
    """Two cards of a deck that nobody could tell apart."""

    def __init__(self, pair: tuple[str, str], like: float) -> None:
        a, b = pair
        super().__init__(
            "look-alike",
            N_(
                "%(a)s and %(b)s look the same (%(like)s): give both one name, or picture one again"
            ),
            a=a,
            b=b,
            like=f"{like:.0%}",
        )
        self.pair = pair


def enrol(name: str, samples: Iterable[Sample]) -> Deck:
    """A deck of these cards, or why it cannot be."""
    return made(name, [pictured(sample) for sample in samples])


def pictured(sample: Sample) -> Picture:
    """What is kept of it."""
    quad = sample.quad if sample.quad is not None else only_card(sample)
    size = None
    if sample.plane is not None:
        short, long = sides_in_mm(quad[None], sample.plane)[0].tolist()
        size = short, long
    pixels = flat_crop(
        sample.image, grown(quad, _ROOM), _SQUARE_PX if is_square(quad) else _CARD_PX
    )
    return Picture(sample.label, jpeg(pixels, pixels.shape[1], _QUALITY), size)


@dataclass(frozen=True, slots=True, eq=False)
class Enrolled:
    """A deck, and how well it will read its cards if it learnt them by itself."""

    deck: Deck
    forecast: Forecast | None = None


def made(name: str, pictures: Sequence[Picture], base: str = "") -> Deck:
    """A deck of the cards in the pictures, added to a built-in one if that is named."""
    return enrolled(name, pictures, base).deck


def enrolled(
    name: str, pictures: Sequence[Picture], base: str = "", progress: Progress = iter
) -> Enrolled:
    """The same, with what can be said of it; `progress` is told of every picture learnt."""
    shown = [_opened(each) for each in pictures]
    rows = [
        (replace(look, size=picture.size), vectors)
        for picture, each in zip(pictures, shown, strict=True)
        for look, vectors in looks_of(each.label, each.pixels, each.quad)
    ]
    if not rows:
        raise BadInput("no-pictures-cards-nothing", N_("no pictures of cards: nothing to enrol"))
    sizes = sizes_of([each.size for each in pictures if each.size is not None])
    deck = built(name, rows, Sureness(), 63 / 88, sizes)
    if base:
        deck = replace(with_owners_looks(decks.named(base), deck), name=name)
    for a, b, like in deck.hard_pairs(_SAME):
        raise LookAlike((a, b), like)
    forecast = None
    if not base:
        deck, forecast = taught(deck, shown, progress)
    deck = replace(deck, pictures=tuple(pictures), base=base, eyes=mark("embedder"))
    return Enrolled(deck, forecast)


def with_owners_looks(deck: Deck, more: Deck) -> Deck:
    """The deck with an owner's looks beside its own. They are held back: a single picture is as
    alike to its siblings of the same printing as a known look is to its own card in a strange one,
    and would take over cards that were not shown."""
    held = [replace(look, handicap=HANDICAP) for look in more.looks]
    return deck.with_looks(held, more.vectors)


def opened(name: str, folder: Path | None = None) -> Deck:
    """The deck of that name, as today's networks see it: one that others made is made again."""
    deck = decks.named(name, folder)
    learnt_all = deck.head is not None or bool(deck.base) or not deck.pictures
    if not deck.eyes or (deck.eyes == mark("embedder") and learnt_all):
        _check_pictures(deck)
        return deck
    if not deck.pictures:
        raise BadInput(
            "made-another-version-s",
            N_("%(name)s: made by another version's eyes; show its cards again under Set-up"),
            name=deck.name,
        )
    again = made(deck.name, deck.pictures, deck.base)
    with suppress(OSError):  # next time it need not be
        again.save(decks.file_of(name, folder))
    return again


def picture_of(deck: Deck, label: str) -> Image:
    """The first picture of a card it was made from."""
    return _opened(next(each for each in deck.pictures if each.label == label)).pixels


def _check_pictures(deck: Deck) -> None:
    """Whether the first pictures are of the cards they say: a deck that somebody put together may
    have other cards' pictures, and would become another deck with the next version."""
    for picture in deck.pictures[:_CHECKED]:
        shown = _opened(picture)
        mine = [n for n, look in enumerate(deck.looks) if look.label == picture.label]
        cut = network("embedder").run(card_crop(shown.pixels, shown.quad)[None])
        if not mine or float((deck.vectors[mine] @ cut[0]).max()) < _SAME_CARD:
            raise BadInput(
                "deck-of-other-pictures",
                N_("%(name)s: its picture of %(label)s is of another card; show it again"),
                name=deck.name,
                label=picture.label,
            )


def _opened(picture: Picture) -> ShownCard:
    found = (small_picture(picture.jpeg, size) for size in (_CARD_PX, _SQUARE_PX))
    pixels = next((each for each in found if each is not None), None)
    if pixels is None:
        raise BadInput(
            "picture-damaged-enrol-cards",
            N_("the picture of %(label)s is damaged; show the card again"),
            label=picture.label,
        )
    quad = within(pixels.shape[1], pixels.shape[0], 1 + 2 * _ROOM)
    return ShownCard(picture.label, pixels, quad)


def sizes_of(measured: Sequence[Size]) -> tuple[Size, ...]:
    """The few sizes a deck's cards have: those within a few millimetres are one."""
    left, sizes = list(measured), []
    while left:
        middle = np.median(left, axis=0)
        first = min(left, key=lambda s: float(np.abs(s - middle).max()))
        same = [s for s in left if np.abs(np.subtract(s, first)).max() < _ONE_SIZE]
        short, long = np.median(same, axis=0).round(1)
        sizes.append((float(short), float(long)))
        left = [s for s in left if s not in same]
    return tuple(sorted(sizes))


def only_card(sample: Sample) -> Quad:
    """The one card a picture shows, the largest if something else looks like one; or all of it."""
    cards = [f for f in find_at_any_scale(sample.image) if f.kind == "card" and f.sure > 0.3]
    best = max(cards, key=lambda f: f.sure * f.side, default=None)
    if is_the_card(sample.image, best):
        return edges_of(sample.image)
    if best is None:
        raise BadInput(
            "no-card-can-seen",
            N_("%(source)s: no card can be seen; lay it flat on a plain table, all of it in view"),
            source=sample.source,
        )
    return refined(sample.image, best)


def refined(image: Image, found: Detection) -> Quad:
    quads, _ = move_corners(image, upright_quad(found.quad)[None], network("refiner"), rounds=2)
    return fit_edges(image, quads)[0]


def looks_of(label: str, image: Image, quad: Quad) -> Iterator[tuple[Look, Vectors]]:
    """Both ways up, a square all four, each the mean of the cut and slightly shaken ones."""
    rng = np.random.default_rng(3)
    side = float(np.linalg.norm(quad[2] - quad[0]))
    shaken = [quad, *(quad + rng.normal(0, 0.008, (4, 2)) * side for _ in range(_SHAKES - 1))]
    for turn in (0, 90, 180, 270) if is_square(quad) else (0, 180):
        cuts = [_tinted(card_crop(image, np.roll(q, turn // 90, 0)), rng) for q in shaken]
        yield Look(label, turn), network("embedder").run(np.stack(cuts)).mean(0)


def is_square(quad: Quad) -> bool:
    edges = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    return bool(min(edges) > _SQUARE * max(edges))


def learnt(deck: Deck, samples: Iterable[Sample]) -> Deck:
    """The deck with further looks of its cards."""
    rows: list[tuple[Look, Vectors]] = []
    for sample in samples:
        quad = sample.quad if sample.quad is not None else only_card(sample)
        rows.extend(looks_of(sample.label, sample.image, quad))
    if not rows:
        return deck
    more = built(deck.name, rows, deck.sure, deck.shape)
    return with_owners_looks(deck, more)


def _tinted(cut: Image, rng: np.random.Generator) -> Image:
    """A little lighter or darker, warmer or colder: the lamp will not stay as it is."""
    gain = np.exp(rng.normal(0, 0.08) + rng.normal(0, 0.03, 3))
    table = np.clip(np.arange(256)[:, None] * gain[None], 0, 255).astype(np.uint8)
    return cv2.LUT(cut, table.reshape(256, 1, 3))


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """A card in a picture that has yet to be read."""

    label: str
    file: Path
    quad: Quad | None = None
    box: Box | None = None
    """Left, top, width and height of the place it is looked for in."""


def listed_in(source: Path) -> list[Listed]:
    """The cards of a folder, or of a manifest."""
    return _in_folder(source) if source.is_dir() else _in_manifest(source)


def shown(listed: Iterable[Listed]) -> Iterator[Sample]:
    """Each with its picture, one at a time: photographs are large."""
    last, image = None, None
    for each in listed:
        if image is None or each.file != last:
            last, image = each.file, read_picture(each.file)
        quad = each.quad
        if quad is None and each.box is not None:
            quad = _card_within(image, each.box, f"{each.file}: {each.label}")
        yield Sample(each.label, image, quad, str(each.file))


def _card_within(image: Image, box: Box, where: str) -> Quad:
    """The card found in that place, whatever else lies on the table."""
    left, top, wide, high = box
    x, y = left + wide / 2, top + high / 2
    cards = [f for f in find_at_any_scale(image) if f.kind == "card" and f.sure > _IN_BOX]
    near = [
        f
        for f in cards
        if abs(f.middle[0] - x) < wide / 4
        and abs(f.middle[1] - y) < high / 4
        and f.side > max(wide, high) / 2
    ]
    if not near:
        raise BadInput(
            "no-card-can-seen-2",
            N_("%(where)s: no card can be seen in its bbox; give its polygon"),
            where=where,
        )
    return refined(image, max(near, key=lambda f: f.sure))


def _in_folder(folder: Path) -> list[Listed]:
    """A picture per card, named after it: `7 blue.jpg`, more of the same as `7 blue (2).jpg`."""
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURES)
    if not files:
        raise BadInput(
            "no-pictures-folder", N_("%(folder)s: no pictures in this folder"), folder=folder
        )
    return [Listed(_label(file), file) for file in files]


def _label(file: Path) -> str:
    """What is before the last dot, but for a number in brackets: `red-7.jpg` is `red-7`."""
    return re.sub(r"\s*[(\[]\d+[)\]]$", "", file.stem).strip() or file.stem


def _in_manifest(manifest: Path) -> list[Listed]:
    out = []
    for entry in read_manifest(manifest):
        where = f"{manifest}, {entry.file}"
        if len(entry.objects) > 1 and any(not (o.polygon or o.bbox) for o in entry.objects):
            raise BadInput(
                "several-cards-need-polygon",
                N_("%(where)s: several cards need a polygon or a bbox each"),
                where=where,
            )
        for o in entry.objects:
            quad = None if o.polygon is None else _quad(o.polygon, where)
            out.append(Listed(str(o.label), manifest.parent / entry.file, quad, o.bbox))
    return out


def _quad(polygon: Sequence[tuple[float, float]], where: str) -> Quad:
    corners = np.array(polygon, np.float64)
    if len(corners) < 4 or cv2.contourArea(corners.astype(np.float32)) < _LEAST_AREA:
        raise BadInput(
            "polygon-four-or-more",
            N_("%(where)s: a polygon is four or more corners [x, y] around a card"),
            where=where,
        )
    if len(corners) > 4:
        corners = cv2.boxPoints(cv2.minAreaRect(corners.astype(np.float32))).astype(np.float64)
    return upright_quad(clockwise(corners))
