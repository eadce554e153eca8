"""Bots that play Valhalla on the simulated table.

They lay cards face down and turn them up, tidy away clashes, reveal battles card by card, lose
cards, make last stands and use the armory. Copies of a card are told apart here, as on a real
table.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeVar

import numpy as np

from companion.core.game import Setup
from companion.core.notation import Seat
from companion.games.valhalla import rules as valhalla
from companion.games.valhalla.bots.cards import BACK, Cards
from companion.games.valhalla.bots.choices import (
    Moving,
    aims,
    asked,
    losses,
    returns,
    strategies,
    takes,
)
from companion.games.valhalla.layout import ZONES
from companion.games.valhalla.rules.actions import (
    Action,
    Armory,
    Declare,
    Draw,
    Fetch,
    First,
    Lose,
    Pass,
    Place,
    Ready,
    Stand,
    Take,
    Turn,
)
from companion.games.valhalla.rules.cards import Card
from companion.games.valhalla.rules.phases.draugr import stand_size
from companion.games.valhalla.rules.phases.drawing import draw_size
from companion.games.valhalla.rules.phases.strategy import takeable
from companion.games.valhalla.rules.state import Phase, State
from companion.sim.bots import BotTable, in_any_order
from companion.sim.goals import Goal, Least, Most
from companion.sim.players import Bots
from companion.sim.steps import By, Lying, Playing, Script, Step, names, pick, pushed, shuffled
from companion.sim.visitors import Asked, Visitors
from companion.tabletop.mat import MAT
from companion.tabletop.zones import centre

_ERRS = 0.35
"""How often somebody makes a mistake, as long as mistakes are owed and one is possible."""

M = TypeVar("M", bound=Moving)


def script(how: Playing, visitors: Visitors) -> Script:
    edition = "expansion" if how.seats > 4 and how.edition == "en" else how.edition
    setup = Setup("valhalla", names(how.seats), edition, how.changes)
    state, rng = valhalla.start(setup), np.random.default_rng([8, how.seed])
    cards = Cards(rng, state.options.clash_by == "by_name")
    bots = _Table(valhalla, how, rng, state, visitors, cards)
    return Script(setup, "valhalla", _PLACES[: how.seats], bots.steps())


def _place(seat: str) -> tuple[float, float]:
    """Where the arm of a seat comes from: straight over the edge its zones lie at."""
    x, y = centre(ZONES[f"{seat}.support"])
    if seat == "E":
        return -330.0, y
    return x, -270.0 if y < MAT[1] / 2 else MAT[1] + 270.0


_PLACES = tuple(_place(seat) for seat in "ABCDE")


@dataclass(slots=True, eq=False)
class _Table(BotTable[State, Action]):
    cards: Cards

    # -- the game -------------------------------------------------------------------------

    def steps(self) -> Iterator[Step]:
        yield self._dealt()
        while not self.state.over:
            if self.rng.random() < self.how.fidgets:
                yield self._fidget()
            if self.owed and self.rng.random() < _ERRS:
                yield from self._mistake()
            yield from _MOVES[self.state.phase](self)

    def _dealt(self) -> Step:
        """VLLA-SETUP-2: everybody is dealt one weapon of each kind and a Wolf; the rest is the
        deck."""
        self.cards.deal(self.state)
        line = self.enter(First(pick(self.rng, self.state.seats)))
        return self.step("deal", None, lines=(line,), by=By.PAGE)

    # -- moves, one phase each --------------------------------------------------------------

    def ready(self) -> Iterator[Step]:
        seat = pick(self.rng, self.state.waiting)
        usual = shuffled(self.rng, self.cards.hand(seat))[:2]
        laid = yield from self._laid(seat, usual)
        for piece, zone in zip(laid, ("main", "support"), strict=False):
            self.cards.move(piece, f"{seat}.{zone}", face=BACK)
        yield self.step("ready", seat, lines=(self.enter(Ready(seat)),))

    def _laid(self, seat: Seat, usual: list[str]) -> Generator[Step, None, list[str]]:
        """The cards to lay as Main and Support, chosen by a visitor or the bot; of a hand of one
        card there is no Support."""
        laid: list[str] = []
        for zone in ("main", "support")[: len(usual)]:
            left = tuple(piece for piece in self.cards.hand(seat) if piece not in laid)
            own = next(piece for piece in usual if piece not in laid)
            piece = yield from self.picked(seat, Asked(zone, left), own)
            laid.append(piece)
        return laid

    def reveal(self) -> Iterator[Step]:
        seat = pick(self.rng, self.state.waiting)
        yield self.step("reveal", seat, lines=(self.enter(self.cards.turn_up(seat)),))
        yield from self._tidied(seat)

    def strategy(self) -> Iterator[Step]:
        seat = self.state.waiting[0]
        if (yield from self._visited(seat)):
            return
        main = self.state.players[seat].main
        if main is not None and main is not Card.WOLF and self.rng.random() < 0.25:
            can_use = aims(self.state, seat)
            if can_use:
                yield from self._declares(pick(self.rng, can_use))
        can_take = [card for card in takeable(self.state) if self.fits(Take(seat, card))]
        luck = self.rng.random()
        if can_take and luck < 0.4:
            yield from self._takes(Take(seat, pick(self.rng, can_take)))
        elif draw_size(self.state, seat) and (luck < 0.9 or not self.fits(Pass(seat))):
            yield from self._draws(seat)
        else:
            yield from self._passes(seat)

    def _visited(self, seat: Seat) -> Generator[Step, None, bool]:
        """A visitor acts, and may use the Main before. False if the bot has to act."""
        seen: tuple[str, ...] = ()
        while self.visitors.sits(seat):
            said = yield from self.decided(seat, strategies(self.state, seat, seen))
            if said is None:
                return False
            action = Pass(seat) if said == "pass" else valhalla.parse(said)
            match action:
                case Declare():
                    seen = yield from self._looks(action)
                    continue
                case Take():
                    yield from self._takes(action)
                case Draw():
                    yield from self._draws(seat)
                case _:
                    yield from self._passes(seat)
            return True
        return False

    def _looks(self, aim: Declare) -> Generator[Step, None, tuple[str, ...]]:
        """A visitor uses the Main. Returns the cards it shows them."""
        seen: tuple[str, ...] = ()
        if aim.target is None:
            seen, mixes = tuple(self.cards.deck[:2]), str(replace(aim, shuffles=True))
            asking = Asked("shuffle", (), (str(aim), mixes), seen=seen)
            if (yield from self.picked(aim.seat, asking, str(aim))) == mixes:
                aim, seen = replace(aim, shuffles=True), ()
                self.cards.deck = shuffled(self.rng, self.cards.deck)
        elif aim.card is Card.SWORD:
            seen = tuple(self.cards.hand(aim.target))
        yield from self._declares(aim)
        return seen

    def _declares(self, aim: Declare) -> Iterator[Step]:
        """A Main is used. On whom is said aloud, so it is entered on the page."""
        line = self.enter(aim)
        self.cards.move(self.cards.places[f"{aim.seat}.main"][-1], f"{aim.seat}.discard")
        yield self.step("declare", aim.seat, lines=(line,), by=By.PAGE)
        yield from self._tidied(aim.seat)

    def _passes(self, seat: Seat) -> Iterator[Step]:
        line = self.enter(Pass(seat))
        yield self.step("pass", seat, lines=(line,), by=By.BUTTON, press="pass")
        yield from self._tidied(seat)

    def _takes(self, take: Take) -> Iterator[Step]:
        yield self.step("take", take.seat, lines=(self._moves(take),))
        yield from self._tidied(take.seat)

    def _draws(self, seat: Seat) -> Iterator[Step]:
        """Two or three cards are drawn: some are shown, one is kept, the others go under the
        deck."""
        cards = self.cards.deck[: draw_size(self.state, seat)]
        draugr = [piece for piece in cards if self.cards.kind(piece) is Card.DRAUGR]
        others = [piece for piece in cards if piece not in draugr]
        kept = yield from self._kept(seat, others, draugr)
        if self.state.players[seat].axed:
            shown, keeps = cards, (self.cards.kind(kept),) if kept else ()
        else:  # one Draugr may be ignored, if there is anything else
            shown, keeps = draugr[1 if others else 0 :], ()
        choice = len({self.cards.kind(piece) for piece in others}) > 1
        line = yield from self._shows(seat, shown, keeps, told_late=bool(keeps) and choice)
        if kept:
            self.cards.move(kept, f"hand {seat}")
        under = [piece for piece in cards if piece not in (kept, *shown)]
        self.cards.deck = [*(piece for piece in self.cards.deck if piece not in under), *under]
        # Without a card to be seen nobody but the players can tell that there was a draw.
        by = By.CAMERA if shown else By.PAGE
        yield self.step("draw", seat, lines=(line,) if line else (), by=by)
        yield from self._tidied(seat)

    def _kept(self, seat: Seat, others: list[str], draugr: list[str]) -> Generator[Step, None, str]:
        """The card a draw leaves in the hand; empty if all are Draugr."""
        kept = pick(self.rng, others) if others else ""
        if len(others) > 1:
            asking = Asked("keep", tuple(others), seen=tuple(draugr))
            kept = yield from self.picked(seat, asking, kept)
        return kept

    def _shows(
        self, seat: Seat, shown: list[str], keeps: tuple[Card, ...], *, told_late: bool
    ) -> Generator[Step, None, str]:
        """Cards of a draw are laid open. Returns the line if it is still to be told.

        `told_late`: which card is kept can be seen only once it has left the others.
        """
        for piece in shown:
            self.cards.move(piece, "reveal")
        if shown and told_late:
            yield self.step("show", seat)
        line = self.enter(Draw(seat, tuple(self.cards.kind(piece) for piece in shown), keeps))
        if shown and not told_late:
            yield self.step("show", seat, lines=(line,))
            return ""
        return line

    def turns(self) -> Iterator[Step]:
        """A Deity as Support turns a card: first in the reveal zone for all to see, then where it
        belongs."""
        seat, piece = self.state.waiting[0], self.cards.deck[0]
        card = self.cards.kind(piece)
        self.cards.move(piece, "reveal")
        yield self.step("turn", seat, lines=(self.enter(Turn(seat, card)),))
        self.cards.move(piece, "armory" if card is Card.DRAUGR else f"{seat}.discard")
        yield self.step("put", seat)
        yield from self._tidied(seat)

    def battle(self) -> Iterator[Step]:
        piece = self.cards.deck[0]
        self.cards.move(piece, "armory")
        first = self.state.playing_order[0]
        yield self.step("battle", first, lines=(self.enter(Armory(self.cards.kind(piece))),))
        yield from self._tidied(first)

    def loses(self) -> Iterator[Step]:
        """Somebody who owes cards loses one. Where it is laid says whose it is, and whether it was
        in the hand."""
        seat = pick(self.rng, [each for each in self.state.debts if each.cards]).seat
        usual = pick(self.rng, self._losable(seat, *Place))
        can = losses(self.state, seat, self.cards.held(seat))
        lost = yield from self._chosen("lose", can, usual)
        lines = [self._moves(lost)]
        alone = lost.place is not Place.HAND or self.visitors.sits(seat)
        if not alone and self.rng.random() < self.how.sloppy:  # two at once
            more = self._losable(seat, Place.DISCARD)
            lines += [self._moves(pick(self.rng, more))] if more else []
        yield self.step("lose", seat, lines=tuple(lines))
        yield from self._tidied(seat)

    def _losable(self, seat: Seat, *places: Place) -> list[Lose]:
        can = losses(self.state, seat, self.cards.held(seat))
        return [each for each in can if each.place in places and self.fits(each)]

    def stands(self) -> Iterator[Step]:
        seat = self.state.debts[0].seat
        cards = self.cards.deck[: stand_size(self.state)]
        kinds = tuple(self.cards.kind(piece) for piece in cards)
        for piece in cards:
            self.cards.move(piece, "reveal")
        if Card.DRAUGR in kinds or len(set(kinds)) == 1:
            kept = cards[0] if Card.DRAUGR not in kinds else ""
        else:  # what is kept can be told once it has left the others
            yield self.step("show", seat)
            kept = yield from self.picked(seat, Asked("keep", tuple(cards)), pick(self.rng, cards))
            self.cards.move(kept, f"hand {seat}")
        keeps = self.cards.kind(kept) if kept else None
        yield self.step("stand", seat, lines=(self.enter(Stand(seat, kinds, keeps)),))
        if kept in self.cards.spots:
            self.cards.move(kept, f"hand {seat}")
            yield self.step("take up", seat)
        yield from self._tidied(seat)

    def spoils(self) -> Iterator[Step]:
        seat = self.state.waiting[0]
        usual = Take(seat, pick(self.rng, takeable(self.state)))
        take = yield from self._chosen("spoils", takes(self.state, seat), usual)
        yield from self._takes(take)

    def fetches(self) -> Iterator[Step]:
        """A Wolf fetches a card: it is shown before it goes to the hand."""
        seat = self.state.waiting[0]
        pile = self.cards.places[f"{seat}.discard"]
        can = tuple(each for each in pile if self.fits(Fetch(seat, self.cards.kind(each))))
        piece = yield from self.picked(seat, Asked("fetch", can), pick(self.rng, can))
        self.cards.move(piece, "reveal")
        line = self.enter(Fetch(seat, self.cards.kind(piece)))
        yield self.step("fetch", seat, lines=(line,))
        self.cards.move(piece, f"hand {seat}")
        yield self.step("take up", seat)
        yield from self._tidied(seat)

    def returns(self) -> Iterator[Step]:
        seat = self.state.waiting[0]
        can = returns(self.state, seat)
        usual = pick(self.rng, [each for each in can if self.fits(each)])
        chosen = yield from self._chosen("return", can, usual)
        yield self.step("return", seat, lines=(self._moves(chosen),))
        yield from self._tidied(seat)

    # -- one card from here to there ----------------------------------------------------------

    def _chosen(self, what: str, can: Iterable[M], usual: M) -> Generator[Step, None, M]:
        """What a visitor chooses of `can`, allowed or not; without one `usual`, which is what the
        bot would do."""
        lines = {valhalla.format(each): each for each in can}
        asking = asked(what, self.state, lines.values())
        said = yield from self.decided(usual.seat, asking)
        return usual if said is None else lines[said]

    def _moves(self, action: Moving) -> str:
        self.cards.put(action, to_hand=self.state.phase is Phase.SPOILS)
        return self.enter(action)

    # -- what follows by itself: hands do it --------------------------------------------------

    def _tidied(self, by: Seat) -> Iterator[Step]:
        """Everybody lays their cards where the books say they are, one arm after the other."""
        for seat in (by, *(each for each in self.state.seats if each is not by)):
            if self.cards.tidy(self.state, seat):
                yield self.step("tidy", seat)
        first = self.state.playing_order[0] if self.state.playing_order else by
        if self.cards.tidy_middle(self.state):
            yield self.step("tidy", first)
        self.cards.check(self.state)

    # -- what goes wrong --------------------------------------------------------------------

    def _mistake(self) -> Iterator[Step]:
        """Somebody turns cards up too early, or takes a card out of the armory that they may not
        take."""
        state = self.state
        seats = [seat for seat in state.playing_order if not self.visitors.sits(seat)]
        many = [take for seat in seats for take in takes(state, seat)]
        can = [take for take in many if state.phase is Phase.STRATEGY and not self.fits(take)]
        early = [seat for seat in seats if state.phase is Phase.SELECT and state.players[seat].down]
        before = self.cards.copied()
        if early:
            seat = pick(self.rng, early)
            self.owed -= 1
            yield from self._refused(self.cards.turn_up(seat), seat, before)
        elif can:
            self.owed -= 1
            yield from self.mistaken(pick(self.rng, can))

    def mistaken(self, action: Action) -> Iterator[Step]:
        if not isinstance(action, Moving):
            raise AssertionError(f"nobody errs like that: {action}")
        before = self.cards.copied()
        self.cards.put(action, to_hand=self.state.phase is Phase.SPOILS)
        yield from self._refused(action, action.seat, before)

    def _refused(self, action: Action, seat: Seat, before: Cards) -> Iterator[Step]:
        if self.fits(action):
            raise AssertionError(f"{action} should be refused")
        yield self.step("mistake", seat, refused=valhalla.format(action))
        self.cards = before
        yield self.step("take back", seat)

    def _fidget(self) -> Step:
        seat = pick(self.rng, self.state.seats)
        if self.cards.spots and self.rng.random() < 0.5:
            piece = pick(self.rng, list(self.cards.spots))
            self.cards.spots[piece] = pushed(self.rng, self.cards.spots[piece])
            return self.step("push", seat)
        return self.step("point", seat)

    def table(self) -> tuple[Lying, ...]:
        return self.cards.table()

    def hands(self) -> tuple[tuple[str, ...], ...]:
        """The hands, and last the deck below what is seen of it."""
        held = (tuple(self.cards.hand(each)) for each in self.state.seats)
        return (*held, self.cards.out_of_sight())


_MOVES: Mapping[Phase, Callable[[_Table], Iterator[Step]]] = MappingProxyType(
    {
        Phase.SELECT: _Table.ready,
        Phase.REVEAL: _Table.reveal,
        Phase.STRATEGY: _Table.strategy,
        Phase.SUPPORT: _Table.turns,
        Phase.BATTLE: _Table.battle,
        Phase.LOSS: _Table.loses,
        Phase.STAND: _Table.stands,
        Phase.SPOILS: _Table.spoils,
        Phase.WOLF: _Table.fetches,
        Phase.TRIM: _Table.returns,
    }
)


BOTS = Bots(
    script=script,
    in_order=in_any_order("draws", "stands", until="keeps"),
    goals=(
        Goal(
            "Valhalla",
            "good",
            (Least(0.99), Most(50), Most(1_000), Most(0), Least(0.98), Least(0.90)),
        ),
    ),
)
