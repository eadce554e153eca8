"""`/setup/buttons`: press each button, see each lamp, and which pin each belongs on."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request, url_for

from companion.dashboard.access.callers import presser
from companion.dashboard.onboarding.common import SetupDoor
from companion.dashboard.parts import BoxTrial, Parts
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.onboarding.steps import SetupStep

BUTTONS = ("pass", "confirm")
PART_WORDS = {
    "pass": N_("Pass button"),
    "confirm": N_("Confirm button"),
    "green": N_("Green lamp"),
    "amber": N_("Amber lamp"),
    "red": N_("Red lamp"),
    "buzzer": N_("Buzzer"),
}
HEADER_PINS = {
    2: 3,
    3: 5,
    4: 7,
    14: 8,
    15: 10,
    17: 11,
    18: 12,
    27: 13,
    22: 15,
    23: 16,
    24: 18,
    10: 19,
    9: 21,
    25: 22,
    11: 23,
    8: 24,
    7: 26,
    0: 27,
    1: 28,
    5: 29,
    6: 31,
    12: 32,
    13: 33,
    19: 35,
    16: 36,
    26: 37,
    20: 38,
    21: 40,
}
"""Where a GPIO number is on the header of a Pi, counted from the corner."""


class ButtonsPage:
    def __init__(self, parts: Parts, door: SetupDoor) -> None:
        self._parts = parts
        self._door = door

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("buttons", __name__, url_prefix="/setup/buttons")
        blueprint.add_url_rule("", view_func=self.show, methods=["GET"])
        blueprint.add_url_rule("/pressed", "pressed", self.pressed, methods=["GET"])
        for path, name, view in (
            ("/begin", "begin", self.begin),
            ("/end", "end", self.end),
            ("/light", "light", self.light),
            ("/press", "press", self.press),
        ):
            blueprint.add_url_rule(path, name, view, methods=["POST"])
        return blueprint

    @property
    def _trial(self) -> BoxTrial:
        if self._parts.trial is None:
            raise BadInput("no-buttons", N_("This box has no buttons and lamps."))
        return self._parts.trial

    def show(self) -> str:
        fragment = self._fragment()  # first: it notices that every button was pressed
        return self._door.page(
            "care/buttons.html",
            SetupStep.BUTTONS,
            fragment=fragment,
            trial=self._parts.trial,
        )

    def _fragment(self) -> str:
        trial = self._parts.trial
        if trial is None:
            return ""
        if trial.pressed >= set(BUTTONS):
            self._door.mark(SetupStep.BUTTONS)
        parts = [
            {
                "key": part,
                "words": PART_WORDS[part],
                "gpio": gpio,
                "pin": HEADER_PINS[gpio],
                "button": part in BUTTONS,
                "seen": part in trial.pressed,
            }
            for part, gpio in trial.pins.items()
        ]
        simulated = self._parts.finger is not None
        return render_template("care/_buttons.html", trial=trial, parts=parts, simulated=simulated)

    def pressed(self) -> Response:
        """The list as it is now; the page asks again while the trial goes on."""
        going_on = self._trial.going_on
        return Response(self._fragment(), headers={} if going_on else {"X-Done": "yes"})

    def begin(self) -> Response:
        self._trial.begin()
        return _back()

    def end(self) -> Response:
        self._trial.end()
        return _back()

    def press(self) -> Response:
        """One that is drawn on the page."""
        finger, part = self._parts.finger, request.form.get("part", "")
        if finger is None or part not in finger.buttons:
            raise BadInput(
                "no-such-button", N_("There is no button %(part)s."), part=repr(part[:20])
            )
        finger.press(part, presser(request))
        return _back()

    def light(self) -> Response:
        self._trial.light(request.form.get("part", ""))
        return _back()


def _back() -> Response:
    return Response(status=303, headers={"Location": url_for("buttons.show")})
