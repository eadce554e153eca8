"""The single door. Buttons, page, records and camera all come through here: judged under one
lock, written to the journal, and only then believed and published."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.core.catalog import game_named
from companion.core.game import Reason, Refused, Setup, reason
from companion.foundation.errors import BadInput, JournalConflict, JournalError
from companion.foundation.messages import N_, Message
from companion.ledger.events import (
    Event,
    Fact,
    Link,
    Opened,
    Proposal,
    Redo,
    Source,
    Undo,
    Unwritten,
)
from companion.ledger.journal import Journal
from companion.ledger.provenance import CurrentReadings, link_by_hand
from companion.ledger.session import (
    STALE,
    Ruling,
    Session,
    begin,
    dismissed,
    redone,
    refused,
    replayed,
    rule,
    settled,
    written,
)
from companion.tabletop.readings import CameraOpinion, Reading, Shown

MOST_NOTED = 20
"""Refusals noted beside one entry: a thousand more would only wear the card out."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What was last published. `version` rises with every change, written or not."""

    version: int
    session: Session | None
    trouble: Message | None = None  # about the machine, while something is wrong with it
    opinion: CameraOpinion | None = (
        None  # what the camera makes of the table, until the books move on
    )


@dataclass(frozen=True, slots=True)
class _Draft:
    """Judged and not written yet: the ruling, and where its fact came from."""

    ruling: Ruling
    link: Link
    by: str


class Press(StrEnum):
    """What the two buttons can say."""

    PASS = "pass"
    CONFIRM = "confirm"
    UNDO = "undo"  # confirm, held
    BOTH = "both"  # somebody is at the box: that is nothing of the game's


