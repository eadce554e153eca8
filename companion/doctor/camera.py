"""The camera and what it sees: light, focus, the corner markers, and which sheets lie there."""

from __future__ import annotations

import time
from collections.abc import Iterator

from companion.devices.camera.camera import Camera
from companion.devices.camera.choice import asked_size, camera_maker
from companion.doctor.finding import Finding, State
from companion.foundation.errors import CameraError
from companion.foundation.frames import Frame, burnt, light, sharpness
from companion.printing.versions import Printed, current, printed_in
from companion.service.settings import Settings
from companion.tabletop.mat import MARKERS
from companion.vision.calibration import markers_in, solve

PATIENCE_SECONDS = 10.0  # for the first picture: some cameras take seconds to wake
DARK_LEVEL = 6.0  # mean brightness of 255: below, nothing can be seen
DIM_LEVEL = 45.0  # below, cards are read worse
MOST_BURNT = 0.03  # share of the picture
LEAST_PX_PER_MM = 0.9  # below, cards are hard to read
LEAST_SHARP = 15.0  # variance of the Laplacian; a table with a mat has far more

SHEET = "printed sheet"
CABLE = "check its cable, and stop the companion if it runs: sudo systemctl stop companion"


def check_camera(settings: Settings) -> Iterator[Finding]:
    if settings.camera == "none":
        yield Finding("camera", State.SKIPPED, "none is set: plays are entered on the page")
        return
    size = settings.camera_pixels
    try:
        with camera_maker(settings.camera, size)() as camera:
            camera.settle()
            frame = _first(camera)
    except CameraError as trouble:
        yield Finding("camera", State.BAD, str(trouble), CABLE)
        return
    if frame is None:
        yield Finding("camera", State.BAD, f"{camera.name} opens but sends no picture", CABLE)
        return
    yield _sized(camera.name, frame, asked_size(settings.camera, size))
    yield _lit(frame)
    yield _focused(frame)
    yield _marked(frame)
    if settings.camera.startswith("simulated"):
        yield Finding(SHEET, State.SKIPPED, "the table is simulated")
    else:
        yield from _printed(frame)


def _first(camera: Camera) -> Frame | None:
    patience = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < patience:
        frame = camera.newest()
        if frame is not None:
            return frame
        time.sleep(0.02)
    return None


def _sized(name: str, frame: Frame, asked: tuple[int, int] | None) -> Finding:
    width, height = frame.size
    what = f"{name} sends pictures of {width}x{height}"
    if asked is not None and frame.size != asked:
        todo = f'set camera_size = "{width}x{height}", or to another size the camera has'
        return Finding("camera", State.BAD, f"{what}, not {asked[0]}x{asked[1]}", todo)
    return Finding("camera", State.GOOD, what)


def _lit(frame: Frame) -> Finding:
    bright, glare = light(frame), burnt(frame)
    what = f"brightness {bright:.0f} of 255, {glare:.0%} glare"
    if bright < DARK_LEVEL:
        todo = "take the cap off the lens, and switch a light on"
        return Finding("light", State.BAD, f"nothing to be seen: {what}", todo)
    if bright < DIM_LEVEL:
        return Finding("light", State.POOR, f"too dim: {what}", "light the table from both sides")
    if glare > MOST_BURNT:
        todo = "move the lamp to the side, or hang paper before it: cards reflect it"
        return Finding("light", State.POOR, what, todo)
    return Finding("light", State.GOOD, what)


def _focused(frame: Frame) -> Finding:
    sharp = sharpness(frame)
    what = f"sharpness {sharp:.0f}"
    if sharp < LEAST_SHARP:
        todo = "lay a card under the camera and try again; then turn the lens or clean it"
        return Finding("focus", State.POOR, f"blurred, or an empty table: {what}", todo)
    return Finding("focus", State.GOOD, what)


def _marked(frame: Frame) -> Finding:
    seen = markers_in(frame.pixels)
    if len(seen) < len(MARKERS):
        todo = (
            "lay the mat or the four markers (companion print markers) in view, uncovered and lit"
        )
        what = f"{len(seen)} of {len(MARKERS)} corner markers are seen"
        return Finding("markers", State.POOR, what, todo)
    plane = solve(seen, frame.size)
    what = f"all four seen, {plane.px_per_mm:.2f} pixels to a millimetre"
    if plane.px_per_mm < LEAST_PX_PER_MM:
        return Finding(
            "markers", State.POOR, what, "hang the camera lower, or set a larger camera_size"
        )
    return Finding("markers", State.GOOD, what)


def _printed(frame: Frame) -> Iterator[Finding]:
    sheets = printed_in(frame.pixels)
    for sheet in sheets:
        yield _dated(sheet)
    if not sheets and markers_in(frame.pixels):
        what = "no version mark is seen below the far left corner marker"
        todo = (
            "uncover it; a sheet without one is too old: print it again, "
            "companion print mat GAME or companion print markers"
        )
        yield Finding(SHEET, State.POOR, what, todo)
    elif not sheets:
        yield Finding(SHEET, State.SKIPPED, "none is seen")


def _dated(printed: Printed) -> Finding:
    now = current(printed.sheet).version
    what = f"{printed.sheet}, version {printed.version}"
    if printed.version < now:
        todo = f"print it again, at 100 %: companion print {printed.sheet}"
        return Finding(SHEET, State.BAD, f"{what}: too old, now it is {now}", todo)
    if printed.version > now:
        todo = "bring the companion up to date: git pull && sudo make install"
        return Finding(SHEET, State.BAD, f"{what}: this companion knows only {now}", todo)
    return Finding(SHEET, State.GOOD, f"{what}: the current one")
