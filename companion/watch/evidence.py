"""What the last plays looked like: in memory only, until somebody disputes one."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from companion.core.game import Setup
from companion.foundation.errors import BadInput
from companion.foundation.files import replace_files
from companion.foundation.frames import Frame, jpeg
from companion.tabletop.observations import Odds, Reading

FILM_WIDTH_PX = 480
"""Enough to see whose hand did what."""
FILM_SECONDS = 6.0
"""A play, and the hand before and after it."""
MOST_LOOKS = 3
"""Pictures kept at full size: the last ones in which something new was looked at."""
MOST_PLAYS = 12
"""Plays whose pictures are remembered: they take memory, and older ones are rarely disputed."""
MOST_PICTURES = 120
"""Of single things, the newest ones."""


@dataclass(frozen=True, slots=True)
class Play:
    """Entries the camera made together, and what they rested on."""

    game: int
    seq: int
    """Of its last entry."""
    reading: Reading
    odds: tuple[tuple[int, Odds], ...]
    setup: Setup | None = None
    before: tuple[str, ...] = ()
    """The entries that counted before it: with them the play can be read again."""
    seqs: tuple[int, ...] = ()
    """Of all its entries, one for each line."""
    truth: tuple[str, ...] = ()
    """Its lines as people have put them right; empty while nobody has."""

    def line(self, seq: int) -> str:
        """What the books have for that entry now."""
        lines = self.truth or self.reading.lines
        return lines[self.seqs.index(seq)] if seq in self.seqs else ""


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
        self._disputed: dict[int, str] = {}

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
        play = play if play.seqs else replace(play, seqs=(play.seq,))
        with self._lock:
            film = tuple(picture for _, picture in self._film)
            self._plays.append(_Kept(play, film, tuple(self._looks)))

    def forget(self) -> None:
        """Another game is on the table: its things are counted anew."""
        with self._lock:
            self._pictures.clear()
            self._plays.clear()
            self._disputed.clear()

    def play_of(self, seq: int) -> Play | None:
        """The play an entry belongs to, if the camera made it and it is remembered."""
        kept = self._kept(seq)
        return None if kept is None else kept.play

    def disputed(self, seq: int) -> str:
        """The folder its pictures are in; empty if nobody has disputed it."""
        return self._disputed.get(seq, "")

    def put_right(self, seqs: Mapping[int, int], lines: Mapping[int, str]) -> None:
        """Entries have new numbers, and some, by their new ones, other `lines`."""
        with self._lock:
            self._plays = deque(
                (replace(kept, play=_renumbered(kept.play, seqs, lines)) for kept in self._plays),
                maxlen=MOST_PLAYS,
            )
            self._disputed = {seqs.get(seq, seq): name for seq, name in self._disputed.items()}

    def keep(self, seq: int) -> Path | None:
        """Writes the pictures of an entry into the data folder; None if there are none."""
        folder = self._write(seq, self._folder)
        if folder is not None:
            with self._lock:
                self._disputed[seq] = folder.name
        return folder

    def keep_case(self, seq: int) -> Path | None:
        """The same, as a case `companion replay-case` runs again."""
        return self._write(seq, self._cases)

    def _kept(self, seq: int) -> _Kept | None:
        with self._lock:
            return next((kept for kept in self._plays if seq in kept.play.seqs), None)

    def _write(self, seq: int, where: Path) -> Path | None:
        kept = self._kept(seq)
        if kept is None:
            return None
        crops = {n: self.picture_of(n) for n, _ in kept.play.reading.names}
        files = {f"film-{at:03}.jpg": picture for at, picture in enumerate(kept.film)}
        files |= {f"look-{at}.jpg": picture for at, picture in enumerate(kept.looks)}
        files |= {f"thing-{n}.jpg": picture for n, picture in crops.items() if picture}
        files["entry.json"] = json.dumps(_told(kept.play), indent=2).encode()
        folder = where / f"game-{kept.play.game}-entry-{seq}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            replace_files(folder, files)
        except OSError as broken:
            raise BadInput(
                f"The pictures cannot be kept in {folder} ({broken.strerror})."
            ) from None
        return folder


def _renumbered(play: Play, seqs: Mapping[int, int], lines: Mapping[int, str]) -> Play:
    new = tuple(seqs.get(seq, seq) for seq in play.seqs)
    truth = play.truth or play.reading.lines
    put_right = tuple(lines.get(seq, line) for seq, line in zip(new, truth, strict=True))
    changed = put_right if put_right != play.reading.lines else ()
    return replace(play, seqs=new, seq=seqs.get(play.seq, play.seq), truth=changed)


def _told(play: Play) -> dict[str, object]:
    reading = play.reading
    return {
        "game": play.game,
        "seq": play.seq,
        "lines": reading.lines,
        "p": reading.p,
        "pixels": reading.pixels,
        "legal": reading.legal,
        "things": dict(reading.names),
        "odds": {number: dict(odds) for number, odds in play.odds},
        "setup": None if play.setup is None else msgspec.to_builtins(play.setup),
        "before": play.before,
        "truth": play.truth or reading.lines,  # whoever knows better writes it here
    }
