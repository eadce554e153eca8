"""`/setup`: the steps, the camera, and the zones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flask import Blueprint, Response, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.dashboard.forms import word
from companion.dashboard.onboarding.common import (
    STEP_ABOUT,
    STEP_ICONS,
    STEP_PAGES,
    STEP_WORDS,
    SetupDoor,
    as_json,
    to,
    watchable_games,
)
from companion.foundation.errors import BadInput, BadSettings
from companion.foundation.messages import N_, Message
from companion.onboarding.camera_choice import CameraChoice, fixed_camera
from companion.onboarding.steps import SetupStep, StepState

if TYPE_CHECKING:  # it brings the picture libraries with it
    from companion.foundation.frames import Frame

PICTURE_PX = 960
"""How wide the camera's picture is shown."""
SMALL_PX = 480
JPEG_QUALITY = 78
_ADDRESS = re.compile(r"(https?|rtsp)://[!-~]{1,400}", re.ASCII)


class SetupPages:
    def __init__(self, door: SetupDoor) -> None:
        self._door = door
        self._parts = door.parts

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("setup", __name__, url_prefix="/setup")
        for path, name, view, method in (
            ("", "show", self.show, "GET"),
            ("/mark", "mark", self.mark, "POST"),
            ("/leave", "leave", self.leave, "POST"),
            ("/picture.jpg", "picture", self.picture, "GET"),
            ("/quality.json", "quality", self.quality, "GET"),
            ("/camera", "camera", self.camera, "GET"),
            ("/camera", "choose_camera", self.choose_camera, "POST"),
            ("/camera/turn", "turn", self.turn, "POST"),
            ("/camera/picture.jpg", "glance", self.glance, "GET"),
            ("/zones", "zones", self.zones, "GET"),
        ):
            blueprint.add_url_rule(path, name, view, methods=[method])
        return blueprint

    # -- the way --------------------------------------------------------------------------------

    def show(self) -> str:
        progress = self._door.progress()
        steps = [
            {
                "step": step,
                "words": STEP_WORDS[step],
                "about": STEP_ABOUT[step],
                "icon": STEP_ICONS[step],
                "href": url_for(STEP_PAGES[step]),
                "state": progress.states[step],
                "next": step is progress.next,
            }
            for step in SetupStep
        ]
        return render_template("setup/show.html", steps=steps, progress=progress)

    def mark(self) -> AnyResponse:
        """A step is done, or left out; on to the next."""
        try:
            step, state = SetupStep(word("step", 20)), StepState(word("state", 20))
        except ValueError:
            raise BadInput("no-such-step", N_("There is no such step.")) from None
        self._door.mark(step, state)
        every = list(SetupStep)
        at = every.index(step) + 1
        return to(STEP_PAGES[every[at]] if at < len(every) else "setup.show")

    def leave(self) -> AnyResponse:
        """Everything that is still open is left out: nobody is asked again."""
        for step, state in self._door.progress().states.items():
            if state is StepState.OPEN:
                self._door.mark(step, StepState.SKIPPED)
        return to("setup.show")

    def picture(self) -> Response:
        """What the camera sees now, as it is."""
        return _sent(self._parts.picture(), PICTURE_PX)

    def quality(self) -> Response:
        found = [] if self._parts.picture() is None else self._door.desk.gauges()
        bars = [
            {"name": g.name, "share": g.share, "tone": g.tone, "said": self._door.tell(g.said)}
            for g in found
        ]
        return as_json({"gauges": bars})

    # -- the camera -----------------------------------------------------------------------------

    def camera(self, problem: str = "") -> str:
        store = self._parts.store
        settings = None if store is None else store.read().settings
        now = "none" if self._parts.table is None or settings is None else settings.camera
        now = self._named(now)
        cameras = () if self._parts.cameras is None else self._parts.cameras().seen()
        kept = [now] if now.startswith(("stream:", "file:")) else []
        listed = [*kept, *(each for each in cameras if each not in kept)]
        return self._door.page(
            "setup/camera.html",
            SetupStep.CAMERA,
            cameras=[{"camera": each, "words": _camera_words(each)} for each in listed],
            now=now,
            choosable=self._parts.camera_choice is not None,
            problem=problem,
        )

    def _named(self, camera: str) -> str:
        """As the list calls it."""
        return camera if self._parts.cameras is None else self._parts.cameras().named(camera)

    @property
    def _choice(self) -> CameraChoice:
        if self._parts.camera_choice is None:
            raise fixed_camera()
        return self._parts.camera_choice

    def choose_camera(self) -> Response | tuple[str, int]:
        """Everything starts anew with it; nobody has to stop anything."""
        try:
            self._choice.choose(self._asked_camera())
        except (BadInput, BadSettings) as bad:
            return self.camera(self._door.tell(bad.message)), 400
        return self._changing()

    def _asked_camera(self) -> str:
        camera = request.form.get("camera", "").strip()
        if camera == "stream":
            address = request.form.get("address", "").strip()
            if not _ADDRESS.fullmatch(address):
                told = N_("An address begins with http://, https:// or rtsp://.")
                raise BadInput("bad-address", told)
            return f"stream:{address}"
        known = () if self._parts.cameras is None else self._parts.cameras().seen()
        store = self._parts.store
        now = "" if store is None else store.read().settings.camera
        if camera not in (*known, now, "simulated", "none"):
            gone = N_("This camera is not there any more. Check its cable, and look again.")
            raise BadInput("camera-gone", gone)
        return camera

    def turn(self) -> Response | tuple[str, int]:
        try:
            self._choice.turn()
        except (BadInput, BadSettings) as bad:
            return self.camera(self._door.tell(bad.message)), 400
        return self._changing()

    def _changing(self) -> Response:
        page = render_template("setup/changing.html", back=url_for("setup.camera"))
        return Response(page, headers={"Refresh": f"15; url={url_for('setup.camera')}"})

    def glance(self) -> Response:
        """A picture of a camera to choose by: of the one that watches as it sees now."""
        camera = request.args.get("camera", "")[:200]
        store = self._parts.store
        if store is not None and self._named(store.read().settings.camera) == camera:
            return _sent(self._parts.picture(), SMALL_PX)
        if self._parts.cameras is None or camera not in self._parts.cameras().seen():
            return Response(status=404)
        got = self._parts.cameras().picture(camera)
        return _sent(None if isinstance(got, Message) else got, SMALL_PX)

    # -- zones ----------------------------------------------------------------------------------

    def zones(self) -> str:
        table = self._parts.table
        moved = () if table is None else tuple(g for g in watchable_games() if table.zones.moved(g))
        return self._door.page(
            "setup/zones.html", SetupStep.ZONES, games=watchable_games(), moved=moved
        )


def _sent(frame: Frame | None, wide: int) -> Response:
    """A picture, so wide at most; it is sent only if it is another."""
    from companion.foundation.frames import jpeg

    picture = b"" if frame is None else jpeg(frame.pixels, wide, JPEG_QUALITY)
    if not picture:
        return Response(status=204, headers={"Cache-Control": "no-store"})
    answer = Response(picture, headers={"Cache-Control": "no-cache"}, mimetype="image/jpeg")
    answer.add_etag()
    answer.make_conditional(request)
    return answer


def _camera_words(camera: str) -> str:
    kind, _, which = camera.partition(":")
    if kind == "stream":
        return re.sub(r"//[^/@]*@", "//", which)
    return f"{kind.upper()} {which.replace('_', ' ')}".strip()