class Referee:
    """Judge, write, then believe: if the append fails, the session is as before."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._moment = Moment(0, None)
        self._reads = CurrentReadings()
        self._noted = (0, 0, 0)  # game, seq, and how many refusals were noted there
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

    def open(
        self, setup: Setup, source: Source, first: Sequence[str] = (), by: str = ""
    ) -> Session:
        """A new game, with `first` entries such as an owner's sheet; raises `BadSetup` with every
        problem, and `BadInput` if one of the entries is no good."""
        game = game_named(setup.game)
        game.start(setup)
        opened = Opened(setup, game.VERSION)
        rulings = _rulings(opened, first)
        facts: list[Fact] = [opened, *(ruling.fact for ruling in rulings)]
        with self._changed:
            start, *entries = self._journal.open_with(facts, source, by)
            session = written(begin(start), rulings, entries)
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

    def redo(self, redo: Redo) -> Ruling | Refused:
        """What was undone comes back, all of it or nothing."""
        with self._changed:
            session = self._moment.session
            if session is None:
                return Refused((_at_table("no-game"),))
            proposals = redone(session, redo)
            if isinstance(proposals, Refused):
                return proposals
            return self._enter(proposals, whole=True)

    def press(
        self, press: Press, source: Source = Source.BUTTON, by: str = ""
    ) -> Ruling | Refused | None:
        """A button at the table, or a device `by` that presses it. None: a refusal was lying there
        and has been taken away."""
        with self._changed:
            session = self._moment.session
            if session is None:
                return Refused((_at_table("no-game"),))
            if press is Press.UNDO and session.refusal is not None:
                self.dismiss()
                return None
            if press is Press.UNDO:
                return self.propose(Undo(session.seq, source, by=by))
            opinion = self._moment.opinion
            if press is Press.CONFIRM and isinstance(opinion, Shown):
                return self.adopt(opinion.reading, session.seq, source, by=by)
            game, state = session.game, session.state
            action = game.passing(state) if press is Press.PASS else game.expected(state)
            if action is not None:
                return self.propose(Proposal(game.format(action), session.seq, source, by=by))
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
        self,
        reading: Reading,
        based_on: int,
        source: Source,
        *,
        stand: bool = False,
        by: str = "",
    ) -> Ruling | Refused | None:
        """Enters a reading of the table up to the first line that is refused; what it takes back
        first is taken back only if none is. None: there was nothing to enter."""
        whole = Link(reading.ref())
        first = [Undo(based_on, source, reading.undo, whole, by)] if reading.undo else []
        lines = [
            Proposal(line, based_on, source, stand, Link(reading.ref(at)), by)
            for at, line in enumerate(reading.lines)
        ]
        if not first and not lines:
            return None
        with self._changed:
            return self._enter((*first, *lines), whole=bool(first))

    def put_right(
        self, undo: Undo, instead: Proposal, later: Sequence[Proposal]
    ) -> tuple[Event, ...] | Refused:
        """Takes entries back, enters another in their place, and after it the later ones as far
        as they still fit. The entries made; or why the first is refused, and nothing is changed."""
        with self._changed:
            session = self._moment.session
            if session is None:
                return Refused((_at_table("no-game"),))
            drafts, refusal, _ = self._judged(session, (undo, instead, *later))
            if refusal is not None and len(drafts) < 2:
                return refusal
            after = self._write(session, drafts, undo.source)
            if after is None:
                return Refused((_at_table(STALE),))
            made = [entry.event for entry, _ in zip(after.entries, drafts[1:], strict=False)]
            return tuple(reversed(made))

    def sees(self, readings: tuple[Reading, ...], based_on: int) -> None:
        """What the camera reads now, whether people are shown it or not: what they enter by hand
        may be the same."""
        with self._changed:
            self._reads = self._reads.told(readings, based_on)

    def reject(self, based_on: int) -> None:
        """People say that what the camera reads is not so."""
        with self._changed:
            self._reads = self._reads.turned_down(based_on)

    def report(self, trouble: Message) -> None:
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
                if action is None and lying is not None and lying.because is not None:
                    self._reads = self._reads.turned_down(session.seq, lying.because)
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
        drafts, refusal, last = self._judged(session, proposals)
        if refusal is not None and whole:
            drafts = []
        after = self._write(session, drafts, last.source)
        if after is None:
            return Refused((_at_table(STALE),))
        if refusal is None:
            return drafts[-1].ruling
        if drafts or last.based_on == session.seq:
            self._refuse(after, last, refusal)  # that somebody was late concerns nobody else
        return refusal

    def _judged(
        self, session: Session, proposals: Sequence[Proposal | Undo]
    ) -> tuple[list[_Draft], Refused | None, Proposal | Undo]:
        """What is to be written of the proposals, each judged once on top of those before it; why
        one is refused, if one is; and the proposal that was judged last."""
        after, drafts = session, list[_Draft]()
        last = proposals[0]
        for last in proposals:
            based_on = after.seq if drafts else last.based_on
            said = rule(after, replace(last, based_on=based_on))
            if isinstance(said, Refused):
                return drafts, said, last
            link = self._link(after, last, said)
            drafts.append(_Draft(said, link, last.by))
            event = Event(after.seq + 1, after.number, after.seq, "", "", said.fact, link)
            after = settled(said, event)
        return drafts, None, last

    def _link(self, session: Session, proposal: Proposal | Undo, ruling: Ruling) -> Link:
        """As its sender says; of what people entered by hand, as the table knows."""
        if proposal.link or isinstance(proposal, Undo) or not _by_hand(proposal):
            return proposal.link
        entry = ruling.after.latest
        return link_by_hand(session, "" if entry is None else entry.action, self._reads)

    def _write(self, session: Session, drafts: Sequence[_Draft], source: Source) -> Session | None:
        """The session with all of them in the log, or with none; None if somebody was faster."""
        if not drafts:
            return session
        facts = [Unwritten(draft.ruling.fact, draft.link, draft.by) for draft in drafts]
        try:
            events = self._journal.append_all(session.number, facts, session.seq, source)
        except JournalConflict as conflict:  # their entry counts
            self._publish(replayed(self._journal.events(session.number)), trouble=conflict.message)
            return None
        except JournalError as broken:
            self._publish(session, trouble=broken.message)
            raise
        session = written(session, [draft.ruling for draft in drafts], events)
        self._publish(session)
        return session

    def _refuse(self, session: Session, proposal: Proposal | Undo, refusal: Refused) -> None:
        action = proposal.action if isinstance(proposal, Proposal) else ""
        because = proposal.link.because
        if because is None and action and _by_hand(proposal):
            because = link_by_hand(session, action, self._reads).because
        self._publish(refused(session, action, refusal, because))
        if not self._note_one_more(session):
            return
        said, reasons = action or "undo", refusal.reasons
        try:
            self._journal.refuse(session.number, session.seq, proposal.source, said, reasons)
        except JournalError as broken:  # a lost refusal loses nothing of the game
            self._publish(self._moment.session, trouble=broken.message)

    def _note_one_more(self, session: Session) -> bool:
        game, seq, count = self._noted
        count = count + 1 if (game, seq) == (session.number, session.seq) else 1
        self._noted = (session.number, session.seq, count)
        return count <= MOST_NOTED

    def _publish(
        self,
        session: Session | None,
        trouble: Message | None = None,
        opinion: CameraOpinion | None = None,
    ) -> None:
        self._moment = Moment(self._moment.version + 1, session, trouble, opinion)
        self._changed.notify_all()


def _rulings(opened: Opened, lines: Sequence[str]) -> list[Ruling]:
    """What lines make of a game just opened."""
    session, rulings = begin(Event(1, 0, 0, "", "", opened)), list[Ruling]()
    for line in lines:
        ruling = rule(session, Proposal(line, session.seq, Source.RECORD))
        if isinstance(ruling, Refused):
            why = "; ".join(str(each) for each in ruling.reasons)
            raise BadInput(
                "game-cannot-start-with",
                N_("a game cannot start with %(line)s: %(why)s"),
                line=repr(line),
                why=why,
            )
        rulings.append(ruling)
        event = Event(session.seq + 1, 0, session.seq, "", "", ruling.fact)
        session = settled(ruling, event)
    return rulings


def _by_hand(proposal: Proposal | Undo) -> bool:
    return proposal.source in (Source.PAGE, Source.BUTTON)


def _at_table(code: str) -> Reason:
    return reason(code, "TABLE", may_stand=False)
