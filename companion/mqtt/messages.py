"""What is said on the broker, as JSON. Pure functions of the moment and of the journal's events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

from companion.foundation.notices import Notice
from companion.ledger.events import Did, LetStood
from companion.ledger.referee import Moment
from companion.ledger.session import Session
from companion.ledger.wire import WireEvent
from companion.views import speech_for, tell, view_of
from companion.views.public import PublicView, explain
from companion.views.words import words_of

REFUSED = "refused"
ENTERED = "entered"
GAME_OVER = "game-over"
OWN_TRIGGERS = (REFUSED, GAME_OVER)
"""What is worth a lamp in every game; games name further ones."""
CAMERA_FINE = "ok"
CAMERA_NONE = "none"


@dataclass(frozen=True, slots=True)
class SeatSensor:
    """One seat: a sensor of its own, with a name."""

    name: str
    points: int
    rank: int
    turn: bool
    won: bool


@dataclass(frozen=True, slots=True)
class Sensors:
    """The table in a few values, for a dashboard at home."""

    game: str = ""
    turn: str = ""
    waiting: str = ""
    scores: dict[str, int] = field(default_factory=dict)
    seats: tuple[SeatSensor, ...] = ()
    leader: str = ""
    over: bool = False
    verdict: str = ""
    camera: str = CAMERA_NONE
    glance: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VerdictMessage:
    """What was decided last, and about what; `rules` are the ids it rests on."""

    verdict: str
    said: str
    sentences: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


def view_message(moment: Moment, language: str) -> bytes:
    """Everything a page shows; `null` while no game has been set up."""
    return msgspec.json.encode(view_of(moment, language))


def sensors_message(moment: Moment, language: str, camera: str) -> bytes:
    return msgspec.json.encode(sensors_of(moment, language, camera))


def sensors_of(moment: Moment, language: str, camera: str) -> Sensors:
    session = moment.session
    view = view_of(moment, language)
    if session is None or view is None:
        return Sensors(camera=camera)
    speech = speech_for(session.setup, language)
    glances = words_of(session.setup.game).glance(speech, session.state)
    seat = view.waiting.seat
    return Sensors(
        game=view.game,
        turn="" if seat is None else view.names[seat],
        waiting=view.waiting.sentence,
        scores=dict(zip(view.names, view.standing.points, strict=True)),
        seats=_seats(view),
        leader=_leaders(view),
        over=view.standing.over,
        verdict=verdict_of(session, language).said,
        camera=camera,
        glance={each.key: each.value for each in glances},
    )


def _seats(view: PublicView) -> tuple[SeatSensor, ...]:
    standing, turn = view.standing, view.waiting.seat
    scores = zip(view.names, standing.points, standing.ranks, strict=True)
    return tuple(
        SeatSensor(name, points, rank, turn == seat, seat in standing.winners)
        for seat, (name, points, rank) in enumerate(scores)
    )


def _leaders(view: PublicView) -> str:
    if view.standing.over:
        return ", ".join(view.winners)
    ranks = zip(view.names, view.standing.ranks, strict=True)
    return ", ".join(name for name, rank in ranks if rank == 1)


def verdict_message(session: Session, language: str) -> bytes:
    return msgspec.json.encode(verdict_of(session, language))


def verdict_of(session: Session, language: str) -> VerdictMessage:
    """A refusal that lies on the table, else the last entry."""
    speech = speech_for(session.setup, language)
    if session.refusal is not None:
        reasons = session.refusal.reasons
        sentences = tuple(explain(speech, each) for each in reasons)
        rules = tuple(dict.fromkeys(each.rule for each in reasons))
        return VerdictMessage(REFUSED, sentences[0], sentences, rules)
    if session.latest is None:
        return VerdictMessage("", "")
    return VerdictMessage(ENTERED, tell(speech, session.latest.event.fact))


def event_message(event: WireEvent) -> bytes:
    return msgspec.json.encode(event)


def triggers_between(before: Session | None, after: Session | None) -> tuple[str, ...]:
    """What has just happened and is worth a lamp, in the order it is told."""
    if after is None:
        return ()
    if before is not None and before.number != after.number:
        before = None
    told = []
    refusal = after.refusal
    if refusal is not None and (before is None or before.refusal != refusal):
        told.append(REFUSED)
    told += _highlights(before, after)
    if after.over and before is not None and not before.over:
        told.append(GAME_OVER)
    return tuple(told)


def _highlights(before: Session | None, after: Session) -> list[str]:
    """Of the entries made since, oldest first; none of a game that is only opened again."""
    if before is None:
        return []
    words, game = words_of(after.setup.game), after.game
    new: list[Any] = []
    for entry in after.entries:
        if entry.event.seq <= before.seq:
            break
        if isinstance(entry.event.fact, Did | LetStood):
            new.append(words.highlight(game.parse(entry.action)))
    return [each for each in reversed(new) if each]


def camera_state(notices: tuple[Notice, ...], *, watching: bool) -> str:
    """`ok`, `none`, or the code of what is wrong with the camera or its table."""
    if not watching:
        return CAMERA_NONE
    wrong = (each.code for each in notices if each.code.startswith(("camera-", "table-")))
    return next(wrong, CAMERA_FINE)
