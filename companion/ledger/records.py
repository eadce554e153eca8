"""Record files: a game as plain text that a person can read and type. docs/records.md shows one.

GAME 1                      the game and the version of its rules
A: Anna                     seats, clockwise
B: Ben
edition: en                 then any option, one a line
limit: 20

deal A                      entries in the game's own notation
A r7
! B r3                      the table let it stand
undo                        the last entry is taken back; undo 3: the last three
A pass    @ 2026-11-16T10:11:12.000Z button      when and by what, if it is known
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from companion.core.catalog import game_named, packs
from companion.core.game import Reason, Refused, Setup
from companion.core.notation import LONGEST_LINE, Seat, Word, words
from companion.foundation.errors import BadInput, BadNotation, BadRecord
from companion.foundation.messages import N_, Message, message
from companion.ledger.events import Event, Fact, LetStood, Opened, Proposal, Source, Undo
from companion.ledger.session import Ruling, Session, begin, rule, settled, told

MOST_BYTES = 1_000_000
LONGEST_HEADER = 60  # lines; six seats and every option are far fewer
WIDTH = 32  # of the entry, before the time

_TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z"
_TITLE = re.compile(r"([a-z]+)\s+([0-9]{1,4})", re.IGNORECASE)
_HEADER = re.compile(r"[A-Za-z_]+\s*:")
_STAMP = re.compile(rf"\s@\s*({_TIME})\s+([a-z]+)\s*$")


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One entry of a record: what it says, and where."""

    number: int
    column: int
    text: str
    at: str = ""
    source: str = Source.RECORD

    @property
    def stands(self) -> bool:
        return self.text.startswith("!")


@dataclass(frozen=True, slots=True)
class Record:
    setup: Setup
    rules: int
    title: RecordLine
    opened_at: str
    opened_by: str
    header: tuple[RecordLine, ...]  # seats, edition and options
    lines: tuple[RecordLine, ...]  # entries

    def line_of(self, problem: Reason) -> RecordLine:
        """The line of the header that a problem with the set-up is about; the first one if it is
        about none."""
        facts = dict(problem.facts)
        key = facts.get("option", "edition" if problem.code == "edition-unknown" else None)
        if "place" in facts:
            key = str(Seat(int(str(facts["place"])) - 1))
        for line in reversed(self.header):
            name, value = _pair(line)
            if name == key or (problem.code == "name-twice" and value == facts["name"]):
                return line
        return self.title


@dataclass(frozen=True, slots=True)
class Judged:
    """A line and what the referee made of it; a refused line leaves `after` as it was."""

    line: RecordLine
    ruling: Ruling | Refused
    before: Session
    after: Session

    @property
    def stands(self) -> bool:
        """Did the table overrule the referee? A ! before a good play changes nothing."""
        return isinstance(self.ruling, Ruling) and isinstance(self.ruling.fact, LetStood)

    @property
    def objections(self) -> tuple[Reason, ...]:
        """Why it was refused, or what the table overruled."""
        if isinstance(self.ruling, Refused):
            return self.ruling.reasons
        return self.ruling.overruled

    @property
    def assumes(self) -> tuple[Reason, ...]:
        """What an accepted line takes on trust."""
        return () if isinstance(self.ruling, Refused) else self.ruling.after.assumes


def write(events: Iterable[Event]) -> str:
    """The record of a game, from its log."""
    opening, *rest = events
    if not isinstance(opening.fact, Opened):
        raise BadInput(
            "record-starts-with-opening", N_("a record starts with the opening of a game")
        )
    setup = opening.fact.setup
    lines = [f"{setup.game} {opening.fact.rules}"]
    lines += [f"{seat}: {name}" for seat, name in zip(Seat, setup.names, strict=False)]
    lines += [f"edition: {setup.edition}"]
    lines += [f"{name}: {text}" for name, text in setup.changes]
    lines += [f"opened: {opening.at} {opening.source}", ""]
    lines += [f"{told(each.fact):<{WIDTH}} @ {each.at} {each.source}" for each in rest]
    return "\n".join(lines) + "\n"


