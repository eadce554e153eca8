"""Players of Odin with real hands, who lay real cards on a watched table."""

from __future__ import annotations

import random
from itertools import combinations

from companion.core.game import Accepted
from companion.core.notation import Seat
from companion.games.odin import rules as odin
from companion.games.odin.layout import ZONES
from companion.games.odin.rules.actions import Action, Count, Deal, Pass, Play, Take
from companion.games.odin.rules.cards import Card
from companion.games.odin.rules.state import Hand, Phase, State
from companion.ledger.referee import Press
from companion.tabletop.zones import centre
from tests.watch.watched import Lying, WatchedTable

LANES = [centre(ZONES[name]) for name in ("middle-1", "middle-2")]
DISCARD = centre(ZONES["discard"])


class OdinPlayers:
    """`truth` is what really happened, in the game's notation."""

    def __init__(self, table: WatchedTable, state: State, seed: int) -> None:
        self.table = table
        self.rng = random.Random(seed)
        self.state = state
        self.truth: list[str] = []
        self.hands: dict[Seat, set[Card]] = {}
        self.middle: list[Lying] = []
        self.left: list[Lying] = []
        self.lane = 0
        self.careful = 0.5
        """How often a card is taken in a gesture of its own."""

    @property
    def hand(self) -> Hand:
        assert self.state.hand is not None
        return self.state.hand

    def hand_out(self, starter: Seat) -> None:
        """Everybody gets cards; the table sees nothing of it."""
        cards = sorted(self.state.deck, key=str)
        self.rng.shuffle(cards)
        size = self.state.options.hand_size
        self.hands = {
            seat: set(cards[at * size : (at + 1) * size])
            for at, seat in enumerate(self.state.seats)
        }
        self._did(Deal(starter))

    def play_hand(self) -> None:
        while self.state.phase in (Phase.LEAD, Phase.TURN):
            self.turn()
        self._clear()
        self._did(Count(self.hand.sizes))

    def turn(self) -> None:
        seat = self.hand.to_move
        plays = self._legal(seat)
        if plays and (not self.hand.middle or self.rng.random() < 0.8):
            most = max(len(play.cards) for play in plays)
            large = [play for play in plays if len(play.cards) == most]
            self.lay(self.rng.choice(large if self.rng.random() < 0.5 else plays))
        else:
            self.passes(seat)

    def _legal(self, seat: Seat) -> list[Play]:
        held = sorted(self.hands[seat], key=lambda card: (-card.number, str(card)))
        most = len(self.hand.middle) + 1 if self.hand.middle else 1
        sizes = {*range(1, most + 1), *(() if self.hand.middle else (len(held),))}
        plays = [Play(seat, cards) for size in sizes for cards in combinations(held, size)]
        return [play for play in plays if isinstance(odin.judge(self.state, play), Accepted)]

    def lay(self, play: Play) -> None:
        """The set comes into the other lane; then the beaten one is dealt with."""
        beaten, self.middle = self.middle, []
        if not self.hand.middle:
            beaten = []
        self.lane = 1 - self.lane
        x, y = LANES[self.lane]
        start = x - 11.0 * (len(play.cards) - 1) + self.rng.uniform(-20, 20)
        cards = list(play.cards)
        self.rng.shuffle(cards)
        for at, card in enumerate(cards):
            self.middle.append(self.table.lay(str(card), start + 22.0 * at, y))
        self.hands[play.seat] -= set(play.cards)
        before = self.hand.middle
        self._did(play)
        if self.hand.out is not None or not before:
            self.left += beaten
            self.table.settle()
            return
        if self.rng.random() < self.careful or len(beaten) > 2:
            self.table.settle()
        self._take(play.seat, before, beaten)

    def _take(self, seat: Seat, before: tuple[Card, ...], beaten: list[Lying]) -> None:
        card = self.rng.choice(before)
        if len(before) > 1:
            self._did(Take(seat, card))
        self.hands[seat].add(card)
        taken = next(each for each in beaten if each.label == str(card))
        self.table.take(taken)
        if self.rng.random() < self.careful or len(beaten) > 2:
            self.table.settle()
        self._discard([each for each in beaten if each is not taken])
        self.table.settle()

    def _discard(self, cards: list[Lying]) -> None:
        for each in cards:
            each.x, each.y = (
                DISCARD[0] + self.rng.uniform(-2, 2),
                DISCARD[1] + self.rng.uniform(-2, 2),
            )
            for under in [*self.left]:  # a pile shows its top card
                if under in self.table.eye.lying and abs(under.x - DISCARD[0]) < 10:
                    self.table.take(under)
            self.left.append(each)

    def passes(self, seat: Seat) -> None:
        """With the button; or, when everybody passes, by clearing the middle."""
        everybody = all(
            not self._legal_for(other) for other in self.state.seats if other is not self.hand.owner
        )
        if everybody and self.rng.random() < 0.5:
            while self.state.phase is Phase.TURN:
                self._did(Pass(self.hand.to_move))
            self._discard(self.middle)
            self.middle = []
            self.table.settle()
            return
        self._did(Pass(seat))
        self.table.referee.press(Press.PASS)
        if self.state.phase is Phase.LEAD:
            self._discard(self.middle)
            self.middle = []
        self.table.settle(1.0)

    def _legal_for(self, seat: Seat) -> bool:
        return seat is not self.hand.to_move and self.rng.random() < 0.3

    def _clear(self) -> None:
        self.table.take(*self.table.eye.lying)
        self.middle, self.left = [], []
        self.table.settle()

    def _did(self, action: Action) -> None:
        verdict = odin.judge(self.state, action)
        assert isinstance(verdict, Accepted), (str(action), verdict)
        self.state = verdict.state
        self.truth.append(str(action))
