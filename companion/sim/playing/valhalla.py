"""Bots at a table of Valhalla: backs laid and turned, clashes tidied away, battles revealed card
by card, losses, last stands, the armory. Copies of a card are told apart here, as on a real table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from companion.pieces import Seat
from companion.rules import valhalla
from companion.rules.core import Accepted, Refused, Setup
from companion.rules.valhalla.actions import (
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
    Return,
    Reveal,
    Stand,
    Take,
    Turn,
)
from companion.rules.valhalla.cards import DEALT, NAMED, Card, is_deity
from companion.rules.valhalla.draugr import stand_size
from companion.rules.valhalla.drawing import draw_size
from companion.rules.valhalla.options import cards_in_play
from companion.rules.valhalla.state import Phase, State
from companion.rules.valhalla.strategy import takeable
from companion.sim.playing.steps import (
    By,
    Playing,
    Script,
    Step,
    names,
    pick,
    pushed,
    shuffled,
)
from companion.sim.playing.valhalla_cards import BACK, Cards
from companion.zones import MAT, ZONES, centre

_ERRS = 0.35


def script(how: Playing) -> Script:
    edition = "expansion" if how.seats > 4 and how.edition == "en" else how.edition
    setup = Setup("valhalla", names(how.seats), edition, how.changes)
    state, rng = valhalla.start(setup), np.random.default_rng([8, how.seed])
    bots = _Bots(how, rng, state, Cards(rng, state.options.clash_by == "by_name"))
    return Script(setup, "valhalla", _PLACES[: how.seats], bots.steps())


def _place(seat: str) -> tuple[float, float]:
    """An arm comes straight over the edge its seat's zones lie at."""
    x, y = centre(ZONES["valhalla"][f"{seat}.support"])
    if seat == "E":
        return -330.0, y
    return x, -270.0 if y < MAT[1] / 2 else MAT[1] + 270.0


_PLACES = tuple(_place(seat) for seat in "ABCDE")


