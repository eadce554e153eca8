"""Bots at a table of Valhal. The mat has what all share and the settlement of the first seat; what
the others do at home, what is said, and what is printed on text cards goes in by the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar

import numpy as np

from companion.pieces import Seat
from companion.rules import valhal
from companion.rules.core import Accepted, Refused, Setup
from companion.rules.valhal.actions import (
    Action,
    Agree,
    Attack,
    Build,
    Commissioning,
    Feed,
    FrontLine,
    Join,
    Lay,
    PayFor,
    Roll,
    Stay,
    TownRoll,
    Withdraw,
)
from companion.rules.valhal.battle import attack_dice, row_of
from companion.rules.valhal.filling import entries
from companion.rules.valhal.following import candidates, loads
from companion.rules.valhal.state import Happening, Phase, State
from companion.rules.valhal.vikingfahrt import targets
from companion.rules.valhal.words import TOKEN_FOR, Kind, Pay
from companion.sim.playing.steps import By, Lying, Playing, Script, Step, around, names, pick
from companion.sim.playing.valhal_copy import SHEET
from companion.sim.playing.valhal_mat import WATCHED, Mat, dice, project, shown_on

_ERRS = 0.3
_MOST_LINES = 320
"""A game may go on for ever; nobody watches it longer than this."""

A = TypeVar("A", bound=Action)


def script(how: Playing) -> Script:
    changes = how.changes
    if "favour_steps" not in dict(changes):
        changes = (*changes, ("favour_steps", "3"))
    setup = Setup("valhal", names(how.seats), how.edition, changes)
    rng = np.random.default_rng([9, how.seed])
    bots = _Bots(how, rng, valhal.start(setup), Mat(rng))
    return Script(setup, "valhal", around(how.seats), bots.steps())


@dataclass(slots=True, eq=False)
class _Bots:
    how: Playing
    rng: np.random.Generator
    state: State
    mat: Mat
    owed: int = 0
    lines: int = field(default=0)

    def steps(self) -> Iterator[Step]:
        self.owed = self.how.mistakes
        told = tuple(f"sheet {path} {value}" for path, value in entries(SHEET))
        for line in told:
            self._judged(line)
        yield self._step("sheet", None, told, By.PAGE)
        while not self.state.over and self.lines < _MOST_LINES:
            if self.rng.random() < self.how.fidgets:
                yield self._step("point", pick(self.rng, self.state.seats))
            if self.owed and self.rng.random() < _ERRS:
                yield from self._mistake()
            yield from _MOVES.get(self.state.phase, _Bots.anything)(self)

    # -- phases -----------------------------------------------------------------------------

    def anything(self) -> Iterator[Step]:
        """What cards ask, who begins: any of what could come, said on the page."""
        yield from self._does(pick(self.rng, self._legal(candidates(self.state))), By.PAGE)

    def laying(self) -> Iterator[Step]:
        towns = [each for each in candidates(self.state) if isinstance(each, Lay)]
        yield from self._does(pick(self.rng, self._legal(iter(towns))), By.CAMERA)

    def rolling(self) -> Iterator[Step]:
        seat = self.state.waiting[0]
        yield from self._does(Roll(seat, (self._die(),)), By.CAMERA, seat)

    def choosing(self) -> Iterator[Step]:
        seat = self.state.queue[0]
        stay = Stay(seat)
        if self.rng.random() < 0.3 and self._fits(stay):
            yield from self._does(stay, By.BUTTON, seat, "pass")
            return
        units, boats = pick(self.rng, loads(self.state, seat))
        attack = Attack(seat, pick(self.rng, list(targets(self.state, seat))), units, boats)
        yield from self._does(attack, By.PAGE, seat)

    def inviting(self) -> Iterator[Step]:
        """Bots go alone, but cards may invite."""
        joins = [each for each in candidates(self.state) if not isinstance(each, Join)]
        yield from self._does(pick(self.rng, self._legal(iter(joins))), By.PAGE)

    def fronting(self) -> Iterator[Step]:
        lines = [each for each in candidates(self.state) if isinstance(each, FrontLine)]
        chosen = pick(self.rng, self._legal(iter(lines)))
        alone = len(self.state.raids[0].forces) == 1
        yield from self._does(chosen, By.CAMERA if alone else By.PAGE, chosen.seat)

    def battling(self) -> Iterator[Step]:
        raid = self.state.raids[0]
        row = row_of(self.state, raid)
        mine, theirs = attack_dice(self.state, raid), row.dice if row is not None else 0
        if raid.attack is None and mine:
            seat = raid.seats[0]
            yield from self._does(Roll(seat, self._throw(mine)), By.CAMERA, seat)
        elif raid.defence is None and theirs:
            yield from self._does(TownRoll(self._throw(theirs)), By.CAMERA)
        else:
            yield from self.anything()

    def striking(self) -> Iterator[Step]:
        yield from self._does(valhal.parse("strike"), By.BUTTON, None, "confirm")

    def commissioning(self) -> Iterator[Step]:
        """Each builds, pays and lays out food; what nobody could agree to is put right."""
        for seat in self.state.seats:
            for _ in range(int(self.rng.integers(1, 4)) if seat is WATCHED else 1):
                can = [each for each in self._at_home(seat) if not isinstance(each, Withdraw)]
                if can and (seat is WATCHED or self.rng.random() < 0.4):
                    yield from self._commissions(pick(self.rng, can))
            while not self._fits(Agree(seat)):
                mend = [each for each in self._at_home(seat) if isinstance(each, Feed | Withdraw)]
                yield from self._commissions(pick(self.rng, mend))
        yield from self._does(Agree(), By.BUTTON, None, "confirm")

    def _at_home(self, seat: Seat) -> list[Build | PayFor | Feed | Withdraw]:
        kinds = (Build, PayFor, Feed, Withdraw)
        mine = [e for e in candidates(self.state) if isinstance(e, kinds) and e.seat is seat]
        return self._legal(iter(mine))

    def _commissions(self, action: Build | PayFor | Feed | Withdraw) -> Iterator[Step]:
        given = isinstance(action, Build) and action.given  # who it was made of cannot be seen
        sees = action.seat is WATCHED and not given and self._changes_mat(action)
        yield from self._does(action, By.CAMERA if sees else By.PAGE, action.seat)

    def _changes_mat(self, action: Commissioning) -> bool:
        verdict = valhal.judge(self.state, action)
        return isinstance(verdict, Accepted) and shown_on(verdict.state) != shown_on(self.state)

    # -- doing it ---------------------------------------------------------------------------

    def _does(
        self, action: Action, by: By, seat: Seat | None = None, press: str = ""
    ) -> Iterator[Step]:
        thrown = _thrown(action, self.state)
        self.mat.add(thrown)
        line = self._judged(valhal.format(action))
        if by is By.CAMERA and not thrown:
            self.mat.show(shown_on(self.state))
        yield self._step(_WORDS.get(type(action), "say"), seat, (line,), by, press)
        yield from self._settled(seat)

    def _settled(self, seat: Seat | None) -> Iterator[Step]:
        """What follows is done by hand: cards turned and flipped, markers moved, dice put away."""
        done = [
            Kind(note.thing)
            for note in self.state.notes
            if note.what is Happening.FINISHED and note.seat is WATCHED and note.thing in set(Kind)
        ]
        if self.mat.flip(done):
            yield self._step("finish", WATCHED)
        if self.mat.show(shown_on(self.state)):
            yield self._step("tidy", seat)

    def _legal(self, many: Iterator[A]) -> list[A]:
        return [each for each in many if self._fits(each)]

    def _fits(self, action: Action) -> bool:
        return isinstance(valhal.judge(self.state, action), Accepted)

    def _judged(self, line: str) -> str:
        verdict = valhal.judge(self.state, valhal.parse(line))
        if isinstance(verdict, Refused):
            raise AssertionError(f"a bot played {line}: {verdict.reasons}")
        self.state = verdict.state
        self.lines += not line.startswith("sheet")
        return line

    def _die(self) -> int:
        return pick(self.rng, self.state.sheet.faces)

    def _throw(self, many: int) -> tuple[int, ...]:
        return tuple(self._die() for _ in range(many))

    # -- what goes wrong --------------------------------------------------------------------

    def _mistake(self) -> Iterator[Step]:
        """A project paid for with the wrong token, or one die too many."""
        raid = self.state.raid
        line, seat = "", WATCHED
        before = dict(self.mat.lying)
        if self.state.phase is Phase.COMMISSION:
            kind = pick(self.rng, (Kind.LONGBOAT, Kind.WAREHOUSE, Kind.GRANARY, Kind.ALTAR))
            wrong = Pay.IRON if TOKEN_FOR[kind] is Pay.WOOD else Pay.WOOD
            pay = (Pay.COIN, wrong)
            line = str(Build(WATCHED, kind, pay))
            if self.state.players[WATCHED].project(kind) is None:
                self.mat.add(project(kind, 0.0, pay))
        elif self.state.phase is Phase.BATTLE and raid is not None and raid.attack is None:
            seat = raid.seats[0]
            action = Roll(seat, self._throw(attack_dice(self.state, raid) + 1))
            line = str(action)
            self.mat.add(dice("attackers", action.dice))
        if not line or before == self.mat.lying or self._fits(valhal.parse(line)):
            self.mat.lying = before
            return
        self.owed -= 1
        yield self._step("mistake", seat, refused=line)
        self.mat.lying = before
        yield self._step("take back", seat)

    def _step(
        self,
        what: str,
        seat: Seat | None,
        lines: tuple[str, ...] = (),
        by: By = By.CAMERA,
        press: str = "",
        refused: str = "",
    ) -> Step:
        table: tuple[Lying, ...] = tuple(self.mat.lying.values())
        return Step(what, seat, table, lines, refused, by, press)


def _thrown(action: Action, state: State) -> Mapping[str, Lying]:
    """What lies there only for a moment: dice, a card being read."""
    match action:
        case Roll(seat, pips) if state.phase is Phase.ROLL:
            return dice("attackers", pips, f"{seat}")
        case Roll(_, pips):
            return dice("attackers", pips)
        case TownRoll(pips):
            return dice("town", pips)
        case Lay(town):
            return Mat.reading(town)
        case _:
            return {}


_WORDS: Mapping[type, str] = MappingProxyType(
    {Roll: "roll", TownRoll: "roll", Lay: "lay", Build: "build", PayFor: "pay", Feed: "feed"}
)
_MOVES: Mapping[Phase, Callable[[_Bots], Iterator[Step]]] = MappingProxyType(
    {
        Phase.LAYING: _Bots.laying,
        Phase.ROLL: _Bots.rolling,
        Phase.CHOOSE: _Bots.choosing,
        Phase.INVITE: _Bots.inviting,
        Phase.FRONT: _Bots.fronting,
        Phase.BATTLE: _Bots.battling,
        Phase.STRIKE: _Bots.striking,
        Phase.COMMISSION: _Bots.commissioning,
    }
)
