"""The pages of a phone that is used as a camera: what to take a picture of, what was read, and what
of that is taken into the books."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from flask import Blueprint, Response, render_template, request, url_for

from companion.core.game import Refused
from companion.dashboard.access.callers import device_name
from companion.dashboard.access.needs import SEVERAL_PHOTOGRAPHS_BYTES
from companion.dashboard.card_upload import NO_PHOTOGRAPH
from companion.dashboard.care.one_at_a_time import OneAtATime
from companion.dashboard.forms import whole, word
from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts, PhoneCamera
from companion.dashboard.scans.desk import (
    Scan,
    ScanDesk,
    answer_of,
    other_subject,
    rows_of,
    scannable,
    subject_named,
    subjects,
)
from companion.dashboard.scans.telling import Telling
from companion.foundation.errors import BadInput, NoSuchGame
from companion.foundation.messages import N_, NN_, Message
from companion.ledger.events import Source
from companion.ledger.session import Session
from companion.scanning.comparison import BooksSay, ScanRow, to_take
from companion.scanning.scanner import ScannedView, Subject
from companion.tabletop.readings import Reading

if TYPE_CHECKING:
    from companion.ledger.referee import Moment

MOST_PICTURES = 6
"""At once."""


class ScanPages:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._desk = ScanDesk()
        self._turns = OneAtATime()

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("scan", __name__)
        for path, view, method in (
            ("/scan", self.show, "GET"),
            ("/scan", self.take_in, "POST"),
            ("/scan/round/<kind>", self.round, "GET"),
            ("/scan/<int:number>", self.reading, "GET"),
            ("/scan/<int:number>/picture/<int:at>", self.picture, "GET"),
            ("/scan/<int:number>/take", self.take, "POST"),
            ("/scan/<int:number>/leave", self.leave, "POST"),
            ("/scan/<int:number>/whose", self.whose, "POST"),
        ):
            blueprint.add_url_rule(path, view_func=view, methods=[method])
        return blueprint

    # -- what to take a picture of ------------------------------------------------------------

    def show(self, problem: Message | None = None) -> str:
        moment, session = self._now()
        telling = self._telling(session)
        scanner = scannable(session.setup.game)
        return render_template(
            "scan/choose.html",
            subjects=[(each.key, telling.subject(each)) for each in subjects(moment)],
            rounds=[(kind, telling.say(words)) for kind, words in scanner.rounds.items()],
            problem="" if problem is None else telling.told(problem),
        )

    def round(self, kind: str, problem: Message | None = None) -> str:
        """One picture of each of a kind, such as every settlement."""
        _, session = self._now()
        telling, scanner = self._telling(session), scannable(session.setup.game)
        if kind not in scanner.rounds:
            raise NoSuchGame("no-such-round", N_("There is no round of that kind."))
        stops = []
        for subject in scanner.subjects(session.state):
            if subject.kind == kind:
                scan = self._desk.latest(session, subject)
                stops.append((subject, scan, None if scan is None else _open(session, scan)))
        return render_template(
            "scan/round.html",
            kind=kind,
            title=telling.say(scanner.rounds[kind]),
            stops=[
                (each.key, telling.subject(each), scan, left, each.seat)
                for each, scan, left in stops
            ],
            following=next((each.key for each, scan, _ in stops if scan is None), ""),
            problem="" if problem is None else telling.told(problem),
        )

    # -- pictures -----------------------------------------------------------------------------

    def take_in(self) -> Response | tuple[str, int]:
        moment, session = self._now()
        round_ = request.form.get("round", "")[:40]
        try:
            subject = subject_named(moment, word("subject", 60))
            pictures = _sent()
            with self._turns.turn():
                views = self._read(session, subject, pictures)
        except BadInput as bad:
            if "X-Live" in request.headers:
                raise
            back = self.round(round_, bad.message) if round_ else self.show(bad.message)
            return back, 400
        kept = tuple(data for data, _ in pictures)
        scan = self._desk.keep(session, subject, views, kept, round_)
        return _to(url_for("scan.reading", number=scan.number))

    def _read(
        self, session: Session, subject: Subject, pictures: list[tuple[bytes, str]]
    ) -> tuple[ScannedView, ...]:
        """What the pictures show; raises `BadInput` if that is nothing at all."""
        eye = self._eye
        views = tuple(
            view for data, name in pictures for view in eye.look(session.setup, data, name, subject)
        )
        if not any(view.sightings or view.places for view in views):
            raise BadInput(
                "nothing-in-picture",
                N_(
                    "Nothing of this game was found in the picture. Go nearer, take it from above "
                    "and hold still."
                ),
            )
        return views

    def picture(self, number: int, at: int) -> Response:
        _, session = self._now()
        pictures = self._desk.find(number, session).pictures
        if at >= len(pictures):
            return Response(status=404)
        headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        return Response(pictures[at], headers=headers, mimetype="image/jpeg")

    # -- what was read ------------------------------------------------------------------------

    def reading(self, number: int) -> str:
        moment, session = self._now()
        scan = self._desk.find(number, session)
        telling = self._telling(session)
        other = other_subject(session, scan)
        answer = answer_of(moment, scan)
        rows = () if scan.subject.kind == "asked" else rows_of(session, scan)
        return render_template(
            "scan/reading.html",
            scan=scan,
            seq=session.seq,
            subject=telling.subject(scan.subject),
            other=None if other is None else (other.key, telling.subject(other)),
            rows=[telling.row(at, row, scan.left) for at, row in enumerate(rows)],
            sure=len(_takeable(rows, scan)),
            answer=None if answer is None else telling.reading(*answer),
        )

    def take(self, number: int) -> Response:
        """Everything that is sure, or one row, into the books, by the referee's ordinary door."""
        moment, session = self._now()
        scan = self._desk.find(number, session)
        based_on = whole("seq")
        if (answer := answer_of(moment, scan)) is not None:
            self._enter(answer[0], based_on, stand=False)
            return _to(url_for("pages.home"))
        for row in self._wanted(session, scan):
            if not self._enter(_as_reading(row), based_on, stand=row.outcome is BooksSay.DIFFERS):
                break
            session = self._now()[1]
            based_on = session.seq
        return self._after(scan)

    def _wanted(self, session: Session, scan: Scan) -> tuple[ScanRow, ...]:
        """The rows a form asks for."""
        rows = rows_of(session, scan)
        line = request.form.get("line", "")
        if not line:
            return _takeable(rows, scan)
        return tuple(row for row in rows if row.open and row.fact.line == line)

    def _enter(self, reading: Reading, based_on: int, *, stand: bool) -> bool:
        referee = self._parts.referee
        ruling = referee.adopt(reading, based_on, Source.PHONE, stand=stand, by=device_name())
        return not isinstance(ruling, Refused)

    def leave(self, number: int) -> Response:
        """The books are right about one row."""
        _, session = self._now()
        scan = self._desk.find(number, session)
        return self._after(self._desk.changed(scan, left=scan.left | {word("line", 400)}))

    def whose(self, number: int) -> Response:
        """Whose it is, where it looks like somebody else's."""
        moment, session = self._now()
        scan = self._desk.find(number, session)
        subject, views = subject_named(moment, word("subject", 60)), scan.views
        if any(view.alike for view in views):  # they were read by the other's places
            with self._turns.turn():
                views = self._read(session, subject, [(data, "") for data in scan.pictures])
        said = {"subject": subject, "views": views, "owner_said": True}
        self._desk.changed(scan, **said, left=frozenset())
        return _to(url_for("scan.reading", number=scan.number))

    def _after(self, scan: Scan) -> Response:
        """On to the next of a round when nothing is open any more; else the reading again."""
        _, session = self._now()
        if scan.round and not _open(session, self._desk.find(scan.number, session)):
            return _to(url_for("scan.round", kind=scan.round))
        return _to(url_for("scan.reading", number=scan.number))

    # -- what they stand on -------------------------------------------------------------------

    @property
    def _eye(self) -> PhoneCamera:
        if self._parts.phone is None:
            raise BadInput("no-eye-for-phones", N_("This box cannot read pictures."))
        return self._parts.phone

    def _now(self) -> tuple[Moment, Session]:
        moment = self._parts.referee.moment
        if moment.session is None:
            raise NoSuchGame("no-game-to-scan", N_("No game is on the table."))
        return moment, moment.session

    def _telling(self, session: Session) -> Telling:
        return Telling(session.setup, reader_language(self._parts.language))