@dataclass(slots=True, eq=False)
class _Bots:
    how: Playing
    rng: np.random.Generator
    state: State
    cards: Cards
    owed: int = 0

    # -- the game -------------------------------------------------------------------------

    def steps(self) -> Iterator[Step]:
        self.owed = self.how.mistakes
        yield self._dealt()
        while not self.state.over:
            if self.rng.random() < self.how.fidgets:
                yield self._fidget()
            if self.owed and self.rng.random() < _ERRS:
                yield from self._mistake()
            yield from _MOVES[self.state.phase](self)

    def _dealt(self) -> Step:
        """VLLA-SETUP-2: one weapon of each kind and a Wolf to everybody; the rest is the deck."""
        pack: list[str] = []
        for card, copies in cards_in_play(self.state.options).items():
            if card is Card.DEITY:
                pack += list(self.state.options.deities)
            elif card in NAMED:
                pack.append(card.value)
            else:
                pack += [f"{card}-{number}" for number in range(1, copies + 1)]
        for seat in self.state.seats:
            held = [next(each for each in pack if self.cards.kind(each) is card) for card in DEALT]
            self.cards.places[f"hand {seat}"] = held
            pack = [each for each in pack if each not in held]
        self.cards.deck = shuffled(self.rng, pack)
        line = self._enter(First(pick(self.rng, self.state.seats)))
        return self._step("deal", None, lines=(line,), by=By.PAGE)

    # -- moves, one phase each --------------------------------------------------------------

    def ready(self) -> Iterator[Step]:
        seat = pick(self.rng, self.state.waiting)
        hand = self.cards.hand(seat)
        for piece, zone in zip(shuffled(self.rng, hand)[:2], ("main", "support"), strict=False):
            self.cards.move(piece, f"{seat}.{zone}", face=BACK)
        yield self._step("ready", seat, lines=(self._enter(Ready(seat)),))

    def reveal(self) -> Iterator[Step]:
        seat = pick(self.rng, self.state.waiting)
        line = self._turn_up(seat)
        line = self._enter(valhalla.parse(line))
        yield self._step("reveal", seat, lines=(line,))
        yield from self._tidied(seat)

    def _turn_up(self, seat: Seat) -> str:
        laid = [self.cards.places.get(f"{seat}.{zone}", []) for zone in ("main", "support")]
        pieces = [piece for place in laid for piece in place]
        for piece in pieces:
            turned = pushed(self.rng, self.cards.spots[piece])
            self.cards.spots[piece] = replace(turned, face=self.cards.face(piece))
        kinds = [self.cards.kind(piece) for piece in pieces]
        return str(Reveal(seat, kinds[0], kinds[1] if len(kinds) > 1 else None))

    def strategy(self) -> Iterator[Step]:
        seat = self.state.waiting[0]
        main = self.state.players[seat].main
        if main is not None and main is not Card.WOLF and self.rng.random() < 0.25:
            yield from self._declares(seat, main)
        can_take = [card for card in takeable(self.state) if self._fits(Take(seat, card))]
        luck = self.rng.random()
        if can_take and luck < 0.4:
            yield from self._takes(seat, pick(self.rng, can_take))
        elif draw_size(self.state, seat) and (luck < 0.9 or not self._fits(Pass(seat))):
            yield from self._draws(seat)
        else:
            line = self._enter(Pass(seat))
            yield self._step("pass", seat, lines=(line,), by=By.BUTTON, press="pass")
            yield from self._tidied(seat)

    def _declares(self, seat: Seat, main: Card) -> Iterator[Step]:
        """Who is meant is said aloud, so it is entered on the page."""
        targets: list[Seat | None] = [None] if is_deity(main) else [*self.state.playing_order]
        can = [
            each for each in (Declare(seat, main, target) for target in targets) if self._fits(each)
        ]
        if not can:
            return
        line = self._enter(pick(self.rng, can))
        self.cards.move(self.cards.places[f"{seat}.main"][-1], f"{seat}.discard")
        yield self._step("declare", seat, lines=(line,), by=By.PAGE)
        yield from self._tidied(seat)

    def _takes(self, seat: Seat, card: Card) -> Iterator[Step]:
        to_hand = self.state.phase is Phase.SPOILS
        piece = self.cards.newest("armory", card)
        self.cards.move(piece, f"hand {seat}" if to_hand else f"{seat}.discard")
        line = self._enter(Take(seat, card))
        yield self._step("take", seat, lines=(line,))
        yield from self._tidied(seat)

    def _draws(self, seat: Seat) -> Iterator[Step]:
        cards = self.cards.deck[: draw_size(self.state, seat)]
        draugr = [piece for piece in cards if self.cards.kind(piece) is Card.DRAUGR]
        others = [piece for piece in cards if piece not in draugr]
        kept = pick(self.rng, others) if others else ""
        if self.state.players[seat].axed:
            shown, keeps = cards, (self.cards.kind(kept),) if kept else ()
        else:  # one Draugr may be ignored, if there is anything else
            shown, keeps = draugr[1 if others else 0 :], ()
        for piece in shown:
            self.cards.move(piece, "reveal")
        choice = len({self.cards.kind(piece) for piece in others}) > 1
        if shown and keeps and choice:  # what is kept can be told once it has left the others
            yield self._step("show", seat)
        action = Draw(seat, tuple(self.cards.kind(piece) for piece in shown), keeps)
        line = self._enter(action)
        if shown and not (keeps and choice):
            yield self._step("show", seat, lines=(line,))
            line = ""
        if kept:
            self.cards.move(kept, f"hand {seat}")
        under = [piece for piece in cards if piece not in (kept, *shown)]
        self.cards.deck = [*(piece for piece in self.cards.deck if piece not in under), *under]
        # Without a card to be seen nobody but the players can tell that there was a draw.
        by = By.CAMERA if shown else By.PAGE
        yield self._step("draw", seat, lines=(line,) if line else (), by=by)
        yield from self._tidied(seat)

    def turns(self) -> Iterator[Step]:
        """On the reveal spot for all to see, then where it belongs."""
        seat, piece = self.state.waiting[0], self.cards.deck[0]
        card = self.cards.kind(piece)
        self.cards.move(piece, "reveal")
        yield self._step("turn", seat, lines=(self._enter(Turn(seat, card)),))
        self.cards.move(piece, "armory" if card is Card.DRAUGR else f"{seat}.discard")
        yield self._step("put", seat)
        yield from self._tidied(seat)

    def battle(self) -> Iterator[Step]:
        piece = self.cards.deck[0]
        self.cards.move(piece, "armory")
        first = self.state.playing_order[0]
        yield self._step("battle", first, lines=(self._enter(Armory(self.cards.kind(piece))),))
        yield from self._tidied(first)

    def losses(self) -> Iterator[Step]:
        """Everybody in their own time: the place says whose it is, and whether it was held."""
        debt = pick(self.rng, [each for each in self.state.debts if each.cards])
        lines = [self._loses(debt.seat, *Place)]
        if lines[0].endswith("hand") and self.rng.random() < self.how.sloppy:  # two at once
            lines.append(self._loses(debt.seat, Place.DISCARD))
        yield self._step("lose", debt.seat, lines=tuple(filter(None, lines)))
        yield from self._tidied(debt.seat)

    def _loses(self, seat: Seat, *places: Place) -> str:
        can = [each for each in self._losable(seat) if each.place in places and self._fits(each)]
        if not can:
            return ""
        lost = pick(self.rng, can)
        where = {
            Place.HAND: (f"hand {seat}",),
            Place.DISCARD: (f"{seat}.discard",),
            Place.TABLE: (f"{seat}.support", f"{seat}.main"),
        }[lost.place]
        place = next(each for each in where if self.cards.kinds(each)[lost.card])
        zone = "main" if place in (f"hand {seat}", f"{seat}.main") else "support"
        self.cards.lose(self.cards.newest(place, lost.card), seat, zone)
        return self._enter(lost)

    def _losable(self, seat: Seat) -> Iterator[Lose]:
        pile = self.state.players[seat].discard
        yield from (Lose(seat, card, Place.DISCARD) for card in dict.fromkeys(pile))
        held = map(self.cards.kind, self.cards.hand(seat))
        yield from (Lose(seat, card, Place.HAND) for card in held)
        yield from (Lose(seat, card, Place.TABLE) for card in self.state.players[seat].table)

    def stands(self) -> Iterator[Step]:
        seat = self.state.debts[0].seat
        cards = self.cards.deck[: stand_size(self.state)]
        kinds = tuple(self.cards.kind(piece) for piece in cards)
        for piece in cards:
            self.cards.move(piece, "reveal")
        if Card.DRAUGR in kinds or len(set(kinds)) == 1:
            kept = cards[0] if Card.DRAUGR not in kinds else ""
        else:  # what is kept can be told once it has left the others
            yield self._step("show", seat)
            kept = pick(self.rng, cards)
            self.cards.move(kept, f"hand {seat}")
        keeps = self.cards.kind(kept) if kept else None
        yield self._step("stand", seat, lines=(self._enter(Stand(seat, kinds, keeps)),))
        if kept in self.cards.spots:
            self.cards.move(kept, f"hand {seat}")
            yield self._step("take up", seat)
        yield from self._tidied(seat)

    def spoils(self) -> Iterator[Step]:
        yield from self._takes(self.state.waiting[0], pick(self.rng, takeable(self.state)))

    def fetches(self) -> Iterator[Step]:
        """The card is shown before it goes to the hand."""
        seat = self.state.waiting[0]
        piece = pick(self.rng, self.cards.places[f"{seat}.discard"])
        self.cards.move(piece, "reveal")
        line = self._enter(Fetch(seat, self.cards.kind(piece)))
        yield self._step("fetch", seat, lines=(line,))
        self.cards.move(piece, f"hand {seat}")
        yield self._step("take up", seat)
        yield from self._tidied(seat)

    def returns(self) -> Iterator[Step]:
        seat = self.state.waiting[0]
        can = [Return(seat, card) for card in dict.fromkeys(self.state.armory)]
        action = pick(self.rng, [each for each in can if self._fits(each)])
        self.cards.move(self.cards.newest("armory", action.card), "deck")
        yield self._step("return", seat, lines=(self._enter(action),))
        yield from self._tidied(seat)

    # -- what follows by itself: hands do it --------------------------------------------------

    def _tidied(self, by: Seat) -> Iterator[Step]:
        """Cards go where the books say they are by now, one arm after the other."""
        for seat in (by, *(each for each in self.state.seats if each is not by)):
            if self.cards.tidy(self.state, seat):
                yield self._step("tidy", seat)
        first = self.state.playing_order[0] if self.state.playing_order else by
        if self.cards.tidy_middle(self.state):
            yield self._step("tidy", first)
        self.cards.check(self.state)

    # -- what goes wrong --------------------------------------------------------------------

    def _mistake(self) -> Iterator[Step]:
        """Turned up too early, or a hand in the armory that has no business there."""
        can = [
            Take(seat, card)
            for seat in self.state.playing_order
            for card in dict.fromkeys(self.state.armory)
            if self.state.phase is Phase.STRATEGY and not self._fits(Take(seat, card))
        ]
        early = [
            seat
            for seat in self.state.playing_order
            if self.state.phase is Phase.SELECT and self.state.players[seat].down
        ]
        before = dict(self.cards.spots)
        places = {name: list(each) for name, each in self.cards.places.items()}
        if early:
            seat = pick(self.rng, early)
            line = self._turn_up(seat)
        elif can:
            action = pick(self.rng, can)
            seat, line = action.seat, str(action)
            self.cards.move(self.cards.newest("armory", action.card), f"{seat}.discard")
        else:
            return
        if self._fits(valhalla.parse(line)):
            raise AssertionError(f"{line} should be refused")
        self.owed -= 1
        yield self._step("mistake", seat, refused=line)
        self.cards.spots, self.cards.places = before, places
        yield self._step("take back", seat)

    def _fidget(self) -> Step:
        seat = pick(self.rng, self.state.seats)
        if self.cards.spots and self.rng.random() < 0.5:
            piece = pick(self.rng, list(self.cards.spots))
            self.cards.spots[piece] = pushed(self.rng, self.cards.spots[piece])
            return self._step("push", seat)
        return self._step("point", seat)

    def _fits(self, action: Action) -> bool:
        return isinstance(valhalla.judge(self.state, action), Accepted)

    def _enter(self, action: Action) -> str:
        verdict = valhalla.judge(self.state, action)
        if isinstance(verdict, Refused):
            raise AssertionError(f"a bot played {action}: {verdict.reasons}")
        self.state = verdict.state
        return valhalla.format(action)

    def _step(
        self,
        what: str,
        seat: Seat | None,
        *,
        lines: tuple[str, ...] = (),
        refused: str = "",
        by: By = By.CAMERA,
        press: str = "",
    ) -> Step:
        hands = [tuple(self.cards.hand(each)) for each in self.state.seats]
        hands.append(self.cards.out_of_sight())
        table = self.cards.table()
        return Step(what, seat, table, lines, refused, by, press, tuple(hands))


_MOVES: Mapping[Phase, Callable[[_Bots], Iterator[Step]]] = MappingProxyType(
    {
        Phase.SELECT: _Bots.ready,
        Phase.REVEAL: _Bots.reveal,
        Phase.STRATEGY: _Bots.strategy,
        Phase.SUPPORT: _Bots.turns,
        Phase.BATTLE: _Bots.battle,
        Phase.LOSS: _Bots.losses,
        Phase.STAND: _Bots.stands,
        Phase.SPOILS: _Bots.spoils,
        Phase.WOLF: _Bots.fetches,
        Phase.TRIM: _Bots.returns,
    }
)
