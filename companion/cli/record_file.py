"""Record files as commands are given them: opened, or every problem in one message."""

from __future__ import annotations

from typing import Any

from companion.core.game import Reason, Refused
from companion.foundation.errors import BadInput, BadSetup
from companion.foundation.messages import N_
from companion.ledger import records
from companion.ledger.records import Judged, Record, RecordLine
from companion.ledger.session import Session
from companion.views import explain, speech_for
from companion.views.speech import Speech


def load_record(file: Any, language: str = "en") -> Record:
    """A record that can be opened, or every problem with its header, each in a line."""
    try:
        data = file.read(records.MOST_BYTES + 1)
    except OSError as failed:
        raise BadInput(
            "record-cannot-read", N_("the record cannot be read (%(why)s)"), why=failed.strerror
        ) from None
    if len(data) > records.MOST_BYTES:
        raise BadInput(
            "record-longer-than-bytes",
            N_("the record is longer than %(most_bytes)s bytes; it was not read"),
            most_bytes=records.MOST_BYTES,
        )
    record = records.read(data)
    try:
        records.open_record(record)
    except BadSetup as bad:
        listed = "\n".join(_in_header(record, each, language) for each in bad.problems)
        raise BadInput("bad-header", "%(problems)s", problems=listed) from None
    return record


def _in_header(record: Record, problem: Reason, language: str) -> str:
    speech = speech_for(record.setup, language)
    return _placed(speech, record.line_of(problem), explain(speech, problem))


def _placed(speech: Speech, line: RecordLine, problem: str) -> str:
    place = N_("line %(line)s, column %(column)s: %(problem)s")
    return speech.say(place, line=line.number, column=line.column, problem=problem)


def judged(record: Record, language: str = "en") -> list[Judged]:
    """Every line of the record, none of which is refused."""
    lines = list[Judged]()
    for each in records.judged(record):
        if isinstance(each.ruling, Refused):
            why = _against_the_rules(each, each.ruling, language)
            raise BadInput("against-the-rules", "%(why)s", why=why)
        lines.append(each)
    return lines


def replayed(record: Record, language: str = "en") -> Session:
    lines = judged(record, language)
    return lines[-1].after if lines else records.open_record(record)


def _against_the_rules(each: Judged, refused: Refused, language: str) -> str:
    speech = speech_for(each.before.setup, language)
    why = " ".join(f"{explain(speech, reason)} [{reason.rule}]" for reason in refused.reasons)
    if refused.can_stand:
        why += " " + speech.say(N_("If the table let it stand, write ! before it."))
    against = N_("%(text)s is against the rules. %(why)s")
    return _placed(speech, each.line, speech.say(against, text=repr(each.line.text), why=why))
