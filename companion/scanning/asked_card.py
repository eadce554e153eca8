"""A card the camera asks about, answered by a picture of it from near."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.scanning.scanner import ScannedView
from companion.tabletop.readings import Question, Reading

LEAST = 0.5
"""A card less sure than this answers nothing."""


def cards_shown(views: Sequence[ScannedView]) -> dict[str, float]:
    """The cards in these views, by their words, and how sure each is."""
    found: dict[str, float] = {}
    for one in (each for view in views for each in view.sightings):
        if one.kind == "card" and one.label is not None and one.p >= LEAST:
            found[str(one.label)] = max(one.p, found.get(str(one.label), 0.0))
    return found


def answered(question: Question, shown: Mapping[str, float]) -> tuple[Reading, float] | None:
    """The one reading that names a card of the picture which the others do not; and how sure."""
    fitting = [
        (reading, max(shown[word] for word in telling))
        for reading in question.readings
        if (telling := _told_apart(question, reading) & set(shown))
    ]
    return fitting[0] if len(fitting) == 1 else None


def _told_apart(question: Question, reading: Reading) -> set[str]:
    """The words of a reading that not every other reading has as well."""
    others = [_words(each) for each in question.readings if each is not reading]
    return {word for word in _words(reading) if not all(word in other for other in others)}


def _words(reading: Reading) -> set[str]:
    return {word for line in reading.lines for word in line.split()} | {
        word for _, word in reading.names
    }
