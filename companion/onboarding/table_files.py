"""What is kept of where the table is, in the data folder: its place, and the camera's lens."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from companion.foundation.errors import BadInput
from companion.foundation.frames import Frame
from companion.foundation.ownership import keep
from companion.vision import calibration as calibrating
from companion.vision.calibrating.lens import Lens, load_lens
from companion.vision.calibration import Plane

FILE = "table.json"
"""In the data folder: where the table was found."""
LENS_FILE = "lens.json"
"""In the data folder: how the camera's lens bends the picture, if its owner measured it."""


def keep_place(plane: Plane, folder: Path) -> None:
    """Where the table is from now on, and the lens that was measured with it."""
    if plane.lens is not None:
        keep_lens_file(plane.lens, folder)
    keep(folder / FILE, folder, plane.save)


def keep_lens_file(lens: Lens, folder: Path) -> None:
    keep(folder / LENS_FILE, folder, lens.save)


def plane_in(folder: Path, frame: Frame) -> Plane:
    """Where the table is in a picture: what was shown by hand; else the markers as they are seen
    now, else as they were seen before. Raises `BadInput` if there is nothing to go by."""
    file = folder / FILE
    kept = calibrating.load(file) if file.exists() else None
    if kept is not None and kept.size != frame.size:
        kept = None
    if kept is not None and kept.by_hand:
        return kept
    try:
        seen = calibrating.markers_in(frame.pixels)
        return calibrating.solve(seen, frame.size, lens_for(folder, frame.size), before=kept)
    except BadInput:
        if kept is None:
            raise
        return kept


def lens_for(folder: Path, size: tuple[int, int]) -> Lens | None:
    """The lens of the camera whose pictures have that size; None if nobody has measured it."""
    lens = load_lens(folder / LENS_FILE)
    if lens is None:  # a table that was found by an earlier version has it with itself
        with suppress(BadInput):
            lens = calibrating.load(folder / FILE).lens
    return None if lens is None or lens.size != size else lens


def forget_place(folder: Path, *, lens: bool) -> None:
    """Another camera, or another way up: what was found is not where the table is now."""
    if not lens:
        with suppress(BadInput):
            before = calibrating.load(folder / FILE).lens
            if before is not None and not (folder / LENS_FILE).exists():
                before.save(folder / LENS_FILE)
    (folder / FILE).unlink(missing_ok=True)
    if lens:
        (folder / LENS_FILE).unlink(missing_ok=True)


def turn_lens(folder: Path) -> None:
    """The camera's pictures are turned a quarter clockwise from now on."""
    lens = load_lens(folder / LENS_FILE)
    if lens is not None:
        keep_lens_file(lens.turned(), folder)
