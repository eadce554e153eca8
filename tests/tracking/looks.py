"""A camera made of words: tables are lists of cards, looks are what a camera would say of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from companion.tabletop.mat import CARD
from companion.tabletop.observations import Box, Motion, Quad, Sighting, TableChange
from companion.tracking.tracker import Patience, TrackerMemory, track


@dataclass(frozen=True, slots=True)
class Look:
    number: int
    taken_at: float
    motion: Motion
    sightings: tuple[Sighting, ...]
    looked: bool
    part: Box | None = None


def quad_at(x: float, y: float, turn: int = 0, size: tuple[float, float] = CARD) -> Quad:
    """A card's corners about its middle, beginning at the face's top left."""
    w, h = size[0] / 2, size[1] / 2
    corners = [(-w, -h), (w, -h), (w, h), (-w, h)]
    for _ in range(turn // 90):
        corners = [(-q, p) for p, q in corners]
    a, b, c, d = ((x + p, y + q) for p, q in corners)
    return a, b, c, d


def card(
    label: str | None,
    x: float,
    y: float,
    p: float = 0.999,
    *,
    turn: int = 0,
    others: tuple[tuple[str | int, float], ...] = (),
) -> Sighting:
    return Sighting("card", label, p, quad_at(x, y, turn), turn, others)


def die(value: int, x: float, y: float, p: float = 0.99) -> Sighting:
    return Sighting("die", value, p, quad_at(x, y, 0, (16.0, 16.0)))


@dataclass
class Watcher:
    """Feeds looks to the tracker and keeps what it said."""

    memory: TrackerMemory = field(default_factory=TrackerMemory)
    changes: list[TableChange] = field(default_factory=list)
    now: float = 0.0
    frame: int = 0
    last: tuple[Sighting, ...] = ()
    patience: Patience = field(default_factory=Patience)

    def see(
        self,
        *sightings: Sighting,
        motion: Motion = Motion.STILL,
        looked: bool = True,
        part: Box | None = None,
    ) -> None:
        self.frame += 1
        self.now += 0.1
        seen = sightings if motion is Motion.STILL and looked else self.last
        self.last = seen
        look = Look(self.frame, self.now, motion, seen, looked and motion is Motion.STILL, part)
        self.memory, told = track(self.memory, look, self.patience)
        self.changes += told

    def hand(self, frames: int = 5) -> None:
        for _ in range(frames):
            self.see(motion=Motion.HANDS, looked=False)

    def rest(self, *sightings: Sighting, frames: int = 6, looks: int = 1) -> None:
        """So many looks and some still pictures after them."""
        for _ in range(looks):
            self.see(*sightings)
        for _ in range(frames):
            self.see(looked=False)

    @property
    def labels(self) -> list[str | int | None]:
        return [thing.label for thing in self.memory.table]

    @property
    def said(self) -> list[tuple[str, str | int | None]]:
        return [(str(each.what), each.thing.label) for each in self.changes]


def shaken(sighting: Sighting, dx: float, dy: float) -> Sighting:
    a, b, c, d = ((x + dx, y + dy) for x, y in sighting.quad)
    return replace(sighting, quad=(a, b, c, d))
