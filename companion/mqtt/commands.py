"""Commands that come by the broker: a press of a button, or an entry in the game's notation. They
go the same way as those of the page, and need the same right to play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from companion.core.game import Refused
from companion.foundation.errors import BadInput, CompanionError
from companion.foundation.messages import N_
from companion.ledger.events import Proposal, Source
from companion.ledger.referee import Press, Referee
from companion.views import speech_for
from companion.views.public import explain
from companion.views.speech import Speech

MOST_BYTES = 4_000
"""No command is longer; anything larger is not even decoded."""

PlayerOf: TypeAlias = Callable[[str], str | None]
"""What whoever shows this token is called in the journal; None if they may not play here. Without a
token it is empty."""


@dataclass(frozen=True, slots=True)
class Command:
    """`what` is a button or a line; `seq` is what the sender had seen of the log, if it says so."""

    what: str
    token: str = ""
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a command; `sentences` tell people why not."""

    done: bool
    what: str
    sentences: tuple[str, ...] = ()


def command(payload: bytes) -> Command:
    """Plain text such as `pass`, or JSON such as `{"what": "pass", "token": "..."}`."""
    if len(payload) > MOST_BYTES:
        raise _no_command()
    try:
        if payload.lstrip().startswith(b"{"):
            return msgspec.json.decode(payload, type=Command)
        return Command(payload.decode().strip())
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise _no_command() from None


def _no_command() -> BadInput:
    return BadInput(
        "mqtt-no-command",
        N_('a command is a word such as pass, or JSON such as {"what": "pass", "token": "..."}'),
    )


def pressed(referee: Referee, payload: bytes, player_of: PlayerOf, language: str) -> Answer:
    return _carried_out(referee, payload, player_of, language, _press)


def said(referee: Referee, payload: bytes, player_of: PlayerOf, language: str) -> Answer:
    return _carried_out(referee, payload, player_of, language, _say)


def _carried_out(
    referee: Referee,
    payload: bytes,
    player_of: PlayerOf,
    language: str,
    act: Callable[[Referee, Command, str], object],
) -> Answer:
    what = ""
    try:
        asked = command(payload)
        what = asked.what
        player = player_of(asked.token)
        if player is None:
            raise BadInput(
                "mqtt-may-not-play",
                N_("this table asks for a token; the owner makes one on the page"),
            )
        outcome = act(referee, asked, player)
    except CompanionError as trouble:
        return Answer(False, what, (Speech(language).told(trouble.message),))
    if isinstance(outcome, Refused):
        return Answer(False, what, _why(referee, outcome, language))
    return Answer(True, what)


def _press(referee: Referee, asked: Command, player: str) -> object:
    try:
        return referee.press(Press(asked.what), player)
    except ValueError:
        raise BadInput(
            "mqtt-no-button",
            N_("there is no button %(what)s; there are: %(buttons)s"),
            what=repr(asked.what[:40]),
            buttons=", ".join(Press),
        ) from None


def _say(referee: Referee, asked: Command, player: str) -> object:
    session = referee.moment.session
    seen = asked.seq if asked.seq is not None else (0 if session is None else session.seq)
    return referee.propose(Proposal(asked.what, seen, Source.MQTT, by=player))


def _why(referee: Referee, refused: Refused, language: str) -> tuple[str, ...]:
    session = referee.moment.session
    speech = Speech(language) if session is None else speech_for(session.setup, language)
    return tuple(explain(speech, each) for each in refused.reasons)
