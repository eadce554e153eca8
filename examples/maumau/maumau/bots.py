"""Bots at a table of Mau-Mau, with real hidden hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from companion.core.game import Setup
from companion.core.notation import Seat
from companion.sim import steps
from companion.sim.bots import BotTable
from companion.sim.players import Bots
from companion.sim.steps import By, Lying, Playing, Script, Step, pick
from companion.sim.visitors import Asked, Visitors
from companion.tabletop.layout import PLAYING_CARDS
from maumau import rules
from maumau.layout import ZONES
from maumau.rules import DECK, SUITS, Action, Card, Deal, Draw, Play, State, Wish

ERRS = 0.3  # how often a bot that still owes mistakes makes one at its turn


@dataclass(slots=True, eq=False)
class Table(BotTable[State, Action]):
    held: list[list[Card]]
    deck: list[Lying] = field(default_factory=list)
    pile: list[Lying] = field(default_factory=list)

    def steps(self) -> Iterator[Step]:
        self._shuffle(DECK)
        self._lay(Card(self.deck.pop().piece))
        yield self._entered("deal", None, Deal(Card(self.pile[-1].piece)))
        while self.state.phase != "over":
            yield from self._turn(self.state.to_move)

    def _turn(self, seat: Seat) -> Iterator[Step]:
        plays = [Play(seat, card) for card in self.held[seat]]
        good = [play for play in plays if self.fits(play)]
        wrong = [play for play in plays if play not in good]
        if self.owed and wrong and self.rng.random() < ERRS and not self.visitors.sits(seat):
            self.owed -= 1
            yield from self.mistaken(pick(self.rng, wrong))
        lines, against = (tuple(map(rules.format, each)) for each in (good, wrong))
        said = yield from self.decided(seat, Asked("lay", (), lines, against, leave="draw"))
        if said == "draw" or not good:
            yield self._entered("draw", seat, Draw(seat), By.BUTTON, "pass")
            return
        play = next((each for each in good if rules.format(each) == said), pick(self.rng, good))
        self.held[seat].remove(play.card)
        self._lay(play.card)
        yield self._entered("play", seat, play)
        if self.state.phase == "wish":
            wishes = [rules.format(Wish(seat, suit)) for suit in SUITS]
            usual = rules.format(Wish(seat, pick(self.rng, self.held[seat])[1]))
            wish = yield from self.picked(seat, Asked("wish", lines=tuple(wishes)), usual)
            yield self._entered("wish", seat, rules.parse(wish), By.PAGE)

    def mistaken(self, action: Action) -> Iterator[Step]:
        assert isinstance(action, Play)  # noqa: S101 - nothing else is ever against the rules here
        self._lay(action.card)
        yield self.step("mistake", action.seat, refused=rules.format(action))
        self.pile.pop()
        yield self.step("take back", action.seat)

    def _entered(
        self, what: str, seat: Seat | None, action: Action, by: By = By.CAMERA, press: str = ""
    ) -> Step:
        """Done and in the books; hands are filled up to the size that they have there."""
        line = self.enter(action)
        for hand, size in zip(self.held, self.state.sizes, strict=True):
            while len(hand) < size:
                if not self.deck:
                    *under, top = self.pile
                    self.pile = [top]
                    self._shuffle(Card(one.piece) for one in under)
                hand.append(Card(self.deck.pop().piece))
        return self.step(what, seat, lines=(line,), by=by, press=press)

    def _shuffle(self, cards: Iterable[Card]) -> None:
        mixed = steps.shuffled(self.rng, cards)
        self.deck = [steps.stacked(self.rng, card, "back", ZONES["deck"]) for card in mixed]

    def _lay(self, card: Card) -> None:
        self.pile.append(steps.heaped(self.rng, card, card, ZONES["pile"]))

    def table(self) -> tuple[Lying, ...]:
        return (*self.deck, *self.pile)

    def hands(self) -> tuple[tuple[str, ...], ...]:
        return tuple(map(tuple, self.held))


def script(how: Playing, visitors: Visitors) -> Script:
    setup = Setup(rules.NAME, steps.names(how.seats), how.edition, how.changes)
    state, rng = rules.start(setup), np.random.default_rng(how.seed)
    bots = Table(rules, how, rng, state, visitors, [[] for _ in state.sizes])
    return Script(setup, PLAYING_CARDS, steps.around(how.seats), bots.steps())


BOTS = Bots(script=script, short=(("hand_size", "2"),))
