"""`/settings`: what is set and where it comes from, chosen with a tap; restarting and switching
off."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, render_template, request, url_for

from companion.dashboard.care.keeping_page import KEPT_WORDS
from companion.dashboard.care.restarting import start_again
from companion.dashboard.care.setting_fields import (
    FIELDS,
    GROUPS,
    ORIGINS,
    Control,
    given_values,
    masked,
    with_choices,
)
from companion.dashboard.language import LANGUAGE_NAMES, reader_language
from companion.dashboard.parts import Parts
from companion.foundation.errors import BadInput, BadSettings
from companion.foundation.messages import N_
from companion.service.chosen_settings import (
    NOT_ON_THE_PAGE,
    Layers,
    Origin,
    SettingsStore,
    at_start,
)
from companion.service.keeping.storage import EVIDENCE, LEFTOVERS, storage_of
from companion.service.keeping.uploaded import MOST_BYTES
from companion.service.power import Turn, turn_machine, why_not
from companion.service.versions import about_box
from companion.views.speech import Speech

CAMERA_WORDS = {
    "none": N_("nobody: plays are entered by hand"),
    "pi": N_("the Raspberry Pi camera"),
    "usb": N_("a USB camera %(which)s"),
    "simulated": N_("a simulated table"),
    "stream": N_("a network camera: %(which)s"),
}


class SettingsPage:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._in_use = None if parts.store is None else parts.store.read().settings

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("settings", __name__, url_prefix="/settings")
        blueprint.add_url_rule("", view_func=self.show, methods=["GET"])
        for path, name, view in (
            ("", "keep", self.keep),
            ("/forget", "forget", self.forget),
            ("/restart", "restart", self.restart),
            ("/power", "power", self.power),
        ):
            blueprint.add_url_rule(path, name, view, methods=["POST"])
        return blueprint

    @property
    def store(self) -> SettingsStore:
        if self._parts.store is None:
            raise BadInput("no-store", N_("Nothing can be set here."))
        return self._parts.store

    @property
    def _speech(self) -> Speech:
        return Speech(reader_language(self._parts.language))

    def show(self, problem: str = "", wrong: str = "") -> str:
        layers = self.store.read()
        return render_template(
            "care/settings.html",
            groups=[
                (group, [self._field(each, layers) for each in group.fields]) for group in GROUPS
            ],
            translated=self._translated,
            camera_words=self._camera_words(self._camera(layers)),
            camera_page=url_for("setup.camera"),
            camera_origin=self._origin(layers.origin("camera")),
            waiting=layers.settings != self._in_use,
            problem=problem,
            wrong=wrong,
            kept=request.args.get("kept", "") == "yes",
            restartable=self._parts.start_again is not None,
            no_power=self._why_no_power(),
            storage=storage_of(self.store.folder),
            kept_words=KEPT_WORDS,
            evidence=EVIDENCE,
            leftovers=LEFTOVERS,
            freed=_freed(),
            most_upload=MOST_BYTES,
            recovery=self._parts.recovery is not None,
            about=about_box(),
            clubs=self._parts.club_door is not None,
        )

    def _field(self, field: Any, layers: Layers) -> dict[str, Any]:
        value = getattr(layers.settings, field.key)
        shown = masked(value) if field.control is Control.SECRET else field.said(value)
        origin = layers.origin(field.key)
        return {
            "field": with_choices(field, layers.settings, LANGUAGE_NAMES),
            "value": shown,
            "several": layers.settings.voice_topics if field.control is Control.SEVERAL else (),
            "origin": self._origin(origin),
            "chosen": origin is Origin.PAGE,
            "fixed": origin is Origin.COMMAND_LINE,
        }

    def _translated(self, choices: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
        return [(value, self._speech.say(words)) for value, words in choices]

    def _origin(self, origin: Origin) -> str:
        """Where a value comes from; nothing is said of what is as it comes."""
        return "" if origin is Origin.DEFAULT else self._speech.say(ORIGINS[origin])

    def _camera(self, layers: Layers) -> str:
        told = self.store.file is not None or self._parts.installed
        return at_start(layers, told=told).camera

    def _camera_words(self, camera: str) -> str:
        kind, _, which = camera.partition(":")
        words = CAMERA_WORDS.get(kind)
        return camera if words is None else self._speech.say(words, which=masked(which))

    def _why_no_power(self) -> str:
        if not self._parts.installed:
            return self._speech.say(
                N_("The companion is a program on this machine: switch the machine off as usual.")
            )
        problem = why_not(Turn.OFF)
        return "" if problem is None else self._speech.told(problem)

    # -- choosing ---------------------------------------------------------------------------------

    def keep(self) -> Response | tuple[str, int]:
        settings = self.store.read().settings
        values = dict(given_values(request.form.to_dict(flat=False), settings))
        for key, value in values.items():
            if not FIELDS[key].allows(value):
                name, shown = self._speech.say(FIELDS[key].name), repr(str(value)[:40])
                told = self._speech.say(N_("%(name)s cannot be %(value)s."), name=name, value=shown)
                return self.show(told, key), 400
        try:
            if values:
                self.store.choose(values)
        except BadSettings as bad:
            told = "; ".join(self._speech.told(each) for each in bad.problems)
            return self.show(told, next(iter(values), "")), 400
        return self._back()

    def forget(self) -> Response:
        key = request.form.get("key", "")
        if key not in FIELDS.keys() - NOT_ON_THE_PAGE:
            raise BadInput(
                "no-such-setting", N_("There is no setting %(key)s."), key=repr(key[:40])
            )
        self.store.forget([key])
        return self._back()

    def _back(self) -> Response:
        return Response(status=303, headers={"Location": url_for("settings.show", kept="yes")})

    # -- starting anew ----------------------------------------------------------------------------

    def restart(self) -> Response:
        port = self.store.read().settings.port
        same = self._in_use is None or port == self._in_use.port
        return start_again(self._parts, lambda: None, 0 if same else port)

    def power(self) -> Response:
        known = {"off": Turn.OFF, "again": Turn.AGAIN}
        turn = known.get(request.form.get("turn", ""))
        if turn is None or request.form.get("sure") != "yes":
            raise BadInput("power-not-sure", N_("Tick the box first: the whole box stops."))
        turn_machine(turn)
        return Response(render_template("care/switched.html", off=turn is Turn.OFF))


def _freed() -> int | None:
    """How much a tidying up has freed, if this answers one."""
    said = request.args.get("freed", "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 16 else None
