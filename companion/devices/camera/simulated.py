"""A camera over a simulated table, on which bots play a whole game with their hands in view."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from companion.core.catalog import game_named
from companion.core.game import Setup
from companion.devices.camera.frame_buffer import FrameBuffer
from companion.foundation.errors import BadSettings, FilmOver
from companion.foundation.frames import Frame
from companion.foundation.messages import N_, Message, message
from companion.sim.boards import BoardsOnTable
from companion.sim.faces.canvas import Shape
from companion.sim.players import Playing, Step, bots_of, play, played_games
from companion.sim.steps import SLOPPY
from companion.sim.virtual_table import (
    FPS,
    LIGHTS,
    GoOn,
    Shot,
    ViewSettings,
    VirtualTable,
    pieces_of,
)
from companion.sim.visitors import Visitors
from companion.tabletop.layout import layout_of

PUSHES = 0.03
"""How often a board is pushed between two steps."""
UNSEEN_SECONDS = 1.0
"""A picture that nobody takes is followed by the next one after so long."""
LAID_SECONDS = 6.0
"""So long cards lie there if nobody asks for them again."""
CARELESS = 1.0
"""The share of reaches in which careless players do several things at once, so that the camera has
to ask."""


class Players(Protocol):
    """The simulated players, as far as they do what no camera can see: press buttons, use the
    page."""

    def begin(self, setup: Setup, /) -> None: ...
    def did(self, step: Step, /) -> None: ...
    def press(self, button: str, /) -> None: ...
    def go_on(self, step: Step, rested: float, /) -> bool: ...


@dataclass(frozen=True, slots=True)
class Simulation:
    """Which game is shown, and how it is shown."""

    playing: Playing
    speed: float = 1.0
    light: str = "good"
    mat: bool = False
    bumps: float = 0.0
    boards: bool = False
    """On boards that lie apart and are pushed about, if the game has any; else on the mat."""

    def __str__(self) -> str:
        """As in the settings; `simulation` reads it back."""
        playing = self.playing
        words = {
            "seats": playing.seats,
            "seed": playing.seed,
            "mistakes": playing.mistakes,
            "speed": f"{self.speed:g}",
            "light": self.light,
            "mat": "yes" if self.mat else "no",
            "bumps": f"{self.bumps:g}",
            "boards": "yes" if self.boards else "no",
            "short": "yes" if playing.changes else "no",
            "careless": "yes" if playing.sloppy == CARELESS else "no",
        }
        return ",".join((playing.game, *(f"{name}={word}" for name, word in words.items())))

    def tabletop(
        self, size: tuple[int, int], go_on: GoOn | None = None, visitors: Visitors | None = None
    ) -> VirtualTable:
        shapes: tuple[Shape, ...] = ()
        if self.mat:
            from companion.printing.mats import drawing

            shapes = tuple(drawing(self.playing.game))
        script = play(self.playing, visitors)
        seen = ViewSettings(size, self.light, self.playing.seed, shapes, self.bumps)
        layout = layout_of(self.playing.game)
        if self.boards and layout is not None and layout.boards:
            seats = [seat.name for seat in game_named(self.playing.game).start(script.setup).seats]
            boards = BoardsOnTable(layout.zones, seats, self.playing.seed)
            seen = replace(seen, boards=boards, pushes=PUSHES)
        return VirtualTable(script, seen, go_on)


def simulation(text: str) -> Simulation:
    """Read a setting such as `GAME,seed=7,speed=2,mistakes=3,light=hard,seats=4,mat=yes`; there
    are also `bumps=0.02`, `short=yes`, `careless=yes` and `boards=yes`. Empty, it is the first game
    with bots. Raises `BadSettings` that names every problem."""
    known = played_games()
    game, _, rest = (text or known[0]).partition(",")
    if game not in known:
        raise BadSettings(
            _WHERE,
            [
                message(
                    "bots-play-not",
                    N_("bots play %(known)s, not %(game)s"),
                    known=", ".join(known),
                    game=repr(game),
                )
            ],
        )
    said = _Said(dict(word.partition("=")[::2] for word in rest.split(",") if word))
    seats = game_named(game).SEATS
    short = said.word("short", ("no", "yes")) == "yes"
    careless = said.word("careless", ("no", "yes")) == "yes"
    playing = Playing(
        game,
        changes=bots_of(game).short if short else (),
        sloppy=CARELESS if careless else SLOPPY,
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
        boards=said.word("boards", ("no", "yes")) == "yes",
    )
    said.check()
    return how


_WHERE = "camera simulated"


class _Said:
    """The words of a setting, taken out one by one; `check` raises with all that is wrong."""

    def __init__(self, words: dict[str, str]) -> None:
        self._words = words
        self._problems: list[Message] = []

    def number(self, name: str, usual: str, least: float, most: float) -> float:
        given = self._words.pop(name, usual)
        good = re.fullmatch(r"\d{1,9}(\.\d{1,4})?", given, re.ASCII)
        if not good or not least <= float(given) <= most:
            self._problems.append(
                message(
                    "must-got-2",
                    N_("%(name)s must be %(least)s to %(most)s, got %(given)s"),
                    name=name,
                    least=f"{least:g}",
                    most=f"{most:g}",
                    given=repr(given),
                )
            )
            return least
        return float(given)

    def word(self, name: str, known: tuple[str, ...]) -> str:
        given = self._words.pop(name, known[0])
        if given not in known:
            self._problems.append(
                message(
                    "must-got-3",
                    N_("%(name)s must be %(known)s, got %(given)s"),
                    name=name,
                    known=" or ".join(known),
                    given=repr(given),
                )
            )
        return given

    def check(self) -> None:
        problems = [
            *self._problems,
            *(
                message("unknown-word", N_("unknown word %(word)s"), word=repr(word))
                for word in self._words
            ),
        ]
        if problems:
            raise BadSettings(_WHERE, problems)


class Showing:
    """What is shown. It may be changed at any time: then another game begins at once. Any thread
    may use it."""

    def __init__(
        self,
        how: Simulation,
        visitors: Visitors | None = None,
        enrol: Callable[[str, BoardsOnTable | None], None] = lambda _game, _boards: None,
    ) -> None:
        """`enrol` is given the boards on the table whenever a game begins; None: there are none."""
        self._lock = threading.Lock()
        self._how = how
        self.enrol = enrol
        self._number = 0
        self.visitors = visitors or Visitors()
        self._laid: tuple[tuple[str, ...], float] = ((), 0.0)

    @property
    def laid(self) -> tuple[str, ...] | None:
        """Cards that lie there to be learnt or tried; None: the game is on."""
        faces, until = self._laid
        return faces if time.monotonic() < until else None

    def lay_out(self, faces: tuple[str, ...] | None) -> None:
        """These cards lie there for a while, and the game waits; None: it goes on at once."""
        self._laid = ((), 0.0) if faces is None else (faces, time.monotonic() + LAID_SECONDS)

    @property
    def now(self) -> tuple[int, Simulation]:
        """The number of the present game, counted from 0, and the game."""
        with self._lock:
            return self._number, self._how

    @property
    def how(self) -> Simulation:
        return self.now[1]

    @property
    def text(self) -> str:
        """As in the settings."""
        return str(self.how)

    def show_text(self, text: str) -> None:
        """Show what a setting says. If it is wrong this raises `BadSettings`, and all goes on as
        before."""
        self.show(simulation(text))

    def show(self, how: Simulation) -> None:
        self.visitors.sit(None)
        with self._lock:
            self._number += 1
            self._how = how


class SimulatedCamera:
    """A camera over the simulated table.

    With `real_speed` false every picture comes once, as fast as pictures are asked for. Its
    pictures carry the table's own time: at twice the speed twice as many of them come in a second.
    """

    def __init__(
        self,
        what: Simulation | Showing,
        size: tuple[int, int],
        *,
        players: Players | None = None,
        real_speed: bool = True,
    ) -> None:
        self._showing = what if isinstance(what, Showing) else Showing(what)
        self._size = size
        self._players = players
        self._real_speed = real_speed
        self._reader: FrameBuffer | _OneByOne | None = None
        self._paced: _Paced | None = None

    @property
    def name(self) -> str:
        return f"simulated table of {self._showing.how.playing.game}"

    def __enter__(self) -> Self:
        if self._real_speed:
            self._paced = paced = _Paced(self._showing, self._size, self._players)
            self._reader = FrameBuffer(paced, self.name, lambda: paced.now)
        else:
            self._reader = _OneByOne(_Game(self._showing, self._size, self._players))
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
        frame = None if self._reader is None else self._reader.frame()
        if frame is not None and self._paced is not None:
            self._paced.seen(frame.number)
        return frame

    def settle(self) -> None:
        """Nothing to do: the simulated light never changes."""


class _Game:
    """One game, picture after picture, whose players also do what the camera cannot show."""

    def __init__(self, showing: Showing, size: tuple[int, int], players: Players | None) -> None:
        self.number, how = showing.now
        go_on = None if players is None else players.go_on
        self._table = how.tabletop(size, go_on, showing.visitors)
        showing.enrol(how.playing.game, self._table.painter.seen.boards)
        self._shots: Iterator[Shot] = self._table.shots()
        self._players = players
        self._begun = False

    def next(self) -> Shot | None:
        """None when the game is over."""
        if self._players is not None and not self._begun:
            self._begun = True
            self._players.begin(self._table.setup)
        shot = next(self._shots, None)
        if shot is not None and self._players is not None:
            if shot.done is not None:
                self._players.did(shot.done)
            if shot.press:
                self._players.press(shot.press)
        return shot

    def idle(self) -> Shot:
        return self._table.idle()

    def laid_out(self, faces: tuple[str, ...]) -> Shot:
        return self._table.laid_out(faces)


class _Paced:
    """A source of pictures at the speed of a real table, or faster; after the game the table just
    lies there.

    A machine that cannot keep up shows the game slower, not in jumps: the next picture comes when
    somebody has taken the last.
    """

    def __init__(self, showing: Showing, size: tuple[int, int], players: Players | None) -> None:
        self._showing = showing
        self._size = size
        self._players = players
        self._game = _Game(showing, size, players)
        self._due = time.monotonic()
        self._made = 0
        self._seen = 0
        self._taken = threading.Condition()
        self.now = self._due

    def seen(self, number: int) -> None:
        with self._taken:
            self._seen = number
            self._taken.notify()

    def read(self) -> NDArray[np.uint8]:
        with self._taken:
            self._taken.wait_for(lambda: self._seen >= self._made, UNSEEN_SECONDS)
        time.sleep(max(0.0, self._due - time.monotonic()))
        number, how = self._showing.now
        if number != self._game.number:
            pieces_of.cache_clear()  # drawn cards of the last game take room
            self._game = _Game(self._showing, self._size, self._players)
        laid = self._showing.laid
        shot = self._game.next() if laid is None else self._game.laid_out(laid)
        period = 1 / FPS if shot is None else 1 / (FPS * how.speed)
        self._due = max(self._due, time.monotonic() - period) + period
        self._made += 1
        self.now += 1 / FPS
        return (shot or self._game.idle()).image

    def close(self) -> None:
        """Nothing to close."""


class _OneByOne:
    """Gives one picture each time it is asked, without a thread: that moves the game on."""

    def __init__(self, game: _Game) -> None:
        self._game = game
        self._begun = time.monotonic()
        self._number = 0

    def frame(self) -> Frame:
        shot = self._game.next()
        if shot is None:
            raise FilmOver("simulated-game-over", N_("the simulated game is over"))
        self._number += 1
        return Frame(shot.image, self._begun + shot.at, self._number)

    def close(self) -> None:
        """Nothing to close."""