def read(data: bytes) -> Record:
    """A record from a file's bytes; raises `BadRecord` with line and column."""
    if len(data) > MOST_BYTES:
        raise BadRecord(
            message(
                "record-has-bytes-most",
                N_("the record has %(count)s bytes; %(most_bytes)s are the most"),
                count=len(data),
                most_bytes=MOST_BYTES,
            ),
            1,
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as broken:
        before = broken.object[: broken.start]
        line, column = before.count(b"\n") + 1, broken.start - before.rfind(b"\n")
        problem = message("not-utf-text", N_("this is not UTF-8 text; save the file as UTF-8"))
        raise BadRecord(problem, line, column) from None
    lines = [_without_comment(n, raw) for n, raw in enumerate(text.split("\n"), start=1)]
    filled = [line for line in lines if line.text]
    if not filled:
        raise BadRecord(
            message(
                "record-empty-starts-with",
                N_("the record is empty; it starts with a game such as %(title)s"),
                title=_latest(next(iter(packs()))),
            ),
            1,
        )
    head = 1
    while head < len(filled) and _HEADER.match(filled[head].text):
        head += 1
    _check_places(filled[head:])
    return _record(filled[0], filled[1:head], filled[head:])


def _check_places(entries: list[RecordLine]) -> None:
    """Seats, options and the title stand at the top; a line of theirs among the entries is told
    where it belongs."""
    for line in entries:
        if _HEADER.match(line.text):
            problem = message(
                "line-belongs-to-top",
                N_(
                    "%(text)s belongs to the top, before the first entry; if it is an entry,"
                    " write it without the colon"
                ),
                text=repr(line.text),
            )
        elif (title := _TITLE.fullmatch(line.text)) is not None and title[1] in packs():
            problem = message(
                "title-belongs-first",
                N_("%(text)s belongs into the first line; a record holds one game"),
                text=repr(line.text),
            )
        else:
            continue
        raise BadRecord(problem, line.number, line.column)


def open_record(record: Record) -> Session:
    """The session a record starts; raises `BadSetup` with every problem."""
    game_named(record.setup.game).start(record.setup)
    return begin(Event(1, 0, 0, record.opened_at, record.opened_by, _opening(record)))


def judged(record: Record) -> Iterator[Judged]:
    """Line by line what the referee says; refused lines change nothing and the next is read."""
    session = open_record(record)
    for line in record.lines:
        before, ruling = session, _ruling(session, line)
        if isinstance(ruling, Ruling):
            event = Event(
                session.seq + 1, session.number, session.seq, line.at, line.source, ruling.fact
            )
            session = settled(ruling, event)
        yield Judged(line, ruling, before, session)


def facts(
    record: Record, now: str, lines: Iterable[Judged] | None = None
) -> list[tuple[Fact, str, str]]:
    """Everything a journal needs to keep the game; a refused line is a `BadRecord`. `lines` are
    those of the record, if somebody has judged them already."""
    kept: list[tuple[Fact, str, str]] = [
        (_opening(record), record.opened_at or now, record.opened_by)
    ]
    for each in judged(record) if lines is None else lines:
        if isinstance(each.ruling, Refused):
            raise BadRecord(_refusal(each.line, each.ruling), each.line.number, each.line.column)
        kept.append((each.ruling.fact, each.line.at or now, each.line.source))
    return kept


def _refusal(line: RecordLine, refused: Refused) -> Message:
    why = "; ".join(str(reason) for reason in refused.reasons)
    if refused.can_stand:
        return message(
            "against-rules-may-stand",
            N_(
                "%(text)s is against the rules: %(why)s. If the table let it stand, write ! before"
                " it"
            ),
            text=repr(line.text),
            why=why,
        )
    return message(
        "against-rules", N_("%(text)s is against the rules: %(why)s"), text=repr(line.text), why=why
    )


def _opening(record: Record) -> Opened:
    return Opened(record.setup, record.rules)


def _without_comment(number: int, raw: str) -> RecordLine:
    text = raw.split("#", 1)[0].rstrip()
    column = len(text) - len(text.lstrip()) + 1
    stamp = _STAMP.search(text)
    if stamp is None:
        return RecordLine(number, column, text.strip())
    _check_time(stamp[1], number, stamp.start(1) + 1)
    _check_source(stamp[2], number, stamp.start(2) + 1)
    return RecordLine(number, column, text[: stamp.start()].strip(), stamp[1], stamp[2])


def _check_time(at: str, line: int, column: int) -> None:
    try:
        if re.fullmatch(_TIME, at):
            datetime.fromisoformat(at)
            return
    except ValueError:
        pass
    raise BadRecord(
        message(
            "no-time-write-like",
            N_("%(at)s is no time; write it like 2026-11-16T10:11:12.000Z"),
            at=repr(at),
        ),
        line,
        column,
    )


def _check_source(source: str, line: int, column: int) -> None:
    if source not in tuple(Source):
        known = ", ".join(Source)
        raise BadRecord(
            message(
                "nothing-entered-known",
                N_("nothing is entered by %(source)s; known: %(known)s"),
                source=repr(source),
                known=known,
            ),
            line,
            column,
        )


def _record(first: RecordLine, header: list[RecordLine], entries: list[RecordLine]) -> Record:
    game, rules = _title(first)
    if len(header) > LONGEST_HEADER:
        where = header[LONGEST_HEADER]
        raise BadRecord(
            message(
                "more-than-lines-before",
                N_(
                    "more than %(longest_header)s lines before the first entry; is a colon too "
                    "many in one?"
                ),
                longest_header=LONGEST_HEADER,
            ),
            where.number,
            where.column,
        )
    names: list[str] = []
    options: dict[str, str] = {}
    for line in header:
        key, value = _pair(line)
        if key in options:
            raise BadRecord(
                message("set-twice", N_("%(key)s is set twice"), key=repr(key)),
                line.number,
                line.column,
            )
        if len(key) > 1:
            options[key] = value
            continue
        if key not in Seat.__members__:
            raise BadRecord(
                message("no-seat-only-f", N_("there is no seat %(key)s, only A to F"), key=key),
                line.number,
                line.column,
            )
        if Seat[key] != len(names):
            raise BadRecord(
                message("seats-go-b-c", N_("seats go A, B, C and so on")), line.number, line.column
            )
        names.append(value)
    opened_at, opened_by = _opened(header)
    edition = options.pop("edition", "en")
    options.pop("opened", None)
    setup = Setup(game, tuple(names), edition, tuple(options.items()))
    return Record(setup, rules, first, opened_at, opened_by, tuple(header), tuple(entries))


def _pair(line: RecordLine) -> tuple[str, str]:
    """Key and value of a line of the header; large and small letters are alike, but in names."""
    if len(line.text) > LONGEST_LINE:
        raise BadRecord(
            message(
                "line-has-characters-most",
                N_("the line has %(count)s characters; %(longest_line)s are the most"),
                count=len(line.text),
                longest_line=LONGEST_LINE,
            ),
            line.number,
            line.column,
        )
    key, _, value = line.text.partition(":")
    key, value = key.strip(), value.strip()
    if len(key) == 1:
        return key.upper(), value
    return key.lower(), value if key.lower() == "opened" else value.lower()


def _opened(header: list[RecordLine]) -> tuple[str, str]:
    """When the game was opened and by what; empty and `record` if nobody wrote it down."""
    for line in header:
        found = re.fullmatch(r"opened\s*:\s*(\S+)\s*(.*)", line.text, re.IGNORECASE)
        if found is not None:
            _check_time(found[1], line.number, line.column + found.start(1))
            if found[2]:
                _check_source(found[2], line.number, line.column + found.start(2))
            return found[1], found[2] or Source.RECORD
    return "", Source.RECORD


def _title(line: RecordLine) -> tuple[str, int]:
    found = _TITLE.fullmatch(line.text)
    name = line.text.split()[0].lower()
    if found is None or name not in packs():
        raise BadRecord(
            message(
                "record-starts-with-game",
                N_("a record starts with a game and its version, such as %(title)s"),
                title=_latest(name if name in packs() else next(iter(packs()))),
            ),
            line.number,
            line.column,
        )
    game, rules = game_named(name), int(found[2])
    if not 1 <= rules <= game.VERSION:
        raise BadRecord(
            message(
                "version-not-known-here",
                N_("version %(rules)s of %(name)s is not known here (%(version)s is the latest)"),
                rules=rules,
                name=game.NAME,
                version=game.VERSION,
            ),
            line.number,
            line.column,
        )
    return game.NAME, rules


def _latest(game: str) -> str:
    return f"{game} {game_named(game).VERSION}"


def _ruling(session: Session, line: RecordLine) -> Ruling | Refused:
    try:
        first, *rest = words(line.text)
        if first.text.lower() == "undo":
            return rule(session, Undo(session.seq, Source.RECORD, _how_many(rest)))
        said = line.text.removeprefix("!")
        return rule(session, Proposal(said, session.seq, Source.RECORD, stand=line.stands))
    except BadNotation as bad:
        offset = line.column - 1 + (1 if line.stands else 0)
        raise BadRecord(bad.problem, line.number, bad.column + offset) from None


def _how_many(rest: list[Word]) -> int:
    if len(rest) > 1:
        raise rest[1].bad(
            "after-undo-comes-number", N_("after 'undo' comes a number of entries or nothing")
        )
    return rest[0].number() if rest else 1
