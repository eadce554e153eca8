"""The page that is always there: what is wrong with the journal, the ways on, and the backups."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request

from companion.dashboard.forms import whole
from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.service.keeping.recovery import Recovery
from companion.views.speech import Speech


class RecoveryPage:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("recovery", __name__, url_prefix="/recovery")
        blueprint.add_url_rule("", view_func=self.show, methods=["GET"])
        blueprint.add_url_rule("/readable.zip", view_func=self.readable, methods=["GET"])
        for name, view in (
            ("again", self.again),
            ("anew", self.anew),
            ("restore", self.restore),
        ):
            blueprint.add_url_rule(f"/{name}", name, view, methods=["POST"])
        return blueprint

    @property
    def _recovery(self) -> Recovery:
        recovery = self._parts.recovery
        if recovery is None:
            raise BadInput("nothing-to-recover", N_("There is nothing to recover here."))
        return recovery

    def show(self) -> str:
        complaint = self._recovery.complaint
        told = None if complaint is None else self._speech.told(complaint.why)
        return render_template(
            "recovery.html",
            problem=told,
            ailment="" if complaint is None else complaint.ailment,
            backups=self._recovery.backups,
            tidying=self._parts.store is not None,
            waiting=False,
        )

    @property
    def _speech(self) -> Speech:
        return Speech(reader_language(self._parts.language))

    def readable(self) -> Response:
        headers = {"Content-Disposition": 'attachment; filename="games-still-readable.zip"'}
        packed = self._recovery.what_can_be_read()
        return Response(packed, headers=headers, mimetype="application/zip")

    def again(self) -> str:
        self._recovery.try_again()
        return self._wait()

    def anew(self) -> str:
        self._recovery.begin_anew()
        return self._wait()

    def restore(self) -> str:
        if request.form.get("sure") != "yes":
            raise BadInput(
                "restore-not-sure",
                N_("Tick the box first: a backup takes the place of what is there now."),
            )
        self._recovery.bring_back(whole("backup", ""))
        return self._wait()

    def _wait(self) -> str:
        return render_template("recovery.html", problem=None, backups=[], waiting=True)
