"""A game as the table has it now: a pure fold of its events. Nothing here waits, writes or knows
what time it is; `referee` holds the one variable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from companion.core.catalog import game_named
from companion.core.game import Accepted, Game, Reason, Refused, Setup, Verdict, reason
from companion.foundation.errors import BadInput, BadNotation, LogCorrupt
from companion.ledger.events import Did, Event, Fact, LetStood, Opened, Proposal, Retracted, Undo

STALE = "stale"  # the log has moved on since the proposal was made


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """An entry that counts, and the state it led to; `before` is the one it follows."""

    number: int
    event: Event
    state: Any
    before: Entry | None = field(repr=False)

    def __iter__(self) -> Iterator[Entry]:
        """This entry and those before it, newest first."""
        entry: Entry | None = self
        while entry is not None:
            yield entry
            entry = entry.before


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was refused last and still lies on the table."""

    action: str
    reasons: tuple[Reason, ...]

    @property
    def can_stand(self) -> bool:
        return Refused(self.reasons).can_stand


@dataclass(frozen=True, slots=True)
class Session:
    """One game: the table at its start, the entries that count, and a refusal if one is open."""

    game: Game[Any, Any]
    setup: Setup
    number: int  # of the game in the journal
    start: Any
    seq: int  # of the last event, whatever it was
    latest: Entry | None = None
    assumes: tuple[Reason, ...] = ()
    refusal: Refusal | None = None

    @property
    def state(self) -> Any:
        return self.start if self.latest is None else self.latest.state

    @property
    def entries(self) -> Iterable[Entry]:
        """The entries that count, newest first."""
        return self.latest or ()

    @property
    def over(self) -> bool:
        return self.game.standing(self.state).over


@dataclass(frozen=True, slots=True)
class Ruling:
    """A proposal found good: the fact to write, and the session once it is written."""

    fact: Fact
    after: Session


def begin(event: Event) -> Session:
    """The session an opening event starts."""
    if not isinstance(event.fact, Opened):
        raise LogCorrupt(event.game, event.seq, str(event.fact), "a game starts by being opened")
    setup = event.fact.setup
    try:
        game = game_named(setup.game)
        if event.fact.rules > game.VERSION:
            raise BadInput("it was opened by a later version of the companion")
        start = game.start(replace(setup, rules=event.fact.rules))
    except BadInput as bad:
        raise LogCorrupt(event.game, event.seq, "opened", str(bad)) from None
    return Session(game, setup, event.game, start, event.seq)


def rule(session: Session, proposal: Proposal | Undo) -> Ruling | Refused:
    """Is this what happens next? `BadNotation` if it says nothing at all."""
    if proposal.based_on != session.seq:
        return _late(session, proposal)
    if isinstance(proposal, Undo):
        return _ruled(session, Retracted(proposal.entries))
    game = session.game
    action = game.parse(proposal.action)
    judged = game.judge(session.state, action)
    if isinstance(judged, Accepted):
        return _entered(session, Did(game.format(action)), judged)
    if not proposal.stand:
        return judged
    codes = tuple(str(each.code) for each in judged.reasons)
    return _ruled(session, LetStood(game.format(action), codes))


def _late(session: Session, proposal: Proposal | Undo) -> Ruling | Refused:
    """Refused, unless all that was missed is none of this seat's business."""
    if isinstance(proposal, Proposal) and _unconcerned(session, proposal):
        ruling = rule(session, replace(proposal, based_on=session.seq))
        if isinstance(ruling, Ruling):
            return ruling
    stale = reason(STALE, "TABLE", may_stand=False, seen=proposal.based_on, now=session.seq)
    return Refused((stale,))


def _unconcerned(session: Session, proposal: Proposal) -> bool:
    """What the table is to let stand has to be looked at again in any case."""
    game, missed = session.game, _missed(session, proposal.based_on)
    if proposal.stand or not missed:
        return False
    try:
        mine = game.parse(proposal.action)
    except BadNotation:
        return False
    return all(
        isinstance(fact, Did) and game.regardless(mine, game.parse(fact.action)) for fact in missed
    )


