"""The three networks. Each takes eight-bit BGR pixels as cut from a frame, channels last."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

OUT = 15
"""The finder's channels; companion/vision/finding.py reads them."""
_PAPER = 12
"""Of the 140 cells of a card's cut, this many are thought to hold nothing but paper."""


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


def _pixels(x: Tensor) -> Tensor:
    return x.permute(0, 3, 1, 2).float() * (2 / 255) - 1


def _balanced(x: Tensor) -> Tensor:
    """White made white: paper is the brightest thing in most cuts, whatever the lamp's colour."""
    cells = functional.avg_pool2d(x, 8).flatten(2)
    paper = cells.topk(_PAPER, dim=2).values[:, :, -1:, None]
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
        features = self.trunk(white * 2 - 1)
        return functional.normalize(self.head(features.flatten(1)), dim=1)


class Detector(nn.Module):
    """A picture to a quarter-size map: is a card's or a die's middle here, and how does it lie.

    Channels: card, die (logits); of the card the middle's offset (2), the logs of half its height
    and half its width, twice the angle of each as cosine and sine (4), four times the angle (2);
    of the die the middle's offset (2) and the log of half its side. Angles are doubled because a
    card turned by half looks the same, and a network that must jump from one answer to another
    averages them; four times the angle is for squares, which a quarter turn does not change.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, 16, 2), _conv(16, 24, 2))
        self.eighth = nn.Sequential(_conv(24, 48, 2), _Again(48))
        self.sixteenth = nn.Sequential(_conv(48, 80, 2), _Again(80))
        self.deep = nn.Sequential(_conv(80, 112, 2), _Again(112), _Again(112, 2))
        self.from_deep = nn.Conv2d(112, 48, 1)
        self.from_sixteenth = nn.Conv2d(80, 48, 1)
        self.from_eighth = nn.Conv2d(48, 48, 1)
        self.from_stem = nn.Conv2d(24, 32, 1)
        self.mix_sixteenth = _conv(48, 48)
        self.mix_eighth = _conv(48, 32)
        self.mix = nn.Sequential(
            nn.Conv2d(32, 32, 5, 1, 2, groups=32, bias=False),
            nn.BatchNorm2d(32),
            nn.Conv2d(32, 48, 1, bias=False),
            nn.BatchNorm2d(48),
            nn.ReLU(inplace=True),
        )
        self.out = nn.Conv2d(48, OUT, 1)
        with torch.no_grad():
            self.out.bias.zero_()
            self.out.bias[:2] = -4.0
            self.out.bias[4:6] = 3.0
            self.out.bias[-1] = 2.2

    def forward(self, x: Tensor) -> Tensor:
        quarter = self.stem(_pixels(x))
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        deep = self.deep(sixteenth)
        up = self.mix_sixteenth(self.from_sixteenth(sixteenth) + _twice(self.from_deep(deep)))
        up = self.mix_eighth(self.from_eighth(eighth) + _twice(up))
        return self.out(self.mix(functional.relu(self.from_stem(quarter) + _twice(up))))


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
        return self.head(self.trunk(_pixels(x)))


class DieReader(nn.Module):
    """A die's cut (40 x 40) to seven logits: none, one to six."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            _conv(3, 16),
            _conv(16, 32, 2),
            _Again(32),
            _conv(32, 64, 2),
            _Again(64),
            _conv(64, 96, 2),
            nn.Conv2d(96, 32, 1, bias=False),
            nn.BatchNorm2d(32),
            nn.ReLU(inplace=True),
        )
        self.head = nn.Linear(32 * 5 * 5, 7)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.trunk(_pixels(x)).flatten(1))
