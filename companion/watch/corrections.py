"""What the page asks of the watched table: its picture, what lies there, and what people say
against what was read of it: dispute, correct, learn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, runtime_checkable

from companion.core.game import Refused, Setup
from companion.foundation.errors import BadInput, BadNotation
from companion.foundation.frames import Frame
from companion.foundation.messages import N_
from companion.ledger.events import LetStood, Link, Proposal, Source, Undo
from companion.ledger.session import Entry, Session
from companion.service.zone_file import KeptZones
from companion.tabletop.alike_boards import AlikeBoard
from companion.tabletop.deck_offers import DeckOffer
from companion.tabletop.mat import MAT
from companion.tabletop.observations import Odds, Thing
from companion.tabletop.readings import Alternatives, Corrected
from companion.tabletop.zones import Outline
from companion.watch.evidence import cited
from companion.watch.eye import AsksWhose, OwnPlaces
from companion.watch.loop import NO_PICTURES, LoopParts, TableLoop

MOST_OFFERED = 4
"""Other ways to read an entry, for each of its things."""


class Teaching(Protocol):
    """What people can teach the eyes."""

    def learn(self, setup: Setup, word: str, picture: bytes, /) -> None: ...

    def offer(self, setup: Setup, /) -> DeckOffer | None: ...

    def keep_deck(self, setup: Setup, name: str, /) -> None: ...


@runtime_checkable
class FromAbove(Protocol):
    """An eye that can show the whole mat."""

    def mat(self, frame: Frame, /) -> bytes: ...


class Witness:
    def __init__(
        self,
        loop: TableLoop,
        parts: LoopParts,
        zones: KeptZones,
        teach: Teaching | None = None,
        above: Callable[[Frame], bytes] = lambda _frame: b"",
    ) -> None:
        """`above` shows the mat where no game is on the table."""
        self._loop = loop
        self._referee = parts.referee
        self._evidence = parts.evidence
        self._teach = teach
        self._above = above
        self.zones = zones

    # -- looking ------------------------------------------------------------------------------

    def picture(self) -> bytes:
        """The mat as the camera sees it now; empty while it cannot be seen."""
        glimpse, frame = self._loop.glimpse, self._loop.frame
        if glimpse is None:
            idle = frame is not None and self._referee.moment.session is None
            return self._above(frame) if frame is not None and idle else b""
        if not isinstance(glimpse.eye, FromAbove):
            return b""
        return glimpse.eye.mat(glimpse.frame)

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of what the picture shows, in millimetres."""
        glimpse = self._loop.glimpse
        if glimpse is not None and isinstance(glimpse.eye, OwnPlaces):
            return glimpse.eye.extent
        return MAT

    def places(self, game: str) -> Mapping[str, Outline]:
        """Where things mean something in that picture."""
        glimpse = self._loop.glimpse
        if glimpse is not None and isinstance(glimpse.eye, OwnPlaces):
            return glimpse.eye.zones
        return self.zones.get(game, {})

    @property
    def on_boards(self) -> bool:
        """Whether the owner's boards are read now, not the mat."""
        glimpse = self._loop.glimpse
        return glimpse is not None and isinstance(glimpse.eye, OwnPlaces)

    def alike(self) -> tuple[AlikeBoard, ...]:
        """Boards of one print in view that people have to tell apart."""
        glimpse = self._loop.glimpse
        if glimpse is None or not isinstance(glimpse.eye, AsksWhose):
            return ()
        return glimpse.eye.alike()

    def name_board(self, number: int, name: str) -> None:
        """Which of its twins a board in view is."""
        glimpse = self._loop.glimpse
        if glimpse is not None and isinstance(glimpse.eye, AsksWhose):
            glimpse.eye.name_board(number, name)

    def frame(self) -> Frame | None:
        """The newest picture of the camera as it is; None while there is none."""
        return self._loop.frame

    def rest(self) -> None:
        """For a while nothing that lies there is taken for a move."""
        self._loop.rest()

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
        entry = cited(self._referee.moment.session, seq)
        return "" if entry is None else self._evidence.disputed(entry)

    def keep_case(self, seq: int) -> str:
        """Keeps an entry as an example; where."""
        entry = cited(self._referee.moment.session, seq)
        folder = None if entry is None else self._evidence.keep_case(entry)
        if folder is None:
            raise BadInput.saying(NO_PICTURES)
        return str(folder)

    def learn(self, thing: int, word: str) -> None:
        """What the thing looks like is a further look of that card from now on."""
        glimpse = self._loop.glimpse
        if glimpse is None or self._teach is None:
            raise BadInput("camera-does-not-see", N_("The camera does not see the table now."))
        self._teach.learn(glimpse.setup, word, self._loop.crop(thing))
        self._loop.look_anew()

    def look_anew(self) -> None:
        """The deck is another from now on."""
        self._loop.look_anew()

    def ask_next(self) -> None:
        """The next play is asked about, however sure the camera is."""
        self._loop.question.make()
        self._referee.wake()

    @property
    def asks_next(self) -> bool:
        return self._loop.question.open

    def offer(self) -> DeckOffer | None:
        """The deck on the table, if nearly all of it was seen in play."""
        session = self._referee.moment.session
        return None if session is None or self._teach is None else self._teach.offer(session.setup)

    def keep_deck(self, name: str) -> None:
        """Begins to make a deck of what was seen in play."""
        session = self._referee.moment.session
        if session is None or self._teach is None:
            raise BadInput("no-deck-on-table", N_("There is no game whose deck could be kept."))
        self._teach.keep_deck(session.setup, name)

    def likely(self, thing: int) -> tuple[str, ...]:
        """What a thing on the table may be, likeliest first."""
        glimpse = self._loop.glimpse
        if glimpse is None:
            return ()
        found = next((each for each in glimpse.table if each.number == thing), None)
        return () if found is None else _words(found.odds)

    def alternatives(self, seq: int) -> tuple[Alternatives, ...]:
        """What else an entry of the camera may have been; nothing if it was not the camera's."""
        entry = cited(self._referee.moment.session, seq)
        play = None if entry is None else self._evidence.play_of(entry.reading)
        if entry is None or play is None or play.setup is None:
            return ()
        line = entry.entry.action
        now = _words_now(play.reading.lines[entry.line], line)
        odds = dict(play.odds)
        found = []
        for thing, name in play.reading.names:
            word = now.get(name, name)
            if word not in line.split():
                continue
            others = [each for each in _words(odds.get(thing, ())) if each != word]
            lines = tuple(_instead(line, word, each) for each in others[:MOST_OFFERED])
            found.append(Alternatives(thing, (word, *others[:MOST_OFFERED]), lines))
        return tuple(found)

    def correct(self, seq: int, line: str, based_on: int, by: str = "") -> Corrected | Refused:
        """The entry was `line`, says the device `by`. What came after it is entered again as far as
        it still fits; the rest the camera reads again. Refused: nothing has changed."""
        session = self._referee.moment.session
        if session is None or session.seq != based_on:
            raise BadInput("table-has-moved-on", N_("The table has moved on since; look again."))
        later, entry = _found(session, seq)
        replaced = Link(instead_of=entry.event.because or entry.event.instead_of)
        try:
            made = self._referee.put_right(
                Undo(based_on, Source.PAGE, len(later) + 1, by=by),
                Proposal(line, based_on, Source.PAGE, link=replaced, by=by),
                [_again(each, based_on, by) for each in later],
            )
        except BadNotation as bad:
            raise BadInput.saying(bad.message) from None
        if isinstance(made, Refused):
            return made
        return Corrected(1 + len(later) - len(made))


def _found(session: Session, seq: int) -> tuple[list[Entry], Entry]:
    """The entries after one, oldest first, and that one."""
    later: list[Entry] = []
    for entry in session.entries:
        if entry.event.seq == seq:
            return later[::-1], entry
        later.append(entry)
    raise BadInput("entry-does-not-count", N_("That entry does not count any more."))


def _again(entry: Entry, based_on: int, by: str) -> Proposal:
    """The same entry once more, from where it came the first time; `by` has it entered anew."""
    event = entry.event
    stood = isinstance(event.fact, LetStood)
    return Proposal(entry.action, based_on, Source.PAGE, stood, event.link, by)


def _words(odds: Odds) -> tuple[str, ...]:
    """What it may be, likeliest first, each once."""
    return tuple(dict.fromkeys(str(label) for label, _ in odds))


def _words_now(read: str, line: str) -> dict[str, str]:
    """The words of a line as it was read, and those that count in their places; none if people
    have said something else altogether."""
    before, after = read.split(), line.split()
    return dict(zip(before, after, strict=True)) if len(before) == len(after) else {}


def _instead(line: str, word: str, other: str) -> str:
    words = line.split()
    words[words.index(word)] = other
    return " ".join(words)
