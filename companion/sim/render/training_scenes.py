"""Random pictures of tables, with the truth about each: what the detectors are trained on."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from companion.sim.faces.canvas import Image, ellipse, rectangle
from companion.sim.render import clutter, surfaces
from companion.sim.render.crops import TOKEN_BELOW_MM, DrawnFace
from companion.sim.render.dice import Sprite, everyday_style, hard_style, sprite
from companion.sim.render.scene import (
    Blot,
    CardOn,
    DieOn,
    Light,
    Points,
    PropOn,
    Rendering,
    Thing,
    camera,
    render,
)

_TOKENS_OFTEN = 0.4
"""The share of cards that bear tokens, in a deck that has tokens."""
_TOKENS_SELDOM = 0.05
"""The same in other decks: tokens of another game may lie about."""
_PRINTED_CLOTH = 0.2
"""The share of surfaces that are printed: cloths, magazines, photographs."""
_DIE_MM = 16
_CARD_MM = (63, 88)
Spot = tuple[Points, float]
"""The middle and the side of something square, in pixels."""


class PropStock:
    """Faces, dice and surfaces to make pictures of. Dice and surfaces are rendered once and used
    often, because that is slow; `renew` replaces some as the training goes on."""

    def __init__(
        self,
        rng: np.random.Generator,
        decks: list[list[DrawnFace]],
        dice: int = 400,
        grounds: int = 60,
        odd: float = 0.0,
        props: int = 80,
    ) -> None:
        """`odd` is the share of dice as in the worst photographs."""
        self.rng = rng
        self.decks = decks
        self.tokens = [card for deck in decks for card in deck if card.face.height < TOKEN_BELOW_MM]
        self.odd = odd
        self.dice = [self._die() for _ in range(dice)]
        self.grounds = [self._ground() for _ in range(grounds)]
        self.props = [clutter.prop(rng) for _ in range(props)]
        self.small = [clutter.prop(rng, clutter.SMALL) for _ in range(props)]

    def _die(self) -> Sprite:
        side = int(self.rng.integers(22, 48))
        style = hard_style if self.odd and self.rng.random() < self.odd else everyday_style
        return sprite(int(self.rng.integers(1, 7)), style(self.rng), self.rng, side)

    def _ground(self) -> Image:
        if self.rng.random() < _PRINTED_CLOTH:
            return surfaces.printed(self.rng, 480, 480)
        return surfaces.surface(self.rng, 480, 480)

    def renew(self) -> None:
        """Replace one die, and now and then a surface."""
        self.dice[int(self.rng.integers(len(self.dice)))] = self._die()
        if self.rng.random() < 0.3:
            self.grounds[int(self.rng.integers(len(self.grounds)))] = self._ground()
            at = int(self.rng.integers(len(self.props)))
            self.props[at] = clutter.prop(self.rng)
            self.small[at] = clutter.prop(self.rng, clutter.SMALL)

    def deck(self) -> list[DrawnFace]:
        return self.decks[int(self.rng.integers(len(self.decks)))]

    def ground(self, size: int) -> Image:
        """A random piece of a surface, enlarged or shrunk to `size` pixels."""
        whole = self.grounds[int(self.rng.integers(len(self.grounds)))]
        share = int(self.rng.integers(160, 481))
        y, x = (int(v) for v in self.rng.integers(0, 481 - share, 2))
        piece = whole[y : y + share, x : x + share]
        return cv2.resize(piece, (size, size), interpolation=cv2.INTER_LINEAR)


def training_picture(
    stock: PropStock, size: int = 320, dice_only: float = 0.2, nearer: float = 1.0
) -> Rendering:
    """A small square picture at any scale the detector may be given, for training it.

    `dice_only` is the share of pictures from near, with dice but no cards; `nearer` shows all
    things larger, as in photographs.
    """
    rng = stock.rng
    long_px = float(np.exp(rng.uniform(np.log(30), np.log(115))))
    only = rng.random() < dice_only
    die_px = float(np.exp(rng.uniform(np.log(8), np.log(42)))) if only else 0.0
    scale = nearer * (die_px / _DIE_MM if only else long_px / _CARD_MM[1])
    lean = rng.normal(0, 8 if rng.random() < 0.7 else 18, 2).clip(-40, 40)
    view = camera(
        size, size, scale, tilt=(float(lean[0]), float(lean[1])), roll=float(rng.uniform(0, 360))
    )
    reach = size / scale / 2
    things: list[Thing] = []
    if rng.random() < 0.4:
        things.extend(_clutter(stock, reach, int(rng.integers(1, 7))))
    if not only:
        things.extend(_cards(stock, reach))
    if only or rng.random() < 0.45:
        things.extend(_dice(stock, reach, _DIE_MM * scale))
    if rng.random() < 0.12:
        things.extend(_hand(rng, reach))
    hard = rng.beta(1.2, 2.2)
    blur = (0.35 + 0.9 * hard) * (0.5 + long_px / 130) if not only else 0.3 + 0.8 * hard
    how = Light(hard=hard, glare=0.35, blur=blur, jpeg=bool(rng.random() < 0.6))
    return render(view, stock.ground(size), things, how, rng)


def dice_picture(stock: PropStock, size: int = 144) -> tuple[Rendering, list[Spot]]:
    """A few dice as large as when they are read, some of them on cards, for training the reader
    of dice. Also returns where things lie that might be taken for a die."""
    rng = stock.rng
    px = float(np.exp(rng.uniform(np.log(11), np.log(56))))
    scale = px / _DIE_MM
    # Straight from above: each die is rendered at an angle of its own already.
    view = camera(size, size, scale, roll=float(rng.uniform(0, 360)))
    reach = size / scale / 2
    things: list[Thing] = []
    if rng.random() < 0.4:
        things.extend(_clutter(stock, reach, int(rng.integers(1, 5))))
    if rng.random() < 0.4:
        things.extend(_cards(stock, reach))
    blanks = [_blank(rng, reach) for _ in range(int(rng.integers(0, 3)))]
    things.extend(blanks)
    small = [_small(stock, reach) for _ in range(int(rng.integers(0, 3)))]
    things.extend(small)
    things.extend(_dice(stock, reach, px))
    hard = rng.beta(1.2, 2.2)
    blur = (0.25 + 0.65 * hard) * (0.7 + px / 50)
    how = Light(hard=hard, glare=0.3, blur=blur, jpeg=bool(rng.random() < 0.6))
    spots = [view.pixels(blank.outline) for blank in blanks]
    spots += [view.pixels(one.quad()) for one in small]
    return render(view, stock.ground(size), things, how, rng), [
        (at.mean(0), float(np.ptp(at, 0).mean())) for at in spots
    ]


def _small(stock: PropStock, reach: float) -> PropOn:
    """A coin, a key, a battery's end, a button."""
    prop = stock.small[int(stock.rng.integers(len(stock.small)))]
    x, y = stock.rng.uniform(-0.9, 0.9, 2) * reach
    return PropOn(prop, float(x), float(y), float(stock.rng.uniform(0, 360)))


