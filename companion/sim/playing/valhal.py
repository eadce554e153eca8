"""Bots at a table of Valhal. What lies on the mat is seen; what is said, and what is printed on
text cards, goes in by the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    Feed,
    FrontLine,
    Join,
    Lay,
    Offering,
    PayFor,
    Roll,
    Stay,
    TownRoll,
    Unfeed,
    Withdraw,
)
from companion.rules.valhal.battle import attack_dice, row_of
from companion.rules.valhal.building import works
from companion.rules.valhal.filling import entries
from companion.rules.valhal.following import candidates, loads
from companion.rules.valhal.sheet import VETERANS
from companion.rules.valhal.state import Happening, Offer, Phase, State
from companion.rules.valhal.vikingfahrt import targets
from companion.rules.valhal.words import Kind
from companion.sim.playing.steps import By, Lying, Playing, Script, Step, around, names, pick
from companion.sim.playing.valhal_copy import SHEET
from companion.sim.playing.valhal_mat import MOST_DICE, MOST_SAILING, Mat, dice, fleet, marked
from companion.sim.playing.valhal_wrong import Wrong, mistakes

_ERRS = {Phase.COMMISSION: 0.5, Phase.CHOOSE: 0.15, Phase.BATTLE: 0.04}
"""How often somebody errs, as long as mistakes are owed; in a battle there are many throws."""
_MOST_LINES = 320
"""A game may go on for ever; nobody watches it longer than this."""

A = TypeVar("A", bound=Action)
AtHome = Build | PayFor | Feed | Unfeed | Withdraw | Offering
_AT_HOME = (Build, PayFor, Feed, Unfeed, Withdraw, Offering)


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
        self.mat.show(self.mat.shown_on(self.state))
        yield self._step("sheet", None, told, By.PAGE)
        while not self.state.over and self.lines < _MOST_LINES:
            if self.rng.random() < self.how.fidgets:
                yield self._step("point", pick(self.rng, self.state.seats))
            if self.owed and self.rng.random() < _ERRS.get(self.state.phase, 0.0):
                yield from self._mistake()
            yield from _MOVES.get(self.state.phase, _Bots.anything)(self)

    # -- phases -----------------------------------------------------------------------------

    def anything(self) -> Iterator[Step]:
        """What cards ask, who begins: any of what could come, said on the page."""
        yield from self._does(pick(self.rng, self._legal(candidates(self.state))), By.PAGE)

    def laying(self) -> Iterator[Step]:
        towns = [each for each in candidates(self.state) if isinstance(each, Lay)]
        yield from self._does(pick(self.rng, self._legal(towns)), By.CAMERA)

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
        seen = len(units) + boats.count <= MOST_SAILING
        yield from self._does(attack, By.CAMERA if seen else By.PAGE, seat)

    def inviting(self) -> Iterator[Step]:
        """Bots go alone, but cards may invite."""
        joins = [each for each in candidates(self.state) if not isinstance(each, Join)]
        yield from self._does(pick(self.rng, self._legal(joins)), By.PAGE)

    def fronting(self) -> Iterator[Step]:
        lines = [each for each in candidates(self.state) if isinstance(each, FrontLine)]
        chosen = pick(self.rng, self._legal(lines))
        alone = len(self.state.raids[0].forces) == 1
        yield from self._does(chosen, By.CAMERA if alone else By.PAGE, chosen.seat)

    def battling(self) -> Iterator[Step]:
        raid = self.state.raids[0]
        row = row_of(self.state, raid)
        mine, theirs = attack_dice(self.state, raid), row.dice if row is not None else 0
        if raid.attack is None and mine:
            seat = raid.seats[0]
            seen = By.CAMERA if mine <= MOST_DICE else By.PAGE
            yield from self._does(Roll(seat, self._throw(mine)), seen, seat)
        elif raid.defence is None and theirs:
            yield from self._does(TownRoll(self._throw(theirs)), By.CAMERA)
        else:
            yield from self.anything()

    def striking(self) -> Iterator[Step]:
        yield from self._does(valhal.parse("strike"), By.BUTTON, None, "confirm")

    def commissioning(self) -> Iterator[Step]:
        """Each builds, pays, sacrifices and lays out food; what nobody could agree to is put right
        before the season's marker goes on, or somebody says that all are done."""
        for seat in self.state.seats:
            for _ in range(int(self.rng.integers(0, 4))):
                can = [each for each in self._at_home(seat) if not isinstance(each, Withdraw)]
                if can:
                    yield from self._commissions(self._likely(can))
            if self.owed and self.rng.random() < _ERRS[Phase.COMMISSION] / 2:
                yield from self._mistake()
            while not self._fits(Agree(seat)):
                mend = [each for each in self._at_home(seat) if isinstance(each, Feed | Withdraw)]
                yield from self._commissions(pick(self.rng, mend))
        offered = any(self.state.players[seat].sacrifice for seat in self.state.seats)
        if offered or self.rng.random() < 0.5:
            yield from self._does(Agree(), By.BUTTON, None, "confirm")
        else:
            yield from self._does(Agree(), By.CAMERA, self.state.first)

    def _likely(self, can: Sequence[AtHome]) -> AtHome:
        """Rarely back what was just done, and not always to the gods."""
        rare = [each for each in can if isinstance(each, Unfeed | Offering)]
        common = [each for each in can if each not in rare]
        return pick(self.rng, rare if rare and (not common or self.rng.random() < 0.2) else common)

    def _at_home(self, seat: Seat) -> list[AtHome]:
        mine = [e for e in candidates(self.state) if isinstance(e, _AT_HOME) and e.seat is seat]
        room = bool(self.mat.free(seat))
        return self._legal(each for each in mine if room or not isinstance(each, Build))

    def _commissions(self, action: AtHome) -> Iterator[Step]:
        if self._unclear(action) or not self._changes_mat(action):
            yield from self._does(action, By.PAGE, action.seat)
            return
        also: tuple[AtHome, ...] = ()
        if self.rng.random() < self.how.sloppy:
            also = self._as_well(action)
        yield from self._does(action, By.CAMERA, action.seat, also=also)

    def _unclear(self, action: AtHome) -> bool:
        """Who became Veterans, and which of two sacrifices two coins are for, is said."""
        if isinstance(action, Build) and action.given:
            units = self.state.players[action.seat].units
            return len({each for each in units if each != VETERANS}) > 1
        if isinstance(action, Offering) and works(self.state, action.seat, Kind.ALTAR):
            return action.offer in (Offer.COINS, Offer.WRATH)
        return False

    def _as_well(self, action: AtHome) -> tuple[AtHome, ...]:
        """A coin on the food display, laid in the same reach."""
        verdict = valhal.judge(self.state, action)
        if not isinstance(verdict, Accepted) or isinstance(action, Feed | Unfeed | Withdraw):
            return ()
        after = candidates(verdict.state)
        can = [e for e in after if isinstance(e, Feed) and e.seat is action.seat]
        fits = [e for e in can if isinstance(valhal.judge(verdict.state, e), Accepted)]
        return (pick(self.rng, fits),) if fits else ()

    def _changes_mat(self, action: AtHome) -> bool:
        verdict = valhal.judge(self.state, action)
        return isinstance(verdict, Accepted) and self.mat.differs(self.state, verdict.state)

    # -- doing it ---------------------------------------------------------------------------

    def _does(
        self,
        action: Action,
        by: By,
        seat: Seat | None = None,
        press: str = "",
        also: tuple[AtHome, ...] = (),
    ) -> Iterator[Step]:
        thrown = _thrown(action, self.state)
        if by is By.CAMERA:
            self.mat.add(thrown)
        lines = tuple(self._judged(valhal.format(each)) for each in (action, *also))
        if by is By.CAMERA and not thrown:
            self.mat.show(self.mat.shown_on(self.state))
        yield self._step(_WORDS.get(type(action), "say"), seat, lines, by, press)
        yield from self._settled(seat)

    def _settled(self, seat: Seat | None) -> Iterator[Step]:
        """What follows is done by hand: cards turned and flipped, markers moved, dice put away."""
        for each in self.state.seats:
            if self.mat.flip(each, self._finished(each)):
                yield self._step("finish", each)
        if self.mat.show(self.mat.shown_on(self.state)):
            yield self._step("tidy", seat)

    def _finished(self, seat: Seat) -> list[str]:
        """Projects done since the mat was laid out last."""
        running = {each.site for each in self.state.players[seat].projects}
        notes = [note for note in self.state.notes if note.what is Happening.FINISHED]
        done = {note.thing for note in notes if note.seat is seat}
        return [
            site
            for whose, site in self.mat.sites
            if whose is seat and site not in running and Mat.kind(site) in done
        ]

    def _legal(self, many: Iterable[A]) -> list[A]:
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
        """One of those that could be made now; it is taken back once the referee objects."""
        can: list[Wrong] = [
            each
            for each in mistakes(self.state, self.mat, self._throw)
            if not self._fits(valhal.parse(each.line))
        ]
        if not can:
            return
        kinds = sorted({each.kind for each in can})
        kind = pick(self.rng, kinds)
        wrong = pick(self.rng, [each for each in can if each.kind == kind])
        before = self.mat.copied()
        for key in wrong.takes:
            self.mat.lying.pop(key, None)
        self.mat.add(wrong.lays)
        self.owed -= 1
        yield self._step("mistake", wrong.seat, refused=wrong.line)
        self.mat = before
        yield self._step("take back", wrong.seat)

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
        case Attack():
            return fleet(action)
        case Agree():
            return marked(state.season.next)
        case _:
            return {}


_WORDS: Mapping[type, str] = MappingProxyType(
    {
        Roll: "roll",
        TownRoll: "roll",
        Lay: "lay",
        Build: "build",
        PayFor: "pay",
        Feed: "feed",
        Attack: "attack",
        Offering: "sacrifice",
    }
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
