"""A camera over a table that is not there: bots play a whole game on it, hands in view."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from companion.devices.newest import Newest
from companion.errors import BadSettings, FilmOver
from companion.frames import Frame
from companion.rules.catalog import GAMES
from companion.sim.faces.canvas import Shape
from companion.sim.players import PLAYED, Playing, Step, play
from companion.sim.tabletop import FPS, LIGHTS, GoOn, Seen, Shot, Tabletop


class Players(Protocol):
    """How those who sit at the table reach the companion."""

    def begin(self) -> None: ...
    def did(self, step: Step, /) -> None: ...
    def press(self, button: str, /) -> None: ...
    def go_on(self, step: Step, rested: float, /) -> bool: ...


@dataclass(frozen=True, slots=True)
class Simulation:
    """Which game is shown, and how."""

    playing: Playing
    speed: float = 1.0
    light: str = "good"
    mat: bool = False
    bumps: float = 0.0

    def tabletop(self, size: tuple[int, int], go_on: GoOn | None = None) -> Tabletop:
        shapes: tuple[Shape, ...] = ()
        if self.mat:
            from companion.printing.mats import drawing

            shapes = tuple(drawing(self.playing.game))
        seen = Seen(size, self.light, self.playing.seed, shapes, self.bumps, self.speed)
        return Tabletop(play(self.playing), seen, go_on)


def simulation(text: str) -> Simulation:
    """From a setting such as `odin,seed=7,speed=2,mistakes=3,light=hard,seats=4,mat=yes`."""
    game, _, rest = (text or "odin").partition(",")
    if game not in PLAYED:
        raise BadSettings(_WHERE, [f"bots play {', '.join(PLAYED)}, not {game!r}"])
    said = _Said(dict(word.partition("=")[::2] for word in rest.split(",") if word))
    seats = GAMES[game].SEATS
    playing = Playing(
        game,
        seats=int(said.number("seats", "3", seats[0], seats[-1])),
        seed=int(said.number("seed", "0", 0, 10**9)),
        mistakes=int(said.number("mistakes", "0", 0, 99)),
    )
    how = Simulation(
        playing,
        speed=said.number("speed", "1", 0.1, 20.0),
        light=said.word("light", tuple(LIGHTS)),
        mat=said.word("mat", ("no", "yes")) == "yes",
        bumps=said.number("bumps", "0", 0.0, 1.0),
    )
    said.check()
    return how


_WHERE = "camera simulated"


class _Said:
    """The words of a setting, taken out one by one; all that is wrong is told at the end."""

    def __init__(self, words: dict[str, str]) -> None:
        self._words = words
        self._problems: list[str] = []

    def number(self, name: str, usual: str, least: float, most: float) -> float:
        given = self._words.pop(name, usual)
        good = re.fullmatch(r"\d{1,9}(\.\d{1,4})?", given, re.ASCII)
        if not good or not least <= float(given) <= most:
            self._problems.append(f"{name} must be {least:g} to {most:g}, got {given!r}")
            return least
        return float(given)

    def word(self, name: str, known: tuple[str, ...]) -> str:
        given = self._words.pop(name, known[0])
        if given not in known:
            self._problems.append(f"{name} must be {' or '.join(known)}, got {given!r}")
        return given

    def check(self) -> None:
        problems = [*self._problems, *(f"unknown word {word!r}" for word in self._words)]
        if problems:
            raise BadSettings(_WHERE, problems)


class SimulatedCamera:
    """`real_speed` false: every picture comes once, as fast as they are asked for, and the clock
    of its pictures is the table's own."""

    def __init__(
        self,
        how: Simulation,
        size: tuple[int, int],
        *,
        players: Players | None = None,
        real_speed: bool = True,
    ) -> None:
        self._how = how
        self._size = size
        self._players = players
        self._real_speed = real_speed
        self._reader: Newest | _OneByOne | None = None

    @property
    def name(self) -> str:
        return f"simulated table of {self._how.playing.game}"

    def __enter__(self) -> Self:
        go_on = None if self._players is None else self._players.go_on
        game = _Game(self._how.tabletop(self._size, go_on), self._players)
        self._reader = Newest(_Paced(game), self.name) if self._real_speed else _OneByOne(game)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._reader is not None:
            self._reader.close()

    def newest(self) -> Frame | None:
        return None if self._reader is None else self._reader.frame()

    def settle(self) -> None:
        """The light was found before the first picture, and never changes."""


class _Game:
    """Picture after picture, and players who do what the camera cannot show."""

    def __init__(self, table: Tabletop, players: Players | None) -> None:
        self._table = table
        self._shots: Iterator[Shot] = table.shots()
        self._players = players
        self._begun = False

    def next(self) -> Shot | None:
        """None when the game is over."""
        if self._players is not None and not self._begun:
            self._begun = True
            self._players.begin()
        shot = next(self._shots, None)
        if shot is not None and self._players is not None:
            if shot.done is not None:
                self._players.did(shot.done)
            if shot.press:
                self._players.press(shot.press)
        return shot

    def idle(self) -> Shot:
        return self._table.idle()


class _Paced:
    """A source at the speed of a real table; after the game the table just lies there."""

    def __init__(self, game: _Game) -> None:
        self._game = game
        self._due = time.monotonic()

    def read(self) -> NDArray[np.uint8]:
        time.sleep(max(0.0, self._due - time.monotonic()))
        # A machine that cannot keep up shows the game slower, not in jumps.
        self._due = max(self._due, time.monotonic() - 1 / FPS) + 1 / FPS
        return (self._game.next() or self._game.idle()).image

    def close(self) -> None:
        """Nothing is held."""


class _OneByOne:
    """No thread: whoever asks moves the game on."""

    def __init__(self, game: _Game) -> None:
        self._game = game
        self._begun = time.monotonic()
        self._number = 0

    def frame(self) -> Frame:
        shot = self._game.next()
        if shot is None:
            raise FilmOver("the simulated game is over")
        self._number += 1
        return Frame(shot.image, self._begun + shot.at, self._number)

    def close(self) -> None:
        """Nothing is held."""