def _blank(rng: np.random.Generator, reach: float) -> Blot:
    """Something that might be taken for a die: a disc or square about as large, printed or lying
    there, with or without a spot."""
    half = rng.uniform(4, 14)
    outline = ellipse(0, 0, half, half * rng.uniform(0.9, 1.1))
    if rng.random() < 0.4:
        outline = rectangle(-half, -half, 2 * half, 2 * half, half * float(rng.uniform(0, 0.6)))
    a = rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    ink = _bgr(rng) if rng.random() < 0.5 else (int(rng.integers(40, 240)),) * 3
    lift = float(rng.uniform(0, 3)) if rng.random() < 0.5 else 0.0
    at = rng.uniform(-0.9, 0.9, 2) * reach
    return Blot(outline @ spin + at, ink, lift, _bgr(rng) if rng.random() < 0.3 else None)


def _cards(stock: PropStock, reach: float) -> list[Thing]:
    """Single cards and rows of them; some bear tokens."""
    rng = stock.rng
    deck = stock.deck()
    out: list[Thing] = []
    has_tokens = any(card.face.height < TOKEN_BELOW_MM for card in deck)
    often = _TOKENS_OFTEN if has_tokens else _TOKENS_SELDOM
    often = often if stock.tokens else 0.0
    room = (2 * reach) ** 2 / (_CARD_MM[0] * _CARD_MM[1])
    for _ in range(int(rng.integers(1, max(2, min(7, round(room * 0.7)) + 1)))):
        row, deck = _row(stock, deck, reach)
        for laid in row:
            out.append(laid)
            if laid.card.face.height > TOKEN_BELOW_MM and rng.random() < often:
                out.extend(_tokens_on(laid, stock))
    return out


def _row(
    stock: PropStock, deck: list[DrawnFace], reach: float
) -> tuple[Iterator[CardOn], list[DrawnFace]]:
    """One to five cards in a row or a fan, and the deck they are from: now and then another one.

    The cards come one by one, because tokens on each are drawn before the next card is.
    """
    rng = stock.rng
    x, y = rng.uniform(-0.95, 0.95, 2) * reach
    turn = rng.uniform(0, 360)
    many = int(rng.integers(2, 6)) if rng.random() < 0.5 else 1
    step, fan = rng.uniform(0.36, 0.95), rng.normal(0, 9) * (rng.random() < 0.5)
    if rng.random() < 0.3:
        deck = stock.deck()
    first = deck[int(rng.integers(len(deck)))].face
    alike = [card for card in deck if card.face.width == first.width]
    sleeve, worn = bool(rng.random() < 0.15), float(rng.random() ** 3)

    def cards() -> Iterator[CardOn]:
        for i in range(many):
            a = np.radians(turn)
            way = np.array([np.cos(a), np.sin(a)]) * first.width * step
            along = way * i + rng.normal(0, 1.5, 2)
            card = alike[int(rng.integers(len(alike)))]
            lift = float(abs(rng.normal(0.4, 0.6)))
            spot = turn + fan * i + rng.normal(0, 4) + (180 if rng.random() < 0.4 else 0)
            yield CardOn(card, x + along[0], y + along[1], spot, sleeve, worn, lift)

    return cards(), deck


