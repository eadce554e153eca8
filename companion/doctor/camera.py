"""The camera and what it sees: light, focus, the corner markers, and which sheets lie there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from companion.devices.camera.choice import asked_size, chosen_camera
from companion.foundation.errors import CameraError
from companion.foundation.frames import Frame, burnt, light, sharpness
from companion.foundation.messages import N_
from companion.printing.versions import Printed, current, printed_in
from companion.service.findings import Finding, Patient, State, finding
from companion.service.settings import Settings
from companion.tabletop.mat import MARKERS
from companion.vision.calibration import markers_in, solve

PATIENCE_SECONDS = 10.0  # for the first picture: some cameras take seconds to wake
DARK_LEVEL = 6.0  # mean brightness of 255: below, nothing can be seen
DIM_LEVEL = 45.0  # below, cards are read worse
MOST_BURNT = 0.03  # share of the picture
LEAST_PX_PER_MM = 0.9  # below, cards are hard to read
LEAST_SHARP = 15.0  # variance of the Laplacian; a table with a mat has far more

CAMERA = N_("camera")
LIGHT = N_("light")
FOCUS = N_("focus")
CORNERS = N_("markers")
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
    yield _lit(frame)
    yield _focused(frame)
    yield _marked(frame)
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


def _lit(frame: Frame) -> Finding:
    bright, glare = light(frame), burnt(frame)
    facts = {"bright": f"{bright:.0f}", "glare": f"{glare * 100:.0f}"}
    what = N_("brightness %(bright)s of 255, %(glare)s %% glare")
    if bright < DARK_LEVEL:
        dark = N_("nothing to be seen: brightness %(bright)s of 255")
        todo = N_("take the cap off the lens, and switch a light on")
        return finding(LIGHT, State.BAD, dark, todo, **facts)
    if bright < DIM_LEVEL:
        dim = N_("too dim: brightness %(bright)s of 255")
        return finding(LIGHT, State.POOR, dim, N_("light the table from both sides"), **facts)
    if glare > MOST_BURNT:
        todo = N_("move the lamp to the side, or hang paper before it: cards reflect it")
        return finding(LIGHT, State.POOR, what, todo, **facts)
    return finding(LIGHT, State.GOOD, what, **facts)


def _focused(frame: Frame) -> Finding:
    sharp = f"{sharpness(frame):.0f}"
    if sharpness(frame) < LEAST_SHARP:
        what = N_("blurred, or an empty table: sharpness %(sharp)s")
        todo = N_("lay a card under the camera and try again; then turn the lens or clean it")
        return finding(FOCUS, State.POOR, what, todo, sharp=sharp)
    return finding(FOCUS, State.GOOD, N_("sharpness %(sharp)s"), sharp=sharp)


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
    scale = solve(seen, frame.size).px_per_mm
    what = N_("all four seen, %(scale)s pixels to a millimetre")
    if scale < LEAST_PX_PER_MM:
        todo = N_("hang the camera lower, or set a larger size of its pictures")
        return finding(CORNERS, State.POOR, what, todo, scale=f"{scale:.2f}")
    return finding(CORNERS, State.GOOD, what, scale=f"{scale:.2f}")


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