def _missed(session: Session, seen: int) -> list[Fact]:
    """What was entered after `seen`; nothing if anything was taken back since."""
    facts: list[Fact] = []
    at = session.seq
    for entry in session.entries:
        if at <= seen or entry.event.seq != at:
            break
        facts.append(entry.event.fact)
        at = entry.event.based_on
    return facts if at == seen else []


def followed(session: Session, event: Event) -> Session:
    """The session after an event of the log; raises `LogCorrupt` if it no longer replays."""
    if event.based_on != session.seq:
        why = f"it follows event {event.based_on}, but the one before it is {session.seq}"
        raise LogCorrupt(event.game, event.seq, told(event.fact), why)
    try:
        ruling = _ruled(session, event.fact)
    except BadInput as bad:
        raise LogCorrupt(event.game, event.seq, told(event.fact), str(bad)) from None
    if isinstance(ruling, Refused):
        why = "; ".join(str(each) for each in ruling.reasons)
        raise LogCorrupt(event.game, event.seq, told(event.fact), why)
    return settled(ruling, event)


def settled(ruling: Ruling, event: Event) -> Session:
    """The ruling's session, now that its fact is in the log as `event`."""
    after = ruling.after
    if isinstance(event.fact, Retracted):
        return replace(after, seq=event.seq)
    latest = after.latest
    assert latest is not None, "an accepted action makes an entry"  # noqa: S101
    return replace(after, seq=event.seq, latest=replace(latest, event=event))


def refused(session: Session, action: str, refusal: Refused) -> Session:
    return replace(session, refusal=Refusal(action, refusal.reasons))


def dismissed(session: Session) -> Session:
    return replace(session, refusal=None)


def replayed(events: Iterable[Event]) -> Session:
    """The whole log of one game, folded."""
    return list(replaying(events))[-1]


def replaying(events: Iterable[Event]) -> Iterator[Session]:
    """The session after each event; raises `LogCorrupt` at the one that no longer replays."""
    session: Session | None = None
    for event in events:
        session = begin(event) if session is None else followed(session, event)
        yield session


def told(fact: Fact) -> str:
    """A fact in one line, as in a record file."""
    match fact:
        case Opened(setup):
            return f"{setup.game} opened"
        case Did(action):
            return action
        case LetStood(action):
            return f"! {action}"
        case Retracted(entries):
            return "undo" if entries == 1 else f"undo {entries}"


def _ruled(session: Session, fact: Fact) -> Ruling | Refused:
    game, state = session.game, session.state
    match fact:
        case Opened():
            raise BadInput("a game is opened only once")
        case Retracted(entries):
            return _retracted(session, entries)
        case Did(action):
            return _entered(session, fact, game.judge(state, game.parse(action)))
        case LetStood(action):
            return _entered(session, fact, game.let_stand(state, game.parse(action)))


def _entered(session: Session, fact: Fact, verdict: Verdict[Any]) -> Ruling | Refused:
    if isinstance(verdict, Refused):
        return verdict
    before = session.latest
    number = 1 if before is None else before.number + 1
    unwritten = Event(0, session.number, session.seq, "", "", fact)
    entry = Entry(number, unwritten, verdict.state, before)
    return Ruling(fact, replace(session, latest=entry, assumes=verdict.assumes, refusal=None))


def _retracted(session: Session, entries: int) -> Ruling | Refused:
    latest = session.latest
    have = 0 if latest is None else latest.number
    if not 1 <= entries <= have:
        code = "undo-too-far" if have else "nothing-to-undo"
        return Refused((reason(code, "TABLE", may_stand=False, asked=entries, have=have),))
    for _ in range(entries):
        latest = latest.before if latest is not None else None
    after = replace(session, latest=latest, assumes=(), refusal=None)
    return Ruling(Retracted(entries), after)
