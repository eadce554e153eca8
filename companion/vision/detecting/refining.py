"""Corners at full resolution: a network moves them, then each edge is fitted as a line."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.crops import Image, ImagePyramid, corner_crops, corners_from
from companion.vision.detecting.fitting import KnownSizes
from companion.vision.networks import Network

Quads = npt.NDArray[Any]

_ALONG = 24
"""Samples along each edge of a card."""
_ACROSS = 21
"""Samples across the edge at each of those."""
_REACH = 0.03
"""How far to both sides an edge is looked for, as a share of the card's short side."""
_FURTHEST = 0.25
"""The most a corner is moved in one round, as a share of the crop."""
_AGREE = 0.5
"""An edge is moved only if at least this share of its samples lies on one line."""
_GUESSES = 60
"""Lines through two samples that are tried for each edge."""
_FURTHEST_CORNER = 0.12
"""A corner that would move further than this share of the card's diagonal stays where it was."""


def move_corners(
    image: Image | ImagePyramid, quads: Quads, network: Network, rounds: int
) -> tuple[Quads, npt.NDArray[Any]]:
    """The quads (n, 4, 2) with their corners where the network sees them, after some rounds; and
    how probably each is a card."""
    sure, pyramid = np.ones(len(quads)), ImagePyramid.of(image)
    for _ in range(rounds):
        quads, sure = moved(pyramid, quads, network)
    return quads, sure


def moved(
    image: Image | ImagePyramid, quads: Quads, network: Network, sizes: KnownSizes | None = None
) -> tuple[Quads, npt.NDArray[Any]]:
    """One round of `move_corners`; with `sizes`, hidden corners follow from those in view."""
    out = network.run(corner_crops(image, quads))
    after = corners_from(quads, np.clip(out[:, :8], -_FURTHEST, _FURTHEST))
    if sizes is not None:
        after = sizes.fitted(after, np.exp(np.clip(out[:, 9:], -6.5, 0.0)))
    return after, 1 / (1 + np.exp(-np.clip(out[:, 8], -30, 30)))


def fit_edges(image: Image, quads: Quads) -> Quads:
    """The quads (n, 4, 2) moved onto the picture's edges where those are clear."""
    if not len(quads):
        return quads
    start, end = quads, np.roll(quads, -1, 1)
    along = end - start
    length = np.linalg.norm(along, axis=2)
    normal = np.stack([along[..., 1], -along[..., 0]], 2) / np.maximum(length, 1e-6)[..., None]
    short = np.minimum(length[:, 0], length[:, 1])
    step = np.maximum(_REACH * short, 2.5)[:, None, None, None] * np.linspace(-1, 1, _ACROSS)
    share = np.linspace(0.1, 0.9, _ALONG)
    feet = start[:, :, None] + along[:, :, None] * share[:, None]  # card, side, along, xy
    at = feet[:, :, :, None] + normal[:, :, None, None] * step[..., None]
    light = _sampled(image, at)
    offset = _edges(light, step[:, 0, 0])
    return _refitted(quads, normal, feet, offset, np.maximum(0.012 * short, 0.8))


def _sampled(image: Image, at: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The picture's colours at those places (card, side, along, across, xy)."""
    flat = at.astype(np.float32).reshape(at.shape[0] * 4 * _ALONG, _ACROSS, 2)
    seen = cv2.remap(
        image, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    out: npt.NDArray[Any] = seen.reshape(*at.shape[:4], 3).astype(np.float32)
    return out


def _edges(light: npt.NDArray[Any], step: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """How far along each normal the sharpest change of colour lies.

    A parabola through the three samples about it places it finer than the samples are apart.
    """
    change = np.abs(light[..., 2:, :] - light[..., :-2, :]).sum(-1)
    places = np.linspace(-1, 1, _ACROSS)[1:-1]
    change = change * (1 - 0.5 * np.abs(places)) + 1e-3 * (1 - np.abs(places))
    best = change.argmax(-1)
    inner = np.clip(best, 1, _ACROSS - 4)
    pick = np.take_along_axis
    a = pick(change, (inner - 1)[..., None], -1)[..., 0]
    b = pick(change, inner[..., None], -1)[..., 0]
    c = pick(change, (inner + 1)[..., None], -1)[..., 0]
    bow = a - 2 * b + c
    finer = np.where(np.abs(bow) > 1e-3, 0.5 * (a - c) / np.where(np.abs(bow) > 1e-3, bow, 1), 0)
    place = places[best] + np.clip(finer, -0.5, 0.5) * (places[1] - places[0]) * (best == inner)
    reach = step.max(-1)
    return place * reach[:, None, None]


def _refitted(
    quads: Quads,
    normal: npt.NDArray[Any],
    feet: npt.NDArray[Any],
    offset: npt.NDArray[Any],
    near: npt.NDArray[Any],
) -> Quads:
    """Each side's line, and where the lines cross.

    Lines through two samples are tried, and the one that most samples agree with is fitted to
    those (RANSAC, with fixed pairs so that the result never varies).
    """
    t = np.linspace(-1, 1, _ALONG)
    first, last = np.triu_indices(_ALONG, 5)
    pick = np.random.default_rng(0).choice(len(first), _GUESSES, replace=False)
    i, j = first[pick], last[pick]
    slope = (offset[..., j] - offset[..., i]) / (t[j] - t[i])
    shift = offset[..., i] - slope * t[i]
    guess = shift[..., None] + slope[..., None] * t  # card, side, guess, along
    good = np.abs(guess - offset[:, :, None]) < near[:, None, None, None]
    votes = good.sum(-1)
    # Among lines with equal votes, take the one that moves the edge least.
    best = (votes - 2.0 * np.abs(shift) / (np.abs(offset).max() + 1e-6)).argmax(-1)
    chosen = np.take_along_axis(good, best[..., None, None], 2)[:, :, 0]
    weight = chosen.astype(np.float64)
    n = np.maximum(weight.sum(-1), 1)
    mt, mo = (weight * t).sum(-1) / n, (weight * offset).sum(-1) / n
    tt = (weight * (t - mt[..., None]) ** 2).sum(-1)
    to = (weight * (t - mt[..., None]) * (offset - mo[..., None])).sum(-1)
    slope2 = np.where(tt > 1e-6, to / np.maximum(tt, 1e-6), 0)
    trusted = weight.mean(-1) >= _AGREE
    low = np.where(trusted, mo + slope2 * (-1 - mt), 0)
    high = np.where(trusted, mo + slope2 * (1 - mt), 0)
    a = feet[:, :, 0] + normal * low[..., None]
    b = feet[:, :, -1] + normal * high[..., None]
    return _crossings(quads, a, b)


def _crossings(quads: Quads, a: Quads, b: Quads) -> Quads:
    """The corners: corner k is where side k-1 and side k meet, unless that is far away."""
    p, r = np.roll(a, 1, 1), np.roll(b - a, 1, 1)
    q, s = a, b - a
    det = r[..., 0] * s[..., 1] - r[..., 1] * s[..., 0]
    flat = np.abs(det) < 1e-6
    d = q - p
    u = (d[..., 0] * s[..., 1] - d[..., 1] * s[..., 0]) / np.where(flat, 1, det)
    out = p + r * u[..., None]
    far = (
        np.linalg.norm(out - quads, axis=2)
        > _FURTHEST_CORNER * np.linalg.norm(quads[:, 0] - quads[:, 2], axis=1)[:, None]
    )
    return np.where((flat | far)[..., None], quads, out)
