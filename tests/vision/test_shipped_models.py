"""The models as shipped, on small rendered sets made on the fly, against floors.

The full figures are in models/README.md; these floors only catch a model that broke.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.foundation.errors import BadInput
from companion.foundation.frames import Frame
from companion.foundation.resources import shipped
from companion.sim.render.scene import Truth
from companion.sim.render.tables import Table, plane_of, table
from companion.tabletop.observations import Motion, Sighting
from companion.vision import decks
from companion.vision.look import look
from companion.vision.networks import Network, sums
from companion.vision.observing.observer import Observation, Observer

QUIET = 5


def observed(seed: int, what: Table, deck: str) -> tuple[list[Truth], Observer, Observation]:
    """A rendered table and what an eye with a perfect calibration makes of it."""
    picture, view = table(seed, what)
    eye = Observer(decks.named(deck), plane_of(view))
    frame = Frame(picture.image, 0.0, 1)
    seen = [eye.observe(frame) for _ in range(QUIET)]
    return picture.truths, eye, seen[-1]


def share_right(truths: list[Truth], seen: tuple[Sighting, ...]) -> float:
    right = 0
    for truth in truths:
        x, y = truth.quad_mm.mean(0)
        near = [s for s in seen if np.hypot(s.middle[0] - x, s.middle[1] - y) < 12]
        right += any(s.label == truth.label and s.kind == truth.kind for s in near)
    return right / len(truths)


@pytest.mark.parametrize(
    ("what", "deck", "floor"),
    [
        (Table("odin", cards=12), "odin", 0.97),
        (Table("odin", cards=12, size=(2304, 1296)), "odin", 0.97),
        (Table("odin", cards=12, overlap=0.5), "odin", 0.85),
        (Table("valhalla", cards=10), "valhalla", 0.95),
        (Table("valhal", cards=10), "valhal", 0.85),
        (Table("playing-cards", cards=10), "playing-cards", 0.85),
        (Table("odin", cards=0, dice=8), "odin", 0.95),
    ],
)
def test_floors(what: Table, deck: str, floor: float) -> None:
    shares = [
        share_right(t, o.sightings) for t, _, o in (observed(s, what, deck) for s in (1, 2, 3))
    ]
    assert np.mean(shares) >= floor


def test_strangers_are_not_named() -> None:
    picture, view = table(4, Table("playing-cards", cards=10))
    seen = look(picture.image, decks.named("odin"), plane=plane_of(view))
    assert seen
    assert not [s for s in seen if s.kind == "card" and s.label is not None and s.p > 0.9]


def test_a_still_table_is_looked_at_once() -> None:
    picture, view = table(5, Table("odin", cards=6))
    eye = Observer(decks.named("odin"), plane_of(view))
    looks = [eye.observe(Frame(picture.image, 0.1 * n, n)) for n in range(10)]
    assert sum(o.looked for o in looks) == 1
    assert looks[-1].motion is Motion.STILL
    assert len(looks[-1].sightings) >= 5


def test_only_what_changed_is_read_again() -> None:
    picture, view = table(6, Table("odin", cards=8))
    eye = Observer(decks.named("odin"), plane_of(view))
    before = [eye.observe(Frame(picture.image, 0.0, n)) for n in range(6)][-1]
    covered = picture.image.copy()
    gone = next(t for t in picture.truths)
    cv2.fillConvexPoly(covered, np.round(gone.quad).astype(np.int32), (90, 100, 110))
    after = [eye.observe(Frame(covered, 0.0, n)) for n in range(10, 18)][-1]
    x, y = gone.quad_mm.mean(0)
    left = [s for s in before.sightings if np.hypot(s.middle[0] - x, s.middle[1] - y) > 120]
    assert left
    assert {id(s) for s in left} <= {id(s) for s in after.sightings}


def test_every_file_has_its_sum() -> None:
    folder = shipped("models")
    expected = {p.name for p in folder.iterdir() if p.suffix in (".onnx", ".deck")}
    assert set(sums(folder)) == expected


def test_no_model_is_large() -> None:
    assert all(p.stat().st_size < 4_000_000 for p in shipped("models").glob("*.onnx"))


def test_a_damaged_or_missing_model_is_named(tmp_path: Path) -> None:
    folder = shipped("models")
    shutil.copy(folder / "dice.onnx", tmp_path / "dice.onnx")
    data = bytearray((tmp_path / "dice.onnx").read_bytes())
    data[1000] ^= 255
    (tmp_path / "dice.onnx").write_bytes(data)
    with pytest.raises(BadInput, match=r"dice\.onnx is damaged"):
        Network(tmp_path / "dice.onnx", sums(folder)["dice.onnx"])
    with pytest.raises(BadInput, match=r"none\.onnx is missing"):
        Network(tmp_path / "none.onnx")
    (tmp_path / "text.onnx").write_text("no network")
    with pytest.raises(BadInput, match="not a model"):
        Network(tmp_path / "text.onnx")
