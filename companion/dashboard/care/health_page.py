"""`/health`: how every part of the box is, live, and what to do about it; and the support file."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, Response, render_template, request

from companion.dashboard.care.one_at_a_time import OneAtATime
from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_, Message
from companion.people.roster import Roster
from companion.service.chosen_settings import SettingsStore
from companion.service.findings import Examination, Finding, State
from companion.service.support_file import SupportCase, support_file
from companion.views.speech import Speech

CHECKS_SHOWN = 13
"""How far the bar goes; a check may find more than one thing."""
LIVE_MILLISECONDS = 5_000
"""After so long an open page asks again."""
TONES = {State.GOOD: "good", State.POOR: "warn", State.BAD: "bad", State.SKIPPED: "info"}
WORST_FIRST = (State.BAD, State.POOR, State.GOOD, State.SKIPPED)


class HealthPage:
    def __init__(self, parts: Parts, roster: Roster) -> None:
        self._parts = parts
        self._roster = roster
        self._busy = OneAtATime()

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("health", __name__, url_prefix="/health")
        blueprint.add_url_rule("", view_func=self.show, methods=["GET"])
        blueprint.add_url_rule("/findings", "findings", self.findings, methods=["GET"])
        blueprint.add_url_rule("", "again", self.again, methods=["POST"])
        blueprint.add_url_rule("/support", "support", self.support, methods=["POST"])
        return blueprint

    @property
    def _examination(self) -> Examination:
        if self._parts.examination is None:
            raise BadInput("nobody-examines", N_("Nobody can examine the box here."))
        return self._parts.examination

    def show(self) -> str:
        """Looks at once, if nobody has looked yet."""
        examination = self._examination
        if not examination.findings:
            examination.begin()
        return render_template("care/health.html", fragment=self._fragment())

    def findings(self) -> Response:
        """The list as it is now; an open page asks again and again, and so stays up to date."""
        self._examination.refresh()
        pause = "" if self._examination.running else str(LIVE_MILLISECONDS)
        return Response(self._fragment(), headers={"X-Again": pause} if pause else {})

    def again(self) -> Response:
        self._examination.begin()
        return Response(status=303, headers={"Location": "/health"})

    def _fragment(self) -> str:
        running, found = self._examination.running, self._examination.findings
        speech = Speech(reader_language(self._parts.language))
        ordered = sorted(found, key=lambda each: WORST_FIRST.index(each.state))
        return render_template(
            "care/_findings.html",
            findings=[_told(speech, each) for each in (found if running else ordered)],
            running=running,
            done=min(len(found), CHECKS_SHOWN),
            most=CHECKS_SHOWN,
            wrong=sum(each.state in (State.BAD, State.POOR) for each in found),
        )

    def support(self) -> Response:
        store = self._parts.store
        if store is None:
            raise BadInput("no-support", N_("There is nothing to put together here."))
        personal = request.form.get("personal") == "yes"
        with self._busy.turn():
            packed = support_file(self._case(store), personal=personal)
        today = datetime.now(UTC).strftime("%Y-%m-%d")
        headers = {"Content-Disposition": f'attachment; filename="companion-support-{today}.zip"'}
        return Response(packed, headers=headers, mimetype="application/zip")

    def _case(self, store: SettingsStore) -> SupportCase:
        examination = self._parts.examination
        return SupportCase(
            store.read(),
            () if examination is None else examination.findings,
            tuple(each.code for each in self._parts.notices.standing),
            self._names(),
            store.file,
        )

    def _names(self) -> tuple[str, ...]:
        try:
            return tuple(each.name for each in self._roster.register.people)
        except BadInput:  # said on the pages about people
            return ()


def _told(speech: Speech, finding: Finding) -> dict[str, str]:
    def said(message: Message | None) -> str:
        return "" if message is None else speech.told(message)

    return {
        "part": speech.say(finding.part),
        "tone": TONES[finding.state],
        "what": said(finding.what),
        "todo": said(finding.todo),
    }
