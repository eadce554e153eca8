"""What is taken from the pictures a deck is enrolled from: which part, under which name."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.foundation.errors import BadInput
from companion.games.odin import faces as odin
from companion.sim.faces import playing, random_decks
from companion.sim.faces.canvas import Face, Image, raster
from companion.sim.render.crops import drawn
from companion.sim.render.scene import CardOn, Light, Rendering, camera, render
from companion.vision.enrolment.deck_making import Sample, listed_in, only_card, shown
from companion.vision.enrolment.laid_out import laid_out

CLEAR = Light(hard=0.05, glare=0.0, blur=0.4, jpeg=False)
GROUND = np.full((720, 960, 3), (60, 75, 95), np.uint8)


def _table(*cards: CardOn) -> Rendering:
    return render(camera(960, 720, 2.6), GROUND, cards, CLEAR, np.random.default_rng(2))


def _odin(label: str) -> Face:
    return next(face for face in odin.faces() if face.label == label)


def _court() -> Image:
    """A scan of a court: a framed figure within a white border."""
    return raster(playing.face("QD", playing.Printing()), 6)


def _art() -> Image:
    """A scan of a card with a picture and a text box, which a finder takes for a card."""
    return raster(random_decks._pictures(np.random.default_rng(13), 1)[0], 6)


@pytest.mark.parametrize("scan", [_court(), _art(), raster(_odin("b8"), 6)])
def test_a_scan_is_taken_whole(scan: Image) -> None:
    quad = only_card(Sample("x", scan))
    high, wide = scan.shape[:2]
    assert cv2.contourArea(quad.astype(np.float32)) == pytest.approx(high * wide, rel=0.02)


def test_a_card_on_a_table_is_cut_out_of_it() -> None:
    picture = _table(CardOn(drawn(_odin("b8")), 0, 0, 1.0))
    quad = only_card(Sample("b8", picture.image))
    (truth,) = picture.truths
    assert np.abs(np.sort(quad, 0) - np.sort(truth.quad, 0)).max() < 6


def test_an_empty_table_is_no_card() -> None:
    empty = np.full((800, 600, 3), 90, np.uint8)
    with pytest.raises(BadInput, match=r"table\.jpg: no card can be seen"):
        only_card(Sample("x", empty, source="table.jpg"))


def test_names_are_what_stands_before_the_last_dot(tmp_path: Path) -> None:
    for name in ("red-7.jpg", "b_12.png", "v1.2.jpg", "7 blue.jpg", "7 blue (2).jpg", "note.txt"):
        (tmp_path / name).write_bytes(b"")
    names = [each.label for each in listed_in(tmp_path)]
    assert names == ["7 blue", "7 blue", "b_12", "red-7", "v1.2"]


def test_what_lies_beside_the_cards_is_left_out() -> None:
    large = Face("box", 130.0, 180.0, (), (40, 150, 160))
    cards = [
        CardOn(drawn(_odin(name)), 40.0 + 75 * n, 0, 2.0) for n, name in enumerate(("r7", "g2"))
    ]
    picture = _table(CardOn(drawn(large), -100, 0, 4.0), *cards)
    got = laid_out(picture.image, ("r7", "g2"))
    assert not isinstance(got, str)
    assert [sample.label for sample in got] == ["r7", "g2"]
    middles = [sample.quad.mean(0) for sample in got if sample.quad is not None]
    truths = [truth.quad.mean(0) for truth in picture.truths if truth.label != "box"]
    assert np.abs(np.array(middles) - truths).max() < 5


def test_a_card_too_many_is_said() -> None:
    names = ("r7", "g2", "b8")
    cards = [CardOn(drawn(_odin(name)), -80.0 + 80 * n, 0, 2.0) for n, name in enumerate(names)]
    got = laid_out(_table(*cards).image, names[:2])
    assert got == "3 cards are seen, 2 were asked for"


def _manifest(folder: Path, objects: list[dict[str, object]]) -> Path:
    names = ("r7", "g2", "b8")
    cards = [CardOn(drawn(_odin(name)), -80.0 + 80 * n, 0, 2.0) for n, name in enumerate(names)]
    cv2.imwrite(str(folder / "t.png"), _table(*cards).image)
    file = folder / "m.jsonl"
    file.write_text(json.dumps({"file": "t.png", "objects": objects}))
    return file


def test_cards_of_a_manifest_are_found_in_their_boxes(tmp_path: Path) -> None:
    boxes = {"r7": [185, 240, 180, 240], "b8": [600, 240, 180, 240]}
    objects: list[dict[str, object]] = [{"label": k, "bbox": v} for k, v in boxes.items()]
    samples = list(shown(listed_in(_manifest(tmp_path, objects))))
    assert [sample.label for sample in samples] == ["r7", "b8"]
    for sample, middle in zip(samples, (272, 688), strict=True):
        assert sample.quad is not None
        assert abs(sample.quad.mean(0)[0] - middle) < 8


def test_several_cards_need_a_place_each(tmp_path: Path) -> None:
    nowhere: list[dict[str, object]] = [{"label": "r7"}, {"label": "b8"}]
    with pytest.raises(BadInput, match="several cards need a polygon or a bbox each"):
        listed_in(_manifest(tmp_path, nowhere))
    empty: list[dict[str, object]] = [{"label": "r7", "bbox": [0, 0, 60, 80]}]
    with pytest.raises(BadInput, match="r7: no card can be seen in its bbox"):
        list(shown(listed_in(_manifest(tmp_path, empty))))
