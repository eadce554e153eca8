"""The camera and what it sees: light, focus, the corner markers, and which sheets lie there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.devices.camera.choice import asked_size, chosen_camera
from companion.foundation.errors import BadInput, CameraError
from companion.foundation.frames import Frame
from companion.foundation.messages import N_
from companion.onboarding.picture_quality import (
    BLACK,
    DARK,
    PictureQuality,
    Tone,
    distance_tone,
    quality_of,
)
from companion.onboarding.table_files import plane_in
from companion.printing.versions import Printed, current, printed_in
from companion.service.findings import Finding, Patient, State, finding
from companion.service.settings import Settings
from companion.tabletop.mat import MARKERS
from companion.vision.calibrating.camera_shift import shift_since
from companion.vision.calibration import Plane, markers_in, solve

PATIENCE_SECONDS = 10.0  # for the first picture: some cameras take seconds to wake

CAMERA = N_("camera")
LIGHT = N_("light")
FOCUS = N_("focus")
CORNERS = N_("markers")
TABLE = N_("the table")
SHEET = N_("printed sheet")
CABLE = N_(
    "check its cable; if the companion runs, it holds the camera: look at its page under Health"
)
CABLE_ONLY = N_("check its cable, and that no other program uses it")


def check_camera(patient: Patient) -> Iterator[Finding]:
    settings = patient.settings
    if settings.camera == "none":
        yield finding(CAMERA, State.SKIPPED, N_("none is set: plays are entered on the page"))
        return
    try:
        name, frame = _held(patient) if patient.running else _opened(settings)
    except CameraError as trouble:
        yield finding(CAMERA, State.BAD, N_("%(why)s"), CABLE, why=trouble.message)
        return
    if frame is None:
        todo = CABLE_ONLY if patient.running else CABLE
        what = N_("%(name)s sends no picture")
        yield finding(CAMERA, State.BAD, what, todo, name=name)
        return
    yield _sized(name, frame, asked_size(settings))
    if settings.simulated:
        yield finding(SHEET, State.SKIPPED, N_("the table is simulated"))
        return
    quality = quality_of(frame)
    yield _lit(quality)
    yield _focused(quality)
    yield _placed(settings.data_folder, frame)
    yield from _printed(frame)


def _held(patient: Patient) -> tuple[str, Frame | None]:
    return patient.settings.camera, _patiently(patient.picture)


def _opened(settings: Settings) -> tuple[str, Frame | None]:
    with chosen_camera(settings)() as camera:
        camera.settle()
        return camera.name, _patiently(camera.newest)


def _patiently(newest: Callable[[], Frame | None]) -> Frame | None:
    patience = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < patience:
        frame = newest()
        if frame is not None:
            return frame
        time.sleep(0.02)
    return None


def _sized(name: str, frame: Frame, asked: tuple[int, int] | None) -> Finding:
    width, height = frame.size
    size = f"{width}x{height}"
    if asked is not None and frame.size != asked:
        return finding(
            CAMERA,
            State.BAD,
            N_("%(name)s sends pictures of %(size)s, not %(asked)s"),
            N_("set the size of its pictures to %(size)s, or to another one the camera has"),
            name=name,
            size=size,
            asked=f"{asked[0]}x{asked[1]}",
        )
    return finding(
        CAMERA, State.GOOD, N_("%(name)s sends pictures of %(size)s"), name=name, size=size
    )


def _lit(seen: PictureQuality) -> Finding:
    facts = {"bright": f"{seen.bright:.0f}", "glare": f"{seen.shine * 100:.0f}"}
    what = N_("brightness %(bright)s of 255, %(glare)s %% glare")
    aside = N_("move the lamp to the side, or hang paper before it: cards reflect it")
    if seen.bright < BLACK:
        dark = N_("nothing to be seen: brightness %(bright)s of 255")
        todo = N_("take the cap off the lens, and switch a light on")
        return finding(LIGHT, State.BAD, dark, todo, **facts)
    if seen.bright < DARK:
        dim = N_("too dim: brightness %(bright)s of 255")
        return finding(LIGHT, State.POOR, dim, N_("light the table from both sides"), **facts)
    if Tone.BAD in (seen.light, seen.glare):
        return finding(LIGHT, State.POOR, what, aside, **facts)
    return finding(LIGHT, State.GOOD, what, **facts)


def _focused(seen: PictureQuality) -> Finding:
    sharp = f"{seen.sharp:.0f}"
    if seen.focus is Tone.BAD:
        what = N_("blurred, or an empty table: sharpness %(sharp)s")
        todo = N_("lay a card under the camera and try again; then turn the lens or clean it")
        return finding(FOCUS, State.POOR, what, todo, sharp=sharp)
    return finding(FOCUS, State.GOOD, N_("sharpness %(sharp)s"), sharp=sharp)


def _placed(folder: Path, frame: Frame) -> Finding:
    """Where the table is: as its owner showed it, or by the markers."""
    try:
        plane = plane_in(folder, frame)
    except BadInput:
        plane = None
    if plane is None or not plane.by_hand:
        return _marked(frame)
    if shift_since(plane.view, frame.pixels).moved:
        todo = N_("show the table again: Set-up, Where the table is")
        return finding(TABLE, State.POOR, N_("the camera has been moved since"), todo)
    what = N_("as you showed it, %(scale)s pixels to a millimetre")
    return _scaled(TABLE, what, plane)


def _marked(frame: Frame) -> Finding:
    seen = markers_in(frame.pixels)
    if len(seen) < len(MARKERS):
        return finding(
            CORNERS,
            State.POOR,
            N_("%(seen)s of %(all)s corner markers are seen"),
            N_("lay the mat or the four printed markers in view, uncovered and lit"),
            seen=len(seen),
            all=len(MARKERS),
        )
    what = N_("all four seen, %(scale)s pixels to a millimetre")
    return _scaled(CORNERS, what, solve(seen, frame.size))


def _scaled(part: str, what: str, plane: Plane) -> Finding:
    scale = f"{plane.px_per_mm:.2f}"
    if distance_tone(plane.px_per_mm) is Tone.BAD:
        todo = N_("hang the camera lower, or set a larger size of its pictures")
        return finding(part, State.POOR, what, todo, scale=scale)
    return finding(part, State.GOOD, what, scale=scale)


def _printed(frame: Frame) -> Iterator[Finding]:
    sheets = printed_in(frame.pixels)
    for sheet in sheets:
        yield _dated(sheet)
    if not sheets and markers_in(frame.pixels):
        what = N_("no version mark is seen below the far left corner marker")
        todo = N_("uncover it; a sheet without one is too old: print mat or markers again")
        yield finding(SHEET, State.POOR, what, todo)
    elif not sheets:
        yield finding(SHEET, State.SKIPPED, N_("none is seen"))


def _dated(printed: Printed) -> Finding:
    now = current(printed.sheet).version
    facts = {"sheet": printed.sheet, "version": printed.version, "now": now}
    if printed.version < now:
        what = N_("%(sheet)s, version %(version)s: too old, now it is %(now)s")
        todo = N_("print it again, at 100 %%: %(sheet)s")
        return finding(SHEET, State.BAD, what, todo, **facts)
    if printed.version > now:
        what = N_("%(sheet)s, version %(version)s: this companion knows only %(now)s")
        return finding(SHEET, State.BAD, what, N_("bring the companion up to date"), **facts)
    return finding(
        SHEET, State.GOOD, N_("%(sheet)s, version %(version)s: the current one"), **facts
    )
