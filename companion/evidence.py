"""What the last plays looked like: in memory only, until somebody disputes one."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict, deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from numpy.typing import NDArray

from companion.frames import Frame
from companion.rules.core import Setup
from companion.table import Odds, Reading

SMALL_WIDTH = 480
FILM_SECONDS = 6.0
LOOKS = 6
"""Pictures kept at full size: the last ones in which something new was looked at."""
PLAYS = 24
PICTURES = 120


@dataclass(frozen=True, slots=True)
class Play:
    """An entry the camera made, and what it rested on."""

    game: int
    seq: int
    reading: Reading
    odds: tuple[tuple[int, Odds], ...]
    setup: Setup | None = None
    before: tuple[str, ...] = ()
    """The entries that counted before it: with them the play can be read again."""


@dataclass(frozen=True, slots=True)
class _Kept:
    play: Play
    film: tuple[bytes, ...]
    looks: tuple[bytes, ...]


class Evidence:
    """Rings of small pictures. Any thread may ask for them; nothing is written unless asked."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._film: deque[tuple[float, bytes]] = deque()
        self._looks: deque[bytes] = deque(maxlen=LOOKS)
        self._pictures: OrderedDict[int, bytes] = OrderedDict()
        self._plays: OrderedDict[int, _Kept] = OrderedDict()

    def saw(self, frame: Frame, *, full: bool) -> None:
        small = _jpeg(frame, SMALL_WIDTH, 70)
        large = _jpeg(frame, frame.size[0], 92) if full else None
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
            while len(self._pictures) > PICTURES:
                self._pictures.popitem(last=False)

    def picture_of(self, thing: int) -> bytes:
        with self._lock:
            return self._pictures.get(thing, b"")

    def entered(self, play: Play) -> None:
        with self._lock:
            film = tuple(picture for _, picture in self._film)
            self._plays[play.seq] = _Kept(play, film, tuple(self._looks))
            while len(self._plays) > PLAYS:
                self._plays.popitem(last=False)

    def keep(self, seq: int) -> Path | None:
        """Writes the pictures of an entry into the data folder; None if there are none."""
        with self._lock:
            kept = self._plays.get(seq)
            if kept is None:
                return None
            crops = {n: self._pictures.get(n, b"") for n, _ in kept.play.reading.names}
        folder = self._folder / f"game-{kept.play.game}-entry-{seq}"
        folder.mkdir(parents=True, exist_ok=True)
        for at, picture in enumerate(kept.film):
            (folder / f"film-{at:03}.jpg").write_bytes(picture)
        for at, picture in enumerate(kept.looks):
            (folder / f"look-{at}.jpg").write_bytes(picture)
        for number, picture in crops.items():
            if picture:
                (folder / f"thing-{number}.jpg").write_bytes(picture)
        (folder / "entry.json").write_text(json.dumps(_told(kept.play), indent=2))
        return folder


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
        "truth": reading.lines,  # whoever knows better writes it here
    }


def _jpeg(frame: Frame, width: int, quality: int) -> bytes:
    import cv2

    pixels: NDArray[Any] = frame.pixels
    if frame.size[0] > width:
        height = max(1, round(frame.size[1] * width / frame.size[0]))
        pixels = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes() if done else b""
