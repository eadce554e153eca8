"""A game as the table has it now: a pure fold of its events. Nothing here waits, writes or knows
what time it is; `referee` holds the one variable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from companion.core.catalog import game_named
from companion.core.game import Accepted, Game, Reason, Refused, Setup, Verdict, reason
from companion.foundation.errors import BadInput, BadNotation, LogCorrupt
from companion.foundation.messages import N_, message
from companion.ledger.events import (
    Did,
    Event,
    Fact,
    LetStood,
    Opened,
    Proposal,
    Redo,
    Retracted,
    Undo,
)
from companion.tabletop.readings import ReadingRef

STALE = "stale"  # the log has moved on since the proposal was made
MOST_TAKEN_BACK = 24
"""Entries taken back that are remembered until their places are filled."""
MOST_STEPS = 80
"""A curve has no more steps than a small picture can show."""


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """An entry that counts, and the state it led to; `before` is the one it follows."""

    number: int
    event: Event
    state: Any
    before: Entry | None = field(repr=False)

    @property
    def action(self) -> str:
        """What was done, in notation."""
        return self.event.action

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
    because: ReadingRef | None = None
    """The reading of the camera that was refused, if it was one."""

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
    taken_back: tuple[Entry, ...] = ()
    """Entries that were undone and whose places are not filled again yet, oldest first."""
    redo: tuple[Entry, ...] = field(default=(), repr=False)
    """Entries that can come back as they were: those undone since anything else was entered, in
    the order they come back."""

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
    overruled: tuple[Reason, ...] = ()
    """What the referee objected to, and the table let stand."""


def begin(event: Event) -> Session:
    """The session an opening event starts."""
    if not isinstance(event.fact, Opened):
        raise LogCorrupt(
            event.game,
            event.seq,
            str(event.fact),
            message("game-starts-being-opened", N_("a game starts by being opened")),
        )
    setup = event.fact.setup
    try:
        game = game_named(setup.game)
        if event.fact.rules > game.VERSION:
            raise BadInput(
                "opened-later-version-companion",
                N_("it was opened by a later version of the companion"),
            )
        start = game.start(replace(setup, rules=event.fact.rules))
    except BadInput as bad:
        raise LogCorrupt(event.game, event.seq, "opened", bad.message) from None
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
    stood = LetStood(game.format(action), codes)
    ruling = _entered(session, stood, game.let_stand(session.state, action))
    return ruling if isinstance(ruling, Refused) else replace(ruling, overruled=judged.reasons)


def _late(session: Session, proposal: Proposal | Undo) -> Ruling | Refused:
    """Refused, unless all that was missed is none of this seat's business."""
    if isinstance(proposal, Proposal) and _unconcerned(session, proposal):
        ruling = rule(session, replace(proposal, based_on=session.seq))
        if isinstance(ruling, Ruling):
            return ruling
    return Refused((_stale(session, proposal.based_on),))


def _stale(session: Session, seen: int) -> Reason:
    return reason(STALE, "TABLE", may_stand=False, seen=seen, now=session.seq)


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
        why = message(
            "follows-another",
            N_("it follows event %(based_on)s, but the one before it is %(seq)s"),
            based_on=event.based_on,
            seq=session.seq,
        )
        raise LogCorrupt(event.game, event.seq, told(event.fact), why)
    try:
        ruling = _ruled(session, event.fact)
    except BadInput as bad:
        raise LogCorrupt(event.game, event.seq, told(event.fact), bad.message) from None
    if isinstance(ruling, Refused):
        reasons = "; ".join(str(each) for each in ruling.reasons)
        why = message("against-the-rules-2", "%(reasons)s", reasons=reasons)
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


def written(session: Session, rulings: Iterable[Ruling], events: Iterable[Event]) -> Session:
    """The session once rulings that were made of it, each on the one before, are in the log.

    Nothing is judged again. Only the entries are chained anew: while later proposals were judged,
    the numbers of the earlier ones were not known yet.
    """
    for ruling, event in zip(rulings, events, strict=True):
        after = replace(ruling.after, number=session.number)
        if isinstance(ruling.fact, Retracted):
            undone = _undone(session, ruling.fact.entries)
            after = replace(
                after, latest=undone.latest, taken_back=undone.taken_back, redo=undone.redo
            )
        elif after.latest is not None:
            after = replace(after, latest=replace(after.latest, before=session.latest))
        session = settled(Ruling(ruling.fact, after), event)
    return session


def refused(
    session: Session, action: str, refusal: Refused, because: ReadingRef | None = None
) -> Session:
    return replace(session, refusal=Refusal(action, refusal.reasons, because))


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
            raise BadInput("game-opened-only-once", N_("a game is opened only once"))
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
    waiting = tuple(
        each
        for each in session.taken_back
        if each.number >= number and each.action != entry.action  # else it is back in its place
    )
    after = replace(session, latest=entry, assumes=verdict.assumes, refusal=None)
    return Ruling(fact, replace(after, taken_back=waiting, redo=_still_to_redo(session, fact)))


def _still_to_redo(session: Session, fact: Fact) -> tuple[Entry, ...]:
    """What can come back after this entry: the rest, if it was the next to come back anyway."""
    first = next(iter(session.redo), None)
    return session.redo[1:] if first is not None and first.event.fact == fact else ()


def _retracted(session: Session, entries: int) -> Ruling | Refused:
    have = 0 if session.latest is None else session.latest.number
    if not 1 <= entries <= have:
        code = "undo-too-far" if have else "nothing-to-undo"
        return Refused((reason(code, "TABLE", may_stand=False, asked=entries, have=have),))
    after = replace(_undone(session, entries), assumes=(), refusal=None)
    return Ruling(Retracted(entries), after)


def _undone(session: Session, entries: int) -> Session:
    """Without the last so many entries, which wait for their places to be filled."""
    latest, undone = session.latest, list[Entry]()
    for _ in range(entries):
        if latest is None:
            break
        undone.insert(0, latest)
        latest = latest.before
    waiting = (*undone, *session.taken_back)[:MOST_TAKEN_BACK]
    return replace(session, latest=latest, taken_back=waiting, redo=(*undone, *session.redo))


def redone(session: Session, redo: Redo) -> tuple[Proposal, ...] | Refused:
    """What has to be proposed for entries to come back as they were."""
    if redo.based_on != session.seq:
        return Refused((_stale(session, redo.based_on),))
    have = len(session.redo)
    if not 1 <= redo.entries <= have:
        code = "redo-too-far" if have else "nothing-to-redo"
        return Refused((reason(code, "TABLE", may_stand=False, asked=redo.entries, have=have),))
    return tuple(
        Proposal(
            entry.action,
            redo.based_on,
            redo.source,
            stand=isinstance(entry.event.fact, LetStood),
            link=entry.event.link,
            by=redo.by,
        )
        for entry in session.redo[: redo.entries]
    )


def points_curve(session: Session) -> tuple[tuple[int, ...], ...]:
    """The points of every seat at the start, and each time they changed."""
    game = session.game
    states = [session.start, *(entry.state for entry in reversed(list(session.entries)))]
    curve: list[tuple[int, ...]] = []
    for state in states:
        points = game.standing(state).points
        if not curve or points != curve[-1]:
            curve.append(points)
    if len(curve) <= MOST_STEPS:
        return tuple(curve)
    step = (len(curve) - 1) / (MOST_STEPS - 1)
    return tuple(curve[round(step * at)] for at in range(MOST_STEPS))
