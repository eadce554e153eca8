"""Record files as commands are given them: opened, or every problem in one message."""

from __future__ import annotations

from typing import Any

from companion.core.game import Reason, Refused
from companion.foundation.errors import BadInput, BadSetup
from companion.foundation.messages import N_
from companion.ledger import records
from companion.ledger.records import Judged, Record
from companion.ledger.session import Session
from companion.views import explain, speech_for


def load_record(file: Any) -> Record:
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
        listed = "\n".join(_in_header(record, each) for each in bad.problems)
        raise BadInput("bad-header", "%(problems)s", problems=listed) from None
    return record


def _in_header(record: Record, problem: Reason) -> str:
    sentence = explain(speech_for(record.setup, "en"), problem)
    line = record.line_of(problem)
    return sentence if line is None else f"line {line.number}, column {line.column}: {sentence}"


def judged(record: Record) -> list[Judged]:
    """Every line of the record, none of which is refused."""
    lines = list[Judged]()
    for each in records.judged(record):
        if isinstance(each.ruling, Refused):
            why = _against_the_rules(each, each.ruling)
            raise BadInput("against-the-rules", "%(why)s", why=why)
        lines.append(each)
    return lines


def replayed(record: Record) -> Session:
    lines = judged(record)
    return lines[-1].after if lines else records.open_record(record)


def _against_the_rules(each: Judged, refused: Refused) -> str:
    speech = speech_for(each.before.setup, "en")
    why = " ".join(f"{explain(speech, reason)} [{reason.rule}]" for reason in refused.reasons)
    way_on = " If the table let it stand, write ! before it." if refused.can_stand else ""
    place = f"line {each.line.number}, column {each.line.column}"
    return f"{place}: {each.line.text!r} is against the rules. {why}{way_on}"
