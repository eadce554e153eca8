"""What the page asks of the watched table: its picture, what lies there, and what people say
against what was read of it: dispute, correct, learn."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, Protocol, runtime_checkable

from companion.core.game import Accepted, Refused, Setup
from companion.deciding.reader import word_of
from companion.foundation.errors import BadInput, BadNotation
from companion.foundation.frames import Frame
from companion.ledger.events import Did, LetStood, Source
from companion.ledger.session import Entry, Session
from companion.tabletop.observations import Thing
from companion.tabletop.readings import Alternatives, Corrected, Reading
from companion.watch.evidence import Play
from companion.watch.loop import Parts, TableLoop
from companion.watch.zone_file import KeptZones

MOST_OFFERED = 4
"""Other ways to read an entry, for each of its things."""
Learn = Callable[[Setup, str, bytes], None]


@runtime_checkable
class FromAbove(Protocol):
    """An eye that can show the whole mat."""

    def mat(self, frame: Frame, /) -> bytes: ...


class Witness:
    def __init__(
        self, loop: TableLoop, parts: Parts, zones: KeptZones, learn: Learn | None = None
    ) -> None:
        self._loop = loop
        self._referee = parts.referee
        self._evidence = parts.evidence
        self._learn = learn
        self.zones = zones

    # -- looking ------------------------------------------------------------------------------

    def picture(self) -> bytes:
        """The mat as the camera sees it now; empty while it cannot be seen."""
        glimpse = self._loop.glimpse
        if glimpse is None or not isinstance(glimpse.eye, FromAbove):
            return b""
        return glimpse.eye.mat(glimpse.frame)

    def lying(self) -> tuple[Thing, ...]:
        """What lies on the table for sure."""
        glimpse = self._loop.glimpse
        return () if glimpse is None else glimpse.table

    def crop(self, thing: int) -> bytes:
        return self._loop.crop(thing)

    # -- saying -------------------------------------------------------------------------------

    def reject(self, based_on: int) -> None:
        self._loop.reject(based_on)

    def dispute(self, seq: int) -> str:
        return self._loop.dispute(seq)

    def disputed(self, seq: int) -> str:
        return self._evidence.disputed(seq)

    def keep_case(self, seq: int) -> str:
        """Keeps an entry for the test set; where."""
        folder = self._evidence.keep_case(seq)
        if folder is None:
            raise BadInput("There are no pictures of that entry any more.")
        return str(folder)

    def learn(self, thing: int, word: str) -> None:
        """What the thing looks like is a further look of that card from now on."""
        glimpse = self._loop.glimpse
        if glimpse is None or self._learn is None:
            raise BadInput("The camera does not see the table now.")
        self._learn(glimpse.setup, word, self._loop.crop(thing))
        self._loop.look_anew()

    def likely(self, thing: int) -> tuple[str, ...]:
        """What a thing on the table may be, likeliest first."""
        glimpse = self._loop.glimpse
        if glimpse is None:
            return ()
        found = next((each for each in glimpse.table if each.number == thing), None)
        return () if found is None else _words(glimpse.setup.game, found.odds)

    def alternatives(self, seq: int) -> tuple[Alternatives, ...]:
        """What else an entry of the camera may have been; nothing if it was not the camera's."""
        play = self._evidence.play_of(seq)
        if play is None or play.setup is None:
            return ()
        line = play.line(seq)
        odds = dict(play.odds)
        found = []
        for thing, name in play.reading.names:
            word = _now(play, name, seq)
            if word not in line.split():
                continue
            others = [each for each in _words(play.setup.game, odds.get(thing, ())) if each != word]
            lines = tuple(_instead(line, word, each) for each in others[:MOST_OFFERED])
            found.append(Alternatives(thing, (word, *others[:MOST_OFFERED]), lines))
        return tuple(found)

    def correct(self, seq: int, line: str, based_on: int) -> Corrected | Refused:
        """The entry was `line`. What came after it is entered again as far as it still fits; the
        rest the camera reads again. Refused: nothing has changed."""
        session = self._referee.moment.session
        if session is None or session.seq != based_on:
            raise BadInput("The table has moved on since; look again.")
        later, entry = _found(session, seq)
        state = session.start if entry.before is None else entry.before.state
        try:
            verdict = session.game.judge(state, session.game.parse(line))
        except BadNotation as bad:
            raise BadInput(str(bad)) from None
        if isinstance(verdict, Refused):
            return verdict
        fitting = _fitting(session, verdict.state, later)
        lines = (line, *(_action(each) for each in fitting))
        reading = Reading(lines, 1.0, undo=len(later) + 1)
        ruling = self._referee.adopt(reading, based_on, Source.PAGE, stand=True)
        if isinstance(ruling, Refused):
            return ruling
        after = self._referee.moment.session
        if after is not None:
            new = [each.event.seq for each in islice(after.entries, len(lines))][::-1]
            old = [seq, *(each.event.seq for each in fitting)]
            self._evidence.put_right(dict(zip(old, new, strict=True)), {new[0]: line})
            self._referee.wake()  # the page shows what the entries were read from
        return Corrected(len(later) - len(fitting))


def _found(session: Session, seq: int) -> tuple[list[Entry], Entry]:
    """The entries after one, oldest first, and that one."""
    later: list[Entry] = []
    for entry in session.entries:
        if entry.event.seq == seq:
            return later[::-1], entry
        later.append(entry)
    raise BadInput("That entry does not count any more.")


def _fitting(session: Session, state: Any, later: list[Entry]) -> list[Entry]:
    """As many of the entries as can follow that state."""
    game, fitting = session.game, []
    for entry in later:
        action = game.parse(_action(entry))
        stood = isinstance(entry.event.fact, LetStood)
        verdict = (game.let_stand if stood else game.judge)(state, action)
        if not isinstance(verdict, Accepted):
            break
        state = verdict.state
        fitting.append(entry)
    return fitting


def _action(entry: Entry) -> str:
    fact = entry.event.fact
    return fact.action if isinstance(fact, Did | LetStood) else ""


def _words(game: str, odds: tuple[tuple[str | int, float], ...]) -> tuple[str, ...]:
    """As the game writes them, each once."""
    return tuple(dict.fromkeys(word_of(game, label) for label, _ in odds))


def _now(play: Play, name: str, seq: int) -> str:
    """What a thing counts as, after what people have put right."""
    if not play.truth:
        return name
    at = play.seqs.index(seq)
    before, after = play.reading.lines[at].split(), play.truth[at].split()
    return after[before.index(name)] if name in before and len(before) == len(after) else name


def _instead(line: str, word: str, other: str) -> str:
    words = line.split()
    words[words.index(word)] = other
    return " ".join(words)
