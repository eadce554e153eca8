"""What people tell the table. A form's `say` fields, in order, are the words of one action in the
game's notation; `seq` is what its sender had seen."""

from __future__ import annotations

import secrets

from flask import Blueprint, Response, request
from flask_babel import gettext

from companion.core.game import Refused
from companion.dashboard.access.callers import device_name, presser
from companion.dashboard.card_upload import CardUpload
from companion.dashboard.forms import Answering, home, said, seen, whole
from companion.dashboard.fragments import Fragments
from companion.dashboard.language import COOKIE, reader_language
from companion.dashboard.parts import Parts
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.foundation.notices import Notice
from companion.ledger.events import Proposal, Redo, Source, Undo
from companion.ledger.session import STALE, Ruling, Session
from companion.tabletop.readings import Desync, Reading, offered
from companion.views.speech import LANGUAGES, Speech

YEAR_SECONDS = 365 * 24 * 3600  # a reader's language is remembered so long


class Commands:
    def __init__(self, parts: Parts, fragments: Fragments, upload: CardUpload) -> None:
        self._parts = parts
        self._upload = upload
        self._answer = Answering(parts, fragments)

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("commands", __name__)
        for path, view in (
            ("/act", self.act),
            ("/act/photographed", self.photographed),
            ("/draw", self.draw),
            ("/undo", self.undo),
            ("/redo", self.redo),
            ("/dismiss", self.dismiss),
            ("/notion", self.adopt),
            ("/wave", self.reject),
            ("/box/<button>", self.press),
            ("/language", self.language),
        ):
            blueprint.add_url_rule(path, view_func=view, methods=["POST"])
        return blueprint

    def act(self) -> Response:
        action = " ".join(said())
        stand = request.form.get("stand") == "yes"
        return self._propose(Proposal(action, seen(), Source.PAGE, stand, by=device_name()))

    def photographed(self) -> Response:
        """An entry that tells of a new card, with its photograph if one was taken. The entry
        counts, whatever becomes of the picture."""
        action = " ".join(said())
        verdict, told = self._enter(Proposal(action, seen(), Source.PAGE, by=device_name()))
        return self._answer(verdict, self._photograph(told))

    def draw(self) -> Response:
        """One of several actions, by lot: the rules have no randomness, the page has."""
        choices = request.form.getlist("say")
        if not choices:
            raise BadInput("nothing-draw-from", N_("There is nothing to draw from."))
        drawn = secrets.choice(choices)
        return self._propose(Proposal(drawn, seen(), Source.PAGE, by=device_name()))

    def undo(self) -> Response:
        return self._propose(Undo(seen(), Source.PAGE, whole("entries", "1"), by=device_name()))

    def redo(self) -> Response:
        """What was undone comes back."""
        redo = Redo(seen(), Source.PAGE, whole("entries", "1"), by=device_name())
        return self._answer(_verdict(self._parts.referee.redo(redo)))

    def dismiss(self) -> Response:
        self._parts.referee.dismiss()
        return self._answer()

    def adopt(self) -> Response:
        """One of the readings the camera offers is right."""
        referee, based_on = self._parts.referee, seen()
        opinion, number = referee.moment.opinion, whole("reading", "0")
        readings = () if opinion is None else offered(opinion)
        if number >= len(readings):  # the table has moved on, or somebody was faster
            return self._answer("stale")
        if not _meant(readings[number]):
            return self._answer("stale")
        stand = isinstance(opinion, Desync)
        ruling = referee.adopt(
            readings[number], based_on, Source.PAGE, stand=stand, by=device_name()
        )
        if ruling is None:
            return self._rejected(based_on)
        return self._answer(_verdict(ruling))

    def reject(self) -> Response:
        """None of what the camera makes of the table is so."""
        moment, based_on = self._parts.referee.moment, seen()
        if moment.session is None or moment.opinion is None or moment.session.seq != based_on:
            return self._answer("stale")
        first, *_ = (*offered(moment.opinion), Reading((), 1.0))
        if not _meant(first):
            return self._answer("stale")
        return self._rejected(based_on)

    def _rejected(self, based_on: int) -> Response:
        if self._parts.table is not None:
            self._parts.table.reject(based_on)
        self._parts.referee.notice(None, based_on)
        return self._answer()

    def press(self, button: str) -> Response:
        finger = self._parts.finger
        if finger is None or button not in finger.buttons:
            raise BadInput(
                "no-button-page-press",
                N_("There is no button %(button)s for the page to press."),
                button=repr(button),
            )
        finger.press(button, presser(request), hold=request.form.get("hold") == "yes")
        return self._answer()

    def language(self) -> Response:
        chosen = request.form.get("language", "")
        if chosen not in LANGUAGES:
            raise BadInput(
                "page-does-not-speak",
                N_("The page does not speak %(chosen)s."),
                chosen=repr(chosen),
            )
        reply = home()
        reply.set_cookie(COOKIE, chosen, max_age=YEAR_SECONDS, samesite="Lax")
        return reply

    def _propose(self, proposal: Proposal | Undo) -> Response:
        verdict, _ = self._enter(proposal)
        return self._answer(verdict)

    def _enter(self, proposal: Proposal | Undo) -> tuple[str, tuple[str, ...]]:
        """What came of it, and what it told of the owner's copy: paths of the sheet."""
        before = self._parts.referee.moment.session
        ruling = self._parts.referee.propose(proposal)
        learnt: tuple[str, ...] = ()
        if isinstance(ruling, Ruling) and isinstance(proposal, Proposal) and before is not None:
            learnt = self._remember(before)
        return _verdict(ruling), learnt

    def _remember(self, before: Session) -> tuple[str, ...]:
        """What the table tells of its copy of the game is asked only once. The entry stands, even
        if the sheet cannot keep what it tells."""
        after = self._parts.referee.moment.session
        sheet = self._parts.sheets.get(before.setup.game)
        if sheet is None or after is None or after.number != before.number:
            return ()
        try:
            return sheet.learn(before.state, after.state)
        except BadInput as damaged:
            trouble = Notice("sheet-not-kept", (("why", damaged.message),))
            self._parts.notices.put("sheet", trouble)
            return ()

    def _photograph(self, told: tuple[str, ...]) -> str:
        """Kept with the card the entry told of; what is to be said about it."""
        session = self._parts.referee.moment.session
        sheet = None if session is None else self._parts.sheets.get(session.setup.game)
        if sheet is None or not self._upload.given:
            return ""
        card = next((card for path in told if (card := sheet.card_of(path))), "")
        if not card:
            return ""
        try:
            sheet.photographs.keep(card, self._upload.card())
        except BadInput as bad:
            return Speech(reader_language(self._parts.language)).told(bad.message)
        if self._parts.table is not None:
            self._parts.table.look_anew()
        return gettext("Kept: the camera knows %(card)s from now on.", card=card)


def _verdict(ruling: Ruling | Refused) -> str:
    if isinstance(ruling, Ruling):
        return "accepted"
    # A refusal lies on the table for all to see; that a page was late concerns that page only.
    return "stale" if ruling.reasons[0].code == STALE else "refused"


def _meant(reading: Reading) -> bool:
    """Whether the form speaks of this one, if it names any."""
    return request.form.get("lines", reading.spelt) == reading.spelt
