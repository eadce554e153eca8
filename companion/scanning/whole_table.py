"""The whole table after a mishap: everything a picture shows on places, beside the books."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.deciding.reader import Reader
from companion.scanning.scanner import ScannedFact, ScannedView, Scanner
from companion.scanning.scenes import scene_of


def whole_table(
    scanner: Scanner[Any], reader: Reader[Any] | None, state: Any, views: tuple[ScannedView, ...]
) -> tuple[ScannedFact, ...]:
    """What every seat's places say; where seats have none, what the game's reader makes of it."""
    owners = {view.owner for view in views if view.owner}
    facts = [
        fact
        for subject in scanner.subjects(state)
        if subject.on_places and str(subject.seat) in owners
        for fact in scanner.read(state, subject, _whole(views, str(subject.seat)))
    ]
    if facts or reader is None:
        return tuple(facts)
    return tuple(_read(reader, state, views))


def _whole(views: tuple[ScannedView, ...], owner: str) -> tuple[ScannedView, ...]:
    return tuple(view for view in views if view.owner == owner)


def _read(reader: Reader[Any], state: Any, views: tuple[ScannedView, ...]) -> Iterator[ScannedFact]:
    readings = reader.read(state, scene_of(views))
    if readings and len(readings[0].lines) == 1:
        yield ScannedFact(readings[0].lines[0], readings[0].p)
