"""A game of the journal, step by step. It is replayed for this reader only: the running game stays
on the table, and on everybody else's page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from flask import Blueprint, Response, render_template, request
from flask_babel import format_date
from flask_babel import gettext as _

from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.ledger.referee import Moment
from companion.ledger.session import Entry, Session, points_curve, replayed
from companion.people.roster import Roster
from companion.people.share_picture import Shared, SharedSeat, share_picture
from companion.views import speech_for, tell, view_of

SOMEBODY = N_("somebody")


@dataclass(frozen=True, slots=True)
class StepView:
    """One entry as the list of steps shows it."""

    number: int
    sentence: str
    at: str


class Replay:
    def __init__(self, parts: Parts, roster: Roster) -> None:
        self._parts = parts
        self._roster = roster

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("replay", __name__)
        blueprint.add_url_rule("/games/<int:number>", view_func=self.show)
        blueprint.add_url_rule("/games/<int:number>/picture.png", view_func=self.picture)
        return blueprint

    @property
    def _language(self) -> str:
        return reader_language(self._parts.language)

    def show(self, number: int) -> str:
        session = self._session(number)
        entries = tuple(reversed(list(session.entries)))
        step = min(max(request.args.get("step", len(entries), int), 0), len(entries))
        speech = speech_for(session.setup, self._language)
        steps = tuple(
            StepView(each.number, tell(speech, each.event.fact), each.event.at) for each in entries
        )
        running = self._parts.referee.moment.session
        return render_template(
            "replay.html",
            view=view_of(Moment(0, at_step(session, entries, step)), self._language),
            number=number,
            step=step,
            steps=steps,
            over=session.over,
            running=running is not None and running.number == number,
            somebody_plays=running is not None and not running.over,
            simulated_box=self._parts.simulated is not None,
        )

    def picture(self, number: int) -> Response:
        """A finished game to be shared."""
        session = self._session(number)
        standing = session.game.standing(session.state)
        if not standing.over:
            raise BadInput("not-over-yet", N_("There is a picture to share once the game is over."))
        names = session.setup.names
        last = session.latest
        shared = Shared(
            session.setup.game.capitalize(),
            _winning(tuple(names[seat] for seat in standing.winners)),
            "" if last is None else _day(last.event.at),
            tuple(
                SharedSeat(name, points, self._roster.emblem(name).colour, rank)
                for name, points, rank in zip(names, standing.points, standing.ranks, strict=True)
            ),
            points_curve(session),
        )
        headers = {"Content-Disposition": f'inline; filename="game-{number}.png"'}
        return Response(share_picture(shared), headers=headers, mimetype="image/png")

    def _session(self, number: int) -> Session:
        """With people as they are called now."""
        session = replayed(self._parts.journal.events(number))
        names = self._roster.shown(session.setup.names, number, _(SOMEBODY))
        return replace(session, setup=replace(session.setup, names=names))


def at_step(session: Session, entries: tuple[Entry, ...], step: int) -> Session:
    """The game as it was after so many of its entries."""
    latest = entries[step - 1] if step else None
    return replace(session, latest=latest, assumes=(), refusal=None, taken_back=())


def _day(at: str) -> str:
    """The day of an event in the reader's words."""
    try:
        return format_date(datetime.fromisoformat(at), "long")
    except ValueError:  # the clock of a record may say anything
        return at[:10]


def _winning(winners: tuple[str, ...]) -> str:
    if not winners:
        return _("Everybody loses")
    if len(winners) > 1:
        return _("%(names)s share the victory", names=", ".join(winners))
    return _("%(name)s wins", name=winners[0])
