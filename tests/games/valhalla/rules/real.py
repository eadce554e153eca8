"""A real table with real hidden cards, to hold the books against."""

from __future__ import annotations

import random
from collections import Counter
from itertools import chain

from companion.core.game import Accepted
from companion.core.notation import Seat
from companion.games.valhalla import rules as valhalla
from companion.games.valhalla.rules.actions import (
    Armory,
    Draw,
    Has,
    Lose,
    Place,
    Ready,
    Reveal,
    Shows,
    Stand,
    Turn,
)
from companion.games.valhalla.rules.cards import Card, draugr_in
from companion.games.valhalla.rules.state import Happening, Phase, State, unseen
from tests.games.valhalla.rules.tables import check, valhalla_deities


class RealTable:
    """Real cards in real hands: players at random who tell the companion the truth. It knows the
    rules of drawing by itself; whatever it says has to be accepted."""

    def __init__(self, state: State, seed: int) -> None:
        self.rng = random.Random(seed)
        self.state = state
        self.deck = list(unseen(state).elements())
        self.rng.shuffle(self.deck)
        self.secret: dict[Seat, list[Card]] = {seat: [] for seat in state.seats}
        self.buried: list[Card] = []

    def step(self) -> None:
        action, unseen_kept, taken = self._choice()
        verdict = valhalla.judge(self.state, valhalla.parse(valhalla.format(action)))
        assert isinstance(verdict, Accepted), (action, verdict, self.state)
        before, self.state = self.state, verdict.state
        if not isinstance(action, Ready | Armory | Has | Shows):
            self._hand_changes(before, action, unseen_kept)
        self._elimination(before)
        self._deck_changes(taken)

    def check(self) -> None:
        """The books agree with the cards."""
        check(self.state)
        for seat in self.state.seats:
            assert len(self.secret[seat]) == self.state.players[seat].hidden
        assert len(self.deck) == self.state.deck
        hidden = Counter((*self.deck, *self.buried, *chain(*self.secret.values())))
        named = Counter(card for card in self.state.bottom if card is not None)
        assert hidden == unseen(self.state) + named

    def _hand_changes(self, before: State, action: valhalla.Action, kept: list[Card]) -> None:
        gone: tuple[Card, ...] = ()
        assert not isinstance(action, Armory)
        seat = action.seat
        if seat is None:
            return
        if isinstance(action, Reveal):
            gone = action.cards
        elif isinstance(action, Lose) and action.place is Place.HAND:
            gone = (action.card,)
        strangers = Counter(gone) - Counter(before.players[seat].known)
        for card in strangers.elements():
            self.secret[seat].remove(card)
        self.secret[seat] += kept

    def _elimination(self, before: State) -> None:
        for seat in self.state.seats:
            if before.players[seat].alive and not self.state.players[seat].alive:
                self.buried += self.secret[seat]
                self.secret[seat] = []
        if self.state.buried == 0:
            self.buried = []  # shuffled into the deck

    def _deck_changes(self, taken: int) -> None:
        """What was put under the deck or shuffled in is whatever is nowhere else."""
        del self.deck[:taken]
        named = Counter(card for card in self.state.bottom if card is not None)
        hidden = unseen(self.state) + named
        hidden -= Counter(self.buried)
        for secret in self.secret.values():
            hidden -= Counter(secret)
        put_back = hidden - Counter(self.deck)
        recalled = [n.cards for n in self.state.notes if n.what is Happening.RECALLED]
        last = list(chain(*recalled))  # at the end of the turn, under all the rest
        first = list((put_back - Counter(last)).elements())
        self.rng.shuffle(first)
        self.deck += first
        if any(note.what == "shuffled" for note in self.state.notes):
            self.rng.shuffle(self.deck)
        self.deck += last

    # What the players do

    def _choice(self) -> tuple[valhalla.Action, list[Card], int]:
        """An action, the cards kept unseen, and how many came off the deck."""
        state = self.state
        match state.phase:
            case Phase.REVEAL:
                return self._reveal(), [], 0
            case Phase.BATTLE:
                return Armory(self.deck[0]), [], 1
            case Phase.SUPPORT:
                self._reshuffle(1)
                return Turn(state.waiting[0], self.deck[0]), [], 1
            case Phase.STAND:
                return self._stand()
            case Phase.LOSS:
                return self._loss(), [], 0
            case _:
                return self._other_choice()

    def _other_choice(self) -> tuple[valhalla.Action, list[Card], int]:
        state = self.state
        moves = [move for move in valhalla.actions(state) if not isinstance(move, Draw)]
        if state.phase is Phase.STRATEGY and (not moves or self.rng.random() < 0.7):
            seat = valhalla.to_move(state)
            seat = self.rng.choice(state.waiting) if seat is None else seat
            size = 3 if state.players[seat].hammered else 2
            self._reshuffle(size)
            if self.deck:
                return self._draw(seat, self.deck[:size])
        return self.rng.choice(moves), [], 0

    def _reshuffle(self, count: int) -> None:
        """The graveyard goes back before a draw the deck is too short for."""
        option = self.state.options.deck_short
        wanted = option == "reshuffle_graveyard_without_draugr" and not self.state.reshuffled
        if len(self.deck) < count and wanted:
            self.deck += self.buried + [c for c in self.state.graveyard if c is not Card.DRAUGR]
            self.buried = []
            self.rng.shuffle(self.deck)

    def _hand(self, seat: Seat) -> list[Card]:
        held = [*self.state.players[seat].known, *self.secret[seat]]
        return [card for card in held if card is not Card.DRAUGR]

    def _reveal(self) -> Reveal:
        """They like a fight: who can lay the Main of another lays it."""
        seat = self.rng.choice(self.state.waiting)
        laid = self.rng.sample(self._hand(seat), self.state.players[seat].down)
        mains = {player.main for player in self.state.players}
        return Reveal(seat, *sorted(laid, key=lambda card: card not in mains))

    def _loss(self) -> Lose:
        debt = self.rng.choice([debt for debt in self.state.debts if debt.cards])
        player = self.state.players[debt.seat]
        choices = [(card, Place.HAND) for card in self._hand(debt.seat)]
        if self.state.options.draugr_loss_goes_to == "graveyard":
            choices += [(card, Place.DISCARD) for card in player.discard]
        choices = choices or [(card, Place.TABLE) for card in player.table]
        return Lose(debt.seat, *self.rng.choice(choices))

    def _stand(self) -> tuple[Stand, list[Card], int]:
        self._reshuffle(3)
        shown = tuple(self.deck[:3])
        keeps = None if Card.DRAUGR in shown else self.rng.choice(shown)
        return Stand(self.state.debts[0].seat, shown, keeps), [], len(shown)

    def _draw(self, seat: Seat, top: list[Card]) -> tuple[Draw, list[Card], int]:
        options, player = self.state.options, self.state.players[seat]
        others: list[Card] = [card for card in top if card is not Card.DRAUGR]
        draugr: list[Card] = [card for card in top if card is Card.DRAUGR]
        all_kept = player.hammered and options.hammer_draw == "keep_all"
        kept = others if all_kept else self.rng.sample(others, min(1, len(others)))
        if player.axed:
            return Draw(seat, tuple(top), tuple(kept)), [], len(top)
        if others:
            allowed = options.deity_allows_ignore or any(
                card not in valhalla_deities() for card in others
            )
            ignored = (len(draugr) if options.ignorable_draugr == "all" else 1) if allowed else 0
            draugr = draugr[ignored:]
        shown = draugr
        if player.hammered and options.hammer_draw == "keep1_armory_rest":
            shown = draugr + list((Counter(others) - Counter(kept)).elements())
        count = len(kept) if all_kept and kept else None
        assert draugr_in(shown) == len(draugr)
        return Draw(seat, tuple(shown), kept=count), kept, len(top)
