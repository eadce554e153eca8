"""A table of words under a camera of words: the real loop, referee and journal behind it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from companion.core.game import Setup
from companion.deciding.memory import Limits
from companion.foundation.frames import Frame
from companion.foundation.notices import Notices
from companion.ledger.referee import Referee
from companion.ledger.session import Session
from companion.service.zone_file import KeptZones
from companion.tabletop.deck_offers import DeckOffer
from companion.tabletop.observations import Motion, Quad, Sighting
from companion.tabletop.readings import CameraOpinion
from companion.watch.corrections import Witness
from companion.watch.evidence import ConfirmedLook, Evidence
from companion.watch.loop import LoopParts, TableLoop
from tests.tracking.looks import Look, quad_at

Sees = Callable[[str, random.Random], tuple[str | None, float, tuple[tuple[str | int, float], ...]]]


def perfectly(label: str, _rng: random.Random) -> tuple[str, float, tuple[Any, ...]]:
    return label, 0.999, ()


def badly(unsure: float, misread: float) -> Sees:
    """So often a card of the same number or colour seems possible, or likelier than the card."""

    def sees(label: str, rng: random.Random) -> tuple[str, float, tuple[Any, ...]]:
        alike = [f"{label[0]}{number}" for number in range(1, 10)]
        alike += [f"{colour}{label[1]}" for colour in "brpgko"]
        other = rng.choice([each for each in alike if each != label])
        chance = rng.random()
        if chance < misread:
            p = rng.uniform(0.4, 0.85)
            return other, p, ((label, (1 - p) * rng.uniform(0.4, 0.95)),)
        p = rng.uniform(0.45, 0.97) if chance < misread + unsure else rng.uniform(0.97, 0.9999)
        return label, p, ((other, (1 - p) * rng.uniform(0.3, 0.95)),)

    return sees


@dataclass
class Lying:
    """A card or die that really lies there."""

    label: str | int
    x: float
    y: float
    turn: int = 0
    kind: str = "card"


@dataclass
class Words:
    """An eye that is told what lies there; it looks when something changed, as the real one."""

    sees: Sees
    rng: random.Random
    lying: list[Lying] = field(default_factory=list)
    misses: float = 0.0
    """How often a card is not found in a look."""
    motion: Motion = Motion.STILL
    _seen: tuple[Sighting, ...] = ()
    _of: list[Any] | None = None

    def observe(self, frame: Frame) -> Look:
        looked = False
        now = [(each.label, each.x, each.y, each.turn) for each in self.lying]
        if self.motion is Motion.STILL and now != self._of:
            self._seen = tuple(
                self._sighting(each) for each in self.lying if self.rng.random() >= self.misses
            )
            self._of, looked = now, True
        return Look(frame.number, frame.taken_at, self.motion, self._seen, looked)

    def again(self, *, everywhere: bool = False) -> None:
        self._of = None

    def forget(self) -> None:
        self._of = None

    def crop(self, _frame: Frame, _quad: Quad) -> bytes:
        return b"a picture"

    def _sighting(self, each: Lying) -> Sighting:
        x, y = each.x + self.rng.uniform(-1, 1), each.y + self.rng.uniform(-1, 1)
        if each.kind == "die":
            return Sighting("die", each.label, 0.99, quad_at(x, y, 0, (16, 16)))
        label, p, others = self.sees(str(each.label), self.rng)
        return Sighting("card", label, p, quad_at(x, y, each.turn), each.turn, others)


@dataclass
class Taught:
    """Writes down what it is taught."""

    learnt: list[tuple[str, bytes]]
    offered: DeckOffer | None = None
    kept: list[str] = field(default_factory=list)

    def learn(self, _setup: Setup, word: str, picture: bytes) -> None:
        self.learnt.append((word, picture))

    def offer(self, _setup: Setup) -> DeckOffer | None:
        return self.offered

    def keep_deck(self, _setup: Setup, name: str) -> None:
        self.kept.append(name)


class WatchedTable:
    """Things are laid and taken; the loop looks on. Asked questions are kept."""

    def __init__(
        self, referee: Referee, folder: Path, *, seed: int = 0, sees: Sees = perfectly
    ) -> None:
        self.referee = referee
        self.eye = Words(sees, random.Random(seed))
        self.in_sight = True
        self.gathered: list[ConfirmedLook] = []
        self.notices = Notices()
        parts = LoopParts(
            _NoCamera(),
            lambda _setup, _frame: self.eye if self.in_sight else None,
            referee,
            Evidence(folder),
            tell=lambda notice: self.notices.put("reading", notice),
            gather=lambda _setup, look, _picture: self.gathered.append(look),
        )
        zones = KeptZones(folder)
        self.loop = TableLoop(parts, Limits(), zones)
        self.learnt: list[tuple[str, bytes]] = []
        self.taught = Taught(self.learnt)
        self.witness = Witness(self.loop, parts, zones, self.taught)
        self.now = 0.0
        self.frame = 0
        self.asked: list[CameraOpinion] = []

    @property
    def session(self) -> Session:
        session = self.referee.moment.session
        assert session is not None
        return session

    @property
    def opinion(self) -> CameraOpinion | None:
        return self.referee.moment.opinion

    @property
    def actions(self) -> list[str]:
        """What was entered, oldest first."""
        return [entry.action for entry in self.session.entries][::-1]

    def lay(self, label: str | int, x: float, y: float, turn: int = 0, kind: str = "card") -> Lying:
        made = Lying(label, x, y, turn, kind)
        self.eye.lying.append(made)
        return made

    def take(self, *lying: Lying) -> None:
        self.eye.lying = [each for each in self.eye.lying if each not in lying]

    def look(self, seconds: float, motion: Motion = Motion.STILL) -> None:
        self.eye.motion = motion
        for _ in range(round(seconds / 0.1)):
            self.frame += 1
            self.now += 0.1
            before = self.opinion
            self.loop.step(Frame(np.zeros((8, 8, 3), np.uint8), self.now, self.frame))
            if self.opinion is not None and self.opinion != before:
                self.asked.append(self.opinion)

    def hand(self, seconds: float = 0.5) -> None:
        self.look(seconds, Motion.HANDS)

    def settle(self, seconds: float = 5.0) -> None:
        """A hand leaves, and the table rests."""
        self.hand()
        self.look(seconds)


class _NoCamera:
    def newest(self) -> Frame | None:
        return None
