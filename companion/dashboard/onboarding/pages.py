"""`/setup`: the steps, the table's name, the camera, the zones, and trying it."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from flask import Blueprint, Response, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.dashboard.forms import word
from companion.dashboard.language import LANGUAGE_NAMES, reader_language
from companion.dashboard.onboarding.common import (
    STEP_ABOUT,
    STEP_ICONS,
    STEP_PAGES,
    STEP_WORDS,
    SetupDoor,
    as_json,
    card_words,
    simulated_cards,
    to,
    watchable_games,
)
from companion.foundation.errors import BadInput, BadSettings
from companion.foundation.messages import N_, Message
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
        self._laid: tuple[str, ...] = ()

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("setup", __name__, url_prefix="/setup")
        for path, name, view, method in (
            ("", "show", self.show, "GET"),
            ("/mark", "mark", self.mark, "POST"),
            ("/picture.jpg", "picture", self.picture, "GET"),
            ("/quality.json", "quality", self.quality, "GET"),
            ("/you", "you", self.you, "GET"),
            ("/you", "name_table", self.name_table, "POST"),
            ("/camera", "camera", self.camera, "GET"),
            ("/camera", "choose_camera", self.choose_camera, "POST"),
            ("/camera/turn", "turn", self.turn, "POST"),
            ("/camera/picture.jpg", "glance", self.glance, "GET"),
            ("/zones", "zones", self.zones, "GET"),
            ("/try", "trying", self.trying, "GET"),
            ("/try/seen.json", "seen", self.seen, "GET"),
            ("/try/lay", "lay", self.lay, "POST"),
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

    # -- your table -----------------------------------------------------------------------------

    def you(self, problem: str = "") -> str:
        store = self._parts.store
        name = "" if store is None else store.read().settings.table_name
        return self._door.page(
            "setup/you.html",
            SetupStep.YOU,
            table_name=name,
            owned=self._parts.access.policy.owned,
            names=LANGUAGE_NAMES,
            problem=problem,
        )

    def name_table(self) -> AnyResponse | tuple[str, int]:
        if self._parts.store is not None:
            name = " ".join(request.form.get("table_name", "")[:400].split())
            language = request.form.get("box_language", "")
            chosen = {"table_name": name, **({"language": language} if language else {})}
            try:
                self._parts.store.choose(chosen)
            except (BadInput, BadSettings) as bad:
                return self.you(self._door.tell(bad.message)), 400
        self._door.mark(SetupStep.YOU)
        return to("setup.camera")

    # -- the camera -----------------------------------------------------------------------------

    def camera(self, problem: str = "") -> str:
        store = self._parts.store
        settings = None if store is None else store.read().settings
        now = "none" if self._parts.table is None or settings is None else settings.camera
        cameras = () if self._parts.cameras is None else self._parts.cameras.seen()
        kept = [now] if now.startswith(("stream:", "file:")) else []
        listed = [*kept, *(each for each in cameras if each not in kept)]
        return self._door.page(
            "setup/camera.html",
            SetupStep.CAMERA,
            cameras=[{"camera": each, "words": _camera_words(each)} for each in listed],
            now=now,
            turn=0 if settings is None else settings.camera_turn,
            choosable=self._parts.choose_camera is not None,
            problem=problem,
        )

    def choose_camera(self) -> Response | tuple[str, int]:
        """Everything starts anew with it; nobody has to stop anything."""
        camera = request.form.get("camera", "").strip()
        address = request.form.get("address", "").strip()
        if camera == "stream":
            if not _ADDRESS.fullmatch(address):
                told = N_("An address begins with http://, https:// or rtsp://.")
                return self.camera(self._door.tell(BadInput("bad-address", told).message)), 400
            camera = f"stream:{address}"
        known = () if self._parts.cameras is None else self._parts.cameras.seen()
        if not camera.startswith("stream:") and camera not in (*known, "simulated", "none"):
            gone = N_("This camera is not there any more. Check its cable, and look again.")
            return self.camera(self._door.tell(BadInput("camera-gone", gone).message)), 400
        return self._restarted({"camera": camera, "camera_turn": 0})

    def turn(self) -> Response | tuple[str, int]:
        store = self._parts.store
        before = 0 if store is None else store.read().settings.camera_turn
        return self._restarted({"camera_turn": (before + 90) % 360})

    def _restarted(self, values: dict[str, object]) -> Response | tuple[str, int]:
        store, again = self._parts.store, self._parts.start_again
        if store is None or again is None or self._parts.choose_camera is None:
            fixed = N_("The companion was started with --camera; start it without to choose here.")
            return self.camera(self._door.tell(BadInput("camera-fixed", fixed).message)), 400
        store.choose(values)
        self._door.desk.place.forget()  # what was shown by hand was shown in other pictures
        again(lambda: None)
        page = render_template("setup/changing.html", back=url_for("setup.camera"))
        return Response(page, headers={"Refresh": f"15; url={url_for('setup.camera')}"})

    def glance(self) -> Response:
        """A picture of a camera to choose by: of the one that watches as it sees now."""
        camera = request.args.get("camera", "")[:200]
        store = self._parts.store
        if store is not None and store.read().settings.camera == camera:
            return _sent(self._parts.picture(), SMALL_PX)
        if self._parts.cameras is None or camera not in self._parts.cameras.seen():
            return Response(status=404)
        got = self._parts.cameras.picture(camera)
        return _sent(None if isinstance(got, Message) else got, SMALL_PX)

    # -- zones, and trying it -------------------------------------------------------------------

    def zones(self) -> str:
        return self._door.page("setup/zones.html", SetupStep.ZONES, games=watchable_games())

    def trying(self) -> str:
        names = [each.name for each in self._door.desk.shelf.decks() if not each.problem]
        used = {deck: game for game, (deck, _) in self._door.desk.shelf.used().items()}
        deck = request.args.get("deck", "")
        return self._door.page(
            "setup/try.html",
            SetupStep.TRY,
            decks=tuple(dict.fromkeys(names)),
            deck=deck if deck in names else (names[0] if names else ""),
            used=used,
            games=watchable_games(),
        )

    def lay(self) -> AnyResponse:
        """On a simulated table: lays a card, or takes it away again."""
        table = self._parts.simulated
        if table is not None:
            cards = simulated_cards(table.text)
            self._laid = (random.choice(cards),) if request.form.get("lay") == "card" else ()  # noqa: S311 - any card will do
        return to("setup.trying")

    def seen(self) -> Response:
        """What lies there now, read with a deck."""
        return self._door.polled(self._seen)

    def _seen(self) -> object:
        self._door.cards_are_shown(self._laid)
        cards = self._door.desk.practice.lying(request.args.get("deck", "")[:60])
        labels = tuple(each.label for each in cards if each.label)
        words = card_words(labels, reader_language(self._parts.language))
        return {
            "cards": [
                {"label": words.get(each.label, ""), "p": each.p, "quad": each.outline}
                for each in cards
            ]
        }


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
