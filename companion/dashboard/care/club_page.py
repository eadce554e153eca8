"""`/settings/club`: the club whose hub hears of this box's games; joined and left without a
terminal."""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template, request, url_for

from companion.dashboard.language import reader_language
from companion.dashboard.parts import ClubDoor, Parts
from companion.foundation.errors import CompanionError
from companion.views.speech import Speech


class ClubPage:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("club", __name__, url_prefix="/settings/club")
        blueprint.get("")(self.show)
        blueprint.post("/join")(self.join)
        blueprint.post("/leave")(self.leave)
        return blueprint

    @property
    def _door(self) -> ClubDoor:
        return self._parts.club_door or abort(404)

    def show(self, problem: str = "") -> str:
        club, speech = "", Speech(reader_language(self._parts.language))
        try:
            club = self._door.club()
        except CompanionError as broken:
            problem = problem or speech.told(broken.message)
        return render_template(
            "care/club.html",
            club=club,
            problem=problem,
            done=request.args.get("done", ""),
            restartable=self._parts.start_again is not None,
        )

    def join(self) -> Response | tuple[str, int]:
        form = request.form
        try:
            self._door.join(form.get("address", ""), form.get("key", ""), form.get("ca_file", ""))
        except CompanionError as trouble:
            told = Speech(reader_language(self._parts.language)).told(trouble.message)
            return self.show(told), 400
        return self._back("joined")

    def leave(self) -> Response:
        return self._back("left" if self._door.leave() else "left-untold")

    def _back(self, done: str) -> Response:
        return Response(status=303, headers={"Location": url_for("club.show", done=done)})
