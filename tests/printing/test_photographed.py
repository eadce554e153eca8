"""Printed pages, photographed (rendered through a camera) and recognised by our own eyes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner

from companion.cli.print import print_
from companion.printing import versions
from companion.printing.versions import Printed, current, printed_in
from companion.sim.render import light
from companion.sim.render.scene import camera
from companion.vision import decks
from companion.vision.calibrating.lens_sheet import lens_from
from companion.vision.calibration import markers_in
from companion.vision.look import look

PX = 6.0
"""Pixels to a millimetre of the page."""


def page_of(tmp_path: Path, *words: str, page: int = 0) -> Any:
    target = tmp_path / "sheet.pdf"
    result = CliRunner().invoke(print_, [*words, str(target)], catch_exceptions=False)
    assert result.exit_code == 0
    document = pypdfium2.PdfDocument(target)
    image = np.ascontiguousarray(document[page].render(scale=PX * 25.4 / 72).to_numpy()[:, :, :3])
    target.unlink()
    return image


def photographed(page: Any, tilt: tuple[float, float], seed: int = 1, px: float = 2.2) -> Any:
    """The page on a table, by a camera held over it, in everyday light."""
    rng = np.random.default_rng(seed)
    high, wide = (n / PX for n in page.shape[:2])
    view = camera(1280, 960, px, tilt=tilt, roll=3.0, middle=(wide / 2, high / 2))
    shrink = np.diag([1 / PX, 1 / PX, 1.0])
    seen = cv2.warpPerspective(
        page, view.matrix @ shrink, (1280, 960), flags=cv2.INTER_AREA, borderValue=(70, 80, 95)
    )
    seen = light.lit(cv2.GaussianBlur(seen, (0, 0), 0.6), rng, 0.2)
    return light.grainy(light.developed(seen, rng, 0.2), rng, 0.2)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_corner_markers_are_seen(tmp_path: Path, paper: str) -> None:
    page = page_of(tmp_path, "markers", "--paper", paper)
    assert set(markers_in(photographed(page, (6.0, -8.0)))) == {0, 1, 2, 3}


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("sheet", ["markers", "mat odin", "mat valhalla", "mat valhal"])
def test_a_sheet_s_version_is_read_off_it(tmp_path: Path, sheet: str, paper: str) -> None:
    page = page_of(tmp_path, *sheet.split(), "--paper", paper)
    for seed, (tilt, px) in enumerate([((0.0, 0.0), 2.2), ((6.0, -8.0), 1.4), ((-5.0, 5.0), 0.9)]):
        assert printed_in(photographed(page, tilt, seed, px)) == (current(sheet),)


def test_no_other_sheet_has_a_version_to_be_read(tmp_path: Path) -> None:
    for words in (("charuco",), ("cards", "odin"), ("wall", "http://10.0.0.1:8080/")):
        assert printed_in(photographed(page_of(tmp_path, *words), (0.0, 0.0))) == ()


def test_an_older_sheet_is_told_from_the_current_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_of(tmp_path, "mat", "odin")
    known = versions.sheet_versions()
    newest = known | {"mat odin": replace(known["mat odin"], version=2)}
    monkeypatch.setattr(versions, "sheet_versions", lambda: newest)
    assert printed_in(photographed(page, (0.0, 0.0))) == (Printed("mat odin", 1),)
    newer = page_of(tmp_path, "mat", "odin")
    assert printed_in(photographed(newer, (0.0, 0.0))) == (Printed("mat odin", 2),)


def test_the_calibration_sheet_gives_a_lens(tmp_path: Path) -> None:
    page = page_of(tmp_path, "charuco")
    slants = [(0.0, 0.0), (15.0, 0.0), (0.0, 15.0), (-12.0, 10.0), (10.0, -14.0)]
    lens = lens_from([photographed(page, tilt, px=3.0) for tilt in slants])
    assert lens.error < 0.6


def test_printed_cards_are_read(tmp_path: Path) -> None:
    page = page_of(tmp_path, "cards", "odin", "--no-backs")
    seen = look(photographed(page, (2.0, -3.0), px=2.4), decks.named("odin"))
    labels = {s.label for s in seen if s.kind == "card" and s.label is not None and s.p >= 0.5}
    assert len(labels & {f"{c}{v}" for c in "bopgkr" for v in range(1, 10)}) >= 5
