"""Whose phone this is. Only the phone remembers it: everybody may still enter for others."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, render_template, request

from companion.core.notation import Seat
from companion.dashboard.commands import YEAR_SECONDS
from companion.dashboard.forms import home
from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.ledger.session import Session
from companion.people.roster import Roster
from companion.views import speech_for
from companion.views.glance import Glance
from companion.views.words import HandCard, words_of

COOKIE = "seat"


@dataclass(frozen=True, slots=True)
class MineView:
    """The running game as somebody's own phone shows it first."""

    name: str
    seat: Seat
    turn: bool
    waiting: str
    cards: tuple[HandCard, ...]
    values: tuple[Glance, ...]


class SeatPage:
    def __init__(self, parts: Parts, roster: Roster) -> None:
        self._parts = parts
        self._roster = roster

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("seat", __name__)
        blueprint.add_url_rule("/seat/part", view_func=self.part)
        blueprint.add_url_rule("/seat", view_func=self.choose, methods=["POST"])
        blueprint.app_context_processor(lambda: {"my_seat": self.part})
        return blueprint

    def part(self) -> str:
        """What the table page shows above everything else."""
        session = self._parts.referee.moment.session
        if session is None:
            return ""
        names = session.setup.names
        return render_template(
            "_my_seat.html",
            mine=self._mine(session),
            me=request.cookies.get(COOKIE, ""),
            names=names,
            game=session.setup.game,
        )

    def _mine(self, session: Session) -> MineView | None:
        seat = self._seated(session.setup.names)
        if seat is None:
            return None
        game, state = session.game, session.state
        speech = speech_for(session.setup, reader_language(self._parts.language))
        words = words_of(session.setup.game)
        own = words.own_seat(speech, state, seat)
        waiting = words.waiting(speech, state)
        return MineView(
            session.setup.names[seat],
            seat,
            seat in (waiting.seat, game.to_move(state)) and not session.over,
            waiting.sentence,
            words.hand(speech, own.cards),
            own.values,
        )

    def _seated(self, names: tuple[str, ...]) -> Seat | None:
        """Where this phone's person sits, under whatever name."""
        me = request.cookies.get(COOKIE, "")
        if not me:
            return None
        mine = {each.casefold() for each in self._roster.names_of(me)}
        found = (Seat(at) for at, name in enumerate(names) if name.casefold() in mine)
        return next(found, None)

    def choose(self) -> Response:
        name = request.form.get("name", "").strip()
        session = self._parts.referee.moment.session
        names = () if session is None else session.setup.names
        reply = home()
        if not name:
            reply.delete_cookie(COOKIE, samesite="Lax")
            return reply
        if name not in names:
            raise BadInput(
                "nobody-of-that-name", N_("Nobody at the table is called %(name)s."), name=name[:60]
            )
        reply.set_cookie(COOKIE, name, max_age=YEAR_SECONDS, samesite="Lax", httponly=True)
        return reply
