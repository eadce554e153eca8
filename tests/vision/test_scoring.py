"""How pictures are counted."""

from __future__ import annotations

import pytest

from companion.tabletop.observations import Sighting
from companion.vision.manifests import ManifestEntry, Marked
from companion.vision.scoring import Score


def _seen(label: str | int | None, p: float = 0.9, x: float = 50, y: float = 50) -> Sighting:
    quad = ((x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20))
    return Sighting("card", label, p, quad)


def _box(label: str | int, x: float = 30, y: float = 30) -> Marked:
    return Marked(label, bbox=(x, y, 40, 40))


@pytest.mark.parametrize(
    ("objects", "seen", "expected"),
    [
        ([_box("7H")], [_seen("7H")], {"right": 1, "images_right": 1}),
        ([_box("7H")], [_seen("7D")], {"wrong": 1, "images_right": 0}),
        ([_box("7H")], [_seen(None)], {"unsure": 1}),
        ([_box("7H")], [], {"missed": 1}),
        ([_box("7H")], [_seen("7H", 0.49)], {"missed": 1}),
        (
            [_box("7H")],
            [_seen("7H"), _seen("2C", x=300)],
            {"right": 1, "false": 1, "images_right": 0},
        ),
        ([_box("7H")], [_seen("7H"), _seen(None, x=300)], {"right": 1, "images_right": 1}),
        ([_box("K")], [_seen("KD")], {"right": 1}),
        ([_box("joker1")], [_seen(None)], {"right": 1}),
        ([_box(5)], [_seen(5)], {"right": 1}),
        ([Marked("7H")], [_seen("7H", x=900)], {"right": 1}),
        ([Marked("7H")], [_seen("8H")], {"wrong": 1}),
        ([Marked("7H")], [_seen("8H"), _seen("2C")], {"missed": 1, "false": 2}),
    ],
)
def test_one_picture(objects: list[Marked], seen: list[Sighting], expected: dict[str, int]) -> None:
    score = Score()
    score.add(ManifestEntry("a.jpg", tuple(objects)), seen)
    assert {name: score.figures()[name] for name in expected} == expected


def test_unlabelled_cards_are_not_held_against_it() -> None:
    score = Score()
    entry = ManifestEntry("a.jpg", (_box("7H"),), complete=False)
    score.add(entry, [_seen("7H"), _seen("2C", x=300)])
    assert score.figures()["false"] == 0
