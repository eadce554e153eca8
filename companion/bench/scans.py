"""How well hand-held pictures are read: simulated phones over every game that has such pictures."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from companion.bench.figure import Figure
from companion.core.catalog import packs
from companion.scanning.comparison import SURE
from companion.scanning.scanner import ScannedView, scanner_of
from companion.sim.phones import ScanDrill
from companion.vision.boards.kept import boards_file
from companion.watch.phone_eye import PhoneEye

_FIRST_SEED = 5000
"""Nothing was tried out on the pictures from here on."""
_MOST_TOLD = 12
"""Misses that are named."""


@dataclass(slots=True)
class ScanTally:
    """What came of some pictures of one kind."""

    name: str
    pictures: int = 0
    facts: int = 0
    right: int = 0
    unsure: int = 0
    wrong: int = 0
    hands: int = 0
    counted: int = 0
    cards: int = 0
    named: int = 0
    seconds: list[float] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)


def measure_scans(*, quick: bool) -> Iterator[Figure]:
    many = 12 if quick else 100
    for tally in _tallies(many):
        yield from _figures(tally)


def _tallies(many: int) -> Iterator[ScanTally]:
    for game, pack in packs().items():
        if pack.bots is None or pack.scan is None:
            continue
        for drill in pack.bots().drills:
            tally = ScanTally(f"{game}, {drill.__name__}")
            for seed in range(_FIRST_SEED, _FIRST_SEED + many):
                judge(drill(seed), tally, seed)
            yield tally


def judge(drill: ScanDrill, tally: ScanTally, seed: int) -> None:
    """Reads one picture as the page does, and counts what came of it."""
    with tempfile.TemporaryDirectory(prefix="companion-scans-") as name:
        folder = Path(name)
        if drill.boards is not None:
            file = boards_file(folder, drill.setup.game)
            file.parent.mkdir(parents=True, exist_ok=True)
            drill.boards.save(file)
        eye = PhoneEye(folder)
        eye.warm(drill.setup)
        before = time.process_time()
        views = eye.look(drill.setup, drill.picture, f"{seed}.jpg", drill.subject)
        tally.seconds.append(time.process_time() - before)
    tally.pictures += 1
    if drill.cards:
        _judge_cards(drill, views, tally, seed)
    else:
        _judge_facts(drill, views, tally, seed)


def _judge_facts(
    drill: ScanDrill, views: tuple[ScannedView, ...], tally: ScanTally, seed: int
) -> None:
    scanner = scanner_of(drill.setup.game)
    if scanner is None:
        return
    true = {each.line for each in scanner.read(drill.state, drill.subject, drill.truth)}
    read = {each.line: each.p for each in scanner.read(drill.state, drill.subject, views)}
    sure = {line for line, p in read.items() if p >= SURE}
    tally.facts += len(true)
    tally.right += len(true & sure)
    tally.wrong += len(sure - true)
    tally.unsure += len(read) - len(sure)
    missed, made_up = sorted(true - sure), sorted(sure - true)
    if missed or made_up:
        tally.misses.append(f"{seed}: not {', '.join(missed)}; instead {', '.join(made_up)}")


def _judge_cards(
    drill: ScanDrill, views: tuple[ScannedView, ...], tally: ScanTally, seed: int
) -> None:
    seen = [s for view in views for s in view.sightings if s.kind == "card"]
    named = {str(s.label) for s in seen}
    tally.hands += 1
    tally.counted += len(seen) == len(drill.cards)
    tally.cards += len(drill.cards)
    tally.named += len(named & set(drill.cards))
    if named != set(drill.cards):
        missed, made_up = sorted(set(drill.cards) - named), sorted(named - set(drill.cards))
        tally.misses.append(f"{seed}: not {', '.join(missed)}; instead {', '.join(made_up)}")


def _figures(tally: ScanTally) -> Iterator[Figure]:
    name = tally.name
    if tally.facts:
        yield Figure(f"{name}: facts right and sure", 100 * tally.right / tally.facts, "%")
        yield Figure(f"{name}: facts marked unsure", tally.unsure, f"of {tally.facts}")
        yield Figure(f"{name}: facts wrong and sure", tally.wrong, f"of {tally.facts}")
    if tally.hands:
        yield Figure(f"{name}: number of cards right", 100 * tally.counted / tally.hands, "%")
        yield Figure(f"{name}: cards right", 100 * tally.named / tally.cards, "%")
    yield Figure(f"{name}: longest reading, one core", max(tally.seconds), "s")
    for miss in tally.misses[:_MOST_TOLD]:
        yield Figure(f"{name}, picture {miss}", 1, "miss")
