"""Joining the table, owning the box, and who else has: their pages."""

from __future__ import annotations

from io import BytesIO

import segno
from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.dashboard.access.callers import (
    Caller,
    at_the_box,
    device_name,
    may_invite,
    present_caller,
    remember,
)
from companion.dashboard.language import reader_language
from companion.foundation.errors import BadInput
from companion.service.access.book import AccessBook
from companion.service.access.roles import Role, role_named
from companion.service.access.tries import HERE
from companion.views.speech import Speech


class AccessPages:
    def __init__(self, book: AccessBook, language: str) -> None:
        self._book = book
        self._language = language

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("access", __name__)
        for path, name, view, method in (
            ("/join", "join", self.join, "GET"),
            ("/join", "joining", self.joining, "POST"),
            ("/join/<invitation>", "invited", self.invited, "GET"),
            ("/own", "own", self.own, "GET"),
            ("/own", "owning", self.owning, "POST"),
            ("/set-up", "set_up", self.set_up, "GET"),
            ("/who", "who", self.who, "GET"),
            ("/who", "decide", self.decide, "POST"),
            ("/who/devices", "devices", self.devices, "GET"),
            ("/who/role", "give_role", self.give_role, "POST"),
            ("/who/revoke", "revoke", self.revoke, "POST"),
            ("/who/codes", "new_codes", self.new_codes, "POST"),
            ("/who/programs", "add_program", self.add_program, "POST"),
            ("/who/give-up", "give_up", self.give_up, "POST"),
        ):
            blueprint.add_url_rule(path, name, view, methods=[method])
        return blueprint

    @property
    def _caller(self) -> Caller:
        return present_caller() or Caller("", Role.NOBODY)

    # -- joining ----------------------------------------------------------------------------------

    def join(self, problem: str = "", code: str = "") -> str:
        name = request.form.get("name", "")[:60] or device_name()
        return render_template("join.html", problem=problem, name=name, code=code)

    def invited(self, invitation: str) -> str:
        """What the code to scan opens: only a name is still to be given."""
        return self.join(code=invitation[:60])

    def joining(self) -> AnyResponse | tuple[str, int]:
        code = request.form.get("code", "").replace(" ", "")[:60]
        try:
            device = self._book.join(code, self._name, _address(), self._caller.device)
        except BadInput as bad:
            return self.join(self._told(bad), code if len(code) > 8 else ""), 403
        reply = _back("pages.home")
        remember(request, reply, self._book, device)
        return reply

    # -- owning -----------------------------------------------------------------------------------

    def own(self, problem: str = "") -> AnyResponse | str:
        if not self._book.policy.owned:
            return redirect(url_for("setup_you.show"), 303)
        return render_template(
            "own.html",
            problem=problem,
            name=request.form.get("name", "")[:60] or device_name(),
            present=self._book.somebody_present,
        )

    def owning(self) -> AnyResponse | tuple[AnyResponse | str, int]:
        code = request.form.get("code", "")[:200]
        try:
            device = self._book.own(code, self._name, _address(), self._caller.device)
        except BadInput as bad:
            return self.own(self._told(bad)), 403
        reply = _back("access.who")
        remember(request, reply, self._book, device)
        return reply

    def set_up(self) -> AnyResponse:
        """Where the owner's first questions were; they are the first step of set-up."""
        return redirect(url_for("access.own" if self._book.policy.owned else "setup_you.show"), 303)

    # -- who may play -----------------------------------------------------------------------------

    def who(self) -> str:
        """To whoever has joined, and on the box's own screen, the code for the next one."""
        caller, book = self._caller, self._book
        shows = may_invite(request)
        return render_template(
            "who.html",
            policy=book.policy,
            caller=caller,
            table_code=book.table_code if shows else "",
            invitation=url_for("access.invited", invitation=book.invitation) if shows else "",
            picture=_code_to_scan(book) if shows else "",
        )

    def devices(self, key: str = "", problem: str = "") -> str:
        return render_template(
            "devices.html",
            devices=sorted(self._book.devices, key=lambda each: each.seen, reverse=True),
            programs=self._book.programs,
            mine=self._caller.device,
            key=key,
            problem=problem,
        )

    def decide(self) -> AnyResponse:
        if not self._book.policy.owned:  # codes without an owner could never be switched off
            return redirect(url_for("setup_you.show"), 303)
        mode = request.form.get("mode", "")
        self._book.decide(codes=mode in ("codes", "closed"), closed=mode == "closed")
        return _back("access.who")

    def give_role(self) -> AnyResponse | tuple[str, int]:
        role = role_named(request.form.get("role", "")) or Role.NOBODY
        try:
            self._book.give_role(request.form.get("handle", ""), role)
        except BadInput as bad:
            return self.devices(problem=self._told(bad)), 400
        return _back("access.devices")

    def revoke(self) -> AnyResponse:
        self._book.revoke(request.form.get("handle", ""))
        return _back("access.devices")

    def new_codes(self) -> AnyResponse:
        self._book.new_codes()
        return _back("access.who")

    def add_program(self) -> str:
        role = role_named(request.form.get("role", "")) or Role.WATCH
        return self.devices(self._book.add_program(self._name, role))

    def give_up(self) -> AnyResponse:
        self._book.give_up()
        return _back("access.who")

    # -- words ------------------------------------------------------------------------------------

    @property
    def _name(self) -> str:
        return request.form.get("name", "")[:200].strip() or device_name()

    def _told(self, bad: BadInput) -> str:
        return Speech(reader_language(self._language)).told(bad.message)

    def _say(self, sentence: str) -> str:
        return Speech(reader_language(self._language)).say(sentence)


def _address() -> str:
    return HERE if at_the_box(request) else request.remote_addr or ""


def _back(endpoint: str) -> Response:
    return Response(status=303, headers={"Location": url_for(endpoint)})


def join_link(book: AccessBook) -> str:
    """What the next phone is to open: an invitation, if who asks may give one."""
    if not may_invite(request):
        return request.host_url
    return request.host_url.rstrip("/") + url_for("access.invited", invitation=book.invitation)


def _code_to_scan(book: AccessBook) -> str:
    """As SVG, to stand inside the page."""
    picture = BytesIO()
    code = segno.make(join_link(book), micro=False)
    code.save(picture, kind="svg", scale=6, border=2, xmldecl=False, svgns=True)
    return picture.getvalue().decode()
