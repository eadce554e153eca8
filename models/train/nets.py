"""The five networks. Each takes eight-bit BGR pixels as cut from a frame, channels last."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

CARD, DIE = 11, 4
OUT = CARD + 4 * DIE
"""The finder's channels; companion/vision/finding.py reads them."""
MIDDLE, PIXEL = 128, 2 / 255
"""The pixel that is nought to a network, and what one step more is."""
_PAPER, _CORNER_PAPER = 12, 10
"""Of the 140 cells of a card's cut, this many are thought to hold nothing but paper; of the 96
(smaller) ones of a corner's, so many."""


def _conv(into: int, out: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(into, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True)
    )


class _Again(nn.Module):
    """A convolution added to what came in."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, 1, dilation, dilation, bias=False)
        self.norm = nn.BatchNorm2d(width)

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.norm(self.conv(x)))


def _in_halves(layers: Callable[[Tensor], Tensor], x: Tensor, *, training: bool) -> Tensor:
    """What layers make of it, reckoned in half as many bits while they are trained, where the
    processor has them: a step takes little more than half the time. What follows, which says
    where things are, is reckoned in full."""
    if not training or not torch.cpu._is_avx512_bf16_supported():  # noqa: SLF001 - no other says so
        return layers(x)
    with torch.autocast("cpu", torch.bfloat16):
        return layers(x).float()


def _pixels(x: Tensor) -> Tensor:
    return (x.permute(0, 3, 1, 2).float() - MIDDLE) * PIXEL


def _balanced(x: Tensor, side: int = 8, many: int = _PAPER) -> Tensor:
    """White made white: paper is the brightest thing in most cuts, whatever the lamp's colour."""
    cells = functional.avg_pool2d(x, side).flatten(2)
    paper = cells.topk(many, dim=2).values[:, :, -1:, None]
    return (x * (0.95 / paper.clamp(min=0.05)).clamp(0.7, 3.5)).clamp(max=1.0)


class Embedder(nn.Module):
    """A card's cut (112 x 80) to a point on the unit sphere; positions are kept to the end."""

    def __init__(self, size: int = 128) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            _conv(3, 16, 2),
            _conv(16, 32, 2),
            _Again(32),
            _conv(32, 64, 2),
            _Again(64),
            _conv(64, 96, 2),
            _Again(96),
            nn.Conv2d(96, 40, 1, bias=False),
            nn.BatchNorm2d(40),
            nn.ReLU(inplace=True),
        )
        self.head = nn.Linear(40 * 7 * 5, size)

    def forward(self, x: Tensor) -> Tensor:
        white = _balanced(x.permute(0, 3, 1, 2).float() / 255)
        features = _in_halves(self.trunk, white * 2 - 1, training=self.training)
        return functional.normalize(self.head(features.flatten(1)), dim=1)


class Detector(nn.Module):
    """A picture to an eighth-size map: is a card's or a die's middle here, and how does it lie.

    Channels, of cards: a logit that the middle is in the cell, its offset (2), the logs of half the
    height and half the width, twice the angle of each as cosine and sine (4), four times the angle
    (2). Angles are doubled because a card turned by half looks the same, and a network that must
    jump from one answer to another averages them; four times the angle is for squares, which a
    quarter turn does not change. Then of dice, for each quarter of the cell, for dice are small: a
    logit, the middle's offset (2) and the log of half the side.
    """

    def __init__(self) -> None:
        super().__init__()
        # Patches that overlap by little: most of a finder's time goes where pixels are many.
        self.stem = nn.Sequential(
            nn.Conv2d(3, 32, 6, 4, 1, bias=False), nn.BatchNorm2d(32), nn.ReLU(inplace=True)
        )
        self.eighth = nn.Sequential(_conv(32, 48, 2), _Again(48), _Again(48))
        self.sixteenth = nn.Sequential(_conv(48, 80, 2), _Again(80))
        self.deep = nn.Sequential(_conv(80, 112, 2), _Again(112), _Again(112, 2))
        self.from_deep = nn.Conv2d(112, 48, 1)
        self.from_sixteenth = nn.Conv2d(80, 48, 1)
        self.from_eighth = nn.Conv2d(48, 64, 1)
        self.mix_sixteenth = _conv(48, 64)
        self.mix_eighth = _conv(64, 64)
        self.out = nn.Conv2d(64, OUT, 1)
        with torch.no_grad():
            self.out.bias.zero_()
            self.out.bias[0] = -4.0
            self.out.bias[3:5] = 3.0
            self.out.bias[CARD : CARD + 4] = -4.0
            self.out.bias[-4:] = 2.2

    def forward(self, x: Tensor) -> Tensor:
        return self.out(_in_halves(self._features, _pixels(x), training=self.training))

    def _features(self, x: Tensor) -> Tensor:
        eighth = self.eighth(self.stem(x))
        sixteenth = self.sixteenth(eighth)
        deep = self.deep(sixteenth)
        up = self.mix_sixteenth(self.from_sixteenth(sixteenth) + _twice(self.from_deep(deep)))
        mixed: Tensor = self.mix_eighth(functional.relu(self.from_eighth(eighth) + _twice(up)))
        return mixed


def _twice(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


class Refiner(nn.Module):
    """A card cut with room about it (88 x 64) to where its corners really are.

    Thirteen numbers: how far each corner lies from where it was thought to be, across and down,
    as shares of the cut; a logit that there is a card at all; and how far off each corner may be
    (the log of it), for a corner under another card is a guess.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            _conv(3, 16, 2),
            _conv(16, 32, 2),
            _Again(32),
            _conv(32, 48, 2),
            _Again(48),
            _conv(48, 64, 2),
        )
        self.head = nn.Sequential(
            nn.Flatten(), nn.Linear(64 * 6 * 4, 64), nn.ReLU(inplace=True), nn.Linear(64, 13)
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.head(_in_halves(self.trunk, _pixels(x), training=self.training))


class DieReader(nn.Module):
    """A die's cut (48 x 48) to seven logits: none, one to six."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            _conv(3, 24, 2),
            _conv(24, 32),
            _Again(32),
            _conv(32, 64, 2),
            _Again(64),
            _Again(64),
            _conv(64, 96, 2),
            _Again(96),
            nn.Conv2d(96, 32, 1, bias=False),
            nn.BatchNorm2d(32),
            nn.ReLU(inplace=True),
        )
        self.head = nn.Linear(32 * 6 * 6, 7)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(_in_halves(self.trunk, _pixels(x), training=self.training).flatten(1))


class IndexReader(nn.Module):
    """A card's corner (48 x 32) to fourteen logits of the rank and five of the suit, each with
    none as its last."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            _conv(3, 16),  # a suit's sign is nine pixels high: none is lost at first
            _conv(16, 32, 2),
            _Again(32),
            _conv(32, 48, 2),
            _Again(48),
            _conv(48, 80, 2),
            _Again(80),
            nn.Conv2d(80, 32, 1, bias=False),
            nn.BatchNorm2d(32),
            nn.ReLU(inplace=True),
        )
        self.head = nn.Linear(32 * 6 * 4, 19)

    def forward(self, x: Tensor) -> Tensor:
        white = _balanced(x.permute(0, 3, 1, 2).float() / 255, 4, _CORNER_PAPER)
        features = _in_halves(self.trunk, white * 2 - 1, training=self.training)
        return self.head(features.flatten(1))
