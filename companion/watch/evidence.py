"""What the last plays looked like: in memory only, until somebody disputes one."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from companion.core.game import Setup
from companion.foundation.errors import BadInput
from companion.foundation.files import replace_files
from companion.foundation.frames import Frame, jpeg
from companion.foundation.messages import N_
from companion.ledger.session import Entry, Session
from companion.tabletop.observations import Odds
from companion.tabletop.readings import Reading, ReadingRef

FILM_WIDTH_PX = 480
"""Enough to see whose hand did what."""
FILM_SECONDS = 6.0
"""A play, and the hand before and after it."""
MOST_LOOKS = 3
"""Pictures kept at full size: the last ones in which something new was looked at."""
MOST_PLAYS = 12
"""Plays whose pictures are remembered: they take memory, and older ones are rarely disputed."""
STOOD = 6
"""After so many further plays an entry counts as confirmed: people have seen it on the page."""
_SURELY = 0.9
"""A thing with at least this probability was read surely."""
MOST_PICTURES = 120
"""Of single things, the newest ones."""


@dataclass(frozen=True, slots=True)
class Play:
    """A reading that was entered, and what it rested on."""

    game: int
    reading: Reading
    odds: tuple[tuple[int, Odds], ...]
    setup: Setup | None = None
    before: tuple[str, ...] = ()
    """The entries that counted before it: with them the play can be read again."""
    clear: tuple[int, ...] = ()
    """The things that lay by themselves, so that their pictures show all of them."""


@dataclass(frozen=True, slots=True)
class Cited:
    """An entry that counts, and the line of a reading it was made of or stands in place of."""

    session: Session
    entry: Entry
    reading: str
    line: int

    @property
    def ref(self) -> ReadingRef:
        return ReadingRef(self.reading, self.line)


def cited(session: Session | None, seq: int) -> Cited | None:
    """The entry of that number; None if it does not count or has nothing to do with the camera."""
    if session is None:
        return None
    entry = next((each for each in session.entries if each.event.seq == seq), None)
    ref = None if entry is None else entry.event.because or entry.event.instead_of
    if entry is None or ref is None or ref.line is None:
        return None
    return Cited(session, entry, ref.reading, ref.line)


def truth_of(session: Session, reading: Reading) -> tuple[str, ...]:
    """The lines of a reading as they count now, after what people have put right."""
    replaced = {entry.event.instead_of: entry.action for entry in session.entries}
    entered = {entry.event.because: entry.action for entry in session.entries}
    said = {**replaced, **entered}  # a line that was entered after all was not replaced
    lines = enumerate(reading.lines)
    return tuple(said.get(ReadingRef(reading.id, at), line) for at, line in lines)


@dataclass(frozen=True, slots=True)
class ConfirmedLook:
    """A thing that was read, what it was as it counts now, and whether it had been read surely."""

    thing: int
    word: str
    read: bool


def confirmed(session: Session, play: Play) -> Iterator[ConfirmedLook]:
    """What a play has proved to be, as far as all of it counts still, entered or put right."""
    events = [entry.event for entry in session.entries]
    known = {ref for event in events for ref in (event.because, event.instead_of)}
    lines = play.reading.lines
    if any(ReadingRef(play.reading.id, at) not in known for at in range(len(lines))):
        return
    now: dict[str, str] = {}
    for was, line in zip(lines, truth_of(session, play.reading), strict=True):
        if len(was.split()) != len(line.split()):
            return
        now |= zip(was.split(), line.split(), strict=True)
    odds = dict(play.odds)
    for thing, name in play.reading.names:
        if thing in play.clear and name in now:
            first = max(odds.get(thing, ()), key=lambda each: each[1], default=("", 0.0))
            surely = str(first[0]) == now[name] and first[1] >= _SURELY
            yield ConfirmedLook(thing, now[name], surely)


@dataclass(frozen=True, slots=True)
class _Kept:
    play: Play
    film: tuple[bytes, ...]
    looks: tuple[bytes, ...]


class Evidence:
    """Rings of small pictures. Any thread may ask for them; nothing is written unless asked."""

    def __init__(self, folder: Path, cases: Path | None = None) -> None:
        self._folder = folder
        self._cases = cases or folder / "cases"
        self._lock = threading.Lock()
        self._film: deque[tuple[float, bytes]] = deque()
        self._looks: deque[bytes] = deque(maxlen=MOST_LOOKS)
        self._pictures: OrderedDict[int, bytes] = OrderedDict()
        self._plays: deque[_Kept] = deque(maxlen=MOST_PLAYS)
        self._disputed: dict[ReadingRef, str] = {}

    def saw(self, frame: Frame, *, full: bool) -> None:
        small = jpeg(frame.pixels, FILM_WIDTH_PX, 70)
        large = jpeg(frame.pixels, frame.size[0], 92) if full else None
        with self._lock:
            self._film.append((frame.taken_at, small))
            while self._film and frame.taken_at - self._film[0][0] > FILM_SECONDS:
                self._film.popleft()
            if large is not None:
                self._looks.append(large)

    def pictured(self, thing: int, picture: bytes) -> None:
        with self._lock:
            self._pictures[thing] = picture
            self._pictures.move_to_end(thing)
            while len(self._pictures) > MOST_PICTURES:
                self._pictures.popitem(last=False)

    def picture_of(self, thing: int) -> bytes:
        with self._lock:
            return self._pictures.get(thing, b"")

    def entered(self, play: Play) -> None:
        with self._lock:
            film = tuple(picture for _, picture in self._film)
            self._plays.append(_Kept(play, film, tuple(self._looks)))

    def stood(self) -> Play | None:
        """The play that has just stood long enough to count as confirmed."""
        with self._lock:
            return self._plays[-1 - STOOD].play if len(self._plays) > STOOD else None

    def forget(self) -> None:
        """Another game is on the table: its things are counted anew."""
        with self._lock:
            self._pictures.clear()
            self._plays.clear()
            self._disputed.clear()

    def play_of(self, reading: str) -> Play | None:
        """The play that was made of a reading, if it is remembered."""
        kept = self._kept(reading)
        return None if kept is None else kept.play

    def disputed(self, entry: Cited) -> str:
        """The folder its pictures are in; empty if nobody has disputed it."""
        return self._disputed.get(entry.ref, "")

    def keep(self, entry: Cited) -> Path | None:
        """Writes the pictures of an entry into the data folder; None if there are none."""
        folder = self._write(entry, self._folder)
        if folder is not None:
            with self._lock:
                self._disputed[entry.ref] = folder.name
        return folder

    def keep_case(self, entry: Cited) -> Path | None:
        """The same, as a case `companion replay-case` runs again."""
        return self._write(entry, self._cases)

    def _kept(self, reading: str) -> _Kept | None:
        with self._lock:
            return next((kept for kept in self._plays if kept.play.reading.id == reading), None)

    def _write(self, entry: Cited, where: Path) -> Path | None:
        kept, seq = self._kept(entry.reading), entry.entry.event.seq
        if kept is None:
            return None
        crops = {n: self.picture_of(n) for n, _ in kept.play.reading.names}
        told = _told(kept.play, seq, truth_of(entry.session, kept.play.reading))
        files = {f"film-{at:03}.jpg": picture for at, picture in enumerate(kept.film)}
        files |= {f"look-{at}.jpg": picture for at, picture in enumerate(kept.looks)}
        files |= {f"thing-{n}.jpg": picture for n, picture in crops.items() if picture}
        files["entry.json"] = json.dumps(told, indent=2).encode()
        folder = where / f"game-{kept.play.game}-entry-{seq}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            replace_files(folder, files)
        except OSError as broken:
            raise BadInput(
                "pictures-cannot-kept",
                N_("The pictures cannot be kept in %(folder)s (%(why)s)."),
                folder=folder,
                why=broken.strerror,
            ) from None
        return folder


def _told(play: Play, seq: int, truth: tuple[str, ...]) -> dict[str, object]:
    reading = play.reading
    return {
        "game": play.game,
        "seq": seq,
        "lines": reading.lines,
        "p": reading.p,
        "pixels": reading.pixels,
        "legal": reading.legal,
        "things": dict(reading.names),
        "odds": {number: dict(odds) for number, odds in play.odds},
        "setup": None if play.setup is None else msgspec.to_builtins(play.setup),
        "before": play.before,
        "truth": truth,  # whoever knows better writes it here
    }