def _sent() -> list[tuple[bytes, str]]:
    """The pictures of a form, with their names."""
    given = [each for each in request.files.getlist("picture") if each.filename]
    if len(given) > MOST_PICTURES:
        raise BadInput(
            "too-many-pictures",
            NN_(
                "Send %(most)s picture at most at once.",
                "Send %(most)s pictures at most at once.",
                by="most",
            ),
            most=MOST_PICTURES,
        )
    out = []
    for each in given:
        with closing(each):
            data = each.read(SEVERAL_PHOTOGRAPHS_BYTES + 1)
        if data:
            out.append((data, (each.filename or "picture")[-60:]))
    if not out:
        raise BadInput.saying(NO_PHOTOGRAPH)
    return out


def _takeable(rows: tuple[ScanRow, ...], scan: Scan) -> tuple[ScanRow, ...]:
    return tuple(row for row in to_take(rows) if row.fact.line not in scan.left)


def _open(session: Session, scan: Scan) -> int:
    """How many rows nobody has decided yet."""
    rows = rows_of(session, scan)
    return sum(row.open and row.fact.line not in scan.left for row in rows)


def _as_reading(row: ScanRow) -> Reading:
    return Reading((row.fact.line,), row.fact.p)


def _to(address: str) -> Response:
    return Response(status=303, headers={"Location": address})