def _tokens_on(card: CardOn, stock: PropStock) -> list[CardOn]:
    """Some tokens lying on the card, side by side or over each other."""
    rng = stock.rng
    a, b, _, d = card.quad()
    out = []
    for _ in range(int(rng.integers(1, 5))):
        token = stock.tokens[int(rng.integers(len(stock.tokens)))]
        u, v = rng.uniform(0.12, 0.88, 2)
        x, y = a + (b - a) * u + (d - a) * v
        lift = float(abs(rng.normal(1.0, 0.6)))
        out.append(CardOn(token, float(x), float(y), float(rng.uniform(0, 360)), lift=lift))
    return out


def _dice(stock: PropStock, reach: float, px: float) -> list[Thing]:
    """One to ten dice, some close together; none if a die has fewer than seven pixels a side."""
    rng = stock.rng
    if px < 7:
        return []
    out: list[Thing] = []
    spots: list[Points] = []
    for _ in range(int(rng.integers(1, 11))):
        size = _DIE_MM * rng.uniform(0.75, 1.3)
        for _try in range(8):
            near = spots and rng.random() < 0.35
            spot = rng.uniform(-1, 1, 2) * reach
            if near:
                a = rng.uniform(0, 2 * np.pi)
                spot = spots[-1] + np.array([np.cos(a), np.sin(a)]) * size * rng.uniform(1.15, 1.5)
            if all(np.linalg.norm(spot - other) > size * 1.12 for other in spots):
                spots.append(spot)
                die = stock.dice[int(rng.integers(len(stock.dice)))]
                out.append(DieOn(die, float(spot[0]), float(spot[1]), size))
                break
    return out


def _clutter(stock: PropStock, reach: float, many: int) -> list[Thing]:
    """Phones, coins, paper, cups, pens, keys, batteries: drawn finely, or as plain shapes."""
    rng = stock.rng
    out: list[Thing] = []
    for _ in range(many):
        x, y = rng.uniform(-1, 1, 2) * reach
        if rng.random() < 0.7:
            prop = stock.props[int(rng.integers(len(stock.props)))]
            out.append(PropOn(prop, float(x), float(y), float(rng.uniform(0, 360))))
            continue
        ink = _bgr(rng)
        match int(rng.integers(5)):
            case 0:
                shape = rectangle(-36, -75, 72, 150, 8)
                inner = _bgr(rng) if rng.random() < 0.7 else None
            case 1:
                shape, inner = ellipse(0, 0, rng.uniform(8, 15)), _bgr(rng)
            case 2:
                w, h = rng.uniform(60, 210, 2)
                shape, inner = rectangle(-w / 2, -h / 2, w, h), None
                ink = _bgr(rng, 190)
            case 3:
                shape, inner = ellipse(0, 0, rng.uniform(30, 48)), _bgr(rng)
            case _:
                shape, inner = rectangle(-75, -5, 150, 10, 4), None
        a = rng.uniform(0, 2 * np.pi)
        spin = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        out.append(Blot(shape @ spin + (x, y), ink, float(rng.uniform(0.3, 5)), inner))
    return out


def _hand(rng: np.random.Generator, reach: float) -> list[Thing]:
    """A forearm that comes in over the edge, a palm and fingers."""
    a = rng.uniform(0, 2 * np.pi)
    aim = np.array([np.cos(a), np.sin(a)])
    palm = rng.uniform(-0.6, 0.6, 2) * reach
    start = palm + aim * 3 * reach
    shade = rng.uniform(0.35, 1.15)
    skin = (int(120 * shade), int(150 * shade), int(205 * shade))
    sleeve = _bgr(rng) if rng.random() < 0.5 else skin
    across = np.array([-aim[1], aim[0]])
    out: list[Thing] = [
        Blot(
            np.array(
                [start + across * 45, start - across * 45, palm - across * 32, palm + across * 32]
            ),
            sleeve,
            12,
        ),
        Blot(ellipse(0, 0, 42, 38) + palm, skin, 10),
    ]
    for i in range(4):
        b = a + np.pi + (i - 1.5) * 0.28 + rng.normal(0, 0.08)
        d = np.array([np.cos(b), np.sin(b)])
        side = np.array([-d[1], d[0]]) * 8.5
        base = palm + d * 20
        tip = palm + d * rng.uniform(70, 105)
        out.append(
            Blot(
                np.array(
                    [base + side, tip + side * 0.7, tip + d * 8, tip - side * 0.7, base - side]
                ),
                skin,
                8,
            )
        )
    return out


def _bgr(rng: np.random.Generator, low: int = 0) -> tuple[int, int, int]:
    b, g, r = (int(v) for v in rng.integers(low, 256, 3))
    return b, g, r
