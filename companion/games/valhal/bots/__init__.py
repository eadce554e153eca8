"""Bots that play Valhal on the simulated table. The camera sees what lies on the mat; what is only
said, or printed on text cards, is entered on the page."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import TypeVar

import numpy as np

from companion.core.game import Accepted, Setup
from companion.core.notation import Seat
from companion.games.valhal import rules as valhal
from companion.games.valhal.bots.invented_copy import SHEET
from companion.games.valhal.bots.mat import MOST_DICE, MOST_SAILING, Mat, thrown_by
from companion.games.valhal.bots.mistakes import Mistake, possible_mistakes
from companion.games.valhal.bots.phone_pictures import settlement
from companion.games.valhal.rules.following import candidates, loads
from companion.games.valhal.rules.notation.actions import (
    Action,
    Agree,
    Attack,
    Build,
    Choose,
    Curse,
    Decline,
    Feed,
    FrontLine,
    Heidrun,
    Join,
    Lay,
    Offering,
    PayFor,
    Retreat,
    Roll,
    Stay,
    Strike,
    Take,
    TownRoll,
    Unfeed,
    Withdraw,
)
from companion.games.valhal.rules.raid.battle import attack_dice, row_of
from companion.games.valhal.rules.raid.vikingfahrt import targets
from companion.games.valhal.rules.settlement.building import works
from companion.games.valhal.rules.sheet.sheet import VETERANS
from companion.games.valhal.rules.sheet.writing import entries
from companion.games.valhal.rules.state import Happening, Offer, Phase, State
from companion.games.valhal.rules.vocabulary import Kind
from companion.sim.bots import BotTable, in_any_order
from companion.sim.goals import Goal, Least, Most
from companion.sim.players import Bots
from companion.sim.steps import By, Lying, Playing, Script, Step, around, names, pick
from companion.sim.visitors import Asked, Visitors

_ERRS = {Phase.COMMISSION: 0.5, Phase.CHOOSE: 0.15, Phase.BATTLE: 0.04}
"""How often somebody makes a mistake in each phase, as long as mistakes are owed. Seldom in a
battle, because it has many throws."""
_MOST_LINES = 320
"""A game may never end; after this many lines the bots stop."""

A = TypeVar("A", bound=Action)
AtHome = Build | PayFor | Feed | Unfeed | Withdraw | Offering
_AT_HOME = (Build, PayFor, Feed, Unfeed, Withdraw, Offering)
"""What a Jarl does on the own part of the mat."""
_DECISIONS = Take | Choose | Curse | Join | Decline | FrontLine | Retreat
"""What one Jarl decides; everything else is dice and cards drawn."""
_TRIED = (Phase.COMMISSION, Phase.CHOOSE)
"""The phases in which a visitor can try what the rules do not allow."""


def script(how: Playing, visitors: Visitors) -> Script:
    changes = how.changes
    if "favour_steps" not in dict(changes):
        changes = (*changes, ("favour_steps", "3"))
    setup = Setup("valhal", names(how.seats), how.edition, changes)
    rng = np.random.default_rng([9, how.seed])
    bots = _Table(valhal, how, rng, valhal.start(setup), visitors, Mat(rng))
    return Script(setup, "valhal", around(how.seats), bots.steps())


@dataclass(slots=True, eq=False)
class _Table(BotTable[State, Action]):
    mat: Mat
    lines: int = 0

    def steps(self) -> Iterator[Step]:
        told = tuple(f"sheet {path} {value}" for path, value in entries(SHEET))
        for line in told:
            self.enter(valhal.parse(line))
        self.mat.show(self.mat.shown_on(self.state))
        yield self.step("sheet", None, lines=told, by=By.PAGE)
        while not self.state.over and self.lines < _MOST_LINES:
            if self.rng.random() < self.how.fidgets:
                yield self.step("point", pick(self.rng, self.state.seats))
            if self.owed and self.rng.random() < _ERRS.get(self.state.phase, 0.0):
                yield from self._mistake()
            yield from _MOVES.get(self.state.phase, _Table.anything)(self)

    # -- phases -----------------------------------------------------------------------------

    def anything(self) -> Iterator[Step]:
        """Any of the possible actions, entered on the page: what cards ask, who begins."""
        legal = self._legal(candidates(self.state))
        action = yield from self._instead("act", pick(self.rng, legal), legal)
        yield from self._does(action, By.PAGE)

    def laying(self) -> Iterator[Step]:
        towns = [each for each in candidates(self.state) if isinstance(each, Lay)]
        yield from self._does(pick(self.rng, self._legal(towns)), By.CAMERA)

    def rolling(self) -> Iterator[Step]:
        seat = self.state.waiting[0]
        yield from self._does(Roll(seat, (self._die(),)), By.CAMERA, seat)

    def choosing(self) -> Iterator[Step]:
        seat = self.state.queue[0]
        leave = "pass" if self.fits(Stay(seat)) else ""
        said = yield from self._wants("attack", seat, self._attacks(seat), leave)
        if said is None:
            chosen: Action = self._sails(seat)
        else:
            chosen = Stay(seat) if said == "pass" else valhal.parse(said)
        if not isinstance(chosen, Attack):
            yield from self._does(chosen, By.BUTTON, seat, "pass")
            return
        seen = len(chosen.units) + chosen.boats.count <= MOST_SAILING
        yield from self._does(chosen, By.CAMERA if seen else By.PAGE, seat)

    def _sails(self, seat: Seat) -> Attack | Stay:
        stay = Stay(seat)
        if self.rng.random() < 0.3 and self.fits(stay):
            return stay
        units, boats = pick(self.rng, loads(self.state, seat))
        return Attack(seat, pick(self.rng, list(targets(self.state, seat))), units, boats)

    def _attacks(self, seat: Seat) -> Iterator[Attack]:
        # A visitor sails alone, like the bots: bots would decline an invitation.
        for town, (units, boats) in product(targets(self.state, seat), loads(self.state, seat)):
            yield Attack(seat, town, units, boats)

    def inviting(self) -> Iterator[Step]:
        """Bots never invite anybody, but cards do; then they decline."""
        legal = self._legal(candidates(self.state))
        usual = pick(self.rng, [each for each in legal if not isinstance(each, Join)])
        action = yield from self._instead("act", usual, legal)
        yield from self._does(action, By.PAGE)

    def fronting(self) -> Iterator[Step]:
        legal = self._legal(candidates(self.state))
        usual = pick(self.rng, [each for each in legal if isinstance(each, FrontLine)])
        chosen = yield from self._instead("front", usual, legal)
        alone = len(self.state.raids[0].forces) == 1 and isinstance(chosen, FrontLine)
        yield from self._does(chosen, By.CAMERA if alone else By.PAGE, usual.seat)

    def battling(self) -> Iterator[Step]:
        raid = self.state.raids[0]
        row = row_of(self.state, raid)
        mine, theirs = attack_dice(self.state, raid), row.dice if row is not None else 0
        if raid.attack is None and mine:
            seat = raid.seats[0]
            if (yield from self._retreats(seat)):
                return
            seen = By.CAMERA if mine <= MOST_DICE else By.PAGE
            yield from self._does(Roll(seat, self._throw(mine)), seen, seat)
        elif raid.defence is None and theirs:
            yield from self._does(TownRoll(self._throw(theirs)), By.CAMERA)
        else:
            yield from self.anything()

    def _retreats(self, seat: Seat) -> Generator[Step, None, bool]:
        """Bots fight to the end; a visitor may retreat. True if that was done."""
        retreat = Retreat(seat)
        if not self.fits(retreat):
            return False
        said = yield from self._wants("battle", seat, (retreat,), "roll")
        if said in (None, "roll"):
            return False
        yield from self._does(retreat, By.PAGE, seat)
        return True

    def striking(self) -> Iterator[Step]:
        yield from self._does(Strike(), By.BUTTON, None, "confirm")

    def commissioning(self) -> Iterator[Step]:
        """Each Jarl builds, pays, sacrifices and lays out food. What the rules do not let them
        agree to is put right. Then the season's marker moves on, or somebody says that all are
        done."""
        for seat in self.state.seats:
            if not (yield from self._visited(seat)):
                yield from self._bot_commissions(seat)
            if self.owed and self.rng.random() < _ERRS[Phase.COMMISSION] / 2:
                yield from self._mistake()
            yield from self._put_right(seat)
        offered = any(self.state.players[seat].sacrifice for seat in self.state.seats)
        if offered or self.rng.random() < 0.5:
            yield from self._does(Agree(), By.BUTTON, None, "confirm")
        else:
            yield from self._does(Agree(), By.CAMERA, self.state.first)

    def _bot_commissions(self, seat: Seat) -> Iterator[Step]:
        """Up to three things a bot builds, pays, sacrifices or lays out."""
        for _ in range(int(self.rng.integers(0, 4))):
            can = [each for each in self._at_home(seat) if not isinstance(each, Withdraw)]
            if can:
                yield from self._commissions(self._likely(can))

    def _put_right(self, seat: Seat) -> Iterator[Step]:
        """Food is laid out, or projects withdrawn, until the rules let this Jarl agree."""
        while not self.fits(Agree(seat)):
            mend = [each for each in self._at_home(seat) if isinstance(each, Feed | Withdraw)]
            yield from self._commissions(pick(self.rng, mend))

    def _visited(self, seat: Seat) -> Generator[Step, None, bool]:
        """A visitor commissions until they are done. False if the bot has to do it."""
        while self.visitors.sits(seat):
            leave = "done" if self.fits(Agree(seat)) else ""
            said = yield from self._wants("commission", seat, self._at_home(seat), leave)
            if said == "done":
                return True
            if said is not None:
                action = valhal.parse(said)
                yield from self._does(action, self._told(action), seat)
        return False

    def _likely(self, can: Sequence[AtHome]) -> AtHome:
        """One of them; seldom a sacrifice, and seldom one that takes food back."""
        rare = [each for each in can if isinstance(each, Unfeed | Offering)]
        common = [each for each in can if each not in rare]
        return pick(self.rng, rare if rare and (not common or self.rng.random() < 0.2) else common)

    def _at_home(self, seat: Seat) -> list[AtHome]:
        mine = [e for e in candidates(self.state) if isinstance(e, _AT_HOME) and e.seat is seat]
        room = bool(self.mat.free(seat))
        return self._legal(each for each in mine if room or not isinstance(each, Build))

    def _commissions(self, action: AtHome) -> Iterator[Step]:
        by = self._told(action)
        also: tuple[AtHome, ...] = ()
        if by is By.CAMERA and self.rng.random() < self.how.sloppy:
            also = self._as_well(action)
        yield from self._does(action, by, action.seat, also=also)

    def _told(self, action: Action) -> By:
        """By the camera if the mat shows it clearly, else by the page."""
        seen = self._changes_mat(action) and not self._unclear(action)
        return By.CAMERA if seen else By.PAGE

    def _unclear(self, action: Action) -> bool:
        """Whether the mat leaves it open: which unit became Veterans, or which of two sacrifices
        two coins are for."""
        if isinstance(action, Build) and action.given:
            units = self.state.players[action.seat].units
            return len({each for each in units if each != VETERANS}) > 1
        if isinstance(action, Offering) and works(self.state, action.seat, Kind.ALTAR):
            return action.offer in (Offer.COINS, Offer.WRATH)
        return False

    def _as_well(self, action: AtHome) -> tuple[AtHome, ...]:
        """What is laid in the same reach: a coin for food, if the rules allow it."""
        verdict = valhal.judge(self.state, action)
        if not isinstance(verdict, Accepted) or isinstance(action, Feed | Unfeed | Withdraw):
            return ()
        after = candidates(verdict.state)
        can = [e for e in after if isinstance(e, Feed) and e.seat is action.seat]
        fits = [e for e in can if isinstance(valhal.judge(verdict.state, e), Accepted)]
        return (pick(self.rng, fits),) if fits else ()

    def _changes_mat(self, action: Action) -> bool:
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
        thrown = thrown_by(action, self.state)
        if by is By.CAMERA:
            self.mat.add(thrown)
        lines = tuple(self.enter(each) for each in (action, *also))
        self.lines += len(lines)
        if by is By.CAMERA and not thrown:
            self.mat.show(self.mat.shown_on(self.state))
        what = _WORDS.get(type(action), "say")
        yield self.step(what, seat, lines=lines, by=by, press=press)
        yield from self._tidied(seat)

    def _tidied(self, seat: Seat | None) -> Iterator[Step]:
        """What people do by hand after it: turn and flip cards, move markers, put dice away."""
        for each in self.state.seats:
            if self.mat.flip(each, self._finished(each)):
                yield self.step("finish", each)
        if self.mat.show(self.mat.shown_on(self.state)):
            yield self.step("tidy", seat)

    def _finished(self, seat: Seat) -> list[str]:
        """The projects finished since the mat was laid out last."""
        running = {each.site for each in self.state.players[seat].projects}
        notes = [note for note in self.state.notes if note.what is Happening.FINISHED]
        done = {note.thing for note in notes if note.seat is seat}
        return [
            site
            for whose, site in self.mat.sites
            if whose is seat and site not in running and Mat.kind(site) in done
        ]

    def _legal(self, many: Iterable[A]) -> list[A]:
        return [each for each in many if self.fits(each)]

    def _die(self) -> int:
        return pick(self.rng, self.state.sheet.faces)

    def _throw(self, many: int) -> tuple[int, ...]:
        return tuple(self._die() for _ in range(many))

    # -- somebody in a bot's place ------------------------------------------------------------

    def _wants(
        self, what: str, seat: Seat, can: Iterable[Action], leave: str = ""
    ) -> Generator[Step, None, str | None]:
        """The line a visitor chooses, or the word for choosing nothing; None without a visitor."""
        if not self.visitors.sits(seat):
            return None
        lines = tuple(valhal.format(each) for each in self._legal(can))
        wrong = tuple(dict.fromkeys(each.line for each in self._tried(seat)))
        return (yield from self.decided(seat, Asked(what, (), lines, wrong, leave=leave)))

    def _instead(
        self, what: str, usual: Action, legal: Sequence[Action]
    ) -> Generator[Step, None, Action]:
        """What a visitor does instead of `usual`, which is what the bot would do."""
        seat = self._decides(usual)
        if seat is None:
            return usual
        can = [each for each in legal if self._decides(each) is seat]
        said = yield from self._wants(what, seat, can)
        return usual if said is None else valhal.parse(said)

    def _decides(self, action: Action) -> Seat | None:
        """Whose decision it is; None if it is chance."""
        if isinstance(action, Heidrun):  # with no Town left it is drawn
            return self.state.first if self.state.mainland else None
        return action.seat if isinstance(action, _DECISIONS) else None

    def _tried(self, seat: Seat) -> list[Mistake]:
        """Mistakes a visitor on this seat can choose to make."""
        if self.state.phase not in _TRIED:
            return []
        mine = (each for each in self._wrong() if each.seat is seat)
        return [each for each in mine if not isinstance(each.action, Agree)]

    # -- what goes wrong --------------------------------------------------------------------

    def _mistake(self) -> Iterator[Step]:
        """A bot makes one of the mistakes possible now, and takes it back once the referee
        objects."""
        can = [each for each in self._wrong() if not self.visitors.sits(each.seat)]
        if not can:
            return
        kinds = sorted({each.kind for each in can})
        kind = pick(self.rng, kinds)
        wrong = pick(self.rng, [each for each in can if each.kind == kind])
        self.owed -= 1
        yield from self._refused(wrong)

    def mistaken(self, action: Action) -> Iterator[Step]:
        yield from self._refused(next(each for each in self._wrong() if each.action == action))

    def _wrong(self) -> list[Mistake]:
        many = possible_mistakes(self.state, self.mat, self._throw)
        return [each for each in many if not self.fits(valhal.parse(each.line))]

    def _refused(self, wrong: Mistake) -> Iterator[Step]:
        before = self.mat.copied()
        for key in wrong.takes:
            self.mat.lying.pop(key, None)
        self.mat.add(wrong.lays)
        yield self.step("mistake", wrong.seat, refused=wrong.line)
        self.mat = before
        yield self.step("take back", wrong.seat)

    def table(self) -> tuple[Lying, ...]:
        return tuple(self.mat.lying.values())

    def hands(self) -> tuple[tuple[str, ...], ...]:
        return ()


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
_MOVES: Mapping[Phase, Callable[[_Table], Iterator[Step]]] = MappingProxyType(
    {
        Phase.LAYING: _Table.laying,
        Phase.ROLL: _Table.rolling,
        Phase.CHOOSE: _Table.choosing,
        Phase.INVITE: _Table.inviting,
        Phase.FRONT: _Table.fronting,
        Phase.BATTLE: _Table.battling,
        Phase.STRIKE: _Table.striking,
        Phase.COMMISSION: _Table.commissioning,
    }
)


BOTS = Bots(
    script=script,
    in_order=in_any_order("rolls"),
    drills=(settlement,),
    goals=(
        Goal(
            "Valhal",
            "good",
            (Least(0.98), Most(25), Most(500), Most(1_000), Least(0.95), Least(0.80)),
        ),
        Goal(
            "Valhal on boards",
            "good",
            (Least(0.97), Most(25), Most(500), Most(1_000), Least(0.95), Least(0.85)),
            boards=True,
        ),
    ),
)
