"""`/setup/you`: the first step: what the table is called, its language, and whose box it is."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.dashboard.access.callers import device_name, present_caller, remember
from companion.dashboard.language import LANGUAGE_NAMES
from companion.dashboard.onboarding.common import SetupDoor, to
from companion.foundation.errors import BadInput, BadSettings
from companion.foundation.messages import N_
from companion.onboarding.steps import SetupStep


class YouPage:
    def __init__(self, door: SetupDoor) -> None:
        self._door = door
        self._parts = door.parts

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("setup_you", __name__, url_prefix="/setup/you")
        blueprint.add_url_rule("", "show", self.show, methods=["GET"])
        blueprint.add_url_rule("", "keep", self.keep, methods=["POST"])
        blueprint.add_url_rule("/owner", "own", self.own, methods=["POST"])
        return blueprint

    def show(self, problem: str = "") -> str:
        return self._door.page(
            "setup/you.html",
            SetupStep.YOU,
            table_name=self._parts.name_now,
            owned=self._parts.access.policy.owned,
            phone=device_name(),
            names=LANGUAGE_NAMES,
            problem=problem,
        )

    def keep(self) -> AnyResponse | tuple[str, int]:
        """Name and language; on to the camera."""
        if self._parts.store is not None:
            name = " ".join(request.form.get("table_name", "")[:400].split())
            language = request.form.get("box_language", "")
            chosen = {"table_name": name, **({"language": language} if language else {})}
            try:
                self._parts.store.choose(chosen)
            except (BadInput, BadSettings) as bad:
                return self.show(self._door.tell(bad.message)), 400
        self._door.mark(SetupStep.YOU)
        return to("setup.camera")

    def own(self) -> AnyResponse | tuple[str, int]:
        """The first to come sets the owner's code, or says that none is wanted."""
        book = self._parts.access
        if book.policy.owned:
            told = N_("This box has an owner already.")
            return self.show(self._door.tell(BadInput("owned-already", told).message)), 403
        if request.form.get("open") == "yes":
            book.leave_open()
            self._door.mark(SetupStep.YOU)
            return to("setup.show")
        code = request.form.get("code", "")[:200]
        name = request.form.get("name", "")[:200].strip() or device_name()
        caller = present_caller()
        try:
            book.set_owner_code(code)
            mine = None if caller is None else caller.device
            device = book.own(code, name, request.remote_addr or "", mine)
        except BadInput as bad:
            return self.show(self._door.tell(bad.message)), 400
        book.decide(codes=request.form.get("codes") == "yes", closed=False)
        reply = Response(status=303, headers={"Location": url_for("setup_you.show")})
        remember(request, reply, book, device)
        return reply
