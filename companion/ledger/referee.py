"""The single door. Buttons, page, records and camera all come through here: judged under one
lock, written to the journal, and only then believed and published."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.core.catalog import game_named
from companion.core.game import Reason, Refused, Setup, reason
from companion.foundation.errors import BadInput, JournalConflict, JournalError
from companion.ledger.events import Event, Fact, Opened, Proposal, Source, Undo
from companion.ledger.journal import Journal
from companion.ledger.session import (
    STALE,
    Ruling,
    Session,
    begin,
    dismissed,
    followed,
    refused,
    replayed,
    rule,
    settled,
)
from companion.tabletop.readings import CameraOpinion, Reading, Shown


@dataclass(frozen=True, slots=True)
class Moment:
    """What was last published. `version` rises with every change, written or not."""

    version: int
    session: Session | None
    trouble: str = ""  # a sentence about the machine, while something is wrong with it
    opinion: CameraOpinion | None = (
        None  # what the camera makes of the table, until the books move on
    )


class Press(StrEnum):
    """What the two buttons can say."""

    PASS = "pass"
    CONFIRM = "confirm"
    UNDO = "undo"  # confirm, held


class Referee:
    """Judge, write, then believe: if the append fails, the session is as before."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._moment = Moment(0, None)
        self._changed = threading.Condition(threading.RLock())

    @property
    def moment(self) -> Moment:
        return self._moment

    def wait(self, version: int, seconds: float) -> Moment:
        """The next moment after `version`, or the present one when the time is up."""
        with self._changed:
            self._changed.wait_for(lambda: self._moment.version != version, seconds)
            return self._moment

    def wake(self) -> None:
        """Everybody who waits looks up, though nothing has changed for the table."""
        with self._changed:
            self._publish(self._moment.session, self._moment.trouble, self._moment.opinion)

    def open(self, setup: Setup, source: Source, first: Sequence[str] = ()) -> Session:
        """A new game, with `first` entries such as an owner's sheet; raises `BadSetup` with every
        problem, and `BadInput` if one of the entries is no good."""
        game = game_named(setup.game)
        game.start(setup)
        opened = Opened(setup, game.VERSION)
        facts: list[Fact] = [opened, *_entries(opened, first)]
        with self._changed:
            session = replayed(self._journal.open_with(facts, source))
            self._publish(session)
            return session

    def resume(self, number: int | None = None) -> Session | None:
        """Game `number`, or the one played last, exactly as it was left."""
        with self._changed:
            game = self._journal.latest_game() if number is None else number
            if game is None:
                return None
            session = replayed(self._journal.events(game))
            self._publish(session)
            return session

    def propose(self, proposal: Proposal | Undo) -> Ruling | Refused:
        with self._changed:
            return self._enter((proposal,))

    def press(self, press: Press) -> Ruling | Refused | None:
        """A button at the table. None: a refusal was lying there and has been taken away."""
        with self._changed:
            session = self._moment.session
            if session is None:
                return Refused((_at_table("no-game"),))
            if press is Press.UNDO and session.refusal is not None:
                self.dismiss()
                return None
            if press is Press.UNDO:
                return self.propose(Undo(session.seq, Source.BUTTON))
            opinion = self._moment.opinion
            if press is Press.CONFIRM and isinstance(opinion, Shown):
                return self.adopt(opinion.reading, session.seq, Source.BUTTON)
            game, state = session.game, session.state
            action = game.passing(state) if press is Press.PASS else game.expected(state)
            if action is not None:
                return self.propose(Proposal(game.format(action), session.seq, Source.BUTTON))
            nothing = "nobody-to-pass" if press is Press.PASS else "nothing-to-confirm"
            refusal = Refused((_at_table(nothing),))
            if session.refusal is None:  # what lies there must be answered first
                self._publish(refused(session, "", refusal))
            return refusal

    def notice(self, opinion: CameraOpinion | None, based_on: int) -> None:
        """What the camera makes of the table now, having seen the log up to `based_on`."""
        with self._changed:
            session = self._moment.session
            if session is None or session.seq != based_on or self._moment.opinion == opinion:
                return
            self._publish(session, self._moment.trouble, opinion)

    def adopt(
        self, reading: Reading, based_on: int, source: Source, *, stand: bool = False
    ) -> Ruling | Refused | None:
        """Enters a reading of the table up to the first line that is refused; what it takes back
        first is taken back only if none is. None: there was nothing to enter."""
        first = [Undo(based_on, source, reading.undo)] if reading.undo else []
        lines = [Proposal(line, based_on, source, stand) for line in reading.lines]
        if not first and not lines:
            return None
        with self._changed:
            return self._enter((*first, *lines), whole=bool(first))

    def report(self, trouble: str) -> None:
        """Something is wrong with the machine; everybody is told."""
        with self._changed:
            self._publish(self._moment.session, trouble)

    def dismiss(self, action: str | None = None) -> None:
        """The refusal that lies on the table is taken back or corrected; if an action is named,
        only that one's."""
        with self._changed:
            session = self._moment.session
            lying = None if session is None else session.refusal
            if session is not None and (action is None or (lying and lying.action == action)):
                self._publish(dismissed(session))

    def entries_after(self, seq: int) -> list[Event]:
        """What the log of the present game has beyond `seq`."""
        session = self._moment.session
        return [] if session is None else self._journal.events(session.number, seq)

    def _enter(
        self, proposals: Sequence[Proposal | Undo], *, whole: bool = False
    ) -> Ruling | Refused:
        """Judges one after the other until one is refused, and writes the good ones at once; of a
        `whole`, none if one is refused."""
        session = self._moment.session
        if session is None:
            return Refused((_at_table("no-game"),))
        after, facts = session, list[Fact]()
        said: Ruling | Refused
        for proposal in proposals:
            based_on = after.seq if facts else proposal.based_on
            said = rule(after, replace(proposal, based_on=based_on))
            if isinstance(said, Refused):
                break
            facts.append(said.fact)
            after = settled(said, Event(after.seq + 1, after.number, after.seq, "", "", said.fact))
        if isinstance(said, Refused) and whole:
            facts = []
        written = self._write(session, facts, proposal.source)
        if written is None:
            return Refused((_at_table(STALE),))
        if isinstance(said, Refused) and (facts or proposal.based_on == session.seq):
            self._refuse(written, proposal, said)  # that somebody was late concerns nobody else
        return said

    def _write(self, session: Session, facts: Sequence[Fact], source: Source) -> Session | None:
        """The session with all of them in the log, or with none; None if somebody was faster."""
        if not facts:
            return session
        try:
            events = self._journal.append_all(session.number, facts, session.seq, source)
        except JournalConflict as conflict:  # their entry counts
            self._publish(replayed(self._journal.events(session.number)), trouble=str(conflict))
            return None
        except JournalError as broken:
            self._publish(session, trouble=str(broken))
            raise
        for event in events:
            session = followed(session, event)
        self._publish(session)
        return session

    def _refuse(self, session: Session, proposal: Proposal | Undo, refusal: Refused) -> None:
        action = proposal.action if isinstance(proposal, Proposal) else ""
        self._publish(refused(session, action, refusal))
        said, reasons = action or "undo", refusal.reasons
        try:
            self._journal.refuse(session.number, session.seq, proposal.source, said, reasons)
        except JournalError as broken:  # a lost refusal loses nothing of the game
            self._publish(self._moment.session, trouble=str(broken))

    def _publish(
        self, session: Session | None, trouble: str = "", opinion: CameraOpinion | None = None
    ) -> None:
        self._moment = Moment(self._moment.version + 1, session, trouble, opinion)
        self._changed.notify_all()


def _entries(opened: Opened, lines: Sequence[str]) -> Iterator[Fact]:
    """The facts that lines make of a game just opened."""
    session = begin(Event(1, 0, 0, "", "", opened))
    for line in lines:
        ruling = rule(session, Proposal(line, session.seq, Source.RECORD))
        if isinstance(ruling, Refused):
            why = "; ".join(str(each) for each in ruling.reasons)
            raise BadInput(f"a game cannot start with {line!r}: {why}")
        yield ruling.fact
        event = Event(session.seq + 1, 0, session.seq, "", "", ruling.fact)
        session = settled(ruling, event)


def _at_table(code: str) -> Reason:
    return reason(code, "TABLE", may_stand=False)
