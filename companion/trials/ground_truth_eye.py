"""An eye that is told what lies on the simulated table, and how badly it may see it.

With `NO_NOISE` it sees everything, so only what comes after seeing is measured. With more noise it
misreads, overlooks and imagines cards, by chance but the same way for the same seed. Such games
are quick, because nothing is painted: good for improving what is done about doubtful readings.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from companion.foundation.errors import BadInput
from companion.foundation.frames import Frame
from companion.foundation.messages import N_
from companion.sim.render.scene import Truth
from companion.sim.steps import Lying, Step
from companion.sim.virtual_table import FPS, Painter, Shot, VirtualTable, pieces_of
from companion.tabletop.mat import CARD, MAT
from companion.tabletop.observations import Motion, Quad, Sighting
from companion.tracking.matching import is_back
from companion.vision.crops import Image
from companion.vision.observing.observer import Observation

SEEN = 0.25
"""The share of a card that must be in view for it to be found."""
COVERED = 0.8
"""With a smaller share in view a card is read worse."""
_STILL_PICTURES = 3
"""The eye looks at the third picture without motion, as the real one does."""
_REACH_PICTURES = 12
"""How long a hand is in view for one step."""
_EMPTY = np.zeros((9, 16, 3), np.uint8)
"""Stands for every picture."""
_NAME = re.compile(r"noisy(?::(\d+(?:\.\d+)?))?")


@dataclass(frozen=True, slots=True)
class EyeNoise:
    """How often a look at one card goes wrong, and how: shares of all looks, 0 to 1."""

    blank: float = 0.05
    """The card is found, but shows none of the known faces."""
    wrong: float = 0.015
    """Another face seems likelier."""
    covered_blank: float = 0.10
    """As `blank`, for a card that is partly covered."""
    covered_wrong: float = 0.03
    """As `wrong`, for a card that is partly covered."""
    bold: float = 0.1
    """Of the wrong ones: the wrong face has a high probability."""
    unsure: float = 0.05
    """The right face has a low probability."""
    missing: float = 0.01
    """The card is not found."""
    twins: float = 0.01
    """The card is found a second time in the same place, with another face."""
    ghosts: float = 0.01
    """Looks in which something is found where nothing lies."""
    jitter: float = 0.4
    """How far places are off, in millimetres."""
    stubborn: float = 0.4
    """Looks that say of a card what an earlier look said: light and angle are still the same, so
    the same error is made again."""

    def times(self, level: float) -> EyeNoise:
        """Noise this many times as bad; how errors of several looks go together stays the same."""
        kept = {"bold", "stubborn"}
        return EyeNoise(
            **{
                each.name: value if each.name in kept else min(0.5, value * level)
                for each in fields(self)
                for value in [getattr(self, each.name)]
            }
        )


NO_NOISE = EyeNoise(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)


def noise_named(eyes: str) -> EyeNoise | None:
    """What `perfect`, `noisy` and `noisy:2` stand for; None for `real` eyes, which see pictures."""
    if eyes == "perfect":
        return NO_NOISE
    if eyes == "real":
        return None
    found = _NAME.fullmatch(eyes)
    if found is None:
        raise BadInput(
            "eyes-real-perfect-noisy",
            N_("eyes are real, perfect, noisy or noisy:2 (twice as noisy), not %(eyes)s"),
            eyes=repr(eyes),
        )
    return EyeNoise().times(float(found[1] or 1))


class UnpaintedTable(VirtualTable):
    """A virtual table of which no picture is painted, for an eye that is told what lies there."""

    def _reach(self, step: Step) -> Iterator[Shot]:
        if step.table != self._table or step.what == "point":
            for _ in range(_REACH_PICTURES):
                yield self._taken(_EMPTY, self._table, hand=True)

    def _bumped(self) -> Iterator[Shot]:
        for _ in range(4):
            yield self._taken(_EMPTY, self._table, hand=True)
        yield from self._rest(0.5)

    def _shot(self, *, done: Step | None = None, press: str = "") -> Shot:
        return replace(self._taken(_EMPTY, self._table), done=done, press=press)

    def _taken(self, image: Image, table: tuple[Lying, ...], *, hand: bool = False) -> Shot:
        self._number += 1
        return Shot(image, (self._number - 1) / FPS, table, hand)


class GroundTruthEye:
    """Looks when the real eye would: at a still table that has changed, and only at what changed.
    `shot` has to be set to the picture it is about to observe."""

    def __init__(
        self,
        painter: Painter,
        noise: EyeNoise,
        seed: int = 0,
        word_of: Callable[[str | int], str] = str,
    ) -> None:
        """`word_of` gives the game's word for a label of the deck, as for a real eye's deck."""
        self.shot: Shot | None = None
        self._word_of = word_of
        self._painter = painter
        self._noise = noise
        self._seed = seed
        self._rng = np.random.default_rng([19, seed])
        self._labels = tuple(
            card.face.label for card in pieces_of(painter.deck) if not is_back(card.face.label)
        )
        self._still = 0
        self._last: tuple[Lying, ...] | None = None
        self._seen: tuple[Sighting, ...] = ()
        self._known: dict[str, tuple[Sighting, ...]] = {}

    def observe(self, frame: Frame) -> Observation:
        shot = self.shot
        if shot is None or shot.hand:
            self._still = 0
            return Observation(frame.number, frame.taken_at, Motion.HANDS, self._seen, False)
        self._still += 1
        if self._still < _STILL_PICTURES:
            return Observation(frame.number, frame.taken_at, Motion.MOVING, self._seen, False)
        looked = shot.table != self._last
        if looked:
            self._last, self._seen = shot.table, tuple(map(self._named, self._look(shot.table)))
        return Observation(frame.number, frame.taken_at, Motion.STILL, self._seen, looked)

    def again(self, *, everywhere: bool = False) -> None:  # noqa: ARG002 - always everywhere
        self.forget()

    def forget(self) -> None:
        self._last, self._known = None, {}

    def crop(self, _frame: Frame, _quad: Quad) -> bytes:
        return b""

    def _look(self, table: tuple[Lying, ...]) -> tuple[Sighting, ...]:
        known: dict[str, tuple[Sighting, ...]] = {}
        for truth in self._painter.truths(table):
            if truth.visible < SEEN:
                continue
            key = _key(truth)
            before = self._known.get(key)
            known[key] = self._sightings(truth, key) if before is None else before
        self._known = known
        ghosts = self._imagined() if self._rng.random() < self._noise.ghosts else ()
        return (*(each for several in known.values() for each in several), *ghosts)

    def _named(self, seen: Sighting) -> Sighting:
        if seen.kind != "card":
            return seen
        label = None if seen.label is None else self._word_of(seen.label)
        return replace(
            seen, label=label, others=tuple((self._word_of(n), p) for n, p in seen.others)
        )

    def _sightings(self, truth: Truth, key: str) -> tuple[Sighting, ...]:
        """What one look says of one piece: mostly one sighting."""
        rng = self._rng
        if rng.random() < self._noise.stubborn:
            rng = np.random.default_rng([self._seed, zlib.crc32(key.encode())])
        if rng.random() < self._noise.missing:
            return ()
        one = self._read(truth, rng)
        if truth.kind == "card" and rng.random() < self._noise.twins:
            other = replace(self._misread(one, truth, rng), quad=_shaken(one.quad, 3.0, rng))
            return one, replace(other, found=float(rng.uniform(0.35, 0.9)))
        return (one,)

    def _read(self, truth: Truth, rng: np.random.Generator) -> Sighting:
        noise, covered = self._noise, truth.visible < COVERED
        right = _right(truth)
        if noise == NO_NOISE:
            return right
        right = replace(right, quad=_shaken(right.quad, self._noise.jitter, self._rng))
        chance = rng.random() - (noise.covered_wrong if covered else noise.wrong)
        if chance < 0:
            return self._misread(right, truth, rng)
        chance -= noise.covered_blank if covered else noise.blank
        if chance < 0 and truth.kind == "card":
            sure = float(rng.uniform(0.4, 0.95))
            guess = ((right.label or "", float(rng.uniform(0.05, 0.45))),)
            return replace(right, label=None, p=sure, others=guess, found=sure)
        p = rng.uniform(0.5, 0.97) if chance < noise.unsure else rng.uniform(0.97, 0.9995)
        other = self._another(truth, rng)
        return replace(right, p=float(p), others=((other, float((1 - p) * rng.uniform(0.2, 0.9))),))

    def _misread(self, one: Sighting, truth: Truth, rng: np.random.Generator) -> Sighting:
        p = rng.uniform(0.9, 0.995) if rng.random() < self._noise.bold else rng.uniform(0.5, 0.9)
        rest = float((1 - p) * rng.uniform(0.3, 0.95))
        label = self._another(truth, rng)
        return replace(one, label=label, p=float(p), others=((truth.label or "", rest),))

    def _another(self, truth: Truth, rng: np.random.Generator) -> str | int:
        """A face it may be taken for: mostly one that shares a letter of its label with it."""
        if truth.kind == "die":
            return int(rng.choice([pips for pips in range(1, 7) if pips != truth.label]))
        mine = str(truth.label)
        others = [each for each in self._labels if each != mine]
        like = [each for each in others if each[0] == mine[0] or each[-1] == mine[-1]]
        return str(rng.choice(like if like and rng.random() < 0.8 else others))

    def _imagined(self) -> Iterator[Sighting]:
        """A sighting where nothing lies: a shadow, or a line of the mat, was taken for a card."""
        x, y = (float(self._rng.uniform(40, side - 40)) for side in MAT)
        w, h = CARD[0] / 2, CARD[1] / 2
        quad: Quad = ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))
        found = float(self._rng.uniform(0.3, 0.75))
        if self._rng.random() < 0.6:
            yield Sighting("card", None, found, quad, found=found)
        else:
            label = str(self._rng.choice(self._labels))
            yield Sighting("card", label, float(self._rng.uniform(0.3, 0.8)), quad, found=found)


def _key(truth: Truth) -> str:
    """Names a piece in its place; the same as long as it lies just so, with as much of it in
    view."""
    corners = ",".join(f"{x:.1f} {y:.1f}" for x, y in truth.quad_mm)
    return f"{truth.label} {corners} {truth.visible:.2f}"


def _right(truth: Truth) -> Sighting:
    """The sighting of a perfect eye."""
    a, b, c, d = ((float(x), float(y)) for x, y in truth.quad_mm)
    across: npt.NDArray[np.float64] = truth.quad_mm[1] - truth.quad_mm[0]
    turn = round(float(np.degrees(np.arctan2(across[1], across[0]))) / 90) % 4 * 90
    return Sighting(truth.kind, truth.label, 0.999, (a, b, c, d), turn)


def _shaken(quad: Quad, by: float, rng: np.random.Generator) -> Quad:
    """The quad shifted by about `by` millimetres, and each corner a little on its own."""
    dx, dy = rng.normal(0, by, 2)
    own = rng.normal(0, by / 3, (4, 2))
    a, b, c, d = (
        (x + float(dx + off[0]), y + float(dy + off[1]))
        for (x, y), off in zip(quad, own, strict=True)
    )
    return a, b, c, d
